//! A search that looks positions up in endgame tables.

use std::fmt;
use std::sync::Arc;

use crate::endgame::{MOST_CAPTURED, Tables};
use crate::eval::{BestLeaf, Evaluator, Leaves, Quiescence, Score, best_leaf};
use crate::game::ayo::{Ayo, Position, SEEDS};
use crate::game::{Game, Side};

/// An evaluator with endgame tables: a search ends at the first position within them.
///
/// It is a type of its own, so that a search without tables is compiled without a trace of them.
#[derive(Debug, Clone)]
pub struct Probing<E> {
    evaluator: E,
    tables: Arc<Tables>,
}

impl<E> Probing<E> {
    /// The evaluator, with tables of the rules that are played.
    pub fn new(evaluator: E, tables: Arc<Tables>) -> Self {
        Probing { evaluator, tables }
    }
}

/// The evaluator, and what the tables hold, wherever they lie.
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

    /// Value and stores give the seed difference at the end of the game, and so the winner. That a game ends
    /// at 25 captured seeds changes nothing: captured seeds stay captured.
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
        // Looked on, any leaf may come within the tables.
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
    use proptest::prelude::*;

    use super::*;
    use std::sync::Arc;

    use crate::endgame::{BuildPlan, build};
    use crate::eval::{Certainty, Compiled, Linear, Weights, compile};
    use crate::game::Record;
    use crate::game::arbitrary::any_position;
    use crate::game::ayo::Rules;
    use std::num::NonZeroUsize;

    use crate::search::engine::{Effort, Selection, Table, think};
    use crate::search::{Found, Limits, Tree, alpha_beta, minimax, payoffs, principal_variation};

    const SEEDS_WITHIN: u8 = 7;

    fn tables(rules: Rules) -> (tempfile::TempDir, Arc<Tables>) {
        let folder = tempfile::tempdir().unwrap();
        let plan = BuildPlan::new(rules, SEEDS_WITHIN, folder.path()).unwrap();
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

    /// Positions from which a short search comes within the tables.
    fn few() -> impl Strategy<Value = Position> {
        any_position().prop_filter("few seeds", |position| {
            let seeds = Side::BOTH.map(|side| position.seeds_in_row(side)).iter().sum::<u8>();
            (4..=SEEDS_WITHIN + 8).contains(&seeds)
        })
    }

    fn runner(cases: u32) -> proptest::test_runner::TestRunner {
        let config =
            ProptestConfig { max_global_rejects: 1_000_000, ..ProptestConfig::with_cases(cases) };
        proptest::test_runner::TestRunner::new(config)
    }

    /// What an engine finds that takes nothing for granted.
    fn at_depth(
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
    fn with_tables_too_pruning_chooses_as_minimax_does() {
        let plain_linear = linear();
        for rules in [Rules::AWARI, Rules::AYO] {
            let (_folder, tables) = tables(rules);
            let (game, evaluator) =
                (Ayo { rules }, Probing::new(plain_linear.clone(), Arc::clone(&tables)));
            let probed = std::cell::Cell::new(0);
            let found = runner(250).run(&(few(), 1u32..=9), |(position, depth)| {
                let plain = minimax(Tree::new(&game, &evaluator), &position, depth);
                let pruned = alpha_beta(Tree::new(&game, &evaluator), &position, depth, &());
                prop_assert_eq!(plain.map(|f| (f.pit, f.score)), pruned.map(|f| (f.pit, f.score)));
                let tree = Tree::new(&game, &evaluator);
                let engine = at_depth(tree, &position, depth);
                prop_assert_eq!(engine.map(|f| f.score), plain.map(|f| f.score));
                let values = payoffs(Tree::new(&game, &evaluator), &position, depth, &()).moves;
                let best = values.iter().rev().max_by_key(|(_, score)| *score);
                prop_assert_eq!(best.copied(), plain.map(|f| (f.pit, f.score)));
                Ok(())
            });
            found.unwrap();
            // The same positions without tables are not all judged alike: the law is about something.
            let differs = |position: &Position| {
                let with =
                    alpha_beta(Tree::new(&game, &evaluator), position, 5, &()).map(|f| f.score);
                with != alpha_beta(Tree::new(&game, &plain_linear), position, 5, &())
                    .map(|f| f.score)
            };
            runner(200)
                .run(&few(), |position| {
                    probed.set(probed.get() + u32::from(differs(&position)));
                    Ok(())
                })
                .unwrap();
            assert!(probed.get() > 10, "{rules}: {} of 200", probed.get());
        }
    }

    #[test]
    fn the_line_ends_where_the_score_comes_from() {
        let (_folder, tables) = tables(Rules::AWARI);
        let (linear, game) = (linear(), Ayo { rules: Rules::AWARI });
        let evaluator = Probing::new(linear.clone(), Arc::clone(&tables));
        runner(300)
            .run(&(few(), 1u32..=8), |(position, depth)| {
                let Some(found) = alpha_beta(Tree::new(&game, &evaluator), &position, depth, &())
                else {
                    return Ok(());
                };
                if game.ended(&position).is_some() || tables.probe(&position).is_some() {
                    return Ok(());
                }
                let line = principal_variation(Tree::new(&game, &evaluator), &position, depth, &());
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
