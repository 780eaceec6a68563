//! The training rows for the classes of an AMDF player.

use std::path::Path;

use super::classes::{Class, Row};
use crate::player::{Minimax, Player, SpecError};
use mancala::endgame::Tables;
use mancala::eval::{OptionError, Weights};
use mancala::game::ayo::{Ayo, PITS, Position, Rules, SEEDS};
use mancala::game::{Game, Pit, Record, Side};
use mancala::random::{Purpose, choose, stream};
use mancala::search::Options;
use mancala::store;
use mancala::text::{Message, Result};

const GAMES: u32 = 100;

const MAX_GAMES: u32 = 100_000;

/// The training rows of both classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Training {
    /// The source of the rows. For a file, this is the comment on its first line, or else the file's name.
    pub origin: String,
    pub good: Vec<Row>,
    pub bad: Vec<Row>,
}

/// The columns of a CSV file. `x1` is the pit closest to the opponent.
const HEADER: [&str; PITS + 1] = ["x1", "x2", "x3", "x4", "x5", "x6", "class"];

impl Training {
    /// Returns training rows for games under `rules`. The source is `self-play:N` (N games, classified by
    /// Tchoukaillon's rule), `tables:DIR` (moves in self-play positions, classified by endgame tables) or a file.
    /// Returns `None` for `current`, which uses the feasible moves in the current position, as in the paper.
    pub fn from_source(source: &str, rules: Rules) -> Result<Option<Training>, SpecError> {
        let training = match source.split_once(':') {
            None if source == "current" => return Ok(None),
            None if source == "self-play" => Ok(Training::of_games(GAMES, rules)),
            Some(("self-play", games)) => match games.parse() {
                Ok(games @ 1..=MAX_GAMES) => Ok(Training::of_games(games, rules)),
                _ => {
                    let sources =
                        format!("current, self-play:N (1 to {MAX_GAMES} games), tables:DIR");
                    let reason = format!("\"{source}\" is not {sources}, or a file of rows");
                    return Err(SpecError::usage(reason));
                }
            },
            Some(("tables", folder)) => of_folder(Path::new(folder), rules),
            _ => store::read(Path::new(source))
                .map_err(Message::of)
                .and_then(|bytes| Training::from_csv(source, &bytes)),
        };
        training.map(Some).map_err(|error| SpecError::failed(error.to_string()))
    }

    /// Returns the row after each move of `games` self-play games, classified by Tchoukaillon's rule.
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

