//! Reads weights from JSON, TOML and CSV files. The format is detected from the content.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Layer;
use super::provenance::{GateTest, Provenance, Strength};
use super::set::{FeatureSet, by_game, feature_hint};
use super::weights::{
    LEARNED, LEARNED_0_2, REFERENCE, STANDARD_0_2, Signs, Weights, missing_layer_message,
};
use crate::game::{Feature, GameKind};
use crate::store::{self, Checksums, FileError, Lock, Verdict, hexadecimal};
use crate::text::{Message, Result, nearest_name};

/// A JSON or TOML weights file before validation.
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
    /// The text is neither a known name nor the path of an existing file.
    #[error("unknown weights \"{0}\": {hint}", hint = hint(.0))]
    Unknown(String),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{}: no champion.json in this folder{}", .0.display(), champion_hint(.0))]
    NoChampion(PathBuf),
    /// A single bit of this byte has changed since the file was written.
    #[error("{}: damaged: a bit of byte {byte} has changed", path.display())]
    Damaged { path: PathBuf, byte: usize },
    #[error("{}: {reason}", path.display())]
    Content { path: PathBuf, reason: Message },
}

/// If this is the folder of a run that has no champion, returns a hint on how to get one.
fn champion_hint(folder: &Path) -> &'static str {
    match folder.join("run.toml").exists() {
        true if Lock::is_held(folder) => ": the run is still training, so try again later",
        true => ": run \"ayo resume\" to create it",
        false => "",
    }
}

/// Explains why there are no weights with this name, and suggests a similar name if possible.
fn hint(name: &str) -> String {
    let is_sum = name.contains('+') && name.split('+').any(|it| Feature::from_name(it).is_some());
    let set = name.replace('+', ",").parse::<FeatureSet>();
    if let Some(unit) = set.iter().flat_map(FeatureSet::units).next() {
        return missing_layer_message(unit.name());
    }
    let Some(reason) = set.err().filter(|_| is_sum) else {
        let otherwise = format!("give a file, a run folder or one of {}", names());
        return run_or_name_hint(name, Weights::names(), otherwise);
    };
    match name.split('+').find(|part| part.parse::<FeatureSet>().is_err()) {
        Some(part) => format!("\"{part}\" is not a feature: {}", feature_hint(part)),
        None => reason.to_string(),
    }
}

/// Returns a hint for an error about an unknown name. We suggest a run with exactly this name if there is one, then a
/// similar built-in name (unless the given name is a path), then a run with a similar name. If there is nothing to
/// suggest, the hint is `otherwise`, or "no such file or folder" if the name is a path.
pub fn run_or_name_hint<'a>(
    typed: &str,
    built_in: impl IntoIterator<Item = &'a str>,
    otherwise: String,
) -> String {
    let run = find_run(typed);
    let is_exact = |run: &String| Path::new(run).file_name() == Path::new(typed).file_name();
    let is_path = typed.contains(['/', '\\']);
    let built_in = || nearest_name(typed, built_in).filter(|_| !is_path).map(str::to_owned);
    match run.clone().filter(is_exact).or_else(built_in).or(run) {
        Some(meant) => format!("did you mean \"{meant}\"?"),
        None if is_path => "no such file or folder".into(),
        None => otherwise,
    }
}

const SOURCE: &str = "cannot read exported source code: export the weights as TOML or JSON as well";

/// The default folder for runs, relative to the current directory.
pub const RUNS: &str = "populations";

/// Finds a run folder with this or a similar name. Looks in the parent folder of the given path, which is first taken
/// to be relative to [`RUNS`] and then to the current directory.
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

fn names() -> String {
    let champions = [LEARNED, REFERENCE, LEARNED_0_2, STANDARD_0_2];
    let names = by_game(|game| {
        let champions = champions.into_iter().filter(|_| game == GameKind::Ayo);
        let names = champions.chain(game.evaluators().iter().map(|it| it.name));
        names.collect::<Vec<_>>().join(", ")
    });
    format!("{names} or features joined by +")
}

