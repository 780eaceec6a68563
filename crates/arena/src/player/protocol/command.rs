//! Commands to an engine.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::{Clocks, shortened};
use mancala::game::Side;
use mancala::game::ayo::{Line, LineError, Position, PositionError};
use mancala::search::{Limits, MAX_DEPTH};

/// A command to an engine.
///
/// ```
/// use arena::player::protocol::Command;
/// let command: Command = "position startpos moves F f E a".parse().unwrap();
/// assert_eq!(command.to_string(), "position startpos moves FfEa");
/// let command: Command = "go depth 7".parse().unwrap();
/// assert_eq!(command.to_string(), "go depth 7");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Introduce yourself.
    Uci,
    /// Say when all commands so far are done.
    IsReady,
    /// Change a setting.
    SetOption {
        /// The setting.
        name: String,
        /// Its new value.
        value: String,
    },
    /// A new game begins.
    NewGame,
    /// The game as it stands.
    Position {
        /// The position that it began from.
        opening: Position,
        /// The moves since.
        line: Line,
    },
    /// Look for a move.
    Go {
        /// Within these limits; if there are none, within the engine's own.
        limits: Limits,
        /// When to answer.
        until: Until,
        /// The time that is left.
        clocks: Clocks,
    },
    /// The move that was pondered on has been played.
    PonderHit,
    /// Answer with what has been found so far.
    Stop,
    /// End.
    Quit,
}

/// When an engine that looks for a move answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Until {
    /// When it has found one within its limits, or is told to stop.
    #[default]
    Found,
    /// Not before the move is played that the position takes for granted; its time begins then.
    Pondered,
    /// Only when it is told to stop.
    Stopped,
}

/// Text that is no command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// None of its words is a command.
    #[error("unknown command \"{}\"", shortened(.0))]
    Unknown(String),
    /// A command that lacks something or has too much.
    #[error("{command}: expected {expected}")]
    Form {
        /// The command.
        command: &'static str,
        /// What should stand there.
        expected: &'static str,
    },
    /// A limit that is no number.
    #[error("go: {limit} is \"{value}\", not a whole number")]
    Limit {
        /// Which limit.
        limit: &'static str,
        /// What stands there.
        value: String,
    },
    /// Text that is no position.
    #[error("position: {0}")]
    Position(#[from] PositionError),
    /// Text that is no line of moves.
    #[error("position: {0}")]
    Line(#[from] LineError),
}

impl CommandError {
    /// Whether it was meant to set the position, so that the game is no longer known.
    pub fn is_of_position(&self) -> bool {
        match self {
            CommandError::Position(_) | CommandError::Line(_) => true,
            CommandError::Form { command, .. } => *command == POSITION,
            CommandError::Unknown(_) | CommandError::Limit { .. } => false,
        }
    }
}

/// The command that sets the position.
const POSITION: &str = "position";

impl FromStr for Command {
    type Err = CommandError;

    /// Words before the first command are skipped, as the protocol demands.
    fn from_str(text: &str) -> Result<Self, CommandError> {
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (word, after) = first_word(rest);
            match word {
                "uci" => return Ok(Command::Uci),
                "isready" => return Ok(Command::IsReady),
                "ucinewgame" => return Ok(Command::NewGame),
                "ponderhit" => return Ok(Command::PonderHit),
                "stop" => return Ok(Command::Stop),
                "quit" => return Ok(Command::Quit),
                "setoption" => return set_option(after),
                POSITION => return position(after),
                "go" => return go(after),
                _ => rest = after,
            }
        }
        Err(CommandError::Unknown(text.trim().into()))
    }
}

