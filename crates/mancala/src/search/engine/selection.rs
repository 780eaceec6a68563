//! What a search takes for granted so as to look further ahead.

use super::parameter::Parameter;

/// What a search takes for granted so as to look further ahead.
///
/// Its numbers have [names](Parameter), as settings of a player.
///
/// ```
/// use mancala::search::engine::{Parameter, Selection};
/// let mut selection = Selection::NONE;
/// selection.set(Parameter::Margin, 150);
/// assert_eq!((selection.margin, selection.get(Parameter::Margin)), (150, 150));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Selection {
    /// What was found at a greater depth serves too.
    pub deeper: bool,
    /// From this depth on a position is not searched to its depth if a shallower search finds it beyond what
    /// matters by a margin (ProbCut; M. Buro, "ProbCut: An effective selective extension of the alpha-beta
    /// algorithm", ICCA Journal 18(2), 1995).
    pub cut_from: i32,
    /// The margin in hundredths of a captured seed.
    pub margin: i32,
    /// By how much it grows with every ply of the depth beyond `cut_from`.
    pub widening: i32,
    /// The plies by which that search is shallower.
    pub shallower: i32,
    /// The sides of what matters on which that search looks: 1, that on which the evaluation is, or both.
    pub sides: i32,
    /// Up to this depth a position is not searched if its evaluation is beyond what matters by a margin.
    pub still_to: i32,
    /// That margin for each ply of the depth, in hundredths of a captured seed.
    pub still_margin: i32,
    /// From this depth on moves that come late in the order and capture nothing are searched less deep at first.
    pub reduced_from: i32,
    /// The plies by which they are.
    pub reduction: i32,
    /// So many moves of a position are never late.
    pub early: i32,
}

impl Selection {
    /// Nothing: a search to a depth finds the score of plain minimax.
    pub const NONE: Selection = Selection {
        deeper: false,
        cut_from: Parameter::NEVER,
        margin: 100,
        widening: 0,
        shallower: 4,
        sides: 1,
        still_to: 0,
        still_margin: 200,
        reduced_from: Parameter::NEVER,
        reduction: 2,
        early: 3,
    };

    /// What has proved itself in matches.
    pub const PROVEN: Selection =
        Selection { deeper: true, cut_from: 5, margin: 75, ..Selection::NONE };

    /// The value of a parameter.
    pub fn get(mut self, parameter: Parameter) -> i32 {
        *self.of(parameter)
    }

    /// Sets a parameter, to the nearest value in its range.
    pub fn set(&mut self, parameter: Parameter, value: i32) {
        let (least, most) = parameter.range();
        *self.of(parameter) = value.clamp(least, most);
    }

    /// The same, with depths from which nothing is done beyond those of any search.
    pub(super) fn unlimited(mut self) -> Selection {
        for depth in [&mut self.cut_from, &mut self.reduced_from] {
            if *depth >= Parameter::NEVER {
                *depth = i32::MAX;
            }
        }
        self
    }

    fn of(&mut self, parameter: Parameter) -> &mut i32 {
        match parameter {
            Parameter::CutFrom => &mut self.cut_from,
            Parameter::Margin => &mut self.margin,
            Parameter::Widening => &mut self.widening,
            Parameter::Shallower => &mut self.shallower,
            Parameter::Sides => &mut self.sides,
            Parameter::StillTo => &mut self.still_to,
            Parameter::StillMargin => &mut self.still_margin,
            Parameter::ReducedFrom => &mut self.reduced_from,
            Parameter::Reduction => &mut self.reduction,
            Parameter::Early => &mut self.early,
        }
    }
}

impl Default for Selection {
    fn default() -> Selection {
        Selection::PROVEN
    }
}
