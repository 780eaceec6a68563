//! `train --seeds`: runs that differ only in the seed, trained side by side.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use std::{panic, thread};

use serde::Serialize;

use super::drive::{Effort, Observers, listen, train_watched};
use super::refusals::{task_error, warn_of};
use super::report::{Ended, say_champion, say_how_to_go_on, say_how_to_play};
use crate::app::resume::Rest;
use crate::app::series::{Limit, Standing, Task, tasks};
use crate::app::train::NewRun;
use crate::cli::progress::{Bar, Leaving, Watch};
use crate::cli::seeds::Seeds;
use crate::cli::usage;
use crate::compare::MeanScore;
use crate::results::Completion;
use crate::results::{Begun, Series, SeriesRun, SeriesState, TrainingEvent, incomparable};
use crate::terminal::error::sentence;
use crate::terminal::meter::{Meter, Verbosity, counted, time_left};
use crate::terminal::output::{announce, announce_json};
use crate::terminal::shell::program;
use crate::terminal::{shell, shown, warn};
use evolve::run::{Event, RUNS, StopPolicy, Summary};

/// Runs of several seeds, as requested on the command line.
pub(super) struct SeriesRequest<'a> {
    pub(super) new: &'a NewRun,
    pub(super) seeds: &'a Seeds,
    /// Folder of the runs, to whose name each seed is appended.
    pub(super) out: Option<&'a Path>,
    pub(super) tables: Option<&'a Path>,
    /// A warning about the tables.
    pub(super) caution: Option<String>,
    pub(super) effort: &'a Effort,
}

/// A message from the threads that train to the thread that prints.
enum Update {
    Begun(Begun),
    Event(RunEvent),
    Ended { heading: String, ended: Box<Ended> },
}

/// An event with the folder of its run: events of several runs are interleaved.
#[derive(Serialize)]
struct RunEvent {
    #[serde(flatten)]
    event: TrainingEvent,
    folder: String,
}

/// How training a run on a thread of the series ended.
enum Done {
    Finished,
    Interrupted,
}

/// The state that the threads of a series share.
struct Shared<'a> {
    tasks: &'a [Task],
    /// Indices of the runs that are not finished.
    unfinished: &'a [usize],
    /// Place in `unfinished` of the run that the next idle thread takes.
    next: AtomicUsize,
    leaving: &'a Leaving,
    progress: SeriesProgress,
}

