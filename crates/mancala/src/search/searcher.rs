//! Searches with weights that are only known at run time.
//!
//! Searches are monomorphised over the game and the evaluator. [`SearchableGame::searcher`] picks the evaluator once
//! and returns a [`Searcher`]. Each of its methods runs a complete search. All searches are compiled in this crate, so
//! the build settings of other crates can't make them slower.

use std::fmt::{self, Debug, Display};
use std::num::NonZeroU64;
use std::sync::{Arc, Mutex};

use super::engine::{self, EngineOptions};
use super::{
    Iteration, Limits, MoveValues, Options, Probing, SearchResult, Tree, alpha_beta, deepen,
    move_values, principal_variation, reference,
};
use crate::endgame::Tables;
use crate::eval::kansas::Utility;
use crate::eval::learned::learned_seed_value;
use crate::eval::{Evaluator, Learned, LearnedGame, Linear, Score, Sum, Weights, kalah};
use crate::game::ayo::{Ayo, Position};
use crate::game::kalah::Kalah;
use crate::game::{Ending, Game, Notated, Pit, Side};
use crate::progress::Progress;

/// The algorithm for a fixed-depth search. All algorithms find the same move and score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pruning {
    /// [`alpha_beta`], with move ordering and a transposition table.
    AlphaBeta,
    /// [`unordered`](super::unordered), i.e. alpha-beta without move ordering or a table. The baseline of `ayo bench`.
    Unordered,
    /// [`minimax`](super::minimax), without pruning.
    None,
}

