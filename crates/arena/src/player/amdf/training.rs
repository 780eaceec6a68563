//! The rows that an AMDF player learns its classes from.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::classes::{Class, Classes, Row};
use crate::player::{Minimax, Player};
use mancala::endgame::{Tables, TablesError};
use mancala::eval::Weights;
use mancala::game::ayo::{Ayo, PITS, Position, Rules, SEEDS};
use mancala::game::{Game, Pit, Record, Side};
use mancala::random::{Purpose, one_of, stream};
use mancala::search::Options;
use mancala::store::{self, FileError};

/// Where classes come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The feasible moves of the position, as the paper's steps say.
    Current,
    /// A file of rows.
    File(PathBuf),
    /// So many games of a player with itself; the rule of Tchoukaillon says which rows are good.
    SelfPlay(u32),
    /// Positions of such games within endgame tables, which say which moves are best.
    Tables(PathBuf),
}

/// Games that are played for a source that does not name a number.
const GAMES: u32 = 100;

/// Most games that make sense to ask for.
const MOST_GAMES: u32 = 100_000;

impl Default for Source {
    fn default() -> Self {
        Source::SelfPlay(GAMES)
    }
}

/// Text that names no source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("current, self-play:N with 1 to {MOST_GAMES} games, tables:DIR, or a file of rows")]
pub struct SourceError;

impl FromStr for Source {
    type Err = SourceError;

    fn from_str(text: &str) -> Result<Self, SourceError> {
        let games = |text: &str| text.parse().ok().filter(|games| (1..=MOST_GAMES).contains(games));
        match text.split_once(':') {
            _ if text.is_empty() => Err(SourceError),
            None if text == "current" => Ok(Source::Current),
            None if text == "self-play" => Ok(Source::default()),
            Some(("self-play", number)) => Ok(Source::SelfPlay(games(number).ok_or(SourceError)?)),
            Some(("tables", folder)) if !folder.is_empty() => Ok(Source::Tables(folder.into())),
            _ => Ok(Source::File(text.into())),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Current => f.write_str("current"),
            Source::File(path) => path.display().fmt(f),
            Source::SelfPlay(games) => write!(f, "self-play:{games}"),
            Source::Tables(folder) => write!(f, "tables:{}", folder.display()),
        }
    }
}

/// Why there are no rows.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// A file that cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A line that is no row.
    #[error("{file}, line {line}: {reason}")]
    Line {
        /// The file.
        file: String,
        /// Its line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A file without rows.
    #[error("{file} holds no rows: they follow the header {}", HEADER.join(","))]
    Empty {
        /// The file.
        file: String,
    },
    /// Tables that cannot be used.
    #[error(transparent)]
    Tables(#[from] TablesError),
}

/// Rows of both classes, and what they are from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Training {
    /// What the rows are from: what the first line of a file says, or else its name.
    pub origin: String,
    /// Rows of the class to reach.
    pub good: Vec<Row>,
    /// Rows of the class to avoid.
    pub bad: Vec<Row>,
}

/// Names of the columns: the pit nearest to the opponent, and so on, and the class.
const HEADER: [&str; PITS + 1] = ["x1", "x2", "x3", "x4", "x5", "x6", "class"];

impl Training {
    /// The rows of a source, for games under these rules; `None` for [`Source::Current`], which has none
    /// before a game.
    ///
    /// # Errors
    /// One sentence on what is wrong with its file or its tables.
    pub fn from_source(source: &Source, rules: Rules) -> Result<Option<Training>, TrainingError> {
        Ok(Some(match source {
            Source::Current => return Ok(None),
            Source::File(path) => {
                Training::from_csv(&path.display().to_string(), &store::read(path)?)?
            }
            Source::SelfPlay(games) => Training::of_games(*games, rules),
            Source::Tables(folder) => Training::of_tables(&tables(folder, rules)?),
        }))
    }

    /// The rows that moves leave in games of a player with itself.
    ///
    /// ```
    /// use arena::player::amdf::Training;
    /// let training = Training::of_games(10, Default::default());
    /// assert!(training.good.len() > 50 && training.bad.len() > 50);
    /// assert_eq!(Training::from_csv("rows", training.to_csv().as_bytes()).unwrap().good, training.good);
    /// ```
    pub fn of_games(games: u32, rules: Rules) -> Training {
        let mut training = Training::empty(format!("self-play:{games} under {rules}"));
        for index in 0..games {
            play(rules, index, |position, pit| {
                let [before, after] = rows(rules, position, pit);
                training.add(after, Class::of_move(before, pit, after));
            });
        }
        training
    }

