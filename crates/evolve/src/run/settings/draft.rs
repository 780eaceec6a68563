//! Settings on their way to being valid: from presets, tables of TOML and single changes.

use std::mem::discriminant;
use std::path::Path;
use std::sync::Arc;

use crate::optimise::{self, METHODS, Method, Refusal, Since, preset, set};
use mancala::eval::{self, FeatureSet, Layer, WeightsError};
use mancala::game::ayo::Rules;
use mancala::game::{AnyGame, Feature, Unit};
use mancala::store;
use mancala::text::did_you_mean;

use super::{Settings, keys};
use crate::run::yardstick::{MeasuredOpenings, Panel};

/// The most games that a generation may ask for.
const MOST_GAMES: u64 = 10_000_000;

/// The names of the presets.
pub fn presets() -> impl Iterator<Item = &'static str> {
    optimise::presets().map(|(_, preset)| preset.name)
}

/// The preset of a run for which none is named, nor a game.
pub const DEFAULT_PRESET: &str = "standard";

/// The preset of a run of a game for which none is named: the first of the kind of game.
///
/// ```
/// use evolve::run::preset_of_game;
/// assert_eq!(preset_of_game(&"kalah:seeds=3".parse().unwrap()), "kalah-standard");
/// ```
pub fn preset_of_game(game: &AnyGame) -> &'static str {
    let of = |name: &str| Draft::preset(name).expect("a preset").settings.game;
    let is_of_game = |name: &&str| discriminant(&of(name)) == discriminant(game);
    presets().find(is_of_game).unwrap_or(DEFAULT_PRESET)
}

/// The names of all settings, whatever the optimiser.
pub fn setting_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for entry in METHODS.iter().flat_map(|&method| Settings::of(method).entries()) {
        if !names.contains(&entry.name) {
            names.push(entry.name);
        }
    }
    names
}

/// A setting that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// No preset of that name.
    #[error("unknown preset \"{0}\": {hint}", hint = meant_preset(.0))]
    Preset(String),
    /// No setting of that name.
    #[error("unknown setting \"{name}\"{whose}: {hint}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// That another optimiser has it, if one does.
        whose: String,
        /// The setting that was likely meant, or else those that there are.
        hint: String,
    },
    /// A setting that a whole configuration lacks.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// Text that is no TOML.
    #[error("not TOML in line {line}: {reason}")]
    Toml {
        /// Where, from 1.
        line: usize,
        /// What the parser says.
        reason: String,
    },
    /// A value that the setting cannot take.
    #[error("{key} is {value}: {reason}")]
    Value {
        /// Which setting.
        key: &'static str,
        /// What stands there.
        value: String,
        /// What should.
        reason: String,
    },
}

impl From<Refusal> for SettingError {
    fn from(Refusal { key, value, reason }: Refusal) -> SettingError {
        SettingError::Value { key, value, reason }
    }
}

/// The preset that was likely meant, or else those that there are.
pub fn meant_preset(name: &str) -> String {
    let known = presets().collect::<Vec<_>>().join(", ");
    did_you_mean(name, presets(), format!("there are {known}"))
}

/// Settings on their way to being valid.
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
    /// The settings that were given a value since the preset.
    given: Vec<String>,
    /// Whether all are those that a run has recorded, which name no files.
    is_recorded: bool,
}

impl Draft {
    /// The settings of a preset, seed 1.
    pub fn preset(name: &str) -> Result<Draft, SettingError> {
        let (method, preset) = preset(name).ok_or_else(|| SettingError::Preset(name.into()))?;
        let mut draft = match preset.from {
            Some(from) => Draft::preset(from)?,
            None => {
                let settings = Settings { panel: Panel::Second, ..Settings::of(method) };
                Draft { settings, given: Vec::new(), is_recorded: false }
            }
        };
        for (key, value) in preset.changes {
            draft.set(key, value).expect("presets can be set");
        }
        draft.settings.preset = preset.name.into();
        draft.given.clear();
        Ok(draft)
    }

    /// The settings of a TOML table: those of the preset that it names, `standard` if it names none,
    /// and the changes that it makes to them.
    pub fn from_table(table: &toml::Table) -> Result<Draft, SettingError> {
        let preset = table.get("preset").map_or(DEFAULT_PRESET.into(), text_of);
        let mut draft = Draft::preset(&preset)?;
        draft.set_all(table)?;
        Ok(draft)
    }

