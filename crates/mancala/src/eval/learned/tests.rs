//! The laws of learned layers.

mod phases;
mod weights;

use std::sync::Arc;

use proptest::prelude::*;

use super::testing::{any_layer_of, any_output};
use super::*;
use crate::eval::tests::{any_weights, hoarding};
use crate::eval::{Evaluator, Leaves, Perspective, Quiescence, Score, Sum, best_leaf};
use crate::game::arbitrary::{any_kalah_position, any_position};
use crate::game::ayo::{Ayo, Rules};
use crate::game::kalah::Kalah;
use crate::game::{Encoded, Game, GameKind, MOST_GROUPS, PitSet, Side};
use crate::laws;

fn active<G: Encoded>(position: &G::Position) -> Vec<u16> {
    let mut rows = [0; MOST_GROUPS];
    let count = G::active(position, &mut rows);
    rows[..count].to_vec()
}

/// That at most one row of each group is active, in order, and how many are.
fn one_row_of_a_group<G: Encoded>(position: &G::Position) -> Result<usize, TestCaseError> {
    let groups = G::groups();
    prop_assert!(groups.len() <= MOST_GROUPS);
    let of = |row: u16| groups.iter().position(|it| (it.first..it.first + it.rows).contains(&row));
    let found: Vec<usize> = active::<G>(position).into_iter().map(|row| of(row).unwrap()).collect();
    prop_assert!(found.is_sorted_by(|one, next| one < next), "{:?}", found);
    Ok(found.len())
}

/// What a unit says, told weight by weight.
fn unit<G: Encoded>(layer: &Layer, unit: usize, position: &G::Position) -> i32 {
    let rows = active::<G>(position);
    let weight = |row: &u16| i32::from(layer.rows()[usize::from(*row) * layer.units() + unit]);
    let sum = i32::from(layer.bias()[unit]) + rows.iter().map(weight).sum::<i32>();
    (sum.clamp(0, 255) * sum.clamp(0, 255)) / 256
}

laws! {
    #[test]
    fn a_position_shows_one_row_of_a_group(
        position in any_position(), (game, other) in any_kalah_position(),
    ) {
        prop_assert_eq!(one_row_of_a_group::<Ayo>(&position)?, Ayo::groups().len());
        prop_assert_eq!(one_row_of_a_group::<Kalah>(&other)?, 2 * game.pits() + 6);
    }

    #[test]
    fn a_unit_is_a_clamped_sum_squared(
        position in any_position(), layer in any_layer_of::<Ayo>(),
        (_, other) in any_kalah_position(), kalah in any_layer_of::<Kalah>(),
    ) {
        for (index, value) in layer.values::<Ayo>(&position).into_iter().enumerate() {
            prop_assert_eq!(value, unit::<Ayo>(&layer, index, &position));
            prop_assert!((0..=UNIT_MAX).contains(&value));
        }
        for (index, value) in kalah.values::<Kalah>(&other).into_iter().enumerate() {
            prop_assert_eq!(value, unit::<Kalah>(&kalah, index, &other));
        }
    }
}

fn learned<G: Inferred, C: Evaluator<G>>(
    layer: Layer,
    output: &[i16],
    counted: C,
) -> Learned<G, C> {
    let units = layer.units();
    Learned::new(Arc::new(layer), &output[..units], counted)
}

laws! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn vectors_sum_up_as_plain_code_does(
        position in prop_oneof![any_position(), hoarding()], layer in any_layer_of::<Ayo>(),
        (_, other) in any_kalah_position(), kalah in any_layer_of::<Kalah>(), output in any_output(),
    ) {
        let learned_of_ayo = learned::<Ayo, _>(layer, &output, Nothing);
        prop_assert_eq!(learned_of_ayo.sum(&position), learned_of_ayo.plain_sum(&position));
        let kalah = learned::<Kalah, _>(kalah, &output, Nothing);
        prop_assert_eq!(kalah.sum(&other), kalah.plain_sum(&other));
        // Each side is worth what the other is not.
        for me in Side::BOTH {
            let (mine, theirs) = (kalah.evaluate(&other, me), kalah.evaluate(&other, me.other()));
            prop_assert_eq!(mine, -theirs);
            prop_assert!(!mine.counts_plies());
        }
    }

    #[test]
    fn leaves_are_worth_the_same_by_vectors_and_one_by_one(
        position in prop_oneof![any_position(), hoarding()], layer in any_layer_of::<Ayo>(),
        output in any_output(), weights in any_weights(), first: u8, north: bool, mover: bool,
        captures: bool, alpha in -4_000_000..4_000_000i32, width in 1..4_000_000i32,
    ) {
        let me = if north { Side::North } else { Side::South };
        let units = learned::<Ayo, _>(layer.clone(), &output, Nothing);
        let both = learned::<Ayo, _>(layer, &output, Sum::<Ayo>::new(&weights));
        for (_, rules) in Rules::PRESETS {
            let game = Ayo { rules };
            if game.ended(&position).is_some() {
                continue;
            }
            let leaves = Leaves {
                moves: game.moves(&position),
                first: PitSet::from_bits(first),
                me,
                perspective: if mover { Perspective::Mover } else { Perspective::Root },
                quiescence: if captures { Quiescence::Captures } else { Quiescence::Off },
                ply: 3,
                alpha: Score(alpha),
                beta: Score(alpha + width),
            };
            let plain = best_leaf(&units, &game, &position, &leaves, &mut 0);
            prop_assert_eq!(units.best_leaf(&game, &position, leaves, &mut 0), plain);
            let root = Leaves { perspective: Perspective::Root, ..leaves };
            prop_assert_eq!(units.best_leaf(&game, &position, root, &mut 0), plain);
            let plain = best_leaf(&both, &game, &position, &leaves, &mut 0);
            prop_assert_eq!(both.best_leaf(&game, &position, leaves, &mut 0), plain);
        }
    }
}