/// Declares [`Searcher`] and implements each of its methods by calling a function with a [`Tree`].
macro_rules! define_searcher {
    ($($(#[$doc:meta])* $name:ident($($value:ident: $type:ty),+) -> $result:ty = $search:path;)+) => {
        /// All kinds of searches for a given game and evaluator.
        pub trait Searcher<G: Game>: Debug + Display + Send + Sync {
            /// Evaluates a position for `me` without searching.
            fn evaluate(&self, position: &G::Position, me: Side) -> Score;
            $(
                $(#[$doc])*
                fn $name(&self, game: &G, position: &G::Position, $($value: $type),+) -> $result;
            )+
        }

        impl<G: Game, E: PrintableEvaluator<G>> Searcher<G> for Searching<E> {
            fn evaluate(&self, position: &G::Position, me: Side) -> Score {
                self.evaluator.evaluate(position, me)
            }
            $(
                fn $name(&self, game: &G, position: &G::Position, $($value: $type),+) -> $result {
                    let tree = Tree::new(game, &self.evaluator).with_options(self.options);
                    $search(tree, position, $($value),+)
                }
            )+
        }
    };
}

define_searcher! {
    /// Finds the best move at `depth` ≥ 1 plies. Returns `None` if no move is legal or `progress` stopped the search.
    search(depth: u32, pruning: Pruning, progress: &dyn Progress) -> Option<SearchResult> = search;
    /// See [`deepen`].
    deepen(limits: &Limits, progress: &dyn Progress, listener: &mut dyn FnMut(&Iteration))
        -> Option<SearchResult> = deepen;
    /// See [`engine::think`].
    engine_search(options: &EngineOptions<'_>, progress: &dyn Progress, listener: &mut dyn FnMut(&Iteration))
        -> Option<SearchResult> = engine::think;
    /// See [`engine::line`].
    engine_line(table: &engine::Table, first: Pit, plies: u32) -> Vec<(Side, Pit)> = engine::line;
    /// See [`move_values`].
    move_values(depth: u32, progress: &dyn Progress) -> MoveValues = move_values;
    /// See [`principal_variation`].
    principal_variation(depth: u32) -> Vec<(Side, Pit)> = principal_variation;
    /// Returns a sample of the positions that [`alpha_beta`] evaluates, in order. Positions whose value is known aren't
    /// evaluated, so they are never sampled. Note that this is slower than a search.
    leaves(depth: u32, sample: Sample) -> Vec<G::Position> = leaves;
}

fn search<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    depth: u32,
    pruning: Pruning,
    progress: &dyn Progress,
) -> Option<SearchResult> {
    match pruning {
        Pruning::AlphaBeta => alpha_beta(tree, position, depth, progress),
        Pruning::Unordered => reference::search::<true, _, _>(tree, position, depth, progress),
        Pruning::None => reference::search::<false, _, _>(tree, position, depth, progress),
    }
}

#[derive(Debug)]
struct Searching<E> {
    evaluator: E,
    options: Options,
}

/// Prints the evaluator, followed by the options that differ from the defaults.
impl<E: Display> Display for Searching<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = self.options.to_string();
        let gap = if options.is_empty() { "" } else { " " };
        write!(f, "{}{gap}{options}", self.evaluator)
    }
}

/// A game that can be searched using weights.
pub trait SearchableGame: Notated + LearnedGame + Default {
    /// Returns a searcher with these weights, as in the [crate] example. Panics if the weights are for another game.
    fn searcher(weights: &Weights, options: Options) -> Arc<dyn Searcher<Self>> {
        Self::searcher_with_tables(weights, options, None)
    }

    /// Like [`searcher`](Self::searcher), but uses endgame tables if the game has them. We implement this method for
    /// each game so that its searches are compiled and optimised in this crate.
    fn searcher_with_tables(
        weights: &Weights,
        options: Options,
        tables: Option<Arc<Tables>>,
    ) -> Arc<dyn Searcher<Self>>;

    /// Returns the value of a captured seed, or 0 if captures don't count. If it matters who captures the seed, returns
    /// the larger value. With a learned layer, we estimate the value from random games.
    fn seed_value(weights: &Weights) -> i32 {
        if weights.features().units().next().is_some() {
            return learned_seed_value(&Self::default(), weights);
        }
        let mut sum = Sum::<Self>::without_units(weights);
        let values = Self::CAPTURED.iter().map(|feature| sum.take(*feature).abs());
        values.max().unwrap_or(0)
    }

    /// Returns the position if the game is ayo, which is the only game with endgame tables.
    fn as_ayo(_position: &Self::Position) -> Option<&Position> {
        None
    }
}

trait PrintableEvaluator<G: Game>: Evaluator<G> + Debug + Display + Send {}

impl<G: Game, E: Evaluator<G> + Debug + Display + Send> PrintableEvaluator<G> for E {}

/// Returns an evaluator with a learned layer, or `None` if the weights have no hidden neurons.
fn learned<G: LearnedGame>(weights: &Weights) -> Option<Learned<G>> {
    let (layer, units) = weights.units()?;
    let sum = Sum::without_units(weights);
    let features = (!sum.is_empty()).then(|| G::Linear::from(sum));
    Some(Learned::new(Arc::clone(layer), &units, features))
}

fn with_tables(
    evaluator: impl PrintableEvaluator<Ayo> + 'static,
    options: Options,
    tables: Option<Arc<Tables>>,
) -> Arc<dyn Searcher<Ayo>> {
    match tables {
        None => Arc::new(Searching { evaluator, options }),
        Some(tables) => Arc::new(Searching { evaluator: Probing::new(evaluator, tables), options }),
    }
}

impl SearchableGame for Ayo {
    fn searcher_with_tables(
        weights: &Weights,
        options: Options,
        tables: Option<Arc<Tables>>,
    ) -> Arc<dyn Searcher<Ayo>> {
        match learned::<Ayo>(weights) {
            Some(evaluator) => with_tables(evaluator, options, tables),
            None => with_tables(Linear::from(Sum::without_units(weights)), options, tables),
        }
    }

    fn as_ayo(position: &Position) -> Option<&Position> {
        Some(position)
    }
}

impl SearchableGame for Kalah {
    fn searcher_with_tables(
        weights: &Weights,
        options: Options,
        _tables: Option<Arc<Tables>>,
    ) -> Arc<dyn Searcher<Kalah>> {
        let Some(evaluator) = learned::<Kalah>(weights) else {
            let evaluator = kalah::Linear::from(Sum::without_units(weights));
            return Arc::new(Searching { evaluator, options });
        };
        Arc::new(Searching { evaluator, options })
    }

    fn seed_value(weights: &Weights) -> i32 {
        if weights.features().units().next().is_some() {
            return learned_seed_value(&Kalah::default(), weights);
        }
        kalah::Linear::from(Sum::without_units(weights)).seed_value()
    }
}

impl Utility {
    /// Returns a searcher that works like the one in the kalah report, which doesn't recognise wins.
    pub fn searcher(self) -> Arc<dyn Searcher<Kalah>> {
        // The program in the report used the same options as that of Daoud et al. (2004).
        Arc::new(Searching { evaluator: self, options: Options::OF_2004 })
    }
}

/// A sample that consists of every n-th item of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    pub every: NonZeroU64,
    /// The index of the first item in the sample, modulo [`every`](Self::every).
    pub offset: u64,
}

