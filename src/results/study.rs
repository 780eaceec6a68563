//! The results of published studies done again.

use serde::Serialize;

/// The player of the AMDF paper.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "amdf")]
pub struct AmdfStudy {
    /// The matches of the paper.
    pub matches: Vec<Answer>,
    /// What the paper leaves open.
    pub questions: Vec<Answer>,
}

/// The RBH player of Akinyemi's thesis.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "rbh")]
pub struct RbhStudy {
    /// The games of table 5.1.
    pub levels: Vec<LevelResult>,
    /// The three metrics against each other.
    pub metrics: Vec<Answer>,
    /// What the thesis leaves open.
    pub questions: Vec<Answer>,
}

/// What two players that met say to a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The question.
    pub question: String,
    /// The specifications of the players. The figures are the first one's.
    pub players: [String; 2],
    /// Games played.
    pub games: u64,
    /// Points a game.
    pub score: f64,
    /// The 95 % interval of that.
    pub score_ci95: (f64, f64),
    /// The Elo difference.
    pub elo: f64,
    /// The 95 % interval of that.
    pub elo_ci95: (f64, f64),
    /// Seeds a game of each player.
    pub seeds: [f64; 2],
}

/// A game against a level beside the one that the thesis printed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelResult {
    /// The level's name.
    pub level: String,
    /// The game's number at the level, from 1.
    pub tournament: usize,
    /// Moves of the player that began.
    pub moves: usize,
    /// Seeds of the player and of the level in the end.
    pub seeds: [u16; 2],
    /// Positions that the player and the level looked at for a move.
    pub positions_per_move: [f64; 2],
    /// What the thesis printed.
    pub printed: PrintedGame,
}

/// A game as a publication printed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PrintedGame {
    /// Moves of the player that began.
    pub moves: u32,
    /// Seeds of the player and of its opponent in the end.
    pub seeds: [u32; 2],
}

/// The players of Kalah that the Kansas report combines.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "kansas")]
pub struct KansasStudy {
    /// Games of each combination against the random player.
    pub games: u32,
    /// Plies that combinations looked ahead against it.
    pub lookahead: u32,
    /// The seed of the random player.
    pub seed: u64,
    /// The table of the round robin.
    pub round_robin: Reproduced,
    /// The table of look-ahead.
    pub look_ahead: Reproduced,
    /// How far the games against the random player agree, by the names of the figures.
    #[serde(serialize_with = "super::as_map")]
    pub random: Vec<(String, FigureAgreement)>,
}

/// How many rows of a table come out as printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reproduced {
    /// All rows.
    pub rows: usize,
    /// Rows that are as printed.
    pub as_printed: usize,
}

/// How far a figure of all combinations agrees with the printed one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FigureAgreement {
    /// Combinations with a printed figure.
    pub rows: usize,
    /// Spearman's rank correlation, unless either figure is the same in all rows.
    pub rank_correlation: Option<f64>,
    /// Combinations whose printed figure lies in the 95 % interval of ours.
    pub within: usize,
    /// Combinations whose figures differ by more than chance explains.
    pub beyond: Vec<String>,
}
