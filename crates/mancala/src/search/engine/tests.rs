use std::sync::Arc;
use std::time::{Duration, Instant};

use super::*;
use crate::eval::{Score, Weights};
use crate::game::ayo::{Ayo, Position};
use crate::game::kalah::Kalah;
use crate::game::{Record, Side, arbitrary};
use crate::laws::prelude::*;
use crate::search::tests::{any_linear, any_options, endgame};
use crate::search::{Options, Pruning, SearchableGame, Searcher, minimax};

const ONE: NonZeroUsize = NonZeroUsize::MIN;

fn engine_options<'a>(
    table: &'a Table,
    limits: &'a Limits,
    selectivity: Selectivity,
) -> EngineOptions<'a> {
    EngineOptions { table, limits, threads: ONE, selectivity, seed_value: 3 }
}

/// Searches to a fixed depth, starting with an empty table.
pub(in crate::search) fn search<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    depth: u32,
    selectivity: Selectivity,
) -> Option<SearchResult> {
    let (table, limits) = (Table::try_with_mebibytes(1).unwrap(), Limits::depth(depth));
    think(tree, position, &engine_options(&table, &limits, selectivity), &(), &mut |_| {})
}

fn score(found: Option<SearchResult>) -> Option<Score> {
    found.map(|found| found.score)
}

laws! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn without_selectivity_the_score_is_that_of_minimax(
        position in arbitrary::any_position(), few in endgame(), depth in 1u32..6, deep in 7u32..10,
        evaluator in any_linear(), options in any_options(),
    ) {
        let game = Ayo::default();
        let tree = Tree::new(&game, &evaluator).with_options(options);
        for (position, depth) in [(position, depth), (few, deep)] {
            let plain = minimax(tree, &position, depth);
            let engine = search(tree, &position, depth, Selectivity::NONE);
            prop_assert_eq!(score(engine), score(plain));
            let (table, limits) = (Table::try_with_mebibytes(1).unwrap(), Limits::depth(depth));
            let options = engine_options(&table, &limits, Selectivity::NONE);
            let options = EngineOptions { threads: NonZeroUsize::new(3).unwrap(), ..options };
            let together = think(tree, &position, &options, &(), &mut |_| {});
            prop_assert_eq!(score(together), score(plain));
            if let Some(SearchResult { pit, score, .. }) = engine {
                let moves = crate::search::move_values(tree, &position, depth, &()).moves;
                prop_assert!(moves.contains(&(pit, score)));
            }
        }
    }

    /// Tests kalah as well, because a side can move twice in a row there.
    #[test]
    fn several_threads_find_the_score_of_minimax_in_kalah(
        (game, position) in arbitrary::any_kalah_position(), depth in 1u32..6,
        deep in 6u32..9, options in any_options(),
    ) {
        let searcher = Kalah::searcher(&Weights::named("stores").unwrap(), options);
        let engine = |threads, depth| {
            let (table, limits) = (Table::try_with_mebibytes(1).unwrap(), Limits::depth(depth));
            let threads = NonZeroUsize::new(threads).unwrap();
            let options = EngineOptions { threads, ..engine_options(&table, &limits, Selectivity::NONE) };
            score(searcher.engine_search(&game, &position, &options, &(), &mut |_| {}))
        };
        let plain = searcher.search(&game, &position, depth, Pruning::None, &());
        prop_assert_eq!(engine(1, depth), score(plain));
        prop_assert_eq!(engine(3, deep), engine(1, deep));
    }

    /// A selective search may miss a distant win, but must not change the score of a near one.
    #[test]
    fn near_wins_are_found(position in endgame(), evaluator in any_linear()) {
        let game = Ayo::default();
        let tree = Tree::new(&game, &evaluator);
        let plain = minimax(tree, &position, 3);
        prop_assume!(score(plain).is_some_and(|score| score.counts_plies()));
        prop_assert_eq!(score(search(tree, &position, 3, Selectivity::PROVEN)), score(plain));
    }
}

fn reference() -> Arc<dyn Searcher<Ayo>> {
    let weights = Weights::named("reference").unwrap();
    Ayo::searcher(&weights, Options::for_weights(&weights))
}

fn start() -> Position {
    Ayo::default().start(Side::South)
}

