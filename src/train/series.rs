//! `ayo train --seeds`: trains several runs in parallel that differ only in their seed.

mod result;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use std::{panic, thread};

use evolve::run::{
    Event, FolderError, RUNS, Run, RunFolder, RunState, Settings, Status, StatusPart, Summary,
};

use self::result::{Series, SeriesRun};
use super::progress::{Interruption, RunDisplay};
use super::report::{Ended, begun_json, event_json, print_champion, print_continuation};
use super::request::NewRun;
use super::resume::{Resumed, resume};
use super::session::{Observers, RuntimeOptions, listen, release, train_observed};
use super::{folder_error, tables};
use crate::lock;
use crate::terminal::{
    Meter, Verbosity, announce, announce_json, counted, sentence, shown, time_left, usage, warn,
};

/// Distinct seeds in ascending order, written as `1..5`, `3` or `1,4,9`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seeds(pub(crate) Vec<u64>);

const MAX_SEEDS: u64 = 1000;

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let error = || "write a range, such as 1..5, or a list, such as 1,4,9".to_owned();
        let number = |text: &str| match text.parse::<u64>().map_err(|_| error())? {
            // TOML integers can't hold larger seeds.
            seed if seed > i64::MAX as u64 => Err(format!("the largest seed is {}", i64::MAX)),
            seed => Ok(seed),
        };
        let mut seeds = match text.split_once("..") {
            None => text.split(',').map(number).collect::<Result<Vec<_>, _>>()?,
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last)?);
                let count = last.checked_sub(first).ok_or_else(error)?;
                if count >= MAX_SEEDS {
                    return Err(format!("more than {MAX_SEEDS} seeds"));
                }
                (first..=last).collect()
            }
        };
        let all = seeds.len();
        seeds.sort_unstable();
        seeds.dedup();
        if seeds.len() < all { Err("a seed is given twice".into()) } else { Ok(Seeds(seeds)) }
    }
}

#[derive(Debug, Clone)]
struct Task {
    settings: Settings,
    folder: PathBuf,
    /// Whether a run that reached its time limit counts as finished.
    has_time_limit: bool,
}

impl Task {
    /// Returns the existing run and whether it is finished, or `None` if it hasn't begun. Fails if the folder contains
    /// a different run or is in use by another process.
    fn run(&self) -> anyhow::Result<Option<(Summary, bool)>> {
        match RunFolder::check_free(&self.folder) {
            Ok(()) => return Ok(None),
            Err(FolderError::Occupied(_)) => {}
            Err(error) => return Err(folder_error(error)),
        }
        let run = Summary::of(&self.folder).map_err(folder_error)?;
        self.check(&run.settings)?;
        let is_over = run.state == RunState::Stopped && is_out_of_time(&run);
        let is_finished = run.state == RunState::Complete || self.has_time_limit && is_over;
        let is_extended = self.settings.generations > run.settings.generations;
        Ok(Some((run, is_finished && !is_extended)))
    }

    /// Checks that the existing run has the same settings, except that the number of generations may be increased.
    fn check(&self, there: &Settings) -> anyhow::Result<()> {
        let is_longer = there.generations > self.settings.generations;
        let entries = self.settings.entries().into_iter().zip(there.entries());
        let mut differing = entries.filter(|(here, there)| {
            (&here.name, &here.value) != (&there.name, &there.value)
                && (here.name != "generations" || is_longer)
        });
        let Some((here, there)) = differing.next() else { return Ok(()) };
        let (folder, name) = (self.folder.display(), here.name);
        let (here, there) = (here.plain(), there.plain());
        Err(usage(format!(
            "{folder} contains a run with different settings: {name} is {there} instead of {here}; give the same, or another --out"
        )))
    }

    fn open(&self, tables: Option<&Path>) -> anyhow::Result<Resumed> {
        if self.run()?.is_some() {
            return resume(&self.folder, Some(self.settings.generations), tables);
        }
        let tables = tables::of_run(tables, &self.settings)?;
        let run = Run::create(&self.folder, self.settings.clone(), tables).map_err(folder_error)?;
        Ok(Resumed { run, is_finished: false, warnings: Vec::new() })
    }
}

/// Returns whether a run reached its time limit, or has a champion that was selected by final games and measured.
fn is_out_of_time(run: &Summary) -> bool {
    run.champion.as_ref().is_some_and(|it| !it.strength.is_empty())
        || Status::read(&run.path).is_some_and(|it| it.part == StatusPart::OutOfTime)
}

#[derive(Clone)]
pub(super) struct SeriesRequest<'a> {
    pub(super) new: &'a NewRun,
    pub(super) seeds: &'a Seeds,
    /// The folder name, to which the seed of each run is appended.
    pub(super) out: Option<&'a Path>,
    pub(super) runtime: &'a RuntimeOptions,
}

