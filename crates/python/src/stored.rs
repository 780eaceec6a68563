//! Values computed in advance: endgame tables and opening books.

use std::ffi::OsString;
use std::path::{self, Path, PathBuf};
use std::sync::Mutex;

use arena::player::built_in_book;
use mancala::book::{self, BookFile};
use mancala::endgame::{self, BuildPlan, build};
use mancala::game::AnyGame;
use mancala::game::ayo::{Ayo, Rules, SEEDS};
use mancala::game::kalah::Kalah;
use mancala::text::Message;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::position::{Any, Integer, Move, Position, invalid, with_any};
use crate::threads::{self, lock};

/// The endgame tables of ayo in a folder, for positions with few seeds on the board.
///
/// A value is the number of seeds that the side to move will still capture, minus the number of seeds that the opponent
/// will capture. `rules` must be the same as when the tables were built. Raises `ValueError` if the folder has no
/// tables for these rules, or if they are damaged.
#[pyclass(frozen, module = "ayo")]
pub(crate) struct Tables {
    tables: endgame::Tables,
    /// An absolute path, for pickling.
    folder: PathBuf,
}

#[pymethods]
impl Tables {
    #[new]
    #[pyo3(signature = (folder, rules="ayo"))]
    fn new(py: Python, folder: PathBuf, rules: &str) -> PyResult<Tables> {
        let (folder, rules) = (absolute(folder)?, rules.parse().map_err(invalid)?);
        let tables = py.detach(|| opened(&folder, rules))?;
        Ok(Tables { tables, folder })
    }

    /// The largest number of seeds on the board for which there are values.
    #[getter]
    fn max_seeds(&self) -> u8 {
        self.tables.max_seeds()
    }

    /// Returns the value of a position for the side to move, or `None` if it has too many seeds.
    fn probe(&self, position: PyRef<Position>) -> PyResult<Option<i8>> {
        Ok(self.tables.probe(position.of_game(self.game())?.position()))
    }

    /// Returns the value of each legal move as pairs of a `Move` and a number, or `None` if there are too many seeds.
    fn moves(&self, position: PyRef<Position>) -> PyResult<Option<Vec<(Move, i8)>>> {
        let record = position.of_game(self.game())?;
        let values = self.tables.moves(record.position());
        Ok(values.map(|values| Move::of(record.to_move(), values)))
    }

    fn __repr__(&self) -> String {
        format!("Tables({:?}, rules=\"{}\")", self.folder, self.tables.rules())
    }

    /// Returns the folder, so that Python code can pass the tables in settings that expect a path.
    fn __fspath__(&self) -> OsString {
        self.folder.clone().into()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (PathBuf, String)) {
        let Tables { tables, folder } = slf.get();
        (slf.get_type(), (folder.clone(), tables.rules().to_string()))
    }
}

impl Tables {
    fn game(&self) -> Ayo {
        Ayo { rules: self.tables.rules() }
    }
}

/// Returns a path that stays valid when the program changes its working directory.
pub(crate) fn absolute(path: impl AsRef<Path>) -> PyResult<PathBuf> {
    path::absolute(path).map_err(invalid)
}

/// Opens tables and checks that they aren't damaged.
pub(crate) fn opened(folder: &Path, rules: Rules) -> PyResult<endgame::Tables> {
    let tables = endgame::Tables::open(folder, rules).map_err(invalid)?;
    tables.check_all().map_err(invalid)?;
    Ok(tables)
}

/// Builds the endgame tables for positions with up to `seeds` seeds in a folder, and opens them.
///
/// Layers that are already in the folder are kept. By default, an `Engine` only uses tables in the default folder, or
/// builds its own tables (see its documentation). `memory` is a limit in bytes, by default 8 GiB. `progress` (such as
/// `print`) is called with the number of seeds of layers that are finished, at most a few times per second. Raises
/// `ValueError` if the number of seeds is out of range or more memory is needed, and `OSError` if a file cannot be
/// written. If an exception such as that of Ctrl-C ends the build, finished layers are kept.
#[pyfunction]
#[pyo3(signature = (folder, seeds, rules="ayo", threads=None, memory=Integer::from(8 << 30), progress=None),
    text_signature = "(folder, seeds, rules='ayo', threads=None, memory=8589934592, progress=None)")]