/// The first word of a text and the text after it, both without leading blanks.
fn first_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// `name N value V`; both may have blanks, and a button has no value.
fn set_option(text: &str) -> Result<Command, CommandError> {
    let (word, rest) = first_word(text);
    let (name, value) = match rest.split_once(" value ") {
        Some(halves) => halves,
        None => (rest.strip_suffix(" value").unwrap_or(rest), ""),
    };
    let (name, value) = (name.trim(), value.trim());
    if word != "name" || name.is_empty() {
        let expected = "name NAME value VALUE";
        return Err(CommandError::Form { command: "setoption", expected });
    }
    let value = if value == "<empty>" { "" } else { value };
    Ok(Command::SetOption { name: name.into(), value: value.into() })
}

/// `startpos|fen P [moves FfEa]`; from the start position the side that moves first in the line begins.
fn position(text: &str) -> Result<Command, CommandError> {
    let form =
        || CommandError::Form { command: POSITION, expected: "startpos or fen P, then moves" };
    let (place, rest) = first_word(text);
    let (opening, rest) = match place {
        "startpos" => (None, rest),
        "fen" => {
            let (place, rest) = first_word(rest);
            (Some(place.parse::<Position>()?), rest)
        }
        _ => return Err(form()),
    };
    let line: Line = match first_word(rest) {
        ("moves", moves) => moves.parse()?,
        ("", _) => Line::default(),
        _ => return Err(form()),
    };
    let opening = opening.unwrap_or_else(|| Position::start(line.first()));
    Ok(Command::Position { opening, line })
}

/// Limits and clocks in any order. Other words are skipped.
fn go(text: &str) -> Result<Command, CommandError> {
    let (mut limits, mut until) = (Limits::default(), Until::Found);
    let mut clocks = Clocks::default();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "depth" => {
                let depth = number("depth", words.next())?.clamp(1, MAX_DEPTH.into());
                limits.depth = Some(depth as u32);
            }
            "nodes" => limits.nodes = Some(number("nodes", words.next())?),
            "movetime" => {
                let time = number("movetime", words.next())?;
                limits.movetime = Some(Duration::from_millis(time));
            }
            "infinite" => until = Until::Stopped,
            "ponder" => until = Until::Pondered,
            "wtime" => clocks.left[0] = Some(time("wtime", words.next())?),
            "btime" => clocks.left[1] = Some(time("btime", words.next())?),
            "winc" => clocks.increment[0] = time("winc", words.next())?,
            "binc" => clocks.increment[1] = time("binc", words.next())?,
            "movestogo" => {
                let moves = number("movestogo", words.next())?;
                clocks.moves_to_go = Some(moves.try_into().unwrap_or(u32::MAX));
            }
            _ => {}
        }
    }
    Ok(Command::Go { limits, until, clocks })
}

/// Milliseconds on a clock; some programs show one that has run out as less than none.
fn time(limit: &'static str, word: Option<&str>) -> Result<Duration, CommandError> {
    let overdue = word.and_then(|word| word.strip_prefix('-'));
    match overdue {
        Some(rest) => number(limit, Some(rest)).map(|_| Duration::ZERO),
        None => number(limit, word).map(Duration::from_millis),
    }
}

fn number(limit: &'static str, word: Option<&str>) -> Result<u64, CommandError> {
    let word = word.unwrap_or("");
    word.parse().map_err(|_| CommandError::Limit { limit, value: shortened(word) })
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value } if value.is_empty() => {
                write!(f, "setoption name {name}")
            }
            Command::SetOption { name, value } => write!(f, "setoption name {name} value {value}"),
            Command::NewGame => f.write_str("ucinewgame"),
            Command::Position { opening, line } => {
                // To an engine the start position may mean that South begins.
                if *opening == Position::start(Side::South) {
                    f.write_str("position startpos")?;
                } else {
                    write!(f, "position fen {opening}")?;
                }
                if line.plies.is_empty() { Ok(()) } else { write!(f, " moves {line}") }
            }
            Command::Go { limits, until, clocks } => write_go(f, limits, *until, clocks),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Stop => f.write_str("stop"),
            Command::Quit => f.write_str("quit"),
        }
    }
}

