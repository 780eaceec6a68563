//! Games between evaluators, played from random openings.

use std::ops::RangeInclusive;

use arena::{Batch, BatchPlayer, Outcome, PairScore, ScheduledGame, Sprt, balanced_openings};
use mancala::game::{AnyGame, Game, Side, with_game};
use rand::Rng;

/// Number of random plies in the openings of training games.
pub(crate) const TRAINING_PLIES: RangeInclusive<u32> = 5..=12;
/// Number of random plies in the openings of games that compare champions.
pub(crate) const MATCH_PLIES: RangeInclusive<u32> = 6..=12;

/// Draws balanced openings. Returns fewer than `count` if nearly all games end before the opening does.
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

/// Draws balanced openings. If there are no balanced openings, returns the start position.
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

/// Schedules both games of each pairing from each opening, all of which must be of the game.
pub(crate) fn pairs(
    game: AnyGame,
    players: Vec<BatchPlayer>,
    pairings: &[[u32; 2]],
    openings: Vec<String>,
) -> Batch {
    let schedule = ScheduledGame::all(pairings, openings.len() as u32);
    Batch::new(game, players, openings, schedule).expect("players and openings of the game")
}

/// Number of openings that are played before a sequential test is judged again.
const ROUND: usize = 50;

/// Returns the scores of the pairs from these openings, played in rounds until a sequential test is decided. `play` gets
/// the openings of a round and the number of earlier ones, and returns `None` if it was stopped.
pub(crate) fn play_until_decided(
    test: Sprt,
    openings: &[String],
    mut play: impl FnMut(Vec<String>, usize) -> Option<Vec<Outcome>>,
) -> Option<Vec<PairScore>> {
    let mut scores = Vec::new();
    for round in openings.chunks(ROUND) {
        scores.extend(PairScore::of_pairs(&play(round.to_vec(), scores.len())?));
        if test.first_crossing(scores.iter().copied()).is_final() {
            break;
        }
    }
    Some(scores)
}
