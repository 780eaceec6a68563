//! The player that searches.

use std::sync::Arc;
use std::time::Duration;

use super::searching::{chosen, fixed_depth, identity};
use super::{Choice, NoChoice, Player};
use mancala::endgame::Tables;
use mancala::eval::{Compiled, Feature, Score, Weights, compile};
use mancala::game::ayo::Ayo;
use mancala::game::{Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::{self, Found, Iteration, Limits, Probing};

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
    tables: Option<Arc<Tables>>,
    /// The weight of a captured seed.
    seed_value: i32,
}

/// Runs a piece of code with the evaluator in its own type, with tables or without, so that a search is
/// compiled for it.
macro_rules! with_evaluator {
    ($compiled:expr, $tables:expr, $evaluator:ident => $code:expr) => {
        match ($compiled, $tables) {
            (Compiled::WithThreats($evaluator), None) => $code,
            (Compiled::WithoutThreats($evaluator), None) => $code,
            (Compiled::WithThreats(linear), Some(tables)) => {
                let $evaluator = &Probing::new(linear, tables);
                $code
            }
            (Compiled::WithoutThreats(linear), Some(tables)) => {
                let $evaluator = &Probing::new(linear, tables);
                $code
            }
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
        Minimax { evaluator: compile(weights), limits, pruning, tables: None, seed_value }
    }

    /// The same player with endgame tables, for games under their rules; in others he plays without.
    pub fn with_tables(self, tables: Arc<Tables>) -> Self {
        Minimax { tables: Some(tables), ..self }
    }

    /// The tables, if they are of the rules that are played.
    fn tables_of(&self, game: &Ayo) -> Option<&Tables> {
        self.tables.as_deref().filter(|tables| tables.rules() == game.rules)
    }

    /// The move in a position within the tables: of those with the best score the one that realises the
    /// table's value soonest, or else the lowest pit. It is the same with pruning and without.
    fn looked_up(&self, record: &Record<Ayo>) -> Option<Found> {
        let (game, position) = (record.game(), record.position());
        let tables = self.tables_of(game)?;
        tables.probe(position)?;
        let payoffs = self.payoffs_at(record, 1);
        // Of equal maxima the last would win, and pits go up.
        let &(lowest, score) = payoffs.iter().rev().max_by_key(|(_, score)| *score)?;
        let realising = tables.realising(position.rows());
        let pit = realising.filter(|&pit| payoffs.contains(&(pit, score))).unwrap_or(lowest);
        Some(Found { pit, score, nodes: payoffs.len() as u64, depth: 1 })
    }

    fn payoffs_at(&self, record: &Record<Ayo>, depth: u32) -> Vec<(Pit, Score)> {
        let (game, position) = (record.game(), record.position());
        with_evaluator!(&self.evaluator, self.tables_of(game), evaluator => {
            search::payoffs(game, evaluator, position, depth, &())
        })
    }

    /// The plies of the search, if nothing else limits it.
    fn fixed_depth(&self) -> Option<u32> {
        self.limits.depth.filter(|&depth| self.limits == Limits::depth(depth))
    }
}

impl Player<Ayo> for Minimax {
    fn choose(
        &mut self,
        record: &Record<Ayo>,
        progress: &dyn Progress,
    ) -> Result<Choice, NoChoice> {
        if let Some(found) = self.looked_up(record) {
            return chosen(Some(found));
        }
        let Some(depth) = self.fixed_depth() else {
            let limits = self.limits;
            return self.analyse(record, &limits, progress, &mut |_| {});
        };
        let pruning = self.pruning;
        chosen(with_evaluator!(&self.evaluator, self.tables_of(record.game()), evaluator => {
            fixed_depth(evaluator, record, depth, pruning, progress)
        }))
    }

    fn analyse(
        &mut self,
        record: &Record<Ayo>,
        limits: &Limits,
        progress: &dyn Progress,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Result<Choice, NoChoice> {
        if let Some(found) = self.looked_up(record) {
            listener(&Iteration { found, elapsed: Duration::ZERO });
            return chosen(Some(found));
        }
        let (game, position) = (record.game(), record.position());
        chosen(with_evaluator!(&self.evaluator, self.tables_of(game), evaluator => {
            search::deepen(game, evaluator, position, limits, progress, listener)
        }))
    }

    fn limits(&self) -> Option<Limits> {
        Some(self.limits)
    }

    fn variation(&mut self, record: &Record<Ayo>, choice: &Choice) -> Vec<(Side, Pit)> {
        let (game, position) = (record.game(), record.position());
        let tables = self.tables_of(game);
        let depth = choice.depth.filter(|_| tables.is_none_or(|it| it.probe(position).is_none()));
        let Some(depth) = depth else {
            return vec![(record.to_move(), choice.pit)];
        };
        with_evaluator!(&self.evaluator, tables, evaluator => {
            search::principal_variation(game, evaluator, position, depth, &())
        })
    }

    fn payoffs(&mut self, record: &Record<Ayo>) -> Vec<(Pit, Score)> {
        let fixed = self.fixed_depth();
        let reached = || self.choose(record, &()).ok()?.depth;
        let Some(depth) = fixed.or_else(reached) else {
            return Vec::new();
        };
        self.payoffs_at(record, depth)
    }

    fn tables(&self) -> Option<&Tables> {
        self.tables.as_deref()
    }

    fn seed_value(&self) -> Option<i32> {
        Some(self.seed_value).filter(|&value| value > 0)
    }

    fn reproducible(&self) -> bool {
        self.limits.reproducible()
    }

    fn identity(&self) -> String {
        let weights = match &self.evaluator {
            Compiled::WithThreats(evaluator) => evaluator.to_string(),
            Compiled::WithoutThreats(evaluator) => evaluator.to_string(),
        };
        // What the tables hold, wherever they lie.
        let tables = self.tables.as_ref().map(|tables| {
            let (rules, seeds) = (tables.rules(), tables.most_seeds());
            format!(" tables {rules} {seeds} {:08x}", tables.checksum())
        });
        identity(self.pruning, self.limits, weights) + &tables.unwrap_or_default()
    }
}
