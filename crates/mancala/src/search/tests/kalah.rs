//! The laws of search on Kalah, where a side may move several times in a row.

use proptest::prelude::*;

use super::super::*;
use crate::eval::kalah::Linear;
use crate::eval::kansas::{Heuristics, Utility};
use crate::eval::{Evaluator, FeatureSet, MAX_WEIGHT, Signs, Weights};
use crate::game::arbitrary::any_kalah_position as any_position;
use crate::game::kalah::{Feature, Kalah, Position};
use crate::game::{Feature as AnyFeature, Game, Pit, Record, Side};

/// Weights of all features: small ones, which make many ties, and any.
fn any_linear() -> impl Strategy<Value = Linear> {
    let limit = i64::from(MAX_WEIGHT);
    let weights = |range| proptest::collection::vec(range, Feature::ALL.len());
    prop_oneof![weights(-2..=2), weights(-limit..=limit)].prop_map(|values| {
        let features = FeatureSet::new(Feature::ALL.map(AnyFeature::from).to_vec()).unwrap();
        Linear::new(&Weights::new("", features, &values, Signs::Signed).unwrap())
    })
}

/// Ends are not won or lost to these.
fn any_utility() -> impl Strategy<Value = Utility> {
    (0..64usize).prop_map(|index| Heuristics::all().nth(index).unwrap().utility())
}

/// Positions with small trees, seven plies and more of which can be searched without pruning.
fn endgame() -> impl Strategy<Value = (Kalah, Position)> {
    any_position().prop_filter("a small tree", |(game, position)| {
        let seeds: u16 = Side::BOTH.map(|side| position.seeds_in_row(side)).iter().sum();
        let most = [96, 96, 96, 24, 12, 10, 8, 8][game.pits() - 1];
        (2..=most).contains(&seeds)
    })
}

/// The value for `root` of a position `ply` plies on, written down anew.
fn value<E: Evaluator<Kalah>>(
    (game, evaluator, root): (&Kalah, &E, Side),
    position: &Position,
    depth: u32,
    ply: u32,
) -> Score {
    if let Some(ending) = game.ended(position) {
        return evaluator.value_end(game, position, ending, root, ply);
    }
    if depth == 0 {
        return evaluator.evaluate(position, root);
    }
    let children = game
        .moves(position)
        .map(|pit| value((game, evaluator, root), &game.play(position, pit), depth - 1, ply + 1));
    let mine = position.to_move() == root;
    if mine { children.max() } else { children.min() }.expect("the game goes on")
}

/// That all searches find the move and the score that the definition gives.
fn searches_agree<E: Evaluator<Kalah>>(
    game: &Kalah,
    evaluator: &E,
    position: &Position,
    depth: u32,
) -> Result<(), TestCaseError> {
    let root = position.to_move();
    let each: Vec<(Pit, Score)> = game
        .moves(position)
        .map(|pit| {
            let child = game.play(position, pit);
            (pit, value((game, evaluator, root), &child, depth - 1, 1))
        })
        .collect();
    // The last of several largest is taken, so the lowest pit comes last.
    let best = each.iter().rev().max_by_key(|(_, score)| *score).copied();
    let choice = |found: Option<Found>| found.map(|found| (found.pit, found.score));
    let plain = minimax(game, evaluator, position, depth);
    let pruned = alpha_beta(game, evaluator, position, depth, &());
    prop_assert_eq!(choice(plain), best);
    prop_assert_eq!(choice(pruned), best);
    prop_assert_eq!(choice(unordered(game, evaluator, position, depth)), best);
    let limits = Limits::depth(depth);
    let deepened = deepen(game, evaluator, position, &limits, &(), &mut |_| {});
    prop_assert_eq!(choice(deepened), best);
    let decided = |found: Found| found.score.plies_to_end().is_some();
    prop_assert!(deepened.is_none_or(|it| it.depth == depth || decided(it)));
    prop_assert_eq!(payoffs(game, evaluator, position, depth, &()), each);
    Ok(())
}

/// That the principal variation ends in what the score says.
fn line_realises_score<E: Evaluator<Kalah>>(
    game: &Kalah,
    evaluator: &E,
    position: &Position,
    depth: u32,
) -> Result<(), TestCaseError> {
    if game.ended(position).is_some() {
        return Ok(());
    }
    let found = alpha_beta(game, evaluator, position, depth, &()).expect("the game goes on");
    let line = principal_variation(game, evaluator, position, depth, &());
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
            evaluator.evaluate(last, root)
        }
    };
    prop_assert_eq!(value, found.score);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_search_finds_what_minimax_finds(
        (game, position) in any_position(), linear in any_linear(), utility in any_utility(),
        depth in 1..=5u32,
    ) {
        searches_agree(&game, &linear, &position, depth)?;
        searches_agree(&game, &utility, &position, depth)?;
    }

    #[test]
    fn deepening_within_a_budget_finds_what_a_search_of_its_depth_finds(
        (game, position) in any_position(), linear in any_linear(), nodes in 1..20_000u64,
    ) {
        let limits = Limits { depth: Some(8), nodes: Some(nodes), movetime: None };
        let Some(found) = deepen(&game, &linear, &position, &limits, &(), &mut |_| {}) else {
            prop_assert!(game.moves(&position).is_empty());
            return Ok(());
        };
        let direct = alpha_beta(&game, &linear, &position, found.depth, &()).unwrap();
        prop_assert_eq!((direct.pit, direct.score), (found.pit, found.score));
        prop_assert!(found.nodes <= nodes || found.depth == 1);
    }

    #[test]
    fn the_principal_variation_realises_the_score(
        (game, position) in any_position(), linear in any_linear(), utility in any_utility(),
        depth in 1..=6u32,
    ) {
        line_realises_score(&game, &linear, &position, depth)?;
        line_realises_score(&game, &utility, &position, depth)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(500) })]

    /// From seven plies on a search keeps a table.
    #[test]
    fn every_deep_search_does_too(
        (game, position) in endgame(), linear in any_linear(), utility in any_utility(),
        depth in 7..=9u32,
    ) {
        searches_agree(&game, &linear, &position, depth)?;
        searches_agree(&game, &utility, &position, depth)?;
        line_realises_score(&game, &linear, &position, depth)?;
        line_realises_score(&game, &utility, &position, depth)?;
    }
}
