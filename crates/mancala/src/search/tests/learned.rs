//! Searches with learned layers.

use std::sync::Arc;

use super::super::*;
use super::{any_options, choice, endgame, kalah, searches_agree};
use crate::eval::learned::testing::{any_layer_of, any_output, any_weights_of};
use crate::eval::{Learned, LearnedGame, Score, Weights};
use crate::game::ayo::{Ayo, Rules};
use crate::game::kalah::Kalah;
use crate::laws::prelude::*;

/// Generates networks. Small weights produce many ties, and large ones produce sums outside the range of evaluations.
fn any_learned<G: LearnedGame>() -> impl Strategy<Value = Learned<G>> {
    (any_layer_of::<G>(), any_output()).prop_map(|(layer, output)| {
        let outputs = layer.outputs();
        Learned::new(Arc::new(layer), &output[..outputs], None)
    })
}

/// Checks that the scores of a one-ply search are the weighted sums of features.
fn scores_are_weighted_sums<G: SearchableGame>(
    game: &G,
    position: &G::Position,
    weights: &Weights,
) -> Result<(), TestCaseError> {
    let searcher = G::searcher(weights, Options::of(G::KIND));
    let me = game.to_move(position);
    for (pit, score) in searcher.move_values(game, position, 1, &()).moves {
        let leaf = game.play(position, pit);
        if game.ended(&leaf).is_some() {
            continue;
        }
        let values = weights.features().values::<G>(&leaf, me);
        let products = values
            .iter()
            .zip(weights.effective_in::<G>(&leaf))
            .map(|(&n, it)| i64::from(n) * i64::from(it));
        let of_units = weights.features().features().iter().map(|it| it.is_hidden_neuron());
        let sum = |units: bool| -> i64 {
            products.clone().zip(of_units.clone()).filter(|it| it.1 == units).map(|it| it.0).sum()
        };
        let bounded = |sum: i64| sum.clamp(-4_000_000, 4_000_000);
        prop_assert_eq!(score, Score(bounded(sum(true) + bounded(sum(false))) as i32));
    }
    let plain = searcher.search(game, position, 3, Pruning::None, &());
    let pruned = searcher.search(game, position, 3, Pruning::AlphaBeta, &());
    prop_assert_eq!(choice(pruned), choice(plain));
    let units = weights.features().units().count();
    if weights.values()[..units].iter().any(|&weight| weight != 0) {
        let hash = weights.features().layer().unwrap().hash();
        prop_assert!(searcher.to_string().contains(hash));
    }
    Ok(())
}

laws! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(120) })]

    #[test]
    fn searches_of_ayo_agree_with_minimax(
        position in any_position(), few in endgame(), evaluator in any_learned::<Ayo>(),
        depth in 1u32..5, deep in 7u32..=8, options in any_options(),
    ) {
        for (_, rules) in Rules::PRESETS {
            let game = Ayo { rules };
            let tree = Tree::new(&game, &evaluator).with_options(options);
            for (position, depth) in [(position, depth), (few, deep)] {
                let plain = searches_agree(tree, &position, depth)?;
                // The perspective doesn't affect the value here.
                let perspective = crate::eval::Perspective::Root;
                let tree = tree.with_options(Options { perspective, ..options });
                prop_assert_eq!(choice(alpha_beta(tree, &position, depth, &())), choice(plain));
            }
        }
    }

    #[test]
    fn searches_of_kalah_agree_with_minimax(
        (game, few) in kalah::endgame(), evaluator in any_learned::<Kalah>(), depth in 1u32..=8,
        options in any_options(),
    ) {
        let tree = Tree::new(&game, &evaluator).with_options(options);
        searches_agree(tree, &few, depth)?;
    }

    #[test]
    fn searches_value_leaves_by_features_and_weights(
        position in any_position(), weights in any_weights_of::<Ayo>(),
        (game, other) in any_kalah_position(), kalah in any_weights_of::<Kalah>(),
    ) {
        scores_are_weighted_sums(&Ayo::default(), &position, &weights)?;
        scores_are_weighted_sums(&game, &other, &kalah)?;
    }
}