impl SeriesRequest<'_> {
    fn tasks(&self) -> anyhow::Result<Vec<Task>> {
        if let Some(out) = self.out.filter(|out| out.file_name().is_none()) {
            let out = shown(out);
            return Err(usage(format!("--out {out}: with --seeds give a name, as in {RUNS}/mine")));
        }
        Ok(tasks(self.new, self.seeds.all(), self.out))
    }

    fn limit(&self) -> Limit {
        match self.effort.limit(self.new.settings()) {
            Some(_) => Limit::Time,
            None => Limit::Generations,
        }
    }

    /// Trains the runs that are not finished, then prints a summary of all and what to type next.
    pub(super) fn train(&self, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
        let (tasks, leaving) = (self.tasks()?, listen()?);
        self.effort.check()?;
        // A run that cannot be trained is reported now, not after hours of training the others.
        let mut unfinished = Vec::new();
        for (index, task) in tasks.iter().enumerate() {
            if !matches!(task.standing(self.limit()).map_err(task_error)?, Standing::Finished(_)) {
                unfinished.push(index);
            }
        }
        let is_interrupted = self.train_unfinished(&tasks, &unfinished, &leaving, out)?;
        let completion =
            if is_interrupted { Completion::Interrupted } else { Completion::Finished };
        let found = self.found(&tasks, completion)?;
        if self.effort.json {
            announce_json(&found, out)?;
        } else {
            print(&found, out)?;
        }
        Ok(ExitCode::from(if is_interrupted { 130 } else { 0 }))
    }

    /// Trains runs side by side: each thread takes the next one, and threads without a run play games of the others. All
    /// threads work until the end, and more threads never take longer. Returns whether the series was interrupted.
    fn train_unfinished(
        &self,
        tasks: &[Task],
        unfinished: &[usize],
        leaving: &Leaving,
        out: &mut dyn Write,
    ) -> anyhow::Result<bool> {
        if unfinished.is_empty() {
            return Ok(false);
        }
        if let Some(caution) = &self.caution {
            warn(caution);
        }
        let pool = self.effort.workers().pool()?;
        let progress = SeriesProgress::new(unfinished.len(), self.effort.workers().verbosity());
        let next = AtomicUsize::new(0);
        let shared = Shared { tasks, unfinished, next, leaving, progress };
        let (sender, updates) = mpsc::channel();
        let results = thread::scope(|scope| {
            let shared = &shared;
            let training =
                scope.spawn(move || pool.broadcast(|_| self.train_some(shared, &sender)));
            // Standard output belongs to this thread. The updates end with the training.
            let printed = updates.iter().try_for_each(|update| self.print_update(update, out));
            if printed.is_err() {
                leaving.interrupt();
            }
            let results = training.join().unwrap_or_else(|cause| panic::resume_unwind(cause));
            printed.map(|()| results)
        });
        shared.progress.meter.finish();
        let mut errors = results?.into_iter().filter_map(Result::err);
        let first = errors.next();
        errors.for_each(|error| warn(sentence(&error)));
        first.map_or(Ok(leaving.has_come()), Err)
    }

    /// Trains one run after the other on this thread until all are taken. The first failure or stop ends the series.
    fn train_some(&self, shared: &Shared, sender: &Sender<Update>) -> anyhow::Result<()> {
        while !shared.leaving.has_come() {
            let place = shared.next.fetch_add(1, Ordering::Relaxed);
            let Some(&index) = shared.unfinished.get(place) else { break };
            let result = self.train_one(shared, (place, index), sender);
            if !matches!(result, Ok(Done::Finished)) {
                shared.leaving.interrupt();
            }
            result?;
        }
        Ok(())
    }

    /// Trains the run of a task on this thread; `place` is its place in the progress display.
    fn train_one(
        &self,
        shared: &Shared,
        (place, index): (usize, usize),
        sender: &Sender<Update>,
    ) -> anyhow::Result<Done> {
        // The receiver outlives the training.
        let send = |update| sender.send(update).unwrap_or_default();
        let task = &shared.tasks[index];
        let resumed = task.open(self.tables, self.limit()).map_err(task_error)?;
        warn_of(&resumed, &task.folder);
        if resumed.rest == Rest::Nothing {
            // Another process has finished it meanwhile.
            shared.progress.finish(place);
            return Ok(Done::Finished);
        }
        let (run, settings) = (resumed.run, &task.settings);
        let (folder, before) = (shown(&task.folder), run.trainer.generation());
        let resumed = match before {
            0 => String::new(),
            done => format!(", resumed {}", self.effort.after(done, settings)),
        };
        let (number, all, seed) = (index + 1, shared.tasks.len(), settings.seed);
        let heading = format!("run {number} of {all}: {folder}, seed {seed}{resumed}");
        if self.effort.json {
            send(Update::Begun(Begun::of(run.folder.path(), &run.trainer)));
        }
        let stop = shared.leaving.guard(StopPolicy::new(self.effort.limit(settings)));
        let watch = Watch::new(&stop, settings, before, Verbosity::Quiet);
        shared.progress.begin(place, watch.bar());
        let forward = |event: &Event| {
            shared.progress.show();
            if self.effort.json
                && let Some(event) = TrainingEvent::of(event)
            {
                send(Update::Event(RunEvent { event, folder: folder.clone() }));
            }
        };
        let ended = train_watched(run, &stop, Observers { watch, glimpses: None, forward })?;
        shared.progress.finish(place);
        let done = if ended.is_left() { Done::Interrupted } else { Done::Finished };
        send(Update::Ended { heading, ended: Box::new(ended) });
        Ok(done)
    }

    fn print_update(&self, update: Update, out: &mut dyn Write) -> anyhow::Result<()> {
        match update {
            Update::Begun(begun) => announce_json(&begun, out),
            Update::Event(event) => announce_json(&event, out),
            Update::Ended { ended, .. } if self.effort.json => announce_json(&ended.result(), out),
            Update::Ended { heading, ended } => {
                announce(&heading, out)?;
                announce(&ended.totals(), out)?;
                say_champion(&ended.summary, out)?;
                if ended.summary.lacks_finals {
                    say_how_to_go_on(&ended, out)?;
                }
                announce("", out)
            }
        }
    }

    /// The results in the folders of all runs.
    fn found(&self, tasks: &[Task], completion: Completion) -> anyhow::Result<Series> {
        let run = |task: &Task| {
            let run = match task.standing(self.limit()).map_err(task_error)? {
                Standing::New => SeriesRun::new(&task.folder, task.settings.seed),
                Standing::Begun(run) => SeriesRun::of(&run, SeriesState::Begun),
                Standing::Finished(run) => SeriesRun::of(&run, SeriesState::Finished),
            };
            anyhow::Ok(run)
        };
        let runs = tasks.iter().map(run).collect::<anyhow::Result<_>>()?;
        let settings = self.new.settings();
        Ok(Series::of(&settings.preset, runs, completion))
    }

    /// Says which runs there would be.
    pub(super) fn say_folders(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "\n# A run for each of {}:", counted(self.seeds.all().len() as u64, "seed"))?;
        for task in self.tasks()? {
            let standing = match task.standing(self.limit()) {
                Ok(Standing::New) => String::new(),
                Ok(Standing::Begun(run)) => format!(", to go on after {}", run.generation),
                Ok(Standing::Finished(_)) => ", finished".into(),
                Err(refusal) => format!(", which cannot be: {:#}", task_error(refusal)),
            };
            writeln!(out, "#   {}{standing}", shown(&task.folder))?;
        }
        Ok(())
    }
}

