//! The player that asks another program for its moves.
//!
//! Architecture invariant: an engine can lose a game here but never hold one up. Whatever it does,
//! each question to it ends with an answer or, within its timeout, with a sentence on what it did
//! instead; and the referee alone decides whether the answer is legal.

mod engine;
mod process;

use std::time::Duration;

use engine::{Engine, Thought};

use super::settings::{limits, time};
use super::spec::{Spec, SpecError};
use super::{Choice, NoChoice, Player};
use mancala::game::ayo::Ayo;
use mancala::game::{Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::{Iteration, Limits};

/// Kills all engines outside the program, with all that they have started, before it leaves at once. No
/// engine can be started, asked or missed after this.
pub fn kill_engines() {
    process::kill_all();
}

/// The kind of player that it is.
pub(super) const KIND: &str = "uci";

pub(super) const SETTINGS: &[&str] =
    &["cmd", "depth", "nodes", "movetime", "timeout", "option.NAME"];

pub(super) fn read(spec: &Spec, _: Ayo) -> Result<Box<dyn Player<Ayo>>, SpecError> {
    Ok(Box::new(External::start(setup(spec)?).map_err(SpecError::Engine)?))
}

/// How long an engine may take to answer if nothing else is said.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

fn setup(spec: &Spec) -> Result<Setup, SpecError> {
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
        timeout: time(spec, "timeout")?.unwrap_or(DEFAULT_TIMEOUT),
        options: options(spec)?,
    })
}

/// The settings `option.NAME`, in the order given.
fn options(spec: &Spec) -> Result<Vec<(String, String)>, SpecError> {
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

impl Spec {
    /// Whether the player is a program of its own, which may not be found, or not be the same, elsewhere.
    pub fn is_external(&self) -> bool {
        self.kind == KIND
    }
}

/// How an engine is started and asked.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    /// The program and its arguments.
    pub(super) words: Vec<String>,
    /// What it may spend on a move.
    pub(super) limits: Limits,
    /// How long it may take to answer, beyond the time that a limit gives it.
    pub(super) timeout: Duration,
    /// Its settings.
    pub(super) options: Vec<(String, String)>,
}

/// An engine outside the program that speaks the protocol.
pub(super) struct External {
    setup: Setup,
    name: String,
    /// None after it failed, until it is next asked for a move.
    engine: Option<Engine>,
    next: Next,
    /// The line that it expected when it last moved.
    line: Vec<(Side, Pit)>,
}

/// What the next question belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    NewGame,
    SameGame,
}

impl External {
    /// Starts the engine, so that one that does not work is found before a game begins.
    ///
    /// # Errors
    /// If it cannot be started or does not introduce itself.
    pub(super) fn start(setup: Setup) -> Result<External, NoChoice> {
        let engine = Engine::start(&setup, &())?;
        let name = engine.name().to_owned();
        Ok(External { setup, name, engine: Some(engine), next: Next::NewGame, line: Vec::new() })
    }

    /// Asks the engine for a move. One that fails is not asked again: another is started.
    fn think(
        &mut self,
        record: &Record<Ayo>,
        limits: &Limits,
        progress: &dyn Progress,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Result<Choice, NoChoice> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                self.next = Next::NewGame;
                Engine::start(&self.setup, progress)?
            }
        };
        if self.next == Next::NewGame {
            engine.new_game(&record.game().rules, progress)?;
            self.next = Next::SameGame;
        }
        let Thought { choice, line } = engine.think(record, limits, progress, listener)?;
        self.line = line;
        self.engine = Some(engine);
        Ok(choice)
    }
}

impl Player<Ayo> for External {
    fn choose(
        &mut self,
        record: &Record<Ayo>,
        progress: &dyn Progress,
    ) -> Result<Choice, NoChoice> {
        let limits = self.setup.limits;
        let choice = self.think(record, &limits, progress, &mut |_| {})?;
        // What it answers when it is stopped is not what it would have played.
        if progress.should_stop() { Err(NoChoice::Stopped) } else { Ok(choice) }
    }

    fn analyse(
        &mut self,
        record: &Record<Ayo>,
        limits: &Limits,
        progress: &dyn Progress,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Result<Choice, NoChoice> {
        self.think(record, limits, progress, listener)
    }

    fn limits(&self) -> Option<Limits> {
        Some(self.setup.limits)
    }

    fn new_game(&mut self) {
        self.next = Next::NewGame;
    }

    fn identity(&self) -> String {
        let options = self.setup.options.iter();
        let options: String = options.map(|(name, value)| format!(" {name}={value}")).collect();
        let command = shlex::try_join(self.setup.words.iter().map(String::as_str));
        let command = command.unwrap_or_else(|_| self.setup.words.join(" "));
        format!("uci {command} ({}){options} {}", self.name, self.setup.limits)
    }

    fn reproducible(&self) -> bool {
        self.setup.limits.reproducible()
    }

    fn variation(&mut self, record: &Record<Ayo>, choice: &Choice) -> Vec<(Side, Pit)> {
        let mover = record.to_move();
        if self.line.first() != Some(&(mover, choice.pit)) {
            return vec![(mover, choice.pit)];
        }
        let mut record = record.clone();
        let playable = |&&(side, pit): &&(Side, Pit)| {
            side == record.to_move() && record.ending().is_none() && record.play(pit).is_ok()
        };
        self.line.iter().take_while(playable).copied().collect()
    }
}