    /// Returns the rows after all moves in self-play positions that the tables cover. The rows after the best moves are
    /// good, and all other rows are bad.
    pub fn of_tables(tables: &Tables) -> Training {
        let (rules, mut training) = (tables.rules(), Training::empty(tables.to_string()));
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

    /// Parses rows in the format of [`to_csv`](Self::to_csv). Lines that begin with `#` are skipped.
    pub fn from_csv(name: &str, bytes: &[u8]) -> Result<Training> {
        let text = String::from_utf8_lossy(bytes);
        let comment = text.lines().next().and_then(|line| line.strip_prefix('#')).map(str::trim);
        let origin = comment.filter(|comment| !comment.is_empty()).unwrap_or(name);
        let mut training = Training::empty(origin.to_owned());
        let wrong = |error: csv::Error| format!("{name}: {error}");
        let mut reader = csv::ReaderBuilder::new();
        let reader = reader.comment(Some(b'#')).trim(csv::Trim::All);
        let mut reader = reader.from_reader(bytes);
        if !reader.headers().map_err(wrong)?.iter().eq(HEADER) {
            return Err(format!("{name}: the header must be {}", HEADER.join(",")).into());
        }
        for record in reader.records() {
            let record = record.map_err(wrong)?;
            let line = record.position().map_or(0, csv::Position::line);
            let refused = |reason| format!("{name}, line {line}: {reason}");
            let (row, class) = parse(&record).map_err(refused)?;
            training.add(row, class);
        }
        if training.good.is_empty() && training.bad.is_empty() {
            let header = HEADER.join(",");
            return Err(format!("{name} has no rows after the header {header}").into());
        }
        Ok(training)
    }

    /// Formats the rows as CSV, with their origin in a comment.
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

    /// Returns a checksum of the rows and their classes.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        self.good.iter().for_each(|row| hasher.update(row));
        hasher.update(b"|");
        self.bad.iter().for_each(|row| hasher.update(row));
        hasher.finalize()
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

fn of_folder(folder: &Path, rules: Rules) -> Result<Training> {
    let tables = Tables::open(folder, rules).map_err(Message::of)?;
    tables.check_all()?;
    Ok(Training::of_tables(&tables))
}

fn parse(record: &csv::StringRecord) -> Result<(Row, Class), String> {
    let number = |text: &str| text.parse::<u8>().ok().filter(|&number| number <= SEEDS);
    let row: Option<Vec<u8>> = record.iter().take(PITS).map(number).collect();
    let row =
        row.and_then(|row| Row::try_from(row).ok()).ok_or("a pit is not a number of seeds")?;
    let total: u32 = row.iter().map(|&seeds| u32::from(seeds)).sum();
    if total > u32::from(SEEDS) {
        return Err(format!("the row has {total} seeds, but the game only {SEEDS}"));
    }
    let class = &record[PITS];
    let other = |error: OptionError| format!("class is \"{class}\", not {}", error.expected);
    Ok((row, class.parse().map_err(other)?))
}

/// Returns the mover's row before and after a move, starting with the pit closest to the opponent.
pub(super) fn rows(rules: Rules, position: &Position, pit: Pit) -> [Row; 2] {
    let mover = position.to_move();
    let after = Ayo { rules }.play(position, pit);
    [position, &after].map(|position| {
        let mut row = position.row(mover);
        row.reverse();
        row
    })
}

/// Plays a game and calls `visit` with each position and move. The first moves are random, so that games differ.
fn play(rules: Rules, index: u32, mut visit: impl FnMut(&Position, Pit)) {
    const RANDOM_PLIES: usize = 8;
    const DEPTH: u32 = 3;
    let seeds = Weights::named("seeds").expect("a built-in evaluator");
    let mut player = Minimax::to_depth(&seeds, DEPTH, Options::default());
    let mut rng = stream(1, Purpose::Strategies, 0, index.into());
    let game = Ayo { rules };
    let mut record = Record::new(game, Side::BOTH[index as usize % 2]);
    while record.ending().is_none() {
        let moves = game.moves(record.position());
        let pit = if record.plies().len() < RANDOM_PLIES {
            choose(moves, &mut rng).expect("a legal move")
        } else {
            player.choose(&record, &()).expect("a search that nothing stops finishes").pit
        };
        visit(record.position(), pit);
        record.play(pit).expect("a legal move");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_back_and_wrong_ones_refused() {
        let training = Training::of_games(3, Rules::default());
        let text = training.to_csv();
        let read = Training::from_csv("rows.csv", text.as_bytes()).unwrap();
        assert_eq!((&read.good, &read.bad), (&training.good, &training.bad));
        assert_eq!((&read.origin, read.checksum()), (&training.origin, training.checksum()));
        assert_eq!(read.to_csv(), text);
        for (text, reason) in [
            ("1,2,3\n", "rows.csv: the header must be x1,x2,x3,x4,x5,x6,class"),
            ("HEADER\n1,2,3,4,5,6\n", "line: 2, byte: 24): found record with 6 fields"),
            ("# a\nHEADER\n1,2,49,4,5,6,good\n", "line 3: a pit is not a number of seeds"),
            ("HEADER\n", "rows.csv has no rows"),
            ("HEADER\n9,9,9,9,9,9,good\n", "the row has 54 seeds, but the game only 48"),
            ("HEADER\n1,2,3,4,5,6,fine\n", "class is \"fine\", not good or bad"),
        ] {
            let text = text.replace("HEADER", &HEADER.join(","));
            let error = Training::from_csv("rows.csv", text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn wrong_sources_are_refused() {
        for wrong in ["self-play:0", "self-play:x", "self-play:100001"] {
            assert!(Training::from_source(wrong, Rules::AYO).unwrap_err().is_usage, "{wrong}");
        }
        for missing in ["", "no/such", "tables:", "tables:no/such"] {
            assert!(!Training::from_source(missing, Rules::AYO).unwrap_err().is_usage, "{missing}");
        }
    }

    #[test]
    fn the_best_moves_by_tables_are_good() {
        let folder = tempfile::tempdir().unwrap();
        let plan = mancala::endgame::BuildPlan::new(Rules::AWARI, 6, folder.path()).unwrap();
        let tables = mancala::endgame::build(&plan, &(), |_| ()).unwrap().unwrap();
        let training = Training::of_tables(&tables);
        assert!(training.good.len() > 100 && training.bad.len() > 100, "{training:?}");
        let most = |rows: &[Row]| rows.iter().map(|row| row.iter().sum::<u8>()).max();
        assert!(most(&training.good) <= Some(6) && most(&training.bad) <= Some(6));
    }
}
