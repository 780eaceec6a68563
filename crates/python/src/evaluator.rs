//! Evaluation functions, for one position or for an array of positions.

use std::sync::Arc;

use mancala::eval::{self, FeatureSet, Format, Signs, Weights, export_standalone};
use mancala::game::ayo::Ayo;
use mancala::game::kalah::Kalah;
use mancala::game::{AnyGame, Encoded, GameKind, Record, Side};
use mancala::search::{Options, SearchableGame, Searcher};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict};
use rayon::prelude::*;

use crate::position::{AnyRecord, KnownGame, Position, game_of, invalid};
use crate::threads;

/// Positions that a thread evaluates before it looks for other work.
const ROWS_PER_TASK: usize = 1024;

/// A searcher evaluates positions with the code compiled for its weights.
enum AnySearcher {
    Ayo(Arc<dyn Searcher<Ayo>>),
    Kalah(Arc<dyn Searcher<Kalah>>),
}

/// A weighted sum of features.
///
/// `weights` maps the names of features to integers from -32767 to 32767. `signs` is "signed" to multiply each weight by
/// the conventional sign of its feature, or "literal". `ayo.load` reads one from a file or run folder. Raises
/// `ValueError` if a feature is unknown or a weight too large.
#[pyclass(frozen, module = "ayo")]
pub(crate) struct Evaluator {
    pub(crate) weights: Weights,
    searcher: AnySearcher,
}

#[pymethods]
impl Evaluator {
    #[new]
    #[pyo3(signature = (weights, signs="signed", name="python"))]
    fn new(weights: &Bound<PyDict>, signs: &str, name: &str) -> PyResult<Evaluator> {
        let (mut features, mut values) = (Vec::new(), Vec::new());
        for (feature, value) in weights {
            let set: FeatureSet = feature.extract::<&str>()?.parse().map_err(invalid)?;
            features.extend(set.features());
            values.push(value.extract::<i64>()?);
        }
        let features = FeatureSet::new(features).map_err(invalid)?;
        let signs: Signs = signs.parse().map_err(invalid)?;
        Weights::new(name, features, &values, signs).map(Evaluator::of).map_err(invalid)
    }

    /// Reads an evaluator from the text of a weights file in JSON, TOML or CSV.
    #[staticmethod]
    #[pyo3(signature = (text, name="python"))]
    fn from_text(text: &str, name: &str) -> PyResult<Evaluator> {
        eval::read(text, name).map(Evaluator::of).map_err(invalid)
    }

    /// Returns the text of a weights file in JSON.
    fn to_json(&self) -> String {
        export_standalone(&self.weights, Format::Json)
    }

    #[getter]
    fn name(&self) -> &str {
        &self.weights.name
    }

