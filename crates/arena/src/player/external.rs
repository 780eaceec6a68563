//! A player that runs an external engine.
//!
//! Architecture invariant: a faulty engine can lose a game but can't block it. We only wait for an answer until the
//! timeout, and check that the engine's moves are legal.

mod engine;
mod process;

use std::time::Duration;

use engine::Engine;
pub(crate) use engine::TIMEOUT;
pub use process::kill_engines;

use super::spec::{Result, Spec, limits, time};
use super::{Choice, Chosen, NoChoice, Player};
use mancala::game::ayo::Ayo;
use mancala::game::{Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::{Iteration, Limits};

pub(super) const KIND: &str = "uci";

pub(super) const SETTINGS: &[&str] =
    &["cmd", "depth", "nodes", "movetime", "timeout", "seed_value", "option.NAME"];

pub(super) fn read(spec: &Spec, _: Ayo) -> Result<Box<dyn Player<Ayo>>> {
    let setup = Setup::read(spec)?;
    // Start the engine now, so that we report a broken engine before the first game.
    let engine = Engine::start(&setup, &()).map_err(|error| spec.failed(error))?;
    let name = engine.name.clone();
    Ok(Box::new(External {
        setup,
        name,
        engine: Some(engine),
        is_new_game: true,
        line: Vec::new(),
    }))
}

/// The default value of a seed, which suits engines whose `cp` scores are in hundredths of a seed.
const DEFAULT_SEED_VALUE: i32 = 100;

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug, Clone)]
struct Setup {
    words: Vec<String>,
    limits: Limits,
    /// How long we wait for an answer, in addition to the limit on the search time, if any.
    timeout: Duration,
    /// The engine's score for a lead of one seed.
    seed_value: i32,
    options: Vec<(String, String)>,
}

impl Setup {
    fn read(spec: &Spec) -> Result<Setup> {
        let Some(command) = spec.text("cmd") else {
            return Err(spec.missing("cmd=\"PROGRAM ARGUMENTS\""));
        };
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let words =
            words.ok_or_else(|| spec.unexpected("cmd", command, "a program and its arguments"))?;
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
        let timeout = time(spec, "timeout")?.unwrap_or(DEFAULT_TIMEOUT);
        let seed_value = spec.value("seed_value", |value| *value > 0, "a whole number from 1")?;
        let seed_value = seed_value.unwrap_or(DEFAULT_SEED_VALUE);
        Ok(Setup { words, limits: limits(spec)?, timeout, seed_value, options })
    }
}

struct External {
    setup: Setup,
    name: String,
    /// The running engine, or `None` between a failure and the next move.
    engine: Option<Engine>,
    is_new_game: bool,
    /// The line of play that the engine expected when it chose its last move.
    line: Vec<(Side, Pit)>,
}

impl Player<Ayo> for External {
    fn choose(&mut self, record: &Record<Ayo>, progress: &dyn Progress) -> Chosen {
        let limits = self.setup.limits;
        let choice = self.analyse(record, &limits, progress, &mut |_| {})?;
        // A stopped engine may answer with a move that it would not have chosen otherwise.
        if progress.should_stop() { Err(NoChoice::Stopped) } else { Ok(choice) }
    }

    /// Gets a move from the engine. Restarts the engine first if it failed on its last move.
    fn analyse(
        &mut self,
        record: &Record<Ayo>,
        limits: &Limits,
        progress: &dyn Progress,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Chosen {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                self.is_new_game = true;
                Engine::start(&self.setup, progress)?
            }
        };
        if self.is_new_game {
            engine.new_game(&record.game().rules, progress)?;
            self.is_new_game = false;
        }
        let (choice, line) = engine.think(record, limits, progress, listener)?;
        self.line = line;
        self.engine = Some(engine);
        Ok(choice)
    }

    fn limits(&self) -> Option<Limits> {
        Some(self.setup.limits)
    }

    fn new_game(&mut self) {
        self.is_new_game = true;
    }

    fn identity(&self) -> String {
        let options = self.setup.options.iter();
        let options: String = options.map(|(name, value)| format!(" {name}={value}")).collect();
        let command = shlex::try_join(self.setup.words.iter().map(String::as_str));
        let command = command.unwrap_or_else(|_| self.setup.words.join(" "));
        let seed_value = match self.setup.seed_value {
            DEFAULT_SEED_VALUE => String::new(),
            value => format!(" seed_value={value}"),
        };
        format!("uci {command} ({}){options}{seed_value} {}", self.name, self.setup.limits)
    }

    fn seed_value(&self) -> Option<i32> {
        Some(self.setup.seed_value)
    }

    fn variation(&mut self, record: &Record<Ayo>, choice: &Choice) -> Vec<(Side, Pit)> {
        let mover = record.to_move();
        if self.line.first() != Some(&(mover, choice.pit)) {
            return vec![(mover, choice.pit)];
        }
        let mut record = record.clone();
        let is_playable = |&&(side, pit): &&(Side, Pit)| {
            side == record.to_move() && record.ending().is_none() && record.play(pit).is_ok()
        };
        self.line.iter().take_while(is_playable).copied().collect()
    }
}
