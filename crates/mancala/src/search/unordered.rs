//! Alpha-beta without anything that makes it faster: the yardstick.

use super::Found;
use crate::eval::{Evaluator, Score};
use crate::game::{Game, PitSet, Side};

/// The best move by alpha-beta that looks at pits from the lowest up and evaluates one leaf at a time,
/// `depth` ≥ 1 plies deep: the very move and score of [`minimax`](super::minimax). `None` if there is
/// no legal move.
///
/// It has no table, no memory of what cut elsewhere and no loop over leaves, and it is to stay so:
/// `ayo bench` says how much faster than this [`alpha_beta`](super::alpha_beta) is on the same board.
pub fn unordered<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    position: &G::Position,
    depth: u32,
) -> Option<Found> {
    let root = game.to_move(position);
    let mut search = Unordered { game, evaluator, root, nodes: 0 };
    let mut alpha = Score::LOWEST;
    let mut best = None;
    for pit in game.moves(position) {
        let child = game.play(position, pit);
        let value = search.value(&child, depth - 1, 1, alpha, Score::HIGHEST);
        if value > alpha {
            alpha = value;
            best = Some((pit, value));
        }
    }
    let (pit, score) = best?;
    Some(Found { pit, score, nodes: search.nodes, depth })
}

struct Unordered<'a, G, E> {
    game: &'a G,
    evaluator: &'a E,
    root: Side,
    nodes: u64,
}

impl<G: Game, E: Evaluator<G>> Unordered<'_, G, E> {
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
            return self.evaluator.value_end(self.game, position, ending, self.root, ply);
        }
        if let Some(score) = self.evaluator.known(position, self.root, ply) {
            return score;
        }
        if depth == 0 {
            return self.evaluator.evaluate(position, self.root);
        }
        if self.game.to_move(position) == self.root {
            self.highest(position, moves, depth, ply, alpha, beta)
        } else {
            self.lowest(position, moves, depth, ply, alpha, beta)
        }
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
        for pit in moves {
            let child = self.game.play(position, pit);
            highest = highest.max(self.value(&child, depth - 1, ply + 1, alpha, beta));
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
        depth: u32,
        ply: u32,
        alpha: Score,
        mut beta: Score,
    ) -> Score {
        let mut lowest = Score::HIGHEST;
        for pit in moves {
            let child = self.game.play(position, pit);
            lowest = lowest.min(self.value(&child, depth - 1, ply + 1, alpha, beta));
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

    use super::super::{alpha_beta, minimax};
    use super::*;
    use crate::eval::{Compiled, FeatureSet, Linear, Signs, Weights, compile};
    use crate::game::arbitrary::any_position;
    use crate::game::ayo::{Ayo, Rules};

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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn picks_the_move_and_score_of_minimax(
            position in any_position(), evaluator in any_linear(), depth in 1u32..6,
        ) {
            for (_, rules) in Rules::PRESETS {
                let game = Ayo { rules };
                let plain = minimax(&game, &evaluator, &position, depth);
                let pruned = unordered(&game, &evaluator, &position, depth);
                prop_assert_eq!(plain.map(|f| (f.pit, f.score)), pruned.map(|f| (f.pit, f.score)));
                prop_assert!(pruned.map(|f| f.nodes) <= plain.map(|f| f.nodes));
            }
        }

        /// A node is the same thing to both: one ply deep there is nothing to prune or to order.
        #[test]
        fn counts_nodes_as_the_fast_search_does(
            position in any_position(), evaluator in any_linear(),
        ) {
            let game = Ayo::default();
            let one = unordered(&game, &evaluator, &position, 1);
            prop_assert_eq!(one, alpha_beta(&game, &evaluator, &position, 1, &()));
        }
    }
}