    /// The rows that best and other moves leave, by tables: every legal move where the same games came
    /// within them.
    pub fn of_tables(tables: &Tables) -> Training {
        let (rules, most) = (tables.rules(), tables.most_seeds());
        let origin = format!("tables {rules} {most} {:08x}", tables.checksum());
        let mut training = Training::empty(origin);
        for index in 0..GAMES {
            play(rules, index, |position, _| {
                let moves = tables.moves(position).unwrap_or_default();
                let best = moves.iter().map(|&(_, value)| value).max();
                for (pit, value) in moves {
                    let [_, after] = rows(rules, position, pit);
                    let class = if Some(value) == best { Class::Good } else { Class::Bad };
                    training.add(after, class);
                }
            });
        }
        training
    }

    /// Reads rows as [`to_csv`](Self::to_csv) writes them: six numbers of seeds, the pit nearest to the
    /// opponent first, and `good` or `bad`. Lines that begin with `#` are left out.
    ///
    /// # Errors
    /// One sentence that names the line, the column and the value.
    pub fn from_csv(name: &str, bytes: &[u8]) -> Result<Training, TrainingError> {
        let text = String::from_utf8_lossy(bytes);
        let said = text.lines().next().and_then(|line| line.strip_prefix('#')).map(str::trim);
        let origin = said.filter(|said| !said.is_empty()).unwrap_or(name);
        let mut training = Training::empty(origin.to_owned());
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .comment(Some(b'#'))
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(bytes);
        for (number, record) in reader.records().enumerate() {
            let at = |line, reason| TrainingError::Line { file: name.into(), line, reason };
            let record = record.map_err(|error| {
                at(error.position().map_or(0, csv::Position::line), error.to_string())
            })?;
            let line = record.position().map_or(0, csv::Position::line);
            if number == 0 {
                if !record.iter().eq(HEADER) {
                    return Err(at(line, format!("the header must be {}", HEADER.join(","))));
                }
                continue;
            }
            let (row, class) = example(&record).map_err(|reason| at(line, reason))?;
            training.add(row, class);
        }
        if training.good.is_empty() && training.bad.is_empty() {
            return Err(TrainingError::Empty { file: name.into() });
        }
        Ok(training)
    }

    /// The rows as a file, with what they are from as a comment.
    pub fn to_csv(&self) -> String {
        let line = |row: &Row, class| {
            let seeds: Vec<String> = row.iter().map(u8::to_string).collect();
            format!("{},{class}\n", seeds.join(","))
        };
        let good = self.good.iter().map(|row| line(row, Class::Good));
        let bad = self.bad.iter().map(|row| line(row, Class::Bad));
        let rows: String = good.chain(bad).collect();
        format!("# {}\n{}\n{rows}", self.origin, HEADER.join(","))
    }

    /// A checksum of the rows and their classes.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        self.good.iter().for_each(|row| hasher.update(row));
        hasher.update(b"|");
        self.bad.iter().for_each(|row| hasher.update(row));
        hasher.finalize()
    }

    /// The classes that the rows make; `None` if one of them is empty.
    pub fn classes(&self) -> Option<Classes> {
        Classes::new(&self.good, &self.bad)
    }

    fn empty(origin: String) -> Training {
        Training { origin, good: Vec::new(), bad: Vec::new() }
    }

    fn add(&mut self, row: Row, class: Class) {
        match class {
            Class::Good => self.good.push(row),
            Class::Bad => self.bad.push(row),
        }
    }
}

fn example(record: &csv::StringRecord) -> Result<(Row, Class), String> {
    if record.len() != HEADER.len() {
        return Err(format!("{} fields, not {}", record.len(), HEADER.len()));
    }
    let mut row = Row::default();
    for ((seeds, text), name) in row.iter_mut().zip(record).zip(HEADER) {
        let number = text.parse().ok().filter(|&number| number <= SEEDS);
        *seeds = number.ok_or_else(|| format!("{name} is \"{text}\", not a number of seeds"))?;
    }
    let total: u32 = row.iter().map(|&seeds| u32::from(seeds)).sum();
    if total > u32::from(SEEDS) {
        return Err(format!("the row holds {total} seeds, the game has {SEEDS}"));
    }
    let class = match &record[PITS] {
        "good" => Class::Good,
        "bad" => Class::Bad,
        other => return Err(format!("class is \"{other}\", not good or bad")),
    };
    Ok((row, class))
}

