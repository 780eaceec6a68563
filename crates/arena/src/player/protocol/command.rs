//! Commands to an engine.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::{excerpt, write_word};
use mancala::game::ayo::{Ayo, Position};
use mancala::game::{Notated, Pit, Side, line};
use mancala::search::{Limits, MAX_DEPTH};
use mancala::text::Result;

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
    Uci,
    IsReady,
    SetOption {
        name: String,
        value: String,
    },
    NewGame,
    Position {
        opening: Position,
        line: Vec<(Side, Pit)>,
    },
    /// Search for a move. If there are no limits, the engine uses its own limits.
    Go {
        limits: Limits,
        until: Until,
        clocks: Clocks,
    },
    /// The expected move was played, so pondering becomes a normal search.
    PonderHit,
    /// Stop searching and reply with the best move so far.
    Stop,
    Quit,
}

/// When the engine replies to `go`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Until {
    /// As soon as a limit is reached or `stop` is received.
    #[default]
    Found,
    /// Pondering continues until `ponderhit`, which starts the time limit.
    Pondered,
    /// Only after `stop`.
    Stopped,
}

/// The error for a line that is not a valid command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct CommandError {
    text: String,
    /// Whether the invalid command was `position`, after which the current position is unknown.
    pub is_position: bool,
}

fn invalid<T>(text: String) -> Result<T, CommandError> {
    Err(CommandError { text, is_position: false })
}

impl FromStr for Command {
    type Err = CommandError;

    /// Parses a command. Skips unknown words before the command, as the protocol requires.
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
                "position" => {
                    let refused = |error| CommandError {
                        text: format!("position: {error}"),
                        is_position: true,
                    };
                    return position(after).map_err(refused);
                }
                "go" => return go(after),
                _ => rest = after,
            }
        }
        invalid(format!("unknown command \"{}\"", excerpt(text.trim())))
    }
}

/// Splits text after the first word and trims the rest.
fn first_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// Parses `name N value V`. Both N and V may contain spaces. Button options have no value.
fn set_option(text: &str) -> Result<Command, CommandError> {
    let (word, rest) = first_word(text);
    let (name, value) = match rest.split_once(" value ") {
        Some(halves) => halves,
        None => (rest.strip_suffix(" value").unwrap_or(rest), ""),
    };
    let (name, value) = (name.trim(), value.trim());
    if word != "name" || name.is_empty() {
        return invalid("setoption: expected name NAME value VALUE".into());
    }
    let value = if value == "<empty>" { "" } else { value };
    Ok(Command::SetOption { name: name.into(), value: value.into() })
}

/// Parses `startpos|fen P [moves FfEa]`. With `startpos`, the first move determines which side moves first.
fn position(text: &str) -> Result<Command> {
    let form = "expected startpos or fen P, then moves";
    let (place, rest) = first_word(text);
    let (opening, rest) = match place {
        "startpos" => (None, rest),
        "fen" => {
            let (place, rest) = first_word(rest);
            (Some(place.parse::<Position>()?), rest)
        }
        _ => return Err(form.into()),
    };
    let plies = match first_word(rest) {
        ("moves", moves) => Ayo::read_plies(moves)?,
        ("", _) => Vec::new(),
        _ => return Err(form.into()),
    };
    let line: Vec<(Side, Pit)> = plies.into_iter().map(Into::into).collect();
    let first = line.first().map_or(Side::South, |&(side, _)| side);
    let opening = opening.unwrap_or_else(|| Position::start(first));
    Ok(Command::Position { opening, line })
}

/// Parses limits and clocks in any order, skipping unknown words.
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

/// Parses a clock time in milliseconds. Some programs send a negative time if no time is left.
fn time(limit: &'static str, word: Option<&str>) -> Result<Duration, CommandError> {
    let overdue = word.and_then(|word| word.strip_prefix('-'));
    match overdue {
        Some(rest) => number(limit, Some(rest)).map(|_| Duration::ZERO),
        None => number(limit, word).map(Duration::from_millis),
    }
}

fn number(limit: &'static str, word: Option<&str>) -> Result<u64, CommandError> {
    let word = word.unwrap_or("");
    word.parse()
        .or_else(|_| invalid(format!("go: {limit} is \"{}\", not a whole number", excerpt(word))))
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
            Command::Position { opening, line: plies } => {
                // Some engines assume that South moves first after `startpos`.
                if *opening == Position::start(Side::South) {
                    f.write_str("position startpos")?;
                } else {
                    write!(f, "position fen {opening}")?;
                }
                if plies.is_empty() { Ok(()) } else { write!(f, " moves {}", line(plies)) }
            }
            Command::Go { limits: Limits { depth, nodes, movetime }, until, clocks } => {
                f.write_str("go")?;
                write_word(f, "depth", *depth)?;
                write_word(f, "nodes", *nodes)?;
                write_word(f, "movetime", movetime.map(|time| time.as_millis().max(1)))?;
                write!(f, "{clocks}")?;
                f.write_str(match until {
                    Until::Found => "",
                    Until::Pondered => " ponder",
                    Until::Stopped => " infinite",
                })
            }
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Stop => f.write_str("stop"),
            Command::Quit => f.write_str("quit"),
        }
    }
}