    /// The game, "ayo" or "kalah".
    #[getter]
    fn game(&self) -> &'static str {
        self.weights.features().game().name()
    }

    /// The convention of the weights, "signed" or "literal".
    #[getter]
    fn signs(&self) -> String {
        self.weights.signs().to_string()
    }

    /// The weights as written, by feature.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_feature(py, self.weights.values())
    }

    /// The names of the features, in the order of `features_batch`.
    #[getter]
    fn feature_names(&self) -> Vec<&'static str> {
        self.weights.features().features().iter().map(|it| it.name()).collect()
    }

    /// Returns the value of a position for `side`, by default the side to move. The unit is that of the weights.
    #[pyo3(signature = (position, side=None))]
    fn evaluate(&self, position: PyRef<Position>, side: Option<&str>) -> PyResult<i32> {
        match (&self.searcher, &position.0) {
            (AnySearcher::Ayo(searcher), AnyRecord::Ayo(record)) => {
                Ok(searcher.evaluate(record.position(), me(record, side)?).0)
            }
            (AnySearcher::Kalah(searcher), AnyRecord::Kalah(record)) => {
                Ok(searcher.evaluate(record.position(), me(record, side)?).0)
            }
            _ => Err(self.other_game(&position.game())),
        }
    }

    /// Returns the value of each feature in a position for `side`, by default the side to move.
    #[pyo3(signature = (position, side=None))]
    fn features<'py>(
        &self,
        py: Python<'py>,
        position: PyRef<Position>,
        side: Option<&str>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let features = self.weights.features();
        let values = match &position.0 {
            AnyRecord::Ayo(record) if features.game() == GameKind::Ayo => {
                features.values::<Ayo>(record.position(), me(record, side)?)
            }
            AnyRecord::Kalah(record) if features.game() == GameKind::Kalah => {
                features.values::<Kalah>(record.position(), me(record, side)?)
            }
            _ => return Err(self.other_game(&position.game())),
        };
        self.by_feature(py, &values)
    }

    /// Evaluates an array of positions for the side to move and returns an array of 32-bit integers.
    ///
    /// The array has shape (positions, 2 × pits + 3) and integers in the order of `Position.seeds`; a list of positions
    /// will do, too. `game` gives the board of kalah, such as "kalah:seeds=3". Uses all threads, or this number. Needs
    /// NumPy. Raises `ValueError` if a row is not a position.
    #[pyo3(signature = (positions, *, game=None, threads=None))]
    fn evaluate_batch<'py>(
        slf: &Bound<'py, Self>,
        positions: Bound<'py, PyAny>,
        game: Option<&str>,
        threads: Option<u16>,
    ) -> PyResult<Bound<'py, PyAny>> {
        batch(slf, (positions, false, game, threads))
    }

    /// Computes the features of an array of positions for the side to move, like `evaluate_batch`. Returns an array of
    /// shape (positions, features), in the order of `feature_names`.
    #[pyo3(signature = (positions, *, game=None, threads=None))]
    fn features_batch<'py>(
        slf: &Bound<'py, Self>,
        positions: Bound<'py, PyAny>,
        game: Option<&str>,
        threads: Option<u16>,
    ) -> PyResult<Bound<'py, PyAny>> {
        batch(slf, (positions, true, game, threads))
    }

    /// Returns the weights as a pandas Series, the row of a table. Needs pandas.
    fn to_series<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("ayo._arrays")?.call_method1("to_series", (slf,))
    }

    /// Evaluates the positions in the rows of an array of 8- or 16-bit numbers, for the side to move, or computes their
    /// features. Returns 32-bit numbers.
    #[pyo3(signature = (rows, columns, width, features=false, game=None, threads=None))]
    fn _evaluate_rows<'py>(
        &self,
        py: Python<'py>,
        rows: &[u8],
        columns: usize,
        width: usize,
        features: bool,
        game: Option<&str>,
        threads: Option<u16>,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let game = game_of(game.unwrap_or(self.game()), None)?;
        let pool = threads::pool(threads)?;
        if !(1..=2).contains(&width) {
            return Err(invalid("a number has one or two bytes"));
        }
        let rows = Rows { bytes: rows, stride: columns.saturating_mul(width).max(1), width };
        let values = threads::run(py, Some(&pool), |_| match (&self.searcher, game) {
            (AnySearcher::Ayo(searcher), AnyGame::Ayo(game)) => {
                Some(self.values_of(game, &**searcher, &rows, features))
            }
            (AnySearcher::Kalah(searcher), AnyGame::Kalah(game)) => {
                Some(self.values_of(game, &**searcher, &rows, features))
            }
            _ => None,
        })?;
        let values = values.ok_or_else(|| self.other_game(&game.to_string()))?;
        Ok(PyByteArray::new(py, &values.map_err(invalid)?))
    }

    fn __repr__(&self) -> String {
        let features = self.weights.features();
        format!("Evaluator('{}', {}, {features})", self.weights.name, self.game())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let it = slf.get();
        Ok((slf.getattr("from_text")?, (it.to_json(), it.weights.name.clone())))
    }
}

impl Evaluator {
    pub(crate) fn of(weights: Weights) -> Evaluator {
        let options = Options::for_weights(&weights);
        let searcher = match weights.features().game() {
            GameKind::Ayo => AnySearcher::Ayo(Ayo::searcher(&weights, options)),
            GameKind::Kalah => AnySearcher::Kalah(Kalah::searcher(&weights, options)),
        };
        Evaluator { weights, searcher }
    }

