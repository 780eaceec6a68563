//! Pairs of games between searching players, the same opening with sides swapped.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::arena::{GameResult, PairScore, play_game};
use crate::optimise::fitness::Control;
use crate::player::{Minimax, PlayableGame, Player};
use mancala::eval::Weights;
use mancala::game::{Record, Side};

/// The player that searches so many plies with these weights.
pub(crate) fn player<G: PlayableGame>(weights: &Weights, depth: u32) -> Minimax<G> {
    Minimax::to_depth(weights, depth)
}

/// A pair that is to be played.
pub(crate) struct Pair<'a, G: PlayableGame> {
    /// Player A, whose view the score is from.
    pub(crate) a: &'a Minimax<G>,
    /// Player B.
    pub(crate) b: &'a Minimax<G>,
    /// What both games begin from.
    pub(crate) opening: G::Position,
}

/// How much of some larger work is done, for whoever watches it.
pub(crate) struct Counter {
    done: AtomicU64,
    all: u64,
}

impl Counter {
    /// Nothing of so many games.
    pub(crate) fn of(games: u64) -> Counter {
        Counter { done: AtomicU64::new(0), all: games }
    }

    fn pair_played(&self, control: &dyn Control) {
        let done = self.done.fetch_add(2, Ordering::Relaxed) + 2;
        control.games_measured(done, self.all);
    }
}

/// The scores of the pairs, in their order. `None` if `control` stopped a game.
pub(crate) fn play_pairs<G: PlayableGame>(
    game: G,
    pairs: &[Pair<'_, G>],
    progress: &Counter,
    control: &dyn Control,
) -> Option<Vec<PairScore>> {
    let played = |pair: &Pair<'_, G>| {
        let score = pair.play(game, control)?;
        progress.pair_played(control);
        Some(score)
    };
    // One pair a job: their lengths differ too much for larger ones.
    pairs.par_iter().with_max_len(1).map(played).collect()
}

impl<G: PlayableGame> Pair<'_, G> {
    fn play(&self, game: G, control: &dyn Control) -> Option<PairScore> {
        let south = self.outcome(game, Side::South, control)?;
        let north = self.outcome(game, Side::North, control)?;
        Some(PairScore::of([south, north]))
    }

    /// How the game ends for A who plays this side.
    fn outcome(&self, game: G, side: Side, control: &dyn Control) -> Option<GameResult> {
        let (mut a, mut b) = (self.a.clone(), self.b.clone());
        let players: [&mut dyn Player<G>; 2] = match side {
            Side::South => [&mut a, &mut b],
            Side::North => [&mut b, &mut a],
        };
        let mut record = Record::from_position(game, self.opening);
        let played = play_game(&mut record, players, control)?;
        Some(GameResult::of(played.settlement.verdict, side))
    }
}
