//! Reference searches: minimax without pruning and alpha-beta without move ordering.

use super::alpha_beta::CHECK_DEPTH;
use super::options::Preference;
use super::tree::{Level, Window};
use super::{SearchResult, Tree};
use crate::eval::{Evaluator, Score};
use crate::game::{Game, Pit, Side};
use crate::progress::Progress;

/// Finds the best move by a plain minimax search of `depth` ≥ 1 plies. Returns `None` if there is no legal move.
///
/// ```
/// use mancala::eval::{Linear, Weights};
/// use mancala::game::{Game, Side, ayo::Ayo};
/// use mancala::search::{Tree, minimax};
/// let seeds = Linear::new(&Weights::named("seeds").unwrap());
/// let game = Ayo::default();
/// let found = minimax(Tree::new(&game, &seeds), &game.start(Side::South), 2).unwrap();
/// // No capture is possible yet, so all six moves tie and the lowest pit is chosen.
/// assert_eq!(found.pit.letter(Side::South), 'A');
/// assert_eq!(found.nodes, 6 + 36);
/// ```
pub fn minimax<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    depth: u32,
) -> Option<SearchResult> {
    search::<false, _, _>(tree, position, depth, &())
}

/// Finds the best move by a simple alpha-beta search of `depth` ≥ 1 plies, which visits pits in ascending order and
/// evaluates one leaf at a time. Finds the same move and score as [`minimax`]. Returns `None` if no move is legal.
///
/// Don't add a transposition table, killer moves or vectorised evaluation, because this search is the baseline with
/// which `ayo bench` compares the speed of [`alpha_beta`](super::alpha_beta).
pub fn unordered<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    depth: u32,
) -> Option<SearchResult> {
    search::<true, _, _>(tree, position, depth, &())
}

/// Finds the best move, if any. Uses alpha-beta pruning if `PRUNES` is set. Returns `None` if the search was stopped.
pub(super) fn search<const PRUNES: bool, G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    depth: u32,
    progress: &dyn Progress,
) -> Option<SearchResult> {
    let root = tree.game.to_move(position);
    let preference = Preference::new::<G>(tree.options.ties, position);
    let mut search = Search::<PRUNES, _, _> { tree, root, nodes: 0, progress, stopped: false };
    let mut best: Option<(Pit, Score)> = None;
    for pit in tree.game.moves(position) {
        // If we prefer this pit in case of a tie, widen the window to include values that are equal to the best.
        let alpha = best.map_or(Score::LOWEST, |(other, Score(highest))| {
            Score(highest - i32::from(preference.prefers(pit, other)))
        });
        let window = Window { alpha, ..Window::FULL };
        let score = search.value(position, pit, Level { depth, ply: 1 }, window);
        if score > alpha {
            best = Some((pit, score));
        }
    }
    let (pit, score) = best.filter(|_| !search.stopped)?;
    Some(SearchResult { pit, score, nodes: search.nodes, depth })
}

struct Search<'a, const PRUNES: bool, G, E> {
    tree: Tree<'a, G, E>,
    root: Side,
    nodes: u64,
    progress: &'a dyn Progress,
    /// Whether `progress` has stopped the search. Values that are returned after that must not be used.
    stopped: bool,
}

impl<const PRUNES: bool, G: Game, E: Evaluator<G>> Search<'_, PRUNES, G, E> {
    /// Returns the value of a move for the side making it. The move itself counts as one of the `level.depth` plies.
    fn value(&mut self, before: &G::Position, pit: Pit, level: Level, window: Window) -> Score {
        self.nodes += 1;
        let (Tree { game, evaluator, .. }, Level { depth, ply }) = (self.tree, level);
        if depth == 1 {
            return self.tree.leaf(before, pit, ply, self.root, &mut self.nodes);
        }
        let (mover, position) = (game.to_move(before), &game.play(before, pit));
        let moves = game.moves(position);
        let ending = game.ending(position, moves);
        if let Some(score) = evaluator.known_value(game, position, ending, self.root, ply) {
            return score.signed(mover == self.root);
        }
        self.stopped = self.stopped || (depth > CHECK_DEPTH && self.progress.should_stop());
        if self.stopped {
            return Score::DRAW;
        }
        let moves_again = game.moves_again(mover, position);
        let (mut window, mut best) = (window.signed(moves_again), Score::LOWEST);
        for pit in moves {
            best = best.max(self.value(position, pit, level.child(), window));
            window.alpha = window.alpha.max(best);
            if PRUNES && best >= window.beta {
                break;
            }
        }
        best.signed(moves_again)
    }
}
