//! Iterative deepening in a single thread.

use std::sync::atomic::Ordering::Relaxed;

use super::super::order::Order;
use super::super::table::{Bound, Entry};
use super::super::tree::{Level, Window};
use super::super::{Iteration, MAX_DEPTH, SearchResult};
use super::worker::Worker;
use crate::eval::{Evaluator, Score};
use crate::game::{Game, Pit, PitSet};

/// The depth increment. It's even because values at odd and even depths differ systematically.
const STEP: u32 = 2;

/// The number of aspiration windows to try before the full window.
const MAX_WINDOWS: u32 = 4;
/// We may play a move early if it's better than all others by this many hundredths of a seed.
const CLEAR_MARGIN: i32 = 400;

/// The iterations that a thread should run.
pub(super) struct Plan {
    pub(super) first_depth: u32,
    pub(super) max_depth: Option<u32>,
    /// The number of positions after which the thread stops.
    pub(super) nodes: Option<u64>,
    /// Whether to stop early if only one move is legal.
    pub(super) one_move_suffices: bool,
    /// How far to rotate all moves but the first, so that different threads visit them in different orders.
    pub(super) rotation: usize,
}

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Searches with increasing depth. Returns the result of the last iteration. Always completes the first iteration.
    pub(super) fn deepen(
        &mut self,
        position: &G::Position,
        plan: &Plan,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Option<SearchResult> {
        let mut moves = self.root_moves(position);
        if let [_, rest @ ..] = &mut moves[..]
            && !rest.is_empty()
        {
            let by = plan.rotation % rest.len();
            rest.rotate_left(by);
        }
        let mut last: Option<SearchResult> = None;
        for depth in (plan.first_depth..=plan.max_depth.unwrap_or(MAX_DEPTH)).step_by(STEP as usize)
        {
            let expected = last.map(|found| found.score);
            let (pit, score) = match self.iterate(position, depth, &mut moves, expected) {
                Ok(best) => best,
                Err(found) => {
                    // The iteration was stopped. If it had found a better move or confirmed the old one, use it.
                    if let (Some((pit, score)), Some(last)) = (found, &mut last) {
                        *last = SearchResult { pit, score, ..*last };
                    }
                    break;
                }
            };
            let nodes = self.state.nodes + self.clock.helper_nodes.load(Relaxed);
            let found = SearchResult { pit, score, nodes, depth };
            listener(&Iteration { found, elapsed: self.clock.elapsed() });
            let decided = score.plies_to_end().is_some_and(|plies| plies <= depth);
            let is_forced = moves.len() == 1 && plan.one_move_suffices;
            let is_stable = last.replace(found).is_some_and(|before| before.pit == pit);
            // If we know the value of a seed, stop early when one move is far better than all others.
            let may_stop = self.seed_value > 0 && is_stable && self.clock.is_well_advanced();
            if decided || is_forced || may_stop && self.is_clear(position, depth, &moves, score) {
                break;
            }
            if self.clock.is_over() {
                break;
            }
            self.budget = plan.nodes.unwrap_or(u64::MAX);
        }
        last
    }

    /// Searches less deeply to check whether all other moves are far worse than the first move, which is worth `score`.
    fn is_clear(
        &mut self,
        position: &G::Position,
        depth: u32,
        moves: &[Pit],
        score: Score,
    ) -> bool {
        if score.counts_plies() || depth <= STEP {
            return false;
        }
        let window = Window::above(Score(score.0 - self.seeds(CLEAR_MARGIN)));
        let is_worse = |pit: &Pit| {
            self.value_at_root(position, *pit, depth - STEP, window) <= window.alpha
                && !self.stopped
        };
        moves[1..].iter().all(is_worse)
    }

    /// Returns the legal moves at the root. If the table contains a best move, it comes first.
    fn root_moves(&self, position: &G::Position) -> Vec<Pit> {
        let game = self.tree.game;
        let best = self.table.get(self.key(position)).and_then(|entry| entry.best);
        let first = best.map(PitSet::of).unwrap_or_default();
        Order::new(game.moves(position), first, || game.promising(position)).collect()
    }

    /// Searches all moves to `depth` and moves the best one to the front. If the search is stopped, the error contains
    /// the best move that was proven so far, if any.
    fn iterate(
        &mut self,
        position: &G::Position,
        depth: u32,
        moves: &mut [Pit],
        expected: Option<Score>,
    ) -> Result<(Pit, Score), Option<(Pit, Score)>> {
        let mut half_window = (self.seed_value / 2).max(1);
        let mut window = match expected.filter(|score| !score.counts_plies()) {
            Some(Score(value)) => {
                Window { alpha: Score(value - half_window), beta: Score(value + half_window) }
            }
            None => Window::FULL,
        };
        let mut best_so_far = None;
        for attempt in 1.. {
            // Don't try forever, because a selective search can fail high in one window and low in the next one.
            if attempt > MAX_WINDOWS {
                window = Window::FULL;
            }
            let best = self.search_root(position, depth, moves, window, &mut best_so_far);
            let best = best.ok_or(best_so_far)?;
            half_window = half_window.saturating_mul(4);
            if best <= window.alpha && window.alpha > Score::LOWEST {
                window.beta = Score(best.0 + 1);
                window.alpha = Score(best.0.saturating_sub(half_window).max(Score::LOWEST.0));
            } else if best >= window.beta && window.beta < Score::HIGHEST {
                window.alpha = Score(best.0 - 1);
                window.beta = Score(best.0.saturating_add(half_window).min(Score::HIGHEST.0));
            } else {
                let pit = moves[0];
                let entry = Entry::new(best, Bound::Exact, Level { depth, ply: 0 }, Some(pit));
                self.table.put(self.key(position), entry);
                return Ok((pit, best));
            }
            // A bound beyond the range of evaluations is useless, because it only tells one win (or loss) from another.
            if window.alpha.counts_plies() {
                window.alpha = Score::LOWEST;
            }
            if window.beta.counts_plies() {
                window.beta = Score::HIGHEST;
            }
        }
        unreachable!("every value is inside the full window")
    }

    /// Searches moves until there is a cutoff. Returns the best value (or a bound), or `None` if stopped. Whenever a
    /// move is proven to be better than all moves before it, we move it to the front and store it in `best_so_far`.
    fn search_root(
        &mut self,
        position: &G::Position,
        depth: u32,
        moves: &mut [Pit],
        window: Window,
        best_so_far: &mut Option<(Pit, Score)>,
    ) -> Option<Score> {
        let (mut open, mut best) = (window, Score::LOWEST);
        for place in 0..moves.len() {
            let pit = moves[place];
            let mut value = if place == 0 {
                self.value_at_root(position, pit, depth, open)
            } else {
                self.value_at_root(position, pit, depth, Window::above(open.alpha))
            };
            if !self.stopped && place > 0 && open.bound(value) == Bound::Exact {
                value = self.value_at_root(position, pit, depth, open);
            }
            if self.stopped {
                return None;
            }
            best = best.max(value);
            if value > open.alpha {
                open.alpha = value;
                moves[..=place].rotate_right(1);
                *best_so_far = Some((pit, value));
            }
            if value >= open.beta {
                break;
            }
        }
        Some(best)
    }
}
