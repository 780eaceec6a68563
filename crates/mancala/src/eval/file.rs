//! Weights from files: JSON, TOML and CSV, told apart by what they look like.

mod layer;

use std::fmt;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub(super) use self::layer::LayerField;
pub use self::layer::LayerFieldError;
use super::leaf::{Perspective, Quiescence};
use super::set::{FeatureSet, FeatureSetError, meant_feature};
use super::strength::{GateTest, Strength};
use super::weights::{
    LEARNED, LEARNED_0_2, REFERENCE, STANDARD_0_2, Signs, SignsError, Weights, WeightsError,
};
use crate::game::ayo::{Ayo, RulesError};
use crate::game::{AnyGame, Feature, GameKind};
use crate::store::{self, Checksums, FileError, Verdict};
use crate::text::did_you_mean;

/// The run that made some weights. It holds no path and no time, so the same run gives the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The preset that the run began from.
    pub preset: String,
    /// The seed of its random streams.
    pub seed: u64,
    /// Hash of all settings that its bytes depend on.
    pub settings: String,
    /// The generation that these weights are the best of.
    pub generation: u32,
    /// Their fitness in it, if it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fitness: Option<u64>,
    /// The game and its rules.
    #[serde(flatten)]
    pub played: GameField,
    /// The depth that they were searched to, in plies.
    pub depth: u32,
    /// The positions that a move entered instead, if they were the limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<NonZeroU64>,
    /// From whose view leaves were valued. Files of the first version do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub perspective: Option<Perspective>,
    /// Which leaves were searched on; none if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiescence: Option<Quiescence>,
}

impl Provenance {
    /// How they were searched: `depth 5`, `nodes 10000`.
    pub fn searched(&self) -> String {
        match self.nodes {
            Some(nodes) => format!("nodes {nodes}"),
            None => format!("depth {}", self.depth),
        }
    }

    /// From whose view leaves were valued. In the first version it was that of the root, which in ayo has
    /// moved last where the depth is odd.
    pub fn perspective(&self, game: GameKind) -> Perspective {
        let since_then = || match self.depth % 2 {
            0 => Perspective::Root,
            _ => Perspective::of(game),
        };
        self.perspective.unwrap_or_else(since_then)
    }

    /// Which leaves were searched on.
    pub fn quiescence(&self) -> Quiescence {
        self.quiescence.unwrap_or_default()
    }
}

/// The field of a file that says which game was played: `rules`, which are of ayo, or `game`, another game
/// with its rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", try_from = "Fields")]
pub enum GameField {
    /// Rules of ayo.
    Rules(String),
    /// Another game.
    Game(String),
}

impl GameField {
    /// The field that it stands in, and its text there.
    fn field(&self) -> (&'static str, &str) {
        match self {
            GameField::Rules(text) => ("rules", text),
            GameField::Game(text) => ("game", text),
        }
    }

    /// The game that the text describes.
    fn game(&self) -> Result<AnyGame, String> {
        match self {
            GameField::Rules(text) => {
                let rules = text.parse().map_err(|e: RulesError| e.to_string())?;
                Ok(AnyGame::Ayo(Ayo { rules }))
            }
            GameField::Game(text) => text.parse(),
        }
    }
}

impl From<AnyGame> for GameField {
    fn from(game: AnyGame) -> GameField {
        match game {
            AnyGame::Ayo(game) => GameField::Rules(game.rules.to_string()),
            other => GameField::Game(other.to_string()),
        }
    }
}

impl fmt::Display for GameField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (field, text) = self.field();
        write!(f, "{field} {text}")
    }
}

#[derive(Deserialize)]
struct Fields {
    rules: Option<String>,
    game: Option<String>,
}

impl TryFrom<Fields> for GameField {
    type Error = &'static str;

    fn try_from(fields: Fields) -> Result<GameField, &'static str> {
        match (fields.rules, fields.game) {
            (Some(rules), None) => Ok(GameField::Rules(rules)),
            (None, Some(game)) => Ok(GameField::Game(game)),
            _ => Err("provenance: it names not one of rules and game"),
        }
    }
}

/// A weights file as it is written in JSON and TOML.
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

/// Why weights could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Neither a name nor a file.
    #[error("no weights \"{0}\": {reason}", reason = why_none(.0))]
    Unknown(String),
    /// The file could not be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A run folder without a champion.
    #[error("{}: no champion.json in this folder{}", .0.display(), why_no_champion(.0))]
    NoChampion(PathBuf),
    /// The file has a bit that is not as its run wrote it.
    #[error("{}: damaged: a bit of byte {byte} has changed since it was written", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// The byte, counted from 0.
        byte: usize,
    },
    /// The file holds no weights.
    #[error("{}: {reason}", path.display())]
    Content {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        reason: ReadError,
    },
}

