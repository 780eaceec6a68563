//! Iterative deepening within limits.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::alpha_beta::AlphaBeta;
use super::engine::Clock;
use super::table::pairs_after;
use super::tree::Level;
use super::{MAX_DEPTH, SearchResult, Tree};
use crate::eval::{Evaluator, Score};
use crate::game::Game;
use crate::progress::Progress;

/// Limits on a search. Without any limits, the search stops at [`MAX_DEPTH`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Limits {
    pub depth: Option<u32>,
    /// The maximum number of positions to visit in all iterations together.
    pub nodes: Option<u64>,
    /// The time per move. Note that searches with a time limit aren't reproducible.
    pub movetime: Option<Duration>,
}

impl Limits {
    /// Returns limits that only restrict the depth, which is given in plies.
    pub const fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), nodes: None, movetime: None }
    }

    /// Returns limits that only restrict the number of positions visited.
    pub const fn nodes(nodes: u64) -> Limits {
        Limits { depth: None, nodes: Some(nodes), movetime: None }
    }

    /// Returns whether a search with these limits has the same result on every machine.
    pub fn is_reproducible(&self) -> bool {
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Iteration {
    /// The result of the iteration. Note that its node count is the total for all iterations so far.
    pub found: SearchResult,
    /// The time since the search started.
    pub elapsed: Duration,
}

/// Searches to depth 1, 2 and so on, until a limit is reached or the search finds that the game ends within the search
/// depth. Calls `listener` after each iteration. The limits don't apply to the first iteration, so we only return
/// `None` if there is no legal move.
///
/// Returns the result of the last completed iteration. Its move and score are the same as those that
/// [`alpha_beta`](super::alpha_beta) finds at that depth.
pub fn deepen<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    limits: &Limits,
    progress: &dyn Progress,
    listener: &mut dyn FnMut(&Iteration),
) -> Option<SearchResult> {
    let clock = Clock::new(progress, limits.movetime);
    let mut search = AlphaBeta::new(tree, position, &clock);
    let mut last: Option<SearchResult> = None;
    // We expect the score to be close to the score two iterations ago, because these depths have the same parity.
    let mut before: Option<Score> = None;
    for depth in 1..=limits.depth.unwrap_or(MAX_DEPTH) {
        search.make_table(depth, pairs_after(search.state.nodes, depth));
        let first = last.map(|found| found.pit);
        let expected = std::mem::replace(&mut before, last.map(|found| found.score));
        let Some((pit, score)) = search.best(position, Level { depth, ply: 0 }, first, expected)
        else {
            break;
        };
        // We don't check the budget at leaves, so the last few leaves of an iteration may take us over the budget.
        if search.state.nodes > search.budget {
            break;
        }
        let found = SearchResult { pit, score, nodes: search.state.nodes, depth };
        listener(&Iteration { found, elapsed: clock.elapsed() });
        last = Some(found);
        // Don't stop for wins or losses that the quiescence search finds beyond `depth`. Other moves may avoid them.
        if score.plies_to_end().is_some_and(|plies| plies <= depth) || clock.check() {
            break;
        }
        (search.budget, search.next_check) = (limits.nodes.unwrap_or(u64::MAX), 0);
    }
    last
}
