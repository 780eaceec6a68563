//! Minimax without pruning: the reference.

use super::Found;
use crate::eval::{Evaluator, Score};
use crate::game::{Game, Side};

/// The best move by plain minimax, `depth` ≥ 1 plies deep; `None` if there is no legal move.
///
/// ```
/// use mancala::eval::{Compiled, Weights, compile};
/// use mancala::game::{Game, Side, ayo::Ayo};
/// use mancala::search::minimax;
/// let Compiled::WithoutThreats(seeds) = compile(&Weights::named("seeds").unwrap()) else {
///     unreachable!("a seed count needs no threats")
/// };
/// let game = Ayo::default();
/// let found = minimax(&game, &seeds, &game.start(Side::South), 2).unwrap();
/// // No capture is possible yet: six moves tie and the lowest pit is taken.
/// assert_eq!(found.pit.letter(Side::South), 'A');
/// assert_eq!(found.nodes, 6 + 36);
/// ```
pub fn minimax<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    position: &G::Position,
    depth: u32,
) -> Option<Found> {
    let root = game.to_move(position);
    let mut search = Plain { game, evaluator, root, nodes: 0 };
    let mut best = None;
    for pit in game.moves(position) {
        let score = search.value(&game.play(position, pit), depth - 1, 1);
        if best.is_none_or(|(_, highest)| score > highest) {
            best = Some((pit, score));
        }
    }
    let (pit, score) = best?;
    Some(Found { pit, score, nodes: search.nodes, depth })
}

struct Plain<'a, G, E> {
    game: &'a G,
    evaluator: &'a E,
    root: Side,
    nodes: u64,
}

impl<G: Game, E: Evaluator<G>> Plain<'_, G, E> {
    fn value(&mut self, position: &G::Position, depth: u32, ply: u32) -> Score {
        self.nodes += 1;
        let moves = self.game.moves(position);
        if let Some(ending) = self.game.ending(position, moves) {
            return self.evaluator.value_end(self.game, position, ending, self.root, ply);
        }
        if let Some(score) = self.evaluator.known(position, self.root, ply) {
            return score;
        }
        if depth == 0 {
            return self.evaluator.evaluate(position, self.root);
        }
        let maximises = self.game.to_move(position) == self.root;
        let children = moves.map(|pit| {
            let child = self.game.play(position, pit);
            self.value(&child, depth - 1, ply + 1)
        });
        let best = if maximises { children.max() } else { children.min() };
        best.expect("a game without a legal move has ended")
    }
}
