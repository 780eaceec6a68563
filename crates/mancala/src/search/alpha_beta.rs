//! Minimax with alpha-beta pruning, ordering and a transposition table.

use super::notes::Notes;
use super::options::Preference;
use super::order::Order;
use super::table::{Bound, Entry, Table, pairs_for};
use super::window::Window;
use super::{Found, Payoffs, Tree};
use crate::eval::{Evaluator, Score};
use crate::game::{Game, Pit, PitSet, Side};
use crate::progress::Progress;

/// The best move by alpha-beta, `depth` ≥ 1 plies deep: the very move and score of
/// [`minimax`](super::minimax). `None` if there is no legal move or the progress stopped the search.
pub fn alpha_beta<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    depth: u32,
    progress: &dyn Progress,
) -> Option<Found> {
    let mut search = AlphaBeta::new(tree, position, progress);
    let (pit, score) = search.best_by_deepening(position, depth, 0)?;
    Some(Found { pit, score, nodes: search.notes.nodes, depth })
}

/// The best line from `position`, at most `depth` plies long, by the values of the player at the root. It is
/// shorter if it comes to an end of the game or to a known position, and empty if the progress stopped it.
///
/// It is searched ply by ply after the move is known, so a search that is not asked for its line does not
/// pay for one.
pub fn principal_variation<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    depth: u32,
    progress: &dyn Progress,
) -> Vec<(Side, Pit)> {
    let mut search = AlphaBeta::new(tree, position, progress);
    let Tree { game, evaluator, .. } = tree;
    let mut line = Vec::new();
    let mut position = *position;
    for ply in 0..depth {
        let known = || evaluator.known(&position, search.root, ply).is_some();
        if game.ended(&position).is_some() || (ply > 0 && known()) {
            break;
        }
        let Some((pit, _)) = search.best_by_deepening(&position, depth - ply, ply) else {
            break;
        };
        line.push((game.to_move(&position), pit));
        position = game.play(&position, pit);
    }
    line
}

/// What every legal move is worth to the side to move.
pub fn payoffs<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    depth: u32,
    progress: &dyn Progress,
) -> Payoffs {
    let mut search = AlphaBeta::new(tree, position, progress);
    search.make_table(depth, pairs_for(depth));
    let moves = tree.game.moves(position);
    let values = moves.map(|pit| {
        let value = search.value_of_move(position, pit, Reach { depth, ply: 0 }, Window::FULL);
        (!search.stopped).then_some((pit, value))
    });
    let moves = values.map_while(|value| value).collect();
    Payoffs { moves, nodes: search.notes.nodes }
}

/// A node this many plies above the leaves asks the progress: seldom enough to cost nothing, often
/// enough to stop within a millisecond.
pub(super) const ASKING_DEPTH: u32 = 4;
/// Nodes between two checks of alpha-beta whether it should stop.
const CHECK_INTERVAL: u64 = 1024;
/// Searches from this depth on keep a table and deepen; below, it costs more than it saves.
const TABLE_DEPTH: u32 = 7;

pub(super) struct AlphaBeta<'a, G: Game, E> {
    tree: Tree<'a, G, E>,
    progress: &'a dyn Progress,
    root: Side,
    pub(super) notes: Notes,
    /// Nodes after which the search stops.
    budget: u64,
    /// Nodes after which the search checks again whether it should stop.
    next_check: u64,
    stopped: bool,
    table: Option<Table<G::Position>>,
}

/// Where a node is: plies left to search, plies from the root.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    pub(super) depth: u32,
    pub(super) ply: u32,
}

impl Reach {
    pub(super) fn of_child(self) -> Reach {
        Reach { depth: self.depth - 1, ply: self.ply + 1 }
    }
}

