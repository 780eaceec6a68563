//! The list of optimisers, with their names, presets and settings.

use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use mancala::eval::{Feature, Weights};
use mancala::text::{escape_lines, is_invisible};

use super::{
    Chromosome, Coding, Layers, LoadError, Optimiser, Saved, Task, cma_es, genetic, learned,
    random_search, spsa,
};

/// All optimisers, in the order in which presets are listed.
#[rustfmt::skip]
pub static METHODS: &[&Method] = &[
    &genetic::METHOD,
    &learned::METHOD,
    &random_search::METHOD,
    &cma_es::METHOD,
    &spsa::METHOD,
];

#[derive(Debug)]
pub struct Method {
    pub name: &'static str,
    pub settings: fn() -> Box<dyn OptimiserSettings>,
    /// The presets, starting with the recommended one.
    pub presets: &'static [Preset],
    /// Whether players cache moves in training games. This is faster if candidates survive, but makes node counts vary.
    pub has_move_cache: bool,
    pub digest: Digest,
}

/// Named settings. They are defined by changes to another preset, or to the defaults of an optimiser.
#[derive(Debug)]
pub struct Preset {
    pub name: &'static str,
    pub about: &'static str,
    pub from: Option<&'static str>,
    /// Changes in the form `NAME=VALUE`, separated by spaces.
    pub changes: &'static str,
    /// The default time limit of a run, which does not affect its output.
    pub time: Option<Duration>,
}

impl Preset {
    pub(crate) const fn new(
        name: &'static str,
        about: &'static str,
        from: Option<&'static str>,
        changes: &'static str,
    ) -> Preset {
        Preset { name, about, from, changes, time: None }
    }

    pub fn changes(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.changes
            .split_whitespace()
            .map(|word| word.split_once('=').expect("a preset has NAME=VALUE"))
    }
}

/// How the hash of a run's settings is computed.
#[derive(Debug, Clone, Copy)]
pub enum Digest {
    /// Hashes the lines of `run.toml` that affect results, but omits defaults of settings that were added later.
    Lines,
    /// Hashes the values of these settings, then of all others that differ from the preset. `game` includes the rules.
    Words(&'static [&'static str]),
}

pub fn presets() -> impl Iterator<Item = (&'static Method, &'static Preset)> {
    METHODS.iter().flat_map(|&method| method.presets.iter().map(move |preset| (method, preset)))
}

pub fn preset(name: &str) -> Option<(&'static Method, &'static Preset)> {
    presets().find(|(_, preset)| preset.name == name)
}

/// The memory and disk space for learning in bytes, and the run's approximate processor time in seconds (if known).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LearningNeeds {
    pub memory: u64,
    pub disk: u64,
    pub seconds: Option<f64>,
}

/// Settings of an optimiser.
pub trait OptimiserSettings: Debug + Send + Sync {
    fn entries(&self) -> Vec<Entry>;

    /// Changes a setting. Returns `None` if it doesn't exist. If the value is invalid, the error lists the valid ones.
    fn set(&mut self, name: &str, value: &str) -> Option<Result<(), String>>;

    /// Resolves settings from a user, by replacing file names with file contents and adding players' fingerprints.
    fn complete(&mut self, _: &Task) -> Result<(), SettingRefusal> {
        Ok(())
    }

    /// Checks that the settings agree with each other and with the task.
    fn check(&self, task: &Task) -> Result<(), SettingRefusal>;

    fn coding(&self, task: &Task) -> Coding;

    fn candidates(&self) -> u32;

    /// Returns the maximum number of games in a step. Steps are counted from 1.
    fn games_of_step(&self, step: u32) -> u64;

    /// Returns the maximum number of cached results in the checkpoint of a run with this many steps.
    fn cached_results(&self, _steps: u32) -> u64 {
        0
    }

    /// Returns the highest possible fitness in a step, given how many migrants have arrived before it.
    fn best_possible_fitness(&self, step: u32, migrants: u32) -> u64;

    /// Returns the layers that candidates use, if the optimiser learns features.
    fn layers(&self) -> Option<&Layers> {
        None
    }

    /// Returns the resources that are needed to learn features in a run with this many generations.
    fn learning_needs(&self, _task: &Task, _generations: u32) -> LearningNeeds {
        LearningNeeds::default()
    }

