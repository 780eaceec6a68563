//! The arguments `--game`, `--rules`, `--position` and `--line`.

use super::usage;
use mancala::game::ayo::Rules;
use mancala::game::{AnyGame, Notated, Record, Side};

/// The start of a game, as given on the command line.
#[derive(Debug, clap::Args)]
pub(crate) struct Beginning {
    #[command(flatten)]
    pub(crate) choice: GameChoice,
    /// Position to start from [default: the initial position]
    #[arg(long, value_name = "P")]
    position: Option<String>,
    /// Moves to play first, from the start or from --position: FfE, or in ayo also "4S6, 4N6"
    #[arg(long, value_name = "LINE")]
    line: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct GameChoice {
    /// Game: ayo, or kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier]
    #[arg(long, value_name = "GAME", default_value_t = AnyGame::default())]
    game: AnyGame,
    /// Rules of ayo: ayo [default], awari, wipe-out or no-slam, each with an optional :stalemate=…
    #[arg(long, value_name = "NAME")]
    rules: Option<Rules>,
}

impl GameChoice {
    pub(crate) fn game(&self) -> anyhow::Result<AnyGame> {
        named(self.game, self.rules)
    }
}

impl Beginning {
    pub(crate) fn record<G: Notated>(&self, game: G) -> anyhow::Result<Record<G>> {
        let position = self.position.as_deref().map(|text| {
            let hint = if text.contains('-') { "" } else { "; moves go into --line" };
            let invalid = |error| format!("invalid value '{text}' for --position: {error}{hint}");
            game.read_position(text).map_err(|error| usage(invalid(error)))
        });
        let position = position.transpose()?;
        let Some(line) = &self.line else {
            let opening = position.unwrap_or_else(|| game.start(Side::South));
            return Ok(Record::from_position(game, opening));
        };
        let record = game.read_line(line, position);
        record.map_err(|error| usage(format!("invalid value '{line}' for --line: {error}")))
    }
}

pub(crate) fn named(game: AnyGame, rules: Option<Rules>) -> anyhow::Result<AnyGame> {
    let under = rules.map_or(Ok(game), |rules| game.with_rules(rules));
    under.map_err(|reason| usage(format!("--rules {reason}")))
}

/// Returns the game `found` in a file or, if there is none, the game `given` by `--game`. If both are `None`, returns
/// the default game. Fails if the names of `found` and `given` differ.
pub(crate) fn in_file(
    found: Option<AnyGame>,
    given: Option<AnyGame>,
    name: &str,
) -> anyhow::Result<AnyGame> {
    match (found, given) {
        // We compare names rather than games, because all rules of ayo share one name.
        (Some(found), Some(given)) if found.to_string() != given.to_string() => {
            Err(usage(format!("--game {given}: the games in {name} are {found} games")))
        }
        _ => Ok(found.or(given).unwrap_or_default()),
    }
}
