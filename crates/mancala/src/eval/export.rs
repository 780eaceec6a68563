//! Weights for other programs.

mod language;
mod source;
mod terms;

use std::str::FromStr;

use serde_json::Value;

use self::language::Language;
use self::source::source;
use super::Layer;
use super::file::{LayerField, Raw, Row, sign_of};
use super::strength::Strength;
use super::weights::Weights;
use crate::text::{did_you_mean, in_comment};

/// A form that weights are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// With provenance; what `champion.json` is.
    Json,
    /// With provenance.
    Toml,
    /// A row a feature: name, weight, conventional sign.
    Csv,
    /// A module with a function `evaluate`, which counts what it weighs.
    Rust,
    /// A header with the same function, whose name begins with that of the weights.
    C,
    /// A module with the same function.
    Python,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 6] =
        [Format::Json, Format::Toml, Format::Csv, Format::Rust, Format::C, Format::Python];

    /// The name that it is chosen by.
    pub fn name(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Toml => "toml",
            Format::Csv => "csv",
            Format::Rust => "rust",
            Format::C => "c",
            Format::Python => "python",
        }
    }

    /// How the names of its files end.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Toml => "toml",
            Format::Csv => "csv",
            Format::Rust => "rs",
            Format::C => "h",
            Format::Python => "py",
        }
    }
}

/// Text that names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown format \"{0}\": {hint}", hint = meant(.0))]
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
            "python" | "py" => Ok(Format::Python),
            _ => Err(FormatError(text.into())),
        }
    }
}

fn meant(name: &str) -> String {
    let known = Format::ALL.map(Format::name);
    did_you_mean(name, known, "choose json, toml, csv, rust, c or python")
}

/// Why weights cannot be written in a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// A form of names and numbers only.
    #[error("csv cannot hold the layer that units are of: choose json, toml, rust, c or python")]
    Layer,
}

impl Format {
    /// Checks that the format holds all that some weights are.
    ///
    /// # Errors
    /// If it cannot hold a layer.
    pub fn check(self, weights: &Weights) -> Result<(), ExportError> {
        let features = weights.features();
        match self {
            Format::Csv if features.units().next().is_some() => Err(ExportError::Layer),
            _ => Ok(()),
        }
    }
}

/// The text of `weights` in `format`, newline at the end. JSON, TOML and CSV are read back by
/// [`read`](super::read).
///
/// JSON and TOML name the file of a layer, [`Layer::file_name`], which has to lie beside them. CSV cannot say of
/// which layer its units are: [`Format::check`]. Rust, C and Python are a file with a function `evaluate`, which
/// values a position and needs nothing else; in C it is called as the weights are, `reference_evaluate`.
pub fn export(weights: &Weights, format: Format) -> String {
    written(weights, format, LayerField::beside)
}

/// As [`export`], with the layer within the text of JSON and TOML.
pub fn export_standalone(weights: &Weights, format: Format) -> String {
    written(weights, format, LayerField::within)
}

fn written(weights: &Weights, format: Format, field: fn(&Layer) -> LayerField) -> String {
    match format {
        Format::Json => json(&raw(weights, field)),
        Format::Toml => toml::to_string(&raw(weights, field)).expect("plain data"),
        Format::Csv => csv(weights),
        Format::Rust => source(weights, Language::Rust),
        Format::C => source(weights, Language::C),
        Format::Python => source(weights, Language::Python),
    }
}

/// An object with a line a field: what belongs together is read together.
fn json(raw: &Raw) -> String {
    let value = serde_json::to_value(raw).expect("plain data");
    let fields = value.as_object().expect("a struct is an object").iter();
    let line = |(name, field): (&String, &Value)| format!("  \"{name}\": {}", in_lines(field));
    let lines: Vec<String> = fields.map(line).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// A list of objects with a line each, all else in one.
fn in_lines(field: &Value) -> String {
    match field.as_array() {
        Some(items) if items.iter().any(Value::is_object) => {
            let lines: Vec<String> = items.iter().map(|item| format!("    {item}")).collect();
            format!("[\n{}\n  ]", lines.join(",\n"))
        }
        _ => field.to_string(),
    }
}

fn raw(weights: &Weights, field: fn(&Layer) -> LayerField) -> Raw {
    let features = weights.features().features().iter();
    Raw {
        kind: "weights".into(),
        name: weights.name.clone(),
        features: features.map(|feature| feature.name().into()).collect(),
        weights: weights.values().iter().map(|&value| value.into()).collect(),
        signs: weights.signs().to_string(),
        layer: weights.features().layer().map(|layer| field(layer)),
        provenance: weights.provenance.clone(),
        strength: weights.strength.clone(),
        gates: weights.gates.clone(),
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

/// A line for each opponent that the weights were measured against, fit for a comment.
fn measured(weights: &Weights) -> impl Iterator<Item = String> {
    weights.strength.iter().map(|it| {
        let Strength { opponent, openings, games, score, low, high } = it;
        in_comment(&format!(
            "Score {score} ({low} to {high}) against {opponent}, {games} games, {openings}."
        ))
    })
}

/// A line on what the weights are, fit for a comment.
fn title(weights: &Weights) -> String {
    let name = &weights.name;
    match &weights.provenance {
        None => in_comment(name),
        Some(p) => in_comment(&format!(
            "{name}: best of generation {}, preset {}, seed {}, {}, {}",
            p.generation,
            p.preset,
            p.seed,
            p.played,
            p.searched()
        )),
    }
}