    fn by_feature<'py>(&self, py: Python<'py>, values: &[i32]) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (feature, value) in self.weights.features().features().iter().zip(values) {
            dict.set_item(feature.name(), value)?;
        }
        Ok(dict)
    }

    fn other_game(&self, game: &str) -> PyErr {
        invalid(format!("the weights are for {}, but the game is {game}", self.game()))
    }

    /// Evaluates rows, or computes their features, as 32-bit little-endian numbers.
    fn values_of<G: KnownGame + Encoded>(
        &self,
        game: G,
        searcher: &dyn Searcher<G>,
        rows: &Rows,
        features: bool,
    ) -> Result<Vec<u8>, String> {
        let set = self.weights.features();
        if features {
            return rows.map(game, set.features().len(), |position, cell| {
                let values = set.values::<G>(position, game.to_move(position));
                for (cell, value) in cell.chunks_exact_mut(4).zip(values) {
                    cell.copy_from_slice(&value.to_ne_bytes());
                }
            });
        }
        rows.map(game, 1, |position, cell| {
            let value = searcher.evaluate(position, game.to_move(position));
            cell.copy_from_slice(&value.0.to_ne_bytes());
        })
    }
}

/// Returns the side with this name, by default the side to move.
fn me<G: KnownGame>(record: &Record<G>, side: Option<&str>) -> PyResult<Side> {
    let Some(name) = side else { return Ok(record.to_move()) };
    let side = Side::BOTH.into_iter().find(|side| side.to_string() == name);
    side.ok_or_else(|| invalid(format!("the side is \"{name}\", not South or North")))
}

/// Evaluates an array of positions with the Python function that knows NumPy.
fn batch<'py>(
    evaluator: &Bound<'py, Evaluator>,
    (positions, features, game, threads): (Bound<'py, PyAny>, bool, Option<&str>, Option<u16>),
) -> PyResult<Bound<'py, PyAny>> {
    let arguments = (evaluator, positions, features, game, threads);
    evaluator.py().import("ayo._arrays")?.call_method1("evaluate_batch", arguments)
}

/// Positions as the rows of an array.
struct Rows<'a> {
    bytes: &'a [u8],
    /// Bytes per row.
    stride: usize,
    /// Bytes per number, 1 or 2.
    width: usize,
}

impl Rows<'_> {
    /// Computes `columns` 32-bit numbers for each row.
    ///
    /// # Errors
    /// If a row is not a position. The error contains the number of the first such row, from 0.
    fn map<G: KnownGame>(
        &self,
        game: G,
        columns: usize,
        compute: impl Fn(&G::Position, &mut [u8]) + Sync,
    ) -> Result<Vec<u8>, String> {
        let mut computed = vec![0; self.bytes.len() / self.stride * columns * 4];
        let cells = computed.par_chunks_exact_mut(columns * 4);
        let rows = cells.zip(self.bytes.par_chunks_exact(self.stride)).enumerate();
        let failed = rows.with_min_len(ROWS_PER_TASK).find_map_first(|(index, (cell, row))| {
            match self.position(game, row) {
                Ok(position) => {
                    compute(&position, cell);
                    None
                }
                Err(reason) => Some(format!("row {index}: {reason}")),
            }
        });
        failed.map_or(Ok(computed), Err)
    }

    fn position<G: KnownGame>(&self, game: G, row: &[u8]) -> Result<G::Position, String> {
        let mut numbers = [0; 32];
        let count = row.len() / self.width;
        let numbers =
            numbers.get_mut(..count).ok_or_else(|| format!("{count} numbers are too many"))?;
        match self.width {
            1 => numbers.iter_mut().zip(row).for_each(|(number, &byte)| *number = byte.into()),
            _ => {
                let pairs = row.as_chunks().0.iter().map(|&pair| u16::from_ne_bytes(pair));
                numbers.iter_mut().zip(pairs).for_each(|(number, pair)| *number = pair);
            }
        }
        let Some((side @ 0..=1, seeds)) = numbers.split_last() else {
            return Err("the side to move is not 0 or 1".into());
        };
        let position = game.position_of(seeds, Side::BOTH[usize::from(*side)]);
        position.map_err(|error| error.to_string())
    }
}

/// Reads weights: the name of known weights, a run folder, a file, or names of features joined by "+".
///
/// Raises `ValueError` if there are none.
#[pyfunction]
pub(crate) fn load(name: &str) -> PyResult<Evaluator> {
    eval::load(name).map(Evaluator::of).map_err(invalid)
}
