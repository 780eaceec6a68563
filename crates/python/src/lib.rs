//! The extension module behind the Python package `ayo`.
//!
//! Classes are immutable or keep their state behind a lock. Long computations release the interpreter lock, and Ctrl-C
//! cancels them. If an argument is invalid, we raise `ValueError` with the message that the command line prints. A
//! panic raises `RuntimeError`. Arrays are exchanged as bytes. Only the Python part imports NumPy, when it is needed.

mod evaluator;
mod matches;
mod player;
mod position;
mod problem;
mod stored;
mod tasks;
mod threads;
mod training;

use pyo3::prelude::*;

#[pymodule]
mod _ayo {
    #[pymodule_export]
    use crate::{
        evaluator::{Evaluator, load},
        matches::play_match,
        player::{Analysis, Player},
        position::{Move, Position, Result},
        problem::Problem,
        stored::{Book, Tables, build_tables},
        tasks::run_task,
        training::{Training, check_run, list_settings, preset_names, resume, train},
    };

    use super::*;

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Panics on the shared threads. Tests use this to show that the interpreter survives a panic.
    #[pyfunction]
    fn _panic(py: Python, message: &str) -> PyResult<()> {
        let pool = crate::threads::pool(None)?;
        crate::threads::run(py, Some(&pool), |_| panic!("{message}"))
    }
}
