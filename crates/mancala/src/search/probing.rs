//! Evaluation with endgame tables.

use std::fmt;
use std::sync::Arc;

use crate::endgame::{MOST_CAPTURED, Tables};
use crate::eval::{BestLeaf, Evaluator, Leaves, Quiescence, Score, best_leaf};
use crate::game::ayo::{Ayo, Position, SEEDS};
use crate::game::{Game, Side};

/// An evaluator with endgame tables. A search ends at positions in the tables.
///
/// It is a separate type so that tables cost nothing in a search without them.
#[derive(Debug, Clone)]
pub struct Probing<E> {
    evaluator: E,
    tables: Arc<Tables>,
}

impl<E> Probing<E> {
    /// Adds tables, which must be for the rules that are played.
    pub fn new(evaluator: E, tables: Arc<Tables>) -> Self {
        Probing { evaluator, tables }
    }
}

/// The evaluator, and the rules, size and checksum of the tables.
impl<E: fmt::Display> fmt::Display for Probing<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rules, seeds) = (self.tables.rules(), self.tables.most_seeds());
        write!(f, "{} tables {rules} {seeds} {:08x}", self.evaluator, self.tables.checksum())
    }
}

impl<E: Evaluator<Ayo>> Evaluator<Ayo> for Probing<E> {
    #[inline]
    fn evaluate(&self, position: &Position, me: Side) -> Score {
        self.evaluator.evaluate(position, me)
    }

    /// The value and the stores give the seed difference at the end of the game, and so the winner. It does not matter
    /// that a game ends at 25 captured seeds: captured seeds stay captured.
    #[inline]
    fn known(&self, position: &Position, me: Side, ply: u32) -> Option<Score> {
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
        // The quiescence search can reach the tables from any leaf.
        if leaves.quiescence != Quiescence::Off {
            return best_leaf(self, game, position, &leaves, nodes);
        }
        let stored: u16 = Side::BOTH.iter().map(|&side| game.store(position, side)).sum();
        let on_board = u16::from(SEEDS) - stored;
        if on_board > u16::from(self.tables.most_seeds() + MOST_CAPTURED) {
            return self.evaluator.best_leaf(game, position, leaves, nodes);
        }
        best_leaf(self, game, position, &leaves, nodes)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use proptest::prelude::*;

    use super::*;
    use crate::endgame::{BuildPlan, build};
    use crate::eval::{Certainty, Compiled, Linear, Weights, compile};
    use crate::game::Record;
    use crate::game::arbitrary::any_position;
    use crate::game::ayo::Rules;
    use crate::search::engine::{Effort, Selection, Table, think};
    use crate::search::{Found, Limits, Tree, alpha_beta, minimax, payoffs, principal_variation};

    const TABLE_SEEDS: u8 = 7;

    fn tables(rules: Rules) -> (tempfile::TempDir, Arc<Tables>) {
        let folder = tempfile::tempdir().unwrap();
        let plan = BuildPlan::new(rules, TABLE_SEEDS, folder.path()).unwrap();
        let mut tables = build(&plan, &(), |_| ()).unwrap().unwrap();
        tables.find_bounds().unwrap();
        (folder, Arc::new(tables))
    }

    fn linear() -> Linear<true> {
        match compile(&Weights::named("daoud2004-depth5").unwrap()) {
            Compiled::WithThreats(linear) => linear,
            _ => unreachable!("a1 counts"),
        }
    }

    /// Positions from which a short search reaches the tables.
    fn few() -> impl Strategy<Value = Position> {
        any_position().prop_filter("few seeds", |position| {
            let seeds = Side::BOTH.map(|side| position.seeds_in_row(side)).iter().sum::<u8>();
            (4..=TABLE_SEEDS + 8).contains(&seeds)
        })
    }

    fn runner(cases: u32) -> proptest::test_runner::TestRunner {
        let config =
            ProptestConfig { max_global_rejects: 1_000_000, ..ProptestConfig::with_cases(cases) };
        proptest::test_runner::TestRunner::new(config)
    }

    /// The result of the engine without selectivity.
    fn engine_search(
        tree: Tree<'_, Ayo, Probing<Linear<true>>>,
        at: &Position,
        depth: u32,
    ) -> Option<Found> {
        let (table, limits) = (Table::with_mebibytes(1), Limits::depth(depth));
        let (threads, selection) = (NonZeroUsize::MIN, Selection::NONE);
        let effort = Effort { table: &table, limits: &limits, threads, selection, seed_value: 9 };
        think(tree, at, &effort, &(), &mut |_| {})
    }

    #[test]
    fn searches_with_tables_find_the_move_and_score_of_minimax() {
        let plain_linear = linear();
        for rules in [Rules::AWARI, Rules::AYO] {
            let (_folder, tables) = tables(rules);
            let (game, evaluator) =
                (Ayo { rules }, Probing::new(plain_linear.clone(), Arc::clone(&tables)));
            let tree = Tree::new(&game, &evaluator);
            let result = runner(250).run(&(few(), 1u32..=9), |(position, depth)| {
                let plain = minimax(tree, &position, depth);
                let pruned = alpha_beta(tree, &position, depth, &());
                prop_assert_eq!(plain.map(|f| (f.pit, f.score)), pruned.map(|f| (f.pit, f.score)));
                let engine = engine_search(tree, &position, depth);
                prop_assert_eq!(engine.map(|f| f.score), plain.map(|f| f.score));
                let values = payoffs(tree, &position, depth, &()).moves;
                let best = values.iter().rev().max_by_key(|(_, score)| *score);
                prop_assert_eq!(best.copied(), plain.map(|f| (f.pit, f.score)));
                Ok(())
            });
            result.unwrap();
            // Tables change the scores of many of these positions.
            let plain_tree = Tree::new(&game, &plain_linear);
            let changed = std::cell::Cell::new(0);
            let count = |position: Position| {
                let with = alpha_beta(tree, &position, 5, &()).map(|f| f.score);
                let without = alpha_beta(plain_tree, &position, 5, &()).map(|f| f.score);
                changed.set(changed.get() + u32::from(with != without));
                Ok(())
            };
            runner(200).run(&few(), count).unwrap();
            assert!(changed.get() > 10, "{rules}: {} of 200", changed.get());
        }
    }

    #[test]
    fn the_principal_variation_realises_the_score() {
        let (_folder, tables) = tables(Rules::AWARI);
        let (linear, game) = (linear(), Ayo { rules: Rules::AWARI });
        let evaluator = Probing::new(linear.clone(), Arc::clone(&tables));
        runner(300)
            .run(&(few(), 1u32..=8), |(position, depth)| {
                let tree = Tree::new(&game, &evaluator);
                let Some(found) = alpha_beta(tree, &position, depth, &()) else {
                    return Ok(());
                };
                if game.ended(&position).is_some() || tables.probe(&position).is_some() {
                    return Ok(());
                }
                let line = principal_variation(tree, &position, depth, &());
                let mut record = Record::from_position(game, position);
                for &(_, pit) in &line {
                    record.play(pit).unwrap();
                }
                let (last, me, ply) = (*record.position(), position.to_move(), line.len() as u32);
                let value = match game.ended(&last) {
                    Some(ending) => Score::of_end(game.settle(&last, ending).verdict, me, ply),
                    None => match tables.difference(&last, me) {
                        Some(difference) => Score::of_tables(difference, Certainty::Proven, ply),
                        None if ply % 2 == 0 => -linear.evaluate(&last, me.other()),
                        None => linear.evaluate(&last, me),
                    },
                };
                prop_assert_eq!(value, found.score);
                Ok(())
            })
            .unwrap();
    }
}
