//! Settings by name. Each one is declared once, with what it means and how it is read and written.

use std::fmt::Display;
use std::str::FromStr;

use mancala::text::{is_unseen, seen};

/// A setting of some settings `S`.
#[derive(Debug)]
pub struct Key<S> {
    /// Where it stands in files, which list the settings of a run and of its optimiser mixed.
    pub place: u32,
    /// Its name in files, in `--set` and in messages.
    pub name: &'static str,
    /// What it means, in a line.
    pub meaning: &'static str,
    pub since: Since,
    pub branch: Branch,
    /// Its value in TOML.
    pub get: fn(&S) -> String,
    pub set: fn(&mut S, &str) -> Result<(), String>,
}

/// Since when there has been a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// The first version.
    First,
    /// Before runs were kept that must go on.
    Early,
    /// Later. Runs that began before it was there go on as they began, whatever the presets say now, and
    /// a run that does without it leaves the bytes that they left.
    Late,
}

/// What a branch of a run may do with a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Branch {
    /// A branch may give it another value.
    Changes,
    /// A branch takes it over, since it shapes the candidates or what they mean.
    TakesOver,
}

impl<S> Key<S> {
    pub const fn new(
        place: u32,
        name: &'static str,
        meaning: &'static str,
        get: fn(&S) -> String,
        set: fn(&mut S, &str) -> Result<(), String>,
    ) -> Key<S> {
        Key { place, name, meaning, since: Since::Early, branch: Branch::Changes, get, set }
    }
}

/// A setting that there was in the first version.
pub const fn first<S>(mut key: Key<S>) -> Key<S> {
    key.since = Since::First;
    key
}

/// A setting that came later.
pub const fn late<S>(mut key: Key<S>) -> Key<S> {
    key.since = Since::Late;
    key
}

/// A setting that a branch has to take over.
pub const fn taken_over<S>(mut key: Key<S>) -> Key<S> {
    key.branch = Branch::TakesOver;
    key
}

/// A setting with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub place: u32,
    /// What files and `--set` call it.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// Its value in TOML.
    pub value: String,
    pub since: Since,
    pub branch: Branch,
}

impl Entry {
    /// The value as it would be typed after `--set key=`.
    pub fn plain(&self) -> &str {
        self.value.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(&self.value)
    }
}

/// The values of all settings of a table.
pub fn entries<S>(keys: &[Key<S>], settings: &S) -> Vec<Entry> {
    let entry = |key: &Key<S>| {
        let &Key { place, name, meaning, since, branch, .. } = key;
        Entry { place, name, meaning, value: (key.get)(settings), since, branch }
    };
    keys.iter().map(entry).collect()
}

/// Changes a setting of a table; `None` if there is none of that name. An error says what is possible.
pub fn set<S>(
    keys: &[Key<S>],
    settings: &mut S,
    name: &str,
    value: &str,
) -> Option<Result<(), String>> {
    let key = keys.iter().find(|key| key.name == name)?;
    Some((key.set)(settings, value))
}

/// A text in TOML, in one line.
pub fn quoted(value: impl Display) -> String {
    let text = value.to_string();
    if text.contains(is_unseen) {
        // What JSON escapes and what is written out here means the same in TOML.
        return seen(&serde_json::Value::from(text).to_string()).into_owned();
    }
    toml::Value::String(text).to_string()
}

/// Numbers as numbers, all else as text.
pub fn in_toml(value: impl Display) -> String {
    let text = value.to_string();
    if text.parse::<u64>().is_ok() { text } else { quoted(text) }
}

pub fn whole(text: &str, allowed: std::ops::RangeInclusive<u64>) -> Result<u64, String> {
    let (low, high) = (allowed.start(), allowed.end());
    let number = text.parse().ok().filter(|n| allowed.contains(n));
    number.ok_or_else(|| format!("give a whole number from {low} to {high}"))
}

pub fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|p| (0.0..=1.0).contains(p));
    number.ok_or_else(|| "give a probability from 0 to 1".into())
}

pub fn share_of_scale(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|p| (0.0..=10.0).contains(p));
    number.ok_or_else(|| "give a share of the scale from 0 to 10".into())
}

pub fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}
