//! Figures of the report that repeat, count or add up its tables.

use mancala::eval::kansas::Heuristics;

/// A share that section C prints again and otherwise.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Repeated {
    pub(super) heuristics: Heuristics,
    pub(super) win: f64,
}

fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.skip(1).map(|line| line.split(',').collect())
}

fn chosen(text: &str) -> Heuristics {
    text.parse().expect("six digits")
}

fn number(text: &str) -> f64 {
    text.parse().expect("a number")
}

pub(super) fn repeated() -> Vec<Repeated> {
    let rows = rows(include_str!("printed/repeated.csv"));
    rows.map(|row| Repeated { heuristics: chosen(row[0]), win: number(row[2]) }).collect()
}

/// Section C, figure 10: wins, wins moving first and second, ties, games not lost.
pub fn figure_10() -> Vec<(Heuristics, [f64; 5])> {
    let rows = rows(include_str!("printed/figure10.csv"));
    rows.map(|row| (chosen(row[0]), std::array::from_fn(|at| number(row[1 + at])))).collect()
}

/// Section B, figure 12: captures and go-agains a move.
pub(super) fn printed_sums() -> Vec<(Heuristics, f64)> {
    rows(include_str!("printed/figure12.csv")).map(|row| (chosen(row[0]), number(row[1]))).collect()
}

/// Section B, figure 1: combinations with each heuristic that won at least this share.
pub fn counted(least: f64) -> [usize; 6] {
    let mut counts = [0; 6];
    for row in rows(include_str!("printed/figure1.csv")).filter(|row| number(row[6]) >= least) {
        for (count, cell) in counts.iter_mut().zip(row) {
            *count += number(cell) as usize;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::kansas::printed_random;

    #[test]
    fn figure_12_is_the_sum_of_figures_8_and_10() {
        for (row, (heuristics, both)) in printed_random().iter().zip(printed_sums()) {
            assert_eq!(row.heuristics, heuristics);
            assert!((row.per_move[1] + row.per_move[2] - both).abs() < 1e-8, "{heuristics}");
        }
    }

    /// Half of the 64 combinations have each heuristic.
    #[test]
    fn figure_1_counts_every_combination() {
        assert_eq!(counted(0.0), [32; 6]);
    }
}
