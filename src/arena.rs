//! Games, matches and what they say about strength.
//!
//! Architecture invariant: nothing here prints, and no result depends on the number of threads: what
//! ran at the same time is put in order before anybody looks at it.

mod contest;
mod game;
mod games_file;
mod openings;
mod team;

pub use contest::{Contest, Finished, Followed, distinct_games};
pub use game::{Effort, End, Played, play_game};
pub use games_file::{GamesFile, GamesFileError};
pub use openings::{Openings, OpeningsError, Suite};
pub use team::Team;
