//! Weights for other programs.

use std::fmt::Write;
use std::str::FromStr;

use super::file::{Raw, Row, sign_of};
use super::weights::Weights;

/// A form that weights are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// With provenance; what `champion.json` is.
    Json,
    /// With provenance.
    Toml,
    /// A row a feature: name, weight, conventional sign.
    Csv,
    /// A `const` of effective weights.
    Rust,
    /// A header with an array of effective weights.
    C,
}

/// Text that names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown format \"{0}\": choose json, toml, csv, rust or c")]
pub struct FormatError(String);

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        match text {
            "json" => Ok(Format::Json),
            "toml" => Ok(Format::Toml),
            "csv" => Ok(Format::Csv),
            "rust" | "rs" => Ok(Format::Rust),
            "c" | "h" => Ok(Format::C),
            _ => Err(FormatError(text.into())),
        }
    }
}

/// The text of `weights` in `format`, newline at the end. JSON, TOML and CSV are read back by
/// [`read`](super::read).
pub fn export(weights: &Weights, format: Format) -> String {
    match format {
        Format::Json => json(&raw(weights)),
        Format::Toml => toml::to_string(&raw(weights)).expect("plain data"),
        Format::Csv => csv(weights),
        Format::Rust => rust(weights),
        Format::C => c(weights),
    }
}

/// An object with a line a field: what belongs together is read together.
fn json(raw: &Raw) -> String {
    let value = serde_json::to_value(raw).expect("plain data");
    let fields = value.as_object().expect("a struct is an object").iter();
    let lines: Vec<String> = fields.map(|(name, field)| format!("  \"{name}\": {field}")).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

fn raw(weights: &Weights) -> Raw {
    let features = weights.features().features().iter();
    Raw {
        kind: "weights".into(),
        name: weights.name.clone(),
        features: features.map(|feature| feature.name().into()).collect(),
        weights: weights.values().iter().map(|&value| value.into()).collect(),
        signs: weights.signs().to_string(),
        provenance: weights.provenance.clone(),
    }
}

fn csv(weights: &Weights) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for (&feature, &value) in weights.features().features().iter().zip(weights.values()) {
        let row = Row {
            feature: feature.name().into(),
            weight: value.into(),
            sign: sign_of(feature, weights.signs()),
        };
        writer.serialize(row).expect("writing to memory");
    }
    String::from_utf8(writer.into_inner().expect("writing to memory")).expect("names are ASCII")
}

/// A line on what the weights are, fit for a comment: no line breaks, no comment ends.
fn title(weights: &Weights) -> String {
    let name: String = weights.name.chars().filter(|c| !c.is_control()).collect();
    let name = name.replace("*/", "* /");
    match &weights.provenance {
        None => name,
        Some(p) => format!(
            "{name}: best of generation {}, preset {}, seed {}, rules {}, depth {}",
            p.generation, p.preset, p.seed, p.rules, p.depth
        ),
    }
}

const SUM: &str = "Evaluation from one player's view = sum of effective weight times feature.";

fn rust(weights: &Weights) -> String {
    let effective = weights.effective();
    let mut text = format!(
        "/// {}\n/// {SUM}\npub const WEIGHTS: [(&str, i32); {}] = [\n",
        title(weights),
        effective.len()
    );
    for (feature, weight) in weights.features().features().iter().zip(effective) {
        let (name, meaning) = (feature.name(), feature.meaning());
        let _ = writeln!(text, "    (\"{name}\", {weight}), // {meaning}");
    }
    text + "];\n"
}

fn c(weights: &Weights) -> String {
    let effective = weights.effective();
    let mut text = format!(
        "/* {}\n   {SUM} */\n#ifndef AYO_WEIGHTS_H\n#define AYO_WEIGHTS_H\n\n\
         #define AYO_WEIGHTS_COUNT {}\n\nstatic const int AYO_WEIGHTS[AYO_WEIGHTS_COUNT] = {{\n",
        title(weights),
        effective.len()
    );
    for (feature, weight) in weights.features().features().iter().zip(effective) {
        let (name, meaning) = (feature.name(), feature.meaning());
        let _ = writeln!(text, "    {weight}, /* {name}: {meaning} */");
    }
    text + "};\n\n#endif\n"
}