    /// The settings of a table that a run left. A late setting that it does not name is what it was before
    /// there was a choice, whatever the preset says today.
    pub fn from_recorded_table(table: &toml::Table) -> Result<Draft, SettingError> {
        let name = table.get("preset").map_or(DEFAULT_PRESET.into(), text_of);
        let mut draft = Draft::preset(&name)?;
        let entries = Settings::of(draft.settings.method).entries();
        for entry in entries.iter().filter(|it| it.since == Since::Late) {
            draft.set(entry.name, entry.plain())?;
        }
        draft.set_all(table)?;
        draft.is_recorded = true;
        Ok(draft)
    }

    /// The same of a table that has to name every setting that runs have had from early on.
    pub fn from_whole_table(table: &toml::Table) -> Result<Draft, SettingError> {
        let draft = Draft::from_recorded_table(table)?;
        let entries = draft.settings.entries();
        let lacks = |name: &str| !table.contains_key(name);
        match entries.iter().find(|it| it.since != Since::Late && lacks(it.name)) {
            Some(entry) => Err(SettingError::Missing(entry.name)),
            None => Ok(draft),
        }
    }

    /// Changes every setting of a table.
    pub fn set_all(&mut self, table: &toml::Table) -> Result<(), SettingError> {
        table.iter().try_for_each(|(key, value)| self.set(key, &text_of(value)))
    }

    /// Whether there is a setting of this name.
    pub fn has(&self, name: &str) -> bool {
        self.settings.entries().iter().any(|entry| entry.name == name)
    }

    /// Changes one setting.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        if name == "preset" {
            check_preset(self.settings.method, value)?;
        }
        let of_run = match value.strip_prefix(LEARNED).filter(|_| name == "features") {
            Some(file) => Some(self.set_learned(file)),
            None => set(&keys::KEYS, &mut self.settings, name, value),
        };
        match of_run.or_else(|| self.settings.own.set(name, value)) {
            Some(Ok(())) => self.given.push(name.into()),
            Some(Err(reason)) => return Err(self.refused(name, value, reason)),
            None => return Err(self.unknown(name)),
        }
        if name == "game" {
            self.follow_game();
        }
        Ok(())
    }

    /// Weighs the units of a layer: that in a file of one, or that of weights.
    fn set_learned(&mut self, file: &str) -> Result<(), String> {
        let layer = learned_layer(file)?;
        let units = Unit::all(layer.game()).take(layer.units()).map(Feature::from).collect();
        let name = layer.short_hash().to_owned();
        let features = FeatureSet::new(units).and_then(|units| units.with_layer(layer));
        self.settings.features = features.map_err(|error| error.to_string())?;
        self.settings.layer = name;
        Ok(())
    }

    fn refused(&self, name: &str, value: &str, reason: String) -> SettingError {
        let entries = self.settings.entries();
        let key = entries.iter().find(|entry| entry.name == name).expect("a setting");
        SettingError::Value { key: key.name, value: value.into(), reason }
    }

    fn unknown(&self, name: &str) -> SettingError {
        let known: Vec<&str> = self.settings.entries().iter().map(|entry| entry.name).collect();
        let whose = whose(self.settings.method, name);
        let there_are = format!("there are {}", known.join(", "));
        let hint = match whose.as_str() {
            "" => did_you_mean(name, known, there_are),
            _ => there_are,
        };
        SettingError::Unknown { name: name.into(), whose, hint }
    }

    /// A method without presets of its own for a game takes what the preset of the game takes, as far as
    /// nothing else is given.
    fn follow_game(&mut self) {
        let game = self.settings.game;
        let method = self.settings.method;
        let knows_games =
            method.presets.iter().any(|it| it.changes.iter().any(|it| it.0 == "game"));
        let usual = (!knows_games).then(|| Draft::preset(preset_of_game(&game)).ok()).flatten();
        let Some(Draft { settings: usual, .. }) = usual else { return };
        if !self.is_given("features") {
            self.settings.features = usual.features;
        }
        if !self.is_given("depth") {
            self.settings.depth = usual.depth;
        }
        if !self.is_given("perspective") {
            self.settings.options.perspective = usual.options.perspective;
        }
        if !self.is_given("quiescence") {
            self.settings.options.quiescence = usual.options.quiescence;
        }
    }

    fn is_given(&self, name: &str) -> bool {
        self.given.iter().any(|it| it == name)
    }

    /// The settings, if they fit together.
    pub fn finish(self) -> Result<Settings, SettingError> {
        let mut settings = self.settings;
        let is_measured = settings.measure_every > 0 || settings.has_finals();
        if !is_measured {
            // The run is the same as before there was a choice.
            settings.panel = Panel::First;
        }
        check_game(&settings)?;
        if !self.is_recorded {
            settings.own.complete(&settings.task())?;
        }
        settings.own.check(&settings.task())?;
        check_games(&settings)?;
        Ok(settings)
    }
}