impl<'a, G: Game, E: Evaluator<G>> AlphaBeta<'a, G, E> {
    /// A search for the side to move in `position`.
    pub(super) fn new(
        tree: Tree<'a, G, E>,
        position: &G::Position,
        progress: &'a dyn Progress,
    ) -> Self {
        AlphaBeta {
            tree,
            progress,
            root: tree.game.to_move(position),
            notes: Notes::new(),
            budget: u64::MAX,
            next_check: 0,
            stopped: false,
            table: None,
        }
    }

    /// Makes a table of so many pairs for a search to `depth`, if it is worth one, and keeps what is known
    /// already.
    pub(super) fn make_table(&mut self, depth: u32, pairs: usize) {
        if depth >= TABLE_DEPTH {
            let table = self.table.take();
            let grown = table.map(|table| table.grown_to(pairs));
            self.table = Some(grown.unwrap_or_else(|| Table::with_pairs(pairs)));
        }
    }

    /// The best move for the side to move and its value for the root player, found after shallower
    /// searches where the order and the values that they leave pay for them.
    fn best_by_deepening(
        &mut self,
        position: &G::Position,
        depth: u32,
        ply: u32,
    ) -> Option<(Pit, Score)> {
        self.make_table(depth, pairs_for(depth));
        let shallowest = if depth >= TABLE_DEPTH { depth % 2 + 2 } else { depth };
        let (mut first, mut expected) = (None, None);
        for depth in (shallowest..=depth).step_by(2) {
            let (pit, value) = self.best(position, Reach { depth, ply }, first, expected)?;
            (first, expected) = (Some(pit), Some(value));
        }
        first.zip(expected)
    }

    /// The best move for the side to move, whichever it is, and its value for the root player; the
    /// lowest pit among equals, though `first` is searched first.
    ///
    /// With a table, whether the value is the expected one is asked first, and then whether it is the
    /// bound that the last answer gave, until it is (MTD(f)): a search with so narrow a window prunes
    /// more than is lost by asking again for what the table knows.
    pub(super) fn best(
        &mut self,
        position: &G::Position,
        reach: Reach,
        mut first: Option<Pit>,
        expected: Option<Score>,
    ) -> Option<(Pit, Score)> {
        let expected = expected.filter(|_| self.table.is_some());
        let mut window = expected.map_or(Window::FULL, Window::around);
        loop {
            let (pit, value) = self.best_within(position, reach, first, window)?;
            if window.alpha < value && value < window.beta {
                return Some((pit, value));
            }
            first = Some(pit);
            window = Window::around(value);
        }
    }

    /// [`best`](Self::best) if its value is inside the window; else some move, and a bound on the value
    /// on the same side of the window.
    fn best_within(
        &mut self,
        position: &G::Position,
        reach: Reach,
        first: Option<Pit>,
        window: Window,
    ) -> Option<(Pit, Score)> {
        let Tree { game, options, .. } = self.tree;
        let maximises = game.to_move(position) == self.root;
        let preference = Preference::new::<G>(options.ties, position);
        let mut best: Option<(Pit, Score)> = None;
        let first = first.map(PitSet::of).unwrap_or_default();
        for pit in Order::new(game.moves(position), first, || game.promising(position)) {
            // A preferred pit need only be as good: the window lets its equal through.
            let open = match best {
                None => window,
                Some((other, Score(value))) => {
                    let equal = i32::from(preference.prefers(pit, other));
                    if maximises {
                        Window { alpha: window.alpha.max(Score(value - equal)), ..window }
                    } else {
                        Window { beta: window.beta.min(Score(value + equal)), ..window }
                    }
                }
            };
            let value = self.value_of_move(position, pit, reach, open);
            let better = best.is_none_or(|(_, known)| {
                if maximises { value > open.alpha.min(known) } else { value < open.beta.max(known) }
            });
            if better {
                best = Some((pit, value));
            }
            if if maximises { value >= window.beta } else { value <= window.alpha } {
                break;
            }
        }
        best.filter(|_| !self.stopped)
    }

