//! Evaluation functions for single positions and for arrays of positions.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;

use mancala::eval::{self, FeatureSet, Format, MAX_WEIGHT, Signs, Weights, export_standalone};
use mancala::game::ayo::Ayo;
use mancala::game::kalah::Kalah;
use mancala::game::{AnyGame, Encoded, GameKind, Record, Side};
use mancala::search::{Options, SearchableGame, Searcher};
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyByteArray, PyDict};
use rayon::prelude::*;

use crate::position::{Any, Integer, KnownGame, Position, game_of, invalid, position_of_row};
use crate::threads;

/// The number of rows that a thread evaluates per task.
const ROWS_PER_TASK: usize = 1024;

/// A searcher, which evaluates positions with code that was compiled for this kind of weights.
type AnySearcher = Any<Arc<dyn Searcher<Ayo>>, Arc<dyn Searcher<Kalah>>>;

/// A weighted sum of features.
///
/// `weights` maps the names of features to integers from -32767 to 32767, as a dictionary or a pandas series. If
/// `signs` is "signed", each weight is multiplied by the conventional sign of its feature. If it is "literal", weights
/// are used as they are. `ayo.load` reads an evaluator from a file or run folder. Raises `ValueError` if a feature is
/// unknown or a weight is too large.
///
/// To create a variant of another evaluator, use `replace`. Copying its `weights` is not enough, since an evaluator
/// also has `signs` and a provenance, from which players take the perspective, quiescence and ties of their search. A
/// new evaluator has no provenance, so its players search without quiescence.
///
/// Evaluators are equal if everything in their weights files is equal: the name, the weights, the signs, and also the
/// provenance and the measured strength. To compare only the weights, compare `effective_weights`.
#[pyclass(frozen, module = "ayo")]
pub(crate) struct Evaluator {
    pub(crate) weights: Weights,
    /// The name by which the weights were loaded, or the name of the weights if they weren't loaded.
    pub(crate) source: String,
    searcher: AnySearcher,
}

/// Converts a dictionary or a pandas series.
fn by_name<'py>(weights: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    let series = || weights.call_method0("to_dict").ok()?.cast_into::<PyDict>().ok();
    let found = weights.cast::<PyDict>().cloned();
    let found = found.or_else(|error| series().ok_or_else(|| PyErr::from(error)))?;
    if found.len() < weights.len()? {
        return Err(invalid("a feature is given twice"));
    }
    Ok(found)
}

#[pymethods]
impl Evaluator {
    #[new]
    #[pyo3(signature = (weights, signs="signed", name="python"))]
    fn new(weights: &Bound<PyAny>, signs: &str, name: &str) -> PyResult<Evaluator> {
        let (mut features, mut values) = (Vec::new(), Vec::new());
        for (feature, value) in &by_name(weights)? {
            let set: FeatureSet = feature.extract::<&str>()?.parse().map_err(invalid)?;
            features.extend(set.features());
            values.push(weight(&feature, &value)?);
        }
        let features = FeatureSet::new(features).map_err(invalid)?;
        let signs: Signs = signs.parse().map_err(invalid)?;
        Weights::new(name, features, &values, signs).map(Evaluator::of).map_err(invalid)
    }

    /// Reads an evaluator from the text of a weights file in JSON, TOML or CSV. `name` replaces the name in the text.
    #[staticmethod]
    #[pyo3(signature = (text, name=None))]
    fn from_text(text: &str, name: Option<String>) -> PyResult<Evaluator> {
        let mut weights = eval::read(text, "python").map_err(invalid)?;
        if let Some(name) = name {
            weights.name = name;
        }
        Ok(Evaluator::of(weights))
    }

    /// The value of a captured seed, or 0 if captured seeds do not count. For learned features, this is an estimate.
    #[getter]
    fn seed_value(&self, py: Python) -> i32 {
        py.detach(|| match self.weights.features().game() {
            GameKind::Ayo => Ayo::seed_value(&self.weights),
            GameKind::Kalah => Kalah::seed_value(&self.weights),
        })
    }

    /// Returns a variant in which some weights are replaced, such as `{"a9": -700}`. The variant keeps the signs, any
    /// learned layer, and the perspective, quiescence and ties of its players' search, but has no fitness and no
    /// measured strength. Its provenance still names the run of the original evaluator. Raises `ValueError` if the
    /// evaluator lacks a feature or a weight is too large.
    #[pyo3(signature = (weights, *, name="python"))]
    fn replace(&self, weights: &Bound<PyAny>, name: &str) -> PyResult<Evaluator> {
        let features = self.weights.features();
        let mut values: Vec<i64> = self.weights.values().iter().map(|&it| it.into()).collect();
        for (feature, value) in &by_name(weights)? {
            let known = self.feature_names();
            let index =
                known.iter().position(|it| feature.extract::<&str>().is_ok_and(|name| name == *it));
            let error = || invalid(format!("{feature} is not a feature of {}", self.__repr__()));
            values[index.ok_or_else(error)?] = weight(&feature, &value)?;
        }
        let mut variant =
            Weights::new(name, features.clone(), &values, self.weights.signs()).map_err(invalid)?;
        variant.provenance = self.weights.provenance.clone();
        if let Some(provenance) = &mut variant.provenance {
            provenance.fitness = None;
        }
        Ok(Evaluator::of(variant))
    }

