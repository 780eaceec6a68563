//! Reading of weights from JSON, TOML and CSV files. The format is detected from the content.

mod layer;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub(super) use self::layer::LayerField;
use super::provenance::{GateTest, Provenance, Strength};
use super::set::{FeatureSet, FeatureSetError, feature_hint};
use super::weights::{LEARNED, LEARNED_0_2, REFERENCE, STANDARD_0_2, Signs, Weights, WeightsError};
use crate::game::{Feature, GameKind};
use crate::store::{self, Checksums, FileError, Verdict};
use crate::text::{did_you_mean, nearest_name};

/// The contents of a weights file in JSON or TOML before validation.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Raw {
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) features: Vec<String>,
    pub(super) weights: Vec<i64>,
    pub(super) signs: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) layer: Option<LayerField>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) provenance: Option<Provenance>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) strength: Vec<Strength>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) gates: Vec<GateTest>,
}

/// Errors from loading weights by name or path.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The given text is neither a known name nor the path of a file.
    #[error("unknown weights \"{0}\": {hint}", hint = hint(.0))]
    Unknown(String),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{}: no champion.json in this folder{}", .0.display(), champion_hint(.0))]
    NoChampion(PathBuf),
    /// A bit of the byte at this offset has changed since the run wrote the file.
    #[error("{}: damaged: a bit of byte {byte} has changed", path.display())]
    Damaged { path: PathBuf, byte: usize },
    #[error("{}: {reason}", path.display())]
    Content { path: PathBuf, reason: ReadError },
}

/// Errors in the text of a weights file.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("not a weights file in {form}: {reason}")]
    Syntax { form: &'static str, reason: String },
    #[error("cannot read exported source code: export the weights as TOML or JSON as well")]
    Source,
    #[error("kind is \"{0}\", not \"weights\"")]
    Kind(String),
    #[error("features: \"{0}\" is not a feature: {hint}", hint = feature_hint(.0))]
    Feature(String),
    #[error("features: {0}")]
    Set(#[from] FeatureSetError),
    #[error("layer: {0}")]
    Layer(String),
    #[error("signs is \"{0}\", not signed or literal")]
    Signs(String),
    #[error("weights: {0}")]
    Weights(#[from] WeightsError),
    /// The game is unknown, or the features belong to a different game.
    #[error("provenance: {field}: {reason}")]
    Game { field: &'static str, reason: String },
    /// The score is outside its interval, or a number is not between 0 and 1.
    #[error("strength: score {} with interval {} to {} against {:?} is invalid", .0.score, .0.low, .0.high,
             .0.opponent)]
    Strength(Strength),
    #[error("the column sign follows neither the signed nor the literal convention")]
    MixedSigns,
}

/// Returns a hint on how to create the champion of a run folder that has no champion yet.
fn champion_hint(folder: &Path) -> &'static str {
    match folder.join("run.toml").exists() {
        true => ": run \"ayo resume\" or \"ayo select\" to create it",
        false => "",
    }
}

/// Explains why there are no weights with this name, or suggests a similar name.
fn hint(name: &str) -> String {
    let is_sum = name.contains('+') && name.split('+').any(|it| Feature::from_name(it).is_some());
    let set = name.replace('+', ",").parse::<FeatureSet>();
    if let Ok(set) = &set
        && let Some(unit) = set.features().iter().find(|feature| feature.is_hidden_neuron())
    {
        return WeightsError::Unit(unit.name()).to_string();
    }
    match set.err().filter(|_| is_sum) {
        Some(FeatureSetError::Unknown(part)) => {
            format!("\"{part}\" is not a feature: {}", feature_hint(&part))
        }
        Some(reason) => reason.to_string(),
        None => find_run(name).map_or_else(
            || {
                let otherwise = format!("give a file, a run folder or one of {}", names());
                did_you_mean(name, Weights::names(), otherwise)
            },
            |run| format!("did you mean \"{run}\"?"),
        ),
    }
}

/// The default folder for runs, relative to the current directory.
pub const RUNS: &str = "populations";