/// The mover's row before and after a move, the pit nearest to the opponent first.
pub(super) fn rows(rules: Rules, position: &Position, pit: Pit) -> [Row; 2] {
    let mover = position.to_move();
    let after = Ayo { rules }.play(position, pit);
    [position, &after].map(|position| {
        let mut row = position.row(mover);
        row.reverse();
        row
    })
}

fn tables(folder: &Path, rules: Rules) -> Result<Tables, TablesError> {
    let tables = Tables::open(folder, rules)?;
    tables.check_all()?;
    Ok(tables)
}

/// Plays a game and shows each position with the move that was made there. The first moves are random, so
/// that games differ.
fn play(rules: Rules, index: u32, mut show: impl FnMut(&Position, Pit)) {
    const RANDOM_PLIES: usize = 8;
    const DEPTH: u32 = 3;
    let seeds = Weights::named("seeds").expect("it is built in");
    let mut player = Minimax::to_depth(&seeds, DEPTH, Options::default());
    let mut dice = stream(1, Purpose::Strategies, 0, index.into());
    let game = Ayo { rules };
    let mut record = Record::new(game, Side::BOTH[index as usize % 2]);
    while record.ending().is_none() {
        let moves = game.moves(record.position());
        let pit = if record.plies().len() < RANDOM_PLIES {
            one_of(moves, &mut dice).expect("a game that goes on has moves")
        } else {
            player.choose(&record, &()).expect("nobody stops it").pit
        };
        show(record.position(), pit);
        record.play(pit).expect("a legal move");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str, reason: &str) {
        let error = Training::from_csv("rows.csv", text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }

    #[test]
    fn rows_are_read_as_they_were_written_and_wrong_ones_refused() {
        let training = Training::of_games(3, Rules::default());
        let text = training.to_csv();
        let read = Training::from_csv("rows.csv", text.as_bytes()).unwrap();
        assert_eq!((&read.good, &read.bad), (&training.good, &training.bad));
        assert_eq!((&read.origin, read.checksum()), (&training.origin, training.checksum()));
        assert_eq!(
            read.to_csv().lines().skip(1).collect::<Vec<_>>(),
            text.lines().skip(1).collect::<Vec<_>>()
        );
        refused("1,2,3\n", "rows.csv, line 1: the header must be x1,x2,x3,x4,x5,x6,class");
        let header = HEADER.join(",");
        refused(&format!("{header}\n1,2,3,4,5,6\n"), "rows.csv, line 2: 6 fields, not 7");
        refused(
            &format!("# a\n{header}\n1,2,49,4,5,6,good\n"),
            "line 3: x3 is \"49\", not a number",
        );
        refused("", "rows.csv holds no rows");
        refused(&format!("{header}\n"), "rows.csv holds no rows");
        refused(
            &format!("{header}\n9,9,9,9,9,9,good\n"),
            "the row holds 54 seeds, the game has 48",
        );
        refused(&format!("{header}\n1,2,3,4,5,6,fine\n"), "class is \"fine\", not good or bad");
    }

    #[test]
    fn sources_are_read_as_they_are_written() {
        for text in ["current", "self-play:7", "tables:some/where", "rows.csv"] {
            assert_eq!(text.parse::<Source>().unwrap().to_string(), text);
        }
        for wrong in ["", "self-play:0", "self-play:x", "self-play:100001"] {
            assert_eq!(wrong.parse::<Source>(), Err(SourceError), "{wrong}");
        }
    }

    #[test]
    fn tables_call_the_best_moves_good() {
        let folder = tempfile::tempdir().unwrap();
        let plan = mancala::endgame::BuildPlan::new(Rules::AWARI, 6, folder.path()).unwrap();
        let tables = mancala::endgame::build(&plan, &(), |_| ()).unwrap().unwrap();
        let training = Training::of_tables(&tables);
        assert!(training.good.len() > 100 && training.bad.len() > 100, "{training:?}");
        let most = |rows: &[Row]| rows.iter().map(|row| row.iter().sum::<u8>()).max();
        assert!(most(&training.good) <= Some(6) && most(&training.bad) <= Some(6));
    }
}
