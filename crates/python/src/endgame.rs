//! Endgame tables.

use std::path::PathBuf;

use mancala::endgame::{self, BuildPlan, build};
use mancala::game::Record;
use mancala::game::ayo::{Ayo, Rules};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::position::{KnownGame, Move, Position, invalid};
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

    /// The largest number of seeds on the board for which there are values.
    #[getter]
    fn max_seeds(&self) -> u8 {
        self.0.max_seeds()
    }

    /// Returns the value of a position for the side to move, `None` if it has too many seeds.
    fn probe(&self, position: PyRef<Position>) -> PyResult<Option<i8>> {
        Ok(self.0.probe(self.own(&position)?.position()))
    }

    /// Returns the value of each legal move as pairs of a `Move` and a number, `None` if there are too many seeds.
    fn moves(&self, position: PyRef<Position>) -> PyResult<Option<Vec<(Move, i8)>>> {
        let record = self.own(&position)?;
        let side = record.to_move();
        let values = self.0.moves(record.position());
        Ok(values
            .map(|it| it.into_iter().map(|(pit, value)| (Move { side, pit }, value)).collect()))
    }
}

impl Tables {
    fn own<'a>(&self, position: &'a Position) -> PyResult<&'a Record<Ayo>> {
        let own = Ayo::unwrap(&position.0).filter(|it| it.game().rules == self.0.rules());
        let error = || format!("the position is not one of ayo under {}", self.0.rules());
        own.ok_or_else(|| invalid(error()))
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
