//! The player that searches to a depth.

use super::{Choice, Player};
use crate::eval::{Compiled, Score, Weights, compile};
use crate::game::ayo::Ayo;
use crate::game::{Pit, Record, Side};
use crate::search::{self, Found, Monitor};

/// Whether a search prunes. Both choose alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pruning {
    /// Alpha-beta.
    AlphaBeta,
    /// None: the reference.
    None,
}

/// Searches to a fixed depth with some weights.
#[derive(Debug, Clone)]
pub struct Minimax {
    evaluator: Compiled,
    depth: u32,
    pruning: Pruning,
}

impl Minimax {
    /// A player that searches `depth` plies, from 1 to [`search::MAX_DEPTH`].
    pub fn new(weights: &Weights, depth: u32, pruning: Pruning) -> Self {
        Minimax { evaluator: compile(weights), depth, pruning }
    }

    fn search(&self, record: &Record<Ayo>, monitor: &dyn Monitor) -> Option<Found> {
        let (game, position, depth) = (record.game(), record.position(), self.depth);
        match (self.pruning, &self.evaluator) {
            (Pruning::AlphaBeta, Compiled::WithThreats(e)) => {
                search::alpha_beta(game, e, position, depth, monitor)
            }
            (Pruning::AlphaBeta, Compiled::WithoutThreats(e)) => {
                search::alpha_beta(game, e, position, depth, monitor)
            }
            (Pruning::None, Compiled::WithThreats(e)) => search::minimax(game, e, position, depth),
            (Pruning::None, Compiled::WithoutThreats(e)) => {
                search::minimax(game, e, position, depth)
            }
        }
    }
}

impl Player<Ayo> for Minimax {
    fn choose(&mut self, record: &Record<Ayo>, monitor: &dyn Monitor) -> Option<Choice> {
        let found = self.search(record, monitor)?;
        Some(Choice { pit: found.pit, score: Some(found.score), nodes: found.nodes })
    }

    fn variation(&mut self, record: &Record<Ayo>, _choice: &Choice) -> Vec<(Side, Pit)> {
        let (game, position, depth) = (record.game(), record.position(), self.depth);
        match &self.evaluator {
            Compiled::WithThreats(e) => search::principal_variation(game, e, position, depth, &()),
            Compiled::WithoutThreats(e) => {
                search::principal_variation(game, e, position, depth, &())
            }
        }
    }

    fn payoffs(&mut self, record: &Record<Ayo>) -> Vec<(Pit, Score)> {
        let (game, position, depth) = (record.game(), record.position(), self.depth);
        match &self.evaluator {
            Compiled::WithThreats(e) => search::payoffs(game, e, position, depth, &()),
            Compiled::WithoutThreats(e) => search::payoffs(game, e, position, depth, &()),
        }
    }
}
