//! Games, matches and what they say about strength.
//!
//! Architecture invariant: nothing here prints, and no result depends on the number of threads: what
//! ran at the same time is put in order before anybody looks at it.

mod crosstable;
mod elo;
mod likelihood;
mod normal;
mod pentanomial;
mod rating;
#[cfg(test)]
mod simulation;
mod sprt;

pub use crosstable::{Crosstable, Triple};
pub use elo::{elo_of_score, score_of_elo};
pub use pentanomial::{Estimate, Outcome, PairScore, Pentanomial};
pub use rating::{Disconnected, Rating, Ratings, Reference};
pub use sprt::{Decision, Judgement, Sprt, SprtError};

use crate::game::{Ending, Game, Record, Settlement};
use crate::player::Player;
use crate::search::Monitor;

pub use contest::{Contest, Finished, Followed, distinct_games};
pub use crosstable::{Crosstable, Triple};
pub use elo::{elo_of_score, score_of_elo};
pub use game::{Effort, End, Played, play_game};
pub use games_file::{GamesFile, GamesFileError};
pub use openings::{Openings, OpeningsError, Suite};
pub use pentanomial::{Estimate, Outcome, PairScore, Pentanomial};
pub use rating::{Disconnected, Rating, Ratings, Reference};
pub use sprt::{Decision, Judgement, Sprt, SprtError};
pub use tally::{Tally, pair_score};
pub use team::Team;
