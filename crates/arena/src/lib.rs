//! Players of mancala games, matches between them, and strength statistics.
//!
//! Results don't depend on the number of threads, because games that are played in parallel are put back in order
//! before they are used. This crate never prints anything. The [`player`] module contains the kinds of players, their
//! specifications and the engine protocol. The items at the crate root play games and rate players.

#![cfg_attr(
    not(test),
    warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)
)]

mod accuracy;
mod adjudication;
mod annotation;
pub mod as_text;
mod batch;
mod coevolution;
mod contest;
pub mod exchange;
mod forecast;
mod game;
mod games;
mod games_file;
mod openings;
pub mod os;
mod parallel;
mod pentanomial;
pub mod player;
mod player_pool;
mod rating;
mod regression;
mod saved_games;
mod sprt;
mod statistics;
#[cfg(test)]
mod testing;

pub use accuracy::{Accuracy, Losses, Sample, Sampling, accuracy_of_moves};
pub use adjudication::{Adjudicated, AdjudicatedBy, Adjudication, ScoreRule};
pub use annotation::{Annotation, Scores, Summary, annotate};
pub use batch::{Batch, BatchPlayer, FeatureWeights, ScheduledGame};
pub use coevolution::{
    Cycling, Decline, Diagnosis, Disengagement, Forgetting, Lineage, Progress, Score, Share,
    Verdict,
};
pub use contest::{Contest, ContestGame, FollowContest, Form, Tally, distinct_games, total_cost};
pub use forecast::{Forecast, forecast};
pub use game::{End, FinishedGame, GameResult, MoveCost, Outcome, play_game};
pub use games::{CachedPlayer, Games, LocalGames, MoveCache};
pub use games_file::{GamesFile, Heading, HeadingError, SavedGame, SavedPlayer, heading_of_play};
pub use openings::{Suite, balanced_openings, measured_openings, opening_lines, read_opening};
pub use parallel::{gather, gather_all};
pub use pentanomial::{Estimate, PairScore, Pentanomial};
pub use player_pool::PlayerPool;
pub use rating::{Crosstable, Rating, Ratings, Triple};
pub use saved_games::{LineError, PairingResult, SavedGames};
pub use sprt::{Decision, Judgement, Sprt};
pub use statistics::{QUANTILE_975, elo_of_score, score_of_elo, wilson};
