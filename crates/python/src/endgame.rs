//! Endgame tables and opening books.

use std::path::{Path, PathBuf};

use arena::player::built_in_book;
use mancala::book::{self, BookFile};
use mancala::endgame::{self, BuildPlan, build};
use mancala::eval::Score;
use mancala::game::ayo::{self, Ayo, Rules};
use mancala::game::kalah::Kalah;
use mancala::game::{AnyGame, Game};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::position::{Move, Position, State, invalid};
use crate::threads;

/// The endgame tables of ayo in a folder, for positions with few seeds on the board.
///
/// Values are the seeds that the side to move will still capture minus those of the opponent. `rules` must be those of
/// the tables. Raises `ValueError` if the folder has no tables for these rules, or damaged ones.
#[pyclass(frozen, module = "ayo")]
pub(crate) struct Tables(endgame::Tables);

#[pymethods]
impl Tables {
    #[new]
    #[pyo3(signature = (folder, rules="ayo"))]
    fn new(py: Python, folder: PathBuf, rules: &str) -> PyResult<Tables> {
        let rules: Rules = rules.parse().map_err(invalid)?;
        let tables = py.detach(|| {
            let tables = endgame::Tables::open(&folder, rules)?;
            tables.check_all()?;
            Ok::<_, endgame::TablesError>(tables)
        });
        tables.map(Tables).map_err(invalid)
    }

    /// The rules of the tables.
    #[getter]
    fn rules(&self) -> String {
        self.0.rules().to_string()
    }

    /// The largest number of seeds on the board for which there are values.
    #[getter]
    fn max_seeds(&self) -> u8 {
        self.0.max_seeds()
    }

    /// Whether the values are proven. Otherwise they rest on an assumption about repetition.
    #[getter]
    fn are_proven(&self) -> bool {
        self.0.are_proven()
    }

    /// Returns the value of a position for the side to move, `None` if it has too many seeds.
    fn probe(&self, position: PyRef<Position>) -> PyResult<Option<i8>> {
        Ok(self.0.probe(&self.own(&position)?))
    }

    /// Returns the value of each legal move as pairs of a `Move` and a number, `None` if there are too many seeds.
    fn moves(&self, position: PyRef<Position>) -> PyResult<Option<Vec<(Move, i8)>>> {
        let position = self.own(&position)?;
        let side = position.to_move();
        let values = self.0.moves(&position);
        Ok(values
            .map(|it| it.into_iter().map(|(pit, value)| (Move { side, pit }, value)).collect()))
    }

    fn __repr__(&self) -> String {
        format!("Tables({}, up to {} seeds)", self.0.rules(), self.0.max_seeds())
    }
}

impl Tables {
    fn own(&self, position: &Position) -> PyResult<ayo::Position> {
        match position.state {
            State::Ayo(game, it) if game.rules == self.0.rules() => Ok(it),
            _ => Err(invalid(format!("the position is not one of ayo under {}", self.0.rules()))),
        }
    }
}

/// Builds the endgame tables for positions with up to `seeds` seeds in a folder, and opens them.
///
/// Layers that the folder already has are kept. Raises `ValueError` if the number of seeds is out of range, `OSError` if
/// a file cannot be written.
#[pyfunction]
#[pyo3(signature = (folder, seeds, rules="ayo", threads=None))]
pub(crate) fn build_tables(
    py: Python,
    folder: PathBuf,
    seeds: u8,
    rules: &str,
    threads: Option<u16>,
) -> PyResult<Tables> {
    let rules: Rules = rules.parse().map_err(invalid)?;
    let plan = BuildPlan::new(rules, seeds, &folder).map_err(invalid)?;
    let pool = threads::pool(threads)?;
    let built = threads::run(py, Some(&pool), |cancel| build(&plan, cancel, |_| ()))?;
    let tables = built.map_err(|error| PyOSError::new_err(error.to_string()))?;
    tables.map(Tables).ok_or_else(|| PyOSError::new_err("building the tables was stopped"))
}

enum AnyBook {
    Ayo(book::Book<Ayo>),
    Kalah(book::Book<Kalah>),
}

/// An opening book, read from a file or compiled in ("builtin").
#[pyclass(frozen, module = "ayo")]
pub(crate) struct Book(AnyBook);

#[pymethods]
impl Book {
    #[new]
    #[pyo3(signature = (file="builtin"))]
    fn new(file: &str) -> PyResult<Book> {
        let file = match file {
            "builtin" => built_in_book(),
            file => BookFile::read(Path::new(file)).map_err(invalid)?,
        };
        let book = match file.game() {
            AnyGame::Ayo(game) => AnyBook::Ayo(file.book(game).map_err(invalid)?),
            AnyGame::Kalah(game) => AnyBook::Kalah(file.book(game).map_err(invalid)?),
        };
        Ok(Book(book))
    }

    /// Returns the value of each move for the side to move as pairs of a `Move` and a number. Empty for positions that
    /// are not in the book.
    fn probe(&self, position: PyRef<Position>) -> Vec<(Move, i32)> {
        match (&self.0, position.state) {
            (AnyBook::Ayo(book), State::Ayo(game, position)) if *book.game() == game => {
                values(book, &position)
            }
            (AnyBook::Kalah(book), State::Kalah(game, position)) if *book.game() == game => {
                values(book, &position)
            }
            _ => Vec::new(),
        }
    }

    /// Number of positions in the book.
    fn __len__(&self) -> usize {
        match &self.0 {
            AnyBook::Ayo(book) => book.positions(),
            AnyBook::Kalah(book) => book.positions(),
        }
    }
}

fn values<G: Game>(book: &book::Book<G>, position: &G::Position) -> Vec<(Move, i32)> {
    let side = book.game().to_move(position);
    let moves = book.probe(position).map(|entry| entry.moves()).unwrap_or_default();
    let value = |it: &book::BookMove| {
        let Score(value) = it.value;
        (Move { side, pit: it.pit }, value)
    };
    moves.iter().map(value).collect()
}
