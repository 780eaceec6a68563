//! A builder that creates settings from presets, TOML tables and individual changes.

use std::path::Path;
use std::sync::Arc;

use mancala::eval::{self, FeatureSet, Layer};
use mancala::game::AnyGame;
use mancala::game::ayo::Rules;
use mancala::store;
use mancala::text::did_you_mean;

use super::{KEYS, Settings};
use crate::optimise::{self, Entry, METHODS, SettingRefusal, Since, entries, preset, require, set};
use crate::run::{Panel, measured_openings};

const MAX_GAMES: u64 = 10_000_000;

pub fn presets() -> impl Iterator<Item = &'static str> {
    optimise::presets().map(|(_, preset)| preset.name)
}

/// The default preset for ayo.
pub const DEFAULT_PRESET: &str = "standard";

/// Returns the default preset for a game: the first that sets a game of the same kind or, for ayo, `DEFAULT_PRESET`.
///
/// ```
/// use evolve::run::preset_of_game;
/// assert_eq!(preset_of_game(&"kalah:seeds=3".parse().unwrap()), "kalah-standard");
/// ```
pub fn preset_of_game(game: &AnyGame) -> &'static str {
    let is_game = |text: &str| text.parse().is_ok_and(|it: AnyGame| it.kind() == game.kind());
    optimise::presets()
        .find(|(_, preset)| preset.changes().any(|(name, value)| name == "game" && is_game(value)))
        .map_or(DEFAULT_PRESET, |(_, preset)| preset.name)
}