#[test]
fn a_filled_table_saves_nodes() {
    let (table, limits) = (Table::try_with_mebibytes(4).unwrap(), Limits::depth(9));
    let searcher = reference();
    let search = |limits: &Limits| {
        let options = engine_options(&table, limits, Selectivity::NONE);
        searcher.engine_search(&Ayo::default(), &start(), &options, &(), &mut |_| {}).unwrap()
    };
    let first = search(&limits);
    let again = search(&limits);
    assert_eq!((first.pit, first.score), (again.pit, again.score));
    assert!(again.nodes < first.nodes / 2, "{first:?} {again:?}");
    let line = searcher.engine_line(&Ayo::default(), &start(), &table, first.pit, 9);
    assert!(line.len() >= 3, "{line:?}");
    let mut record = Record::new(Ayo::default(), Side::South);
    for (side, pit) in line {
        assert_eq!(side, record.to_move());
        record.play(pit).unwrap();
    }
}

fn timed(threads: usize, limits: &Limits, progress: &dyn Progress) -> (SearchResult, Duration) {
    let table = Table::try_with_mebibytes(4).unwrap();
    let threads = NonZeroUsize::new(threads).unwrap();
    let seed_value = Ayo::seed_value(&Weights::named("reference").unwrap());
    let options = engine_options(&table, limits, Selectivity::PROVEN);
    let options = EngineOptions { threads, seed_value, ..options };
    let (searcher, begun) = (reference(), Instant::now());
    let found = searcher.engine_search(&Ayo::default(), &start(), &options, progress, &mut |_| {});
    (found.unwrap(), begun.elapsed())
}

#[test]
fn the_move_time_is_respected() {
    let time = Duration::from_millis(50);
    let limits = Limits { movetime: Some(time), ..Limits::default() };
    for threads in [1, 2] {
        // On a loaded machine, some searches may be late, but not all of them.
        let kept = (0..100).any(|_| {
            let (found, taken) = timed(threads, &limits, &());
            assert!(found.depth >= 3 && taken >= time, "{found:?} {taken:?}");
            taken < time + Duration::from_millis(3)
        });
        assert!(kept, "{threads}");
    }
}

#[test]
fn a_search_that_is_stopped_has_a_move() {
    for threads in [1, 3] {
        let (found, taken) = timed(threads, &Limits::default(), &laws::StopAfter::polls(0));
        assert!(found.depth <= 3 && taken < Duration::from_secs(5), "{found:?} {taken:?}");
    }
}

#[test]
fn threads_search_together() {
    let limits = Limits { nodes: Some(400_000), ..Limits::default() };
    let (found, _) = timed(2, &limits, &());
    assert!(found.nodes >= 200_000, "{found:?}");
    assert_eq!(timed(2, &Limits::depth(9), &()).0.depth, 9);
}

#[test]
fn a_single_move_needs_no_search() {
    let position: Position = "0-0-0-0-0-1-0-0-0-0-2-0-21-24-S".parse().unwrap();
    let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
    let table = Table::try_with_mebibytes(1).unwrap();
    let options = engine_options(&table, &limits, Selectivity::NONE);
    let found = reference().engine_search(&Ayo::default(), &position, &options, &(), &mut |_| {});
    assert!(found.unwrap().nodes < 1000);
    let over: Position = "0-0-0-0-0-0-0-0-0-0-2-0-22-24-S".parse().unwrap();
    assert_eq!(reference().engine_search(&Ayo::default(), &over, &options, &(), &mut |_| {}), None);
}

#[test]
fn margins_are_rounded_up_and_need_the_value_of_a_seed() {
    let search = |selectivity, seed_value| {
        let (table, limits) = (Table::try_with_mebibytes(1).unwrap(), Limits::depth(11));
        let options = EngineOptions { seed_value, ..engine_options(&table, &limits, selectivity) };
        reference().engine_search(&Ayo::default(), &start(), &options, &(), &mut |_| {}).unwrap()
    };
    let margin = |probcut_margin| Selectivity { probcut_margin, ..Selectivity::PROVEN };
    assert_eq!(search(margin(75), 1), search(margin(100), 1));
    assert_ne!(search(margin(0), 1), search(margin(100), 1));
    assert_eq!(search(margin(75), 0), search(Selectivity::NONE, 0));
}
