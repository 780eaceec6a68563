//! The laws of weights of units.

use std::fs;

use super::super::testing::any_weights_of;
use super::*;
use crate::eval::{FeatureSet, Format, Signs, Weights, export, export_standalone, load, read};
use crate::game::Feature;

laws! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn what_is_exported_reads_back(weights in any_weights_of::<Ayo>(), kalah in any_weights_of::<Kalah>()) {
        let folder = tempfile::tempdir().unwrap();
        for weights in [weights, kalah] {
            let layer = weights.features().layer().unwrap();
            fs::write(folder.path().join(layer.file_name()), layer.encode()).unwrap();
            for (format, ending) in [(Format::Json, "json"), (Format::Toml, "toml")] {
                let text = export_standalone(&weights, format);
                prop_assert_eq!(&read(&text, "").unwrap(), &weights);
                let text = export(&weights, format);
                prop_assert!(text.len() < 4000 && read(&text, "").is_err());
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

fn layer(game: GameKind, units: usize) -> Arc<Layer> {
    let rows = match game {
        GameKind::Ayo => Ayo::rows(),
        GameKind::Kalah => Kalah::rows(),
    };
    Arc::new(Layer::new(game, units, vec![1; rows * units], vec![0; units]).unwrap())
}

#[test]
fn units_need_a_layer_that_has_them() {
    let set = |text: &str| text.parse::<FeatureSet>().unwrap();
    let said = |text: &str, layer| set(text).with_layer(layer).unwrap_err().to_string();
    let ayo = layer(GameKind::Ayo, 8);
    assert_eq!(said("u8,u9", Arc::clone(&ayo)), "feature u9 is beyond the 8 units of the layer");
    let other = "the layer is one of ayo, feature ku1 one of kalah";
    assert_eq!(said("ku1", Arc::clone(&ayo)), other);
    let none = Weights::new("", set("u1"), &[1], Signs::Signed).unwrap_err();
    let sentence = "u1 is a unit of a learned layer, and these weights have no layer";
    assert_eq!(none.to_string(), sentence);
    assert_eq!(Feature::from_name("u1").unwrap().max(), UNIT_MAX);
}

/// What is said of a champion in a folder with these files.
fn said(champion: &str, files: &[(&str, &[u8])]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("champion.json"), champion).unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let path = folder.path().to_string_lossy().into_owned();
    let said = load(&path).unwrap_err().to_string();
    said.replace(&path, "RUN")
}

#[test]
fn layers_that_are_not_as_they_were_are_refused_in_a_sentence() {
    let layer_of_8 = layer(GameKind::Ayo, 8);
    let (name, bytes) = (layer_of_8.file_name(), layer_of_8.encode());
    let hash = layer_of_8.hash().to_owned();
    let features = "u1,u2".parse::<FeatureSet>().unwrap().with_layer(layer_of_8).unwrap();
    let champion =
        export(&Weights::new("it", features, &[3, -4], Signs::Signed).unwrap(), Format::Json);
    let missing = said(&champion, &[]);
    assert!(missing.starts_with(&format!("RUN/champion.json: layer: cannot read RUN/{name}")));
    let mut damaged = bytes.clone();
    damaged[77] ^= 4;
    let error = format!(
        "RUN/champion.json: layer: file \"{name}\" is damaged: its checksum does not match"
    );
    assert_eq!(said(&champion, &[(&name, &damaged)]), error);
    let other = layer(GameKind::Ayo, 16);
    let error = said(&champion, &[(&name, &other.encode())]);
    assert!(error.contains(&format!("hash is \"{hash}\"")) && error.ends_with(other.hash()));
    let with = |from: &str, to: &str| said(&champion.replace(from, to), &[(&name, &bytes)]);
    let beyond = with("\"u2\"", "\"u9\"");
    assert!(
        beyond.ends_with("features: feature u9 is beyond the 8 units of the layer"),
        "{beyond}"
    );
    let game = with("\"u1\",\"u2\"", "\"ku1\",\"ku2\"");
    assert!(game.ends_with("the layer is one of ayo, feature ku1 one of kalah"), "{game}");
    let path = with(&name, "../elsewhere.ayo");
    let sentence = "layer: file is \"../elsewhere.ayo\", not the name of a file in the same folder";
    assert!(path.ends_with(sentence), "{path}");
    let nowhere = with("\"file\"", "\"data\"");
    assert!(nowhere.ends_with("layer: data is not hexadecimal"), "{nowhere}");
    let both = with("\"file\"", "\"data\":\"00\",\"file\"");
    assert!(both.ends_with("layer: one of file and data is needed"), "{both}");
    let alone = read(&champion, "").unwrap_err().to_string();
    assert!(alone.ends_with("a text alone has none: export it standalone"), "{alone}");
}
