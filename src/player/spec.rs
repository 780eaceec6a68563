//! Players by text: `kind[:key=value,…]`.

use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use super::amdf::{Amdf, Source, SourceError, Training, TrainingError};
use super::external::Setup;
use super::minimax::Minimax;
use super::rbh::{self, Bluffing, MetricError, Rbh, Refinement, Switch};
use super::seat::PlayableGame;
use super::{NoChoice, Player};
use mancala::endgame::{Tables, TablesError};
use mancala::eval::{self, LoadError, Weights};
use mancala::game::ayo::{Ayo, Rules, SEEDS};
use mancala::search::{Limits, MAX_DEPTH};

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
    #[error("unknown player \"{kind}\": choose {known}")]
    Kind {
        /// What stands there.
        kind: String,
        /// The kinds there are.
        known: String,
    },
    /// A kind that another game knows.
    #[error("\"{kind}\" is {what} of ayo: choose {known}")]
    OfAyo {
        /// What stands there.
        kind: String,
        /// A player or a level.
        what: &'static str,
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
    /// Endgame tables that could not be had.
    #[error("player {kind}: tables: {error}")]
    Tables {
        /// The kind of player.
        kind: String,
        /// What is wrong with them.
        error: TablesError,
    },
    /// Rows to learn from that could not be had.
    #[error("player {kind}: training: {error}")]
    Training {
        /// The kind of player.
        kind: String,
        /// What is wrong with them.
        error: TrainingError,
    },
    /// A setting that must be there.
    #[error("player {kind} needs {key}={example}")]
    Missing {
        /// The kind of player.
        kind: String,
        /// The setting.
        key: String,
        /// What it looks like.
        example: String,
    },
    /// An engine outside the program that does not work.
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

    /// Whether the player is a program of its own, which nothing here can be sure to find again.
    pub fn is_external(&self) -> bool {
        self.kind == "uci"
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
                let known = if known.is_empty() { "none".into() } else { known.join(", ") };
                let (kind, key) = (self.kind.clone(), key.clone());
                return Err(SpecError::Key { kind, key, known });
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

    /// The value of a setting that is a time, if it is set.
    fn time(&self, key: &str) -> Result<Option<Duration>, SpecError> {
        let some = |time: &Time| !time.0.is_zero();
        Ok(self.value(key, some, "a time such as 50ms or 2s")?.map(|time| time.0))
    }

    pub(super) fn unexpected(&self, key: &str, value: &str, expected: impl Display) -> SpecError {
        SpecError::Value {
            kind: self.kind.clone(),
            key: key.into(),
            value: value.into(),
            expected: expected.to_string(),
        }
    }
}

/// The depth of a player for whom no limit is named.
pub(super) const DEFAULT_DEPTH: u32 = 5;

/// How long an engine outside the program may take to answer if nothing else is said.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// The player that a specification describes, for games under the default rules.
///
/// # Errors
/// As [`build_for`].
pub fn build(spec: &str) -> Result<Box<dyn Player<Ayo>>, SpecError> {
    build_for(spec, Ayo::default())
}

/// The player that a specification describes, for some game. Its rules matter to endgame tables alone,
/// which are refused if they are of others.
///
/// | kind | settings |
/// |---|---|
/// | `minimax` | `weights=NAME\|FILE\|DIR`, `depth=5`, `nodes=N`, `movetime=50ms`, `signs=signed`, `slips=20` moves of a hundred by chance, `seed=1`, in ayo `tables=DIR` |
/// | `plain-minimax` | `weights`, `depth`, `signs` and `tables`, searched without pruning |
/// | `rbh` | `plies=4`, `metric=correlation\|canberra\|angular`, `bluff=0.99\|off`, `tradeoff=1`, `weights=NAME\|FILE\|DIR`, `cdg=on\|off`, `refine=on\|off\|chance` |
/// | `amdf` | `depth=6`, `training=self-play:N\|tables:DIR\|FILE\|current` |
/// | `initiation`, `beginner`, `amateur`, `grandmaster` | none: [`LEVELS`](super::LEVELS) |
/// | `random` | `seed=1` |
/// | `greedy` | none |
/// | `uci` | in ayo: `cmd="PROGRAM ARGUMENTS"`, `depth=5`, `nodes=N`, `movetime=50ms`, `timeout=10s`, `option.NAME=VALUE` |
///
/// # Errors
/// One sentence that names the player, the setting and the value.
pub fn build_for<G: PlayableGame>(spec: &str, game: G) -> Result<Box<dyn Player<G>>, SpecError> {
    spec.parse::<Spec>()?.build(game)
}

/// Deepest search of a player that goes for captures alone: it remembers no position.
const MOST_CAPTURING: u32 = 12;

fn capturing_depth(spec: &Spec, key: &str) -> Result<Option<u32>, SpecError> {
    let in_range = |depth: &u32| (1..=MOST_CAPTURING).contains(depth);
    spec.value(key, in_range, format!("a whole number from 1 to {MOST_CAPTURING}"))
}

pub(super) fn rbh(spec: &Spec) -> Result<Rbh, SpecError> {
    spec.expect(&["plies", "metric", "bluff", "tradeoff", "weights", "cdg", "refine"])?;
    let default = rbh::Settings::default();
    let settings = rbh::Settings {
        plies: capturing_depth(spec, "plies")?.unwrap_or(default.plies),
        metric: spec.value("metric", |_| true, MetricError)?.unwrap_or(default.metric),
        bluffing: bluffing(spec)?,
        refine: one_of(spec, "refine", &REFINEMENTS, "on, off or chance")?
            .unwrap_or(default.refine),
        cdg: one_of(spec, "cdg", &SWITCHES, "on or off")?.unwrap_or(default.cdg),
    };
    let judge = spec
        .text("weights")
        .map(|name| Ok(Minimax::to_depth(&weights(spec, name)?, settings.plies)));
    Ok(Rbh::new(settings, judge.transpose()?))
}

fn bluffing(spec: &Spec) -> Result<Option<Bluffing>, SpecError> {
    let Bluffing { threshold, tradeoff } = Bluffing::default();
    let tradeoff = spec
        .value("tradeoff", |seeds| *seeds <= u32::from(SEEDS), "a number of seeds from 0 to 48")?
        .unwrap_or(tradeoff);
    if spec.text("bluff") == Some("off") {
        return Ok(None);
    }
    let allowed = |threshold: &f64| (0.0..=1.0).contains(threshold);
    let threshold =
        spec.value("bluff", allowed, "off or a similarity from 0 to 1")?.unwrap_or(threshold);
    Ok(Some(Bluffing { threshold, tradeoff }))
}

const SWITCHES: [(&str, Switch); 2] = [("on", Switch::On), ("off", Switch::Off)];
const REFINEMENTS: [(&str, Refinement); 3] =
    [("on", Refinement::On), ("off", Refinement::Off), ("chance", Refinement::Chance)];

/// The meaning of a word that is one of a few.
fn one_of<T: Copy>(
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

pub(super) fn amdf(spec: &Spec, rules: Rules) -> Result<Amdf, SpecError> {
    const DEPTH: u32 = 6;
    spec.expect(&["depth", "training"])?;
    let depth = capturing_depth(spec, "depth")?.unwrap_or(DEPTH);
    let source = spec.value("training", |_: &Source| true, SourceError)?.unwrap_or_default();
    let training = Training::from_source(&source, rules);
    let training =
        training.map_err(|error| SpecError::Training { kind: spec.kind.clone(), error })?;
    Ok(Amdf::new(depth, training))
}

/// How many moves of a hundred are picked by chance, and the seed of that chance, if any are.
pub(super) fn slips(spec: &Spec) -> Result<Option<(u32, u64)>, SpecError> {
    let slips = spec.value("slips", |slips| *slips <= 100, "a percentage from 0 to 100")?;
    let seed = spec.value("seed", |_| true, "a whole number")?;
    let slips = slips.filter(|&slips| slips > 0);
    Ok(slips.map(|slips| (slips, seed.unwrap_or(1))))
}

pub(super) fn weights(spec: &Spec, name: &str) -> Result<Weights, SpecError> {
    eval::load(name).map_err(|error| SpecError::Weights { kind: spec.kind.clone(), error })
}

/// Tables in which not a bit changed, if some are named: a wrong value would be believed without a word.
pub(super) fn tables(spec: &Spec, rules: Rules) -> Result<Option<Arc<Tables>>, SpecError> {
    let Some(folder) = spec.text("tables") else {
        return Ok(None);
    };
    let tables = Tables::open(Path::new(folder), rules);
    let checked = tables.and_then(|tables| Ok(tables.check_all().map(|()| tables)?));
    let refused = |error| SpecError::Tables { kind: spec.kind.clone(), error };
    checked.map(|tables| Some(Arc::new(tables))).map_err(refused)
}

/// How an engine outside the program is started and asked.
pub(super) fn external(spec: &Spec) -> Result<Setup, SpecError> {
    spec.expect(&["cmd", "depth", "nodes", "movetime", "timeout", "option.NAME"])?;
    let Some(command) = spec.text("cmd") else {
        let (key, example) = ("cmd".into(), "\"PROGRAM ARGUMENTS\"".into());
        return Err(SpecError::Missing { kind: spec.kind.clone(), key, example });
    };
    let words = shlex::split(command).filter(|words| !words.is_empty());
    let words =
        words.ok_or_else(|| spec.unexpected("cmd", command, "a program and its arguments"))?;
    Ok(Setup {
        words,
        limits: limits(spec)?,
        timeout: spec.time("timeout")?.unwrap_or(DEFAULT_TIMEOUT),
        options: engine_options(spec)?,
    })
}

/// The settings `option.NAME`, in the order given.
fn engine_options(spec: &Spec) -> Result<Vec<(String, String)>, SpecError> {
    let mut options = Vec::new();
    for (key, value) in &spec.options {
        let Some(name) = key.strip_prefix("option.") else {
            continue;
        };
        if [name, value].iter().any(|text| text.contains(['\n', '\r'])) {
            return Err(spec.unexpected(key, value, "one line"));
        }
        options.push((name.into(), value.clone()));
    }
    Ok(options)
}

/// The limits of a searching player; a depth if none is named.
pub(super) fn limits(spec: &Spec) -> Result<Limits, SpecError> {
    let positive = |nodes: &u64| *nodes > 0;
    let nodes = spec.value("nodes", positive, "a whole number from 1")?;
    let movetime = spec.time("movetime")?;
    let unlimited = nodes.is_none() && movetime.is_none();
    let depth = depth(spec)?.or(unlimited.then_some(DEFAULT_DEPTH));
    Ok(Limits { depth, nodes, movetime })
}

pub(super) fn depth(spec: &Spec) -> Result<Option<u32>, SpecError> {
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
        refused("minimax:slips=101", "slips is \"101\", not a percentage from 0 to 100");
        refused("amateur:depth=3", "player amateur has no setting \"depth\": there is none");
        refused("amdf:depth=21", "depth is \"21\", not a whole number from 1 to 12");
        refused("rbh:plies=0", "player rbh: plies is \"0\", not a whole number from 1 to 12");
        refused("rbh:metric=cosine", "metric is \"cosine\", not correlation, canberra or angular");
        refused("rbh:bluff=1.5", "bluff is \"1.5\", not off or a similarity from 0 to 1");
        refused("rbh:bluff=NaN", "bluff is \"NaN\"");
        refused("rbh:tradeoff=49", "tradeoff is \"49\", not a number of seeds");
        refused("rbh:refine=no", "refine is \"no\", not on, off or chance");
        refused("rbh:weights=nobody", "player rbh: no weights \"nobody\"");
        refused(
            "amdf:training=self-play:0",
            "training is \"self-play:0\", not current, self-play:N",
        );
        refused("amdf:training=no/such", "player amdf: training: cannot read no/such");
        refused("uci", "player uci needs cmd=\"PROGRAM ARGUMENTS\"");
        refused("uci:cmd=", "cmd is \"\", not a program and its arguments");
        refused("uci:cmd=\"a 'b\"", "cmd is \"a 'b\", not a program");
        refused("uci:cmd=a,timeout=5", "timeout is \"5\", not a time such as 50ms");
        refused("uci:cmd=a,option.=5", "no setting \"option.\"");
        refused("uci:cmd=a,option.X=\"1\nquit\"", "option.X is \"1\nquit\", not one line");
    }

    proptest! {
        #[test]
        fn any_text_is_taken_apart_or_refused_without_panic(text in "[a-z:=,\"]{0,30}") {
            let _ = text.parse::<Spec>();
        }
    }
}
