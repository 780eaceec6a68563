//! What a search takes for granted so as to look further ahead.

use crate::eval::Weights;
use crate::game::{Dial, Feature};

/// What a search takes for granted so as to look further ahead.
///
/// Its numbers are [dials](Dial), so that they can be settings of a player and evolved.
///
/// ```
/// use mancala::game::Dial;
/// use mancala::search::engine::Selection;
/// let mut selection = Selection::NONE;
/// selection.set(Dial::Margin, 150);
/// assert_eq!((selection.margin, selection.get(Dial::Margin)), (150, 150));
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
        cut_from: Dial::NEVER,
        margin: 100,
        widening: 0,
        shallower: 4,
        sides: 1,
        still_to: 0,
        still_margin: 200,
        reduced_from: Dial::NEVER,
        reduction: 2,
        early: 3,
    };

    /// What has proved itself in matches.
    pub const PROVEN: Selection =
        Selection { deeper: true, cut_from: 5, margin: 75, ..Selection::NONE };

    /// What weights of dials stand for; dials that they do not weigh are as proven. `None` if they are weights of
    /// something else.
    pub fn of_weights(weights: &Weights) -> Option<Selection> {
        let mut selection = Selection::PROVEN;
        for (feature, weight) in weights.features().features().iter().zip(weights.effective()) {
            let Feature::Dial(dial) = *feature else { return None };
            selection.set(dial, dial.at(weight));
        }
        Some(selection)
    }

    /// How a dial stands.
    pub fn get(mut self, dial: Dial) -> i32 {
        *self.of(dial)
    }

    /// Turns a dial, as far as its range goes.
    pub fn set(&mut self, dial: Dial, value: i32) {
        let (least, most) = dial.range();
        *self.of(dial) = value.clamp(least, most);
    }

    /// The same, with depths from which nothing is done beyond those of any search.
    pub(super) fn unlimited(mut self) -> Selection {
        for depth in [&mut self.cut_from, &mut self.reduced_from] {
            if *depth >= Dial::NEVER {
                *depth = i32::MAX;
            }
        }
        self
    }

    fn of(&mut self, dial: Dial) -> &mut i32 {
        match dial {
            Dial::CutFrom => &mut self.cut_from,
            Dial::Margin => &mut self.margin,
            Dial::Widening => &mut self.widening,
            Dial::Shallower => &mut self.shallower,
            Dial::Sides => &mut self.sides,
            Dial::StillTo => &mut self.still_to,
            Dial::StillMargin => &mut self.still_margin,
            Dial::ReducedFrom => &mut self.reduced_from,
            Dial::Reduction => &mut self.reduction,
            Dial::Early => &mut self.early,
        }
    }
}

impl Default for Selection {
    fn default() -> Selection {
        Selection::PROVEN
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{FeatureSet, Signs};

    #[test]
    fn weights_of_dials_are_the_selection_that_they_were_made_of() {
        let features: FeatureSet = "search".parse().unwrap();
        assert_eq!(features.features(), Dial::ALL.map(Feature::Dial));
        for selection in [Selection::PROVEN, Selection { deeper: true, ..Selection::NONE }] {
            let values = Dial::ALL.map(|dial| i64::from(dial.weight(selection.get(dial))));
            let weights = Weights::new("", features.clone(), &values, Signs::Literal).unwrap();
            assert_eq!(Selection::of_weights(&weights), Some(selection));
        }
        assert_eq!(Selection::of_weights(&Weights::named("seeds").unwrap()), None);
    }
}
