//! Opponents by name.

use mancala::game::GameKind;

/// An opponent of a known strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// The name, which specifications use too.
    pub name: &'static str,
    /// The specification that the name stands for.
    pub spec: &'static str,
    /// How it plays, in a few words.
    pub about: &'static str,
}

/// The levels of ayo, weakest first. Their names are those of *Awale*, the program that Akinyemi's players met
/// (thesis, 2012, table 5.1). Only the names are the same: that program is no longer available. Each beats the one
/// before it clearly; `docs/players.md` has the games.
pub const LEVELS: [Level; 4] = [
    Level {
        name: "initiation",
        spec: "minimax:weights=seeds,depth=1,slips=50",
        about: "takes what it sees, every other move without looking: for a first game",
    },
    Level {
        name: "beginner",
        spec: "minimax:weights=seeds,depth=2,slips=10",
        about: "sees your reply, and overlooks something now and then",
    },
    Level {
        name: "amateur",
        spec: "minimax:weights=seeds,depth=5",
        about: "counts captures five plies ahead and never slips",
    },
    Level {
        name: "grandmaster",
        spec: "engine:weights=learned,nodes=5000000,book=builtin",
        about: "learned features, as deep as five million positions allow, half a second or so",
    },
];

/// The levels of kalah, weakest first, by the same names and with slips as often.
pub const KALAH_LEVELS: [Level; 4] = [
    Level {
        name: "initiation",
        spec: "minimax:weights=stores,depth=1,slips=50",
        about: "takes what it sees, every other move without looking: for a first game",
    },
    Level {
        name: "beginner",
        spec: "minimax:weights=stores,depth=2,slips=10",
        about: "sees your reply, and overlooks something now and then",
    },
    Level {
        name: "amateur",
        spec: "minimax:weights=stores,depth=5",
        about: "counts the stores five plies ahead and never slips",
    },
    Level {
        name: "grandmaster",
        spec: "engine:weights=h1+h2+h3+h4+h5,nodes=5000000",
        about: "counts stores and the pits at either end, as deep as five million positions allow",
    },
];

/// The levels of a game, weakest first.
pub fn levels(game: GameKind) -> &'static [Level] {
    match game {
        GameKind::Ayo => &LEVELS,
        GameKind::Kalah => &KALAH_LEVELS,
    }
}

/// The level of ayo of this name.
pub fn level(name: &str) -> Option<&'static Level> {
    level_of(GameKind::Ayo, name)
}

/// The level of a game of this name.
pub fn level_of(game: GameKind, name: &str) -> Option<&'static Level> {
    levels(game).iter().find(|level| level.name == name)
}
