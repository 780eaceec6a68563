//! The search of one thread through the tree.
//!
//! As everywhere, values are those for the player at the root, and the side to move decides whether the
//! highest or the lowest counts: a side may move twice. In the table they are those for the side to move, so
//! that what was found for one player serves the other in its turn.

use super::super::Tree;
use super::super::alpha_beta::{ASKING_DEPTH, Reach};
use super::super::notes::Notes;
use super::super::order::Order;
use super::super::table::Bound;
use super::super::window::Window;
use super::Selection;
use super::busy::{Busy, Task};
use super::clock::Clock;
use super::table::{Known, Table};
use super::turns::Turns;
use crate::eval::{Evaluator, Perspective, Score};
use crate::game::{Game, Key, Pit, PitSet, Side};

/// Nodes from this depth on are looked up in the table. Below, that takes longer than searching them.
const TABLE_DEPTH: u32 = 3;

/// Moves of positions that are deeper are shared out among threads. Below, it does not matter who searches them.
const SHARED_DEPTH: u32 = 5;

/// One of the threads of a search.
pub(super) struct Worker<'a, G: Game, E> {
    pub(super) tree: Tree<'a, G, E>,
    pub(super) table: &'a Table,
    pub(super) clock: &'a Clock<'a>,
    /// What other threads search, if there are some.
    busy: Option<&'a Busy>,
    selection: Selection,
    /// The worth of a captured seed.
    seed_value: i32,
    root: Side,
    /// Makes keys of their own for each player, where its values are not those of the other with the sign
    /// turned.
    salt: u64,
    pub(super) notes: Notes,
    /// Nodes after which the search stops.
    pub(super) budget: u64,
    pub(super) stopped: bool,
    /// Of a helping thread: the nodes that the clock has counted already.
    counted: Option<u64>,
}

impl<'a, G: Game, E: Evaluator<G>> Worker<'a, G, E> {
    /// A thread that searches for the side to move in `position`.
    pub(super) fn new(
        tree: Tree<'a, G, E>,
        table: &'a Table,
        clock: &'a Clock<'a>,
        selection: Selection,
        seed_value: i32,
        position: &G::Position,
    ) -> Self {
        let root = tree.game.to_move(position);
        let salt = match (tree.options.perspective, root) {
            (Perspective::Mover, _) => 0,
            (Perspective::Root, Side::South) => 0x6A09_E667_F3BC_C908,
            (Perspective::Root, Side::North) => 0xBB67_AE85_84CA_A73B,
        };
        Worker {
            tree,
            table,
            clock,
            busy: None,
            selection: selection.unlimited(),
            seed_value,
            root,
            salt,
            notes: Notes::new(),
            budget: u64::MAX,
            stopped: false,
            counted: None,
        }
    }

    /// The same among other threads, if there are some.
    pub(super) fn among(self, busy: Option<&'a Busy>) -> Self {
        Worker { busy, ..self }
    }

    /// The same as a thread that helps another.
    pub(super) fn helping(self) -> Self {
        Worker { counted: Some(0), ..self }
    }

    /// The key of a position in the table.
    #[inline(always)]
    pub(super) fn key(&self, position: &G::Position) -> Key {
        let Key { place, check } = self.tree.game.key(position);
        Key { place, check: check ^ self.salt }
    }

    /// The value of a move at the root for the player there, if it is inside the window; else a bound on it
    /// on the same side of the window.
    pub(super) fn value_at_root(
        &mut self,
        position: &G::Position,
        pit: Pit,
        depth: u32,
        window: Window,
    ) -> Score {
        if depth == 1 {
            self.notes.nodes += 1;
            return self.tree.leaf(position, pit, 1, self.root, &mut self.notes.nodes);
        }
        let child = self.tree.game.play(position, pit);
        self.value(&child, Reach { depth: depth - 1, ply: 1 }, window)
    }

    /// The same of a position, one ply or more above the leaves.
    fn value(&mut self, position: &G::Position, reach: Reach, window: Window) -> Score {
        self.notes.nodes += 1;
        let moves = self.tree.game.moves(position);
        if let Some(ending) = self.tree.game.ending(position, moves) {
            let Tree { game, evaluator, .. } = self.tree;
            return evaluator.value_end(game, position, ending, self.root, reach.ply);
        }
        if let Some(score) = self.tree.evaluator.known(position, self.root, reach.ply) {
            return score;
        }
        self.valued(position, moves, reach, window)
    }

