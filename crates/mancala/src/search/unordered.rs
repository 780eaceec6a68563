//! Alpha-beta without anything that makes it faster: the yardstick.

use super::alpha_beta::Reach;
use super::options::Preference;
use super::{Found, Tree};
use crate::eval::{Evaluator, Score};
use crate::game::{Game, Pit, PitSet, Side};

/// The best move by alpha-beta that looks at pits from the lowest up and evaluates one leaf at a time,
/// `depth` ≥ 1 plies deep: the very move and score of [`minimax`](super::minimax). `None` if there is
/// no legal move.
///
/// It has no table, no memory of what cut elsewhere and no loop over leaves, and it is to stay so:
/// `ayo bench` says how much faster than this [`alpha_beta`](super::alpha_beta) is on the same board.
pub fn unordered<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    depth: u32,
) -> Option<Found> {
    let root = tree.game.to_move(position);
    let preference = Preference::new::<G>(tree.options.ties, position);
    let mut search = Unordered { tree, root, nodes: 0 };
    let mut best: Option<(Pit, Score)> = None;
    for pit in tree.game.moves(position) {
        // A preferred pit need only be as good: the window lets its equal through.
        let alpha = match best {
            None => Score::LOWEST,
            Some((other, Score(highest))) => {
                Score(highest - i32::from(preference.prefers(pit, other)))
            }
        };
        let value = search.value(position, pit, Reach { depth, ply: 1 }, alpha, Score::HIGHEST);
        if value > alpha {
            best = Some((pit, value));
        }
    }
    let (pit, score) = best?;
    Some(Found { pit, score, nodes: search.nodes, depth })
}

struct Unordered<'a, G, E> {
    tree: Tree<'a, G, E>,
    root: Side,
    nodes: u64,
}

impl<G: Game, E: Evaluator<G>> Unordered<'_, G, E> {
    /// The value of a move by a search of so many plies, the move among them.
    fn value(
        &mut self,
        before: &G::Position,
        pit: Pit,
        reach: Reach,
        alpha: Score,
        beta: Score,
    ) -> Score {
        self.nodes += 1;
        let (Tree { game, evaluator, .. }, Reach { depth, ply }) = (self.tree, reach);
        if depth == 1 {
            return self.tree.leaf(before, pit, ply, self.root, &mut self.nodes);
        }
        let position = &game.play(before, pit);
        let moves = game.moves(position);
        if let Some(ending) = game.ending(position, moves) {
            return evaluator.value_end(game, position, ending, self.root, ply);
        }
        if let Some(score) = evaluator.known(position, self.root, ply) {
            return score;
        }
        if game.to_move(position) == self.root {
            self.highest(position, moves, reach, alpha, beta)
        } else {
            self.lowest(position, moves, reach, alpha, beta)
        }
    }

    fn highest(
        &mut self,
        position: &G::Position,
        moves: PitSet,
        reach: Reach,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        let mut highest = Score::LOWEST;
        for pit in moves {
            highest = highest.max(self.value(position, pit, reach.of_child(), alpha, beta));
            if highest >= beta {
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
        reach: Reach,
        alpha: Score,
        mut beta: Score,
    ) -> Score {
        let mut lowest = Score::HIGHEST;
        for pit in moves {
            lowest = lowest.min(self.value(position, pit, reach.of_child(), alpha, beta));
            if lowest <= alpha {
                break;
            }
            beta = beta.min(lowest);
        }
        lowest
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::any_options;
    use super::super::{alpha_beta, minimax};
    use super::*;
    use crate::eval::{Compiled, FeatureSet, Linear, Signs, Weights, compile};
    use crate::game::arbitrary::any_position;
    use crate::game::ayo::{Ayo, Rules};
    use crate::laws;

    fn any_linear() -> impl Strategy<Value = Linear<true>> {
        // Small weights make many ties.
        proptest::collection::vec(0..4i64, 12).prop_map(|mut values| {
            values[0] += 1;
            let weights = Weights::new("", FeatureSet::daoud2004(), &values, Signs::Signed);
            match compile(&weights.unwrap()) {
                Compiled::WithThreats(linear) => linear,
                _ => unreachable!("a1 counts"),
            }
        })
    }

    laws! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn picks_the_move_and_score_of_minimax(
            position in any_position(), evaluator in any_linear(), depth in 1u32..6,
            options in any_options(),
        ) {
            for (_, rules) in Rules::PRESETS {
                let game = Ayo { rules };
                let plain = minimax(Tree::new(&game, &evaluator).with(options), &position, depth);
                let pruned = unordered(Tree::new(&game, &evaluator).with(options), &position, depth);
                prop_assert_eq!(plain.map(|f| (f.pit, f.score)), pruned.map(|f| (f.pit, f.score)));
                prop_assert!(pruned.map(|f| f.nodes) <= plain.map(|f| f.nodes));
            }
        }

        /// A node is the same thing to both: one ply deep there is nothing to prune or to order.
        #[test]
        fn counts_nodes_as_the_fast_search_does(
            position in any_position(), evaluator in any_linear(), options in any_options(),
        ) {
            let game = Ayo::default();
            let one = unordered(Tree::new(&game, &evaluator).with(options), &position, 1);
            prop_assert_eq!(one, alpha_beta(Tree::new(&game, &evaluator).with(options), &position, 1, &()));
        }
    }
}
