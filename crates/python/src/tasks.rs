//! Tasks of a run: computing one, and a runner that submits them to a Python executor.

use std::borrow::Cow;
use std::sync::Arc;

use evolve::run::StopPolicy;
use evolve::task::{self, TaskError, TaskRunner, Then};
use mancala::progress::Progress;
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
pub(crate) struct PythonRunner {
    pub(crate) executor: Py<PyAny>,
    pub(crate) stop: Arc<StopPolicy>,
}

impl TaskRunner for PythonRunner {
    fn run(
        &self,
        tasks: Vec<Vec<u8>>,
        then: &mut Then<'_>,
        _: &dyn Progress,
    ) -> Result<(), TaskError> {
        let pending = Python::attach(|py| PyDict::new(py).unbind());
        let end = self.compute(tasks, then, &pending);
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

/// Seconds between two looks at whether the run was asked to stop.
const TIMEOUT: f64 = 0.2;

impl PythonRunner {
    /// Computes tasks. `pending` contains the futures without a result, with the numbers of their tasks.
    fn compute(
        &self,
        mut tasks: Vec<Vec<u8>>,
        then: &mut Then<'_>,
        pending: &Py<PyDict>,
    ) -> Result<(), TaskError> {
        let mut numbers = 0usize..;
        loop {
            let answers = Python::attach(|py| {
                let pending = pending.bind(py);
                let function = py.import("ayo")?.getattr("run_task")?;
                for (task, number) in tasks.drain(..).zip(&mut numbers) {
                    let work = (&function, PyBytes::new(py, &task));
                    pending.set_item(self.executor.call_method1(py, "submit", work)?, number)?;
                }
                (!pending.is_empty()).then(|| finished(pending)).transpose()
            });
            let Some(answers) = answers.map_err(|error| TaskError::Runner(error.to_string()))? else {
                return Ok(());
            };
            for (number, answer) in answers {
                tasks.extend(then(number, answer)?);
            }
            if self.stop.end().is_some() {
                return Err(TaskError::Stopped);
            }
        }
    }
}

/// Waits until a future has a result, but not longer than the timeout. Removes all such futures, and returns their
/// results with the numbers of the tasks.
fn finished(pending: &Bound<PyDict>) -> PyResult<Vec<(usize, Vec<u8>)>> {
    let futures = pending.py().import("concurrent.futures")?;
    let waited = futures.call_method1("wait", (pending.keys(), TIMEOUT, "FIRST_COMPLETED"))?;
    let mut answers = Vec::new();
    for future in waited.get_item(0)?.try_iter()? {
        let future = future?;
        let number = pending.as_any().call_method1("pop", (&future,))?;
        answers.push((number.extract()?, future.call_method0("result")?.extract()?));
    }
    Ok(answers)
}
