//! Tests of learned layers.

use std::fs;
use std::sync::Arc;

use super::testing::{any_layer_of, any_output, any_weights_of};
use super::*;
use crate::eval::tests::{agree, any_leaves, any_weights, hoarding};
use crate::eval::{
    Evaluator, FeatureSet, Format, Leaves, Linear, Perspective, Signs, Weights, export,
    export_standalone, load, read,
};
use crate::game::ayo::{Ayo, Rules};
use crate::game::kalah::Kalah;
use crate::game::{Encoded, Game, GameKind, MAX_GROUPS, Material, Notated, PAIRED, Side};
use crate::laws::prelude::*;
use crate::store::Frame;

fn active<G: Encoded>(position: &G::Position) -> Vec<u16> {
    let mut rows = [0; MAX_GROUPS];
    let count = G::active(position, &mut rows);
    rows[..count].to_vec()
}

/// Checks that active rows are in order, with at most one per group, and returns the number of active rows.
fn active_groups<G: Encoded>(position: &G::Position) -> Result<usize, TestCaseError> {
    let groups = G::groups();
    prop_assert!(groups.len() <= MAX_GROUPS);
    let of = |row: u16| groups.iter().position(|it| (it.first..it.first + it.rows).contains(&row));
    let found: Vec<usize> = active::<G>(position).into_iter().map(|row| of(row).unwrap()).collect();
    prop_assert!(found.is_sorted_by(|one, next| one < next), "{:?}", found);
    Ok(found.len())
}

fn output<G: Encoded>(layer: &Layer, unit: usize, position: &G::Position) -> i32 {
    if let Some(neuron) = unit.checked_sub(layer.units()) {
        let second = layer.second_layer().unwrap();
        let terms = (0..layer.units()).map(|unit| {
            let weight = second.weights()[neuron * layer.units() + unit];
            output::<G>(layer, unit, position) / 2 * i32::from(weight)
        });
        return (second.bias()[neuron] + terms.sum::<i32>()).clamp(0, 8128) / 32;
    }
    let rows = active::<G>(position);
    let weight = |row: &u16| i32::from(layer.rows()[usize::from(*row) * layer.units() + unit]);
    let sum = i32::from(layer.bias()[unit]) + rows.iter().map(weight).sum::<i32>();
    (sum.clamp(0, 255) * sum.clamp(0, 255)) / 256
}

laws! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_position_has_one_active_row_per_group(
        position in any_position(), (game, other) in any_kalah_position(),
    ) {
        let is_small = |pit: usize, row: u64| ((row >> (8 * pit)) as u8) < PAIRED as u8;
        let pairs = position.rows().into_iter().flat_map(|row| [0, 2, 4].map(|pit| (pit, row)));
        let pairs = pairs.filter(|&(pit, row)| is_small(pit, row) && is_small(pit + 1, row));
        prop_assert_eq!(active_groups::<Ayo>(&position)?, 18 + pairs.count());
        prop_assert_eq!(active_groups::<Kalah>(&other)?, 2 * game.pits() + 6);
    }

    #[test]
    fn outputs_follow_their_definitions(
        position in any_position(), layer in any_layer_of::<Ayo>(),
        (_, other) in any_kalah_position(), kalah in any_layer_of::<Kalah>(),
    ) {
        for (index, value) in layer.values::<Ayo>(&position).into_iter().enumerate() {
            prop_assert_eq!(value, output::<Ayo>(&layer, index, &position));
            prop_assert!((0..=UNIT_MAX).contains(&value));
        }
        for (index, value) in kalah.values::<Kalah>(&other).into_iter().enumerate() {
            prop_assert_eq!(value, output::<Kalah>(&kalah, index, &other));
        }
    }
}

