//! Replies from an engine.

use std::fmt;
use std::time::Duration;

use super::write_word;

use mancala::eval::Score;
use mancala::game::ayo::Ayo;
use mancala::game::{Notated, Pit, Side, line};
use mancala::search::MAX_DEPTH;

/// The text that an engine sends in place of a move if there is no legal move.
pub const NO_MOVE: &str = "0000";

/// A reply from an engine.
///
/// ```
/// use arena::player::protocol::Reply;
/// let reply = Reply::parse("bestmove E ponder a").unwrap();
/// assert_eq!(reply, Reply::BestMove { best: "E".into(), ponder: Some("a".into()) });
/// assert_eq!(reply.to_string(), "bestmove E ponder a");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    Name(String),
    Author(String),
    /// An engine option. `form` contains its type, default and range.
    Option {
        name: String,
        form: String,
    },
    UciOk,
    ReadyOk,
    Info(Info),
    /// A human-readable remark, which is sent as `info string`.
    Remark(String),
    /// The engine's move, which is the letter of a pit or [`NO_MOVE`]. It may be illegal.
    BestMove {
        best: String,
        ponder: Option<String>,
    },
}

/// A search report. Engines may omit any field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    pub depth: Option<u32>,
    /// The position's value for the side to move, or `None` if the engine reported a bound.
    pub score: Option<Score>,
    pub nodes: Option<u64>,
    /// The time since the search started.
    pub time: Option<Duration>,
    /// The principal variation, which may contain illegal moves.
    pub line: Vec<(Side, Pit)>,
}

impl Reply {
    /// Parses a line. Returns `None` if it is not a reply, since engines may print other lines as well.
    pub fn parse(text: &str) -> Option<Reply> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let reply = match *words.as_slice() {
            ["uciok", ..] => Reply::UciOk,
            ["readyok", ..] => Reply::ReadyOk,
            ["id", "name", ref name @ ..] => Reply::Name(name.join(" ")),
            ["id", "author", ref author @ ..] => Reply::Author(author.join(" ")),
            ["option", "name", ref option @ ..] => {
                let end = option.iter().position(|&word| word == "type").unwrap_or(option.len());
                let (name, form) = option.split_at(end);
                Reply::Option { name: name.join(" "), form: form.join(" ") }
            }
            ["info", "string", ref remark @ ..] => Reply::Remark(remark.join(" ")),
            ["info", ref info @ ..] => Reply::Info(Info::parse(info)),
            ["bestmove", ref moves @ ..] => {
                let best = moves.first().copied().unwrap_or("").into();
                let ponder = match *moves {
                    [_, "ponder", ponder, ..] => Some(ponder.into()),
                    _ => None,
                };
                Reply::BestMove { best, ponder }
            }
            _ => return None,
        };
        Some(reply)
    }
}

impl Info {
    fn parse(words: &[&str]) -> Info {
        let mut info = Info::default();
        let mut words = words.iter().copied();
        let mut bounded = false;
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = words.next().and_then(|depth| depth.parse().ok()),
                "nodes" => info.nodes = words.next().and_then(|nodes| nodes.parse().ok()),
                "time" => {
                    let time = words.next().and_then(|time| time.parse().ok());
                    info.time = time.map(Duration::from_millis);
                }
                "score" => info.score = score(words.next(), words.next()),
                "lowerbound" | "upperbound" => bounded = true,
                // `pv` is always the last field.
                "pv" => {
                    let plies = Ayo::read_plies(&words.by_ref().collect::<String>());
                    info.line = plies.into_iter().flatten().map(Into::into).collect();
                }
                _ => {}
            }
        }
        info.score = info.score.filter(|_| !bounded);
        info
    }
}

/// Parses `cp N` or `mate N`, where a mate is in N moves of the side to move. Returns `None` for impossible scores.
fn score(unit: Option<&str>, value: Option<&str>) -> Option<Score> {
    let value: i32 = value?.parse().ok()?;
    let size = value.unsigned_abs();
    match unit? {
        "cp" if size <= Score::WIN as u32 => Some(Score(value)),
        "mate" if size > MAX_DEPTH => None,
        "mate" if value > 0 => Some(Score::win(2 * size - 1)),
        "mate" => Some(Score::loss(2 * size)),
        _ => None,
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Name(name) => write!(f, "id name {name}"),
            Reply::Author(author) => write!(f, "id author {author}"),
            Reply::Option { name, form } => write!(f, "option name {name} {form}"),
            Reply::UciOk => f.write_str("uciok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => write!(f, "{info}"),
            Reply::Remark(remark) => write!(f, "info string {}", remark.replace('\n', " ")),
            Reply::BestMove { best, ponder: None } => write!(f, "bestmove {best}"),
            Reply::BestMove { best, ponder: Some(ponder) } => {
                write!(f, "bestmove {best} ponder {ponder}")
            }
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        write_word(f, "depth", self.depth)?;
        write_word(f, "score cp", self.score.map(|score| score.0))?;
        write_word(f, "nodes", self.nodes)?;
        write_word(f, "time", self.time.map(|time| time.as_millis()))?;
        // The speed is meaningless if the search took less than a millisecond.
        let time = self.time.filter(|&time| time >= Duration::from_millis(1));
        let speed = |(nodes, time): (u64, Duration)| (nodes as f64 / time.as_secs_f64()) as u64;
        write_word(f, "nps", self.nodes.zip(time).map(speed))?;
        if self.line.is_empty() { Ok(()) } else { write!(f, " pv {}", line(&self.line)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(text: &str) -> Info {
        match Reply::parse(text) {
            Some(Reply::Info(info)) => info,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn a_report_may_lack_any_part() {
        let full = "info depth 7 score cp -12 nodes 5000 time 10 nps 500000 pv FfEa";
        assert_eq!(info(full).to_string(), full);
        assert_eq!(info("info seldepth 9 score cp 3 upperbound pv F f").to_string(), "info pv Ff");
        assert_eq!(info("info depth x score").to_string(), "info");
        assert_eq!(info("info pv Xyz"), Info::default());
    }

    #[test]
    fn mates_are_counted_in_moves_of_the_side_to_move() {
        assert_eq!(info("info score mate 1").score, Some(Score::win(1)));
        assert_eq!(info("info score mate 3").score, Some(Score::win(5)));
        assert_eq!(info("info score mate -2").score, Some(Score::loss(4)));
        for absurd in ["cp 99999999999", "cp 2000000000", "mate 2147483647", "mate -2147483648"] {
            assert_eq!(info(&format!("info score {absurd}")).score, None, "{absurd}");
        }
    }

    #[test]
    fn the_name_of_an_option_may_contain_blanks() {
        let line = "option name Own Book type check default true";
        let reply = Reply::parse(line).unwrap();
        assert_eq!(reply.to_string(), line);
        assert!(matches!(reply, Reply::Option { name, .. } if name == "Own Book"));
    }

    #[test]
    fn other_lines_are_not_replies() {
        for text in ["", "Aalina 2.0", "id", "bestmoves A", "option"] {
            assert_eq!(Reply::parse(text), None, "{text}");
        }
        let empty = Reply::BestMove { best: String::new(), ponder: None };
        assert_eq!(Reply::parse("bestmove"), Some(empty));
    }
}