    /// Returns how many candidates migrants can replace in each step. Fails if the optimiser doesn't accept migrants.
    fn migrant_places(&self) -> Result<u32, &'static str> {
        Err("this optimiser accepts no migrants")
    }

    /// Returns how endgame tables contribute to fitness, or `None` if they do not.
    fn table_fitness(&self) -> Option<TableFitness> {
        None
    }

    fn recorded(&self, generation: u32) -> RecordedChampion;

    /// Returns the candidate that is closest to these weights, if any, along with the features that it omits.
    fn founder(&self, _task: &Task, _weights: &Weights) -> Option<(Chromosome, Vec<Feature>)> {
        None
    }

    /// Starts an optimiser, or restores a saved one.
    fn start(&self, task: Task, saved: Option<Saved>) -> Result<Box<dyn Optimiser>, LoadError>;

    fn boxed(&self) -> Box<dyn OptimiserSettings>;

    /// Clones the settings for another run, without the state of this run.
    fn for_another_run(&self) -> Box<dyn OptimiserSettings> {
        self.boxed()
    }
}

impl Clone for Box<dyn OptimiserSettings> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key} is {value}: {reason}")]
pub struct SettingRefusal {
    pub key: String,
    pub value: String,
    /// The reason why the value is invalid, and which values are valid.
    pub reason: String,
}

impl SettingRefusal {
    pub(crate) fn new(key: &str, value: impl ToString, reason: impl Into<String>) -> Self {
        let value = Some(value.to_string()).filter(|it| !it.is_empty());
        let value = value.unwrap_or_else(|| "\"\"".into());
        SettingRefusal { key: key.into(), value, reason: reason.into() }
    }
}

/// Rejects a value for the given reason unless a condition holds.
pub(crate) fn require(
    condition: bool,
    key: &str,
    value: impl ToString,
    reason: impl Into<String>,
) -> Result<(), SettingRefusal> {
    if condition { Ok(()) } else { Err(SettingRefusal::new(key, value, reason)) }
}

/// The part of fitness that comes from endgame tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFitness {
    pub fitness: String,
    pub positions: u32,
}

/// The content of the column `best_chromosome` in `history.csv`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordedChampion {
    /// The fittest member, which is also the champion.
    FittestIsChampion,
    /// The fittest member. The champion, which may be the mean of several members, is not recorded.
    FittestOnly,
    /// The champion. The fittest candidate is not recorded.
    ChampionOnly,
}

/// A setting that is a field of `S`.
#[derive(Debug)]
pub struct Key<S> {
    /// The position of the setting in files, among all settings of the run and the optimiser.
    pub place: u32,
    /// The name of the setting in files, messages and `--set`.
    pub name: &'static str,
    pub meaning: &'static str,
    pub since: Since,
    /// Whether a branch of a run must keep the setting, e.g. because it determines how candidates are decoded.
    pub is_taken_over: bool,
    /// Returns the value in TOML.
    pub get: fn(&S) -> String,
    pub set: fn(&mut S, &str) -> Result<(), String>,
}

/// When a setting was introduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// The setting existed in version 0.1.
    First,
    /// The setting was added after version 0.1, but before the oldest run that must remain resumable.
    Early,
    /// The setting is newer than some runs. When we read such a run, the setting gets its default value, so the default
    /// must not change the bytes that the run produces.
    Late,
}