    /// The value of a move for the root player if it is inside the window; else a bound on it on the same
    /// side of the window. `reach` is that of the position that it is made in.
    fn value_of_move(
        &mut self,
        position: &G::Position,
        pit: Pit,
        reach: Reach,
        window: Window,
    ) -> Score {
        if reach.depth == 1 {
            self.notes.nodes += 1;
            return self.tree.leaf(position, pit, reach.ply + 1, self.root, &mut self.notes.nodes);
        }
        let child = self.tree.game.play(position, pit);
        self.value(&child, reach.of_child(), window)
    }

    /// The same of a position, one ply or more above the leaves.
    #[inline(always)]
    fn value(&mut self, position: &G::Position, reach: Reach, window: Window) -> Score {
        self.notes.nodes += 1;
        let Reach { depth, ply } = reach;
        let moves = self.tree.game.moves(position);
        if let Some(ending) = self.tree.game.ending(position, moves) {
            return self.tree.evaluator.value_end(self.tree.game, position, ending, self.root, ply);
        }
        if let Some(score) = self.tree.evaluator.known(position, self.root, ply) {
            return score;
        }
        match depth {
            // Searched faster than looked up.
            1 => self.notes.best_leaf(self.tree, position, moves, (self.root, ply), window),
            _ if self.should_stop() => Score::DRAW,
            _ => self.looked_up(position, moves, reach, window),
        }
    }

    /// Sets the number of nodes after which the search stops.
    pub(super) fn set_budget(&mut self, nodes: u64) {
        self.budget = nodes;
        self.next_check = 0;
    }

    /// Returns whether the search has entered more nodes than its budget.
    pub(super) fn is_over_budget(&self) -> bool {
        self.notes.nodes > self.budget
    }

    #[inline(always)]
    fn should_stop(&mut self) -> bool {
        self.notes.nodes >= self.next_check && self.check()
    }

    #[cold]
    #[inline(never)]
    fn check(&mut self) -> bool {
        let nodes = self.notes.nodes;
        self.stopped = self.stopped || nodes >= self.budget || self.progress.should_stop();
        self.next_check = if self.stopped { 0 } else { self.budget.min(nodes + CHECK_INTERVAL) };
        self.stopped
    }

    /// The value from the table if it is known there; else it is searched and kept.
    #[inline(never)]
    fn looked_up(
        &mut self,
        position: &G::Position,
        moves: PitSet,
        reach: Reach,
        window: Window,
    ) -> Score {
        let Reach { depth, ply } = reach;
        let killer = self.notes.killers[ply as usize];
        let Some(table) = &self.table else {
            return self.searched(position, moves, reach, window, killer).0;
        };
        let place = table.place(position);
        let entry = table.get(place, position);
        if let Some(value) = entry.and_then(|e| e.value(depth, ply, window.alpha, window.beta)) {
            return value;
        }
        let first = entry.and_then(|entry| entry.best).map_or(killer, PitSet::of);
        let (value, best) = self.searched(position, moves, reach, window, first);
        if !self.stopped
            && let Some(table) = &mut self.table
        {
            let bound = match value {
                value if value >= window.beta => Bound::Lower,
                value if value <= window.alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            table.put(place, Entry::new(*position, depth, ply, value, bound, best));
        }
        value
    }

    /// The value by searching the children, and the move that it is due to, if there is one.
    #[inline(always)]
    fn searched(
        &mut self,
        position: &G::Position,
        moves: PitSet,
        reach: Reach,
        window: Window,
        first: PitSet,
    ) -> (Score, Option<Pit>) {
        if self.tree.game.to_move(position) == self.root {
            self.extreme::<true>(position, moves, reach, window, first)
        } else {
            self.extreme::<false>(position, moves, reach, window, first)
        }
    }

    /// [`searched`](Self::searched), compiled for each side of the root player.
    #[inline(always)]
    fn extreme<const MAXIMISES: bool>(
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
        for pit in Order::new(moves, first, || game.promising(position)) {
            let child = game.play(position, pit);
            let found = self.value(&child, reach.of_child(), window);
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
}