/// If alpha-beta searches the tree several times, we sample from all searches. Leaves are evaluated one at a time.
fn leaves<G: Game>(
    tree: Tree<'_, G, impl Evaluator<G>>,
    position: &G::Position,
    depth: u32,
    sample: Sample,
) -> Vec<G::Position> {
    let Tree { game, evaluator, options } = tree;
    let recorder = Recorder { evaluator, sample, seen: Mutex::default() };
    alpha_beta(Tree::new(game, &recorder).with_options(options), position, depth, &());
    recorder.seen.into_inner().expect("the lock is never poisoned").1
}

/// An evaluator that records a sample of the positions passed to it.
struct Recorder<'a, G: Game> {
    evaluator: &'a dyn Evaluator<G>,
    sample: Sample,
    /// The number of positions evaluated so far, and the positions that were sampled.
    seen: Mutex<(u64, Vec<G::Position>)>,
}

impl<G: Game> Evaluator<G> for Recorder<'_, G> {
    fn evaluate(&self, position: &G::Position, me: Side) -> Score {
        let (count, taken) = &mut *self.seen.lock().expect("the lock is never poisoned");
        let Sample { every, offset } = self.sample;
        if *count % every == offset % every {
            taken.push(*position);
        }
        *count += 1;
        self.evaluator.evaluate(position, me)
    }

    fn end_value(&self, game: &G, end: &G::Position, ending: Ending, me: Side, ply: u32) -> Score {
        self.evaluator.end_value(game, end, ending, me, ply)
    }

    fn exact_value(&self, position: &G::Position, me: Side, ply: u32) -> Option<Score> {
        self.evaluator.exact_value(position, me, ply)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::tests::any_options;
    use super::super::{Options, Pruning};
    use super::*;
    use crate::eval::{Quiescence, Weights};
    use crate::game::ayo::{Ayo, Position};
    use crate::laws::prelude::*;

    fn at(game: &Ayo, position: &Position, plies: u32) -> HashSet<Position> {
        if game.ended(position).is_some() {
            return HashSet::new();
        }
        match plies {
            0 => [*position].into(),
            _ => {
                let children = game.moves(position).map(|pit| game.play(position, pit));
                children.flat_map(|child| at(game, &child, plies - 1)).collect()
            }
        }
    }

    fn sample(every: u64, offset: u64) -> Sample {
        Sample { every: NonZeroU64::new(every).unwrap(), offset }
    }

    laws! {
        #[test]
        fn leaves_are_at_the_depth_of_the_search(
            position in any_position(), depth in 1u32..5, every in 1..9u64, offset: u64,
            options in any_options(),
        ) {
            let game = Ayo::default();
            let options = Options { quiescence: Quiescence::Off, ..options };
            let searcher = Ayo::searcher(&Weights::named("daoud2004-depth5").unwrap(), options);
            let found = |sample| searcher.leaves(&game, &position, depth, sample);
            let all = found(sample(1, 0));
            let possible = at(&game, &position, depth);
            prop_assert!(all.iter().all(|leaf| possible.contains(leaf)));
            let nodes = searcher.search(&game, &position, depth, Pruning::AlphaBeta, &());
            let nodes = nodes.map_or(0, |found| found.nodes);
            prop_assert!(all.len() as u64 <= nodes);
            // At depth 1, all leaves are evaluated. Two of them may be the same position, hence `>=`.
            prop_assert!(depth > 1 || all.len() >= possible.len());
            let some = all.iter().skip((offset % every) as usize).step_by(every as usize);
            prop_assert_eq!(found(sample(every, offset)), some.copied().collect::<Vec<_>>());
        }
    }
}