/// Declares a struct of settings with a function `defaults`, and a table `KEYS` of [`Key`]s. Each setting is written as
/// `PLACE FIELD: TYPE = DEFAULT, KIND [MARKS] = "MEANING";`. The fields in the second block are not settings.
///
/// The kinds are `whole(RANGE)`, `probability`, `share_of_scale`, `text`, `number_or_text` for text that becomes a
/// number in TOML if possible, `by(FUNCTION)` for text parsed by a function, and `changed` for text that modifies the
/// previous value. The optional marks are `first` or `late` for [`Since`], and `taken_over`.
macro_rules! settings {
    (@since) => { $crate::optimise::Since::Early };
    (@since first) => { $crate::optimise::Since::First };
    (@since late) => { $crate::optimise::Since::Late };
    (@since taken_over $($since:ident)?) => { $crate::optimise::settings::settings!(@since $($since)?) };
    (@taken_over taken_over $($since:ident)?) => { true };
    (@taken_over $($since:ident)?) => { false };
    (@get whole $field:expr) => { $field.to_string() };
    (@get number_or_text $field:expr) => { $crate::optimise::settings::number_or_quoted(&$field) };
    (@get probability $field:expr) => { format!("{:?}", $field) };
    (@get share_of_scale $field:expr) => { format!("{:?}", $field) };
    (@get $text:ident $field:expr) => { $crate::optimise::settings::quoted(&$field) };
    (@read whole($range:expr) $text:ident, $field:expr) => { $crate::optimise::settings::whole($text, $range) };
    (@read probability $text:ident, $field:expr) => {
        $crate::optimise::settings::real($text, 1.0, "a probability")
    };
    (@read share_of_scale $text:ident, $field:expr) => {
        $crate::optimise::settings::real($text, 10.0, "a fraction of the scale")
    };
    (@read by($function:expr) $text:ident, $field:expr) => { $function($text) };
    (@read changed $text:ident, $field:expr) => { $field.changed($text) };
    (@read $parsed:ident $text:ident, $field:expr) => { $crate::optimise::settings::parsed($text) };
    ($(#[$about:meta])* $vis:vis $settings:ident($($input:ident: $input_type:ty)?) {
        $($place:literal $field:ident: $type:ty = $default:expr, $kind:ident $(($argument:expr))? $([$($mark:ident)+])?
            = $meaning:literal;)+
    } {
        $($(#[$about_other:meta])* $other:ident: $other_type:ty = $other_default:expr;)*
    }) => {
        $(#[$about])*
        #[derive(Debug, Clone)]
        $vis struct $settings {
            $(#[doc = $meaning] $vis $field: $type,)+
            $($(#[$about_other])* $vis $other: $other_type,)*
        }

        impl $settings {
            pub(crate) fn defaults($($input: $input_type)?) -> Self {
                $settings { $($field: $default,)+ $($other: $other_default,)* }
            }
        }

        static KEYS: &[$crate::optimise::Key<$settings>] = &[$($crate::optimise::Key {
            place: $place,
            name: stringify!($field),
            meaning: $meaning,
            since: $crate::optimise::settings::settings!(@since $($($mark)+)?),
            is_taken_over: $crate::optimise::settings::settings!(@taken_over $($($mark)+)?),
            get: |settings| $crate::optimise::settings::settings!(@get $kind settings.$field),
            set: |settings, text| {
                settings.$field =
                    $crate::optimise::settings::settings!(@read $kind $(($argument))? text, settings.$field)?;
                Ok(())
            },
        }),+];
    };
}
pub(crate) use settings;

/// Implements `FromStr` and `Display` for a setting, given one function that parses it and one that formats it.
macro_rules! text_form {
    ($type:ty, $read:expr, $write:expr) => {
        impl std::str::FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let read: fn(&str) -> Result<Self, String> = $read;
                read(text)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let write: fn(&Self) -> String = $write;
                f.write_str(&write(self))
            }
        }
    };
}
pub(crate) use text_form;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub place: u32,
    pub name: &'static str,
    pub meaning: &'static str,
    pub value: String,
    pub since: Since,
    pub is_taken_over: bool,
}

impl Entry {
    /// Returns the value in the form that a user types after `--set key=`.
    pub fn plain(&self) -> &str {
        self.value.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(&self.value)
    }

    /// Returns a line of TOML, with the meaning of the setting as a comment.
    pub fn to_toml(&self) -> String {
        format!("{} = {} # {}\n", self.name, self.value, self.meaning)
    }
}

pub fn entries<S>(keys: &[Key<S>], settings: &S) -> Vec<Entry> {
    let entry = |key: &Key<S>| {
        let &Key { place, name, meaning, since, is_taken_over, .. } = key;
        Entry { place, name, meaning, value: (key.get)(settings), since, is_taken_over }
    };
    keys.iter().map(entry).collect()
}

/// Changes a setting. Returns `None` if it doesn't exist. If the value is invalid, the error lists the valid ones.
pub fn set<S>(keys: &[Key<S>], own: &mut S, name: &str, value: &str) -> Option<Result<(), String>> {
    let key = keys.iter().find(|key| key.name == name)?;
    Some((key.set)(own, value))
}

/// Formats text as a single-line TOML string.
pub fn quoted(value: impl Display) -> String {
    let text = value.to_string();
    if text.contains(is_invisible) {
        // JSON escapes have the same meaning in TOML.
        return escape_lines(&serde_json::Value::from(text).to_string()).into_owned();
    }
    toml::Value::String(text).to_string()
}

pub fn number_or_quoted(value: impl Display) -> String {
    let text = value.to_string();
    if text.parse::<u64>().is_ok() { text } else { quoted(text) }
}

pub fn whole<T: TryFrom<u64>>(text: &str, allowed: RangeInclusive<u64>) -> Result<T, String> {
    let (low, high) = (allowed.start(), allowed.end());
    let number = text.parse().ok().filter(|number| allowed.contains(number));
    let number = number.and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| format!("give a whole number from {low} to {high}"))
}

/// Parses a number from 0 to `most`.
pub fn real(text: &str, most: f64, what: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=most).contains(number));
    number.ok_or_else(|| format!("give {what} from 0 to {most}"))
}

pub fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}