/// Returns all settings of all optimisers, without duplicates, with the values of default presets.
pub fn all_settings() -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    for method in METHODS {
        let recommended = Draft::preset(method.presets[0].name).expect("a preset").settings;
        for entry in recommended.entries() {
            if !all.iter().any(|it| it.name == entry.name) {
                all.push(entry);
            }
        }
    }
    all
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    #[error("unknown preset \"{0}\": {hint}", hint = meant_preset(.0))]
    Preset(String),
    /// The hint is the setting that the user probably meant, or a list of all settings.
    #[error("unknown setting {name}: {hint}")]
    Unknown { name: String, hint: String },
    #[error("{0} is missing")]
    Missing(&'static str),
    #[error("invalid TOML in line {line}: {reason}")]
    Toml { line: usize, reason: String },
    #[error(transparent)]
    Value(#[from] SettingRefusal),
}

/// Returns a hint that names the preset that the user probably meant, or all presets.
pub fn meant_preset(name: &str) -> String {
    let known = presets().collect::<Vec<_>>().join(", ");
    did_you_mean(name, presets(), format!("choose {known}"))
}

/// Settings that have not been validated yet.
///
/// ```
/// use evolve::run::Draft;
/// let mut draft = Draft::preset("daoud2004").unwrap();
/// draft.set("population", "100").unwrap();
/// let settings = draft.finish().unwrap();
/// assert_eq!(settings.games_of_generation(1), 100 * 20 * 2);
/// let error = Draft::preset("daoud2004").unwrap().set("depth", "0").unwrap_err();
/// assert_eq!(error.to_string(), "depth is 0: give a whole number from 1 to 100");
/// ```
#[derive(Debug, Clone)]
pub struct Draft {
    pub(super) settings: Settings,
    /// The names of the settings that were changed after loading the preset.
    given: Vec<String>,
    /// Whether the settings were recorded by a run. Recorded settings never refer to files.
    is_recorded: bool,
}

impl Draft {
    /// Creates a draft from a preset, with seed 1.
    pub fn preset(name: &str) -> Result<Draft, SettingError> {
        let (method, preset) = preset(name).ok_or_else(|| SettingError::Preset(name.into()))?;
        let mut draft = match preset.from {
            Some(from) => Draft::preset(from)?,
            None => {
                let settings = Settings { panel: Panel::Second, ..Settings::defaults(method) };
                Draft { settings, given: Vec::new(), is_recorded: false }
            }
        };
        for (key, value) in preset.changes() {
            draft.set(key, value).expect("presets can be set");
        }
        draft.settings.preset = preset.name.into();
        draft.given.clear();
        Ok(draft)
    }

    /// Creates a draft from a TOML table that contains a preset (by default `standard`) and changes to its settings.
    pub fn from_table(table: &toml::Table) -> Result<Draft, SettingError> {
        let mut draft = Draft::preset_of(table)?;
        draft.set_all(table).map(|()| draft)
    }

    fn preset_of(table: &toml::Table) -> Result<Draft, SettingError> {
        Draft::preset(&table.get("preset").map_or(DEFAULT_PRESET.into(), text_of))
    }

    /// Creates a draft from a recorded table. Settings that were added later get their original defaults.
    pub fn from_recorded_table(table: &toml::Table) -> Result<Draft, SettingError> {
        let mut draft = Draft::preset_of(table)?;
        if draft.settings.preset == "overnight" && !table.contains_key("fit_every") {
            // In version 0.1, this was a preset of the genetic algorithm.
            draft = Draft::preset("evolution-strategy")?;
            draft.settings.preset = "overnight".into();
        }
        let entries = Settings::defaults(draft.settings.method).entries();
        for entry in entries.iter().filter(|it| it.since == Since::Late) {
            draft.set(entry.name, entry.plain())?;
        }
        draft.set_all(table)?;
        draft.is_recorded = true;
        Ok(draft)
    }

    /// Creates a draft from a recorded table in which only [`Since::Late`] settings may be missing.
    pub fn from_whole_table(table: &toml::Table) -> Result<Draft, SettingError> {
        let draft = Draft::from_recorded_table(table)?;
        let entries = draft.settings.entries();
        let lacks = |name: &str| !table.contains_key(name);
        match entries.iter().find(|it| it.since != Since::Late && lacks(it.name)) {
            Some(entry) => Err(SettingError::Missing(entry.name)),
            None => Ok(draft),
        }
    }

    pub fn set_all(&mut self, table: &toml::Table) -> Result<(), SettingError> {
        table.iter().try_for_each(|(key, value)| self.set(key, &text_of(value)))
    }

    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        if name == "preset" && value != self.settings.preset {
            let (of, _) = preset(value).ok_or_else(|| SettingError::Preset(value.into()))?;
            let (of, own) = (of.name, self.settings.method.name);
            let reason = format!("this is a preset for {of}, but the settings are for {own}");
            require(of == own, "preset", value, reason)?;
        }
        let of_run = match value.strip_prefix(LEARNED).filter(|_| name == "features") {
            Some(file) => Some(self.set_learned(file)),
            None => set(KEYS, &mut self.settings, name, value),
        };
        match of_run.or_else(|| self.settings.own.set(name, value)) {
            Some(Ok(())) => self.given.push(name.into()),
            Some(Err(reason)) => return Err(SettingRefusal::new(name, value, reason).into()),
            None => return Err(self.unknown(name)),
        }
        if name == "game" {
            self.follow_game();
        }
        Ok(())
    }

    /// Sets the features to the hidden neurons of a layer. The layer is read from a layer file or from a weights file.
    fn set_learned(&mut self, file: &str) -> Result<(), String> {
        let bytes = store::read(Path::new(file)).unwrap_or_default();
        let layer = match Layer::decode(&bytes) {
            Ok(layer) => Arc::new(layer),
            Err(_) => {
                let weights = eval::load(file).map_err(|error| error.to_string())?;
                let layer = weights.features().layer().cloned();
                layer.ok_or_else(|| format!("the weights in {file} have no learned layer"))?
            }
        };
        let name = layer.short_hash().to_owned();
        let features =
            FeatureSet::new(layer.neurons().collect()).and_then(|it| it.with_layer(layer));
        self.settings.features = features.map_err(|error| error.to_string())?;
        self.settings.layer = name;
        Ok(())
    }

    fn unknown(&self, name: &str) -> SettingError {
        let names = |entries: Vec<Entry>| entries.into_iter().map(|entry| entry.name);
        let known: Vec<&str> = names(self.settings.entries()).collect();
        let there_are = format!("there are {}", known.join(", "));
        let is_of_another =
            METHODS.iter().any(|it| names((it.settings)().entries()).any(|it| it == name));
        let (whose, hint) = match is_of_another {
            true => {
                let method = self.settings.method.name;
                (format!(" for {method} (it belongs to another optimiser)"), there_are)
            }
            false => (String::new(), did_you_mean(name, known, there_are)),
        };
        SettingError::Unknown { name: format!("\"{name}\"{whose}"), hint }
    }

    /// Adapts features and search settings to the game, unless the user has set them or the method has game presets.
    fn follow_game(&mut self) {
        let game = self.settings.game;
        let method = self.settings.method;
        let knows_games =
            method.presets.iter().any(|it| it.changes().any(|(name, _)| name == "game"));
        if knows_games {
            return;
        }
        let Ok(of_game) = Draft::preset(preset_of_game(&game)) else { return };
        let followed = ["features", "depth", "perspective", "quiescence"];
        for entry in entries(KEYS, &of_game.settings) {
            if followed.contains(&entry.name) && !self.given.iter().any(|it| it == entry.name) {
                let set = set(KEYS, &mut self.settings, entry.name, entry.plain());
                set.expect("a setting of every run").expect("a value of a preset");
            }
        }
    }

    pub fn finish(self) -> Result<Settings, SettingError> {
        let mut settings = self.settings;
        let is_measured = settings.measure_every > 0 || settings.has_finals();
        if !is_measured {
            // Without measurements, the panel of reference opponents has no effect, so we reset it, because settings
            // without effect must not make runs differ.
            settings.panel = Panel::First;
        }
        check_game(&settings)?;
        if !self.is_recorded {
            settings.own.complete(&settings.task())?;
        }
        settings.own.check(&settings.task())?;
        check_islands(&settings)?;
        check_games(&settings)?;
        Ok(settings)
    }
}

