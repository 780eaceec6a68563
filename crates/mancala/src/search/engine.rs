//! The engine, our strongest search.
//!
//! [`deepen`](super::deepen) finds the same move as plain minimax. The engine finds better moves in the same time,
//! because it keeps its table throughout a game, uses entries from other depths, prunes selectively, makes use of
//! unfinished iterations, and can use several threads. Since it keeps the table, its moves depend on earlier searches.
//!
//! If several moves are equally good, the engine plays the one that it found first.

mod deepening;
mod selectivity;
mod shared;
mod table;
#[cfg(test)]
pub(super) mod tests;
mod worker;

use std::num::NonZeroUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use self::deepening::Plan;
pub use self::selectivity::{SearchParam, Selectivity};
use self::shared::AbdadaMarks;
pub(super) use self::shared::Clock;
pub use self::table::Table;
use self::worker::Worker;
use super::{Iteration, Limits, SearchResult, Tree};
use crate::eval::Evaluator;
use crate::game::{Game, Pit, Side};
use crate::progress::Progress;

/// The resources and parameters of a search.
#[derive(Debug, Clone, Copy)]
pub struct EngineOptions<'a> {
    /// The transposition table, which is kept for a whole game. Don't use it with different evaluators, games or rules.
    pub table: &'a Table,
    pub limits: &'a Limits,
    pub threads: NonZeroUsize,
    pub selectivity: Selectivity,
    /// The value of a captured seed, which is the unit for margins and aspiration windows.
    pub seed_value: i32,
}

/// Finds the best move within the limits. Calls `listener` after each iteration. Returns `None` if no move is legal.
///
/// With one thread and no time limit, a series of searches is reproducible if it starts with an empty table.
pub fn think<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    options: &EngineOptions<'_>,
    progress: &dyn Progress,
    listener: &mut dyn FnMut(&Iteration),
) -> Option<SearchResult> {
    let EngineOptions { table, limits, threads, selectivity, seed_value } = *options;
    if tree.game.moves(position).is_empty() {
        return None;
    }
    let clock = Clock::new(progress, limits.movetime);
    let marks = (threads.get() > 1).then(AbdadaMarks::new);
    let marks = marks.as_ref();
    let worker = || Worker::new(tree, table, &clock, marks, selectivity, seed_value, position);
    // Only search at depths of the same parity as the depth limit, or at odd depths if there is no limit.
    let first_depth = 2 - limits.depth.unwrap_or(1) % 2;
    let plan = |rotation| Plan {
        first_depth,
        max_depth: limits.depth,
        nodes: limits.nodes.map(|nodes| (nodes / threads.get() as u64).max(1)),
        one_move_suffices: limits.nodes.is_some() || limits.movetime.is_some(),
        rotation,
    };
    thread::scope(|scope| {
        for number in 1..threads.get() {
            let mut helper = worker();
            helper.reported = Some(0);
            let plan = Plan { max_depth: None, nodes: None, ..plan(number) };
            let help = move || _ = helper.deepen(position, &plan, &mut |_| {});
            // We can ignore the error, because the search also works with fewer threads.
            if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                break;
            }
        }
        let mut worker = worker();
        let found = worker.deepen(position, &plan(0), listener);
        clock.stop();
        found.map(|it| SearchResult {
            nodes: worker.state.nodes + clock.helper_nodes.load(Relaxed),
            ..it
        })
    })
}

/// Reads a principal variation from the table. The line starts with `first` and has at most `plies` moves.
pub fn line<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    table: &Table,
    first: Pit,
    plies: u32,
) -> Vec<(Side, Pit)> {
    let game = tree.game;
    let clock = Clock::new(&(), None);
    let worker = Worker::new(tree, table, &clock, None, Selectivity::NONE, 0, position);
    let (mut line, mut position, mut next) = (Vec::new(), *position, Some(first));
    while let Some(pit) = next.filter(|_| line.len() < plies as usize) {
        line.push((game.to_move(&position), pit));
        position = game.play(&position, pit);
        let moves = game.moves(&position);
        if game.ending(&position, moves).is_some() {
            break;
        }
        let entry = table.get(worker.key(&position));
        next = entry.and_then(|entry| entry.best).filter(|&pit| moves.contains(pit));
    }
    line
}
