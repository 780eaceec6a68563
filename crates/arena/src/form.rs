//! The pairings of a contest.

use serde::{Deserialize, Serialize};

/// Which players play each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Two players.
    Match,
    /// Every two players.
    #[serde(rename = "tournament")]
    RoundRobin,
    /// The first player against each of the others.
    Gauntlet,
}

impl Form {
    /// Its name in files of games.
    pub fn name(self) -> &'static str {
        match self {
            Form::Match => "match",
            Form::RoundRobin => "tournament",
            Form::Gauntlet => "gauntlet",
        }
    }

    /// Indices of the first and the second player of each pairing.
    pub fn pairings(self, players: usize) -> Vec<[usize; 2]> {
        let firsts = if self == Form::RoundRobin { players } else { 1 };
        (0..firsts).flat_map(|a| (a + 1..players).map(move |b| [a, b])).collect()
    }
}
