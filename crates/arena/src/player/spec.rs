//! Player specifications, `kind[:key=value,…]`, and settings that several kinds of players share.

use std::fmt::{self, Debug, Display};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use super::PlayableGame;
use super::tables::DefaultTables;
use mancala::book::{Book, BookFile};
use mancala::endgame::{Tables, TablesError};
use mancala::eval::{self, LoadError, Weights};
use mancala::game::ayo::Ayo;
use mancala::game::{AnyGame, GameKind};
use mancala::search::{Limits, MAX_DEPTH};
use mancala::text::did_you_mean;

/// A parsed player specification, whose kind and settings have not been checked yet.
///
/// Inside double quotes, commas and equals signs are literal.
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
    pub kind: String,
    pub options: Vec<(String, String)>,
}

/// The error for a player that can't be created, or for openings that can't be read or drawn.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct SpecError {
    text: String,
    /// Whether the specification itself is wrong. Other causes of errors are damaged files, for example.
    pub is_usage: bool,
}

pub(super) type Result<T, E = SpecError> = std::result::Result<T, E>;

impl SpecError {
    pub(crate) fn usage(text: String) -> SpecError {
        SpecError { text, is_usage: true }
    }

    pub(crate) fn failed(text: String) -> SpecError {
        SpecError { text, is_usage: false }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self> {
        let Some((kind, rest)) = text.split_once(':') else {
            return Ok(Spec { kind: text.into(), options: Vec::new() });
        };
        let mut spec = Spec { kind: kind.into(), options: Vec::new() };
        let parts = split_unquoted(rest, ',')
            .ok_or_else(|| SpecError::usage(format!("player \"{text}\": unclosed double quote")))?;
        for part in parts {
            let mut halves = split_unquoted(part, '=').expect("quotes are closed").into_iter();
            let (Some(key), Some(value), None) = (halves.next(), halves.next(), halves.next())
            else {
                return Err(spec.wrong(format_args!("\"{part}\" is not of the form key=value")));
            };
            if spec.text(key).is_some() {
                return Err(spec.wrong(format_args!("{key} is set twice")));
            }
            spec.options.push((key.into(), value.replace('"', "")));
        }
        Ok(spec)
    }
}

/// Formats the specification so that [`FromStr`] can parse it.
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

/// Splits text at separators outside double quotes. Returns `None` if a quote is not closed.
fn split_unquoted(text: &str, separator: char) -> Option<Vec<&str>> {
    let mut quoted = false;
    let is_separator = |c| {
        quoted ^= c == '"';
        c == separator && !quoted
    };
    let parts = text.split(is_separator).collect();
    (!quoted).then_some(parts)
}

impl Spec {
    pub fn text(&self, key: &str) -> Option<&str> {
        let option = self.options.iter().find(|(k, _)| k == key)?;
        Some(&option.1)
    }

    /// Adds a setting, or changes it if it is already present.
    pub fn set(&mut self, key: &str, value: &str) {
        match self.options.iter_mut().find(|(k, _)| k == key) {
            Some(option) => option.1 = value.into(),
            None => self.options.push((key.into(), value.into())),
        }
    }

    /// Returns the number of search threads in the settings, or 1 if the settings don't specify it.
    pub fn threads(&self) -> usize {
        let is_threads = |key: &str| key == "threads" || key.eq_ignore_ascii_case("option.threads");
        let threads = self.options.iter().find(|(key, _)| is_threads(key));
        let threads = threads.and_then(|(_, threads)| threads.parse::<u16>().ok());
        threads.unwrap_or(1).into()
    }

    /// Rejects settings that are not in `known`. `NAME` at the end of a known setting matches any name.
    pub(super) fn expect(&self, known: &[&str]) -> Result<()> {
        let is_known = |key: &str| {
            known.iter().any(|known| match known.strip_suffix("NAME") {
                Some(prefix) => key.strip_prefix(prefix).is_some_and(|name| !name.is_empty()),
                None => *known == key,
            })
        };
        for (key, _) in &self.options {
            if !is_known(key) {
                let all = if known.is_empty() { "no settings".into() } else { known.join(", ") };
                let hint = did_you_mean(key, known.iter().copied(), format!("it has {all}"));
                let error = format!("player {} has no setting \"{key}\": {hint}", self.kind);
                return Err(SpecError::usage(error));
            }
        }
        Ok(())
    }

    pub(super) fn value<T: FromStr>(
        &self,
        key: &str,
        allowed: impl Fn(&T) -> bool,
        expected: impl Display,
    ) -> Result<Option<T>> {
        self.read(key, |text| text.parse().ok().filter(&allowed), expected)
    }

    /// Returns the value of a setting that must be one of `words`, or `None` if the setting is missing.
    pub(super) fn one_of<T: Copy>(
        &self,
        key: &str,
        words: &[(&str, T)],
        expected: &str,
    ) -> Result<Option<T>> {
        let known = |text: &str| words.iter().find(|(word, _)| *word == text).map(|(_, it)| *it);
        self.read(key, known, expected)
    }

