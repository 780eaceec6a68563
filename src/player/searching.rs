//! The player that searches, for any game and evaluator.

use std::fmt::Display;

use super::{Choice, NoChoice, Player, Pruning};
use mancala::eval::{Evaluator, Score};
use mancala::game::{Game, Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::{self, Found, Iteration, Limits};

/// Searches within some limits with an evaluator. [`Minimax`](super::Minimax) is the one of ayo, who
/// knows endgame tables too.
#[derive(Debug, Clone)]
pub struct Searching<E> {
    evaluator: E,
    limits: Limits,
    pruning: Pruning,
    /// What a captured seed is worth.
    seed_value: i32,
}

impl<E> Searching<E> {
    /// A player that searches within `limits`. Without pruning only their depth counts.
    pub fn new(evaluator: E, seed_value: i32, limits: Limits, pruning: Pruning) -> Self {
        Searching { evaluator, limits, pruning, seed_value }
    }

    /// The plies of the search, if nothing else limits it.
    fn fixed_depth(&self) -> Option<u32> {
        self.limits.depth.filter(|&depth| self.limits == Limits::depth(depth))
    }
}

/// What a search found, as a choice.
pub(super) fn chosen(found: Option<Found>) -> Result<Choice, NoChoice> {
    let Found { pit, score, nodes, depth } = found.ok_or(NoChoice::Stopped)?;
    Ok(Choice { pit, score: Some(score), nodes, depth: Some(depth) })
}

/// Searches a fixed number of plies.
pub(super) fn fixed_depth<G: Game, E: Evaluator<G>>(
    evaluator: &E,
    record: &Record<G>,
    depth: u32,
    pruning: Pruning,
    progress: &dyn Progress,
) -> Option<Found> {
    let (game, position) = (record.game(), record.position());
    match pruning {
        Pruning::AlphaBeta => search::alpha_beta(game, evaluator, position, depth, progress),
        Pruning::None => search::minimax(game, evaluator, position, depth),
    }
}

/// What a player is called by what he does: two of the same identity play alike.
pub(super) fn identity(pruning: Pruning, limits: Limits, weights: impl Display) -> String {
    let kind = match pruning {
        Pruning::AlphaBeta => "minimax",
        Pruning::None => "plain-minimax",
    };
    format!("{kind} {limits} {weights}")
}

impl<G: Game, E: Evaluator<G> + Display + Send> Player<G> for Searching<E> {
    fn choose(&mut self, record: &Record<G>, progress: &dyn Progress) -> Result<Choice, NoChoice> {
        match self.fixed_depth() {
            Some(depth) => {
                chosen(fixed_depth(&self.evaluator, record, depth, self.pruning, progress))
            }
            None => {
                let limits = self.limits;
                self.analyse(record, &limits, progress, &mut |_| {})
            }
        }
    }

    fn analyse(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        progress: &dyn Progress,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Result<Choice, NoChoice> {
        let (game, position) = (record.game(), record.position());
        chosen(search::deepen(game, &self.evaluator, position, limits, progress, listener))
    }

    fn limits(&self) -> Option<Limits> {
        Some(self.limits)
    }

    fn variation(&mut self, record: &Record<G>, choice: &Choice) -> Vec<(Side, Pit)> {
        let (game, position) = (record.game(), record.position());
        match choice.depth {
            None => vec![(record.to_move(), choice.pit)],
            Some(depth) => search::principal_variation(game, &self.evaluator, position, depth, &()),
        }
    }

    fn payoffs(&mut self, record: &Record<G>) -> Vec<(Pit, Score)> {
        let fixed = self.fixed_depth();
        let Some(depth) = fixed.or_else(|| self.choose(record, &()).ok()?.depth) else {
            return Vec::new();
        };
        search::payoffs(record.game(), &self.evaluator, record.position(), depth, &())
    }

    fn seed_value(&self) -> Option<i32> {
        Some(self.seed_value).filter(|&value| value > 0)
    }

    fn reproducible(&self) -> bool {
        self.limits.reproducible()
    }

    fn identity(&self) -> String {
        identity(self.pruning, self.limits, &self.evaluator)
    }
}
