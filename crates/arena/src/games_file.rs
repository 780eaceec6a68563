//! The games of a contest as text: a file that people and `ayo replay` read, and that a match goes on
//! from.
//!
//! Comment lines say what the match is. Then comes a line a game in the order of their numbers:
//! `game 17: POSITION MOVES # nodes 120 340; 1-0; 26-14; majority`. Nodes and result are those of the
//! pairing's first player and second player.

mod heading;
mod kept;

pub use heading::{Entrant, Heading, HeadingError};
pub use kept::{KeptGames, Meetings, WrongGame};

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::contest::{Contest, Finished};
use super::game::{Effort, End};
use crate::player::PlayableGame;
use crate::player::protocol::printable;
use mancala::game::ayo::{Ayo, Rules, RulesError};
use mancala::game::{AnyGame, Game, Notated, Record, Settlement, Side, Verdict, with_game};
use mancala::store::{self, FileError, Log};

/// How long a game may wait to be written.
const FLUSH_EVERY: Duration = Duration::from_secs(5);

/// What the end of a game that was not played to its end begins with.
const FORFEIT: &str = "forfeit by the ";

/// What follows a word in the heading of such a file.
fn heading<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let heading = text.strip_prefix(CONTEST).or_else(|| text.strip_prefix(PLAY))?.lines();
    let mut lines = heading.take_while(|line| !line.starts_with("game "));
    lines.find_map(|line| line.strip_prefix(word))
}

/// How a file of a contest begins.
const CONTEST: &str = "# ayo games ";
/// How a file of a game with a person begins.
const PLAY: &str = "# ayo play";

/// The lines before a game that a person keeps: what is played, and in which game, `rules` or `game` with its rules.
pub fn heading_of_play((word, terms): (&str, String)) -> String {
    format!("{PLAY}\n# {word}: {terms}\n")
}

/// Keeps the games of one contest.
#[derive(Debug)]
pub struct GamesFile {
    log: Log,
    waiting: String,
    flushed: Instant,
}

/// A file that a contest cannot go on from.
#[derive(Debug, thiserror::Error)]
pub enum GamesFileError {
    /// It could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another process writes it.
    #[error("{} is being written by another match", .0.display())]
    Busy(PathBuf),
    /// It belongs to another contest.
    #[error(
        "{} belongs to another match: its line {line} is \"{found}\", this match has \"{expected}\"",
        path.display()
    )]
    OtherMatch {
        /// The file, whose first lines say what its contest depends on.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The line as it stands there, of the other contest.
        found: String,
        /// The line that this contest writes in its place.
        expected: String,
    },
    /// A line is not the game that should stand there.
    #[error("{}, line {line}: {reason}", path.display())]
    Game {
        /// The file of games, one a line after the heading.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// How the game differs from the one that is due, or cannot be replayed.
        reason: String,
    },
}

impl GamesFile {
    /// Opens the file of a contest and reads the games that are in it.
    ///
    /// # Errors
    /// If it belongs to another contest or is damaged. A last line that was cut off is no damage.
    pub fn open<G: PlayableGame>(
        path: &Path,
        heading: &Heading,
        contest: &Contest<'_, G>,
    ) -> Result<(GamesFile, Vec<Finished>), GamesFileError> {
        store::create_folder_of(path)?;
        let mut log = Log::open(path)?.ok_or_else(|| GamesFileError::Busy(path.into()))?;
        let text = log.text()?;
        let expected = heading.to_string();
        let games = match text.strip_prefix(&expected) {
            Some(games) => whole_lines(games),
            // A crash may have cut the heading off.
            None if expected.starts_with(&text) => "",
            None => return Err(other_match(path, &text, &expected)),
        };
        let number = |index| expected.lines().count() + 1 + index;
        let games = (0..).zip(games.lines()).map(|(index, line)| {
            read_game(line, index, contest).map_err(|reason| GamesFileError::Game {
                path: path.into(),
                line: number(index),
                reason,
            })
        });
        let found = games.collect::<Result<Vec<_>, _>>()?;
        if text.len() < expected.len() {
            log.cut(0)?;
            log.append(&expected)?;
        } else {
            log.cut(whole_lines(&text).len() as u64)?;
        }
        let file = GamesFile { log, waiting: String::new(), flushed: Instant::now() };
        Ok((file, found))
    }