pub(crate) fn build_tables(
    py: Python,
    folder: PathBuf,
    seeds: Integer,
    rules: &str,
    threads: Option<Integer>,
    memory: Integer,
    progress: Option<Py<PyAny>>,
) -> PyResult<Tables> {
    let (folder, rules) = (absolute(folder)?, rules.parse().map_err(invalid)?);
    let seeds = seeds.within("seeds", 0..=SEEDS)?;
    let plan = BuildPlan::new(rules, seeds, &folder).map_err(invalid)?;
    let (needed, memory) = (plan.memory(), memory.within("memory", 0..=u64::MAX)?);
    if needed > memory {
        let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
        let [needed, memory] = [needed, memory].map(gib);
        let text = format!(
            "{seeds} seeds need {needed:.2} GiB of memory, but memory allows {memory:.2} GiB"
        );
        return Err(invalid(text));
    }
    let pool = threads::pool(threads)?;
    let finished = Mutex::new(None);
    let report = |py: Python| {
        let layer = lock(&finished).take();
        let call = |(progress, layer): (&Py<PyAny>, u8)| progress.call1(py, (layer,));
        progress.as_ref().zip(layer).map(call).transpose().map(drop)
    };
    let layer_done = |seeds| *lock(&finished) = Some(seeds);
    let built = threads::run_and_report(py, Some(&pool), report, |cancel| {
        build(&plan, cancel, layer_done)
    })?;
    let tables = built.map_err(|error| PyOSError::new_err(error.to_string()))?;
    let tables = tables.ok_or_else(|| PyOSError::new_err("building the tables was stopped"))?;
    Ok(Tables { tables, folder })
}

/// An opening book: "builtin", or a file written by `ayo book build`.
///
/// Values are for the side to move, in the units of the weights with which the book was built. `len(book)` is the
/// number of positions. Raises `ValueError` if the file is missing or damaged.
#[pyclass(frozen, module = "ayo")]
pub(crate) struct Book {
    book: Any<book::Book<Ayo>, book::Book<Kalah>>,
    /// "builtin" or an absolute path, for pickling.
    file: PathBuf,
}

#[pymethods]
impl Book {
    #[new]
    #[pyo3(signature = (file=PathBuf::from("builtin")), text_signature = "(file='builtin')")]
    fn new(py: Python, file: PathBuf) -> PyResult<Book> {
        let is_built_in = file == Path::new("builtin");
        let file = if is_built_in { file } else { absolute(file)? };
        let read = || {
            let read = if is_built_in { built_in_book() } else { BookFile::read(&file)? };
            Ok::<_, Message>(match read.game() {
                AnyGame::Ayo(game) => Any::Ayo(read.book(game)?),
                AnyGame::Kalah(game) => Any::Kalah(read.book(game)?),
            })
        };
        let book = py.detach(read).map_err(invalid)?;
        Ok(Book { book, file })
    }

    fn __len__(&self) -> usize {
        with_any!(&self.book, book => book.expanded())
    }

    /// Returns the value of each legal move as pairs of a `Move` and a number, or `None` if the book has no moves for
    /// the position. Raises `ValueError` if the position's rules differ from the book's.
    fn moves(&self, position: PyRef<Position>) -> PyResult<Option<Vec<(Move, i32)>>> {
        with_any!(&self.book, book => {
            let record = position.of_game(*book.game())?;
            let moves = book.probe(record.position()).map(|entry| entry.moves().into_iter());
            Ok(moves.map(|it| Move::of(record.to_move(), it.map(|it| (it.pit, it.value.0)))))
        })
    }

    fn __repr__(&self) -> String {
        format!("Book({:?})", self.file)
    }

    /// Returns the file or "builtin", so that Python code can pass a book in settings that expect a path.
    fn __fspath__(&self) -> OsString {
        self.file.clone().into()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (PathBuf,)) {
        (slf.get_type(), (slf.get().file.clone(),))
    }
}
