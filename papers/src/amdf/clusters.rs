//! Equations 7 to 14 of Randle et al., i.e. probabilistic clustering that is adjusted for cluster size (C. Iyigun and
//! A. Ben-Israel 2008). Note that the steps of the paper's algorithm never use q_k or u_k.
//!
//! We split the player's training rows into two clusters and compare these with the player's two classes.

use arena::player::amdf::{Row, Training};
use mancala::game::ayo::{PITS, Rules};
use mancala::progress::Progress;
use nalgebra::{Cholesky, SMatrix, SVector};

use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};

type Vector = SVector<f64, PITS>;
type Matrix = SMatrix<f64, PITS, PITS>;

/// The number of games from which we take the rows, which is also the player's default.
const GAMES: u32 = 100;
const ITERATIONS: u64 = 100;
/// The number that we add to the diagonal of a covariance matrix to make it invertible.
const RIDGE: f64 = 1e-6;

/// Two clusters with their centres, inverse covariances and sizes.
struct Clusters {
    centres: [Vector; 2],
    inverses: [Matrix; 2],
    sizes: [f64; 2],
}

impl Clusters {
    /// Returns the distances from the two centres (equation 12).
    fn distances(&self, x: &Vector) -> [f64; 2] {
        [0, 1].map(|k| {
            let away = x - self.centres[k];
            // Avoid a zero distance if the row coincides with a centre.
            away.dot(&(self.inverses[k] * away)).max(1e-12).sqrt()
        })
    }

    /// Returns the probabilities that a row belongs to the first and to the second cluster (equation 10).
    fn probabilities(&self, x: &Vector) -> [f64; 2] {
        let d = self.distances(x);
        let [a, b] = [d[0] / self.sizes[0], d[1] / self.sizes[1]];
        [b / (a + b), a / (a + b)]
    }

    /// Solves equation 8 for one row, using a ternary search for the first probability.
    fn minimum(&self, x: &Vector) -> f64 {
        let (d, q) = (self.distances(x), self.sizes);
        let cost = |p: f64| d[0] * p * p / q[0] + d[1] * (1.0 - p).powi(2) / q[1];
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..100 {
            let third = (high - low) / 3.0;
            if cost(low + third) < cost(high - third) { high -= third } else { low += third }
        }
        low
    }

    /// Performs one iteration. Computes centres and covariances from u_k = p_k²/d_k (equations 13 and 14), and sizes.
    fn next(&self, rows: &[Vector]) -> Clusters {
        let total = rows.len() as f64;
        let mut sums = [0.0; 2];
        let (mut centres, mut spreads) = ([Vector::zeros(); 2], [Matrix::zeros(); 2]);
        let mut weights = [0.0; 2];
        for x in rows {
            let (d, p) = (self.distances(x), self.probabilities(x));
            for k in 0..2 {
                let u = p[k] * p[k] / d[k];
                weights[k] += u;
                centres[k] += u * x;
                let away = x - self.centres[k];
                spreads[k] += u * away * away.transpose();
                sums[k] += d[k] * p[k] * p[k];
            }
        }
        let roots = sums.map(f64::sqrt);
        Clusters {
            centres: [0, 1].map(|k| centres[k] / weights[k]),
            inverses: [0, 1].map(|k| inverse(spreads[k] / weights[k])),
            sizes: [0, 1].map(|k| total * roots[k] / (roots[0] + roots[1])),
        }
    }
}

fn inverse(covariance: Matrix) -> Matrix {
    let ridged = covariance + RIDGE * Matrix::identity();
    Cholesky::new(ridged).map_or_else(Matrix::identity, |it| it.inverse())
}

fn vector(row: &Row) -> Vector {
    Vector::from_iterator(row.iter().map(|&seeds| f64::from(seeds)))
}

/// Returns initial clusters, centred on the means of the two classes.
fn initial(classes: [&[Vector]; 2]) -> Clusters {
    let all = classes.map(|rows| rows.len() as f64);
    let centres = [0, 1].map(|k| classes[k].iter().sum::<Vector>() / all[k]);
    Clusters { centres, inverses: [Matrix::identity(); 2], sizes: all }
}

pub fn findings(_: &mut Notebook, progress: &dyn Progress) -> Findings {
    let training = Training::of_games(GAMES, Rules::NO_SLAM);
    let [good, bad] =
        [&training.good, &training.bad].map(|rows| rows.iter().map(vector).collect::<Vec<_>>());
    let rows: Vec<Vector> = good.iter().chain(&bad).copied().collect();
    let mut clusters = initial([&good, &bad]);
    for iteration in 0..ITERATIONS {
        if progress.should_stop() {
            return Ok(None);
        }
        clusters = clusters.next(&rows);
        progress.advance(iteration + 1, ITERATIONS);
    }
    // Equation 10 should solve equation 8. We check this by solving equation 8 with a search.
    let off = |x: &Vector| (clusters.probabilities(x)[0] - clusters.minimum(x)).abs();
    let far = rows.iter().map(off).fold(0.0, f64::max);
    let in_first =
        |rows: &[Vector]| rows.iter().filter(|x| clusters.probabilities(x)[0] >= 0.5).count();
    let same = in_first(&good) + bad.len() - in_first(&bad);
    let share = 100.0 * same as f64 / rows.len() as f64;
    let [q1, q2] = clusters.sizes;
    Ok(Some(vec![
        Finding::new(
            "amdf/equations-7-11",
            Verdict::holds_if(far < 1e-6),
            format!("within {far:.0e} of a search for the minimum in {} rows", rows.len()),
        )
        .with_note("equation 7 is the condition of the minimum, so it follows"),
        Finding::new(
            "amdf/equations-12-14",
            Verdict::Open,
            format!("clusters of sizes {q1:.0} and {q2:.0} agree with the classes in {share:.0} % of rows"),
        )
        .with_note(
            "the steps use neither q_k nor u_k; one cluster shrinks, as its covariance vanishes",
        ),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_separate() {
        let near = |at: u8| (0..40u8).map(move |i| [at, i % 3, at + i % 2, 0, i % 5, at / 2]);
        let rows: Vec<Vector> = near(0).chain(near(9)).map(|row| vector(&row)).collect();
        // We assign ten rows to the wrong class.
        let clusters = initial([&rows[..30], &rows[30..]]);
        let first = |x: &Vector| clusters.distances(x)[0] < clusters.distances(x)[1];
        assert!(rows[..40].iter().all(first) && !rows[40..].iter().any(first));
        let clusters = clusters.next(&rows);
        assert!((clusters.sizes.iter().sum::<f64>() - 80.0).abs() < 1e-9);
    }
}
