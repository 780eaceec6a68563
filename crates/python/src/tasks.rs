//! Tasks of a run: computing one, and a runner that passes them to a Python function.

use std::borrow::Cow;
use std::sync::Arc;

use evolve::run::StopPolicy;
use evolve::task::{self, TaskError, TaskRunner};
use mancala::progress::Progress;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::position::{Integer, invalid};
use crate::threads;

/// Computes the answer to a task of a run, on one thread by default. Raises `ValueError` if the task is damaged or from
/// another build of `ayo`.
#[pyfunction]
#[pyo3(signature = (task, threads=None))]
pub(crate) fn run_task(
    py: Python,
    task: PyBackedBytes,
    threads: Option<Integer>,
) -> PyResult<Cow<'static, [u8]>> {
    let pool = threads::new_pool(Some(threads.unwrap_or(1.into())))?;
    let answer = threads::run(py, Some(&pool), |cancel| task::run_task(&task, cancel))?;
    answer.map(Cow::Owned).map_err(invalid)
}

/// Runs tasks by calling a Python function with a list of tasks and a [`Stopping`]. It returns the list of answers, or
/// `None` if it gave up because the run was asked to stop.
#[derive(Debug)]
pub(crate) struct PythonRunner {
    pub(crate) function: Py<PyAny>,
    pub(crate) stop: Arc<StopPolicy>,
}

impl TaskRunner for PythonRunner {
    fn run(&self, tasks: Vec<Vec<u8>>, _: &dyn Progress) -> Result<Vec<Vec<u8>>, TaskError> {
        let answers = Python::attach(|py| {
            let tasks: Vec<_> = tasks.iter().map(|task| PyBytes::new(py, task)).collect();
            let answers = self.function.call1(py, (tasks, Stopping(Arc::clone(&self.stop))))?;
            answers.extract::<Option<Vec<PyBackedBytes>>>(py)
        });
        let answers = answers.map_err(|error| TaskError::Runner(error.to_string()))?;
        Ok(answers.ok_or(TaskError::Stopped)?.iter().map(|answer| answer.to_vec()).collect())
    }
}

/// Tells whether a run was asked to stop.
#[pyclass(frozen, module = "ayo._ayo")]
struct Stopping(Arc<StopPolicy>);

#[pymethods]
impl Stopping {
    fn __call__(&self) -> bool {
        self.0.end().is_some()
    }
}