    /// Returns the element of `values` whose name in lower case is the value of a setting, or the first one by default.
    pub(super) fn choice<T: Copy + Debug>(&self, key: &str, values: &[T]) -> Result<T> {
        let names: Vec<String> = values.iter().map(|it| format!("{it:?}").to_lowercase()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let words: Vec<(&str, T)> = names.iter().copied().zip(values.iter().copied()).collect();
        Ok(self.one_of(key, &words, &one_of(&names))?.unwrap_or(values[0]))
    }

    fn read<T>(
        &self,
        key: &str,
        read: impl Fn(&str) -> Option<T>,
        expected: impl Display,
    ) -> Result<Option<T>> {
        let value = |text| read(text).ok_or_else(|| self.unexpected(key, text, expected));
        self.text(key).map(value).transpose()
    }

    pub(super) fn unexpected(&self, key: &str, value: &str, expected: impl Display) -> SpecError {
        self.wrong(format_args!("{key} is \"{value}\", not {expected}"))
    }

    pub(super) fn wrong(&self, reason: impl Display) -> SpecError {
        SpecError::usage(format!("player {}: {reason}", self.kind))
    }

    /// Returns the error for a player that can't be created even though its specification is valid.
    pub(super) fn failed(&self, reason: impl Display) -> SpecError {
        SpecError { is_usage: false, ..self.wrong(reason) }
    }

    pub(super) fn missing(&self, example: &str) -> SpecError {
        SpecError::usage(format!("player {} needs {example}", self.kind))
    }
}

pub(super) const DEFAULT_DEPTH: u32 = 5;

/// The maximum depth of a search for [captures](super::gains()).
pub(super) const MAX_CAPTURE_DEPTH: u32 = 12;

/// Returns the limits of a player that searches, or just the default depth if the specification doesn't set any limits.
pub(super) fn limits(spec: &Spec) -> Result<Limits> {
    let positive = |nodes: &u64| *nodes > 0;
    let nodes = spec.value("nodes", positive, "a whole number from 1")?;
    let movetime = time(spec, "movetime")?;
    let unlimited = nodes.is_none() && movetime.is_none();
    let depth = depth_up_to(spec, "depth", MAX_DEPTH)?.or(unlimited.then_some(DEFAULT_DEPTH));
    Ok(Limits { depth, nodes, movetime })
}

pub(super) fn depth_limit(spec: &Spec) -> Result<Limits> {
    Ok(Limits::depth(depth_up_to(spec, "depth", MAX_DEPTH)?.unwrap_or(DEFAULT_DEPTH)))
}

pub(super) fn depth_up_to(spec: &Spec, key: &str, max: u32) -> Result<Option<u32>> {
    spec.value(key, |depth| (1..=max).contains(depth), format!("a whole number from 1 to {max}"))
}

pub(super) fn time(spec: &Spec, key: &str) -> Result<Option<Duration>> {
    let time = |text: &str| humantime::parse_duration(text).ok().filter(|time| !time.is_zero());
    spec.read(key, time, "a time such as 50ms or 2s")
}

/// Loads weights and checks that their features are for this game.
pub(super) fn weights(spec: &Spec, game: GameKind, name: &str) -> Result<Weights> {
    let weights = eval::load(name).map_err(|error| match error {
        LoadError::Unknown(_) => spec.wrong(error),
        error => spec.failed(error),
    })?;
    match weights.features().game() {
        of if of == game => Ok(weights),
        of => {
            let expected = format!(
                "weights of {game} features (its features are for {of}: choose that game, for \
                 example by --game {of}, if the command has it)"
            );
            Err(spec.unexpected("weights", name, expected))
        }
    }
}

/// Opens the tables in the folder given by the setting `tables`, if any, and verifies all checksums (ayo only).
pub(super) fn tables(spec: &Spec, game: impl Into<AnyGame>) -> Result<Option<Arc<Tables>>> {
    let (Some(folder), AnyGame::Ayo(Ayo { rules })) = (spec.text("tables"), game.into()) else {
        return Ok(None);
    };
    let tables = Tables::open(Path::new(folder), rules);
    let checked = tables.and_then(|tables| Ok(tables.check_all().map(|()| tables)?));
    checked.map(|tables| Some(Arc::new(tables))).map_err(|error| tables_error(spec, error))
}

fn tables_error(spec: &Spec, error: TablesError) -> SpecError {
    let is_usage = matches!(error, TablesError::Rules { .. });
    SpecError { is_usage, ..spec.wrong(format_args!("tables: {error}")) }
}

/// Like [`tables`], but a missing setting selects the default tables, `likely` those without bounds, and `off` none.
pub(super) fn provided(spec: &Spec, game: impl Into<AnyGame>) -> Result<Option<DefaultTables>> {
    let game = game.into();
    let find = |with_bounds| {
        DefaultTables::find(game, with_bounds).map_err(|error| tables_error(spec, error))
    };
    match spec.text("tables") {
        None => find(true),
        Some("off") => Ok(None),
        Some("likely") => find(false),
        Some(word @ ("on" | "true" | "auto")) => {
            let expected = "a folder, likely or off (omit it to use the default tables)";
            Err(spec.unexpected("tables", word, expected))
        }
        Some(_) => Ok(tables(spec, game)?.map(DefaultTables::open)),
    }
}

/// Opens the opening book that the setting `book` names, if any. The built-in book is only used under its own rules.
pub(super) fn book<G: PlayableGame>(spec: &Spec, game: G) -> Result<Option<Arc<Book<G>>>> {
    match spec.text("book") {
        None | Some("off") => Ok(None),
        Some("builtin") => Ok(game.book()),
        Some(file) => {
            let book = BookFile::read(Path::new(file)).and_then(|file| file.book(game));
            let book = book.map_err(|error| spec.wrong(format_args!("book: {error}")))?;
            Ok(Some(Arc::new(book)))
        }
    }
}
/// Joins names as `a, b or c`.
pub(super) fn one_of(names: &[&str]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::laws::prelude::*;

    laws! {
        #[test]
        fn a_parsed_text_is_written_so_that_it_reads_back(
            text in "[a-c]{1,3}:[a-c]=[a-c,=\"]{0,6}(,d=[a-c]{1,2})?|[a-z:=, \"]{0,30}"
        ) {
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
