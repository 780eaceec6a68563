//! Exports weights to data formats and source code.

mod language;
mod source;

use serde_json::Value;

use self::language::Language;
use self::source::source;
use super::Layer;
use super::file::{LayerField, Raw, Row, sign_of};
use super::provenance::Strength;
use super::weights::Weights;
use crate::game::GameKind;
use crate::text::{Result, escape_comment};

/// A format for exporting weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// JSON with provenance, as in `champion.json`.
    Json,
    Toml,
    /// One row per feature, with its name, weight and conventional sign.
    Csv,
    Rust,
    C,
    Python,
    /// A Rust program that plays Oware Abapa on CodinGame.
    Codingame,
}

/// Implements `ALL`, `name`, `extension` and `FromStr` (from a name or an extension) for the enum `Format` in scope.
/// The arguments are the hint for an unknown format, and a line `Variant: "name", "extension";` for each variant.
#[macro_export]
macro_rules! format_names {
    ($choose:literal, { $($variant:ident: $name:literal, $extension:literal;)+ }) => {
        impl Format {
            pub const ALL: [Format; [$($name),+].len()] = [$(Format::$variant),+];

            /// Returns the name used on the command line.
            pub fn name(self) -> &'static str {
                match self { $(Format::$variant => $name),+ }
            }

            pub fn extension(self) -> &'static str {
                match self { $(Format::$variant => $extension),+ }
            }
        }

        impl std::str::FromStr for Format {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let is_meant = |it: &Format| text == it.name() || text == it.extension();
                Format::ALL.into_iter().find(is_meant).ok_or_else(|| {
                    let known = Format::ALL.map(Format::name);
                    let hint = $crate::text::did_you_mean(text, known, $choose);
                    format!("unknown format \"{}\": {hint}", $crate::text::escape(text))
                })
            }
        }
    };
}

format_names!("choose json, toml, csv, rust, c, python or codingame", {
    Json: "json", "json";
    Toml: "toml", "toml";
    Csv: "csv", "csv";
    Rust: "rust", "rs";
    C: "c", "h";
    Python: "python", "py";
    Codingame: "codingame", "codingame.rs";
});

impl Format {
    /// Returns an error if the format can't represent the weights.
    pub fn check(self, weights: &Weights) -> Result<()> {
        let features = weights.features();
        match (self, features.game()) {
            (Format::Csv, _) if features.units().next().is_some() => {
                Err("csv cannot store a learned layer: choose json, toml, rust, c or python".into())
            }
            (Format::Codingame, game) if game != GameKind::Ayo => {
                Err(format!("codingame has no {game}: choose weights of ayo").into())
            }
            (Format::Codingame, _) if features.layer().is_some() => Err("codingame accepts \
                100,000 characters, too few for a learned layer: choose weights without one"
                .into()),
            _ => Ok(()),
        }
    }
}

/// Exports weights as text. JSON, TOML and CSV can be read back with [`read`](super::read).
///
/// JSON and TOML exports refer to a layer by the name of a file in the same folder ([`Layer::file_name`]). CSV can't
/// contain a layer at all (see [`Format::check`]). Rust, C and Python exports are self-contained source files with an
/// `evaluate` function for positions. In C, the function's name starts with the name of the weights, as in
/// `reference_evaluate`. A CodinGame program consists of the Rust source and a search.
pub fn export(weights: &Weights, format: Format) -> String {
    export_with(weights, format, LayerField::reference)
}

/// Like [`export`], but embeds the layer in JSON and TOML files.
pub fn export_standalone(weights: &Weights, format: Format) -> String {
    export_with(weights, format, LayerField::embedded)
}

fn export_with(weights: &Weights, format: Format, field: fn(&Layer) -> LayerField) -> String {
    match format {
        Format::Json => json(&raw(weights, field)),
        Format::Toml => toml::to_string(&raw(weights, field)).expect("plain data"),
        Format::Csv => csv(weights),
        Format::Rust => source(weights, Language::Rust),
        Format::C => source(weights, Language::C),
        Format::Python => source(weights, Language::Python),
        Format::Codingame => source::bot(weights),
    }
}

/// Formats an object with one field per line.
fn json(raw: &Raw) -> String {
    let value = serde_json::to_value(raw).expect("plain data");
    let fields = value.as_object().expect("a struct is an object").iter();
    let line = |(name, field): (&String, &Value)| format!("  \"{name}\": {}", json_field(field));
    let lines: Vec<String> = fields.map(line).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// Formats a list of objects with one object per line, and any other value on a single line.
fn json_field(field: &Value) -> String {
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

fn strength_lines(weights: &Weights) -> impl Iterator<Item = String> {
    weights.strength.iter().map(|it| {
        let Strength { opponent, openings, games, score, low, high } = it;
        escape_comment(&format!(
            "Score {score} ({low} to {high}) against {opponent}, {games} games, {openings}."
        ))
    })
}

fn title(weights: &Weights) -> String {
    let name = &weights.name;
    match &weights.provenance {
        None => escape_comment(name),
        Some(p) => escape_comment(&format!(
            "{name}: from generation {}, preset {}, seed {}, {}, {}",
            p.generation,
            p.preset,
            p.seed,
            p.played.terms(),
            p.searched()
        )),
    }
}
