//! Classes of good and bad rows, and Mahalanobis distances to them.

use nalgebra::{Cholesky, SMatrix, SVector};

use mancala::endgame::cdg;
use mancala::game::Pit;
use mancala::game::ayo::PITS;

/// A player's row after its move, starting with the pit closest to the opponent.
pub type Row = [u8; PITS];

type Vector = SVector<f64, PITS>;
type Matrix = SMatrix<f64, PITS, PITS>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// This class is called c₁ in the paper.
    Good,
    /// This class is called c₂ in the paper.
    Bad,
}

impl Class {
    /// Applies Tchoukaillon's rule: a move is good if it harvests seeds or reduces the [remainder](cdg::remainder).
    pub fn of_move(before: Row, pit: Pit, after: Row) -> Class {
        let number = PITS - pit.index();
        let harvests = usize::from(before[number - 1]) == number + 1;
        let distance = |row: Row| cdg::remainder(&row.map(u32::from)).distance;
        if harvests || distance(after) < distance(before) { Class::Good } else { Class::Bad }
    }
}

mancala::option_words!(Class, "good or bad", { Good: "good", Bad: "bad" });

#[derive(Debug, Clone, PartialEq)]
struct Cluster {
    mean: Vector,
    inverse: Matrix,
}

/// We treat a covariance matrix as singular if its smallest eigenvalue is at most this fraction of the largest.
const MIN_EIGENVALUE_RATIO: f64 = 1e-9;

/// The weight of the identity matrix (scaled to the same trace) in a shrunken covariance matrix.
const SHRINKAGE: f64 = 0.1;

impl Cluster {
    /// Creates a cluster, or returns `None` if there are no rows. If the covariance matrix is singular, it is
    /// [shrunk](SHRINKAGE). If all rows are equal, we use the identity matrix instead, i.e. the Euclidean distance.
    fn of(rows: &[Row]) -> Option<Cluster> {
        let count = (!rows.is_empty()).then_some(rows.len() as f64)?;
        let mean = rows.iter().map(vector).sum::<Vector>() / count;
        let spread = |row| {
            let deviation = vector(row) - mean;
            deviation * deviation.transpose()
        };
        let covariance = rows.iter().map(spread).sum::<Matrix>() / count;
        Some(Cluster { mean, inverse: inverse(covariance) })
    }

    fn distance(&self, row: &Row) -> f64 {
        let deviation = vector(row) - self.mean;
        deviation.dot(&(self.inverse * deviation)).max(0.0).sqrt()
    }
}

fn vector(row: &Row) -> Vector {
    Vector::from_iterator(row.iter().map(|&seeds| f64::from(seeds)))
}

fn inverse(covariance: Matrix) -> Matrix {
    let spread = covariance.trace() / PITS as f64;
    if spread <= 0.0 {
        return Matrix::identity();
    }
    let eigenvalues = covariance.symmetric_eigenvalues();
    let is_singular = eigenvalues.min() <= MIN_EIGENVALUE_RATIO * eigenvalues.max();
    let share = if is_singular { SHRINKAGE } else { 0.0 };
    let shrunken = covariance * (1.0 - share) + Matrix::identity() * (share * spread);
    let factors = Cholesky::new(shrunken).expect("eigenvalues above 0");
    factors.inverse()
}

/// The two classes, each of which has at least one row.
#[derive(Debug, Clone, PartialEq)]
pub struct Classes {
    good: Cluster,
    bad: Cluster,
}

/// The distance from a row to each of the two classes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearness {
    /// The Mahalanobis distance to the good rows, which is called D_g.
    pub good: f64,
    /// The Mahalanobis distance to the bad rows, which is called D_b.
    pub bad: f64,
}

impl Nearness {
    /// Returns D = D_b / (D_b + D_g), which is 1 at the mean of the good rows and 0 at the mean of the bad rows.
    pub fn d(self) -> f64 {
        let both = self.bad + self.good;
        if both > 0.0 { self.bad / both } else { 0.5 }
    }
}

