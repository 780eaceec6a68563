//! What tells engines apart that would not play a batch alike.

use std::sync::OnceLock;

use super::batch::{BATCH_VERSION, Batch, BatchError, Contender, Meeting};
use super::games::Games;
use super::local::LocalGames;
use crate::player::{PANEL_SIZE, PlayableGame};
use mancala::eval::{Quiescence, Weights};
use mancala::game::{AnyGame, Game, Side, with_game};
use mancala::search::{Options, Ties};

/// What computes outcomes here, in a line: the versions of the package and of batches, and a checksum of
/// what a small batch of each game came to when this process played it. Places of the same fingerprint
/// can share the games of a run.
///
/// ```
/// assert!(evolution::arena::fingerprint().starts_with("ayo "));
/// ```
pub fn fingerprint() -> &'static str {
    static FINGERPRINT: OnceLock<String> = OnceLock::new();
    FINGERPRINT.get_or_init(|| {
        let mut hasher = crc32fast::Hasher::new();
        for game in [AnyGame::default(), "kalah".parse().expect("a game")] {
            let batch = sample(game).expect("players of the game");
            for outcome in LocalGames::new().outcomes(&batch, &()).into_iter().flatten() {
                hasher.update(format!("{:?}", outcome.game()).as_bytes());
            }
        }
        let (version, checksum) = (env!("CARGO_PKG_VERSION"), hasher.finalize());
        format!("ayo {version} batch {BATCH_VERSION} games {checksum:08x}")
    })
}

/// The batch that a fingerprint is taken of: the weights of the panel against each other, to an odd and
/// an even depth and by different options, from the start with either side to move.
fn sample(game: AnyGame) -> Result<Batch, BatchError> {
    fn panel<G: PlayableGame>(_: G) -> [(&'static str, u32); PANEL_SIZE] {
        G::PANEL
    }
    let player = |(place, (name, _)): (usize, (&str, u32))| {
        let weights = Weights::named(name).expect("a named evaluator");
        let options = match place % 2 {
            0 => Options::OF_2004,
            _ => {
                Options { quiescence: Quiescence::Captures, ties: Ties::Hash, ..Options::default() }
            }
        };
        Contender::to_depth(&weights, 3 + place as u32 % 2, options)
    };
    let players = with_game!(game, game => panel(game)).into_iter().enumerate().map(player);
    let start = |side| with_game!(game, game => game.start(side).to_string());
    let meetings = [Meeting::pair(0, 3, 0), Meeting::pair(1, 2, 1), Meeting::pair(2, 3, 0)];
    Batch::new(game, players.collect(), Side::BOTH.map(start).into(), meetings.concat())
}

#[cfg(test)]
mod tests;