    /// The game that the text of such a file names, with its rules; `None` if it is another's.
    pub fn game(text: &str) -> Option<Result<AnyGame, String>> {
        if let Some(game) = heading(text, "# game: ") {
            return Some(game.parse());
        }
        let rules: Result<Rules, RulesError> = heading(text, "# rules: ")?.parse();
        Some(rules.map(|rules| Ayo { rules }.into()).map_err(|error| error.to_string()))
    }

    /// Which player could not go on with a game and why, if the comment after its moves says so.
    pub fn forfeit(comment: &str) -> Option<String> {
        let end = comment.splitn(4, "; ").nth(3)?;
        end.starts_with(FORFEIT).then(|| shown(end))
    }

    /// Reads a text as such a file, whatever contest it is of: how many whole games there are, and the first line
    /// that is none, with its number from 1. `None` if it is another's. A last line that was cut off is no damage.
    pub fn examine(text: &str) -> Option<(usize, Option<(usize, String)>)> {
        text.strip_prefix(CONTEST)?;
        let heading = text.lines().take_while(|line| line.starts_with("# ")).count();
        let games = whole_lines(text).lines().skip(heading);
        let wrong = match GamesFile::game(text)? {
            Err(reason) => Some((0, reason)),
            Ok(game) => with_game!(game, game => {
                let read = |(index, line)| Some((index, read_line(line, index, game, 1).err()?));
                games.clone().enumerate().find_map(read)
            }),
        };
        let whole = wrong.as_ref().map_or(games.count(), |(index, _)| *index);
        Some((whole, wrong.map(|(index, reason)| (heading + 1 + index, reason))))
    }

    /// Adds a game, the next in order.
    pub fn add(&mut self, game: &Finished) -> Result<(), FileError> {
        self.waiting += &write_game(game);
        if self.flushed.elapsed() >= FLUSH_EVERY { self.flush() } else { Ok(()) }
    }

    /// Writes what is not on disk yet.
    pub fn flush(&mut self) -> Result<(), FileError> {
        self.log.append(&self.waiting)?;
        self.waiting.clear();
        self.flushed = Instant::now();
        Ok(())
    }
}

/// The text without a last line that was cut off.
fn whole_lines(text: &str) -> &str {
    text.rfind('\n').map_or("", |end| &text[..=end])
}

/// Names the first line in which a file differs from the heading of this match.
fn other_match(path: &Path, text: &str, heading: &str) -> GamesFileError {
    let mut lines = text.split('\n');
    let pairs = heading.lines().map(|expected| (expected, lines.next().unwrap_or_default()));
    let differing = (1..).zip(pairs).find(|(_, (expected, found))| expected != found);
    let (line, (expected, found)) = differing.unwrap_or_default();
    let (found, expected) = (shown(found), expected.into());
    GamesFileError::OtherMatch { path: path.into(), line, found, expected }
}

/// What is shown of a line: the file may be any.
fn shown(line: &str) -> String {
    printable(&line.chars().take(120).collect::<String>())
}

impl Finished {
    /// What the pairing's first player and second player scored: `1-0`, `1/2-1/2` or `0-1`.
    pub fn points(&self) -> &'static str {
        ["0-1", "1/2-1/2", "1-0"][usize::from(self.result().points())]
    }

    /// How it ended, in words.
    pub fn ending(&self) -> String {
        match &self.end {
            End::Rules(ending) => ending.to_string(),
            End::Forfeit(side, reason) => {
                let who = if *side == self.side_of_first() { "first" } else { "second" };
                format!("{FORFEIT}{who} player: {}", reason.replace(['\n', '\r'], " "))
            }
        }
    }
}

