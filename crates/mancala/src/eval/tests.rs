//! Tests of evaluators, weights and weights files.

use super::*;
use crate::game::ayo::Feature::{self, *};
use crate::game::ayo::{Ayo, DAOUD, PITS, Position, Rules, SEEDS};
use crate::game::{AnyGame, Feature as AnyFeature, Game, GameFeature, PitSet, Side};
use crate::laws::prelude::*;

const ALL: [Feature; Feature::ALL.len()] = Feature::ALL;

fn any_features() -> impl Strategy<Value = FeatureSet> {
    let some = |features: Vec<AnyFeature>| {
        let count = 1..=features.len();
        proptest::sample::subsequence(features, count).prop_shuffle()
    };
    let all = ALL.map(AnyFeature::from).to_vec();
    let features = prop_oneof![some([all.clone(), members()].concat()), some(all)];
    features.prop_map(|features| FeatureSet::new(features).unwrap())
}

fn members() -> Vec<AnyFeature> {
    GameKind::Ayo.members().into_iter().flatten().filter(|it| !it.is_hidden_neuron()).collect()
}

#[test]
fn named_sets_do_not_change() {
    let sets = GameKind::ALL.into_iter().flat_map(GameKind::feature_sets);
    assert!(sets.map(|(_, features)| features.len()).eq([12, 6, 2, 8, 181, 6, 14]));
    let set: FeatureSet = "pits".parse().unwrap();
    assert_eq!(set.to_string(), "pits");
    assert_eq!(set.features()[..12], *FeatureSet::daoud2004().features());
    assert_eq!(set.features()[12..], members());
}

#[test]
fn the_documentation_lists_every_feature() {
    let page = include_str!("../../../../docs/features.md");
    for name in ALL.map(|feature| feature.definition().name) {
        assert!(page.contains(&format!("| `{name}` |")), "docs/features.md lacks {name}");
    }
}

fn alone(feature: AnyFeature) -> Weights {
    let set = FeatureSet::new(vec![feature]).unwrap();
    Weights::new("", set, &[7], Signs::Signed).unwrap()
}

pub(super) fn any_weights() -> impl Strategy<Value = Weights> {
    any_weights_of(any_features(), ALL.len() + members().len())
}

/// Generates weights for the given feature sets, which have at most `max` features.
pub(super) fn any_weights_of(
    features: impl Strategy<Value = FeatureSet>,
    max: usize,
) -> impl Strategy<Value = Weights> {
    let limit = i64::from(MAX_WEIGHT);
    // A single large weight makes the vector code use several digits per weight. To also test the code for one digit,
    // we draw all weights of an evaluator from the same range.
    let weights = |range| proptest::collection::vec(range, max);
    let weights = prop_oneof![weights(-60..=60), weights(-2500..=2500), weights(-limit..=limit)];
    let name = "[ -~]{0,20}";
    (features, weights, any::<bool>(), name).prop_map(|(features, values, signed, name)| {
        let signs = if signed { Signs::Signed } else { Signs::Literal };
        let count = features.features().len();
        Weights::new(name, features, &values[..count], signs).unwrap()
    })
}

/// Generates positions in which the stores and some of the pits have been emptied into one of the other pits.
pub(super) fn hoarding() -> impl Strategy<Value = Position> {
    (any_position(), 0..2 * PITS, any::<u16>()).prop_map(|(position, hoard, given)| {
        let rows = Side::BOTH.map(|side| position.row(side));
        let mut pits: [u8; 2 * PITS] = rows.as_flattened().try_into().unwrap();
        for pit in (0..2 * PITS).filter(|&pit| pit != hoard && given >> pit & 1 == 1) {
            pits[hoard] += std::mem::take(&mut pits[pit]);
        }
        pits[hoard] += SEEDS - pits.iter().sum::<u8>();
        Position::new(pits, [0; 2], position.to_move()).unwrap()
    })
}

/// Generates positions in which all pits of a side hold the same number of seeds, so that they count for a feature.
fn even() -> impl Strategy<Value = Position> {
    (0..=4u8, 0..=4u8).prop_map(|(south, north)| {
        let pits = [[south; 6], [north; 6]].concat().try_into().unwrap();
        Position::new(pits, [SEEDS - 6 * (south + north), 0], Side::South).unwrap()
    })
}

fn evaluate(weights: &Weights, position: &Position, me: Side) -> Score {
    Linear::new(weights).evaluate(position, me)
}

pub(super) fn side(north: bool) -> Side {
    if north { Side::North } else { Side::South }
}

