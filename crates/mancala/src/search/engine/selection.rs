//! Selectivity of the engine: pruning and reductions that can change its choice.

/// The parameters of selective search.
///
/// ```
/// use mancala::search::engine::{Parameter, Selection};
/// let mut selection = Selection::NONE;
/// selection.set(Parameter::ProbCutMargin, 150);
/// assert_eq!(selection.get(Parameter::ProbCutMargin), 150);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Selection {
    /// Whether table entries of a greater depth are used too.
    pub deeper: bool,
    /// Minimum depth for ProbCut: a position is cut off if a shallower search finds it outside the window by a margin
    /// (M. Buro, "ProbCut: An effective selective extension of the alpha-beta algorithm", ICCA Journal 18(2), 1995).
    pub probcut_depth: i32,
    /// In hundredths of a captured seed, as all margins.
    pub probcut_margin: i32,
    /// Added to the margin for every ply beyond the minimum depth.
    pub probcut_margin_per_ply: i32,
    /// Plies by which the search of ProbCut is shallower.
    pub probcut_reduction: i32,
    /// The bounds of the window that ProbCut tests: 1, the one on the side of the static value, or 2, both.
    pub probcut_sides: i32,
    /// Maximum depth for reverse futility pruning: a position is cut off if its static value is outside the window by a
    /// margin.
    pub futility_depth: i32,
    /// The margin per ply of depth.
    pub futility_margin: i32,
    /// Minimum depth for late move reductions. Captures are not reduced.
    pub lmr_depth: i32,
    /// Plies by which late moves are reduced.
    pub lmr_reduction: i32,
    /// Number of moves of a position that are not late.
    pub lmr_move_count: i32,
}

impl Selection {
    /// No selectivity: a search to a depth finds the score of plain minimax.
    pub const NONE: Selection = Selection {
        deeper: false,
        probcut_depth: Parameter::OFF,
        probcut_margin: 100,
        probcut_margin_per_ply: 0,
        probcut_reduction: 4,
        probcut_sides: 1,
        futility_depth: 0,
        futility_margin: 200,
        lmr_depth: Parameter::OFF,
        lmr_reduction: 2,
        lmr_move_count: 3,
    };

    /// The parameters that were strongest in matches.
    pub const PROVEN: Selection =
        Selection { deeper: true, probcut_depth: 5, probcut_margin: 75, ..Selection::NONE };

    /// Returns the value of a parameter.
    pub fn get(mut self, parameter: Parameter) -> i32 {
        let (_, _, field) = parameter.definition();
        *field(&mut self)
    }

    /// Sets a parameter, to the nearest value in its range.
    pub fn set(&mut self, parameter: Parameter, value: i32) {
        let (_, (min, max), field) = parameter.definition();
        *field(self) = value.clamp(min, max);
    }

    /// Replaces the depths that turn a technique off by one beyond every search.
    pub(super) fn without_off(mut self) -> Selection {
        for depth in [&mut self.probcut_depth, &mut self.lmr_depth] {
            if *depth >= Parameter::OFF {
                *depth = i32::MAX;
            }
        }
        self
    }
}

impl Default for Selection {
    fn default() -> Selection {
        Selection::PROVEN
    }
}

/// A parameter of selective search, as a setting of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    ProbCutDepth,
    ProbCutMargin,
    ProbCutMarginPerPly,
    ProbCutReduction,
    ProbCutSides,
    FutilityDepth,
    FutilityMargin,
    LmrDepth,
    LmrReduction,
    LmrMoveCount,
}

/// The name of a parameter, its lowest and highest value, and its field.
type Definition = (&'static str, (i32, i32), fn(&mut Selection) -> &mut i32);

impl Parameter {
    /// A minimum depth that turns a technique off.
    pub const OFF: i32 = 40;

    /// All parameters.
    pub const ALL: [Parameter; 10] = [
        Parameter::ProbCutDepth,
        Parameter::ProbCutMargin,
        Parameter::ProbCutMarginPerPly,
        Parameter::ProbCutReduction,
        Parameter::ProbCutSides,
        Parameter::FutilityDepth,
        Parameter::FutilityMargin,
        Parameter::LmrDepth,
        Parameter::LmrReduction,
        Parameter::LmrMoveCount,
    ];

    /// Returns the name of the setting.
    pub fn name(self) -> &'static str {
        self.definition().0
    }

    /// Returns the lowest and the highest value.
    pub fn range(self) -> (i32, i32) {
        self.definition().1
    }

    fn definition(self) -> Definition {
        const OFF: i32 = Parameter::OFF;
        match self {
            Parameter::ProbCutDepth => ("cut_from", (2, OFF), |it| &mut it.probcut_depth),
            Parameter::ProbCutMargin => ("margin", (0, 10_000), |it| &mut it.probcut_margin),
            Parameter::ProbCutMarginPerPly => {
                ("widening", (0, 10_000), |it| &mut it.probcut_margin_per_ply)
            }
            Parameter::ProbCutReduction => ("shallower", (1, 8), |it| &mut it.probcut_reduction),
            Parameter::ProbCutSides => ("sides", (1, 2), |it| &mut it.probcut_sides),
            Parameter::FutilityDepth => ("still_to", (0, 8), |it| &mut it.futility_depth),
            Parameter::FutilityMargin => {
                ("still_margin", (0, 10_000), |it| &mut it.futility_margin)
            }
            Parameter::LmrDepth => ("reduced_from", (2, OFF), |it| &mut it.lmr_depth),
            Parameter::LmrReduction => ("reduction", (1, 4), |it| &mut it.lmr_reduction),
            Parameter::LmrMoveCount => ("early", (1, 12), |it| &mut it.lmr_move_count),
        }
    }
}
