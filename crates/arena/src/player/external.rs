//! The player that asks another program for its moves.
//!
//! Architecture invariant: an engine can lose a game but never hold one up. Each question to it ends with
//! an answer or, within the timeout, with a sentence that says what it did instead. The referee alone
//! decides whether an answer is legal.

mod engine;
mod pipe;
mod process;
mod setup;

use engine::{Engine, Thought};
use setup::Setup;

use super::spec::{Spec, SpecError};
use super::{Choice, NoChoice, Player};
use mancala::game::ayo::Ayo;
use mancala::game::{Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::{Iteration, Limits};

/// Kills all external engines and the processes that they have started, for a program that is about to end.
/// No engine can be started or asked after this.
pub fn kill_engines() {
    process::kill_all();
}

/// The kind of player that it is.
pub(super) const KIND: &str = "uci";

pub(super) const SETTINGS: &[&str] =
    &["cmd", "depth", "nodes", "movetime", "timeout", "option.NAME"];

pub(super) fn read(spec: &Spec, _: Ayo) -> Result<Box<dyn Player<Ayo>>, SpecError> {
    Ok(Box::new(External::start(Setup::read(spec)?).map_err(SpecError::Engine)?))
}

impl Spec {
    /// Whether the player is an external program, which may be missing or another one on other machines.
    pub fn is_external(&self) -> bool {
        self.kind == KIND
    }
}

/// An external engine that speaks the protocol.
pub(super) struct External {
    setup: Setup,
    name: String,
    /// None after it failed, until it is next asked for a move.
    engine: Option<Engine>,
    next: Next,
    /// The line that it expected when it last moved.
    line: Vec<(Side, Pit)>,
}

/// The game that the next question belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    NewGame,
    SameGame,
}

impl External {
    /// Starts the engine, so that a broken one is noticed before a game begins.
    ///
    /// # Errors
    /// If it cannot be started or does not introduce itself.
    fn start(setup: Setup) -> Result<External, NoChoice> {
        let engine = Engine::start(&setup, &())?;
        let name = engine.name().to_owned();
        Ok(External { setup, name, engine: Some(engine), next: Next::NewGame, line: Vec::new() })
    }

    /// Asks the engine for a move. After a failure a new process is started for the next one.
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
        // The answer of a stopped engine is not the move that it would have played.
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