laws! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn decode_inverts_encode(layer in any_layer_of::<Ayo>(), kalah in any_layer_of::<Kalah>()) {
        for layer in [layer, kalah] {
            let decoded = Layer::decode(&layer.encode()).unwrap();
            prop_assert_eq!(decoded.hash(), layer.hash());
            prop_assert_eq!(decoded, layer);
        }
    }

    #[test]
    fn a_changed_byte_is_refused(
        layer in any_layer_of::<Ayo>(), place: prop::sample::Index, bit in 0..8u8,
    ) {
        let mut bytes = layer.encode();
        *place.get_mut(&mut bytes) ^= 1 << bit;
        prop_assert!(Layer::decode(&bytes).is_err());
        prop_assert!(Layer::decode(&layer.encode()[..place.index(bytes.len())]).is_err());
    }

    /// Weights that a layer has are what they were, and others the nearest that it can have.
    #[test]
    fn quantising_rounds(layer in any_layer_of::<Ayo>(), shift in -0.49f32..0.49) {
        let float = |weights: &[i16]| -> Vec<f32> {
            weights.iter().map(|&weight| (f32::from(weight) + shift) / 255.0).collect()
        };
        let found =
            Layer::quantised(GameKind::Ayo, layer.units(), &float(layer.rows()), &float(layer.bias()));
        let found = found.map(|it| (it.layer.with_phases(layer.phases().clone()), it.clamped));
        prop_assert_eq!(found, Ok((Ok(layer), 0)));
    }
}

fn refusal(units: usize, rows: Vec<i16>, bias: Vec<i16>) -> String {
    Layer::new(GameKind::Ayo, units, rows, bias).unwrap_err().to_string()
}

#[test]
fn what_is_no_layer_is_refused_in_a_sentence() {
    let rows = |units| vec![0; Ayo::rows() * units];
    assert_eq!(refusal(12, rows(12), vec![0; 12]), "has 12 units, not 8 to 64 in steps of 8");
    assert_eq!(refusal(0, rows(0), vec![]), "has 0 units, not 8 to 64 in steps of 8");
    assert_eq!(refusal(8, rows(7), vec![0; 8]), "has 4158 weights of rows, not 4752");
    assert_eq!(refusal(8, rows(8), vec![0; 9]), "has 9 weights of the bias, not 8");
    let large = vec![2000; Ayo::rows() * 8];
    let said = refusal(8, large, vec![-1; 8]);
    assert_eq!(said, "has weights of unit 1 that come to 36001, beyond 32767");
    let nan = Layer::quantised(GameKind::Ayo, 8, &vec![f32::NAN; 4752], &[0.0; 8]).unwrap_err();
    assert_eq!(nan.to_string(), "has a weight of unit 1 that is NaN, not a number");
    let infinite = Layer::quantised(GameKind::Ayo, 8, &vec![f32::INFINITY; 4752], &[-9.0; 8]);
    assert_eq!(infinite.unwrap().clamped, 4760);
}

#[test]
fn damaged_foreign_and_future_files_are_refused_in_a_sentence() {
    let layer = Layer::new(GameKind::Ayo, 8, vec![3; 4752], vec![0; 8]).unwrap();
    let said = |bytes: &[u8]| Layer::decode(bytes).unwrap_err().to_string();
    let bytes = layer.encode();
    let mut damaged = bytes.clone();
    damaged[1000] ^= 1;
    assert_eq!(said(&damaged), "is damaged: its checksum does not match");
    assert_eq!(said(b"{}"), "is not a file of this program");
    let saved = |groups: Vec<(String, u16)>, game: &str| super::layer::testing::saved(game, groups);
    let future = crate::store::Frame { kind: *b"LAYR", version: 3 }.encode(&0u8);
    assert_eq!(said(&future), "is in format version 3, this program reads version 2");
    let foreign = saved(vec![], "chess");
    assert_eq!(said(&foreign), "is a layer of \"chess\", which is no game of this program");
    let other = saved(vec![("my pit 1".into(), 13)], "ayo");
    assert_eq!(said(&other), "is a layer of ayo with inputs that this program does not have");
}

/// The bytes of a layer are a promise: its hash is in users' files.
#[test]
fn the_hash_of_a_layer_stays() {
    let layer = Layer::new(GameKind::Ayo, 8, vec![-1; 4752], vec![255; 8]).unwrap();
    assert_eq!(layer.short_hash(), &layer.hash()[..8]);
    assert_eq!(layer.hash(), "fb36f9dc86d0ef17a8b0e63c4608970a6037073a23230006e5fc219426f0eb92");
}