    /// The same of a position in which the game goes on, and which no endgame table knows.
    fn valued(
        &mut self,
        position: &G::Position,
        moves: PitSet,
        reach: Reach,
        window: Window,
    ) -> Score {
        let Reach { depth, ply } = reach;
        if depth == 1 {
            return self.notes.best_leaf(self.tree, position, moves, (self.root, ply), window);
        }
        if self.should_stop(depth) {
            self.stopped = true;
            return Score::DRAW;
        }
        if depth as i32 <= self.selection.still_to
            && window.is_question()
            && let Some(value) = self.standing(position, reach, window)
        {
            return value;
        }
        let maximises = self.tree.game.to_move(position) == self.root;
        if depth < TABLE_DEPTH {
            let killer = self.notes.killers[ply as usize];
            return self.searched(position, moves, reach, window, killer, maximises).0;
        }
        self.looked_up(position, moves, reach, window, maximises)
    }

    #[inline]
    fn should_stop(&mut self, depth: u32) -> bool {
        if self.stopped || self.notes.nodes >= self.budget {
            return true;
        }
        depth >= ASKING_DEPTH && self.asks()
    }

    fn asks(&mut self) -> bool {
        match &mut self.counted {
            None => self.clock.asked(),
            Some(counted) => {
                self.clock.count(self.notes.nodes - *counted);
                *counted = self.notes.nodes;
                self.clock.is_over()
            }
        }
    }

    /// The value from the table if it is known there as deep or deeper; else it is searched and kept.
    fn looked_up(
        &mut self,
        position: &G::Position,
        moves: PitSet,
        reach: Reach,
        window: Window,
        maximises: bool,
    ) -> Score {
        let Reach { depth, ply } = reach;
        let key = self.key(position);
        let known = self.table.get(key);
        if let Some(known) = known
            && let Some(value) = self.sufficient(known, reach, maximises, window)
        {
            return value;
        }
        let cut = if depth as i32 >= self.selection.cut_from && window.is_question() {
            self.foreseen(position, moves, reach, window)
        } else {
            None
        };
        let (value, best) = match cut {
            Some(value) => (value, None),
            None => {
                // A shallower search may have found one.
                let known = known.or_else(|| self.table.get(key));
                let killer = self.notes.killers[ply as usize];
                let first = known.and_then(|known| known.best).map_or(killer, PitSet::of);
                self.searched(position, moves, reach, window, first, maximises)
            }
        };
        if !self.stopped {
            let bound = match (value, maximises) {
                (value, true) if value >= window.beta => Bound::Lower,
                (value, false) if value >= window.beta => Bound::Upper,
                (value, true) if value <= window.alpha => Bound::Upper,
                (value, false) if value <= window.alpha => Bound::Lower,
                _ => Bound::Exact,
            };
            let value = if maximises { value } else { -value };
            self.table.put(key, Known::new(value, bound, depth, ply, best));
        }
        value
    }

    /// The value of a position by what the table knows of it, if that suffices for the window.
    #[inline(always)]
    fn sufficient(
        &self,
        known: Known,
        Reach { depth, ply }: Reach,
        maximises: bool,
        window: Window,
    ) -> Option<Score> {
        let is_deep = known.depth == depth || known.depth > depth && self.selection.deeper;
        let value = if maximises { known.at(ply) } else { -known.at(ply) };
        let suffices = match (known.bound, maximises) {
            (Bound::Exact, _) => true,
            (Bound::Lower, true) | (Bound::Upper, false) => value >= window.beta,
            (Bound::Upper, true) | (Bound::Lower, false) => value <= window.alpha,
        };
        (is_deep && suffices).then_some(value)
    }

    /// The bound of the window that the value is beyond in all likelihood, since that of a shallower search is
    /// by a margin.
    fn foreseen(
        &mut self,
        position: &G::Position,
        moves: PitSet,
        reach: Reach,
        window: Window,
    ) -> Option<Score> {
        if window.alpha.counts_plies() || window.beta.counts_plies() {
            return None;
        }
        let Selection { cut_from, margin, widening, shallower, sides, .. } = self.selection;
        let margin = self.seeds(margin + widening * (reach.depth as i32 - cut_from));
        let shallow = Reach { depth: reach.depth.saturating_sub(shallower as u32).max(1), ..reach };
        let (low, high) = (Score(window.alpha.0 - margin), Score(window.beta.0 + margin));
        let is_above = (sides == 1).then(|| {
            let still = self.tree.still(position, reach.ply, self.root, &mut self.notes.nodes);
            still >= window.beta
        });
        if is_above != Some(false) {
            let value = self.valued(position, moves, shallow, Window::below(high));
            if value >= high {
                return Some(window.beta);
            }
            if value <= low {
                return Some(window.alpha);
            }
        }
        if is_above == Some(true) {
            return None;
        }
        let value = self.valued(position, moves, shallow, Window::above(low));
        (value <= low).then_some(window.alpha)
    }

