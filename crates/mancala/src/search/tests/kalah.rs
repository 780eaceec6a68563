//! Searches of Kalah, where a side may move several times in a row.

use proptest::prelude::*;

use super::super::*;
use super::{any_options, choice};
use crate::eval::kalah::Linear;
use crate::eval::kansas::{Heuristics, Utility};
use crate::eval::{Evaluator, FeatureSet, MAX_WEIGHT, Perspective, Quiescence, Signs, Weights};
use crate::game::arbitrary::any_kalah_position as any_position;
use crate::game::kalah::{Feature, Kalah, Position};
use crate::game::{Feature as AnyFeature, Game, Pit, Record, Side};
use crate::laws;

/// Weights of all features: small ones, which make many ties, and large ones.
fn any_linear() -> impl Strategy<Value = Linear> {
    let limit = i64::from(MAX_WEIGHT);
    let weights = |range| proptest::collection::vec(range, Feature::ALL.len());
    prop_oneof![weights(-2..=2), weights(-limit..=limit)].prop_map(|values| {
        let features = FeatureSet::new(Feature::ALL.map(AnyFeature::from).to_vec()).unwrap();
        Linear::new(&Weights::new("", features, &values, Signs::Signed).unwrap())
    })
}

/// Evaluators that do not value wins.
fn any_utility() -> impl Strategy<Value = Utility> {
    (0..64usize).prop_map(|index| Heuristics::all().nth(index).unwrap().utility())
}

/// Positions with small trees, for deep searches without pruning.
pub(super) fn endgame() -> impl Strategy<Value = (Kalah, Position)> {
    any_position().prop_filter("a small tree", |(game, position)| {
        let seeds: u16 = Side::BOTH.map(|side| position.seeds_in_row(side)).iter().sum();
        let most = [96, 96, 96, 24, 12, 10, 8, 8][game.pits() - 1];
        (2..=most).contains(&seeds)
    })
}

