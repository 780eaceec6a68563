//! Weights for the hidden neurons of a learned layer, in every command that takes weights.

use std::sync::Arc;

use mancala::eval::{
    FeatureSet, Format, Layer, SecondLayer, Signs, Taper, Weights, export, export_standalone,
};
use mancala::game::ayo::Ayo;
use mancala::game::kalah::Kalah;
use mancala::game::{Encoded, GameKind, Side};
use rand::RngExt;
use serde_json::json;

use crate::support::{Scratch, dice, holds, refused};

fn layer<G: Encoded>(units: usize) -> Layer {
    let mut rng = dice(41, 0);
    let rows = (0..G::rows() * units).map(|_| rng.random_range(-60..=60)).collect();
    let bias = (0..units).map(|_| rng.random_range(-200..=200)).collect();
    Layer::new(G::KIND, units, rows, bias).unwrap()
}

/// Returns weights for all units of a layer and for the features `beside` them.
pub fn weights<G: Encoded>(units: usize, beside: &str) -> Weights {
    let letter = if G::KIND == GameKind::Ayo { "u" } else { "ku" };
    let names: Vec<String> = (1..=units).map(|unit| format!("{letter}{unit}")).collect();
    let features: FeatureSet = format!("{}{beside}", names.join(",")).parse().unwrap();
    weights_with(features, layer::<G>(units))
}

fn weights_with(features: FeatureSet, layer: Layer) -> Weights {
    let features = features.with_layer(Arc::new(layer)).unwrap();
    let mut rng = dice(41, 1);
    let values: Vec<i64> =
        features.features().iter().map(|_| rng.random_range(-300..=300)).collect();
    Weights::new("learned", features, &values, Signs::Signed).unwrap()
}

/// Returns weights for the same features, but a layer with three phases.
pub fn in_phases(weights: Weights) -> Weights {
    let layer = weights.features().layer().unwrap();
    let mut rng = dice(41, 2);
    let factors =
        (0..3 * layer.outputs()).map(|_| rng.random_range(-Taper::ONE..=Taper::ONE)).collect();
    let phases = Taper::new(layer.outputs(), factors).unwrap();
    weights_with(weights.features().clone(), (**layer).clone().with_phases(phases).unwrap())
}

/// Returns weights with a second layer of eight neurons, which come before the other features.
pub fn with_second_layer(weights: Weights) -> Weights {
    let layer = weights.features().layer().unwrap();
    let mut rng = dice(41, 3);
    let inner = (0..8 * layer.units()).map(|_| rng.random_range(-127..=127)).collect();
    let bias = (0..8).map(|_| rng.random_range(-8128..=8128)).collect();
    let second = SecondLayer::new(inner, bias).unwrap();
    let layer = (**layer).clone().with_second_layer(second).unwrap();
    let mut features: Vec<_> = layer.neurons().skip(layer.units()).collect();
    features.extend(weights.features().features());
    weights_with(FeatureSet::new(features).unwrap(), layer)
}

fn keep(scratch: &Scratch, name: &str, weights: &Weights) {
    let layer = weights.features().layer().unwrap();
    scratch.write(name, export(weights, Format::Json));
    scratch.write(&layer.file_name(), layer.encode());
}

const POSITION: &str = "0-1-0-1-0-12-0-1-1-2-3-1-14-12-S";

#[test]
fn every_verb_that_takes_weights_takes_those_of_units() {
    let scratch = Scratch::new();
    let of_ayo = in_phases(with_second_layer(weights::<Ayo>(16, ",a9,a10")));
    keep(&scratch, "learned.json", &of_ayo);
    keep(&scratch, "kalah.json", &weights::<Kalah>(8, ""));
    let position: mancala::game::ayo::Position = POSITION.parse().unwrap();
    let values = of_ayo.features().values::<Ayo>(&position, Side::South);
    let weights = of_ayo.effective_in::<Ayo>(&position);
    let score: i32 = values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
    let eval = format!("eval --position {POSITION} --weights learned.json");
    let said = scratch.json(&format!("{eval} --json"));
    let layer = of_ayo.features().layer().unwrap();
    let expected = [json!(values), json!(score), json!(layer.hash())];
    assert_eq!([&said["features"], &said["score"], &said["layer"]], expected.each_ref());
    let said = scratch.text(&eval);
    holds(&said, &["\nu16 ", "  unit 16 of a learned layer\n", "neuron 8 of a second learned"]);
    holds(&scratch.text("inspect learned.json"), &["\n  1 smaller unit\n", "feature a10 "]);
    let inspected = scratch.json("inspect learned.json --json");
    let counts = ["units", "second_layer", "phases"].map(|name| &inspected["layer"][name]);
    assert_eq!(counts, [16, 8, 3]);
    let file = layer.file_name();
    assert_eq!(scratch.json(&format!("inspect {file} --json")), inspected["layer"]);
    scratch.succeed(&[
        "match minimax:weights=learned.json,depth=3 minimax:weights=seeds,depth=3 --games 20",
        "match rbh:weights=learned.json,plies=2 random --games 10",
        "match --game kalah minimax:weights=kalah.json,depth=3 random --games 10",
        "ablate learned.json --depth 2 --openings random:2,plies=6 --quiet",
        "plot learned.json -o a.svg",
        "inspect kalah.json",
        "eval --game kalah --weights kalah.json",
        "export learned.json --format toml",
    ]);
    scratch.ayo("match minimax:weights=kalah.json,depth=3 random --games 2").code(2);
}

#[test]
fn exports_hold_the_layer_or_name_its_file() {
    let scratch = Scratch::new();
    let learned = weights::<Ayo>(16, "");
    keep(&scratch, "learned.json", &learned);
    let file = learned.features().layer().unwrap().file_name();
    scratch.ayo("export learned.json --standalone -o one.json").success();
    assert_eq!(scratch.read("one.json"), export_standalone(&learned, Format::Json));
    assert_eq!(mancala::eval::read(&scratch.read("one.json"), "").unwrap(), learned);
    std::fs::create_dir(scratch.path("elsewhere")).unwrap();
    for ending in ["json", "toml"] {
        scratch.ayo(&format!("export one.json -o elsewhere/it.{ending}")).success();
        let path = scratch.path(&format!("elsewhere/it.{ending}"));
        assert_eq!(mancala::eval::load(&path.to_string_lossy()).unwrap(), learned);
        let printed = scratch.text(&format!("export learned.json --format {ending}"));
        assert_eq!(mancala::eval::read(&printed, "").unwrap(), learned);
    }
    assert!(scratch.path("elsewhere").join(&file).exists());
    std::fs::remove_file(scratch.path("elsewhere").join(&file)).unwrap();
    refused(scratch.ayo("eval --weights elsewhere/it.json"), 1, &[&file, "--standalone"]);
    scratch.refuses("2 export learned.json", "--format csv => csv");
}