fn write_go(
    f: &mut fmt::Formatter<'_>,
    limits: &Limits,
    until: Until,
    clocks: &Clocks,
) -> fmt::Result {
    f.write_str("go")?;
    if let Some(depth) = limits.depth {
        write!(f, " depth {depth}")?;
    }
    if let Some(nodes) = limits.nodes {
        write!(f, " nodes {nodes}")?;
    }
    if let Some(time) = limits.movetime {
        write!(f, " movetime {}", time.as_millis().max(1))?;
    }
    write!(f, "{clocks}")?;
    f.write_str(match until {
        Until::Found => "",
        Until::Pondered => " ponder",
        Until::Stopped => " infinite",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    use mancala::laws;

    fn parsed(text: &str) -> Command {
        text.parse().expect(text)
    }

    fn refused(text: &str, reason: &str) {
        assert_eq!(text.parse::<Command>().expect_err(text).to_string(), reason);
    }

    #[test]
    fn either_side_may_begin() {
        let begins = |text| match parsed(text) {
            Command::Position { opening, .. } => opening.to_move(),
            other => panic!("{text}: {other}"),
        };
        assert_eq!(begins("position startpos"), Side::South);
        assert_eq!(begins("position startpos moves FfE"), Side::South);
        assert_eq!(begins("position startpos moves fFe"), Side::North);
        assert_eq!(begins("position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-N moves fF"), Side::North);
    }

    #[test]
    fn words_that_are_no_command_are_skipped() {
        assert_eq!(parsed("  joho  stop now"), Command::Stop);
        assert_eq!(parsed("go ponderhit searchmoves depth 4").to_string(), "go depth 4");
        let clocks = parsed("go movestogo 9 wtime 1000 btime -30 depth 4 binc 5 winc 0");
        assert_eq!(clocks.to_string(), "go depth 4 wtime 1000 btime 0 binc 5 movestogo 9");
        assert_eq!(parsed("go\tinfinite").to_string(), "go infinite");
        assert_eq!(parsed("go depth 0").to_string(), "go depth 1");
        assert_eq!(parsed("go depth 2147483647").to_string(), "go depth 100");
    }

    #[test]
    fn options_may_have_blanks_or_no_value() {
        let option =
            |name: &str, value: &str| Command::SetOption { name: name.into(), value: value.into() };
        assert_eq!(parsed("setoption name Own Book value a  b"), option("Own Book", "a  b"),);
        assert_eq!(parsed("setoption name Clear Hash"), option("Clear Hash", ""));
        assert_eq!(parsed("setoption name Book value"), option("Book", ""));
        assert_eq!(parsed("setoption name Book value <empty>"), option("Book", ""));
    }

    #[test]
    fn wrong_commands_are_refused_in_a_sentence() {
        refused("joho", "unknown command \"joho\"");
        refused("", "unknown command \"\"");
        refused("go depth x", "go: depth is \"x\", not a whole number");
        refused("go wtime --5", "go: wtime is \"-5\", not a whole number");
        refused("go movetime", "go: movetime is \"\", not a whole number");
        refused("setoption Book", "setoption: expected name NAME value VALUE");
        refused("position", "position: expected startpos or fen P, then moves");
        refused("position startpos F", "position: expected startpos or fen P, then moves");
        refused(
            "position fen 4-4",
            "position: a position has 15 fields joined by \"-\" (12 pits, 2 stores, side to move), not 2",
        );
        refused(
            "position startpos moves FX",
            "position: ply 2: \"X\" is not a move; write a pit as A–F or a–f, or in the form 5S6(3)",
        );
    }

    laws! {
        #[test]
        fn any_text_is_a_command_or_refused(text in "(position|go|setoption name|joho)?[ a-zA-Z0-9-]{0,40}") {
            if let Ok(command) = text.parse::<Command>() {
                prop_assert_eq!(parsed(&command.to_string()), command);
            }
        }
    }
}
