//! The report's own figures.

use mancala::eval::kansas::Heuristics;

/// Games of each combination against the random player in the report: 400 begun by either.
pub const PRINTED_GAMES: u32 = 800;

/// A row of the look-ahead table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrintedLookAhead {
    /// The heuristic of both sides.
    pub heuristics: Heuristics,
    /// The plies that each looks ahead.
    pub plies: [u32; 2],
    /// The share of games that each wins.
    pub wins: [f64; 2],
}

/// A combination against the random player, over [`PRINTED_GAMES`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrintedRandom {
    /// The combination.
    pub heuristics: Heuristics,
    /// The share of games won, all of them, moving first and moving second, where it is printed.
    pub wins: [Option<f64>; 3],
    /// Stones a game, where they are printed.
    pub stones: Option<f64>,
    /// Stones, captures and go-agains a move.
    pub per_move: [f64; 3],
}

/// A combination of the round robin with the means that only some rows print.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrintedAverages {
    /// The combination.
    pub heuristics: Heuristics,
    /// Share of games won as the second player, then stones, margin, win margin, loss margin,
    /// captures, go-agains and moves a game.
    pub figures: [f64; 8],
}

/// Share of games that each of the 63 combinations wins in the round robin (section IV C, figure 2).
pub fn printed_round_robin() -> Vec<(Heuristics, f64)> {
    let rows = rows(include_str!("printed/round_robin.csv"));
    rows.map(|row| (chosen(row[0]), number(row[1]))).collect()
}

/// The columns that figure 1 of section IV C prints for some combinations.
pub fn printed_averages() -> Vec<PrintedAverages> {
    let rows = rows(include_str!("printed/averages.csv"));
    let figures = |row: Vec<&str>| std::array::from_fn(|at| number(row[1 + at]));
    rows.map(|row| PrintedAverages { heuristics: chosen(row[0]), figures: figures(row) }).collect()
}

/// The look-ahead table (section IV F).
pub fn printed_look_ahead() -> Vec<PrintedLookAhead> {
    let rows = rows(include_str!("printed/lookahead.csv"));
    let row = |row: Vec<&str>| PrintedLookAhead {
        heuristics: Heuristics::all().find(|it| it.names() == row[0]).expect("a heuristic"),
        plies: [row[1], row[2]].map(|plies| plies.parse().expect("plies")),
        wins: [row[3], row[4]].map(number),
    };
    rows.map(row).collect()
}

/// The 64 combinations against the random player (section IV B, D and E).
pub fn printed_random() -> Vec<PrintedRandom> {
    let rows = rows(include_str!("printed/random.csv"));
    let row = |row: Vec<&str>| PrintedRandom {
        heuristics: chosen(row[0]),
        wins: [row[1], row[2], row[3]].map(given),
        stones: given(row[4]),
        per_move: [row[5], row[6], row[7]].map(number),
    };
    rows.map(row).collect()
}

/// The rows of a table of ours, less comments and header.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.skip(1).map(|line| line.split(',').collect())
}

fn chosen(text: &str) -> Heuristics {
    text.parse().expect("six digits")
}

/// Nothing where nothing is printed.
fn given(text: &str) -> Option<f64> {
    (!text.is_empty()).then(|| number(text))
}

fn number(text: &str) -> f64 {
    text.parse().expect("a number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_whole() {
        let order: Vec<Heuristics> = Heuristics::all().collect();
        let round_robin: Vec<Heuristics> = printed_round_robin().iter().map(|row| row.0).collect();
        let random: Vec<Heuristics> = printed_random().iter().map(|row| row.heuristics).collect();
        assert_eq!((&round_robin[..], &random[..]), (&order[1..], &order[..]));
        assert_eq!(printed_look_ahead().len(), 27);
        assert!(!printed_averages().is_empty());
    }
}
