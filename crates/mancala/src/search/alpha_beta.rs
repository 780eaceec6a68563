//! Minimax search with alpha-beta pruning, move ordering and a transposition table.

use super::options::Preference;
use super::order::Order;
use super::table::{Bound, Entry, Table, pairs_for};
use super::tree::{Level, SearchState, Window};
use super::{MoveValues, SearchResult, Tree};
use crate::eval::{Evaluator, Score};
use crate::game::{Game, Pit, PitSet, Side};
use crate::progress::Progress;

/// Finds the best move with an alpha-beta search of `depth` plies, which must be at least 1. Returns the same move and
/// score as [`minimax`](super::minimax), or `None` if there is no legal move or `progress` stopped the search.
pub fn alpha_beta<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    depth: u32,
    progress: &dyn Progress,
) -> Option<SearchResult> {
    let mut search = AlphaBeta::new(tree, position, progress);
    let (pit, score) = search.best_by_deepening(position, depth, 0)?;
    Some(SearchResult { pit, score, nodes: search.state.nodes, depth })
}

/// Finds the principal variation for the player at the root. The line has up to `depth` plies and stops at the end of
/// the game or at a known value. We search again at every ply, so that other searches don't have to track a line.
pub fn principal_variation<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    depth: u32,
) -> Vec<(Side, Pit)> {
    let mut search = AlphaBeta::new(tree, position, &());
    let Tree { game, evaluator, .. } = tree;
    let mut line = Vec::new();
    let mut position = *position;
    for ply in 0..depth {
        let is_known = || evaluator.exact_value(&position, search.root, ply).is_some();
        if game.ended(&position).is_some() || (ply > 0 && is_known()) {
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

/// Returns the value of every legal move for the side to move.
pub fn move_values<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    depth: u32,
    progress: &dyn Progress,
) -> MoveValues {
    let mut search = AlphaBeta::new(tree, position, progress);
    search.make_table(depth, pairs_for(depth));
    let moves = tree.game.moves(position);
    let values = moves.map(|pit| {
        let value = search.value_of_move(position, pit, Level { depth, ply: 0 }, Window::FULL);
        (!search.stopped).then_some((pit, value))
    });
    let moves = values.map_while(|value| value).collect();
    MoveValues { moves, nodes: search.state.nodes }
}

/// The engine and reference searches check for a stop at this depth or more. It's cheap, and stopping takes about 1 ms.
pub(super) const CHECK_DEPTH: u32 = 4;
/// The number of nodes that we visit between checks of whether to stop.
const CHECK_INTERVAL: u64 = 1024;
/// The minimum depth for a table and iterative deepening. Shallower searches are faster without them.
const TABLE_DEPTH: u32 = 7;

pub(super) struct AlphaBeta<'a, G: Game, E> {
    tree: Tree<'a, G, E>,
    progress: &'a dyn Progress,
    root: Side,
    pub(super) state: SearchState,
    /// The node count at which the search stops.
    pub(super) budget: u64,
    /// The node count at which the search next checks whether to stop.
    pub(super) next_check: u64,
    stopped: bool,
    table: Option<Table<G::Position>>,
}

impl<'a, G: Game, E: Evaluator<G>> AlphaBeta<'a, G, E> {
    pub(super) fn new(
        tree: Tree<'a, G, E>,
        position: &G::Position,
        progress: &'a dyn Progress,
    ) -> Self {
        AlphaBeta {
            tree,
            progress,
            root: tree.game.to_move(position),
            state: SearchState::new(),
            budget: u64::MAX,
            next_check: 0,
            stopped: false,
            table: None,
        }
    }

    /// Creates a table with `pairs` pairs, or grows the existing one, unless `depth` is too low for a table.
    pub(super) fn make_table(&mut self, depth: u32, pairs: usize) {
        if depth >= TABLE_DEPTH {
            let table = self.table.take();
            let grown = table.map(|table| table.grown_to(pairs));
            self.table = Some(grown.unwrap_or_else(|| Table::with_pairs(pairs)));
        }
    }

    /// Finds the best move and its value. Searches at lower depths first, because that improves the move ordering.
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
            let (pit, value) = self.best(position, Level { depth, ply }, first, expected)?;
            (first, expected) = (Some(pit), Some(value));
        }
        first.zip(expected)
    }

    /// Finds the best move for the side to move and its value. The move `first` is searched first but gets no
    /// preference among equally good moves.
    ///
    /// If there is a table, this is an MTD(f) search with repeated narrow windows, first around the expected value and
    /// then around the bound we found. The additional pruning saves more than the extra searches cost.
    pub(super) fn best(
        &mut self,
        position: &G::Position,
        level: Level,
        mut first: Option<Pit>,
        expected: Option<Score>,
    ) -> Option<(Pit, Score)> {
        let expected = expected.filter(|_| self.table.is_some());
        let mut window = expected.map_or(Window::FULL, Window::around);
        loop {
            let (pit, value) = self.best_within(position, level, first, window)?;
            if window.bound(value) == Bound::Exact {
                return Some((pit, value));
            }
            first = Some(pit);
            window = Window::around(value);
        }
    }

    /// Like [`best`](Self::best), but if the value is outside the window, it is only a bound and the move is arbitrary.
    fn best_within(
        &mut self,
        position: &G::Position,
        level: Level,
        first: Option<Pit>,
        window: Window,
    ) -> Option<(Pit, Score)> {
        let Tree { game, options, .. } = self.tree;
        let preference = Preference::new::<G>(options.ties, position);
        let mut best: Option<(Pit, Score)> = None;
        let first = first.map(PitSet::of).unwrap_or_default();
        for pit in Order::new(game.moves(position), first, || game.promising(position)) {
            // If we prefer this pit in case of a tie, widen the window to include values that are equal to the best.
            let alpha = best.map_or(window.alpha, |(other, Score(value))| {
                window.alpha.max(Score(value - i32::from(preference.prefers(pit, other))))
            });
            let value = self.value_of_move(position, pit, level, Window { alpha, ..window });
            if best.is_none_or(|(_, known)| value > alpha.min(known)) {
                best = Some((pit, value));
            }
            if value >= window.beta {
                break;
            }
        }
        best.filter(|_| !self.stopped)
    }

    /// Returns the value of a move (or a bound) for the side that makes it. `level` is the level before the move.
    fn value_of_move(
        &mut self,
        position: &G::Position,
        pit: Pit,
        level: Level,
        window: Window,
    ) -> Score {
        if level.depth == 1 {
            self.state.nodes += 1;
            return self.tree.leaf(position, pit, level.ply + 1, self.root, &mut self.state.nodes);
        }
        let game = self.tree.game;
        self.value(&game.play(position, pit), game.to_move(position), level.child(), window)
    }

    /// Returns the value of a position for `mover`, who has just moved. The position is at least one ply above the
    /// leaves. If the value is outside the window, it is only a bound.
    #[inline(always)]
    fn value(
        &mut self,
        position: &G::Position,
        mover: Side,
        level: Level,
        window: Window,
    ) -> Score {
        self.state.nodes += 1;
        let Level { depth, ply } = level;
        let Tree { game, evaluator, .. } = self.tree;
        let moves = game.moves(position);
        let ending = game.ending(position, moves);
        if let Some(score) = evaluator.known_value(game, position, ending, self.root, ply) {
            return score.signed(mover == self.root);
        }
        let moves_again = game.moves_again(mover, position);
        let window = window.signed(moves_again);
        let value = match depth {
            // Evaluating the leaves is faster than a table lookup.
            1 => self.state.best_leaf(self.tree, position, moves, (self.root, ply), window),
            _ if self.should_stop() => Score::DRAW,
            _ => self.value_with_table(position, moves, level, window),
        };
        value.signed(moves_again)
    }

    #[inline(always)]
    fn should_stop(&mut self) -> bool {
        self.state.nodes >= self.next_check && self.check()
    }

    #[cold]
    #[inline(never)]
    fn check(&mut self) -> bool {
        let nodes = self.state.nodes;
        self.stopped = self.stopped || nodes >= self.budget || self.progress.should_stop();
        self.next_check = if self.stopped { 0 } else { self.budget.min(nodes + CHECK_INTERVAL) };
        self.stopped
    }

    #[inline(never)]
    fn value_with_table(
        &mut self,
        position: &G::Position,
        moves: PitSet,
        level: Level,
        window: Window,
    ) -> Score {
        let Level { depth, ply } = level;
        let killer = self.state.killers[ply as usize];
        let Some(table) = &self.table else {
            return self.search_moves(position, moves, level, window, killer).0;
        };
        let place = table.place(position);
        let entry = table.get(place, position);
        if let Some(entry) = entry
            && entry.depth == depth as u8
            && let Some(value) = entry.value(ply, window)
        {
            return value;
        }
        let first = entry.and_then(|entry| entry.best).map_or(killer, PitSet::of);
        let (value, best) = self.search_moves(position, moves, level, window, first);
        if !self.stopped
            && let Some(table) = &mut self.table
        {
            let entry = Entry::new(value, window.bound(value), level, best);
            table.put(place, *position, entry);
        }
        value
    }

    /// Searches a node's moves. Returns the node's value and, if it's above alpha, the move that has this value.
    #[inline(always)]
    fn search_moves(
        &mut self,
        position: &G::Position,
        moves: PitSet,
        level: Level,
        mut window: Window,
        first: PitSet,
    ) -> (Score, Option<Pit>) {
        let game = self.tree.game;
        let mover = game.to_move(position);
        let (mut value, mut best) = (Score::LOWEST, None);
        for pit in Order::new(moves, first, || game.promising(position)) {
            let child = game.play(position, pit);
            value = value.max(self.value(&child, mover, level.child(), window));
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
}
