//! Replies of an engine.

use std::fmt;
use std::time::Duration;

use mancala::eval::Score;
use mancala::game::ayo::Line;
use mancala::game::{Pit, Side, line};
use mancala::search::MAX_DEPTH;

/// The move of an engine that has none to play.
pub const NO_MOVE: &str = "0000";

/// A reply of an engine.
///
/// ```
/// use arena::player::protocol::Reply;
/// let reply = Reply::parse("bestmove E ponder a").unwrap();
/// assert_eq!(reply, Reply::BestMove { best: "E".into(), ponder: Some("a".into()) });
/// assert_eq!(reply.to_string(), "bestmove E ponder a");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Its name and version.
    Name(String),
    /// Its author.
    Author(String),
    /// A setting that it has.
    Option {
        /// Its name.
        name: String,
        /// Type, default and range.
        form: String,
    },
    /// It has introduced itself.
    UciOk,
    /// It is ready.
    ReadyOk,
    /// What it thinks of the position.
    Info(Info),
    /// A remark for people.
    Remark(String),
    /// The move that it plays, which has not been checked.
    BestMove {
        /// A pit's letter, or [`NO_MOVE`].
        best: String,
        /// The answer that it expects.
        ponder: Option<String>,
    },
}

/// A report of a search, of which an engine may leave out any part.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// Plies searched.
    pub depth: Option<u32>,
    /// The value of the position for the side to move; none if it is only a bound.
    pub score: Option<Score>,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Time since the search began.
    pub time: Option<Duration>,
    /// The line that it expects, which may not be playable.
    pub line: Vec<(Side, Pit)>,
}

impl Reply {
    /// The reply in a line; `None` if there is none, since engines may print other lines.
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
                // The line is the last there is.
                "pv" => {
                    let line: Option<Line> = words.by_ref().collect::<String>().parse().ok();
                    let plies = line.unwrap_or_default().plies;
                    info.line = plies.into_iter().map(|ply| (ply.side, ply.pit)).collect();
                }
                _ => {}
            }
        }
        info.score = info.score.filter(|_| !bounded);
        info
    }
}

/// `cp N`, or `mate N` in moves of one's own; `None` if no search could have found it.
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
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        if let Some(score) = self.score {
            write!(f, " score cp {}", score.0)?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if let Some(time) = self.time {
            write!(f, " time {}", time.as_millis())?;
        }
        if let Some(speed) = self.nodes_per_second() {
            write!(f, " nps {speed}")?;
        }
        if self.line.is_empty() { Ok(()) } else { write!(f, " pv {}", line(&self.line)) }
    }
}

impl Info {
    /// Unless too little time has passed to tell.
    fn nodes_per_second(&self) -> Option<u64> {
        let time = self.time.filter(|&time| time >= Duration::from_millis(1))?;
        Some((self.nodes? as f64 / time.as_secs_f64()) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::laws;

    fn info(text: &str) -> Info {
        match Reply::parse(text) {
            Some(Reply::Info(info)) => info,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn an_engine_may_say_as_much_or_as_little_as_it_likes() {
        let full = "info depth 7 score cp -12 nodes 5000 time 10 nps 500000 pv FfEa";
        assert_eq!(info(full).to_string(), full);
        assert_eq!(info("info seldepth 9 score cp 3 upperbound pv F f").to_string(), "info pv Ff");
        assert_eq!(info("info depth x score").to_string(), "info");
        assert_eq!(info("info pv Xyz"), Info::default());
    }

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(info("info score mate 1").score, Some(Score::win(1)));
        assert_eq!(info("info score mate 3").score, Some(Score::win(5)));
        assert_eq!(info("info score mate -2").score, Some(Score::loss(4)));
        for absurd in ["cp 99999999999", "cp 2000000000", "mate 2147483647", "mate -2147483648"] {
            assert_eq!(info(&format!("info score {absurd}")).score, None, "{absurd}");
        }
    }

    #[test]
    fn a_setting_is_known_by_its_whole_name() {
        let line = "option name Own Book type check default true";
        let reply = Reply::parse(line).unwrap();
        assert_eq!(reply.to_string(), line);
        assert!(matches!(reply, Reply::Option { name, .. } if name == "Own Book"));
    }

    #[test]
    fn other_lines_are_no_replies() {
        for text in ["", "Aalina 2.0", "id", "bestmoves A", "option"] {
            assert_eq!(Reply::parse(text), None, "{text}");
        }
        let silent = Reply::BestMove { best: String::new(), ponder: None };
        assert_eq!(Reply::parse("bestmove"), Some(silent));
    }

    laws! {
        #[test]
        fn any_line_is_read_without_panic(
            text in "(info |info score |bestmove |option name |id )?[ -~]{0,60}"
        ) {
            if let Some(reply) = Reply::parse(&text) {
                let _ = Reply::parse(&reply.to_string());
            }
        }
    }
}
