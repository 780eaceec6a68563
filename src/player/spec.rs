//! Players by text: `kind[:key=value,…]`.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use super::Player;
use super::greedy::Greedy;
use super::minimax::{Minimax, Pruning};
use super::random::Random;
use crate::eval::{self, LoadError, REFERENCE, Signs};
use crate::game::ayo::Ayo;
use crate::search::{Limits, MAX_DEPTH};

/// A player specification that has been taken apart but not looked at.
///
/// Inside double quotes commas and equals signs are literal.
///
/// ```
/// use ayo::player::Spec;
/// let spec: Spec = r#"minimax:weights="runs/a,b",depth=3"#.parse().unwrap();
/// assert_eq!(spec.kind, "minimax");
/// assert_eq!(spec.options[0], ("weights".to_string(), "runs/a,b".to_string()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// What sort of player.
    pub kind: String,
    /// His settings in the order given.
    pub options: Vec<(String, String)>,
}

/// Text that names no player.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// No such kind.
    #[error("unknown player \"{0}\": choose minimax, plain-minimax, random or greedy")]
    Kind(String),
    /// A setting without a value.
    #[error("player {kind}: \"{option}\" is not of the form key=value")]
    Form {
        /// The kind of player.
        kind: String,
        /// What stands there.
        option: String,
    },
    /// An opened quote.
    #[error("player \"{0}\": a double quote is not closed")]
    Quote(String),
    /// No such setting.
    #[error("player {kind} has no setting \"{key}\": there is {known}")]
    Key {
        /// The kind of player.
        kind: String,
        /// The setting.
        key: String,
        /// The settings there are.
        known: String,
    },
    /// The same setting twice.
    #[error("player {kind}: {key} is set twice")]
    Twice {
        /// The kind of player.
        kind: String,
        /// The setting.
        key: String,
    },
    /// A value out of its range.
    #[error("player {kind}: {key} is \"{value}\", not {expected}")]
    Value {
        /// The kind of player.
        kind: String,
        /// The setting.
        key: String,
        /// What stands there.
        value: String,
        /// What should.
        expected: String,
    },
    /// Weights that could not be had.
    #[error("player {kind}: {error}")]
    Weights {
        /// The kind of player.
        kind: String,
        /// What is wrong with them.
        error: LoadError,
    },
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let Some((kind, rest)) = text.split_once(':') else {
            return Ok(Spec { kind: text.into(), options: Vec::new() });
        };
        let kind = kind.to_owned();
        let parts = split_unquoted(rest, ',').ok_or_else(|| SpecError::Quote(text.into()))?;
        let mut options: Vec<(String, String)> = Vec::new();
        for part in parts {
            let mut halves = split_unquoted(part, '=').expect("quotes are closed").into_iter();
            let (Some(key), Some(value), None) = (halves.next(), halves.next(), halves.next())
            else {
                let option = part.into();
                return Err(SpecError::Form { kind, option });
            };
            if options.iter().any(|(k, _)| k == key) {
                let key = key.into();
                return Err(SpecError::Twice { kind, key });
            }
            options.push((key.into(), value.replace('"', "")));
        }
        Ok(Spec { kind, options })
    }
}

/// The parts of `text` between separators that stand outside double quotes; `None` if a quote is
/// never closed.
fn split_unquoted(text: &str, separator: char) -> Option<Vec<&str>> {
    let mut quoted = false;
    let parts = text.split(|c| {
        quoted ^= c == '"';
        c == separator && !quoted
    });
    let parts = parts.collect();
    (!quoted).then_some(parts)
}

impl Spec {
    fn expect(&self, known: &[&str]) -> Result<(), SpecError> {
        for (key, _) in &self.options {
            if !known.contains(&key.as_str()) {
                let known = if known.is_empty() { "none".into() } else { known.join(", ") };
                let (kind, key) = (self.kind.clone(), key.clone());
                return Err(SpecError::Key { kind, key, known });
            }
        }
        Ok(())
    }

    fn text(&self, key: &str) -> Option<&str> {
        let option = self.options.iter().find(|(k, _)| k == key)?;
        Some(&option.1)
    }

    /// The value of a setting, if it is set.
    fn value<T: FromStr>(
        &self,
        key: &str,
        allowed: impl Fn(&T) -> bool,
        expected: impl Display,
    ) -> Result<Option<T>, SpecError> {
        let Some(text) = self.text(key) else {
            return Ok(None);
        };
        let value = text.parse().ok().filter(allowed).ok_or_else(|| SpecError::Value {
            kind: self.kind.clone(),
            key: key.into(),
            value: text.into(),
            expected: expected.to_string(),
        });
        value.map(Some)
    }
}