/// The clocks of both sides. South, whose moves are written in capitals, corresponds to white in the protocol.
///
/// ```
/// use arena::player::protocol::Clocks;
/// use mancala::game::Side;
/// use std::time::Duration;
/// let clocks = Clocks { left: [Some(Duration::from_secs(30)), None], ..Clocks::default() };
/// assert_eq!(clocks.allotted(Side::South), Some(Duration::from_millis(1500)));
/// assert_eq!(clocks.allotted(Side::North), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clocks {
    /// The time left for South and for North, or `None` if their time isn't limited.
    pub left: [Option<Duration>; 2],
    /// The time that is added after each move.
    pub increment: [Duration; 2],
    /// The number of moves until the next time control, if any.
    pub moves_to_go: Option<u32>,
}

/// The number of moves that we expect a side to play in the rest of a game.
const EXPECTED_MOVES: u32 = 20;
/// An allowance for the delay between the end of a search and the moment when the clock stops.
const LAG: Duration = Duration::from_millis(10);

impl Clocks {
    /// Returns how much time to use for the next move, or `None` if the side's time isn't limited. We use a fraction of
    /// the time left plus most of the increment, but at most a third of the time left. The limit is higher for the last
    /// move before a time control.
    pub fn allotted(&self, side: Side) -> Option<Duration> {
        let left = self.left[side.index()]?;
        let moves = self.moves_to_go.unwrap_or(EXPECTED_MOVES).clamp(1, EXPECTED_MOVES);
        let share = left / moves + self.increment[side.index()] * 3 / 4;
        // The last move before a time control may use nearly all of the time.
        let max = if moves == 1 { left * 9 / 10 } else { left / 3 };
        let max = max.min(left.saturating_sub(LAG));
        Some(share.min(max).max(Duration::from_millis(1)))
    }
}

/// Writes the clock arguments of `go`, each preceded by a space.
impl fmt::Display for Clocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, left) in ["wtime", "btime"].into_iter().zip(self.left) {
            write_word(f, name, left.map(|left| left.as_millis()))?;
        }
        for (name, increment) in ["winc", "binc"].into_iter().zip(self.increment) {
            let increment = Some(increment).filter(|increment| !increment.is_zero());
            write_word(f, name, increment.map(|increment| increment.as_millis()))?;
        }
        write_word(f, "movestogo", self.moves_to_go)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::laws::prelude::*;

    fn parsed(text: &str) -> Command {
        text.parse().expect(text)
    }

    #[test]
    fn either_side_may_begin() {
        for (text, side) in [
            ("position startpos", Side::South),
            ("position startpos moves FfE", Side::South),
            ("position startpos moves fFe", Side::North),
            ("position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-N moves fF", Side::North),
        ] {
            let Command::Position { opening, .. } = parsed(text) else { panic!("{text}") };
            assert_eq!(opening.to_move(), side, "{text}");
        }
    }

    #[test]
    fn unknown_words_are_skipped() {
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
        assert_eq!(parsed("setoption name Own Book value a  b"), option("Own Book", "a  b"));
        assert_eq!(parsed("setoption name Clear Hash"), option("Clear Hash", ""));
        assert_eq!(parsed("setoption name Book value"), option("Book", ""));
        assert_eq!(parsed("setoption name Book value <empty>"), option("Book", ""));
    }

    #[test]
    fn wrong_commands_are_refused() {
        for (text, reason) in [
            ("joho", "unknown command \"joho\""),
            ("", "unknown command \"\""),
            ("go depth x", "go: depth is \"x\""),
            ("go wtime --5", "go: wtime is \"-5\""),
            ("go movetime", "go: movetime is \"\""),
            ("setoption Book", "setoption: "),
            ("position", "position: "),
            ("position startpos F", "position: "),
            ("position fen 4-4", "position: a position has 15 fields"),
            ("position startpos moves FX", "position: ply 2: "),
        ] {
            let error = text.parse::<Command>().expect_err(text).to_string();
            assert!(error.starts_with(reason), "{error}");
        }
    }

    fn allotted(left: u64, increment: u64, moves_to_go: Option<u32>) -> Option<Duration> {
        let [left, increment] = [left, increment].map(Duration::from_millis);
        let clocks = Clocks { left: [None, Some(left)], increment: [increment; 2], moves_to_go };
        assert_eq!(clocks.allotted(Side::South), None);
        clocks.allotted(Side::North)
    }

    #[test]
    fn a_game_does_not_run_out_of_time() {
        for (increment, moves_to_go) in [(0, None), (100, None), (0, Some(40)), (50, Some(3))] {
            let mut left = Duration::from_secs(60);
            for played in 0..100 {
                if let Some(moves) = moves_to_go
                    && played % moves == 0
                {
                    left = Duration::from_secs(60);
                }
                let to_go = moves_to_go.map(|moves| moves - played % moves);
                let allotted = allotted(left.as_millis() as u64, increment, to_go).unwrap();
                assert!(allotted <= left.max(Duration::from_millis(1)), "{left:?} {allotted:?}");
                left = left.saturating_sub(allotted) + Duration::from_millis(increment);
            }
            assert!(!left.is_zero());
        }
        assert_eq!(allotted(10_000, 0, Some(1)), Some(Duration::from_secs(9)));
        assert_eq!(allotted(0, 0, None), Some(Duration::from_millis(1)));
    }

    laws! {
        #[test]
        fn a_parsed_command_is_written_so_that_it_reads_back(text in "(position|go|setoption name|joho)?[ a-zA-Z0-9-]{0,40}") {
            if let Ok(command) = text.parse::<Command>() {
                prop_assert_eq!(parsed(&command.to_string()), command);
            }
        }
    }
}
