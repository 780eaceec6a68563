//! Games between evaluators, played from random openings.

use std::ops::RangeInclusive;

use arena::{
    Batch, BatchPlayer, Games, Outcome, PairScore, ScheduledGame, Sprt, balanced_openings,
};
use mancala::game::{AnyGame, Game, Side, with_game};
use mancala::progress::Progress;
use rand::Rng;

use crate::optimise::WorkError;

/// The number of random plies in the openings of training games.
pub(crate) const TRAINING_PLIES: RangeInclusive<u32> = 5..=12;
/// The number of random plies in the openings of games that are played to compare champions.
pub(crate) const MATCH_PLIES: RangeInclusive<u32> = 6..=12;

/// Draws `count` balanced random openings. Returns fewer if too few exist, or if nearly all games end too early.
pub(crate) fn random_openings(
    game: AnyGame,
    count: usize,
    plies: RangeInclusive<u32>,
    mut rng: impl Rng,
) -> Vec<String> {
    with_game!(game, game => {
        balanced_openings(game, count, plies, &mut rng).iter().map(ToString::to_string).collect()
    })
}

/// Like [`random_openings`], but falls back to the start position if it finds no balanced openings.
pub(crate) fn openings_or_start(
    game: AnyGame,
    count: usize,
    plies: RangeInclusive<u32>,
    rng: impl Rng,
) -> Vec<String> {
    let mut openings = random_openings(game, count, plies, rng);
    if openings.is_empty() {
        openings.push(with_game!(game, game => game.start(Side::South).to_string()));
    }
    openings
}

/// Schedules a pair of games with swapped sides for each pairing and opening. All openings must belong to `game`.
pub(crate) fn pairs(
    game: AnyGame,
    players: Vec<BatchPlayer>,
    pairings: &[[u32; 2]],
    openings: Vec<String>,
) -> Batch {
    let schedule = ScheduledGame::all(pairings, openings.len() as u32);
    Batch::new(game, players, openings, schedule).expect("players and openings fit the game")
}

/// A backend that plays games, and an observer of its progress.
#[derive(Clone, Copy)]
pub struct GameRunner<'a> {
    pub games: &'a dyn Games,
    pub progress: &'a dyn Progress,
}

impl GameRunner<'_> {
    /// Plays all games in a batch. Returns an error if a game can't be played or if we are stopped early.
    pub(crate) fn play(&self, batch: &Batch) -> Result<Vec<Outcome>, WorkError> {
        let outcomes = self.games.play(batch, self.progress).map_err(|error| {
            let is_spec = |player: &BatchPlayer| matches!(player, BatchPlayer::Spec { .. });
            let advice = match batch.players.iter().any(is_spec) {
                true => "; check files and programs in run.toml, or start a branch without them",
                false => "",
            };
            WorkError::failed("play against", "the opponents", format!("{error}{advice}"))
        })?;
        if outcomes.len() < batch.schedule.len() {
            return Err(WorkError::Stopped);
        }
        Ok(outcomes)
    }
}

/// The number of openings to play between evaluations of the sequential test.
const ROUND: usize = 50;

/// Plays `openings` in rounds until the sequential test reaches a decision or no openings are left. For each round, we
/// call `play` with its openings and with the index of the first one in `openings`.
pub(crate) fn play_until_decided(
    test: Sprt,
    openings: &[String],
    mut play: impl FnMut(Vec<String>, usize) -> Result<Vec<Outcome>, WorkError>,
) -> Result<Vec<PairScore>, WorkError> {
    let mut scores = Vec::new();
    for round in openings.chunks(ROUND) {
        scores.extend(PairScore::of_pairs(&play(round.to_vec(), scores.len())?));
        if test.first_crossing(scores.iter().copied()).is_final() {
            break;
        }
    }
    Ok(scores)
}