impl Classes {
    /// Creates the classes from their rows, or returns `None` if either class is empty.
    pub fn new(good: &[Row], bad: &[Row]) -> Option<Classes> {
        Some(Classes { good: Cluster::of(good)?, bad: Cluster::of(bad)? })
    }

    pub fn nearness(&self, row: &Row) -> Nearness {
        Nearness { good: self.good.distance(row), bad: self.bad.distance(row) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::laws::prelude::*;

    fn class(before: Row, pit: u8, after: Row) -> Class {
        Class::of_move(before, Pit::new(pit).unwrap(), after)
    }

    #[test]
    fn harvests_and_smaller_remainders_are_good() {
        // Pit 3 (D) has four seeds, exactly as many as a harvest needs.
        assert_eq!(class([0, 0, 4, 0, 0, 0], 3, [1, 1, 0, 0, 0, 0]), Class::Good);
        // Pit 1 (F) has one seed, which is the whole remainder. Sowing it into the opponent's row leaves none.
        assert_eq!(class([1, 0, 0, 0, 0, 0], 5, [0, 0, 0, 0, 0, 0]), Class::Good);
        // One seed moves from pit 2 to pit 1, so the remainder is unchanged.
        assert_eq!(class([0, 1, 0, 0, 0, 0], 4, [1, 0, 0, 0, 0, 0]), Class::Bad);
    }

    #[test]
    fn distances_agree_with_those_computed_by_hand() {
        // Pit 1 has 1 or 3 seeds and pit 2 has 0 or 4, in all four combinations. The other pits are always empty. The
        // covariance matrix is diag(1, 4, 0, …), which is singular, with a mean variance of 5/6.
        let rows = [[1, 0], [3, 0], [1, 4], [3, 4]].map(|[a, b]| [a, b, 0, 0, 0, 0]);
        let cluster = Cluster::of(&rows).unwrap();
        let [first, second] = [0.9 * 1.0 + 0.1 * 5.0 / 6.0, 0.9 * 4.0 + 0.1 * 5.0 / 6.0];
        let expected = (4.0f64 / first + 9.0 / second).sqrt();
        assert!((cluster.distance(&[4, 5, 0, 0, 0, 0]) - expected).abs() < 1e-12);
        let expected = (1.0f64 / (0.1 * 5.0 / 6.0)).sqrt();
        assert!((cluster.distance(&[2, 2, 1, 0, 0, 0]) - expected).abs() < 1e-12);
        // The mean itself has distance 0.
        assert_eq!(cluster.distance(&[2, 2, 0, 0, 0, 0]), 0.0);
        // With a single row, the distance is Euclidean.
        let single = Cluster::of(&[[1; PITS]]).unwrap();
        assert!((single.distance(&[1, 4, 5, 1, 1, 1]) - 5.0).abs() < 1e-12);
    }

    #[test]
    fn a_regular_covariance_is_not_shrunken() {
        // Each of the 12 rows deviates from the mean by ±1 in one pit, so the covariance is a sixth of the identity.
        let rows: Vec<Row> = (0..PITS)
            .flat_map(|pit| {
                [1, 3].map(|seeds| std::array::from_fn(|i| if i == pit { seeds } else { 2 }))
            })
            .collect();
        let distance = Cluster::of(&rows).unwrap().distance(&[2, 2, 2, 2, 2, 5]);
        assert!((distance - 54.0f64.sqrt()).abs() < 1e-12);
    }

    laws! {
        #[test]
        fn exchanged_classes_exchange_d(
            good in proptest::collection::vec(any::<[u8; PITS]>(), 1..20),
            bad in proptest::collection::vec(any::<[u8; PITS]>(), 1..20),
            row: [u8; PITS],
        ) {
            let (one, other) = (Classes::new(&good, &bad).unwrap(), Classes::new(&bad, &good).unwrap());
            let (d, reversed) = (one.nearness(&row).d(), other.nearness(&row).d());
            prop_assert!((0.0..=1.0).contains(&d));
            prop_assert!((d + reversed - 1.0).abs() < 1e-12);
        }
    }
}
