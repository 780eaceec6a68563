//! How far the games against the random player are those of the report.

use super::against_random::AgainstRandom;
use super::figure::Figure;
use super::printed::{PRINTED_GAMES, printed_random};
use super::statistics::{Measure, rank_correlation};
use crate::results::FigureAgreement;
use mancala::eval::kansas::Heuristics;

/// A figure of all combinations for which it is printed.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreement {
    /// The figure.
    pub figure: Figure,
    /// Combinations for which it is printed.
    pub rows: usize,
    /// Spearman's rank correlation of ours with the printed ones; `None` if either are all the same.
    pub correlation: Option<f64>,
    /// Combinations whose printed figure lies in the 95 % interval of ours. It comes of chance itself, so
    /// that with as many games as the report's about 83 of 100 are to be expected.
    pub within: usize,
    /// Combinations that differ by more than 95 % of the differences between two such samples do: 5 of 100
    /// are to be expected, fewer where shares are near 0 or 1.
    pub beyond: Vec<Heuristics>,
}

impl From<&Agreement> for FigureAgreement {
    fn from(it: &Agreement) -> FigureAgreement {
        FigureAgreement {
            rows: it.rows,
            rank_correlation: it.correlation,
            within: it.within,
            beyond: it.beyond.iter().map(|row| row.to_string()).collect(),
        }
    }
}

/// Each figure that the report prints, over the combinations for which it does.
pub fn agreement(fared: &[AgainstRandom]) -> Vec<Agreement> {
    Figure::ALL.into_iter().filter(|it| it.is_printed()).map(|it| of(it, fared)).collect()
}

fn of(figure: Figure, fared: &[AgainstRandom]) -> Agreement {
    let rows: Vec<(&AgainstRandom, Measure, f64)> = fared
        .iter()
        .zip(printed_random())
        .filter_map(|(ours, printed)| Some((ours, ours.measure(figure), printed.figure(figure)?)))
        .collect();
    let pairs: Vec<(f64, f64)> = rows.iter().map(|row| (row.1.value(), row.2)).collect();
    let lies_within = |(_, ours, printed): &&(_, Measure, f64)| {
        let [low, high] = ours.interval();
        (low..=high).contains(printed)
    };
    let is_beyond = |(fared, ours, printed): &(&AgainstRandom, Measure, f64)| {
        let size = f64::from(PRINTED_GAMES) / fared.games() as f64;
        (!ours.agrees_with(*printed, size)).then_some(fared.heuristics)
    };
    Agreement {
        figure,
        rows: rows.len(),
        correlation: rank_correlation(&pairs),
        within: rows.iter().filter(lies_within).count(),
        beyond: rows.iter().filter_map(is_beyond).collect(),
    }
}