/// Returns the run folder with this name or a similar one in [`RUNS`], or else at the given place, if there is one.
pub fn find_run(name: &str) -> Option<String> {
    let path = Path::new(name);
    let similar = |folder: PathBuf| {
        let is_run = |it: &PathBuf| it.join("run.toml").exists();
        let runs = fs::read_dir(Path::new(".").join(&folder)).ok()?.flatten().map(|it| it.path());
        let names = runs.filter(is_run).filter_map(|it| Some(it.file_name()?.to_str()?.to_owned()));
        let names: BTreeSet<String> = names.collect();
        let run = nearest_name(path.file_name()?.to_str()?, names.iter().map(String::as_str))?;
        Some(folder.join(run).display().to_string())
    };
    let parent = path.parent()?;
    similar(Path::new(RUNS).join(parent)).or_else(|| similar(parent.into()))
}

/// Lists the names of weights by game, starting with the game of [`REFERENCE`].
fn names() -> String {
    let reference = Weights::named(REFERENCE).expect("a named evaluator").features().game();
    let list = |game: GameKind| {
        let names: Vec<&str> = game.evaluators().iter().map(|it| it.name).collect();
        match names.join(", ") {
            names if game == reference => {
                format!("{LEARNED}, {REFERENCE}, {LEARNED_0_2}, {STANDARD_0_2}, {names}")
            }
            names => format!("in {game} {names}"),
        }
    };
    let mut games = GameKind::ALL.to_vec();
    games.sort_by_key(|game| *game != reference);
    let lists: Vec<String> = games.into_iter().map(list).collect();
    format!("{} or features joined by +", lists.join("; "))
}

/// Loads weights, given their name, the path of a weights file, or the folder of a run with a champion.
pub fn load(name: &str) -> Result<Weights, LoadError> {
    if let Some(weights) = Weights::named(name) {
        return Ok(weights);
    }
    let mut path = PathBuf::from(name);
    if path.is_dir() {
        path.push("champion.json");
        if !path.exists() {
            path.pop();
            return Err(LoadError::NoChampion(path));
        }
    } else if !path.exists() {
        return Err(LoadError::Unknown(name.into()));
    }
    let ending = path.extension().map(|it| it.to_string_lossy().to_ascii_lowercase());
    if ending.is_some_and(|it| ["rs", "c", "h", "py"].contains(&it.as_str())) {
        return Err(LoadError::Content { path, reason: ReadError::Source });
    }
    let text = store::read_document(&path)?;
    if let Some(byte) = flipped_byte(&path, &text)? {
        return Err(LoadError::Damaged { path, byte });
    }
    read_file(&text, &path).map_err(|reason| LoadError::Content { path, reason })
}

/// Returns the offset of the damaged byte if the file differs from its checksum by a single flipped bit. Any other
/// difference is accepted as a manual edit.
fn flipped_byte(path: &Path, text: &str) -> Result<Option<usize>, FileError> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|it| it.to_str()))
    else {
        return Ok(None);
    };
    match Checksums::of(folder)?.verdict(name, text.as_bytes()) {
        Verdict::Flipped(byte) => Ok(Some(byte)),
        _ => Ok(None),
    }
}

/// Parses weights. `name` is used for formats that do not store a name. A layer must be embedded in the text.
///
/// ```
/// use mancala::eval::{Format, Weights, export, read};
/// let weights = Weights::named("aalina4").unwrap();
/// let text = export(&weights, Format::Csv);
/// assert_eq!(read(&text, "aalina4").unwrap(), weights);
/// ```
pub fn read(text: &str, name: &str) -> Result<Weights, ReadError> {
    read_in(text, name, None)
}

/// Parses the text of the weights file at `path`. The layer may also be a file in the same folder.
pub fn read_file(text: &str, path: &Path) -> Result<Weights, ReadError> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let result = read_in(text, &name, path.parent());
    // Text that is in no format is reported as invalid JSON if the file is named so.
    match result {
        Err(ReadError::Syntax { form: "TOML", .. })
            if path.extension().is_some_and(|it| it == "json") =>
        {
            serde_json::from_str(text).map_err(json_error).and_then(|raw| validate(raw, None))
        }
        result => result,
    }
}

