//! The experiment of Randle with the AMDF player (IJCAIT 1(2), 2012), played again, and the question that it
//! leaves open: whether the distances are worth anything.
//!
//! The figures of its table are lost, so that only its words can be compared: ahead of every opponent but the
//! grandmaster of the shareware *Awale*, whose levels ours are not.

mod clusters;
mod findings;

pub(super) use clusters::cluster_findings;
use evolution::player::LEVELS;
pub(super) use findings::{findings, table_findings};

use super::pairing::Pairing;

/// Games of a match of the paper, begun by either side in turn.
pub const GAMES: usize = 10;

/// The matches of the paper: minimax of the same depth, and each level.
pub fn matches(amdf: &str) -> Vec<Pairing> {
    let plain = ("minimax", "rbh:plies=6,bluff=off,cdg=off,refine=off");
    let opponents =
        LEVELS.iter().map(|level| (level.name, level.name)).chain(std::iter::once(plain));
    opponents.map(|(name, spec)| Pairing::new(name, [amdf, spec], GAMES)).collect()
}

/// The questions, each settled by so many games.
pub fn questions(amdf: &str, games: usize) -> Vec<Pairing> {
    let asked = [
        (
            "distances or the lowest of equal moves, as plain minimax",
            [amdf, "rbh:plies=6,bluff=off,cdg=off,refine=off"],
        ),
        ("distances or chance", [amdf, "rbh:plies=6,bluff=off,cdg=off,refine=chance"]),
        ("distances or the refinement of RBH", [amdf, "rbh:plies=6,bluff=off,cdg=off"]),
        ("classes of training rows or of the moves themselves", [amdf, "amdf:training=current"]),
    ];
    asked.map(|(question, players)| Pairing::new(question, players, games)).into()
}