/// Text that holds no weights.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Not in the form that it begins like.
    #[error("not a weights file in {form}: {reason}")]
    Syntax {
        /// JSON, TOML or CSV.
        form: &'static str,
        /// What the parser says.
        reason: String,
    },
    /// An export that compilers read.
    #[error(
        "source code that was exported is not read back: export the weights as TOML or JSON, too"
    )]
    Source,
    /// Another kind of file.
    #[error("kind is \"{0}\", not \"weights\"")]
    Kind(String),
    /// A name that is no feature.
    #[error("features: \"{0}\" is not a feature: {hint}", hint = meant_feature(.0))]
    Feature(String),
    /// A list that is no set.
    #[error("features: {0}")]
    Set(#[from] FeatureSetError),
    /// A layer that is not there or not as it was.
    #[error("layer: {0}")]
    Layer(#[from] Box<LayerFieldError>),
    /// Not signed or literal.
    #[error("signs: {0}")]
    Signs(#[from] SignsError),
    /// Numbers that are no weights.
    #[error("weights: {0}")]
    Weights(#[from] WeightsError),
    /// An unknown game, or one that the features are not of.
    #[error("provenance: {field}: {reason}")]
    Game {
        /// Rules or game.
        field: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// Figures that no games can have.
    #[error("strength: score {score} in the interval {low} to {high} against {opponent:?}")]
    Strength {
        /// The opponent in the games.
        opponent: String,
        /// Points a game.
        score: f64,
        /// Lower end of the interval.
        low: f64,
        /// Its upper end.
        high: f64,
    },
    /// Signs in a CSV that follow no convention.
    #[error("the column sign follows neither the signed nor the literal convention")]
    MixedSigns,
}

/// What a run folder without a champion needs.
fn why_no_champion(folder: &Path) -> &'static str {
    match folder.join("run.toml").exists() {
        true => ": \"ayo resume\" and \"ayo champion\" write it",
        false => "",
    }
}

/// Why a name stands for no weights.
fn why_none(name: &str) -> String {
    let is_sum = name.contains('+') && name.split('+').any(|it| Feature::from_name(it).is_some());
    let set = name.replace('+', ",").parse::<FeatureSet>();
    if let Ok(set) = &set
        && let Some(unit) = set.features().iter().find(|feature| feature.is_unit())
    {
        return WeightsError::Unit(unit.name()).to_string();
    }
    match set.err().filter(|_| is_sum) {
        Some(FeatureSetError::Unknown(part)) => {
            format!("\"{part}\" is not a feature: {}", meant_feature(&part))
        }
        Some(reason) => reason.to_string(),
        None => in_runs(name).map_or_else(
            || {
                let otherwise = format!("give a file, a run folder or one of {}", names());
                did_you_mean(name, Weights::names(), otherwise)
            },
            |run| format!("did you mean \"{run}\"?"),
        ),
    }
}

/// Where run folders lie unless the user says otherwise, below the current directory.
pub const RUNS: &str = "populations";

/// The run folder of this name among [`RUNS`], if there is one: what somebody means who leaves that folder out.
pub fn in_runs(name: &str) -> Option<String> {
    let run = Path::new(RUNS).join(name);
    (!name.is_empty() && run.join("run.toml").exists()).then(|| run.display().to_string())
}

/// The names of evaluators by game, those of the reference's game first.
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

/// The weights that a user names: a named evaluator, a weights file, or a run folder, which stands
/// for the champion in it.
///
/// # Errors
/// One sentence that names the file, the field and the value.
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
    let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
    let folder = path.parent();
    read_in(&text, &stem, folder).map_err(|reason| LoadError::Content { path, reason })
}

/// Where a bit has changed since a run wrote the file, as far as the run says. A file that was edited by
/// hand is used as it stands.
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

/// Reads weights from a text. `name` is for forms that carry none. A layer has to be within the text.
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

/// As [`read`], of a text from a folder, in which its layer may lie, too.
///
/// # Errors
/// As [`read`], and if the layer cannot be read.
pub fn read_beside(text: &str, name: &str, folder: &Path) -> Result<Weights, ReadError> {
    read_in(text, name, Some(folder))
}

fn read_in(text: &str, name: &str, folder: Option<&Path>) -> Result<Weights, ReadError> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') {
        let syntax =
            |e: serde_json::Error| ReadError::Syntax { form: "JSON", reason: e.to_string() };
        return validate(serde_json::from_str(text).map_err(syntax)?, folder);
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
        features = features.with_layer(Arc::new(field.read(folder).map_err(Box::new)?))?;
    }
    let mut weights = Weights::new(raw.name, features, &raw.weights, raw.signs.parse()?)?;
    weights.provenance = raw.provenance;
    check_played(&weights)?;
    if let Some(wrong) = raw.strength.iter().find(|strength| !strength.is_possible()) {
        let Strength { opponent, score, low, high, .. } = wrong.clone();
        return Err(ReadError::Strength { opponent, score, low, high });
    }
    weights.strength = raw.strength;
    weights.gates = raw.gates;
    Ok(weights)
}

/// Checks that the game of the provenance is the one that the features are of.
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
        "\"{text}\" is of {game}, feature {} is of {}",
        first.name(),
        first.game()
    )))
}

fn feature(name: &str) -> Result<Feature, ReadError> {
    Feature::from_name(name).ok_or_else(|| ReadError::Feature(name.into()))
}

/// A row of the CSV form.
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

/// The sign that a convention gives a feature, as the CSV form writes it.
pub(super) fn sign_of(feature: Feature, signs: Signs) -> char {
    match signs {
        Signs::Signed if feature.sign() < 0 => '-',
        _ => '+',
    }
}
