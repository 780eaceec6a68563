//! Tasks, i.e. pieces of a training run that other processes can compute. `run_task` computes a single task, and
//! `PythonRunner` submits tasks to a Python executor.

use std::borrow::Cow;

use evolve::task::{self, TaskError, TaskRunner, Then};
use mancala::progress::Progress;
use mancala::store::sha256;
use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};

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

/// Runs tasks on a Python executor with the interface of `concurrent.futures`.
#[derive(Debug)]
pub(crate) struct PythonRunner(pub(crate) Py<PyAny>);

impl TaskRunner for PythonRunner {
    fn run(
        &self,
        tasks: Vec<Vec<u8>>,
        then: &mut Then<'_>,
        progress: &dyn Progress,
    ) -> Result<(), TaskError> {
        let pending = Python::attach(|py| PyDict::new(py).unbind());
        let end = self.compute(tasks, then, &pending, progress);
        if end.is_err() {
            Python::attach(|py| {
                for future in pending.bind(py).keys() {
                    let _ = future.call_method0("cancel");
                }
            });
        }
        end
    }
}

/// The maximum number of seconds until we notice a request to stop.
const TIMEOUT: f64 = 0.2;

impl PythonRunner {
    /// Returns an error saying that the executor did not accept a task, for example because it was shut down.
    fn refused(&self, py: Python, name: &str, error: PyErr) -> TaskError {
        let executor = self.0.bind(py).get_type().name();
        let executor = executor.map_or("the executor".into(), |it| it.to_string());
        TaskError::Runner(format!("task {name} was refused by {executor}: {}", error_of(error)))
    }

    /// Runs tasks. `pending` maps unfinished futures to the numbers and names of their tasks.
    fn compute(
        &self,
        mut tasks: Vec<Vec<u8>>,
        then: &mut Then<'_>,
        pending: &Py<PyDict>,
        progress: &dyn Progress,
    ) -> Result<(), TaskError> {
        let mut numbers = 0usize..;
        loop {
            let answers = Python::attach(|py| {
                let pending = pending.bind(py);
                let submit = |task: &[u8], number: usize, name: &str| {
                    let function = py.import("ayo")?.getattr("run_task")?;
                    let work = (function, PyBytes::new(py, task));
                    let future = self.0.call_method1(py, "submit", work)?;
                    pending.set_item(future, (number, name))
                };
                for (task, number) in tasks.drain(..).zip(&mut numbers) {
                    let name = &sha256(&task)[..16];
                    submit(&task, number, name).map_err(|error| self.refused(py, name, error))?;
                }
                (!pending.is_empty()).then(|| finished(pending)).transpose()
            });
            let Some(answers) = answers? else { return Ok(()) };
            for (number, answer) in answers {
                tasks.extend(then(number, answer)?);
            }
            if progress.should_stop() {
                return Err(TaskError::Stopped);
            }
        }
    }
}

/// Describes an exception. An exception from Ray contains a traceback in its text, so we describe its cause, which is
/// the exception that the task raised.
fn error_of(error: PyErr) -> String {
    Python::attach(|py| {
        let cause = error.value(py).getattr("cause").ok();
        let cause = cause.filter(|it| it.is_instance_of::<PyBaseException>());
        let text = cause.map_or(error, PyErr::from_value).to_string();
        text.lines().next().unwrap_or_default().to_owned()
    })
}

/// Returns an error saying that a task failed. `name` is the task's file name, as in `ayo task next`.
fn failed(name: &str, error: PyErr) -> TaskError {
    TaskError::Runner(format!("task {name} failed: {}", error_of(error)))
}

/// Waits until a future has a result, but no longer than [`TIMEOUT`]. Removes all finished futures, and returns their
/// results with the numbers of their tasks.
fn finished(pending: &Bound<PyDict>) -> Result<Vec<(usize, Vec<u8>)>, TaskError> {
    let wait = || {
        let futures = pending.py().import("concurrent.futures")?;
        let waited = futures.call_method1("wait", (pending.keys(), TIMEOUT, "FIRST_COMPLETED"))?;
        waited.get_item(0)?.try_iter()?.collect::<PyResult<Vec<_>>>()
    };
    let futures = wait().map_err(|error| TaskError::Runner(error_of(error)))?;
    let answer = |future: Bound<PyAny>| {
        let task = pending.as_any().call_method1("pop", (&future,));
        let task = task.and_then(|it| it.extract::<(usize, String)>());
        let (number, name) = task.map_err(|error| TaskError::Runner(error_of(error)))?;
        let answer = future.call_method0("result").and_then(|it| it.extract());
        Ok((number, answer.map_err(|error| failed(&name, error))?))
    };
    futures.into_iter().map(answer).collect()
}
