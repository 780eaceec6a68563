//! Tests that pruning changes the cost of a search but never the move it chooses.

mod bounds;
mod kalah;
mod learned;

use crate::laws::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::*;
use crate::eval::{Evaluator, FeatureSet, Linear, Perspective, Quiescence, Signs, Sum, Weights};
use crate::game::ayo::{self, Ayo, Position, Rules};
use crate::game::{Game, Pit, Record, Side};

pub(super) fn any_options() -> impl Strategy<Value = Options> {
    let perspective = prop_oneof![Just(Perspective::Mover), Just(Perspective::Root)];
    let quiescence = prop_oneof![Just(Quiescence::Off), Just(Quiescence::Captures)];
    let ties = prop_oneof![Just(Ties::Lowest), Just(Ties::Hash)];
    let options = (perspective, quiescence, ties);
    options.prop_map(|(perspective, quiescence, ties)| Options { perspective, quiescence, ties })
}

/// Generates evaluators. Small weights produce many ties. With large ones, values at successive depths are far apart.
pub(super) fn any_linear() -> impl Strategy<Value = Linear> {
    let weights = |range| proptest::collection::vec(range, 12);
    prop_oneof![4 => weights(0..4i64), 1 => weights(-30_000..30_000)].prop_map(|values| {
        Linear::new(&Weights::new("", FeatureSet::daoud2004(), &values, Signs::Signed).unwrap())
    })
}

pub(super) fn choice(found: Option<SearchResult>) -> Option<(Pit, Score)> {
    found.map(|found| (found.pit, found.score))
}

fn is_decided(found: SearchResult) -> bool {
    found.score.plies_to_end().is_some_and(|plies| plies <= found.depth)
}

/// Checks that all searches find the same move and score as minimax. Returns the result of minimax.
pub(super) fn searches_agree<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    depth: u32,
) -> Result<Option<SearchResult>, TestCaseError> {
    let plain = minimax(tree, position, depth);
    prop_assert_eq!(choice(alpha_beta(tree, position, depth, &())), choice(plain));
    let pruned = unordered(tree, position, depth);
    prop_assert_eq!(choice(pruned), choice(plain));
    prop_assert!(pruned.map(|found| found.nodes) <= plain.map(|found| found.nodes));
    let deepened = deepen(tree, position, &Limits::depth(depth), &(), &mut |_| {});
    prop_assert_eq!(choice(deepened), choice(plain));
    prop_assert!(deepened.is_none_or(|found| found.depth == depth || is_decided(found)));
    let values = move_values(tree, position, depth, &()).moves;
    prop_assert_eq!(values.len(), tree.game.moves(position).len());
    // `max_by_key` returns the last maximum, hence the `rev`.
    let lowest = values.iter().rev().max_by_key(|(_, score)| *score).copied();
    prop_assert_eq!(lowest.map(|(_, score)| score), plain.map(|found| found.score));
    match tree.options.ties {
        Ties::Lowest => prop_assert_eq!(lowest, choice(plain)),
        Ties::Hash => prop_assert!(choice(plain).is_none_or(|best| values.contains(&best))),
    }
    Ok(plain)
}

/// Checks that the last position of the principal variation has the same value as the score of the search.
pub(super) fn line_realises_score<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    depth: u32,
) -> TestCaseResult {
    let Tree { game, evaluator, options } = tree;
    if game.ended(position).is_some() {
        return Ok(());
    }
    let found = alpha_beta(tree, position, depth, &()).expect("an unfinished game has moves");
    let line = principal_variation(tree, position, depth);
    let root = game.to_move(position);
    prop_assert_eq!(line[0], (root, found.pit));
    let mut record = Record::from_position(*game, *position);
    for &(side, pit) in &line {
        prop_assert_eq!(record.to_move(), side);
        record.play(pit).unwrap();
    }
    let (last, plies) = (record.position(), line.len() as u32);
    let known = || evaluator.exact_value(last, root, plies);
    let value = match game.ended(last) {
        Some(ending) => evaluator.end_value(game, last, ending, root, plies),
        None => known().unwrap_or_else(|| {
            assert_eq!(plies, depth);
            let mover = line[line.len() - 1].0;
            options.perspective.value(evaluator, last, root, mover).signed(mover == root)
        }),
    };
    prop_assert_eq!(value, found.score);
    Ok(())
}

/// Checks that deepening within a budget finds the same move and score as a search to the depth that it reached.
fn budget_suffices<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    nodes: u64,
) -> TestCaseResult {
    let limits = Limits { depth: Some(8), nodes: Some(nodes), movetime: None };
    let mut depths = Vec::new();
    let mut listen = |iteration: &Iteration| depths.push(iteration.found.depth);
    let Some(found) = deepen(tree, position, &limits, &(), &mut listen) else {
        prop_assert!(tree.game.moves(position).is_empty());
        return Ok(());
    };
    prop_assert_eq!(&depths, &(1..=found.depth).collect::<Vec<_>>());
    prop_assert_eq!(choice(alpha_beta(tree, position, found.depth, &())), choice(Some(found)));
    // Only the first iteration may exceed the budget.
    prop_assert!(found.nodes <= nodes || found.depth == 1);
    Ok(())
}

fn searcher_agrees(
    weights: &Weights,
    position: &Position,
    depth: u32,
    options: Options,
) -> TestCaseResult {
    let game = Ayo::default();
    let sum = Sum::new(weights);
    let plain = minimax(Tree::new(&game, &sum).with_options(options), position, depth);
    let searcher = Ayo::searcher(weights, options);
    for pruning in [Pruning::AlphaBeta, Pruning::Unordered, Pruning::None] {
        let found = searcher.search(&game, position, depth, pruning, &());
        prop_assert_eq!(choice(found), choice(plain));
    }
    Ok(())
}

