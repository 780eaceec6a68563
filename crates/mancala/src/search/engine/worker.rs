//! The tree search of a single thread.
//!
//! All values, including those in the table, are for the side to move, so that searches for either player can use them.

use std::sync::atomic::Ordering::Relaxed;

use super::super::Tree;
use super::super::alpha_beta::CHECK_DEPTH;
use super::super::order::Order;
use super::super::table::{Bound, Entry};
use super::super::tree::{Level, SearchState, Window};
use super::Selectivity;
use super::shared::{AbdadaMarks, Clock};
use super::table::Table;
use crate::eval::{Evaluator, Perspective, Score};
use crate::game::{Game, Key, Pit, PitSet, Side};

/// The minimum depth at which we use the table. It's faster to search shallower nodes than to look them up.
const TABLE_DEPTH: u32 = 3;

/// At nodes with more depth left than this, we mark moves so that threads don't search the same move at the same time.
const SHARED_DEPTH: u32 = 5;

pub(super) struct Worker<'a, G: Game, E> {
    pub(super) tree: Tree<'a, G, E>,
    pub(super) table: &'a Table,
    pub(super) clock: &'a Clock<'a>,
    /// The marks shared by all threads. `None` if there is only one thread.
    marks: Option<&'a AbdadaMarks>,
    selectivity: Selectivity,
    pub(super) seed_value: i32,
    root: Side,
    /// XORed with every key, so that players don't share entries if their values aren't negatives of each other.
    salt: u64,
    pub(super) state: SearchState,
    pub(super) budget: u64,
    pub(super) stopped: bool,
    /// The number of nodes that a helper thread has reported to the clock. `None` in the main thread.
    pub(super) reported: Option<u64>,
}