fn json_error(error: serde_json::Error) -> ReadError {
    ReadError::Syntax { form: "JSON", reason: error.to_string() }
}

fn read_in(text: &str, name: &str, folder: Option<&Path>) -> Result<Weights, ReadError> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') {
        return validate(serde_json::from_str(text).map_err(json_error)?, folder);
    }
    if text.starts_with("feature,") {
        return read_csv(text, name);
    }
    let reason = |e: toml::de::Error| e.message().replace('\n', " ");
    let syntax = |e| ReadError::Syntax { form: "TOML", reason: reason(e) };
    validate(toml::from_str(text).map_err(syntax)?, folder)
}

fn validate(raw: Raw, folder: Option<&Path>) -> Result<Weights, ReadError> {
    if raw.kind != "weights" {
        return Err(ReadError::Kind(raw.kind));
    }
    let features = raw.features.iter().map(|name| feature(name)).collect::<Result<_, _>>()?;
    let mut features = FeatureSet::new(features)?;
    if let Some(field) = raw.layer {
        features = features.with_layer(Arc::new(field.read(folder).map_err(ReadError::Layer)?))?;
    }
    let signs = raw.signs.parse().map_err(|_| ReadError::Signs(raw.signs))?;
    let mut weights = Weights::new(raw.name, features, &raw.weights, signs)?;
    weights.provenance = raw.provenance;
    check_played(&weights)?;
    if let Some(wrong) = raw.strength.iter().find(|strength| !strength.is_possible()) {
        return Err(ReadError::Strength(wrong.clone()));
    }
    weights.strength = raw.strength;
    weights.gates = raw.gates;
    Ok(weights)
}

/// Checks that the game in the provenance is that of the features.
fn check_played(weights: &Weights) -> Result<(), ReadError> {
    let Some(Provenance { played, .. }) = &weights.provenance else {
        return Ok(());
    };
    let (field, text) = played.field();
    let refused = |reason| ReadError::Game { field, reason };
    let game = played.game().map_err(refused)?.kind();
    let first = weights.features().features()[0];
    if game == first.game() {
        return Ok(());
    }
    Err(refused(format!(
        "\"{text}\" is for {game}, but feature {} is for {}",
        first.name(),
        first.game()
    )))
}

fn feature(name: &str) -> Result<Feature, ReadError> {
    Feature::from_name(name).ok_or_else(|| ReadError::Feature(name.into()))
}

/// A row of the CSV format.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) feature: String,
    pub(super) weight: i64,
    pub(super) sign: char,
}

fn read_csv(text: &str, name: &str) -> Result<Weights, ReadError> {
    let syntax = |e: csv::Error| ReadError::Syntax { form: "CSV", reason: e.to_string() };
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize::<Row>();
    let rows = rows.collect::<Result<Vec<_>, _>>().map_err(syntax)?;
    let features = rows.iter().map(|row| feature(&row.feature)).collect::<Result<_, _>>()?;
    let features = FeatureSet::new(features)?;
    let values: Vec<i64> = rows.iter().map(|row| row.weight).collect();
    let follows = |convention: Signs| {
        let sign = |feature: &Feature| sign_of(*feature, convention);
        features.features().iter().map(sign).eq(rows.iter().map(|row| row.sign))
    };
    let signs = [Signs::Signed, Signs::Literal].into_iter().find(|&signs| follows(signs));
    let signs = signs.ok_or(ReadError::MixedSigns)?;
    Ok(Weights::new(name, features, &values, signs)?)
}

/// Returns the sign of a feature in the CSV format.
pub(super) fn sign_of(feature: Feature, signs: Signs) -> char {
    match signs {
        Signs::Signed if feature.sign() < 0 => '-',
        _ => '+',
    }
}
