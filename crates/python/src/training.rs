//! Training runs: their settings, the thread that trains, and the stream of events from this thread.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::{env, mem, process};

use evolve::run::{
    DEFAULT_PRESET, Draft, End, Event, FolderError, Run, RunFolder, RunState, Settings, StopPolicy,
    Summary, Trainer, Watched, damaged_lines, preset_of_game, presets,
};
use mancala::endgame::Tables;
use mancala::eval::{Strength, Weights, mean_strength};
use pyo3::exceptions::{PyOSError, PyOverflowError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use rayon::ThreadPool;
use serde_json::{Map, Value, json};

use crate::position::{Integer, invalid};
use crate::stored::{absolute, opened};
use crate::tasks::PythonRunner;
use crate::threads::{TICK, lock, new_pool, panicked};

/// The minimum size of endgame tables, as on the command line.
const MIN_SEEDS: u8 = 5;
const MAX_GENERATIONS: u32 = 10_000_000;
/// The level of the stack at which the user called `ayo.resume`, for warnings.
const CALLER: u32 = 2;

/// A training run in a separate thread.
#[pyclass(frozen, module = "ayo._ayo")]
pub(crate) struct Training {
    #[pyo3(get)]
    folder: PathBuf,
    #[pyo3(get)]
    settings: Vec<(&'static str, String)>,
    /// The number of the last generation that was evaluated before training began.
    #[pyo3(get)]
    start: u32,
    /// The number of the last generation that was evaluated.
    generation: Arc<AtomicU32>,
    stop: Arc<StopPolicy>,
    events: Mutex<Receiver<Value>>,
    thread: Mutex<Option<JoinHandle<Result<(), FolderError>>>>,
    /// The ID of the process in which the thread runs. A forked child does not have this thread.
    process: u32,
}

#[pymethods]
impl Training {
    #[getter]
    fn generation(&self) -> u32 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Asks the run to stop. The current generation is finished if that takes at most five seconds.
    fn stop(&self) -> PyResult<()> {
        self.check_process()?;
        self.stop.request();
        Ok(())
    }

    /// Whether the thread has ended.
    fn is_done(&self) -> bool {
        lock(&self.thread).as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Returns the next event as JSON, or `None` if there is none yet.
    fn poll_event(&self) -> PyResult<Option<String>> {
        self.check_process()?;
        Ok(lock(&self.events).try_recv().ok().map(|event| event.to_string()))
    }

    /// Waits for the next event and returns it as JSON, or `None` after the last one.
    fn next_event(&self, py: Python) -> PyResult<Option<String>> {
        self.check_process()?;
        loop {
            match py.detach(|| lock(&self.events).recv_timeout(TICK)) {
                Ok(event) => return Ok(Some(event.to_string())),
                Err(RecvTimeoutError::Disconnected) => return self.join(py).map(|()| None),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(signal) = py.check_signals() {
                self.stop.request();
                self.join(py)?;
                return Err(signal);
            }
        }
    }
}

impl Drop for Training {
    /// Forgets the thread in a forked process, where it doesn't exist. Detaching the thread there would cause a
    /// segmentation fault, and dropping its events might wait for it.
    fn drop(&mut self) {
        if self.process != process::id() {
            mem::forget(mem::take(&mut self.thread));
            mem::forget(mem::replace(&mut self.events, Mutex::new(mpsc::channel().1)));
        }
    }
}

impl Training {
    /// Starts training `run`. If `run` is `None`, nothing is left to do in the folder.
    fn start(
        folder: PathBuf,
        settings: Settings,
        mut run: Option<Run>,
        executor: Option<Py<PyAny>>,
        pool: ThreadPool,
        limit: Option<Duration>,
    ) -> PyResult<Training> {
        let stop = Arc::new(StopPolicy::new(limit.or(settings.usual_time())));
        if let Some(executor) = executor {
            let runner = Arc::new(PythonRunner(executor));
            let with_tasks =
                |run: Run| Run { trainer: run.trainer.with_task_runner(runner), ..run };
            run = run.map(with_tasks);
        }
        let (sender, events) = mpsc::channel();
        let done = run.as_ref().map_or(settings.generations, |run| run.trainer.generation());
        let generation = Arc::new(AtomicU32::new(done));
        let (policy, counter) = (Arc::clone(&stop), Arc::clone(&generation));
        let work = move || {
            let end = match run {
                Some(run) => pool.install(|| trained(run, &policy, &sender, &counter))?,
                None => End::Complete,
            };
            let _ = sender.send(json!({ "kind": "end", "end": end }));
            Ok(())
        };
        let thread = thread::Builder::new().name("ayo-train".into()).spawn(work)?;
        Ok(Training {
            folder,
            settings: listed(&settings),
            start: done,
            generation,
            stop,
            events: Mutex::new(events),
            thread: Mutex::new(Some(thread)),
            process: process::id(),
        })
    }

    /// Fails in a forked process, which does not have the thread.
    fn check_process(&self) -> PyResult<()> {
        let error =
            "this run trains in the process that started it, and cannot be used in a forked one";
        let is_own = self.process == process::id();
        is_own.then_some(()).ok_or_else(|| PyRuntimeError::new_err(error))
    }

    /// Waits until the thread has ended. If it panicked or returned an error, raises an exception.
    fn join(&self, py: Python) -> PyResult<()> {
        let Some(thread) = lock(&self.thread).take() else { return Ok(()) };
        match py.detach(|| thread.join()) {
            Ok(Ok(())) => Ok(()),
            // The folder of the run was deleted during training.
            Ok(Err(error @ FolderError::NoRun(_))) => Err(PyOSError::new_err(error.to_string())),
            Ok(Err(error)) => Err(refused(error)),
            Err(cause) => Err(panicked(&*cause)),
        }
    }
}

fn described(event: &Event) -> Vec<Value> {
    match event {
        Event::Generation { trainer, statistics, cost } => {
            let last = trainer.last().expect("a generation was evaluated");
            let generation = json!({
                "kind": "generation", "generation": statistics.generation,
                "best": statistics.best, "mean": statistics.mean, "worst": statistics.worst,
                "best_possible": trainer.settings().best_possible_fitness(statistics.generation),
                "sd": statistics.sd, "distinct": statistics.distinct,
                "games_asked": last.games_asked, "games_played": last.games_played,
                "nodes": cost.nodes, "seconds": cost.seconds,
            });
            iteration(trainer).into_iter().chain([generation]).collect()
        }
        Event::Measured { measurement, .. } => {
            let (score, margin) = measurement.strength();
            vec![json!({
                "kind": "measurement", "generation": measurement.generation,
                "score": score, "margin": margin, "against": against(&measurement.against),
                "seeds_lost": measurement.accuracy.map(|it| it.seeds_lost),
                "is_champion": measurement.is_champion,
            })]
        }
        Event::ChampionSelected(champion) => {
            let (score, margin) = mean_strength(&champion.strength).unzip();
            vec![json!({
                "kind": "champion",
                "generation": champion.provenance.as_ref().map(|it| it.generation),
                "score": score, "margin": margin,
                "weights": by_feature(champion), "against": against(&champion.strength),
            })]
        }
        Event::Begins(..) | Event::End { .. } => Vec::new(),
    }
}

/// If the last generation began an iteration of learned features, describes that iteration.
fn iteration(trainer: &Trainer) -> Option<Value> {
    let fit = trainer.optimiser().fit()?;
    Some(json!({
        "kind": "iteration", "generation": trainer.generation(), "iteration": fit.iteration,
        "layer": fit.layer, "positions": fit.positions, "losses": fit.losses,
        "labeller": fit.labeller,
    }))
}

fn against(strength: &[Strength]) -> Value {
    let score = |it: &Strength| (it.opponent.clone(), it.score.into());
    Value::Object(strength.iter().map(score).collect())
}

fn by_feature(weights: &Weights) -> Map<String, Value> {
    let features = weights.features().features().iter().map(|it| it.name().to_owned());
    features.zip(weights.values().iter().map(|&it| it.into())).collect()
}

/// Converts an error that occurred while accessing a run folder.
fn refused(error: FolderError) -> PyErr {
    match error {
        FolderError::File(error) => PyOSError::new_err(error.to_string()),
        FolderError::Occupied(ref path) => {
            invalid(format!("{error}: continue it with ayo.resume({path:?}), or give another out"))
        }
        FolderError::Busy(path) => invalid(format!(
            "a run of this or another process is training in {}: first call its stop() and wait(), or \
             create a file named stop in the folder",
            path.display()
        )),
        error => invalid(error),
    }
}

/// Reads settings, given as names and texts, starting from a preset (by default, the preset for the game).
pub(crate) fn settings_of(
    preset: Option<&str>,
    settings: &[(String, String)],
) -> PyResult<Settings> {
    let game = settings.iter().find(|(name, _)| name == "game").map(|(_, game)| game.parse());
    let game = game.transpose().map_err(|error: String| invalid(error))?;
    let preset = preset.unwrap_or(game.as_ref().map_or(DEFAULT_PRESET, preset_of_game));
    let mut draft = Draft::preset(preset).map_err(invalid)?;
    // Set the game first, because it may change the defaults of other settings.
    let (first, rest): (Vec<_>, Vec<_>) = settings.iter().partition(|(name, _)| name == "game");
    for (name, value) in first.into_iter().chain(rest) {
        if ["preset", "parent", "config", "start_from"].contains(&name.as_str()) {
            let advice = match name.as_str() {
                "start_from" => "; on the command line, use `ayo train --start-from`",
                _ => "",
            };
            return Err(invalid(format!("{name}: cannot be set in Python{advice}")));
        }
        draft.set(name, value).map_err(invalid)?;
    }
    let settings = draft.finish().map_err(invalid)?;
    settings.check_layer().map_err(invalid)?;
    Ok(settings)
}

/// Returns the names and values of settings, as on the command line, without the parent, which cannot be set.
fn listed(settings: &Settings) -> Vec<(&'static str, String)> {
    let entries = settings.entries().into_iter().filter(|entry| entry.name != "parent");
    entries.map(|entry| (entry.name, entry.plain().to_owned())).collect()
}

/// Returns all settings of a run.
#[pyfunction]
pub(crate) fn list_settings(
    preset: Option<&str>,
    settings: Vec<(String, String)>,
) -> PyResult<Vec<(&'static str, String)>> {
    settings_of(preset, &settings).map(|it| listed(&it))
}

/// Returns the names of the presets for `train`.
#[pyfunction]
pub(crate) fn preset_names() -> Vec<&'static str> {
    presets().collect()
}

/// Raises `ValueError` if a run's history or strength table has been changed, or if its history lacks rows.
#[pyfunction]
pub(crate) fn check_run(folder: PathBuf) -> PyResult<()> {
    match &*damaged_lines(&folder).map_err(|error| refused(error.into()))? {
        [] => Ok(()),
        [line, ..] => Err(invalid(format!("{line}; \"ayo doctor\" shows what can be recovered"))),
    }
}

/// Starts a run.
#[pyfunction]
pub(crate) fn train(
    py: Python,
    preset: Option<&str>,
    settings: Vec<(String, String)>,
    out: Option<PathBuf>,
    tables: Option<PathBuf>,
    threads: Option<Integer>,
    max_time: Option<Seconds>,
    executor: Option<Py<PyAny>>,
) -> PyResult<Training> {
    let limit = limit_of(max_time)?;
    let has_seed = settings.iter().any(|(name, _)| name == "seed");
    let settings = settings_of(preset, &settings)?;
    let pool = new_pool(threads)?;
    let tables = py.detach(|| tables_of(tables.as_deref(), &settings))?;
    // The paths of a run are absolute, because the program may change its working directory while the run trains.
    let out = out.or_else(|| has_seed.then(|| settings.default_folder()));
    let run = match out {
        Some(path) => Run::create(&absolute(path)?, settings, tables),
        None => Run::create_with_free_seed(&env::current_dir()?, &settings, tables.as_ref()),
    };
    let run = run.map_err(refused)?;
    let (folder, settings) = (run.folder.path().to_owned(), run.trainer.settings().clone());
    Training::start(folder, settings, Some(run), executor, pool, limit)
}

/// A time in seconds. An integer that is too large for a float becomes infinity, which is rejected as out of range.
pub(crate) struct Seconds(f64);

impl FromPyObject<'_, '_> for Seconds {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Seconds> {
        match object.extract::<f64>() {
            Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
                Ok(Seconds(f64::INFINITY))
            }
            seconds => seconds.map(Seconds).map_err(|_| {
                let text =
                    format!("max_time is {object:?}: give a number of seconds, such as 60.0");
                PyTypeError::new_err(text)
            }),
        }
    }
}

fn limit_of(max_time: Option<Seconds>) -> PyResult<Option<Duration>> {
    let limit = |Seconds(seconds)| {
        let error = |_| invalid(format!("max_time is {seconds}: give a number of seconds from 0"));
        Duration::try_from_secs_f64(seconds).map_err(error)
    };
    max_time.map(limit).transpose()
}

/// Continues a run, optionally with a different total number of generations.
#[pyfunction]
pub(crate) fn resume(
    py: Python,
    folder: PathBuf,
    generations: Option<Integer>,
    tables: Option<PathBuf>,
    threads: Option<Integer>,
    max_time: Option<Seconds>,
    executor: Option<Py<PyAny>>,
) -> PyResult<Training> {
    let (limit, folder) = (limit_of(max_time)?, absolute(folder)?);
    let before = Summary::of(&folder).map_err(refused)?;
    let least = before.generation.max(1);
    let generations = generations.map(|it| it.within("generations", least..=MAX_GENERATIONS));
    let generations = generations.transpose()?;
    let pool = new_pool(threads)?;
    let is_raised = generations.is_some_and(|requested| requested > before.settings.generations);
    let tables = match before.state == RunState::Complete && !is_raised {
        true => None,
        false => {
            let tables = py.detach(|| tables_of(tables.as_deref(), &before.settings))?;
            RunFolder::check_tables(&folder, tables.as_deref()).map_err(refused)?;
            tables
        }
    };
    let mut resumed = RunFolder::resume(&folder, generations).map_err(refused)?;
    let settings = resumed.trainer.settings().clone();
    let is_finished = before.is_finished(&resumed.trainer);
    for warning in before.keep_champion(&mut resumed).map_err(|error| refused(error.into()))? {
        py.import("warnings")?.call_method1("warn", (warning, py.None(), CALLER))?;
    }
    let run = Run { folder: resumed.folder, trainer: resumed.trainer, tables };
    Training::start(folder, settings, (!is_finished).then_some(run), executor, pool, limit)
}

/// Trains a run. Sends its events to `events`, and sets `generation` to the number of each generation as it ends.
fn trained(
    run: Run,
    stop: &StopPolicy,
    events: &Sender<Value>,
    generation: &AtomicU32,
) -> Result<End, FolderError> {
    let mut observer = |event: &Event| {
        if let Event::Generation { statistics, .. } = event {
            generation.store(statistics.generation, Ordering::Relaxed);
        }
        described(event).into_iter().for_each(|event| drop(events.send(event)));
        Ok(())
    };
    Ok(run.train(&Watched { progress: &(), stop }, &mut observer)?.end?)
}

/// Opens the endgame tables of a run, which must be undamaged. Fails if the run needs tables and there are none.
fn tables_of(folder: Option<&Path>, settings: &Settings) -> PyResult<Option<Arc<Tables>>> {
    let Some(folder) = folder else {
        let Some(it) = settings.own.table_fitness() else { return Ok(None) };
        return Err(invalid(format!(
            "fitness is {}: give the folder of endgame tables",
            it.fitness
        )));
    };
    if settings.measure_every == 0 && settings.own.table_fitness().is_none() {
        return Err(invalid(
            "the run does not use tables, because measure_every is 0 and fitness is tournament",
        ));
    }
    let tables = opened(&absolute(folder)?, settings.rules)?;
    if tables.max_seeds() < MIN_SEEDS {
        let (folder, most) = (folder.display(), tables.max_seeds());
        return Err(invalid(format!(
            "{folder}: the tables have at most {most} seeds, but at least {MIN_SEEDS} are required"
        )));
    }
    Ok(Some(Arc::new(tables)))
}
