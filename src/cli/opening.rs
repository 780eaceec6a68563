//! Arguments that name a position: shared by the verbs that look at one.

use clap::Args;

use super::usage;
use crate::game::Record;
use crate::game::ayo::{Ayo, Line, Position, Rules};

#[derive(Debug, Args)]
pub(super) struct Opening {
    /// Position to begin from, instead of the start
    #[arg(long, value_name = "P")]
    position: Option<Position>,
    /// Moves to play first, from the start or from --position: FfE or "4S6, 4N6"
    #[arg(long, value_name = "LINE")]
    line: Option<Line>,
    /// Rules: ayo, awari, wipe-out or no-slam, each with an optional :stalemate=…
    #[arg(long, value_name = "NAME", default_value_t = Rules::default())]
    rules: Rules,
}

impl Opening {
    /// The game that the arguments describe. A line from the start is begun by whoever moves first
    /// in it.
    pub(super) fn record(&self) -> anyhow::Result<Record<Ayo>> {
        let line = self.line.clone().unwrap_or_default();
        let opening = self.position.unwrap_or_else(|| Position::start(line.first()));
        line.play_from(self.game(), opening).map_err(|error| usage(format!("--line: {error}")))
    }

    /// The game under the rules that the arguments name.
    pub(super) fn game(&self) -> Ayo {
        Ayo { rules: self.rules }
    }
}
