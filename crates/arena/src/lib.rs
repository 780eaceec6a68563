//! Players of mancala games, games between them, and statistics about strength.
//!
//! Results do not depend on the number of threads: games that run at the same time are put in order before they
//! are used. Nothing here prints. [`player`] has the kinds of players, specification strings and the engine
//! protocol; the items of this level play games and rate the players.

#![cfg_attr(
    not(test),
    warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)
)]

mod accuracy;
mod annotation;
mod batch;
mod contest;
mod crosstable;
mod elo;
mod form;
mod game;
mod game_result;
mod games;
mod games_file;
mod likelihood;
mod local;
mod normal;
mod openings;
pub mod os;
mod outcome;
mod pentanomial;
pub mod player;
mod rating;
mod saved_games;
#[cfg(test)]
mod simulation;
mod sprt;
mod tally;
mod team;

pub use accuracy::{Accuracy, AccuracyError, Answers, Sample, Sampling};
pub use annotation::{Annotation, NoPayoffs, Summary, annotate};
pub use batch::{Batch, BatchError, Contender, Factors, Meeting};
pub use contest::{Contest, Finished, distinct_games};
pub use crosstable::{Crosstable, Triple};
pub use elo::{elo_of_score, score_of_elo};
pub use form::Form;
pub use game::{Effort, End, Played, play_game};
pub use game_result::GameResult;
pub use games::{Follow, Games, GamesError, Seated};
pub use games_file::{
    GamesFile, GamesFileError, Heading, HeadingError, SavedGame, SavedPlayer, heading_of_play,
};
pub use local::{CachedPlayer, LocalGames, MoveCache, gather_all};
pub use normal::{QUANTILE_975, wilson};
pub use openings::{Openings, OpeningsError, Suite, balanced_openings};
pub use openings::{measured_openings, opening_lines, read_opening};
pub use outcome::Outcome;
pub use pentanomial::{Estimate, PairScore, Pentanomial};
pub use rating::{Disconnected, Rating, Ratings, Reference};
pub use saved_games::{LineError, PairingResult, SavedGames};
pub use sprt::{Decision, Judgement, Sprt, SprtError};
pub use tally::{Tally, pair_score};
pub use team::{NoCopy, Team};