impl<'a, G: Game, E: Evaluator<G>> Worker<'a, G, E> {
    pub(super) fn new(
        tree: Tree<'a, G, E>,
        table: &'a Table,
        clock: &'a Clock<'a>,
        marks: Option<&'a AbdadaMarks>,
        selectivity: Selectivity,
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
            marks,
            // With a seed value of 0, margins would be 0. The parameters weren't tuned for that, so don't use them.
            selectivity: if seed_value > 0 { selectivity } else { Selectivity::NONE }.without_off(),
            seed_value,
            root,
            salt,
            state: SearchState::new(),
            budget: u64::MAX,
            stopped: false,
            reported: None,
        }
    }

    #[inline(always)]
    pub(super) fn key(&self, position: &G::Position) -> Key {
        let Key { place, check } = self.tree.game.key(position);
        Key { place, check: check ^ self.salt }
    }

    /// Returns the value of a move at the root, or a bound that is on the same side of the window as the value.
    pub(super) fn value_at_root(
        &mut self,
        position: &G::Position,
        pit: Pit,
        depth: u32,
        window: Window,
    ) -> Score {
        if depth == 1 {
            self.state.nodes += 1;
            return self.tree.leaf(position, pit, 1, self.root, &mut self.state.nodes);
        }
        let child = self.tree.game.play(position, pit);
        self.value(&child, self.root, Level { depth: depth - 1, ply: 1 }, window)
    }

    /// Returns a position's value (or a bound) for `mover`, who has just moved. `level.depth` must be at least 1.
    fn value(
        &mut self,
        position: &G::Position,
        mover: Side,
        level: Level,
        window: Window,
    ) -> Score {
        self.state.nodes += 1;
        let Tree { game, evaluator, .. } = self.tree;
        let moves = game.moves(position);
        let ending = game.ending(position, moves);
        if let Some(score) = evaluator.known_value(game, position, ending, self.root, level.ply) {
            return score.signed(mover == self.root);
        }
        let moves_again = game.moves_again(mover, position);
        let value = self.unfinished_value(position, moves, level, window.signed(moves_again));
        value.signed(moves_again)
    }

    /// Returns the value of an unfinished position that is not in the endgame tables, or a bound on the value.
    fn unfinished_value(
        &mut self,
        position: &G::Position,
        moves: PitSet,
        level: Level,
        window: Window,
    ) -> Score {
        let Level { depth, ply } = level;
        if depth == 1 {
            return self.state.best_leaf(self.tree, position, moves, (self.root, ply), window);
        }
        if self.should_stop(depth) {
            self.stopped = true;
            return Score::DRAW;
        }
        if depth as i32 <= self.selectivity.futility_depth
            && window.is_null_window()
            && let Some(value) = self.reverse_futility(position, level, window)
        {
            return value;
        }
        if depth < TABLE_DEPTH {
            let killer = self.state.killers[ply as usize];
            return self.search_moves(position, moves, level, window, killer).0;
        }
        self.value_with_table(position, moves, level, window)
    }

    #[inline]
    fn should_stop(&mut self, depth: u32) -> bool {
        if self.stopped || self.state.nodes >= self.budget {
            return true;
        }
        depth >= CHECK_DEPTH && self.check_clock()
    }

    fn check_clock(&mut self) -> bool {
        match &mut self.reported {
            None => self.clock.check(),
            Some(reported) => {
                self.clock.helper_nodes.fetch_add(self.state.nodes - *reported, Relaxed);
                *reported = self.state.nodes;
                self.clock.is_over()
            }
        }
    }

    /// Looks up the value in the table. If it isn't there, searches the position and stores the value.
    fn value_with_table(
        &mut self,
        position: &G::Position,
        moves: PitSet,
        level: Level,
        window: Window,
    ) -> Score {
        let Level { depth, ply } = level;
        let key = self.key(position);
        let entry = self.table.get(key);
        if let Some(entry) = entry
            && (entry.depth == depth as u8 || entry.depth > depth as u8 && self.selectivity.deeper)
            && let Some(value) = entry.value(ply, window)
        {
            return value;
        }
        let cut = if depth as i32 >= self.selectivity.probcut_depth && window.is_null_window() {
            self.prob_cut(position, moves, level, window)
        } else {
            None
        };
        let (value, best) = match cut {
            Some(value) => (value, None),
            None => {
                // If there was no entry before, the ProbCut search may have stored one in the meantime.
                let entry = entry.or_else(|| self.table.get(key));
                let killer = self.state.killers[ply as usize];
                let first = entry.and_then(|entry| entry.best).map_or(killer, PitSet::of);
                self.search_moves(position, moves, level, window, first)
            }
        };
        if !self.stopped {
            self.table.put(key, Entry::new(value, window.bound(value), level, best));
        }
        value
    }

    /// Returns a bound of the window if a shallower search returns a value that is beyond this bound by a margin,
    /// because then the true value is probably beyond the bound, too.
    fn prob_cut(
        &mut self,
        position: &G::Position,
        moves: PitSet,
        level: Level,
        window: Window,
    ) -> Option<Score> {
        if window.alpha.counts_plies() || window.beta.counts_plies() {
            return None;
        }
        // The two tests aren't symmetric, so we always run them from the point of view of the player at the root.
        let is_root = self.tree.game.to_move(position) == self.root;
        let window = window.signed(is_root);
        let Selectivity {
            probcut_depth,
            probcut_margin,
            probcut_margin_per_ply,
            probcut_reduction,
            probcut_sides,
            ..
        } = self.selectivity;
        let extra_plies = level.depth as i32 - probcut_depth;
        let margin = self.seeds(probcut_margin + probcut_margin_per_ply * extra_plies);
        let depth = level.depth.saturating_sub(probcut_reduction as u32).max(1);
        let shallow = Level { depth, ..level };
        let (low, high) = (Score(window.alpha.0 - margin), Score(window.beta.0 + margin));
        let is_above = (probcut_sides == 1).then(|| {
            let value =
                self.tree.static_value(position, level.ply, self.root, &mut self.state.nodes);
            value.signed(is_root) >= window.beta
        });
        let mut shallow_value = |window: Window| {
            self.unfinished_value(position, moves, shallow, window.signed(is_root)).signed(is_root)
        };
        if is_above != Some(false) {
            let value = shallow_value(Window::below(high));
            if value >= high {
                return Some(window.beta.signed(is_root));
            }
            if value <= low {
                return Some(window.alpha.signed(is_root));
            }
        }
        if is_above == Some(true) {
            return None;
        }
        (shallow_value(Window::above(low)) <= low).then_some(window.alpha.signed(is_root))
    }

    /// If the static value is beyond a bound of the window by a margin, returns that bound.
    fn reverse_futility(
        &mut self,
        position: &G::Position,
        level: Level,
        window: Window,
    ) -> Option<Score> {
        if window.alpha.counts_plies() || window.beta.counts_plies() {
            return None;
        }
        let margin = self.seeds(self.selectivity.futility_margin * level.depth as i32);
        let value = self.tree.static_value(position, level.ply, self.root, &mut self.state.nodes);
        if value.0 >= window.beta.0 + margin {
            Some(window.beta)
        } else if value.0 <= window.alpha.0 - margin {
            Some(window.alpha)
        } else {
            None
        }
    }

    /// Converts hundredths of a captured seed to a score. Rounds up, since a margin of 0 would prune almost everything.
    pub(super) fn seeds(&self, hundredths: i32) -> i32 {
        ((i64::from(hundredths) * i64::from(self.seed_value) + 99) / 100) as i32
    }

    /// Searches a node's moves. Returns the node's value and, if it's above alpha, the move that has this value.
    fn search_moves(
        &mut self,
        position: &G::Position,
        moves: PitSet,
        level: Level,
        mut window: Window,
        first: PitSet,
    ) -> (Score, Option<Pit>) {
        let (mut value, mut best) = (Score::LOWEST, None);
        let game = self.tree.game;
        let mover = game.to_move(position);
        let below = level.child();
        let marks = self.marks.filter(|_| level.depth > SHARED_DEPTH);
        let mut order = Order::new(moves, first, || game.promising(position));
        let (mut place, mut deferred, mut is_deferred) = (0, PitSet::default(), false);
        // If another thread is searching a move, we defer the move until we've visited all others.
        while let Some(pit) = order.next().or_else(|| {
            is_deferred = true;
            deferred.next()
        }) {
            let child = game.play(position, pit);
            if below.depth >= TABLE_DEPTH {
                self.table.prefetch(self.key(&child));
            }
            let child_value = if place == 0 || below.depth == 1 {
                self.value(&child, mover, below, window)
            } else {
                let mark = marks.map(|marks| marks.slot(self.key(&child), below.depth));
                if let Some((slot, value)) = mark {
                    if !is_deferred && slot.load(Relaxed) == value {
                        deferred = PitSet::from_bits(deferred.bits() | PitSet::of(pit).bits());
                        continue;
                    }
                    slot.store(value, Relaxed);
                }
                let is_late = place >= self.selectivity.lmr_move_count
                    && level.depth as i32 >= self.selectivity.lmr_depth
                    && !game.captured(position, pit, &child);
                let value = self.principal_variation_search(&child, mover, below, window, is_late);
                if let Some((slot, _)) = mark {
                    slot.store(0, Relaxed);
                }
                value
            };
            place += 1;
            value = value.max(child_value);
            if value > window.alpha {
                (window.alpha, best) = (value, Some(pit));
            }
            if value >= window.beta {
                self.state.killers[level.ply as usize] = PitSet::of(pit);
                break;
            }
        }
        (value, best)
    }

    /// Searches a child that is probably not the best. Starts with a null window, at reduced depth if the move is late.
    fn principal_variation_search(
        &mut self,
        child: &G::Position,
        mover: Side,
        below: Level,
        window: Window,
        is_late: bool,
    ) -> Score {
        let null_window = Window::above(window.alpha);
        if is_late {
            let depth = below.depth.saturating_sub(self.selectivity.lmr_reduction as u32).max(1);
            let value = self.value(child, mover, Level { depth, ..below }, null_window);
            if value <= window.alpha {
                return value;
            }
        }
        let value = self.value(child, mover, below, null_window);
        if window.is_null_window() || window.bound(value) != Bound::Exact {
            return value;
        }
        self.value(child, mover, below, window)
    }
}
