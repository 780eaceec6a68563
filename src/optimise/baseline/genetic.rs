//! The genetic algorithm as one optimiser among others.

use super::{Optimiser, Spent};
use crate::optimise::fitness::Control;
use crate::optimise::genetic::breeding::first_population;
use crate::run::trainer::{Trainer, champion};
use mancala::eval::Weights;

impl Optimiser for Trainer {
    /// A generation. Games are those played, not those asked for.
    fn step(&mut self, control: &dyn Control) -> Option<Spent> {
        let nodes = Trainer::step(self, control)?;
        let games = self.last().map_or(0, |last| last.games_played);
        Some(Spent { games, nodes })
    }

    /// The champion that the run would have if it ended here, without final games; before the first
    /// generation any chromosome is as good as another.
    fn best(&self) -> Weights {
        let settings = self.settings();
        match self.last() {
            None => settings.weights(&first_population(settings)[0]),
            Some(last) => {
                let (best, fitness) = last.leader(settings);
                champion(settings, last.generation, best, fitness)
            }
        }
    }
}
