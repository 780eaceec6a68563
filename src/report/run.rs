//! Reads the files of a run's folder.
//!
//! Everything is checked here, once: what these types hold can be drawn or
//! printed without another look.

use std::fs;
use std::io;
use std::path::Path;

use serde::Deserialize;

use super::Error;

mod history;

pub use history::{Generation, History, Spread};

/// What the folder of a run holds.
#[derive(Clone, Debug)]
pub struct RunFiles {
    /// The folder's name.
    pub name: String,
    /// The settings that titles mention.
    pub settings: Settings,
    /// One entry a generation.
    pub history: History,
    /// The best chromosome's weights, once the run has got that far.
    pub champion: Option<Champion>,
}

impl RunFiles {
    /// Reads a folder. `run.toml` and `champion.json` may be missing.
    pub fn read(folder: &Path) -> Result<RunFiles, Error> {
        let history = folder.join("history.csv");
        if !history.is_file() {
            let path = folder.to_owned();
            return Err(Error::NotARun { path });
        }
        Ok(RunFiles {
            name: folder_name(folder),
            settings: Settings::read(&folder.join("run.toml"))?,
            history: History::read(&history)?,
            champion: Champion::read_if_any(&folder.join("champion.json"))?,
        })
    }
}

/// The last component, also of `.`, `..` and the like.
fn folder_name(folder: &Path) -> String {
    let absolute = || folder.canonicalize().ok()?.file_name().map(Into::into);
    let name = folder.file_name().map(Into::into).or_else(absolute);
    name.map_or_else(
        || folder.display().to_string(),
        |name: std::ffi::OsString| name.to_string_lossy().into_owned(),
    )
}

/// The few settings of `run.toml` that a title mentions, where they are known.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Name of the preset.
    pub preset: Option<String>,
    /// Seed of the run.
    pub seed: Option<i64>,
    /// How many generations the run is meant to reach.
    pub generations: Option<i64>,
}

impl Settings {
    /// Reads the settings, each of which may be missing, as may the file.
    pub fn read(path: &Path) -> Result<Settings, Error> {
        let Some(text) = read_if_any(path)? else {
            return Ok(Settings::default());
        };
        let table: toml::Table = toml::from_str(&text)
            .map_err(|source| Error::Toml { path: path.to_owned(), source: Box::new(source) })?;
        let integer = |key| table.get(key).and_then(toml::Value::as_integer);
        Ok(Settings {
            preset: table.get("preset").and_then(|value| value.as_str().map(str::to_owned)),
            seed: integer("seed"),
            generations: integer("generations"),
        })
    }
}

/// How the weights of a champion are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Signs {
    /// Magnitudes: each feature has a sign by convention.
    Signed,
    /// As they stand.
    Literal,
}

/// Weights with where they come from. Fields unknown here are passed over.
#[derive(Clone, Debug, Deserialize)]
pub struct Champion {
    /// What the weights are called.
    pub name: String,
    /// Name of each feature.
    pub features: Vec<String>,
    /// One weight a feature.
    pub weights: Vec<i64>,
    /// How the weights are to be read.
    pub signs: Signs,
    /// Rules of the games in which they were bred.
    pub rules: Option<String>,
    /// Search depth with which they were bred.
    pub depth: Option<u32>,
    /// The run that bred them.
    pub provenance: Option<Provenance>,
}

/// The part of a champion's provenance that a title mentions.
#[derive(Clone, Debug, Deserialize)]
pub struct Provenance {
    /// Generation that the champion is from.
    pub generation: Option<u64>,
    /// Points that it made there.
    pub fitness: Option<serde_json::Number>,
}

impl Champion {
    /// Reads a JSON file, which must say that its kind is `weights`.
    pub fn read(path: &Path) -> Result<Champion, Error> {
        let text = fs::read_to_string(path).map_err(|source| unreadable(path, source))?;
        Champion::parse(&text, path)
    }

    fn read_if_any(path: &Path) -> Result<Option<Champion>, Error> {
        let text = read_if_any(path)?;
        text.map(|text| Champion::parse(&text, path)).transpose()
    }

    fn parse(text: &str, path: &Path) -> Result<Champion, Error> {
        let json = |source| Error::Json { path: path.to_owned(), source };
        let value: serde_json::Value = serde_json::from_str(text).map_err(json)?;
        match value.get("kind").and_then(serde_json::Value::as_str) {
            Some("weights") => {}
            Some(kind) => {
                return Err(Error::Kind { path: path.to_owned(), kind: kind.to_owned() });
            }
            None => {
                let path = path.to_owned();
                return Err(Error::NoKind { path });
            }
        }
        let champion: Champion = serde_json::from_value(value).map_err(json)?;
        champion.checked(path)
    }

    fn checked(self, path: &Path) -> Result<Champion, Error> {
        if self.weights.len() == self.features.len() {
            return Ok(self);
        }
        Err(Error::WeightCount {
            path: path.to_owned(),
            weights: self.weights.len(),
            features: self.features.len(),
        })
    }
}

fn read_if_any(path: &Path) -> Result<Option<String>, Error> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(unreadable(path, source)),
    }
}

fn unreadable(path: &Path, source: io::Error) -> Error {
    let path = path.to_owned();
    Error::Read { path, source }
}