impl SeriesRequest<'_> {
    fn tasks(&self) -> anyhow::Result<Vec<Task>> {
        if let Some(out) = self.out.filter(|out| out.file_name().is_none()) {
            let out = shown(out);
            return Err(usage(format!(
                "--out {out}: --seeds needs a folder name, as in {RUNS}/mine"
            )));
        }
        let has_time_limit = self.runtime.limit(&self.new.settings).is_some();
        let task = |&seed: &u64| {
            let settings = self.new.settings.with_seed(seed);
            let with_seed = |out: &Path| {
                let name = out.file_name().unwrap_or_default().to_string_lossy();
                out.with_file_name(format!("{name}-{seed}"))
            };
            let folder = self.out.map_or_else(|| settings.default_folder(), with_seed);
            Task { settings, folder, has_time_limit }
        };
        Ok(self.seeds.0.iter().map(task).collect())
    }

    /// Trains the unfinished runs, then prints a summary of all runs and suggested commands.
    pub(super) fn train(
        &self,
        caution: Option<String>,
        out: &mut dyn Write,
    ) -> anyhow::Result<ExitCode> {
        let (tasks, interruption) = (self.tasks()?, listen()?);
        self.runtime.check()?;
        // We check that all runs can be trained before we spend hours on some of them.
        let mut unfinished = Vec::new();
        for (index, task) in tasks.iter().enumerate() {
            if !matches!(task.run()?, Some((_, true))) {
                unfinished.push(index);
            }
        }
        caution.filter(|_| !unfinished.is_empty()).iter().for_each(warn);
        let mut first = None;
        if self.runtime.detach
            && let Some(&index) = unfinished.first()
        {
            // Start this run before we return to the terminal, so that it can be followed at once.
            first = Some(tasks[index].open(self.runtime.tables.as_deref())?);
            release(&counted(unfinished.len() as u64, "run"), &tasks[index].folder, out)?;
        }
        let is_interrupted =
            self.train_unfinished(&tasks, &unfinished, first, &interruption, out)?;
        let series = self.result(&tasks, is_interrupted)?;
        if self.runtime.json {
            announce_json(&series, out)?;
        } else {
            series.print(out)?;
        }
        Ok(ExitCode::from(if is_interrupted { 130 } else { 0 }))
    }

    /// Trains runs in parallel. Each thread takes the next run. If there is none left, it helps the other threads, so
    /// that no thread is idle, and more threads are never slower. Returns whether the series was interrupted.
    fn train_unfinished(
        &self,
        tasks: &[Task],
        unfinished: &[usize],
        first: Option<Resumed>,
        interruption: &Interruption,
        out: &mut dyn Write,
    ) -> anyhow::Result<bool> {
        if unfinished.is_empty() {
            return Ok(false);
        }
        let pool = self.runtime.workers.pool()?;
        let progress = SeriesProgress::new(unfinished.len(), self.runtime.workers.verbosity);
        let (next, first) = (AtomicUsize::new(0), Mutex::new(first));
        let (sender, texts) = mpsc::channel();
        // Train run after run until none are left. The first run that fails or is stopped ends the series.
        let train_some = |sender: &Sender<String>| {
            while !interruption.is_interrupted() {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(&index) = unfinished.get(place) else { break };
                let open = || tasks[index].open(self.runtime.tables.as_deref());
                let first = (place == 0).then(|| lock(&first).take()).flatten();
                let is_finished = first.map_or_else(open, Ok).and_then(|run| {
                    self.train_one(run, tasks, (place, index), interruption, &progress, sender)
                });
                if !matches!(is_finished, Ok(true)) {
                    interruption.interrupt();
                }
                is_finished?;
            }
            anyhow::Ok(())
        };
        let results = thread::scope(|scope| {
            let training = scope.spawn(|| {
                let sender = sender;
                pool.broadcast(|_| train_some(&sender))
            });
            // Only this thread writes to standard output. The channel closes when training ends.
            let printed = texts.iter().try_for_each(|text: String| announce(&text, out));
            if printed.is_err() {
                interruption.interrupt();
            }
            let results = training.join().unwrap_or_else(|cause| panic::resume_unwind(cause));
            printed.map(|()| results)
        });
        progress.meter.finish();
        let mut errors = results?.into_iter().filter_map(Result::err);
        let first = errors.next();
        errors.for_each(|error| warn(sentence(&error)));
        first.map_or(Ok(interruption.is_interrupted()), Err)
    }

    /// Performs one run on this thread. Returns whether it's finished. `place` is the index in the progress display.
    fn train_one(
        &self,
        Resumed { run, is_finished, warnings }: Resumed,
        tasks: &[Task],
        (place, index): (usize, usize),
        interruption: &Interruption,
        progress: &SeriesProgress,
        sender: &Sender<String>,
    ) -> anyhow::Result<bool> {
        // This can't fail, because the receiver outlives training.
        let send = |text| sender.send(text).unwrap_or_default();
        let task = &tasks[index];
        warnings.iter().for_each(warn);
        if is_finished {
            // Another process has finished this run in the meantime.
            progress.finish(place);
            return Ok(true);
        }
        let settings = &task.settings;
        let (folder, before) = (shown(&task.folder), run.trainer.generation());
        let resumed = match before {
            0 => String::new(),
            done => format!(", resumed {}", self.runtime.after(done, settings)),
        };
        let (number, all, seed) = (index + 1, tasks.len(), settings.seed);
        let heading = format!("run {number} of {all}: {folder}, seed {seed}{resumed}");
        if self.runtime.json {
            send(begun_json(&run).to_string());
        }
        let stop = interruption.guard(self.runtime.stop_policy(settings));
        let display = Arc::new(RunDisplay::new(&stop, settings, before, Verbosity { quiet: true }));
        progress.begin(place, display.share());
        let shared = Arc::clone(&display);
        let forward = |event: &Event| {
            progress.show(place, shared.share());
            if self.runtime.json
                && let Some(mut event) = event_json(event)
            {
                // The events of several runs are interleaved, so each event names its run folder.
                event["folder"] = folder.as_str().into();
                send(event.to_string());
            }
        };
        let observers = Observers { display, forward, report: self.runtime.report };
        let ended = train_observed(run, &stop, observers)?;
        progress.finish(place);
        send(match self.runtime.json {
            true => ended.json().to_string(),
            false => format!("{heading}\n{}", end_text(&ended)?),
        });
        Ok(!ended.is_unfinished())
    }

    fn result(&self, tasks: &[Task], interrupted: bool) -> anyhow::Result<Series> {
        let tables = self.runtime.tables.as_deref();
        let run = |task: &Task| {
            anyhow::Ok(match task.run()? {
                None => SeriesRun::new(&task.folder, task.settings.seed),
                Some((run, is_finished)) => SeriesRun::of(&run, is_finished, tables),
            })
        };
        let runs = tasks.iter().map(run).collect::<anyhow::Result<_>>()?;
        Ok(Series::of(&self.new.settings.preset, runs, interrupted))
    }

    pub(super) fn list_folders(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "\n# One run for each of {}:", counted(self.seeds.0.len() as u64, "seed"))?;
        for task in self.tasks()? {
            let state = match task.run() {
                Ok(None) => String::new(),
                Ok(Some((_, true))) => ", finished".into(),
                Ok(Some((it, false))) => format!(", continues after generation {}", it.generation),
                Err(error) => format!(", cannot be started: {error:#}"),
            };
            writeln!(out, "#   {}{state}", shown(&task.folder))?;
        }
        Ok(())
    }
}

