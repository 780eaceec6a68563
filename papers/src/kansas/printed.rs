//! The printed figures of the report.

use mancala::eval::kansas::Heuristics;

use super::against_random::Figure;

/// Games of each combination against the random player in the report; each side begins 400.
pub const PRINTED_GAMES: u32 = 800;

/// A row of the look-ahead table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrintedLookAhead {
    /// The heuristic of both sides.
    pub heuristics: Heuristics,
    /// Search depth of each.
    pub plies: [u32; 2],
    /// The share of games won by each.
    pub wins: [f64; 2],
}

/// A combination against the random player, over [`PRINTED_GAMES`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrintedRandom {
    pub heuristics: Heuristics,
    /// The share of games won: of all, moving first and moving second, where it is printed.
    pub wins: [Option<f64>; 3],
    /// Stones per game, where they are printed.
    pub stones: Option<f64>,
    /// Stones, captures and go-agains per move.
    pub per_move: [f64; 3],
}

/// The means of a combination in the round robin, which are printed for some rows only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrintedAverages {
    pub heuristics: Heuristics,
    /// The figures in the order of [`PRINTED_AVERAGES`].
    pub figures: [f64; 8],
}

/// The figures of [`PrintedAverages`].
pub const PRINTED_AVERAGES: [Figure; 8] = [
    Figure::WinSecond,
    Figure::Stones,
    Figure::Margin,
    Figure::WinMargin,
    Figure::LossMargin,
    Figure::Captures,
    Figure::GoAgains,
    Figure::Moves,
];

/// Share of games won by each of the 63 combinations in the round robin (section IV C, figure 2).
pub fn printed_round_robin() -> Vec<(Heuristics, f64)> {
    let rows = rows(include_str!("../../data/printed/kansas/round_robin.csv"));
    rows.map(|row| (heuristics(row[0]), number(row[1]))).collect()
}

/// The columns of figure 1 of section IV C, which has only some combinations.
pub fn printed_averages() -> Vec<PrintedAverages> {
    let rows = rows(include_str!("../../data/printed/kansas/averages.csv"));
    let figures = |row: Vec<&str>| std::array::from_fn(|at| number(row[1 + at]));
    rows.map(|row| PrintedAverages { heuristics: heuristics(row[0]), figures: figures(row) })
        .collect()
}

/// The look-ahead table (section IV F).
pub fn printed_look_ahead() -> Vec<PrintedLookAhead> {
    let rows = rows(include_str!("../../data/printed/kansas/lookahead.csv"));
    let row = |row: Vec<&str>| PrintedLookAhead {
        heuristics: Heuristics::all().find(|it| it.names() == row[0]).expect("a heuristic"),
        plies: [row[1], row[2]].map(|plies| plies.parse().expect("plies")),
        wins: [row[3], row[4]].map(number),
    };
    rows.map(row).collect()
}

/// The 64 combinations against the random player (section IV B, D and E).
pub fn printed_random() -> Vec<PrintedRandom> {
    let rows = rows(include_str!("../../data/printed/kansas/random.csv"));
    let row = |row: Vec<&str>| PrintedRandom {
        heuristics: heuristics(row[0]),
        wins: [row[1], row[2], row[3]].map(optional),
        stones: optional(row[4]),
        per_move: [row[5], row[6], row[7]].map(number),
    };
    rows.map(row).collect()
}

/// Shares that figures 3 to 9 of section C print differently from figure 2.
pub fn repeated() -> Vec<(Heuristics, f64)> {
    let rows = rows(include_str!("../../data/printed/kansas/repeated.csv"));
    rows.map(|row| (heuristics(row[0]), number(row[2]))).collect()
}

/// Section C, figure 10: wins, wins moving first and second, ties, games not lost.
pub fn figure_10() -> Vec<(Heuristics, [f64; 5])> {
    let rows = rows(include_str!("../../data/printed/kansas/figure10.csv"));
    rows.map(|row| (heuristics(row[0]), std::array::from_fn(|at| number(row[1 + at])))).collect()
}

/// Section B, figure 12: captures and go-agains per move.
pub fn printed_sums() -> Vec<(Heuristics, f64)> {
    rows(include_str!("../../data/printed/kansas/figure12.csv"))
        .map(|row| (heuristics(row[0]), number(row[1])))
        .collect()
}

/// Section B, figure 1: combinations with each heuristic that won at least this share.
pub fn counted(least: f64) -> [usize; 6] {
    let mut counts = [0; 6];
    for row in rows(include_str!("../../data/printed/kansas/figure1.csv"))
        .filter(|row| number(row[6]) >= least)
    {
        for (count, cell) in counts.iter_mut().zip(row) {
            *count += number(cell) as usize;
        }
    }
    counts
}

/// The rows of a table, without comments and header.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.skip(1).map(|line| line.split(',').collect())
}

fn heuristics(text: &str) -> Heuristics {
    text.parse().expect("six digits")
}

/// `None` for an empty cell.
fn optional(text: &str) -> Option<f64> {
    (!text.is_empty()).then(|| number(text))
}

fn number(text: &str) -> f64 {
    text.parse().expect("a number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_complete() {
        let order: Vec<Heuristics> = Heuristics::all().collect();
        let round_robin: Vec<Heuristics> = printed_round_robin().iter().map(|row| row.0).collect();
        let random: Vec<Heuristics> = printed_random().iter().map(|row| row.heuristics).collect();
        assert_eq!((&round_robin[..], &random[..]), (&order[1..], &order[..]));
        assert_eq!(printed_look_ahead().len(), 27);
        assert!(!printed_averages().is_empty());
    }

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