fn sum_of_products(weights: &Weights, position: &Position, me: Side) -> Score {
    let features = weights.features().features().iter();
    let value = |feature: &AnyFeature| feature.value::<Ayo>(position, me).unwrap();
    let sum: i32 = features.zip(weights.effective()).map(|(it, weight)| weight * value(it)).sum();
    Score(sum.clamp(-sum::MAX_SUM, sum::MAX_SUM))
}

/// Generates [`Leaves`] with arbitrary options but no moves. `alpha` is at least `-limit` and below `limit`.
pub(super) fn any_leaves(limit: i32) -> impl Strategy<Value = Leaves> {
    let bits = (any::<u8>(), any::<bool>(), any::<bool>(), any::<bool>());
    (bits, -limit..limit, 1..2 * limit).prop_map(
        |((first, north, mover, captures), alpha, width)| Leaves {
            moves: PitSet::default(),
            first: PitSet::from_bits(first),
            me: side(north),
            perspective: if mover { Perspective::Mover } else { Perspective::Root },
            quiescence: if captures { Quiescence::Captures } else { Quiescence::Off },
            ply: 3,
            alpha: Score(alpha),
            beta: Score(alpha + width),
        },
    )
}

/// Checks that an evaluator finds the same best leaf as the generic loop, and returns it.
pub(super) fn agree(
    evaluator: &impl Evaluator<Ayo>,
    game: &Ayo,
    position: &Position,
    leaves: Leaves,
) -> Result<BestLeaf, TestCaseError> {
    let [mut expected_nodes, mut nodes] = [0; 2];
    let expected = best_leaf(evaluator, game, position, &leaves, &mut expected_nodes);
    prop_assert_eq!(evaluator.best_leaf(game, position, leaves, &mut nodes), expected);
    prop_assert_eq!(nodes, expected_nodes);
    Ok(expected)
}

fn compiled_agrees(
    weights: &Weights,
    game: &Ayo,
    position: &Position,
    leaves: Leaves,
) -> Result<BestLeaf, TestCaseError> {
    agree(&Linear::new(weights), game, position, leaves)
}

laws! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn an_evaluation_is_the_sum_of_weights_times_features(
        weights in any_weights(), position in prop_oneof![any_position(), even()], north: bool,
    ) {
        let me = side(north);
        let score = evaluate(&weights, &position, me);
        prop_assert_eq!(score, sum_of_products(&weights, &position, me));
        prop_assert_eq!(Sum::<Ayo>::new(&weights).evaluate(&position, me), score);
        prop_assert_eq!(score.plies_to_end(), None);
        for feature in ALL {
            let value = feature.value(&position, me);
            prop_assert!((0..=feature.definition().max).contains(&value), "{feature:?} is {value}");
        }
    }

    #[test]
    fn leaves_have_the_same_value_with_vectors(
        weights in any_weights(), position in prop_oneof![any_position(), hoarding()],
        leaves in any_leaves(2000),
    ) {
        for (_, rules) in Rules::PRESETS {
            let game = Ayo { rules };
            if game.ended(&position).is_none() {
                let leaves = Leaves { moves: game.moves(&position), ..leaves };
                compiled_agrees(&weights, &game, &position, leaves)?;
            }
        }
    }

    /// Two weights of 63 fit into a narrow lane, but three don't, so lanes would overflow here if the vector code
    /// didn't take into account that several features can count the same pit.
    #[test]
    fn no_lane_overflows(
        features in proptest::sample::subsequence(ALL.map(AnyFeature::from).to_vec(), 2..=4),
        weight in proptest::sample::select(vec![127, 63, 42, -42, -63, -127]),
        positions in proptest::collection::vec(prop_oneof![any_position(), hoarding()], 40),
        leaves in any_leaves(2000),
    ) {
        let weights = vec![weight; features.len()];
        let features = FeatureSet::new(features).unwrap();
        let weights = Weights::new("", features, &weights, Signs::Literal).unwrap();
        let game = Ayo::default();
        for position in positions.iter().filter(|it| game.ended(it).is_none()) {
            let leaves = Leaves { moves: game.moves(position), ..leaves };
            compiled_agrees(&weights, &game, position, leaves)?;
        }
    }

    /// Fails if a feature is missing in a fast evaluator.
    #[test]
    fn every_single_feature_is_evaluated(
        position in any_position(), leaves in any_leaves(2000), first in 0usize..6,
    ) {
        let (me, game) = (leaves.me, Ayo::default());
        // Each case covers a sixth of the members of feature families.
        let members = members().into_iter().skip(first).step_by(6);
        for feature in ALL.map(AnyFeature::from).into_iter().chain(members) {
            let weights = alone(feature);
            prop_assert_eq!(evaluate(&weights, &position, me), sum_of_products(&weights, &position, me));
            if game.ended(&position).is_some() {
                continue;
            }
            let leaves = Leaves { moves: game.moves(&position), ..leaves };
            let best = compiled_agrees(&weights, &game, &position, leaves);
            let best = best.map_err(|error| TestCaseError::fail(format!("{feature:?}: {error}")))?;
            let sum = agree(&Sum::<Ayo>::new(&weights), &game, &position, leaves)?;
            prop_assert_eq!(best, sum, "{:?}", feature);
        }
    }

    #[test]
    fn features_come_in_pairs_that_swap_with_the_view(position in any_position()) {
        for feature in ALL {
            let name = format!("{feature:?}");
            let rest = name.strip_prefix("Their");
            let other = rest.map_or(name.replace("My", "Their"), |rest| format!("My{rest}"));
            let found = ALL.into_iter().find(|it| format!("{it:?}") == other);
            let other = found.unwrap_or_else(|| panic!("{name} needs an opposite feature, {other}"));
            let south = feature.value(&position, Side::South);
            prop_assert_eq!(south, other.value(&position, Side::North), "{:?}", feature);
            prop_assert_eq!(feature.definition().sign, -other.definition().sign);
        }
    }
}