laws! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn vectors_and_scalar_code_agree(
        position in prop_oneof![any_position(), hoarding()], layer in any_layer_of::<Ayo>(),
        (_, other) in any_kalah_position(), kalah in any_layer_of::<Kalah>(), output in any_output(),
    ) {
        let (layer, kalah) = (Arc::new(layer), Arc::new(kalah));
        let [of_ayo, of_kalah] = [&layer, &kalah].map(|layer| &output[..layer.outputs()]);
        let learned_of_ayo = Learned::<Ayo>::new(Arc::clone(&layer), of_ayo, None);
        let sum = learned_of_ayo.scalar_sum(&position);
        prop_assert_eq!(learned_of_ayo.sum(&position), sum);
        let learned_of_kalah = Learned::<Kalah>::new(Arc::clone(&kalah), of_kalah, None);
        let kalah_sum = learned_of_kalah.scalar_sum(&other);
        prop_assert_eq!(learned_of_kalah.sum(&other), kalah_sum);
        // If the processor has AVX-512, the code above has used it, so test AVX2 separately.
        #[cfg(target_arch = "x86_64")]
        if let Some(head) = vector::Head::with(&layer, of_ayo, false) {
            prop_assert_eq!(Ayo::outputs(&head, &position), sum);
            let narrow = vector::Head::with(&kalah, of_kalah, false).unwrap();
            prop_assert_eq!(Kalah::outputs(&narrow, &other), kalah_sum);
        }
        let kalah = learned_of_kalah;
        for me in Side::BOTH {
            let (mine, theirs) = (kalah.evaluate(&other, me), kalah.evaluate(&other, me.other()));
            prop_assert_eq!(mine, -theirs);
            prop_assert!(!mine.counts_plies());
        }
    }

    #[test]
    fn leaves_have_the_same_value_with_vectors(
        position in prop_oneof![any_position(), hoarding()], layer in any_layer_of::<Ayo>(),
        output in any_output(), weights in any_weights(), leaves in any_leaves(4_000_000),
    ) {
        let (layer, output) = (Arc::new(layer.clone()), &output[..layer.outputs()]);
        let units = Learned::<Ayo>::new(Arc::clone(&layer), output, None);
        let both = Learned::<Ayo>::new(layer, output, Some(Linear::new(&weights)));
        for (_, rules) in Rules::PRESETS {
            let game = Ayo { rules };
            if game.ended(&position).is_some() {
                continue;
            }
            let leaves = Leaves { moves: game.moves(&position), ..leaves };
            let best = agree(&units, &game, &position, leaves)?;
            let root = Leaves { perspective: Perspective::Root, ..leaves };
            prop_assert_eq!(agree(&units, &game, &position, root)?, best);
            agree(&both, &game, &position, leaves)?;
        }
    }
}

laws! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn decode_inverts_encode(layer in any_layer_of::<Ayo>(), kalah in any_layer_of::<Kalah>()) {
        // If all weights for pairs are 0, groups of pairs aren't saved, just as before pairs were introduced.
        let (units, rows) = (layer.units(), 594 * layer.units());
        let mut weights = layer.rows().to_vec();
        weights[rows..].fill(0);
        let of_pits = Layer::new(GameKind::Ayo, units, weights, layer.bias().to_vec()).unwrap();
        prop_assert!(of_pits.encode().len() < 594 * 3 * units + 3 * units + 1000);
        for layer in [layer, kalah, of_pits] {
            let decoded = Layer::decode(&layer.encode()).unwrap();
            prop_assert_eq!(decoded.hash(), layer.hash());
            prop_assert_eq!(decoded, layer);
        }
    }

    #[test]
    fn quantising_rounds(layer in any_layer_of::<Ayo>(), shift in -0.4f32..0.4) {
        let float = |weights: &[i16]| -> Vec<f32> {
            weights.iter().map(|&weight| (f32::from(weight) + shift) / 255.0).collect()
        };
        let (rows, bias) = (float(layer.rows()), float(layer.bias()));
        let mut found = Layer::quantised(GameKind::Ayo, layer.units(), &rows, &bias).unwrap();
        if let Some(second) = layer.second_layer() {
            let float = |number: i32, one: i32| ((number as f32) + shift) / one as f32;
            let weights = second.weights().iter().map(|&it| float(it.into(), 64).clamp(-SecondLayer::MAX_WEIGHT, SecondLayer::MAX_WEIGHT));
            let bias = second.bias().iter().map(|&it| float(it, 8128));
            let (weights, bias) = (weights.collect::<Vec<_>>(), bias.collect::<Vec<_>>());
            prop_assert_eq!(&SecondLayer::quantised(&weights, &bias).unwrap(), second);
            found = found.with_second_layer(second.clone()).unwrap();
        }
        let phases = layer.phases().clone();
        prop_assert_eq!(found.with_phases(phases), Ok(layer));
    }
}

fn layer_of(weight: i16, bias: i16) -> Layer {
    let rows = [vec![weight; 594 * 8], vec![0; 864 * 8]].concat();
    Layer::new(GameKind::Ayo, 8, rows, vec![bias; 8]).unwrap()
}

