//! Matches and tournaments: `ayo match`, `ayo tournament`, `ayo openings`, and the files that store the games.

pub(crate) mod contest;
pub(crate) mod old_games;
pub(crate) mod openings;
mod options;
#[cfg(feature = "web")]
pub(crate) mod saved;
pub(crate) mod tournament;
pub(crate) mod two_players;

pub use self::contest::{AdjudicatedGames, AdjudicationResult};
pub use self::tournament::Tournament;
pub use self::two_players::Match;

use mancala::game::AnyGame;

fn notes(games: u64, openings: &str, game: AnyGame, interrupted: bool) -> String {
    let so_far = if interrupted { " so far" } else { "" };
    format!("{games} games{so_far} · openings {openings} · {}", game.terms())
}
