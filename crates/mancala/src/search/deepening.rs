//! Iterative deepening: the best move that a budget buys.

use std::fmt;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::alpha_beta::{AlphaBeta, Reach};
use super::table::pairs_after;
use super::{Found, MAX_DEPTH, Tree};
use crate::eval::{Evaluator, Score};
use crate::game::Game;
use crate::progress::Progress;

/// The budget of a search. Without any limit it goes on to [`MAX_DEPTH`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions entered, all iterations together.
    pub nodes: Option<u64>,
    /// Time on the clock. What it finds cannot be reproduced.
    pub movetime: Option<Duration>,
}

impl Limits {
    /// A limit of plies alone.
    pub const fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), nodes: None, movetime: None }
    }

    /// A limit of positions alone.
    pub const fn nodes(nodes: u64) -> Limits {
        Limits { depth: None, nodes: Some(nodes), movetime: None }
    }

    /// Whether the same search finds the same again, on any machine.
    pub fn reproducible(&self) -> bool {
        self.movetime.is_none()
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.depth.map(|depth| format!("depth {depth}")),
            self.nodes.map(|nodes| format!("nodes {nodes}")),
            self.movetime.map(|time| format!("movetime {time:?}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// What a finished iteration found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Iteration {
    /// The best move; its nodes are those of all iterations so far.
    pub found: Found,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// Searches one ply, two plies and so on until a limit is met or the game is decided within the plies
/// searched, and returns what the last finished iteration found; `listener` hears of each. The first
/// iteration is always finished, whatever the limits.
///
/// An unfinished iteration is thrown away, so the move is that of
/// [`alpha_beta`](super::alpha_beta) at the depth found. `None` if there is no legal move.
pub fn deepen<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    limits: &Limits,
    progress: &dyn Progress,
    listener: &mut dyn FnMut(&Iteration),
) -> Option<Found> {
    let begun = Instant::now();
    let clock = Clock { progress, deadline: limits.movetime.and_then(|t| begun.checked_add(t)) };
    let mut search = AlphaBeta::new(tree, position, &clock);
    let mut last: Option<Found> = None;
    // What the search before the last one found: depths of one parity see things alike.
    let mut before: Option<Score> = None;
    for depth in 1..=limits.depth.unwrap_or(MAX_DEPTH) {
        search.make_table(depth, pairs_after(search.notes.nodes, depth));
        let first = last.map(|found| found.pit);
        let expected = std::mem::replace(&mut before, last.map(|found| found.score));
        let Some((pit, score)) = search.best(position, Reach { depth, ply: 0 }, first, expected)
        else {
            break;
        };
        // Leaves are not asked about the budget, so the last ones may have exceeded it.
        if search.is_over_budget() {
            break;
        }
        let found = Found { pit, score, nodes: search.notes.nodes, depth };
        listener(&Iteration { found, elapsed: begun.elapsed() });
        last = Some(found);
        // A won or lost end within the plies searched is exact: no deeper search changes it. One beyond them
        // was found by captures alone, and other moves may lead elsewhere.
        if score.plies_to_end().is_some_and(|plies| plies <= depth) || clock.should_stop() {
            break;
        }
        search.set_budget(limits.nodes.unwrap_or(u64::MAX));
    }
    last
}

/// A progress with a deadline.
struct Clock<'a> {
    progress: &'a dyn Progress,
    deadline: Option<Instant>,
}

impl Progress for Clock<'_> {
    fn should_stop(&self) -> bool {
        self.progress.should_stop() || self.deadline.is_some_and(|at| Instant::now() >= at)
    }
}
