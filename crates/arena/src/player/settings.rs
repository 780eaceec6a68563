//! Settings that several kinds of players read.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use super::PlayableGame;
use super::spec::{Spec, SpecError};
use super::tables::Provided;
use mancala::book::{Book, BookError, BookFile};
use mancala::endgame::Tables;
use mancala::eval::{self, Weights};
use mancala::game::GameKind;
use mancala::game::ayo::Rules;
use mancala::search::{Limits, MAX_DEPTH};

/// The depth of a player for which no limit is named.
pub(super) const DEFAULT_DEPTH: u32 = 5;

/// Deepest search of a player that goes for captures alone: it remembers no position.
pub(super) const MOST_CAPTURING: u32 = 12;

/// The plies that a player which goes for captures alone looks ahead, if they are set.
pub(super) fn capturing_depth(spec: &Spec, key: &str) -> Result<Option<u32>, SpecError> {
    let in_range = |depth: &u32| (1..=MOST_CAPTURING).contains(depth);
    spec.value(key, in_range, format!("a whole number from 1 to {MOST_CAPTURING}"))
}

/// The limits of a searching player; a depth if none is named.
pub(super) fn limits(spec: &Spec) -> Result<Limits, SpecError> {
    let positive = |nodes: &u64| *nodes > 0;
    let nodes = spec.value("nodes", positive, "a whole number from 1")?;
    let movetime = time(spec, "movetime")?;
    let unlimited = nodes.is_none() && movetime.is_none();
    let depth = depth(spec)?.or(unlimited.then_some(DEFAULT_DEPTH));
    Ok(Limits { depth, nodes, movetime })
}

/// The limit of a player that knows no other than a depth.
pub(super) fn depth_alone(spec: &Spec) -> Result<Limits, SpecError> {
    Ok(Limits::depth(depth(spec)?.unwrap_or(DEFAULT_DEPTH)))
}

fn depth(spec: &Spec) -> Result<Option<u32>, SpecError> {
    let in_range = |depth: &u32| (1..=MAX_DEPTH).contains(depth);
    spec.value("depth", in_range, format!("a whole number from 1 to {MAX_DEPTH}"))
}

/// The value of a setting that is a time, if it is set.
pub(super) fn time(spec: &Spec, key: &str) -> Result<Option<Duration>, SpecError> {
    let some = |time: &Time| !time.0.is_zero();
    Ok(spec.value(key, some, "a time such as 50ms or 2s")?.map(|time| time.0))
}

/// A duration as people write it.
struct Time(Duration);

impl FromStr for Time {
    type Err = humantime::DurationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        humantime::parse_duration(text).map(Time)
    }
}

/// The meaning of a word that is one of a few.
pub(super) fn one_of<T: Copy>(
    spec: &Spec,
    key: &str,
    words: &[(&str, T)],
    expected: &str,
) -> Result<Option<T>, SpecError> {
    let Some(text) = spec.text(key) else {
        return Ok(None);
    };
    let found = words.iter().find(|(word, _)| *word == text);
    found.map(|&(_, meaning)| Some(meaning)).ok_or_else(|| spec.unexpected(key, text, expected))
}

/// The weights of this name, which must be of features of the game.
pub(super) fn weights(spec: &Spec, game: GameKind, name: &str) -> Result<Weights, SpecError> {
    let refused = |error| SpecError::Weights { kind: spec.kind.clone(), error };
    let weights = eval::load(name).map_err(refused)?;
    let features = weights.features();
    match features.game() {
        of if of == game => Ok(weights),
        of => {
            let expected = format!("weights of {game} features (it weighs those of {of})");
            Err(spec.unexpected("weights", name, expected))
        }
    }
}

/// The endgame tables that are named, if some are. Every bit of them is checked, since a search would use
/// a wrong value without a word.
pub(super) fn tables(spec: &Spec, rules: Rules) -> Result<Option<Arc<Tables>>, SpecError> {
    let Some(folder) = spec.text("tables") else {
        return Ok(None);
    };
    let tables = Tables::open(Path::new(folder), rules);
    let checked = tables.and_then(|tables| Ok(tables.check_all().map(|()| tables)?));
    let refused = |error| SpecError::Tables { kind: spec.kind.clone(), error };
    checked.map(|tables| Some(Arc::new(tables))).map_err(refused)
}

/// The endgame tables of a player that needs none named: those that are, none if they are off, else those that
/// it finds or builds; without bounds if they are to be likely.
pub(super) fn provided(spec: &Spec, rules: Rules) -> Result<Option<Provided>, SpecError> {
    if spec.text("tables") == Some("off") {
        return Ok(None);
    }
    if spec.text("tables") == Some("likely") {
        return Ok(Provided::likely(rules));
    }
    if let Some(word @ ("on" | "true" | "auto")) = spec.text("tables") {
        let expected = "a folder, likely or off: leave it out for those that are there";
        return Err(spec.unexpected("tables", word, expected));
    }
    if let Some(named) = tables(spec, rules)? {
        return Ok(Some(Provided::Filed(named)));
    }
    let refused = |error| SpecError::Tables { kind: spec.kind.clone(), error };
    Provided::find(rules).map_err(refused)
}

/// The opening book that is named, if one is. The one that is compiled in stays shut under other rules than its own.
pub(super) fn book<G: PlayableGame>(
    spec: &Spec,
    game: G,
) -> Result<Option<Arc<Book<G>>>, SpecError> {
    match spec.text("book") {
        None | Some("off") => Ok(None),
        Some("builtin") => Ok(game.book()),
        Some(file) => {
            let book = BookFile::read(Path::new(file)).and_then(|file| file.book(game));
            let refused = |error: BookError| SpecError::Unavailable {
                kind: spec.kind.clone(),
                key: "book",
                error: error.into(),
            };
            book.map(|book| Some(Arc::new(book))).map_err(refused)
        }
    }
}
