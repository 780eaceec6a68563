//! The games of a contest as text: a file that people and `ayo replay` read, and that a match goes on
//! from.
//!
//! Comment lines say what the match is. Then comes a line a game in the order of their numbers:
//! `game 17: POSITION MOVES # nodes 120 340; 1-0; 26-14; majority`. Nodes and result are those of the
//! pairing's first player and second player.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::contest::{Contest, Finished};
use super::game::{Effort, End};
use crate::game::ayo::{Ayo, Line, Position};
use crate::game::{Record, Settlement, Side, Verdict};
use crate::store::{self, FileError};

/// How long a game may wait to be written.
const FLUSH_EVERY: Duration = Duration::from_secs(5);

/// Keeps the games of one contest.
#[derive(Debug)]
pub struct GamesFile {
    path: PathBuf,
    waiting: String,
    flushed: Instant,
}

/// A file that a contest cannot go on from.
#[derive(Debug, thiserror::Error)]
pub enum GamesFileError {
    /// It could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// It belongs to another contest.
    #[error(
        "{} belongs to another match: its line {line} is \"{found}\", this match has \"{expected}\"",
        path.display()
    )]
    OtherMatch {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// A line is not the game that should stand there.
    #[error("{}, line {line}: {reason}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

impl GamesFile {
    /// Opens the file of a contest and reads the games that are in it. `heading` says in a line each
    /// what the contest depends on.
    ///
    /// # Errors
    /// If it belongs to another contest or is damaged. A last line that was cut off is no damage.
    pub fn open(
        path: &Path,
        heading: &[String],
        contest: &Contest<'_>,
    ) -> Result<(GamesFile, Vec<Finished>), GamesFileError> {
        let heading: Vec<String> = heading.iter().map(|line| format!("# {line}")).collect();
        let text = if path.exists() { store::read_text(path)? } else { String::new() };
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let mut lines = whole.lines();
        for (line, expected) in (1..).zip(&heading) {
            match lines.next() {
                Some(found) if found == expected => {}
                None if line == 1 => break,
                found => {
                    let (path, found) = (path.into(), found.unwrap_or_default().into());
                    let expected = expected.clone();
                    return Err(GamesFileError::OtherMatch { path, line, found, expected });
                }
            }
        }
        let mut games = Vec::new();
        for (index, line) in lines.enumerate() {
            let game = read_game(line, index, contest).map_err(|reason| {
                let line = heading.len() + 1 + index;
                GamesFileError::Game { path: path.into(), line, reason }
            })?;
            games.push(game);
        }
        if whole.is_empty() {
            store::replace(path, (heading.join("\n") + "\n").as_bytes())?;
        } else if whole.len() < text.len() {
            cut(path, whole.len() as u64)?;
        }
        let file = GamesFile { path: path.into(), waiting: String::new(), flushed: Instant::now() };
        Ok((file, games))
    }

    /// Adds a game, the next in order.
    pub fn add(&mut self, game: &Finished) -> Result<(), FileError> {
        self.waiting += &write_game(game);
        if self.flushed.elapsed() >= FLUSH_EVERY { self.flush() } else { Ok(()) }
    }

    /// Writes what is not on disk yet.
    pub fn flush(&mut self) -> Result<(), FileError> {
        store::append(&self.path, self.waiting.as_bytes())?;
        self.waiting.clear();
        self.flushed = Instant::now();
        Ok(())
    }
}

fn cut(path: &Path, length: u64) -> Result<(), FileError> {
    let file = OpenOptions::new().write(true).open(path);
    file.and_then(|file| file.set_len(length)).map_err(FileError::of("write", path))
}

fn write_game(game: &Finished) -> String {
    let [first, second] = game.stores();
    let points = ["0-1", "1/2-1/2", "1-0"][game.outcome() as usize];
    let nodes = game.effort.map(|effort| effort.nodes);
    let end = match &game.end {
        End::Rules(ending) => ending.to_string(),
        End::Forfeit(side, reason) => {
            let who = if *side == game.side_of_first() { "first" } else { "second" };
            format!("forfeit by the {who} player: {}", reason.replace(['\n', '\r'], " "))
        }
    };
    format!(
        "game {}: {} {} # nodes {} {}; {points}; {first}-{second}; {end}\n",
        game.index + 1,
        game.opening,
        game.line,
        nodes[0],
        nodes[1],
    )
}

fn read_game(line: &str, index: usize, contest: &Contest<'_>) -> Result<Finished, String> {
    let number = index + 1;
    let rest = line
        .strip_prefix(&format!("game {number}: "))
        .ok_or_else(|| format!("game {number} should stand here"))?;
    let (played, comment) = rest.split_once(" # ").ok_or("the result is missing")?;
    let (opening, moves) = played.split_once(' ').unwrap_or((played, ""));
    let opening: Position = opening.parse().map_err(|e| format!("{e}"))?;
    if index >= contest.len() || contest.opening(index) != opening {
        return Err(format!("game {number} begins from {opening}, which is not its opening"));
    }
    let moves: Line = moves.parse().map_err(|e| format!("{e}"))?;
    let record = moves.play_from(contest.game, opening).map_err(|e| e.to_string())?;
    let mut game = Finished {
        index,
        pairing: index / contest.games_of_pairing(),
        opening,
        line: record.line(),
        end: End::Forfeit(Side::South, String::new()),
        settlement: Settlement { stores: [0; 2], verdict: Verdict::Drawn },
        effort: efforts(&record, index),
    };
    read_result(comment, &record, &mut game)
        .ok_or_else(|| format!("the result \"{comment}\" cannot be"))?;
    if write_game(&game).trim_end() != line {
        return Err(format!("the result \"{comment}\" is not that of the moves"));
    }
    Ok(game)
}

/// Who made how many moves.
fn efforts(record: &Record<Ayo>, index: usize) -> [Effort; 2] {
    let mover = record.opening().to_move();
    let moves = |side| record.plies().iter().filter(|(s, _)| *s == side).count() as u32;
    let first = if index.is_multiple_of(2) { mover } else { mover.other() };
    [first, first.other()].map(|side| Effort { moves: moves(side), ..Effort::default() })
}

/// Fills in what the comment says and the moves do not.
fn read_result(comment: &str, record: &Record<Ayo>, game: &mut Finished) -> Option<()> {
    let mut parts = comment.splitn(4, "; ");
    let mut nodes = parts.next()?.strip_prefix("nodes ")?.split(' ');
    for effort in &mut game.effort {
        effort.nodes = nodes.next()?.parse().ok()?;
    }
    let end = parts.nth(2)?;
    let first = game.side_of_first();
    let forfeit = end.strip_prefix("forfeit by the ");
    if let Some((who, reason)) = forfeit.and_then(|rest| rest.split_once(" player: ")) {
        let side = if who == "first" { first } else { first.other() };
        let stores = Side::BOTH.map(|side| record.position().store(side));
        game.settlement = Settlement { stores, verdict: Verdict::Won(side.other()) };
        game.end = End::Forfeit(side, reason.into());
    } else {
        game.settlement = record.settlement()?;
        game.end = End::Rules(record.ending()?);
    }
    Some(())
}