fn write_game(game: &Finished) -> String {
    let [first, second] = game.stores();
    let nodes = game.effort.map(|effort| effort.nodes);
    format!(
        "game {}: {} {} # nodes {} {}; {}; {first}-{second}; {}\n",
        game.index + 1,
        game.opening,
        game.line,
        nodes[0],
        nodes[1],
        game.points(),
        game.ending(),
    )
}

fn read_game<G: PlayableGame>(
    line: &str,
    index: usize,
    contest: &Contest<'_, G>,
) -> Result<Finished, String> {
    let game = read_line(line, index, contest.game, contest.games_of_pairing())?;
    if index >= contest.len() || contest.opening(index).to_string() != game.opening {
        let (number, opening) = (index + 1, &game.opening);
        return Err(format!("game {number} begins from {opening}, which is not its opening"));
    }
    Ok(game)
}

/// A game from any opening.
fn read_line<G: Notated>(
    line: &str,
    index: usize,
    game: G,
    games_of_pairing: usize,
) -> Result<Finished, String> {
    let number = index + 1;
    let rest = line
        .strip_prefix(&format!("game {number}: "))
        .ok_or_else(|| format!("game {number} should stand here"))?;
    let (played, comment) = rest.split_once(" # ").ok_or("the result is missing")?;
    let (opening, moves) = played.split_once(' ').unwrap_or((played, ""));
    let opening = game.read_position(opening).map_err(|e| e.to_string())?;
    let record = game.read_line(moves, Some(opening)).map_err(|e| e.to_string())?;
    let mut finished = Finished {
        index,
        pairing: index / games_of_pairing,
        opening: opening.to_string(),
        mover: game.to_move(&opening),
        line: record.line(),
        end: End::Forfeit(Side::South, String::new()),
        settlement: Settlement { stores: [0; 2], verdict: Verdict::Drawn },
        effort: efforts(&record, index),
    };
    read_result(comment, &record, &mut finished)
        .ok_or_else(|| format!("the result \"{comment}\" cannot be"))?;
    if write_game(&finished).strip_suffix('\n') != Some(line) {
        return Err(format!("the result \"{comment}\" is not that of the moves"));
    }
    Ok(finished)
}

/// How many moves the first and the second player made.
fn efforts<G: Game>(record: &Record<G>, index: usize) -> [Effort; 2] {
    let mover = record.game().to_move(record.opening());
    let moves = |side| record.plies().iter().filter(|(s, _)| *s == side).count() as u32;
    let first = if index.is_multiple_of(2) { mover } else { mover.other() };
    [first, first.other()].map(|side| Effort { moves: moves(side), ..Effort::default() })
}

/// Fills in what the comment says and the moves do not.
fn read_result<G: Game>(comment: &str, record: &Record<G>, game: &mut Finished) -> Option<()> {
    let mut parts = comment.splitn(4, "; ");
    let mut nodes = parts.next()?.strip_prefix("nodes ")?.split(' ');
    for effort in &mut game.effort {
        effort.nodes = nodes.next()?.parse().ok()?;
    }
    let end = parts.nth(2)?;
    let first = game.side_of_first();
    let forfeit = end.strip_prefix(FORFEIT);
    if let Some((who, reason)) = forfeit.and_then(|rest| rest.split_once(" player: ")) {
        let side = if who == "first" { first } else { first.other() };
        let stores = Side::BOTH.map(|side| record.game().store(record.position(), side));
        game.settlement = Settlement { stores, verdict: Verdict::Won(side.other()) };
        game.end = End::Forfeit(side, reason.into());
    } else {
        game.settlement = record.settlement()?;
        game.end = End::Rules(record.ending()?);
    }
    Some(())
}
