//! Minimax with alpha-beta pruning.

use super::{Found, MAX_DEPTH, Monitor};
use crate::eval::{Evaluator, Leaves, Score};
use crate::game::{Game, Pit, PitSet, Side};

/// The best move by alpha-beta, `depth` ≥ 1 plies deep: the very move and score of
/// [`minimax`](super::minimax). `None` if there is no legal move or the monitor stopped the search.
pub fn alpha_beta<G: Game, E: Evaluator<G>, M: Monitor + ?Sized>(
    game: &G,
    evaluator: &E,
    position: &G::Position,
    depth: u32,
    monitor: &M,
) -> Option<Found> {
    let mut search = AlphaBeta::new(game, evaluator, position, monitor);
    let (pit, score) = search.best(position, depth, 0)?;
    Some(Found { pit, score, nodes: search.nodes, depth })
}

/// The best line from `position`, at most `depth` plies long, both sides choosing as the player at
/// the root would have them. Empty if the monitor stopped it.
///
/// It is searched ply by ply after the move is known, so that a search that nobody asks for its line
/// does not pay for one.
pub fn principal_variation<G: Game, E: Evaluator<G>, M: Monitor + ?Sized>(
    game: &G,
    evaluator: &E,
    position: &G::Position,
    depth: u32,
    monitor: &M,
) -> Vec<(Side, Pit)> {
    let mut search = AlphaBeta::new(game, evaluator, position, monitor);
    let mut line = Vec::new();
    let mut position = *position;
    for ply in 0..depth {
        if game.ending(&position, game.moves(&position)).is_some() {
            break;
        }
        let Some((pit, _)) = search.best(&position, depth - ply, ply) else {
            break;
        };
        line.push((game.to_move(&position), pit));
        position = game.play(&position, pit);
    }
    line
}

/// The value of every legal move for the side to move; fewer if the monitor stopped it.
pub fn payoffs<G: Game, E: Evaluator<G>, M: Monitor + ?Sized>(
    game: &G,
    evaluator: &E,
    position: &G::Position,
    depth: u32,
    monitor: &M,
) -> Vec<(Pit, Score)> {
    let mut search = AlphaBeta::new(game, evaluator, position, monitor);
    let (alpha, beta) = (Score::LOWEST, Score::HIGHEST);
    let moves = game.moves(position);
    let values = moves.map(|pit| {
        let child = game.play(position, pit);
        let value = search.value(&child, depth - 1, 1, alpha, beta);
        (!search.stopped).then_some((pit, value))
    });
    values.map_while(|value| value).collect()
}

/// A node this many plies above the leaves asks the monitor: seldom enough to cost nothing, often
/// enough to stop within a millisecond.
const ASKING_DEPTH: u32 = 4;

pub(super) struct AlphaBeta<'a, G, E, M: ?Sized> {
    game: &'a G,
    evaluator: &'a E,
    monitor: &'a M,
    root: Side,
    pub(super) nodes: u64,
    /// Nodes after which the search stops.
    pub(super) budget: u64,
    stopped: bool,
    /// By ply, the move that last cut a node short: it often does so in its neighbours too.
    killers: [Option<Pit>; MAX_DEPTH as usize + 1],
}

impl<'a, G: Game, E: Evaluator<G>, M: Monitor + ?Sized> AlphaBeta<'a, G, E, M> {
    /// A search for the side to move in `position`.
    pub(super) fn new(
        game: &'a G,
        evaluator: &'a E,
        position: &G::Position,
        monitor: &'a M,
    ) -> Self {
        let root = game.to_move(position);
        let budget = u64::MAX;
        AlphaBeta {
            game,
            evaluator,
            monitor,
            root,
            nodes: 0,
            budget,
            stopped: false,
            killers: [None; MAX_DEPTH as usize + 1],
        }
    }

    /// The best move for the side to move, whichever it is, and its value for the root player.
    pub(super) fn best(
        &mut self,
        position: &G::Position,
        depth: u32,
        ply: u32,
    ) -> Option<(Pit, Score)> {
        let maximises = self.game.to_move(position) == self.root;
        let (mut alpha, mut beta) = (Score::LOWEST, Score::HIGHEST);
        let mut best = None;
        for pit in self.game.moves(position) {
            let child = self.game.play(position, pit);
            let value = self.value(&child, depth - 1, ply + 1, alpha, beta);
            // A later pit must be strictly better: the window excludes equal values.
            if maximises && value > alpha {
                alpha = value;
                best = Some((pit, value));
            } else if !maximises && value < beta {
                beta = value;
                best = Some((pit, value));
            }
        }
        best.filter(|_| !self.stopped)
    }

    /// The value of a position for the root player if it is inside (`alpha`, `beta`); else a bound on
    /// it on the same side of the window.
    fn value(
        &mut self,
        position: &G::Position,
        depth: u32,
        ply: u32,
        alpha: Score,
        beta: Score,
    ) -> Score {
        self.nodes += 1;
        let moves = self.game.moves(position);
        if let Some(ending) = self.game.ending(position, moves) {
            let verdict = self.game.settle(position, ending).verdict;
            return Score::of_end(verdict, self.root, ply);
        }
        if depth == 0 {
            return self.evaluator.evaluate(position, self.root);
        }
        if depth == 1 {
            let first = self.killers[ply as usize];
            let leaves = Leaves { moves, first, me: self.root, ply: ply + 1, alpha, beta };
            let found = self.evaluator.best_leaf(self.game, position, &leaves);
            self.nodes += found.entered;
            self.killers[ply as usize] = found.cutting.or(first);
            return found.value;
        }
        if self.should_stop(depth) {
            self.stopped = true;
            return Score::DRAW;
        }
        if self.game.to_move(position) == self.root {
            self.highest(position, moves, depth, ply, alpha, beta)
        } else {
            self.lowest(position, moves, depth, ply, alpha, beta)
        }
    }

    #[inline]
    fn should_stop(&self, depth: u32) -> bool {
        self.stopped
            || self.nodes >= self.budget
            || (depth >= ASKING_DEPTH && self.monitor.should_stop())
    }

    fn highest(
        &mut self,
        position: &G::Position,
        moves: PitSet,
        depth: u32,
        ply: u32,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        let mut highest = Score::LOWEST;
        for pit in moves.ordered(self.killers[ply as usize], self.game.promising(position)) {
            let child = self.game.play(position, pit);
            highest = highest.max(self.value(&child, depth - 1, ply + 1, alpha, beta));
            if highest >= beta {
                self.killers[ply as usize] = Some(pit);
                break;
            }
            alpha = alpha.max(highest);
        }
        highest
    }

    fn lowest(
        &mut self,
        position: &G::Position,
        moves: PitSet,
        depth: u32,
        ply: u32,
        alpha: Score,
        mut beta: Score,
    ) -> Score {
        let mut lowest = Score::HIGHEST;
        for pit in moves.ordered(self.killers[ply as usize], self.game.promising(position)) {
            let child = self.game.play(position, pit);
            lowest = lowest.min(self.value(&child, depth - 1, ply + 1, alpha, beta));
            if lowest <= alpha {
                self.killers[ply as usize] = Some(pit);
                break;
            }
            beta = beta.min(lowest);
        }
        lowest
    }
}