/// Loads weights from a built-in name, a weights file, or a run folder with a champion.
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
        return Err(LoadError::Content { path, reason: SOURCE.into() });
    }
    let text = store::read_document(&path)?;
    // A single flipped bit means that the file is damaged. Any other change was probably made by hand, so we accept it.
    if let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|it| it.to_str()))
        && let Verdict::Flipped(byte) = Checksums::of(folder)?.verdict(name, text.as_bytes())
    {
        return Err(LoadError::Damaged { path, byte });
    }
    read_file(&text, &path).map_err(|reason| LoadError::Content { path, reason })
}

/// Parses weights. If the format doesn't store a name, we use `name`. Any layer must be embedded in the text.
///
/// ```
/// use mancala::eval::{Format, Weights, export, read};
/// let weights = Weights::named("aalina4").unwrap();
/// let text = export(&weights, Format::Csv);
/// assert_eq!(read(&text, "aalina4").unwrap(), weights);
/// ```
pub fn read(text: &str, name: &str) -> Result<Weights> {
    read_in(text, name, None, false)
}

/// Parses the text of the weights file at `path`. If there is a layer, it may also be in a file in the same folder.
pub fn read_file(text: &str, path: &Path) -> Result<Weights> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    read_in(text, &name, path.parent(), path.extension().is_some_and(|it| it == "json"))
}

/// Parses text in any format. If the format isn't recognised and `is_json` is set, the error is about invalid JSON.
fn read_in(text: &str, name: &str, folder: Option<&Path>, is_json: bool) -> Result<Weights> {
    let text = text.trim_start_matches('\u{feff}');
    let json = || serde_json::from_str::<Raw>(text).map_err(|error| syntax("JSON", error));
    if text.trim_start().starts_with('{') {
        return validate(json()?, folder);
    }
    let text = text.trim_start();
    if text.starts_with("feature,") {
        return read_csv(text, name);
    }
    let raw = toml::from_str(text).map_err(|error| match json() {
        Err(error) if is_json => error,
        _ => syntax("TOML", error.message().replace('\n', " ")),
    });
    validate(raw?, folder)
}

fn syntax(form: &str, reason: impl Display) -> Message {
    format!("not a weights file in {form}: {reason}").into()
}

fn validate(raw: Raw, folder: Option<&Path>) -> Result<Weights> {
    if raw.kind != "weights" {
        return Err(format!("kind is \"{}\", not \"weights\"", raw.kind).into());
    }
    let features = raw.features.iter().map(|name| feature(name)).collect::<Result<_, _>>()?;
    let mut features = FeatureSet::new(features).map_err(in_field("features"))?;
    if let Some(field) = raw.layer {
        let layer = field.read(folder).map_err(in_field("layer"))?;
        features = features.with_layer(Arc::new(layer)).map_err(in_field("features"))?;
    }
    let refused = |_| format!("signs is \"{}\", not signed or literal", raw.signs);
    let signs = raw.signs.parse().map_err(refused)?;
    let weights = Weights::new(raw.name, features, &raw.weights, signs);
    let mut weights = weights.map_err(in_field("weights"))?;
    weights.provenance = raw.provenance;
    check_played(&weights)?;
    if let Some(wrong) = raw.strength.iter().find(|strength| !strength.is_possible()) {
        let Strength { opponent, score, low, high, .. } = wrong;
        let interval = format!("score {score} with interval {low} to {high} against {opponent:?}");
        return Err(format!("strength: {interval} is invalid").into());
    }
    weights.strength = raw.strength;
    weights.gates = raw.gates;
    Ok(weights)
}

fn in_field<E: Display>(field: &str) -> impl Fn(E) -> Message {
    move |error| format!("{field}: {error}").into()
}