laws! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(1500) })]

    /// This also tests the tables that [`Linear`] uses for pit counts.
    #[test]
    fn a_search_supports_every_feature(
        position in any_position(), depth in 1u32..4, options in any_options(),
        values in proptest::collection::vec(-3..=3i64, 181),
    ) {
        let weights = Weights::new("", "pits".parse().unwrap(), &values, Signs::Literal).unwrap();
        searcher_agrees(&weights, &position, depth, options)?;
        for feature in ayo::Feature::ALL {
            let set = FeatureSet::new(vec![feature.into()]).unwrap();
            let weights = Weights::new("", set, &[7], Signs::Signed).unwrap();
            searcher_agrees(&weights, &position, depth, options)?;
        }
    }

    #[test]
    fn every_search_finds_the_move_and_score_of_minimax(
        position in any_position(), evaluator in any_linear(), depth in 1u32..6,
        options in any_options(),
    ) {
        for (_, rules) in Rules::PRESETS {
            let game = Ayo { rules };
            searches_agree(Tree::new(&game, &evaluator).with_options(options), &position, depth)?;
        }
    }

    #[test]
    fn the_principal_variation_realises_the_score(
        position in any_position(), few in endgame(), evaluator in any_linear(), depth in 1u32..6,
    ) {
        let game = Ayo::default();
        let tree = Tree::new(&game, &evaluator);
        line_realises_score(tree, &position, depth)?;
        line_realises_score(tree, &few, depth + 5)?;
    }
}

/// Generates positions with few seeds, which have small game trees.
pub(super) fn endgame() -> impl Strategy<Value = Position> {
    any_position().prop_filter("few seeds", |position| {
        Side::BOTH.iter().map(|&side| position.seeds_in_row(side)).sum::<u8>() <= 14
    })
}

laws! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn deep_searches_with_a_table_find_the_move_and_score_of_minimax(
        position in endgame(), evaluator in any_linear(), depth in 7u32..=9,
        options in any_options(),
    ) {
        for (_, rules) in Rules::PRESETS {
            let game = Ayo { rules };
            searches_agree(Tree::new(&game, &evaluator).with_options(options), &position, depth)?;
        }
    }

    #[test]
    fn deepening_keeps_its_budget(
        position in any_position(), evaluator in any_linear(), nodes in 1u64..20_000,
        options in any_options(),
    ) {
        let game = Ayo::default();
        budget_suffices(Tree::new(&game, &evaluator).with_options(options), &position, nodes)?;
    }
}

#[test]
fn a_move_time_ends_a_search() {
    let game = Ayo::default();
    let evaluator = Linear::new(&Weights::named("daoud2004-depth5").unwrap());
    let limits =
        Limits { movetime: Some(std::time::Duration::from_millis(30)), ..Limits::default() };
    let begun = std::time::Instant::now();
    let start = game.start(Side::South);
    let found = deepen(Tree::new(&game, &evaluator), &start, &limits, &(), &mut |_| {}).unwrap();
    assert!((4..30).contains(&found.depth), "{}", found.depth);
    // On a loaded machine, the search may end late, but it must end long before the next iterations would have.
    assert!(begun.elapsed().as_secs() < 5);
    assert!(!limits.is_reproducible() && Limits::depth(3).is_reproducible());
}

#[test]
fn wins_come_early_and_losses_late() {
    let seeds = Weights::new("", "a1,a10".parse().unwrap(), &[1, 1], Signs::Signed).unwrap();
    let game = Ayo::default();
    // The move from F captures: its last seed makes three in c, so South gets more than 24 seeds.
    let position: Position = "0-0-0-0-0-3-0-0-2-0-0-1-22-20-S".parse().unwrap();
    let found = alpha_beta(Tree::new(&game, &Linear::new(&seeds)), &position, 5, &()).unwrap();
    assert_eq!((found.pit.letter(Side::South), found.score), ('F', Score::win(1)));
    let position: Position = "0-0-1-0-0-0-0-0-0-0-0-1-20-26-S".parse().unwrap();
    assert!(game.ending(&position, game.moves(&position)).is_some());
}

/// In the 2004 paper, the root player always made the last move, so both perspectives were the same.
#[test]
fn perspectives_agree_if_the_root_has_moved_last() {
    let game = Ayo::default();
    let evaluator = Linear::new(&Weights::named("daoud2004-depth5").unwrap());
    let start = game.start(Side::South);
    let by = |perspective, depth| {
        let options = Options { perspective, ..Options::default() };
        let found =
            alpha_beta(Tree::new(&game, &evaluator).with_options(options), &start, depth, &());
        found.unwrap().score
    };
    for depth in [1, 3, 5, 7] {
        assert_eq!(by(Perspective::Mover, depth), by(Perspective::Root, depth));
    }
    for depth in [2, 4, 6] {
        assert_ne!(by(Perspective::Mover, depth), by(Perspective::Root, depth));
    }
}

/// The results of runs depend on how ties are broken, so the choice must not change.
#[test]
fn the_choice_among_equals_does_not_change() {
    let weights = Weights::new("", "a1".parse().unwrap(), &[0], Signs::Signed).unwrap();
    let (game, zero) = (Ayo::default(), Linear::new(&weights));
    let options = Options { ties: Ties::Hash, ..Options::default() };
    let tree = Tree::new(&game, &zero).with_options(options);
    let mut record = Record::new(game, Side::South);
    let line: String = (0..12)
        .map(|_| {
            let pit = alpha_beta(tree, record.position(), 1, &()).unwrap().pit;
            let letter = pit.letter(record.to_move());
            record.play(pit).unwrap();
            letter
        })
        .collect();
    assert_eq!(line, "AeFdBbAfEaAc");
}
