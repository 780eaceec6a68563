//! The search of a player under a clock.
//!
//! Where [`deepen`](super::deepen) finds what plain minimax finds, this one finds the better move in the same
//! time: its table lives through the game and gives what was found at a greater depth too, it may leave out what
//! hardly matters, it uses what an iteration has found that could not be finished, and several threads search
//! at a time. So its move depends on the searches before.
//!
//! Of equal moves it plays the one that it has found first.

mod busy;
mod clock;
mod deepening;
mod parameter;
mod selection;
mod table;
#[cfg(test)]
mod tests;
mod turns;
mod worker;

use std::num::NonZeroUsize;
use std::thread;

use self::busy::Busy;
use self::clock::Clock;
use self::deepening::Plan;
pub use self::parameter::Parameter;
pub use self::selection::Selection;
pub use self::table::Table;
use self::worker::Worker;
use super::{Found, Iteration, Limits, Tree};
use crate::eval::Evaluator;
use crate::game::{Game, Pit, Side};
use crate::progress::Progress;

/// What a search may use, and what it goes by.
#[derive(Debug, Clone, Copy)]
pub struct Effort<'a> {
    /// What is remembered of the game so far. It belongs to one evaluator and one game under its rules.
    pub table: &'a Table,
    /// Where it ends.
    pub limits: &'a Limits,
    /// Threads that search.
    pub threads: NonZeroUsize,
    /// What it leaves out.
    pub selection: Selection,
    /// The worth of a captured seed, by which values of one iteration and the next differ.
    pub seed_value: i32,
}

/// The best move within some limits, for the side to move. `listener` hears of every iteration that is finished.
/// `None` if there is no legal move.
///
/// With one thread and without a limit of time, the same searches from an empty table find the same.
pub fn think<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    effort: &Effort<'_>,
    progress: &dyn Progress,
    listener: &mut dyn FnMut(&Iteration),
) -> Option<Found> {
    let Effort { table, limits, threads, selection, seed_value } = *effort;
    if tree.game.moves(position).is_empty() {
        return None;
    }
    let clock = Clock::new(progress, limits.movetime);
    let busy = (threads.get() > 1).then(Busy::new);
    let worker =
        || Worker::new(tree, table, &clock, selection, seed_value, position).among(busy.as_ref());
    // Without a depth they are odd.
    let from = 2 - limits.depth.unwrap_or(1) % 2;
    let plan = |turned| Plan {
        from,
        to: limits.depth,
        nodes: limits.nodes.map(|nodes| (nodes / threads.get() as u64).max(1)),
        one_move_suffices: limits.nodes.is_some() || limits.movetime.is_some(),
        ends_early: seed_value > 0,
        width: (seed_value / 2).max(1),
        turned,
    };
    thread::scope(|scope| {
        for number in 1..threads.get() {
            let (helper, plan) =
                (worker().helping(), Plan { to: None, nodes: None, ..plan(number) });
            let help = move || {
                let mut helper = helper;
                helper.deepen(position, &plan, &mut |_| {});
            };
            // With fewer threads than asked for it searches as well.
            if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                break;
            }
        }
        let mut worker = worker();
        let found = worker.deepen(position, &plan(0), listener);
        clock.stop();
        found.map(|found| Found { nodes: worker.notes.nodes + clock.helped(), ..found })
    })
}

/// The line that a search has left in its table, `first` first: at most so many plies, up to an end of the game.
pub fn line<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    table: &Table,
    first: Pit,
    plies: u32,
) -> Vec<(Side, Pit)> {
    let game = tree.game;
    let clock = Clock::new(&(), None);
    let worker = Worker::new(tree, table, &clock, Selection::NONE, 0, position);
    let (mut line, mut position, mut next) = (Vec::new(), *position, Some(first));
    while let Some(pit) = next.filter(|_| line.len() < plies as usize) {
        line.push((game.to_move(&position), pit));
        position = game.play(&position, pit);
        let moves = game.moves(&position);
        if game.ending(&position, moves).is_some() {
            break;
        }
        let known = table.get(worker.key(&position));
        next = known.and_then(|known| known.best).filter(|&pit| moves.contains(pit));
    }
    line
}