    /// Returns the text of a weights file in JSON, with the weights in the order of the features.
    fn to_json(&self) -> String {
        export_standalone(&self.weights, Format::Json)
    }

    /// The name of the weights.
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

    /// The weights by feature, before they are multiplied by any signs.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_feature(py, self.weights.values())
    }

    /// The weights multiplied by the signs of their features. With learned features, they also depend on the position.
    #[getter]
    fn effective_weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_feature(py, &self.weights.effective())
    }

    /// The measured points per game, from 0 to 1, against each opponent. Empty if the weights were not measured.
    #[getter]
    fn strength<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let scores = PyDict::new(py);
        for it in &self.weights.strength {
            scores.set_item(&it.opponent, it.score)?;
        }
        Ok(scores)
    }

    /// The names of the features, in the order of `features_batch`.
    #[getter]
    fn feature_names(&self) -> Vec<&'static str> {
        self.weights.features().features().iter().map(|it| it.name()).collect()
    }

    /// Returns the value of a position for `side`, by default the side to move, in the units of the weights.
    #[pyo3(signature = (position, side=None))]
    fn evaluate(&self, position: PyRef<Position>, side: Option<&str>) -> PyResult<i32> {
        match (&self.searcher, &position.0) {
            (Any::Ayo(searcher), Any::Ayo(record)) => {
                Ok(searcher.evaluate(record.position(), me(record, side)?).0)
            }
            (Any::Kalah(searcher), Any::Kalah(record)) => {
                Ok(searcher.evaluate(record.position(), me(record, side)?).0)
            }
            _ => Err(invalid(self.other_game(&position.game()))),
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
            Any::Ayo(record) if features.game() == GameKind::Ayo => {
                features.values::<Ayo>(record.position(), me(record, side)?)
            }
            Any::Kalah(record) if features.game() == GameKind::Kalah => {
                features.values::<Kalah>(record.position(), me(record, side)?)
            }
            _ => return Err(invalid(self.other_game(&position.game()))),
        };
        self.by_feature(py, &values)
    }

    /// Evaluates an array of positions for the side to move and returns an array of 32-bit integers.
    ///
    /// The array has shape (positions, 2 × pits + 3) and contains whole numbers in the order of `Position.seeds`. A
    /// list of positions is also accepted. `game` determines the board of kalah, such as "kalah:seeds=3". `threads` is
    /// the number of threads (by default, one per core). Needs NumPy. Raises `ValueError` if a row is not a position.
    #[pyo3(signature = (positions, *, game=None, threads=None))]
    fn evaluate_batch<'py>(
        slf: &Bound<'py, Self>,
        positions: Bound<'py, PyAny>,
        game: Option<&str>,
        threads: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        batch(slf.py(), (slf, positions, false, game, threads))
    }

    /// Computes the features of an array of positions for the side to move, like `evaluate_batch`. Returns an array of
    /// shape (positions, features), in the order of `feature_names`. Unless there are learned features, the value of a
    /// position is the sum of its features multiplied by `effective_weights`.
    #[pyo3(signature = (positions, *, game=None, threads=None))]
    fn features_batch<'py>(
        slf: &Bound<'py, Self>,
        positions: Bound<'py, PyAny>,
        game: Option<&str>,
        threads: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        batch(slf.py(), (slf, positions, true, game, threads))
    }

    /// Returns the weights as a pandas Series, for use as a row of a table. Needs pandas.
    fn to_series<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("ayo._arrays")?.call_method1("to_series", (slf,))
    }

    /// Evaluates the positions in the rows of an array for the side to move, or computes their features. The array
    /// contains 8-bit numbers if `is_narrow` is set, and otherwise 16-bit numbers. Returns 32-bit numbers.
    fn _evaluate_rows<'py>(
        &self,
        py: Python<'py>,
        rows: &[u8],
        columns: usize,
        is_narrow: bool,
        features: bool,
        game: Option<&str>,
        threads: Option<Integer>,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let pool = threads::pool(threads)?;
        let game = game_of(game.unwrap_or(self.game()), None)?;
        let numbers = if is_narrow { rows.len() } else { rows.len() / 2 };
        let count = numbers.checked_div(columns).ok_or_else(|| invalid("there are no columns"))?;
        let columns =
            (columns, if features { self.weights.features().features().len() } else { 1 });
        PyByteArray::new_with(py, count * columns.1 * 4, |values| {
            let work = |_: &_| match is_narrow {
                true => self.evaluate_rows(game, rows, columns, features, values),
                false => {
                    let pairs = rows.as_chunks().0.par_iter();
                    let numbers: Vec<u16> = pairs.map(|pair| u16::from_ne_bytes(*pair)).collect();
                    self.evaluate_rows(game, &numbers, columns, features, values)
                }
            };
            threads::run(py, Some(&pool), work)?.map_err(invalid)
        })
    }

    fn __eq__(&self, other: PyRef<Evaluator>) -> bool {
        self.weights == other.weights
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.signs(), self.weights.values()).hash(&mut hasher);
        hasher.finish()
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
            GameKind::Ayo => Any::Ayo(Ayo::searcher(&weights, options)),
            GameKind::Kalah => Any::Kalah(Kalah::searcher(&weights, options)),
        };
        Evaluator { source: weights.name.clone(), weights, searcher }
    }

    fn by_feature<'py>(&self, py: Python<'py>, values: &[i32]) -> PyResult<Bound<'py, PyDict>> {
        self.feature_names().into_iter().zip(values).into_py_dict(py)
    }

    pub(crate) fn other_game(&self, game: &str) -> String {
        format!("the weights are for {}, but the game is {game}", self.game())
    }

    fn evaluate_rows<N: Copy + Into<u16> + Sync>(
        &self,
        game: AnyGame,
        numbers: &[N],
        columns: (usize, usize),
        features: bool,
        values: &mut [u8],
    ) -> Result<(), String> {
        match (&self.searcher, game) {
            (Any::Ayo(searcher), AnyGame::Ayo(game)) => {
                self.rows_of(game, &**searcher, numbers, columns, features, values)
            }
            (Any::Kalah(searcher), AnyGame::Kalah(game)) => {
                self.rows_of(game, &**searcher, numbers, columns, features, values)
            }
            _ => Err(self.other_game(&game.to_string())),
        }
    }

    /// Evaluates positions, which are given as rows of `columns` numbers, and writes `computed` 32-bit numbers per row
    /// to `values`. If `features` is set, computes the features of the positions instead.
    ///
    /// # Errors
    /// Returns an error if a row isn't a valid position. The message contains the index (from 0) of the first such row.
    fn rows_of<G: KnownGame + Encoded, N: Copy + Into<u16> + Sync>(
        &self,
        game: G,
        searcher: &dyn Searcher<G>,
        numbers: &[N],
        (columns, computed): (usize, usize),
        features: bool,
        values: &mut [u8],
    ) -> Result<(), String> {
        let set = self.weights.features();
        let cells = values.par_chunks_mut(computed * 4 * ROWS_PER_TASK);
        let tasks = numbers.par_chunks(columns * ROWS_PER_TASK).zip(cells).enumerate();
        let failed = tasks.find_map_first(|(task, (rows, cells))| {
            let rows = rows.chunks_exact(columns).zip(cells.chunks_exact_mut(computed * 4));
            let result = rows.zip(task * ROWS_PER_TASK..).try_for_each(|((row, cells), index)| {
                let position = position_of_row(game, row);
                let position = position.map_err(|error| format!("row {index}: {error}"))?;
                let me = game.to_move(&position);
                if features {
                    let cells = cells.as_chunks_mut().0.iter_mut();
                    let values = cells.zip(set.values::<G>(&position, me));
                    values.for_each(|(cell, value)| *cell = value.to_ne_bytes());
                } else {
                    cells.copy_from_slice(&searcher.evaluate(&position, me).0.to_ne_bytes());
                }
                Ok(())
            });
            result.err()
        });
        failed.map_or(Ok(()), Err)
    }
}