/// The prefix of a value of `features` that names a file with a learned layer.
const LEARNED: &str = "learned:";

/// Checks that the optimiser accepts migrants from other islands and has room for them.
fn check_islands(settings: &Settings) -> Result<(), SettingRefusal> {
    let reason = match settings.own.migrant_places() {
        _ if settings.islands == 1 => return Ok(()),
        Ok(0) => "migrants would replace the elite: increase population or reduce elite",
        Ok(_) => return Ok(()),
        Err(reason) => reason,
    };
    let reason = format!("{reason} (optimiser {})", settings.method.name);
    Err(SettingRefusal::new("islands", settings.islands, reason))
}

fn check_game(settings: &Settings) -> Result<(), SettingRefusal> {
    let Settings { game, rules, features, .. } = settings;
    let of = features.game();
    let own = format!("{}-{}", game.kind(), settings.preset);
    let own = if preset(&own).is_some() { &own } else { preset_of_game(game) };
    let reason = format!(
        "these features are for {of}, but game is {game}: choose others, or start from preset {own}"
    );
    require(of == game.kind(), "features", features, reason)?;
    let has_no_layer = settings.own.layers().is_none() && settings.layer.is_empty();
    let mut units = features.features().iter().filter(|it| it.is_hidden_neuron() && has_no_layer);
    if let Some(unit) = units.next() {
        let reason = eval::missing_layer_message(unit.name()) + ": give features as learned:RUN";
        return Err(SettingRefusal::new("features", features, reason));
    }
    if *game == AnyGame::default() {
        return Ok(());
    }
    let reason = "every game ends within four plies, so there is nothing to learn";
    require(measured_openings(*game) > 0, "game", game, reason)?;
    let reason = game.with_rules(*rules).err().filter(|_| *rules != Rules::default());
    require(reason.is_none(), "rules", rules, reason.unwrap_or_default())
}

/// Limits the number of games per generation, since all of them are held in memory.
fn check_games(settings: &Settings) -> Result<(), SettingRefusal> {
    let asked = settings.games_of_generation(settings.generations);
    let reason = format!(
        "a generation would need {asked} games, more than the maximum of {MAX_GAMES}: reduce members, opponents, \
         openings or islands"
    );
    require(asked <= MAX_GAMES, "population", settings.candidates(), reason)
}

pub fn read_toml(text: &str) -> Result<toml::Table, SettingError> {
    text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        SettingError::Toml { line, reason: error.message().into() }
    })
}

/// Formats a TOML value in the form that a user types after `--set key=`.
fn text_of(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
