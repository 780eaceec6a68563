//! Matches and tournaments: `ayo match`, `ayo tournament`, `ayo openings`, and the files of their games.

pub mod contest;
pub(crate) mod old_games;
pub mod openings;
mod options;
pub mod saved;
pub(crate) mod tournament;
pub(crate) mod two_players;

pub use self::tournament::Tournament;
pub use self::two_players::Match;

use crate::terms::Terms;

/// The line of a picture that describes the games.
fn notes(games: u64, openings: &str, terms: &Terms, interrupted: bool) -> String {
    let so_far = if interrupted { " so far" } else { "" };
    format!("{games} games{so_far} · openings {openings} · {terms}")
}