// These tests run fewer cases, because reading and writing text is slow.
laws! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn exported_weights_are_read_back(weights in any_weights()) {
        for format in [Format::Json, Format::Toml] {
            prop_assert_eq!(read(&export(&weights, format), "").unwrap(), weights.clone());
        }
        let again = read(&export(&weights, Format::Csv), &weights.name).unwrap();
        prop_assert_eq!(again.effective(), weights.effective());
        prop_assert_eq!(again.features(), weights.features());
    }
}

#[test]
fn the_start_position_has_known_features() {
    let start = Position::start(Side::South);
    // Four pits reach the other row, no pit can capture, and there is no empty pit.
    for feature in DAOUD {
        let reaches = [TheirReach, MyReach].contains(&feature);
        assert_eq!(feature.value(&start, Side::South), if reaches { 4 } else { 0 }, "{feature:?}");
    }
}

#[test]
fn threats_follow_the_rules_of_sowing() {
    // F has 12 seeds. Sowing skips F itself, so the last seed lands in a, which has 1 seed by then.
    let kroo: Position = "0-0-0-0-0-12-0-1-1-1-1-1-15-16-S".parse().unwrap();
    assert_eq!(Feature::MyThreatsOf2.value(&kroo, Side::South), 1);
    // With one more seed in pit a, the last seed makes three.
    let kroo: Position = "0-0-0-0-0-12-1-1-1-1-1-1-15-15-S".parse().unwrap();
    assert_eq!(Feature::MyThreatsOf2.value(&kroo, Side::South), 0);
    assert_eq!(Feature::MyThreatsOf3.value(&kroo, Side::South), 1);
    assert_eq!(Feature::MyKroo.value(&kroo, Side::South), 0, "a kroo has more than twelve seeds");
}

#[test]
fn named_weights_have_known_values() {
    let position: Position = "13-0-1-0-0-2-3-0-0-0-0-1-20-8-N".parse().unwrap();
    let value = |name| evaluate(&Weights::named(name).unwrap(), &position, Side::South).0;
    assert_eq!(value("seeds"), 12);
    // South has 20 seeds, one kroo, three empty pits and two weak pits. North has 8, 0, 4 and 1.
    let (seeds, kroo, empty, weak) = (20 - 8, 1, 3 - 4, 2 - 1);
    assert_eq!(value("aalina4"), 25 * seeds + 28 * kroo - 54 * empty - 36 * weak);
}

#[test]
fn all_names_can_be_loaded() {
    for name in Weights::names() {
        assert_eq!(load(name).unwrap().name, name);
    }
}

fn trained(name: &str, played: AnyGame) -> String {
    let mut weights = Weights::named(name).unwrap();
    let provenance = Weights::named(REFERENCE).unwrap().provenance;
    weights.provenance = provenance.map(|it| Provenance { played, ..it });
    export(&weights, Format::Json)
}

