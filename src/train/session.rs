//! Training sessions: threads, observers and progress.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant, SystemTime};
use std::{panic, thread};

use anyhow::Context;
use arena::LocalGames;
use clap::{Args, ValueEnum};
use evolve::run::{
    End, Event, GameRunner, LOG, Observer, Run, Settings, StopPolicy, Summary, Trained, Trainer,
    Watched, argument, quick_strength_check,
};
use indicatif::DecimalBytes;
use mancala::eval::{Strength, Weights};
use mancala::store::{self, FileError};

use super::progress::{Interruption, RunDisplay};
use super::report::{Ended, begun_json, event_json, play_command, print_end};
use crate::report::{games_time, write_at_end};
use crate::solve::endgame::caution;
use crate::terminal::{
    Workers, announce, announce_json, moment, rounded, sentence, shell, shown, time_limit, warn,
};

/// Training options that are not part of the run's settings.
#[derive(Debug, Args)]
pub(super) struct RuntimeOptions {
    /// Folder of endgame tables, to also measure how close champions come to perfect play
    #[arg(long, value_name = "DIR")]
    pub(super) tables: Option<PathBuf>,
    #[command(flatten)]
    pub(super) workers: Workers,
    /// Stop after TIME, including final games and measurements: 90s, 10m, 8h [default: none; 8h for overnight and
    /// kalah-overnight]. TIME is not stored in the run: when resuming, give it again; it counts from the restart. At
    /// most a quarter of TIME is reserved for final games
    #[arg(long, value_name = "TIME", value_parser = time_limit)]
    max_time: Option<Duration>,
    /// Write report.html into the run folder at the end, after games between champions that take at most 5 % of the
    /// run's time, or 20 s in a run of less than an hour: auto or off
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, hide_possible_values = true)]
    pub(super) report: ReportAtEnd,
    /// Print JSON, one object per line: events as they happen, and finally the result
    #[arg(long)]
    pub(super) json: bool,
    /// Train in the background, even after the terminal is closed; "ayo follow" shows the progress
    #[arg(long, conflicts_with = "json")]
    pub(super) detach: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum ReportAtEnd {
    #[default]
    Auto,
    Off,
}

impl RuntimeOptions {
    /// Returns when training must stop. If a report follows, it's before the time limit, to leave time for its games.
    pub(super) fn stop_policy(&self, settings: &Settings) -> StopPolicy {
        let of_training = |limit: Duration| match self.report {
            ReportAtEnd::Auto => limit.saturating_sub(games_time(limit)),
            ReportAtEnd::Off => limit,
        };
        StopPolicy::new(self.limit(settings).map(of_training))
    }

    /// Checks that the threads can be started. This is called before any file is created.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        self.workers.pool().map(drop)
    }

    pub(super) fn limit(&self, settings: &Settings) -> Option<Duration> {
        self.max_time.or(settings.usual_time())
    }

    /// Describes when the run will end and when strength is measured. The description starts with a comma.
    fn schedule(&self, done: u32, settings: &Settings) -> String {
        let mut schedule = String::new();
        if let Some(limit) = self.limit(settings)
            && let Some(end) = SystemTime::now().checked_add(limit)
        {
            let (end, limit) = (moment(end), rounded(limit));
            schedule = format!(", until {end}, {limit} from now (change it with --max-time)");
        }
        for (place, generation) in settings.measured_generations(done).take(4).enumerate() {
            schedule += &match place {
                0 => format!(", strength measured in generations {generation}"),
                3 => ", …".into(),
                _ => format!(", {generation}"),
            };
        }
        schedule
    }

    /// Describes the state of a run before training. With a time limit, we don't show the total number of generations,
    /// because the run will probably end before it's reached.
    pub(super) fn after(&self, done: u32, settings: &Settings) -> String {
        match self.limit(settings) {
            Some(_) => format!("after generation {done}"),
            None => format!("after generation {done} of {}", settings.generations),
        }
    }
}

pub(super) fn listen() -> anyhow::Result<Interruption> {
    Interruption::listen("stopping; the current generation is finished if that takes at most 5 s")
}

/// Returns the number of free bytes on the disk that contains `folder` (Unix only).
#[cfg_attr(not(unix), allow(unused_variables))]
fn free_space(folder: &Path) -> Option<u64> {
    #[cfg(unix)]
    return nix::sys::statvfs::statvfs(folder)
        .ok()
        .map(|disk| (disk.blocks_available() as f64 * disk.fragment_size() as f64) as u64);
    #[cfg(not(unix))]
    None
}