/// An independent implementation of the value for `root` of a move to a position at `ply`.
fn value<E: Evaluator<Kalah>>(
    (tree, root): (Tree<'_, Kalah, E>, Side),
    before: &Position,
    pit: Pit,
    depth: u32,
    ply: u32,
) -> Score {
    let Tree { game, evaluator, options } = tree;
    let position = game.play(before, pit);
    if let Some(ending) = game.ended(&position) {
        return evaluator.value_end(game, &position, ending, root, ply);
    }
    let maximises = position.to_move() == root;
    let best = |values: &mut dyn Iterator<Item = Score>| {
        if maximises { values.max() } else { values.min() }
    };
    let deeper = |pit| value((tree, root), &position, pit, depth.max(1) - 1, ply + 1);
    if depth > 0 {
        return best(&mut game.moves(&position).map(deeper)).expect("an unfinished game has moves");
    }
    let mover = before.to_move();
    let static_value = match options.perspective {
        Perspective::Root => evaluator.evaluate(&position, root),
        Perspective::Mover if mover == root => evaluator.evaluate(&position, root),
        Perspective::Mover => -evaluator.evaluate(&position, mover),
    };
    if options.quiescence == Quiescence::Off {
        return static_value;
    }
    let captures = game.moves(&position).filter(|&pit| captured(game, &position, pit) > 0);
    best(&mut captures.map(deeper).chain([static_value])).expect("the static value")
}

/// The captured seeds: those that left both rows and were not sown home.
fn captured(game: &Kalah, before: &Position, pit: Pit) -> u16 {
    let on_board = |it: &Position| Side::BOTH.map(|side| it.seeds_in_row(side)).iter().sum::<u16>();
    on_board(before) - on_board(&game.play(before, pit)) - game.sown_home(before, pit)
}

/// Checks that all searches find the move and the score of the definition.
fn searches_agree<E: Evaluator<Kalah>>(
    tree: Tree<'_, Kalah, E>,
    position: &Position,
    depth: u32,
) -> Result<(), TestCaseError> {
    let root = position.to_move();
    let of_move = |pit| (pit, value((tree, root), position, pit, depth - 1, 1));
    let each: Vec<(Pit, Score)> = tree.game.moves(position).map(of_move).collect();
    prop_assert_eq!(payoffs(tree, position, depth, &()).moves, each.clone());
    let plain = choice(minimax(tree, position, depth));
    let highest = each.iter().map(|(_, score)| *score).max();
    prop_assert_eq!(plain.map(|(_, score)| score), highest);
    prop_assert!(plain.is_none_or(|plain| each.contains(&plain)));
    if tree.options.ties == Ties::Lowest {
        // `max_by_key` returns the last maximum, hence the reversal.
        prop_assert_eq!(plain, each.iter().rev().max_by_key(|(_, score)| *score).copied());
    }
    prop_assert_eq!(choice(alpha_beta(tree, position, depth, &())), plain);
    prop_assert_eq!(choice(unordered(tree, position, depth)), plain);
    let deepened = deepen(tree, position, &Limits::depth(depth), &(), &mut |_| {});
    prop_assert_eq!(choice(deepened), plain);
    let decided = |it: Found| it.score.plies_to_end().is_some_and(|plies| plies <= it.depth);
    prop_assert!(deepened.is_none_or(|it| it.depth == depth || decided(it)));
    Ok(())
}

/// Checks that the principal variation ends in a position with the score.
fn line_realises_score<E: Evaluator<Kalah>>(
    tree: Tree<'_, Kalah, E>,
    position: &Position,
    depth: u32,
) -> Result<(), TestCaseError> {
    let options = Options { quiescence: Quiescence::Off, ..tree.options };
    let (tree, Tree { game, evaluator, .. }) = (tree.with(options), tree);
    if game.ended(position).is_some() {
        return Ok(());
    }
    let found = alpha_beta(tree, position, depth, &()).expect("an unfinished game has moves");
    let line = principal_variation(tree, position, depth, &());
    prop_assert_eq!(line[0], (position.to_move(), found.pit));
    let mut record = Record::from_position(*game, *position);
    for &(side, pit) in &line {
        prop_assert_eq!(record.position().to_move(), side);
        record.play(pit).unwrap();
    }
    let (last, root, plies) = (record.position(), position.to_move(), line.len() as u32);
    let value = match game.ended(last) {
        Some(ending) => evaluator.value_end(game, last, ending, root, plies),
        None => {
            prop_assert_eq!(plies, depth);
            let (mover, _) = line[line.len() - 1];
            options.perspective.value(evaluator, last, root, mover)
        }
    };
    prop_assert_eq!(value, found.score);
    Ok(())
}

laws! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_search_finds_what_minimax_finds(
        (game, position) in any_position(), linear in any_linear(), utility in any_utility(),
        depth in 1..=5u32, options in any_options(),
    ) {
        searches_agree(Tree::new(&game, &linear).with(options), &position, depth)?;
        searches_agree(Tree::new(&game, &utility).with(options), &position, depth)?;
    }

    #[test]
    fn deepening_within_a_budget_finds_what_a_search_of_its_depth_finds(
        (game, position) in any_position(), linear in any_linear(), nodes in 1..20_000u64,
        options in any_options(),
    ) {
        let tree = Tree::new(&game, &linear).with(options);
        let limits = Limits { depth: Some(8), nodes: Some(nodes), movetime: None };
        let Some(found) = deepen(tree, &position, &limits, &(), &mut |_| {}) else {
            prop_assert!(game.moves(&position).is_empty());
            return Ok(());
        };
        let direct = alpha_beta(tree, &position, found.depth, &()).unwrap();
        prop_assert_eq!(choice(Some(direct)), choice(Some(found)));
        prop_assert!(found.nodes <= nodes || found.depth == 1);
    }

    #[test]
    fn the_principal_variation_realises_the_score(
        (game, position) in any_position(), linear in any_linear(), utility in any_utility(),
        depth in 1..=6u32, options in any_options(),
    ) {
        line_realises_score(Tree::new(&game, &linear).with(options), &position, depth)?;
        line_realises_score(Tree::new(&game, &utility).with(options), &position, depth)?;
    }
}

laws! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(200) })]

    /// From seven plies on a search uses a table.
    #[test]
    fn every_deep_search_finds_what_minimax_finds(
        (game, position) in endgame(), linear in any_linear(), utility in any_utility(),
        depth in 7..=9u32, options in any_options(),
    ) {
        searches_agree(Tree::new(&game, &linear).with(options), &position, depth)?;
        searches_agree(Tree::new(&game, &utility).with(options), &position, depth)?;
        line_realises_score(Tree::new(&game, &linear).with(options), &position, depth)?;
        line_realises_score(Tree::new(&game, &utility).with(options), &position, depth)?;
    }
}

/// A win found by the quiescence search does not end iterative deepening: depth 1 finds one winning move, depth 2 another
/// one, which is preferred.
#[test]
fn a_win_beyond_the_plies_searched_is_searched_further() {
    let game: Kalah = "kalah:pits=4,seeds=5,empty-capture=on,ending=emptier"
        .parse::<crate::game::AnyGame>()
        .map(|game| match game {
            crate::game::AnyGame::Kalah(game) => game,
            other => panic!("{other:?}"),
        })
        .unwrap();
    let position = game.position("1-0-0-1-20-1-0-0-0-17-1").unwrap();
    let zero = vec![0; Feature::ALL.len()];
    let features = FeatureSet::new(Feature::ALL.map(AnyFeature::from).to_vec()).unwrap();
    let linear = Linear::new(&Weights::new("", features, &zero, Signs::Signed).unwrap());
    for ties in [Ties::Lowest, Ties::Hash] {
        let options = Options { quiescence: Quiescence::Captures, ties, ..Options::default() };
        let tree = Tree::new(&game, &linear).with(options);
        for depth in 1..=7 {
            searches_agree(tree, &position, depth).unwrap();
        }
    }
}
