//! The figures that are printed in the report.

use mancala::eval::kansas::Heuristics;

use super::against_random::Figure;

/// The number of games per combination against the random player in the report. Each side starts 400 of them.
pub const PRINTED_GAMES: u32 = 800;

/// A row of the look-ahead table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrintedLookAhead {
    /// The heuristic used by both sides.
    pub heuristics: Heuristics,
    /// Each side's search depth.
    pub plies: [u32; 2],
    /// Each side's share of wins.
    pub wins: [f64; 2],
}

/// The results of a combination against the random player, over [`PRINTED_GAMES`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrintedRandom {
    pub heuristics: Heuristics,
    /// The shares of games won (if printed), in all games, when moving first, and when moving second.
    pub wins: [Option<f64>; 3],
    /// The stones per game, if printed.
    pub stones: Option<f64>,
    /// The stones, captures and go-agains per move.
    pub per_move: [f64; 3],
}

/// The means of a combination in the round robin, which are only printed for some rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrintedAverages {
    pub heuristics: Heuristics,
    /// The figures in the order of [`PRINTED_AVERAGES`].
    pub figures: [f64; 8],
}

/// The figures that [`PrintedAverages`] contains.
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

/// Returns the share of wins of each of the 63 combinations in the round robin (section IV C, figure 2).
pub fn printed_round_robin() -> Vec<(Heuristics, f64)> {
    let rows = rows(include_str!("../../data/printed/kansas/round_robin.csv"));
    rows.map(|row| (heuristics(row[0]), number(row[1]))).collect()
}

/// Returns the columns of figure 1 in section IV C, which covers only some combinations.
pub fn printed_averages() -> Vec<PrintedAverages> {
    let rows = rows(include_str!("../../data/printed/kansas/averages.csv"));
    let figures = |row: Vec<&str>| std::array::from_fn(|at| number(row[1 + at]));
    rows.map(|row| PrintedAverages { heuristics: heuristics(row[0]), figures: figures(row) })
        .collect()
}

/// Returns the look-ahead table (section IV F).
pub fn printed_look_ahead() -> Vec<PrintedLookAhead> {
    let rows = rows(include_str!("../../data/printed/kansas/lookahead.csv"));
    let row = |row: Vec<&str>| PrintedLookAhead {
        heuristics: Heuristics::all().find(|it| it.names() == row[0]).expect("a heuristic"),
        plies: [row[1], row[2]].map(|plies| plies.parse().expect("plies")),
        wins: [row[3], row[4]].map(number),
    };
    rows.map(row).collect()
}

/// Returns the results of the 64 combinations against the random player (sections IV B, D and E).
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

/// Returns the shares for which figures 3 to 9 of section C print a different value than figure 2.
pub fn repeated() -> Vec<(Heuristics, f64)> {
    let rows = rows(include_str!("../../data/printed/kansas/repeated.csv"));
    rows.map(|row| (heuristics(row[0]), number(row[2]))).collect()
}

/// Returns figure 10 of section C: the shares of wins, of wins moving first and second, of ties, and of games not lost.
pub fn figure_10() -> Vec<(Heuristics, [f64; 5])> {
    let rows = rows(include_str!("../../data/printed/kansas/figure10.csv"));
    rows.map(|row| (heuristics(row[0]), std::array::from_fn(|at| number(row[1 + at])))).collect()
}

/// Returns figure 12 of section B, which is the sum of captures and go-agains per move.
pub fn printed_sums() -> Vec<(Heuristics, f64)> {
    rows(include_str!("../../data/printed/kansas/figure12.csv"))
        .map(|row| (heuristics(row[0]), number(row[1])))
        .collect()
}

/// Returns how many of the combinations with each heuristic won at least this share of games (section B, figure 1).
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

/// Returns the rows of a table, without comments and the header.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.skip(1).map(|line| line.split(',').collect())
}

fn heuristics(text: &str) -> Heuristics {
    text.parse().expect("six digits")
}

/// Parses a number, or returns `None` for an empty cell.
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

    /// Each heuristic is part of half of the 64 combinations.
    #[test]
    fn figure_1_counts_every_combination() {
        assert_eq!(counted(0.0), [32; 6]);
    }
}
