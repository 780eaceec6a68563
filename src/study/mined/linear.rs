//! Weights of the twelve features by least squares on values of tables.

use nalgebra::{Cholesky, SMatrix, SVector};

use super::example::{Example, position};
use mancala::endgame::Rows;
use mancala::eval::{FeatureSet, Signs, Weights};
use mancala::game::Side;
use mancala::game::ayo::Ayo;

/// Features without the two stores, whose seeds are worth one each.
const FREE: usize = 10;

/// Where a9 and a10 stand, the opponent's captured seeds and mine.
const STORES: [usize; 2] = [8, 9];

/// What a captured seed weighs.
const SEED: f64 = 1000.0;

/// Seeds that each feature but the stores is worth.
pub(super) struct Fit {
    worth: SVector<f64, FREE>,
}

/// The features but the stores, from the view of the side that has just moved: that of leaves.
fn inputs(rows: Rows) -> SVector<f64, FREE> {
    let position = position(rows);
    let values = FeatureSet::daoud2004().values::<Ayo>(&position, Side::North);
    let free = values.iter().enumerate().filter(|(at, _)| !STORES.contains(at));
    SVector::from_iterator(free.map(|(_, &value)| f64::from(value)))
}

/// The best fit of the values, which are those of the side to move, and so turned.
pub(super) fn fitted(examples: &[Example]) -> Fit {
    let mut squares = SMatrix::<f64, FREE, FREE>::identity() * 1e-6;
    let mut products = SVector::<f64, FREE>::zeros();
    for example in examples {
        let x = inputs(example.rows);
        squares += x * x.transpose();
        products -= x * example.value;
    }
    let solved = Cholesky::new(squares).map(|it| it.solve(&products));
    Fit { worth: solved.unwrap_or_else(SVector::zeros) }
}

impl Fit {
    /// What it makes of a position for the side to move.
    pub(super) fn value(&self, rows: Rows) -> f64 {
        -self.worth.dot(&inputs(rows))
    }

    /// The same as weights.
    pub(super) fn weights(&self) -> Weights {
        let mut values: Vec<i64> = self.worth.iter().map(|it| (SEED * it).round() as i64).collect();
        let [theirs, mine] = STORES;
        values.insert(theirs, -SEED as i64);
        values.insert(mine, SEED as i64);
        let features = FeatureSet::daoud2004();
        Weights::new("mined", features, &values, Signs::Literal).expect("twelve, each a few seeds")
    }
}
