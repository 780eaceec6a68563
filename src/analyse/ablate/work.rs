//! What each feature of an evaluator is worth, by games without it.

use arena::player::PlayableGame;
use arena::{LocalGames, Openings};
use mancala::eval::Weights;
use mancala::progress::Progress;
use mancala::search::Options;

use crate::analyse::ablate::result::{Ablation, FeatureWorth};
use crate::app::openings::{OpeningsChoice, OpeningsChoiceError};
use crate::results::Terms;
use evolve::run::ablate;

/// An ablation that can be played.
pub struct Setup<G: PlayableGame> {
    weights: Weights,
    game: G,
    depth: u32,
    openings: Openings<G::Position>,
    /// The openings in words.
    described: String,
}

impl<G: PlayableGame> Setup<G> {
    /// An ablation of weights of this game, both sides searched `depth` plies.
    ///
    /// # Errors
    /// If there are no such openings.
    pub fn new(
        weights: Weights,
        game: G,
        depth: u32,
        openings: &OpeningsChoice,
    ) -> Result<Setup<G>, OpeningsChoiceError> {
        let described = openings.to_string();
        let openings = openings.load(game)?;
        Ok(Setup { weights, game, depth, openings, described })
    }

    /// Games to play: a feature that weighs nothing needs none.
    pub fn games(&self) -> u64 {
        let weighed = self.weights.effective().iter().filter(|weight| **weight != 0).count();
        2 * weighed as u64 * self.openings.positions().len() as u64
    }

    /// Plays the games on the threads of the current rayon pool. `None` if the progress stopped it, which
    /// counts games.
    ///
    /// # Panics
    /// If the weights are of another game.
    pub fn play(&self, progress: &dyn Progress) -> Option<Ablation> {
        let Setup { weights, game, depth, openings, described } = self;
        let found = ablate(
            weights,
            *game,
            (*depth, Options::for_weights(weights)),
            openings,
            &LocalGames::new(),
            progress,
        )?;
        Some(Ablation {
            weights: weights.name.clone(),
            depth: *depth,
            terms: Terms::from((*game).into()),
            openings: described.clone(),
            features: found.iter().map(FeatureWorth::from).collect(),
        })
    }
}