#[test]
fn invalid_layers_are_refused() {
    let error = |units: usize, rows: usize, bias: usize| {
        let rows = vec![0; Layer::inputs(GameKind::Ayo) * rows];
        Layer::new(GameKind::Ayo, units, rows, vec![0; bias]).unwrap_err()
    };
    assert!(error(12, 12, 12).to_string().contains("12 units"));
    assert!(error(0, 0, 0).to_string().contains("0 units"));
    assert!(error(8, 7, 8).to_string().contains("10206 weights of rows"));
    assert!(error(8, 8, 9).to_string().contains("9 weights of the bias"));
    let large = Layer::new(GameKind::Ayo, 8, vec![2000; 11664], vec![-1; 8]);
    assert!(large.unwrap_err().to_string().contains("unit 1 that can add up to 48001,"));
    let nan = Layer::quantised(GameKind::Ayo, 8, &vec![f32::NAN; 11664], &[0.0; 8]);
    assert!(nan.unwrap_err().to_string().contains("a weight that is not a number"));
    let infinite = Layer::quantised(GameKind::Ayo, 8, &vec![f32::INFINITY; 11664], &[-9.0; 8]);
    let infinite = infinite.unwrap();
    assert!(infinite.rows().iter().all(|&weight| weight == 1310));
    assert!(infinite.bias().iter().all(|&weight| weight == -1310));
    let second = |weight, bias: Vec<i32>| SecondLayer::new(vec![weight; 64], bias);
    for (found, reason) in [
        (second(0, vec![0; 24]), "24 neurons"),
        (second(-128, vec![0; 8]), "too large"),
        (second(0, [vec![0; 7], vec![i32::MIN]].concat()), "too large"),
        (SecondLayer::new(vec![0; 65], vec![0; 8]), "65 weights"),
        (SecondLayer::quantised(&[f32::NAN; 64], &[0.0; 8]), "not a number"),
    ] {
        let error = found.unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    let large = SecondLayer::quantised(&[f32::INFINITY; 64], &[-2000.0; 8]);
    assert_eq!(large, second(127, vec![-8_128_000; 8]));
    let wide = SecondLayer::new(vec![0; 128], vec![0; 8]).unwrap();
    assert!(layer_of(0, 0).with_second_layer(wide).is_err());
}

#[test]
fn foreign_and_future_files_are_refused() {
    let frame = Frame { kind: *b"LAYR", version: 4 };
    let future = frame.encode(&0u8);
    assert!(Layer::decode(b"{}").is_err());
    assert!(Layer::decode(&future).unwrap_err().to_string().contains("version 4"));
    // A group of inputs with its name and number of rows, followed by the number of units and no weights.
    let (group, units, none) = ([("my pit 1", 13u16)], 8u32, [0i16; 0]);
    for (game, reason) in [("chess", "\"chess\""), ("ayo", "for ayo with unknown inputs")] {
        let content = (game, &group[..], units, &none[..], &none[..]);
        let error = Layer::decode(&Frame { version: 1, ..frame }.encode(&content)).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    }
}

/// Users' files contain hashes of layers, so the encoding must never change.
#[test]
fn the_hash_of_a_layer_is_stable() {
    let layer = layer_of(-1, 255);
    assert_eq!(layer.short_hash(), &layer.hash()[..8]);
    assert_eq!(layer.hash(), "fb36f9dc86d0ef17a8b0e63c4608970a6037073a23230006e5fc219426f0eb92");
}

laws! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn weights_lie_between_those_of_the_phases(
        layer in any_layer_of::<Ayo>(), output in any_output(), left in 0..=48u32,
    ) {
        let (phases, units) = (layer.phases(), layer.outputs());
        let weights = &output[..units];
        let at = |phase: usize, unit: usize| {
            let factor = i32::from(phases.factors()[phase * units + unit]);
            i32::from(weights[unit]) * factor / i32::from(Taper::ONE)
        };
        let material = Material::new(left, 48);
        let tapered = phases.weights(weights, material);
        let place = left as usize * (phases.count() - 1);
        let (below, above) = (place / 48, place.div_ceil(48));
        for (unit, &weight) in tapered.iter().enumerate() {
            let ends = [at(below, unit), at(above, unit)];
            let range = ends[0].min(ends[1])..=ends[0].max(ends[1]);
            prop_assert!(range.contains(&weight.into()), "{} {:?}", weight, range);
        }
        let negated = |weights: &[i16]| weights.iter().map(|it| -it).collect::<Vec<i16>>();
        prop_assert_eq!(phases.weights(&negated(weights), material), negated(&tapered));
    }

    #[test]
    fn fullness_is_the_share_of_seeds_on_the_board(
        position in any_position(), (game, other) in any_kalah_position(),
    ) {
        let on_board = |rows: [Vec<u16>; 2]| rows.concat().iter().sum::<u16>() as usize;
        let rows = Ayo::default().rows(&position);
        prop_assert_eq!(Ayo::material(&position).parts(), on_board(rows));
        let stored: usize = Side::BOTH.map(|side| game.store(&other, side).into()).iter().sum();
        let left = on_board(game.rows(&other));
        prop_assert_eq!(Kalah::material(&other).parts(), 48 * left / (left + stored).max(1));
    }
}