/// Reads the weight of a feature.
fn weight(feature: &Bound<PyAny>, value: &Bound<PyAny>) -> PyResult<i64> {
    let weight = format!("the weight of {feature}");
    let error = |_| PyTypeError::new_err(format!("{weight} is {value:?}, not an integer"));
    let most = i64::from(MAX_WEIGHT);
    value.extract::<Integer>().map_err(error)?.within(&weight, -most..=most)
}

/// Returns the side with this name, or the side to move if there is no name.
fn me<G: KnownGame>(record: &Record<G>, side: Option<&str>) -> PyResult<Side> {
    let Some(name) = side else { return Ok(record.to_move()) };
    let side = Side::BOTH.into_iter().find(|side| side.to_string() == name);
    side.ok_or_else(|| invalid(format!("the side is \"{name}\", not South or North")))
}

/// Calls the Python function that handles NumPy arrays.
fn batch<'py>(py: Python<'py>, arguments: impl PyCallArgs<'py>) -> PyResult<Bound<'py, PyAny>> {
    py.import("ayo._arrays")?.call_method1("evaluate_batch", arguments)
}

/// Reads weights, given as the name of a built-in weight set, a run folder, a file, or feature names joined by "+".
///
/// Raises `ValueError` if no weights can be read.
#[pyfunction]
pub(crate) fn load(name: PathBuf) -> PyResult<Evaluator> {
    let source = name.to_string_lossy().into_owned();
    let weights = eval::load(&source).map_err(invalid)?;
    Ok(Evaluator { source, ..Evaluator::of(weights) })
}
