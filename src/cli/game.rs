//! `--game`: the one place where a name becomes a game.

use std::fmt;
use std::str::FromStr;

use super::usage;
use crate::game::ayo::{Ayo, Line as AyoLine, Position as AyoPosition, Rules};
use crate::game::kalah::{self, Kalah, KalahError};
use crate::game::{Game, Record};

/// A game as it is named on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Named {
    #[default]
    Ayo,
    Kalah(Kalah),
}

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Named, String> {
        match text.split(':').next() {
            Some("ayo") if text == "ayo" => Ok(Named::Ayo),
            Some("kalah") => text.parse().map(Named::Kalah).map_err(|e: KalahError| e.to_string()),
            _ => Err(format!(
                "unknown game \"{text}\": choose ayo or kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier]"
            )),
        }
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Named::Ayo => f.write_str("ayo"),
            Named::Kalah(game) => game.fmt(f),
        }
    }
}

/// Something that can be done with a game of any kind.
pub(super) trait Task {
    type Done;

    fn with<G: Game>(self, record: Record<G>) -> Self::Done;
}

/// Where a game begins, as typed.
#[derive(Debug, clap::Args)]
pub(super) struct Beginning {
    /// Game: ayo, or kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier]
    #[arg(long, value_name = "GAME", default_value_t = Named::default())]
    game: Named,
    /// Position to begin from, instead of the start
    #[arg(long, value_name = "P")]
    position: Option<String>,
    /// Moves to play first, from the start or from --position: FfE or "4S6, 4N6"
    #[arg(long, value_name = "LINE")]
    line: Option<String>,
    /// Rules of ayo: ayo, awari, wipe-out or no-slam, each with an optional :stalemate=…
    #[arg(long, value_name = "NAME")]
    rules: Option<Rules>,
}

impl Beginning {
    /// Does a task with the game that the arguments describe. A line from the start is begun by
    /// whoever moves first in it.
    pub(super) fn run<T: Task>(&self, task: T) -> anyhow::Result<T::Done> {
        match self.game {
            Named::Ayo => Ok(task.with(self.ayo()?)),
            Named::Kalah(game) => Ok(task.with(self.kalah(game)?)),
        }
    }

    fn ayo(&self) -> anyhow::Result<Record<Ayo>> {
        let game = Ayo { rules: self.rules.unwrap_or_default() };
        let line: AyoLine = self.read_line(str::parse)?.unwrap_or_default();
        let position: Option<AyoPosition> = self.read_position(str::parse)?;
        let opening = position.unwrap_or_else(|| game.start(line.first()));
        line.play_from(game, opening).map_err(|error| usage(format!("--line: {error}")))
    }

    fn kalah(&self, game: Kalah) -> anyhow::Result<Record<Kalah>> {
        if let Some(rules) = self.rules {
            return Err(usage(format!(
                "--rules {rules} are rules of ayo; write those of kalah into --game, as in kalah:ending=emptier"
            )));
        }
        let line: kalah::Line = self.read_line(str::parse)?.unwrap_or_default();
        let position = self.read_position(|text| game.position(text))?;
        let opening = position.unwrap_or_else(|| game.start(line.first()));
        line.play_from(game, opening).map_err(|error| usage(format!("--line: {error}")))
    }

    fn read_line<T, E: fmt::Display>(
        &self,
        read: impl Fn(&str) -> Result<T, E>,
    ) -> anyhow::Result<Option<T>> {
        typed("--line", self.line.as_deref(), read)
    }

    fn read_position<T, E: fmt::Display>(
        &self,
        read: impl Fn(&str) -> Result<T, E>,
    ) -> anyhow::Result<Option<T>> {
        typed("--position", self.position.as_deref(), read)
    }
}

fn typed<T, E: fmt::Display>(
    flag: &str,
    text: Option<&str>,
    read: impl Fn(&str) -> Result<T, E>,
) -> anyhow::Result<Option<T>> {
    let read = |text| {
        read(text).map_err(|error| usage(format!("invalid value '{text}' for {flag}: {error}")))
    };
    text.map(read).transpose()
}