/// Checks that the provenance and the features are for the same game.
fn check_played(weights: &Weights) -> Result<()> {
    let Some(Provenance { played, .. }) = &weights.provenance else {
        return Ok(());
    };
    let first = weights.features().features()[0];
    let ((field, text), game) = (played.description(), played.kind());
    let (name, of) = (first.name(), first.game());
    let wrong =
        || format!("provenance: {field}: \"{text}\" is for {game}, but feature {name} is for {of}");
    if game == of { Ok(()) } else { Err(wrong().into()) }
}

fn feature(name: &str) -> Result<Feature, String> {
    let unknown = || format!("features: \"{name}\" is not a feature: {}", feature_hint(name));
    Feature::from_name(name).ok_or_else(unknown)
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) feature: String,
    pub(super) weight: i64,
    pub(super) sign: char,
}

fn read_csv(text: &str, name: &str) -> Result<Weights> {
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize::<Row>();
    let rows = rows.collect::<Result<Vec<_>, _>>().map_err(|error| syntax("CSV", error))?;
    let features = rows.iter().map(|row| feature(&row.feature)).collect::<Result<_, _>>()?;
    let features = FeatureSet::new(features).map_err(in_field("features"))?;
    let values: Vec<i64> = rows.iter().map(|row| row.weight).collect();
    let follows = |convention: Signs| {
        let sign = |feature: &Feature| sign_of(*feature, convention);
        features.features().iter().map(sign).eq(rows.iter().map(|row| row.sign))
    };
    let signs = [Signs::Signed, Signs::Literal].into_iter().find(|&signs| follows(signs));
    let mixed = "the column sign follows neither the signed nor the literal convention";
    Weights::new(name, features, &values, signs.ok_or(mixed)?).map_err(in_field("weights"))
}

pub(super) fn sign_of(feature: Feature, signs: Signs) -> char {
    match signs {
        Signs::Signed if feature.sign() < 0 => '-',
        _ => '+',
    }
}

/// The hash of a layer, and either the name of the layer's file (in the same folder) or the layer itself in hex.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LayerField {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    hash: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<String>,
}

impl LayerField {
    pub(super) fn reference(layer: &Layer) -> LayerField {
        LayerField { file: Some(layer.file_name()), hash: layer.hash().into(), data: None }
    }

    pub(super) fn embedded(layer: &Layer) -> LayerField {
        let data = hexadecimal(layer.encode());
        LayerField { file: None, hash: layer.hash().into(), data: Some(data) }
    }

    /// Reads the layer from this field or a file in `folder`. Callers prefix error messages with the name of the field.
    fn read(&self, folder: Option<&Path>) -> Result<Layer, String> {
        let (source, bytes) = match (&self.file, &self.data) {
            (Some(name), None) => (format!("file \"{name}\""), read_beside(folder, name)?),
            (None, Some(data)) => {
                let bytes = from_hexadecimal(data).ok_or("data is not hexadecimal")?;
                ("data".to_owned(), bytes)
            }
            _ => return Err("either file or data is required".into()),
        };
        let layer = Layer::decode(&bytes).map_err(|error| format!("{source} {error}"))?;
        let (expected, found) = (&self.hash, layer.hash());
        if found != expected {
            return Err(format!("hash is \"{expected}\", but {source} has {found}"));
        }
        Ok(layer)
    }
}

fn read_beside(folder: Option<&Path>, name: &str) -> Result<Vec<u8>, String> {
    let is_plain = Path::new(name).file_name() == Some(OsStr::new(name));
    if !is_plain || name.contains(['/', '\\']) {
        return Err(format!("file is \"{name}\", not the name of a file in the same folder"));
    }
    let no_folder = || {
        format!("file \"{name}\" cannot be found without a folder: export the weights standalone")
    };
    let path = folder.ok_or_else(no_folder)?.join(name);
    let advice = "copy this file too, or export the weights with --standalone";
    store::read(&path).map_err(|error| format!("{error}: {advice}"))
}

fn from_hexadecimal(text: &str) -> Option<Vec<u8>> {
    let byte = |at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    let is_plain = text.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_plain.then(|| (0..text.len()).step_by(2).map(byte).collect())?
}
