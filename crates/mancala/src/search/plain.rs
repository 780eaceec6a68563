//! Minimax without pruning: the reference.

use super::alpha_beta::ASKING_DEPTH;
use super::options::Preference;
use super::{Found, Tree};
use crate::eval::{Evaluator, Score};
use crate::game::{Game, Pit, Side};
use crate::progress::Progress;

/// The best move by plain minimax, `depth` ≥ 1 plies deep; `None` if there is no legal move.
///
/// ```
/// use mancala::eval::{Compiled, Weights, compile};
/// use mancala::game::{Game, Side, ayo::Ayo};
/// use mancala::search::{Tree, minimax};
/// let Compiled::WithoutThreats(seeds) = compile(&Weights::named("seeds").unwrap()) else {
///     unreachable!("a seed count needs no threats")
/// };
/// let game = Ayo::default();
/// let found = minimax(Tree::new(&game, &seeds), &game.start(Side::South), 2).unwrap();
/// // No capture is possible yet: six moves tie and the lowest pit is taken.
/// assert_eq!(found.pit.letter(Side::South), 'A');
/// assert_eq!(found.nodes, 6 + 36);
/// ```
pub fn minimax<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    depth: u32,
) -> Option<Found> {
    minimax_until(tree, position, depth, &())
}

/// As [`minimax`]; also `None` if the progress stopped the search.
pub(super) fn minimax_until<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    depth: u32,
    progress: &dyn Progress,
) -> Option<Found> {
    let root = tree.game.to_move(position);
    let preference = Preference::new::<G>(tree.options.ties, position);
    let mut search = Plain { tree, root, nodes: 0, progress, stopped: false };
    let mut best = None;
    for pit in tree.game.moves(position) {
        let score = search.value(position, pit, depth, 1);
        let is_better = |&(other, highest): &(Pit, Score)| {
            score > highest || score == highest && preference.prefers(pit, other)
        };
        if best.as_ref().is_none_or(is_better) {
            best = Some((pit, score));
        }
    }
    let (pit, score) = best.filter(|_| !search.stopped)?;
    Some(Found { pit, score, nodes: search.nodes, depth })
}

struct Plain<'a, G, E> {
    tree: Tree<'a, G, E>,
    root: Side,
    nodes: u64,
    progress: &'a dyn Progress,
    /// Whether the progress has stopped it: no value counts any more.
    stopped: bool,
}

impl<G: Game, E: Evaluator<G>> Plain<'_, G, E> {
    /// The value of a move by a search of `depth` ≥ 1 plies, the move among them, to a position `ply` plies
    /// from the root.
    fn value(&mut self, before: &G::Position, pit: Pit, depth: u32, ply: u32) -> Score {
        self.nodes += 1;
        let Tree { game, evaluator, .. } = self.tree;
        if depth == 1 {
            return self.tree.leaf(before, pit, ply, self.root, &mut self.nodes);
        }
        let position = game.play(before, pit);
        let moves = game.moves(&position);
        if let Some(ending) = game.ending(&position, moves) {
            return evaluator.value_end(game, &position, ending, self.root, ply);
        }
        if let Some(score) = evaluator.known(&position, self.root, ply) {
            return score;
        }
        self.stopped = self.stopped || (depth > ASKING_DEPTH && self.progress.should_stop());
        if self.stopped {
            return Score::DRAW;
        }
        let maximises = game.to_move(&position) == self.root;
        let values = moves.map(|pit| self.value(&position, pit, depth - 1, ply + 1));
        let best = if maximises { values.max() } else { values.min() };
        best.expect("a game without a legal move has ended")
    }
}