/// The depth of a player for whom no limit is named.
const DEFAULT_DEPTH: u32 = 5;

/// The player that a specification describes.
///
/// | kind | settings |
/// |---|---|
/// | `minimax` | `weights=NAME\|FILE\|DIR`, `depth=5`, `nodes=N`, `movetime=50ms`, `signs=signed` |
/// | `plain-minimax` | `weights`, `depth` and `signs`, searched without pruning |
/// | `random` | `seed=1` |
/// | `greedy` | none |
///
/// # Errors
/// One sentence that names the player, the setting and the value.
pub fn build(spec: &str) -> Result<Box<dyn Player<Ayo>>, SpecError> {
    let spec: Spec = spec.parse()?;
    match spec.kind.as_str() {
        "minimax" => Ok(Box::new(minimax(&spec, Pruning::AlphaBeta)?)),
        "plain-minimax" => Ok(Box::new(minimax(&spec, Pruning::None)?)),
        "random" => {
            spec.expect(&["seed"])?;
            let seed = spec.value("seed", |_| true, "a whole number")?.unwrap_or(1);
            Ok(Box::new(Random { seed }))
        }
        "greedy" => {
            spec.expect(&[])?;
            Ok(Box::new(Greedy))
        }
        _ => Err(SpecError::Kind(spec.kind)),
    }
}

fn minimax(spec: &Spec, pruning: Pruning) -> Result<Minimax, SpecError> {
    let limits = match pruning {
        Pruning::AlphaBeta => {
            spec.expect(&["weights", "depth", "nodes", "movetime", "signs"])?;
            limits(spec)?
        }
        Pruning::None => {
            spec.expect(&["weights", "depth", "signs"])?;
            Limits::depth(depth(spec)?.unwrap_or(DEFAULT_DEPTH))
        }
    };
    let name = spec.text("weights").unwrap_or(REFERENCE);
    let weights =
        eval::load(name).map_err(|error| SpecError::Weights { kind: spec.kind.clone(), error })?;
    let signs: Signs =
        spec.value("signs", |_| true, "signed or literal")?.unwrap_or(weights.signs());
    Ok(Minimax::new(&weights.with_signs(signs), limits, pruning))
}

/// The limits of a searching player; a depth if none is named.
pub(super) fn limits(spec: &Spec) -> Result<Limits, SpecError> {
    let positive = |nodes: &u64| *nodes > 0;
    let nodes = spec.value("nodes", positive, "a whole number from 1")?;
    let time = |time: &Time| !time.0.is_zero();
    let movetime = spec.value("movetime", time, "a time such as 50ms or 2s")?.map(|time| time.0);
    let unlimited = nodes.is_none() && movetime.is_none();
    let depth = depth(spec)?.or(unlimited.then_some(DEFAULT_DEPTH));
    Ok(Limits { depth, nodes, movetime })
}

fn depth(spec: &Spec) -> Result<Option<u32>, SpecError> {
    let in_range = |depth: &u32| (1..=MAX_DEPTH).contains(depth);
    spec.value("depth", in_range, format!("a whole number from 1 to {MAX_DEPTH}"))
}

/// A duration as people write it.
struct Time(Duration);

impl FromStr for Time {
    type Err = humantime::DurationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        humantime::parse_duration(text).map(Time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refused(spec: &str, reason: &str) {
        let error = build(spec).err().expect(spec).to_string();
        assert!(error.contains(reason), "{spec}: {error}");
    }

    #[test]
    fn wrong_specifications_are_refused_by_setting_and_value() {
        refused("", "unknown player \"\"");
        refused("mini", "unknown player \"mini\"");
        refused("minimax:depth", "\"depth\" is not of the form key=value");
        refused("minimax:depth=0", "depth is \"0\", not a whole number from 1 to 100");
        refused("minimax:depth=3,depth=4", "depth is set twice");
        refused("minimax:weights=nobody", "no weights \"nobody\"");
        refused("minimax:weights=seeds,signs=odd", "signs is \"odd\"");
        refused("minimax:nodes=0", "nodes is \"0\"");
        refused("minimax:movetime=5", "movetime is \"5\", not a time such as 50ms");
        refused("plain-minimax:nodes=5", "no setting \"nodes\"");
        refused("random:sed=7", "no setting \"sed\": there is seed");
        refused("greedy:seed=7", "there is none");
        refused("minimax:weights=\"a", "quote is not closed");
    }

    proptest! {
        #[test]
        fn any_text_is_taken_apart_or_refused_without_panic(text in "[a-z:=,\"]{0,30}") {
            let _ = text.parse::<Spec>();
        }
    }
}