fn end_text(ended: &Ended) -> anyhow::Result<String> {
    let mut text = Vec::new();
    writeln!(text, "{}", ended.totals())?;
    print_champion(&ended.summary, &mut text)?;
    if ended.summary.lacks_finals {
        print_continuation(ended, &mut text)?;
    }
    Ok(String::from_utf8(text)?)
}

struct SeriesProgress {
    meter: Meter,
    begun: Instant,
    runs: Mutex<Vec<RunProgress>>,
}

#[derive(Clone, Copy, Default)]
struct RunProgress {
    /// How much of the run was complete before this command started, from 0 to 1.
    before: f64,
    done: f64,
    is_running: bool,
}

/// The number of progress bar steps per run.
const STEPS: f64 = 1000.0;

impl SeriesProgress {
    fn new(runs: usize, verbosity: Verbosity) -> SeriesProgress {
        let meter = Meter::new(runs as u64 * STEPS as u64, verbosity);
        meter.begin(format!("{} to train", counted(runs as u64, "run")));
        let runs = Mutex::new(vec![RunProgress::default(); runs]);
        SeriesProgress { meter, begun: Instant::now(), runs }
    }

    fn begin(&self, place: usize, done: f64) {
        lock(&self.runs)[place] = RunProgress { before: done, done, is_running: true };
    }

    fn finish(&self, place: usize) {
        let run = &mut lock(&self.runs)[place];
        let before = if run.is_running { run.before } else { 1.0 };
        *run = RunProgress { before, done: 1.0, is_running: false };
    }

    fn show(&self, place: usize, done: f64) {
        let mut runs = lock(&self.runs);
        runs[place].done = done;
        let all = runs.len();
        let running = runs.iter().filter(|run| run.is_running).count();
        let finished = runs.iter().filter(|run| !run.is_running && run.done > 0.0).count();
        let done: f64 = runs.iter().map(|run| run.done).sum();
        let before: f64 = runs.iter().map(|run| run.before).sum();
        let steps = |share: f64| (STEPS * share) as u64;
        let left = time_left(self.begun, steps(done - before), steps(all as f64 - before));
        self.meter.set_position(steps(done));
        self.meter.say(format!("{finished} of {all} runs finished, {running} running{left}"));
    }
}