#[test]
fn layers_of_one_phase_keep_their_format() {
    let layer = layer_of(-1, 255);
    let single = layer.clone().with_phases(Taper::single(8)).unwrap();
    assert_eq!((single.hash(), single.encode()), (layer.hash(), layer.encode()));
    let two = Taper::new(8, [[-256; 8], [256; 8]].concat()).unwrap();
    let phased = layer.clone().with_phases(two).unwrap();
    assert!(phased != layer && phased.hash() != layer.hash());
    let weights = |layer: &Layer, left| layer.phases().weights(&[10, -3], Material::new(left, 48));
    assert_eq!([0, 24, 36].map(|left| weights(&phased, left)), [[-10, 3], [0, 0], [5, -1]]);
    assert_eq!(weights(&layer, 36), [10, -3]);
}

#[test]
fn invalid_phases_are_refused() {
    for found in [12, 0, 72] {
        let error = Taper::new(8, vec![0; found]).unwrap_err().to_string();
        assert!(error.contains(&format!("{found} factors, not 8 ")), "{error}");
    }
    assert!(Taper::new(8, vec![1; 8]).unwrap_err().to_string().contains("a single phase"));
    let mut large = vec![256; 16];
    large[9] = -257;
    assert!(Taper::new(8, large).unwrap_err().to_string().contains("factor -257,"));
    let other = layer_of(0, 0).with_phases(Taper::single(16));
    assert!(other.unwrap_err().to_string().contains("16 factors, not 8 "));
}

laws! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn exported_weights_are_read_back(
        weights in any_weights_of::<Ayo>(), kalah in any_weights_of::<Kalah>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        for weights in [weights, kalah] {
            let layer = weights.features().layer().unwrap();
            fs::write(folder.path().join(layer.file_name()), layer.encode()).unwrap();
            for (format, ending) in [(Format::Json, "json"), (Format::Toml, "toml")] {
                let text = export_standalone(&weights, format);
                prop_assert_eq!(&read(&text, "").unwrap(), &weights);
                let text = export(&weights, format);
                prop_assert!(text.len() < 8000 && read(&text, "").is_err());
                let file = folder.path().join(format!("champion.{ending}"));
                fs::write(&file, text).unwrap();
                prop_assert_eq!(&load(&file.to_string_lossy()).unwrap(), &weights);
            }
            prop_assert_eq!(&load(&folder.path().to_string_lossy()).unwrap(), &weights);
            prop_assert!(Format::Csv.check(&weights).is_err());
            prop_assert!(read(&export(&weights, Format::Csv), "").is_err());
        }
    }
}

fn shared_layer(units: usize) -> Arc<Layer> {
    let rows = vec![1; Layer::inputs(GameKind::Ayo) * units];
    Arc::new(Layer::new(GameKind::Ayo, units, rows, vec![0; units]).unwrap())
}

/// Returns the error message from loading `champion` from a folder that also contains `files`.
fn load_error(champion: &str, files: &[(&str, &[u8])]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("champion.json"), champion).unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let path = folder.path().to_string_lossy().into_owned();
    load(&path).unwrap_err().to_string().replace(&path, "RUN")
}

#[test]
fn missing_and_changed_layers_are_refused() {
    let layer = shared_layer(8);
    let (name, bytes, hash) = (layer.file_name(), layer.encode(), layer.hash().to_owned());
    let features = "u1,u2".parse::<FeatureSet>().unwrap().with_layer(layer).unwrap();
    let champion =
        export(&Weights::new("it", features, &[3, -4], Signs::Signed).unwrap(), Format::Json);
    let mut damaged = bytes.clone();
    damaged[77] ^= 4;
    let other = shared_layer(16);
    for (files, parts) in [
        (&[][..], ["RUN/champion.json", &name]),
        (&[(&*name, &*damaged)], [&*name, "damaged"]),
        (&[(&*name, &*other.encode())], [&*hash, other.hash()]),
    ] {
        let error = load_error(&champion, files);
        assert!(parts.iter().all(|it| error.contains(it)), "{error}");
    }
    for (from, to, reason) in [
        ("\"u2\"", "\"u9\"", "u9 is beyond the 8 units"),
        ("\"u2\"", "\"v1\"", "v1 is beyond the 8 units and 0 second-layer neurons"),
        ("\"u1\",\"u2\"", "\"ku1\",\"ku2\"", "for ayo, but feature ku1 is for kalah"),
        (&*name, "../x.ayo", "file is \"../x.ayo\""),
        ("\"file\"", "\"data\"", "data is not hexadecimal"),
        ("\"file\"", "\"data\":\"00\",\"file\"", "either file or data"),
    ] {
        let error = load_error(&champion.replace(from, to), &[(&name, &bytes)]);
        assert!(error.contains(reason), "{error}");
    }
    assert!(Weights::new("", "u1".parse().unwrap(), &[1], Signs::Signed).is_err());
    assert!(read(&champion, "").unwrap_err().to_string().contains(&name));
}