/// Trains until the run ends, and prints the result and suggested commands.
pub(super) fn train(
    run: Run,
    beginning: &str,
    runtime: &RuntimeOptions,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    if runtime.detach {
        let path = run.folder.path();
        release(&format!("run {}", shown(path)), path, out)?;
    }
    let interruption = listen()?;
    let (settings, done) = (run.trainer.settings(), run.trainer.generation());
    let (disk, free) = (settings.learning_needs().disk, free_space(run.folder.path()));
    // Skip this check for a resumed run, because part of its data is already on the disk.
    if let Some(free) = free.filter(|&free| done == 0 && free < disk) {
        let [disk, free] = [disk, free].map(DecimalBytes);
        warn(format!("the run needs up to {disk} of disk space, but only {free} are free"));
    }
    if runtime.json {
        announce_json(&begun_json(&run), out)?;
    } else {
        let disk = match disk {
            0 => String::new(),
            _ => format!(", needs up to {} of disk space", DecimalBytes(disk)),
        };
        announce(&format!("{beginning}{disk}{}", runtime.schedule(done, settings)), out)?;
    }
    let stop = interruption.guard(runtime.stop_policy(settings));
    let verbosity = runtime.workers.verbosity;
    let mut checks = QuickChecks::of(&run, &stop).filter(|_| !verbosity.quiet);
    let display = Arc::new(RunDisplay::new(&stop, settings, done, verbosity));
    match run.tables.as_deref().and_then(caution) {
        Some(caution) if runtime.json => warn(caution),
        Some(caution) => announce(&caution, out)?,
        None => {}
    }
    let pool = runtime.workers.pool()?;
    let (sender, events) = mpsc::channel();
    let sender = runtime.json.then_some(sender);
    let shared = Arc::clone(&display);
    let forward = move |event: &Event| {
        let lines = checks.as_mut().map_or_else(Vec::new, |checks| checks.observe(event));
        lines.into_iter().for_each(|line| shared.meter.tell(line));
        if let Some(sender) = &sender
            && let Some(event) = event_json(event)
        {
            // If the receiver is gone, printing has failed, and we report that error instead.
            let _ = sender.send(event);
        }
    };
    let observers = Observers { display, forward, report: runtime.report };
    let ended = thread::scope(|scope| {
        let training = scope.spawn(|| pool.install(|| train_observed(run, &stop, observers)));
        // Only this thread writes to standard output. The channel closes when training ends.
        let printed = events.iter().try_for_each(|event| announce_json(&event, out));
        let ended = training.join().unwrap_or_else(|cause| panic::resume_unwind(cause));
        printed.and(ended)
    })?;
    if runtime.json {
        announce_json(&ended.json(), out)?;
    } else {
        print_end(&ended, out)?;
    }
    Ok(ExitCode::from(if ended.is_unfinished() { 130 } else { 0 }))
}

/// Trains until the run ends, on the current rayon pool.
pub(super) fn train_observed<F: FnMut(&Event)>(
    run: Run,
    stop: &StopPolicy,
    mut observers: Observers<F>,
) -> anyhow::Result<Ended> {
    let (display, tables) = (Arc::clone(&observers.display), run.tables.clone());
    let begun = Instant::now();
    let trained = run.train(&Watched { progress: &*display, stop }, &mut observers);
    let games = match &trained {
        // If the run was stopped, we don't delay the end with games for the report.
        Ok(Trained { end: Ok(End::Complete | End::OutOfTime), .. })
            if observers.report == ReportAtEnd::Auto =>
        {
            games_time(begun.elapsed())
        }
        _ => Duration::ZERO,
    };
    if !games.is_zero() {
        let most = rounded(games);
        display
            .meter
            .tell(format!("playing games between champions for the report, for {most} at most"));
    }
    display.meter.finish();
    let Trained { end, summary } = trained?;
    let resume = match &tables {
        Some(tables) if !summary.lacks_only_finals() => {
            let folder = tables.folder().to_string_lossy();
            shell::command(&["resume", &summary.argument(), "--tables", &folder])
        }
        _ => shell::command(&summary.next_arguments()),
    };
    let end = end.with_context(|| {
        format!("the run stopped; fix the problem and continue with \"{resume}\"")
    })?;
    let report = match observers.report {
        ReportAtEnd::Auto if summary.generation > 0 => write_report(&summary, games, stop),
        _ => None,
    };
    let has_time_limit = stop.time_left().is_some();
    Ok(Ended { end, has_time_limit, summary, done: display.done(), resume, report })
}

/// Writes the report at the end of a run. If this fails, we only print a warning, because the run isn't affected.
fn write_report(summary: &Summary, games: Duration, stop: &StopPolicy) -> Option<PathBuf> {
    let watched = Watched { progress: &(), stop };
    let written = write_at_end(&summary.path, games, &watched.after_end());
    let retry = shell::command(&["report", &summary.argument()]);
    let failed = |error: &_| warn(format!("no report: {}; try \"{retry}\"", sentence(error)));
    written.inspect_err(failed).ok()
}

pub(super) struct Observers<F> {
    pub(super) display: Arc<RunDisplay>,
    pub(super) forward: F,
    pub(super) report: ReportAtEnd,
}

impl<F: FnMut(&Event)> Observer for Observers<F> {
    fn observe(&mut self, event: &Event) -> Result<(), FileError> {
        self.display.observe(event);
        (self.forward)(event);
        Ok(())
    }
}