#[test]
fn the_provenance_contains_the_game() {
    let of_ayo = export(&Weights::named(REFERENCE).unwrap(), Format::Json);
    assert!(of_ayo.contains("\"generation\":48,\"rules\":\"ayo\",\"depth\":5,"), "{of_ayo}");
    let of_kalah = trained("stores", "kalah:seeds=3".parse().unwrap());
    for (text, played) in [(&of_ayo, "rules ayo"), (&of_kalah, "game kalah:seeds=3")] {
        let weights = read(text, "").unwrap();
        assert_eq!(weights.provenance.as_ref().unwrap().played.terms(), played);
        assert_eq!(&export(&weights, Format::Json), text);
        assert_eq!(read(&export(&weights, Format::Toml), "").unwrap(), weights);
        assert!(export(&weights, Format::C).contains(&format!(", {played}, depth 5")));
    }
    for wrong in ["\"ruled\":\"ayo\"", "\"rules\":\"ayo\",\"game\":\"kalah\""] {
        let error = read(&of_ayo.replace("\"rules\":\"ayo\"", wrong), "").unwrap_err().to_string();
        assert!(error.contains("either rules or game is required"), "{error}");
    }
}

#[test]
fn the_game_of_provenance_and_features_must_agree() {
    let of_ayo = export(&Weights::named(REFERENCE).unwrap(), Format::Json);
    for (field, said) in [
        ("game\":\"chess", "game: unknown game \"chess\""),
        ("game\":\"kalah:pits=9", "game: kalah: pits is \"9\""),
        ("rules\":\"awari:x", "rules: unknown rules setting \"x\""),
        ("game\":\"kalah", "provenance: game: \"kalah\" is for kalah, but feature a1 is for ayo"),
    ] {
        let error = read(&of_ayo.replace("rules\":\"ayo", field), "").unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let awari = Ayo { rules: Rules::AWARI }.into();
    let error = read(&trained("stores", awari), "").unwrap_err().to_string();
    assert!(error.starts_with("provenance: rules: \"awari\""), "{error}");
    for (_, rules) in Rules::PRESETS {
        read(&trained("seeds", Ayo { rules }.into()), "").unwrap();
    }
}

/// The strength of every version is measured against these weights, so they must never change.
#[test]
fn the_fixed_opponent_does_not_change() {
    let weights = Weights::named("learned-0.2").unwrap();
    let layer = weights.features().layer().unwrap().short_hash().to_owned();
    let values = weights.effective().iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    assert_eq!((layer.as_str(), crc32fast::hash(values.as_bytes())), ("51208a6d", 3_069_290_733));
}

#[test]
fn invalid_weights_are_refused_with_field_and_value() {
    let good = export(&Weights::named("seeds").unwrap(), Format::Json);
    for (from, to, reason) in [
        ("\"weights\",", "\"match\",", "kind is \"match\""),
        ("\"a9\"", "\"x1\"", "features: \"x1\""),
        ("\"a9\"", "\"a10\"", "features: feature a10"),
        ("signed", "squared", "signs is \"squared\""),
        ("[1,1]", "[40000,1]", "weights: the weight of a9 is 40000"),
        ("[1,1]", "[1,2,1]", "weights: there are 3"),
        ("[1,1]", "[1.5,1]", "JSON"),
    ] {
        let error = read(&good.replace(from, to), "").unwrap_err().to_string();
        assert!(error.contains(reason) && !error.contains('\n'), "{error}");
    }
    assert!(read("feature,weight,sign\na9,1,+\na1,1,-\n", "").is_err());
    assert!(read("\u{feff}\n\n{", "").unwrap_err().to_string().contains("line 3"));
}

#[test]
fn strength_is_exported_with_the_weights() {
    let mut weights = Weights::named("seeds").unwrap();
    let against = |opponent: &str| Strength::new(opponent, "plies:4", 2028, 0.71234, (0.7, 0.73));
    weights.strength = vec![against("greedy"), against("minimax:weights=\"a,b\",depth=7")];
    assert_eq!(weights.strength[0].score, 0.7123);
    let good = export(&weights, Format::Json);
    for (from, to) in [("0.7123", "0.6"), ("0.7123", "-0.1"), ("0.73", "1.3"), ("0.73", "0.1")] {
        let error = read(&good.replacen(from, to, 1), "").unwrap_err().to_string();
        assert!(error.starts_with("strength: score") && error.contains("\"greedy\""), "{error}");
    }
    // With the other sign convention, these are different weights, so we don't know their strength.
    assert!(weights.clone().with_signs(Signs::Literal).strength.is_empty());
    assert_eq!(weights.clone().with_signs(Signs::Signed), weights);
}

#[test]
fn the_mean_of_strengths() {
    assert_eq!(mean_strength(&[]), None);
    let of = |score: f64| Strength::new("it", "plies:4", 2, score, (score - 0.06, score + 0.06));
    let (score, margin) = mean_strength(&[of(0.5), of(0.6), of(0.7), of(0.8)]).unwrap();
    assert!((score - 0.65).abs() < 1e-12 && (margin - 0.03).abs() < 1e-12);
}
