//! The numbers of a selective search by name.

/// A number that sets how the engine searches, as a setting of its player.
///
/// ```
/// use mancala::search::engine::Parameter;
/// assert_eq!((Parameter::Margin.name(), Parameter::Margin.range()), ("margin", (0, 10_000)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    /// Depth from which a shallower search may cut a position.
    CutFrom,
    /// By how much it has to, in hundredths of a seed.
    Margin,
    /// Added to the margin with every ply.
    Widening,
    /// Plies by which that search is shallower.
    Shallower,
    /// Sides on which it looks beyond what matters.
    Sides,
    /// Depth up to which the evaluation may cut a position.
    StillTo,
    /// By how much for each ply, in hundredths of a seed.
    StillMargin,
    /// Depth from which late moves are searched less deep.
    ReducedFrom,
    /// Plies by which they are.
    Reduction,
    /// Moves that are never late.
    Early,
}

impl Parameter {
    /// As a minimum depth, turns a technique off.
    pub const NEVER: i32 = 40;

    /// All of them.
    pub const ALL: [Parameter; 10] = [
        Parameter::CutFrom,
        Parameter::Margin,
        Parameter::Widening,
        Parameter::Shallower,
        Parameter::Sides,
        Parameter::StillTo,
        Parameter::StillMargin,
        Parameter::ReducedFrom,
        Parameter::Reduction,
        Parameter::Early,
    ];

    /// The name as a setting of a player.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// The least and the most that it can be.
    pub fn range(self) -> (i32, i32) {
        self.row().1
    }

    fn row(self) -> (&'static str, (i32, i32)) {
        match self {
            Parameter::CutFrom => ("cut_from", (2, Parameter::NEVER)),
            Parameter::Margin => ("margin", (0, 10_000)),
            Parameter::Widening => ("widening", (0, 10_000)),
            Parameter::Shallower => ("shallower", (1, 8)),
            Parameter::Sides => ("sides", (1, 2)),
            Parameter::StillTo => ("still_to", (0, 8)),
            Parameter::StillMargin => ("still_margin", (0, 10_000)),
            Parameter::ReducedFrom => ("reduced_from", (2, Parameter::NEVER)),
            Parameter::Reduction => ("reduction", (1, 4)),
            Parameter::Early => ("early", (1, 12)),
        }
    }
}
