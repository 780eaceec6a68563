//! Iterative deepening of one thread.

use super::super::order::Order;
use super::super::table::Bound;
use super::super::window::Window;
use super::super::{Found, Iteration, MAX_DEPTH};
use super::table::Known;
use super::worker::Worker;
use crate::eval::{Evaluator, Score};
use crate::game::{Game, Pit, PitSet};

/// The plies from one iteration to the next. Values of odd and even depths are not quite alike, and what one
/// iteration finds is of use to the next of its kind.
const STEP: u32 = 2;

/// After so many windows that the value was not in, any value is looked for.
const MOST_WINDOWS: u32 = 4;
/// A move that is better than all others by so many hundredths of a seed is played without further thought.
const CLEAR: i32 = 400;

/// What an iteration has come to.
enum Outcome {
    /// All moves have been looked at.
    Finished(Pit, Score),
    /// It was stopped; the best move so far, if one is known to be.
    Stopped(Option<(Pit, Score)>),
}

/// What the iterations of a thread go by.
pub(super) struct Plan {
    /// The depth of the first one.
    pub(super) from: u32,
    /// The depth of the last one.
    pub(super) to: Option<u32>,
    /// Positions after which it ends.
    pub(super) nodes: Option<u64>,
    /// Whether a position with one move needs no search.
    pub(super) one_move_suffices: bool,
    /// Half of the window in which the value of the first iteration is expected to be.
    pub(super) width: i32,
    /// Whether it ends before its time where one move is far better than all others.
    pub(super) ends_early: bool,
    /// By how many places the order of the moves is turned.
    pub(super) turned: usize,
}

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Searches deeper and deeper, and returns what the last iteration found. The first one is always
    /// finished. `listener` hears of each that is.
    pub(super) fn deepen(
        &mut self,
        position: &G::Position,
        plan: &Plan,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Option<Found> {
        let mut moves = self.root_moves(position);
        if let [_, rest @ ..] = &mut moves[..]
            && !rest.is_empty()
        {
            let by = plan.turned % rest.len();
            rest.rotate_left(by);
        }
        let mut last: Option<Found> = None;
        for depth in (plan.from..=plan.to.unwrap_or(MAX_DEPTH)).step_by(STEP as usize) {
            let expected = last.map(|found| found.score);
            let outcome = self.iterate(position, depth, &mut moves, expected, plan.width);
            let (pit, score) = match outcome {
                Outcome::Finished(pit, score) => (pit, score),
                Outcome::Stopped(found) => {
                    // The move is better than the one before, though not all others were looked at.
                    if let (Some((pit, score)), Some(last)) = (found, &mut last) {
                        *last = Found { pit, score, ..*last };
                    }
                    break;
                }
            };
            let found = Found { pit, score, nodes: self.notes.nodes + self.clock.helped(), depth };
            listener(&Iteration { found, elapsed: self.clock.elapsed() });
            let decided = score.plies_to_end().is_some_and(|plies| plies <= depth);
            let alone = moves.len() == 1 && plan.one_move_suffices;
            let has_stayed = last.replace(found).is_some_and(|before| before.pit == pit);
            let is_enough = plan.ends_early && has_stayed && self.clock.is_well_advanced();
            if decided || alone || is_enough && self.is_clear(position, depth, &moves, score) {
                break;
            }
            if self.clock.is_over() {
                break;
            }
            self.budget = plan.nodes.unwrap_or(u64::MAX);
        }
        last
    }

    /// Whether all moves but the first, which is worth `score`, are far worse. That is found out by a shallower
    /// search than the one before.
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
        let much = Window::above(Score(score.0 - self.seeds(CLEAR)));
        let is_worse = |pit: &Pit| {
            self.value_at_root(position, *pit, depth - STEP, much) <= much.alpha && !self.stopped
        };
        moves[1..].iter().all(is_worse)
    }

    /// The moves at the root, that of the table first.
    fn root_moves(&self, position: &G::Position) -> Vec<Pit> {
        let game = self.tree.game;
        let known = self.table.get(self.key(position)).and_then(|known| known.best);
        let first = known.map(PitSet::of).unwrap_or_default();
        Order::new(game.moves(position), first, || game.promising(position)).collect()
    }

    /// Searches all moves to a depth. The best of them comes to the front.
    fn iterate(
        &mut self,
        position: &G::Position,
        depth: u32,
        moves: &mut [Pit],
        expected: Option<Score>,
        mut width: i32,
    ) -> Outcome {
        let mut window = match expected.filter(|score| !score.counts_plies()) {
            Some(Score(value)) => {
                Window { alpha: Score(value - width), beta: Score(value + width) }
            }
            None => Window::FULL,
        };
        let mut so_far = None;
        for turn in 1.. {
            // What selection finds in one window may not be so in the next.
            if turn > MOST_WINDOWS {
                window = Window::FULL;
            }
            let Some(best) = self.pass(position, depth, moves, window, &mut so_far) else {
                return Outcome::Stopped(so_far);
            };
            width = width.saturating_mul(4);
            if best <= window.alpha && window.alpha > Score::LOWEST {
                window.beta = Score(best.0 + 1);
                window.alpha = Score(best.0.saturating_sub(width).max(Score::LOWEST.0));
            } else if best >= window.beta && window.beta < Score::HIGHEST {
                window.alpha = Score(best.0 - 1);
                window.beta = Score(best.0.saturating_add(width).min(Score::HIGHEST.0));
            } else {
                let pit = moves[0];
                let known = Known::new(best, Bound::Exact, depth, 0, Some(pit));
                self.table.put(self.key(position), known);
                return Outcome::Finished(pit, best);
            }
            // Beyond evaluations there are only ends.
            if window.alpha.counts_plies() {
                window.alpha = Score::LOWEST;
            }
            if window.beta.counts_plies() {
                window.beta = Score::HIGHEST;
            }
        }
        unreachable!("every value is within the widest window")
    }

    /// Looks at the moves until one is beyond the window. The value of the best one, or a bound on it; `None`
    /// if it was stopped. A move that is known to be better than those before goes to the front and into
    /// `so_far`.
    fn pass(
        &mut self,
        position: &G::Position,
        depth: u32,
        moves: &mut [Pit],
        window: Window,
        so_far: &mut Option<(Pit, Score)>,
    ) -> Option<Score> {
        let (mut open, mut best) = (window, Score::LOWEST);
        for place in 0..moves.len() {
            let pit = moves[place];
            let mut value = if place == 0 {
                self.value_at_root(position, pit, depth, open)
            } else {
                self.value_at_root(position, pit, depth, Window::above(open.alpha))
            };
            if !self.stopped && place > 0 && open.alpha < value && value < open.beta {
                value = self.value_at_root(position, pit, depth, open);
            }
            if self.stopped {
                return None;
            }
            best = best.max(value);
            if value > open.alpha {
                open.alpha = value;
                moves[..=place].rotate_right(1);
                *so_far = Some((pit, value));
            }
            if value >= open.beta {
                break;
            }
        }
        Some(best)
    }
}