    /// The same of a position whose evaluation is beyond the window by a margin, without a search.
    fn standing(&mut self, position: &G::Position, reach: Reach, window: Window) -> Option<Score> {
        if window.alpha.counts_plies() || window.beta.counts_plies() {
            return None;
        }
        let margin = self.seeds(self.selection.still_margin * reach.depth as i32);
        let value = self.tree.still(position, reach.ply, self.root, &mut self.notes.nodes);
        if value.0 >= window.beta.0 + margin {
            Some(window.beta)
        } else if value.0 <= window.alpha.0 - margin {
            Some(window.alpha)
        } else {
            None
        }
    }

    /// What hundredths of a captured seed are worth.
    pub(super) fn seeds(&self, hundredths: i32) -> i32 {
        (i64::from(hundredths) * i64::from(self.seed_value) / 100) as i32
    }

    /// The value by searching the children, and the move that it is due to, if there is one.
    #[inline]
    fn searched(
        &mut self,
        position: &G::Position,
        moves: PitSet,
        reach: Reach,
        window: Window,
        first: PitSet,
        maximises: bool,
    ) -> (Score, Option<Pit>) {
        let is_shared = reach.depth > SHARED_DEPTH && self.busy.is_some();
        match (maximises, is_shared) {
            (true, false) => self.extreme::<true, false>(position, moves, reach, window, first),
            (false, false) => self.extreme::<false, false>(position, moves, reach, window, first),
            (true, true) => self.extreme::<true, true>(position, moves, reach, window, first),
            (false, true) => self.extreme::<false, true>(position, moves, reach, window, first),
        }
    }

    /// [`searched`](Self::searched), compiled for each side of the root player, and for positions whose moves are
    /// shared out among threads.
    fn extreme<const MAXIMISES: bool, const SHARED: bool>(
        &mut self,
        position: &G::Position,
        moves: PitSet,
        reach: Reach,
        mut window: Window,
        first: PitSet,
    ) -> (Score, Option<Pit>) {
        let mut value = if MAXIMISES { Score::LOWEST } else { Score::HIGHEST };
        let mut best = None;
        let game = self.tree.game;
        let below = reach.of_child();
        let busy = self.busy.filter(|_| SHARED);
        let mut turns = Turns::of(Order::new(moves, first, || game.promising(position)));
        let mut place = 0;
        while let Some(pit) = turns.next() {
            let child = game.play(position, pit);
            if below.depth >= TABLE_DEPTH {
                self.table.fetch(self.key(&child));
            }
            let found = if place == 0 || below.depth == 1 {
                self.value(&child, below, window)
            } else {
                let task = busy.map(|busy| busy.of(self.key(&child), below.depth));
                if task.as_ref().is_some_and(Task::is_taken) && turns.put_off(pit) {
                    continue;
                }
                let _taken = task.map(Task::take);
                let is_late = place >= self.selection.early
                    && reach.depth as i32 >= self.selection.reduced_from
                    && !game.captured(position, pit, &child);
                self.questioned::<MAXIMISES>(&child, below, window, is_late)
            };
            place += 1;
            value = if MAXIMISES { value.max(found) } else { value.min(found) };
            if MAXIMISES && value > window.alpha {
                (window.alpha, best) = (value, Some(pit));
            } else if !MAXIMISES && value < window.beta {
                (window.beta, best) = (value, Some(pit));
            }
            if window.alpha >= window.beta {
                self.notes.killers[reach.ply as usize] = PitSet::of(pit);
                break;
            }
        }
        (value, best)
    }

    /// The value of a child that is hardly the best: whether it is better is asked first, of a late one by a
    /// shallower search.
    fn questioned<const MAXIMISES: bool>(
        &mut self,
        child: &G::Position,
        below: Reach,
        window: Window,
        is_late: bool,
    ) -> Score {
        let question =
            if MAXIMISES { Window::above(window.alpha) } else { Window::below(window.beta) };
        let is_better = |value| if MAXIMISES { value > window.alpha } else { value < window.beta };
        if is_late {
            let depth = below.depth.saturating_sub(self.selection.reduction as u32).max(1);
            let value = self.value(child, Reach { depth, ..below }, question);
            if !is_better(value) {
                return value;
            }
        }
        let value = self.value(child, below, question);
        if window.is_question() || !window.contains(value) {
            return value;
        }
        self.value(child, below, window)
    }
}
