//! Evaluation using endgame tables.

use std::fmt;
use std::sync::Arc;

use crate::endgame::{MAX_CAPTURE, Tables};
use crate::eval::{BestLeaf, Evaluator, Leaves, Quiescence, Score, best_leaf};
use crate::game::ayo::{Ayo, Position, SEEDS};
use crate::game::{Game, Side};

/// An evaluator that probes endgame tables. A search stops at positions found in the tables.
///
/// This is a separate type so that searches without tables don't pay for probing.
#[derive(Debug, Clone)]
pub struct Probing<E> {
    evaluator: E,
    tables: Arc<Tables>,
}

impl<E> Probing<E> {
    /// Adds endgame tables to an evaluator. The tables must be for the rules being played.
    pub fn new(evaluator: E, tables: Arc<Tables>) -> Self {
        Probing { evaluator, tables }
    }
}

/// Prints the evaluator, followed by the tables' rules, size and checksum.
impl<E: fmt::Display> fmt::Display for Probing<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.evaluator, self.tables)
    }
}

impl<E: Evaluator<Ayo>> Evaluator<Ayo> for Probing<E> {
    #[inline]
    fn evaluate(&self, position: &Position, me: Side) -> Score {
        self.evaluator.evaluate(position, me)
    }

    /// Table values don't take into account that a game ends once a side has 25 seeds. This doesn't change the winner.
    #[inline]
    fn exact_value(&self, position: &Position, me: Side, ply: u32) -> Option<Score> {
        let (difference, certainty) = self.tables.outcome(position, me)?;
        Some(Score::of_tables(difference, certainty, ply))
    }

    fn best_leaf(
        &self,
        game: &Ayo,
        position: &Position,
        leaves: Leaves,
        nodes: &mut u64,
    ) -> BestLeaf {
        let is_near = || {
            let stored: u16 = Side::BOTH.iter().map(|&side| game.store(position, side)).sum();
            u16::from(SEEDS) - stored <= u16::from(self.tables.max_seeds() + MAX_CAPTURE)
        };
        // A quiescence search plays captures, so it can reach a position in the tables from any leaf.
        if leaves.quiescence != Quiescence::Off || is_near() {
            return best_leaf(self, game, position, &leaves, nodes);
        }
        self.evaluator.best_leaf(game, position, leaves, nodes)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use crate::laws::prelude::*;
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    use super::*;
    use crate::endgame::{BuildPlan, build};
    use crate::eval::{Linear, Weights};
    use crate::game::ayo::Rules;
    use crate::search::engine::{self, Selectivity};
    use crate::search::tests::{line_realises_score, searches_agree};
    use crate::search::{Tree, alpha_beta};

    const TABLE_SEEDS: u8 = 7;

    /// One game whose table values are proven, and one for which we only have bounds.
    static GAMES: LazyLock<[(Ayo, Probing<Linear>); 2]> = LazyLock::new(|| {
        [Rules::AWARI, Rules::AYO].map(|rules| {
            let plan = BuildPlan::in_memory(rules, TABLE_SEEDS).unwrap();
            let mut tables = build(&plan, &(), |_| ()).unwrap().unwrap();
            tables.compute_bounds().unwrap();
            let linear = Linear::new(&Weights::named("daoud2004-depth5").unwrap());
            (Ayo { rules }, Probing::new(linear, Arc::new(tables)))
        })
    });

    /// Generates positions from which a shallow search reaches the tables.
    fn few() -> impl Strategy<Value = Position> {
        any_position().prop_filter("few seeds", |position| {
            let seeds = Side::BOTH.map(|side| position.seeds_in_row(side)).iter().sum::<u8>();
            (4..=TABLE_SEEDS + 8).contains(&seeds)
        })
    }

    laws! {
        #![proptest_config(ProptestConfig { max_global_rejects: 1_000_000, ..ProptestConfig::with_cases(250) })]

        #[test]
        fn searches_with_tables_agree(position in few(), depth in 1u32..=9) {
            for (game, evaluator) in &*GAMES {
                let tree = Tree::new(game, evaluator);
                let plain = searches_agree(tree, &position, depth)?;
                let engine = engine::tests::search(tree, &position, depth, Selectivity::NONE);
                prop_assert_eq!(engine.map(|f| f.score), plain.map(|f| f.score));
                line_realises_score(tree, &position, depth)?;
            }
        }
    }

    #[test]
    fn tables_change_scores() {
        let mut runner = TestRunner::deterministic();
        let positions = [(); 200].map(|()| few().new_tree(&mut runner).unwrap().current());
        for (game, evaluator) in &*GAMES {
            let changes = |position: &&Position| {
                let with = alpha_beta(Tree::new(game, evaluator), position, 5, &());
                let without = alpha_beta(Tree::new(game, &evaluator.evaluator), position, 5, &());
                with.map(|found| found.score) != without.map(|found| found.score)
            };
            assert!(positions.iter().filter(changes).count() > 10, "{game:?}");
        }
    }
}