/// Features that are units of a layer, before what holds the layer.
const LEARNED: &str = "learned:";

/// The layer in a file of its own, or that of the weights of a name.
fn learned_layer(name: &str) -> Result<Arc<Layer>, String> {
    let bytes = store::read(Path::new(name)).unwrap_or_default();
    if let Ok(layer) = Layer::decode(&bytes) {
        return Ok(Arc::new(layer));
    }
    let weights = eval::load(name).map_err(|error| error.to_string())?;
    let layer = weights.features().layer().cloned();
    layer.ok_or_else(|| format!("the weights of {name} are of no learned layer"))
}

/// What there is to say of a setting that `method` does not have: whether another one has it.
fn whose(method: &Method, name: &str) -> String {
    let has =
        |it: &&'static Method| (it.settings)().entries().iter().any(|entry| entry.name == name);
    match METHODS.iter().any(has) {
        true => format!(", a setting of another optimiser, not of {}", method.name),
        false => String::new(),
    }
}

/// A name of a preset can stand for what another one stood for, but not for another method.
fn check_preset(method: &Method, name: &str) -> Result<(), SettingError> {
    let (of, _) = preset(name).ok_or_else(|| SettingError::Preset(name.into()))?;
    if of.name == method.name {
        return Ok(());
    }
    let reason =
        format!("this is a preset of {}, but the settings are of {}", of.name, method.name);
    Err(SettingError::Value { key: "preset", value: name.into(), reason })
}

fn check_game(settings: &Settings) -> Result<(), SettingError> {
    let refuse = |key, value, reason| Err(SettingError::Value { key, value, reason });
    let (game, of) = (settings.game.kind(), settings.features.game());
    if of != game {
        let reason = format!("these are features of {of}, but game is {}", settings.game);
        return refuse("features", settings.features.to_string(), reason);
    }
    let mut units = settings.features.features().iter().filter(|it| it.is_unit());
    if let Some(unit) =
        units.next().filter(|_| settings.layers().is_none() && settings.layer.is_empty())
    {
        let reason = WeightsError::Unit(unit.name()).to_string();
        return refuse("features", settings.features.to_string(), reason);
    }
    if settings.game == AnyGame::default() {
        return Ok(());
    }
    if MeasuredOpenings::of(settings.game).all() == 0 {
        let reason = "every game is over within four plies, so there is nothing to learn";
        return refuse("game", settings.game.to_string(), reason.into());
    }
    match settings.game.with_rules(settings.rules) {
        Err(reason) if settings.rules != Rules::default() => {
            refuse("rules", settings.rules.to_string(), reason)
        }
        _ => Ok(()),
    }
}

/// Games are kept in memory until a generation is evaluated.
fn check_games(settings: &Settings) -> Result<(), SettingError> {
    let asked = settings.games_of_generation(settings.generations);
    if asked <= MOST_GAMES {
        return Ok(());
    }
    let reason = format!(
        "a generation would ask for {asked} games, and {MOST_GAMES} is the most: give it fewer members, opponents \
         or openings"
    );
    let value = settings.candidates().to_string();
    Err(SettingError::Value { key: "population", value, reason })
}

/// Reads TOML; what is wrong with it is said with the line.
pub fn read_toml(text: &str) -> Result<toml::Table, SettingError> {
    text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        SettingError::Toml { line, reason: error.message().into() }
    })
}

/// A TOML value as it would be typed after `--set key=`.
fn text_of(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
