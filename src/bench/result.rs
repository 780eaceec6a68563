//! The result of a bench.

use serde::Serialize;

/// How fast everything is, and the signature that says that its choices are still the same.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "bench")]
pub struct Bench {
    /// The version of the program.
    pub version: String,
    /// Threads that games and training had.
    pub threads: usize,
    /// Positions that were searched.
    pub positions: usize,
    /// The weights that searches went by.
    pub weights: String,
    /// A shallow and a deep one.
    pub signature: [Signature; 2],
    /// A shallow and a deep one.
    pub searches: [SearchSpeed; 2],
    /// The engine's search of the start.
    pub engine: EngineSpeed,
    /// Enumeration of lines of play.
    pub perft: PerftSpeed,
    /// Games.
    pub games: GameSpeed,
    /// Training.
    pub training: TrainingSpeed,
    /// The game, unless it is ayo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
}

/// How often something was done, and how fast.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Speed {
    /// How often.
    pub count: u64,
    /// The time that it took.
    pub seconds: f64,
    /// How often in a second.
    pub per_second: f64,
}

/// What searches to a depth chose.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Signature {
    /// Plies.
    pub depth: u32,
    /// Positions that the searches entered.
    pub nodes: u64,
    /// Eight hexadecimal digits of the moves and scores.
    pub checksum: String,
}

/// The search beside its baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchSpeed {
    /// Plies.
    pub depth: u32,
    /// Positions that the search entered.
    pub nodes: Speed,
    /// Positions that the baseline entered.
    pub baseline_nodes: Speed,
    /// How many times longer the baseline takes.
    pub gain: f64,
}

/// How fast an engine searches for long, on one core.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineSpeed {
    /// What it found. Another version may find something else.
    pub signature: Signature,
    /// Positions that it entered.
    pub nodes: Speed,
}

/// How fast lines of play are enumerated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PerftSpeed {
    /// Plies.
    pub depth: u32,
    /// The ends of the lines.
    pub leaves: Speed,
}

/// How fast games are played.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GameSpeed {
    /// Plies that both players searched.
    pub depth: u32,
    /// The games.
    pub games: Speed,
    /// Positions that the players entered.
    pub nodes: u64,
}

/// How fast a run trains.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrainingSpeed {
    /// The generations.
    pub generations: Speed,
    /// Games that they took.
    pub games: u64,
    /// Positions that the players of the games entered.
    pub nodes: u64,
}
