//! A run that goes on until it ends: its resources, its progress and its report.

use std::io::Write;
use std::process::ExitCode;
use std::sync::mpsc;
use std::time::Duration;
use std::{panic, thread};

use anyhow::Context;
use clap::Args;
use mancala::endgame::Tables;
use mancala::store::FileError;

use super::glimpses::Glimpses;
use super::report::{Ended, report};
use crate::app::train::{OpenRun, Trained};
use crate::cli::progress::{Leaving, Watch};
use crate::results::{Begun, TrainingEvent};
use crate::solve::endgame::caution;
use crate::terminal::meter::Verbosity;
use crate::terminal::output::{announce, announce_json};
use crate::terminal::workers::{Workers, time_limit};
use crate::terminal::{shell, warn};
use evolve::run::{Event, Observer, Settings, StopPolicy, Watched};

/// The resources of a run. No file that it writes depends on them.
#[derive(Debug, Args)]
pub(in crate::cli) struct Effort {
    #[command(flatten)]
    workers: Workers,
    /// Stop after TIME, final games and measuring included; the run can be resumed: 90s, 10m, 8h [default:
    /// none; 8h for overnight]. A quarter of TIME at most is kept for final games
    #[arg(long, value_name = "TIME", value_parser = time_limit)]
    pub(super) max_time: Option<Duration>,
    /// Print JSON, an object a line: what happens as it happens, and at last what came of it
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

impl Effort {
    /// The threads that work, and whether progress is shown.
    pub(super) fn workers(&self) -> Workers {
        self.workers
    }

    /// Fails if the threads cannot be started, before anything is created.
    pub(in crate::cli) fn check(&self) -> anyhow::Result<()> {
        self.workers.pool().map(drop)
    }

    /// How long a run may go on here, if that is limited.
    pub(super) fn limit(&self, settings: &Settings) -> Option<Duration> {
        self.max_time.or(settings.usual_time())
    }

    /// Where a run stands before it trains: time may end it long before all generations asked for.
    pub(in crate::cli) fn after(&self, done: u32, settings: &Settings) -> String {
        match self.limit(settings) {
            Some(_) => format!("after generation {done}"),
            None => format!("after generation {done} of {}", settings.generations),
        }
    }
}

const STOPPING: &str = "stopping; a generation under way is finished if that takes at most 5 s";

/// Listens for what ends training from the keyboard.
pub(super) fn listen() -> anyhow::Result<Leaving> {
    Leaving::listen(STOPPING)
}

/// Trains, after saying how it begins, and says at the end what there is and what to type next.
pub(in crate::cli) fn train(
    run: OpenRun,
    beginning: &str,
    effort: &Effort,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let ended = drive(run, beginning, effort, &listen()?, out)?;
    if effort.json {
        announce_json(&ended.result(), out)?;
    } else {
        report(&ended, out)?;
    }
    Ok(ExitCode::from(if ended.is_left() { 130 } else { 0 }))
}

/// Trains until the run ends, and shows how far it is.
pub(super) fn drive(
    run: OpenRun,
    beginning: &str,
    effort: &Effort,
    leaving: &Leaving,
    out: &mut dyn Write,
) -> anyhow::Result<Ended> {
    let (settings, done) = (run.trainer.settings(), run.trainer.generation());
    if effort.json {
        announce_json(&Begun::of(run.folder.path(), &run.trainer), out)?;
    } else {
        announce(beginning, out)?;
    }
    let stop = leaving.guard(StopPolicy::new(effort.limit(settings)));
    let quiet = effort.workers.verbosity() == Verbosity::Quiet;
    let glimpses = Glimpses::of(&run, &stop).filter(|_| !quiet);
    let watch = Watch::new(&stop, settings, done, effort.workers.verbosity());
    match run.tables.as_deref().and_then(caution) {
        Some(caution) if effort.json => warn(caution),
        Some(caution) => announce(&caution, out)?,
        None => {}
    }
    let pool = effort.workers.pool()?;
    let (sender, events) = mpsc::channel();
    let sender = effort.json.then_some(sender);
    let forward = move |event: &Event| {
        if let (Some(sender), Some(event)) = (&sender, TrainingEvent::of(event)) {
            // If the receiver is gone, printing has failed, and that error is reported.
            let _ = sender.send(event);
        }
    };
    thread::scope(|scope| {
        let observers = Observers { watch, glimpses, forward };
        let training = scope.spawn(|| pool.install(|| train_watched(run, &stop, observers)));
        // Standard output belongs to this thread. The events end with the training.
        let printed = events.iter().try_for_each(|event: TrainingEvent| announce_json(&event, out));
        let ended = training.join().unwrap_or_else(|cause| panic::resume_unwind(cause));
        printed.and(ended)
    })
}

/// Trains until the run ends, on the current rayon pool.
pub(super) fn train_watched<F: FnMut(&Event)>(
    run: OpenRun,
    stop: &StopPolicy,
    mut observers: Observers<F>,
) -> anyhow::Result<Ended> {
    let (bar, tables) = (observers.watch.bar(), run.tables.clone());
    let trained = run.train(&Watched { progress: &*bar, stop }, &mut observers);
    let watch = observers.watch;
    watch.finish();
    let Trained { end, summary } = trained?;
    let resume = match &tables {
        Some(tables) if !summary.lacks_finals => resume_with(tables, &summary.argument()),
        _ => shell::command(&summary.next_arguments()),
    };
    let end = end.with_context(|| {
        format!("the run stopped; once the cause is removed, continue with \"{resume}\"")
    })?;
    Ok(Ended { end, by_time: watch.is_ended_by_time(), summary, done: watch.done(), resume })
}

/// The command that resumes a run with tables.
fn resume_with(tables: &Tables, run: &str) -> String {
    let folder = tables.folder().to_string_lossy().into_owned();
    let resume = ["resume".to_owned(), run.to_owned(), "--tables".to_owned(), folder];
    shell::command(&resume)
}

/// Observes a run for the terminal and forwards its events.
pub(super) struct Observers<F> {
    pub(super) watch: Watch,
    pub(super) glimpses: Option<Glimpses>,
    pub(super) forward: F,
}

impl<F: FnMut(&Event)> Observer for Observers<F> {
    fn observe(&mut self, event: &Event) -> Result<(), FileError> {
        (self.forward)(event);
        self.watch.observe(event)?;
        if let Some(glimpses) = &mut self.glimpses {
            glimpses.heed(event).into_iter().for_each(|line| self.watch.tell(line));
        }
        Ok(())
    }
}