/// After this time, there are no more quick checks, only the scheduled measurements.
const CHECK_PERIOD: Duration = Duration::from_secs(300);
/// After each check, we wait for at least this many times its duration, to limit the share of time spent on checks.
const CHECK_WAIT: u32 = 20;

/// Runs quick strength checks, at growing intervals, during the first minutes of a new run.
struct QuickChecks {
    folder: PathBuf,
    /// The command to play against the champion. This is `None` once the command has been shown.
    play: Option<String>,
    stop: Arc<StopPolicy>,
    begun: Instant,
    /// When the next check is due, as a duration since `begun`.
    next: Duration,
    /// The champion that was last checked. It may stay the champion for many generations.
    checked: Option<Weights>,
}

impl QuickChecks {
    /// Returns `None` for resumed runs, because we check only new runs.
    fn of(run: &Run, stop: &Arc<StopPolicy>) -> Option<QuickChecks> {
        (run.trainer.generation() == 0).then(|| QuickChecks {
            folder: run.folder.path().into(),
            play: Some(play_command(run.folder.path(), run.trainer.settings())),
            stop: Arc::clone(stop),
            begun: Instant::now(),
            next: Duration::ZERO,
            checked: None,
        })
    }

    fn observe(&mut self, event: &Event) -> Vec<String> {
        let strength = match event {
            Event::Generation { trainer, .. } => self.check(trainer),
            Event::Measured { .. } => None,
            _ => return Vec::new(),
        };
        // We show the command once, when the champion's file has been written.
        let play = self.play.take_if(|_| self.folder.join("champion.json").exists());
        let play = play.map(|play| format!("play against it while it learns: {play}"));
        strength.into_iter().chain(play).collect()
    }

    fn check(&mut self, trainer: &Trainer) -> Option<String> {
        let at = self.begun.elapsed();
        if at < self.next || at > CHECK_PERIOD {
            return None;
        }
        let champion = trainer.champion()?;
        let is_same =
            |it: &Weights| (it.features(), it.values()) == (champion.features(), champion.values());
        if self.checked.as_ref().is_some_and(is_same) {
            return None;
        }
        let watched = Watched { progress: &(), stop: &self.stop };
        let runner = GameRunner { games: &LocalGames::new(), progress: &watched.at_once() };
        let strength = quick_strength_check(trainer.settings(), &champion, runner).ok();
        let now = self.begun.elapsed();
        self.next = (2 * now).max(now + CHECK_WAIT * (now - at)).max(Duration::from_secs(5));
        let Strength { opponent, games, score, low, high, .. } = strength?;
        self.checked = Some(champion);
        Some(format!(
            "generation {} after {}: its champion scores {score:.2} ({low:.2} to {high:.2}) in {games} games \
             against {}",
            trainer.generation(),
            rounded(at),
            shown(opponent)
        ))
    }
}

/// The environment variable that tells a process that it is the detached process.
#[cfg(unix)]
const DETACHED: &str = "AYO_DETACHED";

/// Reruns this command in a new session, and waits until training starts or the command ends. In the new process,
/// which does the training, returns `None`.
#[cfg(unix)]
pub(super) fn detach(out: &mut dyn Write) -> anyhow::Result<Option<ExitCode>> {
    use std::io::Read;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    if std::env::var_os(DETACHED).is_some() {
        nix::unistd::setsid()?;
        return Ok(None);
    }
    let (mut command, mut words) = (Command::new(std::env::current_exe()?), std::env::args_os());
    command.arg0(words.next().unwrap_or_default()).args(words).env(DETACHED, "1");
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let mut said = String::new();
    child.stdout.take().expect("standard output is piped").read_to_string(&mut said)?;
    out.write_all(said.as_bytes())?;
    // If the child has printed to standard output, then it's training or had nothing to do. Otherwise, it has failed.
    let code = if said.is_empty() { child.wait()?.code().unwrap_or(1) } else { 0 };
    Ok(Some(ExitCode::from(code as u8)))
}

#[cfg(not(unix))]
pub(super) fn detach(_out: &mut dyn Write) -> anyhow::Result<Option<ExitCode>> {
    Err(crate::terminal::usage("--detach is only supported on Linux and macOS"))
}

/// Prints that this process is training `runs` in the background. Redirects further output to the log in `folder`.
pub(super) fn release(runs: &str, folder: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    let (path, argument, id) = (folder.join(LOG), argument(folder), std::process::id());
    let log = store::open_to_append(&path)?;
    writeln!(out, "training {runs} in the background as process {id}")?;
    writeln!(out, "  {}", shell::command(&["follow", &argument]))?;
    writeln!(out, "  {}", shell::command(&["stop", &argument]))?;
    out.flush()?;
    #[cfg(unix)]
    {
        nix::unistd::dup2_stdout(&log)?;
        nix::unistd::dup2_stderr(&log)?;
    }
    drop(log);
    Ok(())
}
