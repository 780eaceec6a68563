//! The player that searches.

use super::{Choice, NoChoice, Player};
use crate::eval::{Compiled, Evaluator, Feature, Score, Weights, compile};
use crate::game::ayo::Ayo;
use crate::game::{Pit, Record, Side};
use crate::search::{self, Found, Iteration, Limits, Monitor};

/// Whether a search prunes. Both choose alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pruning {
    /// Alpha-beta.
    AlphaBeta,
    /// None: the reference.
    None,
}

/// Searches within some limits with some weights.
#[derive(Debug, Clone)]
pub struct Minimax {
    evaluator: Compiled,
    limits: Limits,
    pruning: Pruning,
    /// The weight of a captured seed.
    seed_value: i32,
}

/// Runs a piece of code with the evaluator in its own type, so that a search is compiled for it.
macro_rules! with_evaluator {
    ($compiled:expr, $evaluator:ident => $code:expr) => {
        match $compiled {
            Compiled::WithThreats($evaluator) => $code,
            Compiled::WithoutThreats($evaluator) => $code,
        }
    };
}

impl Minimax {
    /// A player that searches within `limits`. Without pruning only their depth counts.
    pub fn new(weights: &Weights, limits: Limits, pruning: Pruning) -> Self {
        let seeds = [Feature::TheirSeeds, Feature::MySeeds];
        let weights_of = weights.features().features().iter().zip(weights.effective());
        let of_seeds = weights_of.filter(|(feature, _)| seeds.contains(feature));
        let seed_value = of_seeds.map(|(_, weight)| weight.abs()).max().unwrap_or(0);
        Minimax { evaluator: compile(weights), limits, pruning, seed_value }
    }

    /// The plies of the search, if nothing else limits it.
    fn fixed_depth(&self) -> Option<u32> {
        self.limits.depth.filter(|&depth| self.limits == Limits::depth(depth))
    }

    fn found(found: Option<Found>) -> Result<Choice, NoChoice> {
        let Found { pit, score, nodes, depth } = found.ok_or(NoChoice::Stopped)?;
        Ok(Choice { pit, score: Some(score), nodes, depth: Some(depth) })
    }
}

fn fixed_depth<E: Evaluator<Ayo>>(
    evaluator: &E,
    record: &Record<Ayo>,
    depth: u32,
    pruning: Pruning,
    monitor: &dyn Monitor,
) -> Option<Found> {
    let (game, position) = (record.game(), record.position());
    match pruning {
        Pruning::AlphaBeta => search::alpha_beta(game, evaluator, position, depth, monitor),
        Pruning::None => search::minimax(game, evaluator, position, depth),
    }
}

impl Player<Ayo> for Minimax {
    fn choose(&mut self, record: &Record<Ayo>, monitor: &dyn Monitor) -> Result<Choice, NoChoice> {
        let Some(depth) = self.fixed_depth() else {
            let limits = self.limits;
            return self.analyse(record, &limits, monitor, &mut |_| {});
        };
        let pruning = self.pruning;
        Self::found(with_evaluator!(&self.evaluator, evaluator => {
            fixed_depth(evaluator, record, depth, pruning, monitor)
        }))
    }

    fn analyse(
        &mut self,
        record: &Record<Ayo>,
        limits: &Limits,
        monitor: &dyn Monitor,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Result<Choice, NoChoice> {
        let (game, position) = (record.game(), record.position());
        Self::found(with_evaluator!(&self.evaluator, evaluator => {
            search::deepen(game, evaluator, position, limits, monitor, listener)
        }))
    }

    fn limits(&self) -> Option<Limits> {
        Some(self.limits)
    }

    fn variation(&mut self, record: &Record<Ayo>, choice: &Choice) -> Vec<(Side, Pit)> {
        let Some(depth) = choice.depth else {
            return vec![(record.to_move(), choice.pit)];
        };
        let (game, position) = (record.game(), record.position());
        with_evaluator!(&self.evaluator, evaluator => {
            search::principal_variation(game, evaluator, position, depth, &())
        })
    }

    fn payoffs(&mut self, record: &Record<Ayo>) -> Vec<(Pit, Score)> {
        let fixed = self.fixed_depth();
        let reached = || self.choose(record, &()).ok()?.depth;
        let Some(depth) = fixed.or_else(reached) else {
            return Vec::new();
        };
        let (game, position) = (record.game(), record.position());
        with_evaluator!(&self.evaluator, evaluator => {
            search::payoffs(game, evaluator, position, depth, &())
        })
    }

    fn seed_value(&self) -> Option<i32> {
        Some(self.seed_value).filter(|&value| value > 0)
    }

    fn reproducible(&self) -> bool {
        self.limits.reproducible()
    }

    fn identity(&self) -> String {
        let weights = with_evaluator!(&self.evaluator, evaluator => evaluator.to_string());
        let kind = match self.pruning {
            Pruning::AlphaBeta => "minimax",
            Pruning::None => "plain-minimax",
        };
        format!("{kind} {} {weights}", self.limits)
    }
}