/// One bar for all runs of a series.
struct SeriesProgress {
    meter: Meter,
    begun: Instant,
    runs: Mutex<Vec<RunProgress>>,
}

/// How far a run of a series is.
enum RunProgress {
    Waiting,
    /// The bar of the run, and the share of it that was done before this command.
    Running(Arc<Bar>, f64),
    Finished(f64),
}

/// Length of a run on the bar.
const STEPS: f64 = 1000.0;

impl SeriesProgress {
    fn new(runs: usize, verbosity: Verbosity) -> SeriesProgress {
        let meter = Meter::new(runs as u64 * STEPS as u64, verbosity);
        meter.begin(format!("{} to train", counted(runs as u64, "run")));
        let runs = (0..runs).map(|_| RunProgress::Waiting).collect();
        SeriesProgress { meter, begun: Instant::now(), runs: Mutex::new(runs) }
    }

    fn begin(&self, place: usize, bar: Arc<Bar>) {
        let share = bar.share();
        self.runs()[place] = RunProgress::Running(bar, share);
    }

    fn finish(&self, place: usize) {
        let run = &mut self.runs()[place];
        let before = if let RunProgress::Running(_, before) = run { *before } else { 1.0 };
        *run = RunProgress::Finished(before);
    }

    fn runs(&self) -> MutexGuard<'_, Vec<RunProgress>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self) {
        let (mut finished, mut running, mut share, mut before) = (0, 0, 0.0, 0.0);
        let runs = self.runs();
        for run in runs.iter() {
            match run {
                RunProgress::Waiting => {}
                RunProgress::Running(bar, share_before) => {
                    (running, share, before) =
                        (running + 1, share + bar.share(), before + share_before);
                }
                RunProgress::Finished(share_before) => {
                    (finished, share, before) = (finished + 1, share + 1.0, before + share_before);
                }
            }
        }
        let steps = |share: f64| (STEPS * share) as u64;
        let left = time_left(self.begun, steps(share - before), steps(runs.len() as f64 - before));
        self.meter.set_position(steps(share));
        let all = runs.len();
        self.meter
            .say(format!("{finished} of {all} runs finished, {running} running  {left} left"));
    }
}

fn print(found: &Series, out: &mut dyn Write) -> anyhow::Result<()> {
    let wide = found.runs.iter().map(|run| shown(&run.folder).chars().count()).max().unwrap_or(0);
    let mut row = |run: &str, state: &str, generation: &str, measured: &str, strength: &str| {
        writeln!(out, "{run:<wide$}  {state:<8}  {generation:>10}  {measured:>11}  {strength}")
    };
    row("run", "state", "generation", "measured in", "strength")?;
    for run in &found.runs {
        let measured = run.strength_generation.map_or("-".into(), |it| it.to_string());
        let strength = run.score.map_or("-".into(), |it| said(it.score, Some(it.score_ci95)));
        let (generation, state) = (run.generation.to_string(), run.state.word());
        row(&shown(&run.folder), state, &generation, &measured, &strength)?;
    }
    if let Some(MeanScore { score, score_ci95 }) = found.panel {
        let measured = found.runs.iter().filter(|run| run.score.is_some()).count() as u64;
        let (seeds, strength) = (counted(measured, "seed"), said(score, score_ci95));
        writeln!(out, "\nmean of {seeds}: {strength}")?;
        for (opponent, MeanScore { score, score_ci95 }) in &found.opponents {
            writeln!(out, "  {} against {}", said(*score, *score_ci95), shown(opponent))?;
        }
        let first = found.runs.iter().filter_map(|run| run.strength.first());
        let mut terms: Vec<(u64, &str)> =
            first.map(|it| (it.games, it.openings.as_str())).collect();
        terms.dedup();
        if let [(games, openings)] = terms[..] {
            writeln!(out, "  in {} each, openings {}", counted(games, "game"), shown(openings))?;
        }
    }
    match (&found.best, incomparable(&found.runs)) {
        (_, Some(why)) => writeln!(out, "{why}, so no best is named")?,
        (Some(best), None) => writeln!(out, "best by these games: {}", shown(best))?,
        (None, None) => {}
    }
    if found.interrupted {
        writeln!(out, "stopped before all were finished; go on with")?;
        writeln!(out, "  {}", shell::again())?;
        return Ok(());
    }
    say_what_next(found, out)
}

fn said(score: f64, interval: Option<(f64, f64)>) -> String {
    let interval = interval.map(|(low, high)| format!(" ({low:.3} to {high:.3})"));
    format!("{score:.3}{}", interval.unwrap_or_default())
}

fn say_what_next(found: &Series, out: &mut dyn Write) -> anyhow::Result<()> {
    let all = found.runs.iter().map(|run| shell::quoted(&run.folder)).collect::<Vec<_>>().join(" ");
    let picture = shell::quoted(&format!("plots/{}-seeds.png", found.preset));
    writeln!(out, "next:\n  {} plot {all} --group -o {picture}", program())?;
    match &found.best {
        Some(best) => say_how_to_play(&Summary::of(Path::new(best))?, out),
        None => Ok(()),
    }
}
