//! Players by text: `kind[:key=value,…]`.

use std::error::Error;
use std::fmt::{self, Display};
use std::str::FromStr;

use super::NoChoice;
use mancala::endgame::TablesError;
use mancala::eval::LoadError;
use mancala::memory::MemoryError;
use mancala::text::did_you_mean;

/// A player specification that has been taken apart, while its kind and its settings are not yet checked.
///
/// Inside double quotes commas and equals signs are literal.
///
/// ```
/// use arena::player::Spec;
/// let spec: Spec = r#"minimax:weights="runs/a,b",depth=3"#.parse().unwrap();
/// assert_eq!(spec.kind, "minimax");
/// assert_eq!(spec.options[0], ("weights".to_string(), "runs/a,b".to_string()));
/// assert_eq!(spec.to_string(), r#"minimax:weights="runs/a,b",depth=3"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// The kind of player.
    pub kind: String,
    /// Its settings in the order given.
    pub options: Vec<(String, String)>,
}

/// Why a text describes no player.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// The kind of player is unknown.
    #[error("unknown player \"{kind}\": {hint}")]
    Kind {
        /// What stands there.
        kind: String,
        /// The player that was likely meant, or else those that there are.
        hint: String,
    },
    /// The kind is one of ayo, and another game is played.
    #[error("\"{kind}\" is a player of ayo: choose {known}")]
    OfAyo {
        /// What stands there.
        kind: String,
        /// The kinds there are in this game.
        known: String,
    },
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
    /// The kind has no such setting.
    #[error("player {kind} has no setting \"{key}\": {hint}")]
    Key {
        /// The kind of player.
        kind: String,
        /// The setting.
        key: String,
        /// The setting that was likely meant, or else those that there are.
        hint: String,
    },
    /// A setting is given twice.
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
    /// Weights could not be loaded.
    #[error("player {kind}: {error}")]
    Weights {
        /// The kind of player.
        kind: String,
        /// What is wrong with them.
        error: LoadError,
    },
    /// Endgame tables could not be loaded.
    #[error("player {kind}: tables: {error}")]
    Tables {
        /// The kind of player.
        kind: String,
        /// What is wrong with them.
        error: TablesError,
    },
    /// Something else that a setting names could not be loaded.
    #[error("player {kind}: {key}: {error}")]
    Unavailable {
        /// The kind of player.
        kind: String,
        /// The setting.
        key: &'static str,
        /// What is wrong with it.
        error: Box<dyn Error + Send + Sync>,
    },
    /// There is less memory than a setting takes.
    #[error("player {kind}: {key}: {error}")]
    Memory {
        /// The kind of player.
        kind: String,
        /// The setting.
        key: &'static str,
        /// How much it takes.
        error: MemoryError,
    },
    /// A setting that the kind needs is missing.
    #[error("player {kind} needs {key}={example}")]
    Missing {
        /// The kind of player.
        kind: String,
        /// The setting.
        key: String,
        /// What it looks like.
        example: String,
    },
    /// An external engine does not work.
    #[error("player uci: {0}")]
    Engine(NoChoice),
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

/// A text that reads back as the same. No text stands for a value with a double quote in it, nor for a kind with a
/// colon: of these [`FromStr`] makes none, and what is written reads back as another, or as nothing.
impl Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        for (number, (key, value)) in self.options.iter().enumerate() {
            let separator = if number == 0 { ':' } else { ',' };
            let quote = if value.contains([',', '=']) { "\"" } else { "" };
            write!(f, "{separator}{key}={quote}{value}{quote}")?;
        }
        Ok(())
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
    /// The value of a setting, as it is written.
    pub fn text(&self, key: &str) -> Option<&str> {
        let option = self.options.iter().find(|(k, _)| k == key)?;
        Some(&option.1)
    }

    /// Changes a setting or adds it.
    pub fn set(&mut self, key: &str, value: &str) {
        match self.options.iter_mut().find(|(k, _)| k == key) {
            Some(option) => option.1 = value.into(),
            None => self.options.push((key.into(), value.into())),
        }
    }

    /// Refuses settings other than these; `NAME` at the end of one stands for anything.
    pub(super) fn expect(&self, known: &[&str]) -> Result<(), SpecError> {
        let is_known = |key: &str| {
            known.iter().any(|known| match known.strip_suffix("NAME") {
                Some(prefix) => key.strip_prefix(prefix).is_some_and(|name| !name.is_empty()),
                None => *known == key,
            })
        };
        for (key, _) in &self.options {
            if !is_known(key) {
                let all = if known.is_empty() { "none".into() } else { known.join(", ") };
                let hint = did_you_mean(key, known.iter().copied(), format!("there is {all}"));
                let (kind, key) = (self.kind.clone(), key.clone());
                return Err(SpecError::Key { kind, key, hint });
            }
        }
        Ok(())
    }

    /// The value of a setting, if it is set.
    pub(super) fn value<T: FromStr>(
        &self,
        key: &str,
        allowed: impl Fn(&T) -> bool,
        expected: impl Display,
    ) -> Result<Option<T>, SpecError> {
        let Some(text) = self.text(key) else {
            return Ok(None);
        };
        let value = text.parse().ok().filter(allowed);
        value.map(Some).ok_or_else(|| self.unexpected(key, text, expected))
    }

    /// The error that a setting has this value and not what is expected.
    pub(super) fn unexpected(&self, key: &str, value: &str, expected: impl Display) -> SpecError {
        SpecError::Value {
            kind: self.kind.clone(),
            key: key.into(),
            value: value.into(),
            expected: expected.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use mancala::laws;

    #[test]
    fn a_value_with_a_double_quote_does_not_read_back() {
        for value in ["a\"b", "\"", "a,\"b", "\"a\""] {
            let options = vec![("weights".to_owned(), value.to_owned())];
            let spec = Spec { kind: "minimax".into(), options };
            assert_ne!(spec.to_string().parse().ok(), Some(spec), "{value}");
        }
    }

    laws! {
        #[test]
        fn what_is_taken_apart_is_put_together_again(text in "[a-c]{1,3}:[a-c]=[a-c,=\"]{0,6}(,d=[a-c]{1,2})?") {
            if let Ok(spec) = text.parse::<Spec>() && spec.options.iter().all(|(key, _)| !key.contains('"')) {
                prop_assert_eq!(spec.to_string().parse::<Spec>().unwrap(), spec);
            }
        }

        #[test]
        fn any_text_is_taken_apart_or_refused_without_panic(text in "[a-z:=,\"]{0,30}") {
            let _ = text.parse::<Spec>();
        }

        #[test]
        fn what_was_read_is_written_so_that_it_reads_the_same(text in "[a-z:=, \"]{0,30}") {
            if let Ok(spec) = text.parse::<Spec>() {
                prop_assert_eq!(spec.to_string().parse::<Spec>().unwrap(), spec);
            }
        }

        #[test]
        fn any_value_without_a_double_quote_can_be_written(
            kind in "[a-z-]{1,8}",
            values in proptest::collection::vec("[^\"]{0,12}", 0..4),
        ) {
            let options = values.into_iter().enumerate().map(|(n, value)| (format!("key{n}"), value));
            let spec = Spec { kind, options: options.collect() };
            prop_assert_eq!(spec.to_string().parse::<Spec>().unwrap(), spec);
        }
    }
}
