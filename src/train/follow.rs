//! `ayo follow`: shows the progress of a run that is being trained by another process.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use evolve::run::{RunFolder, RunState, Settings, Status, StatusPart, Summary};
use mancala::progress::time_left;
use mancala::store::{self, Lock};

use super::progress::{activity, fitness, measured};
use super::report::print_champion;
use super::runs::only_running;
use super::stop::print_stopped;
use super::strength::LastStrength;
use crate::terminal::{Meter, Verbosity, counted, remaining, shown};

const POLL_INTERVAL: Duration = Duration::from_millis(200);

#[derive(Debug, Args)]
#[command(after_help = "Ctrl-C ends the display, but not the run.")]
pub(crate) struct Arguments {
    /// Run folder [default: the only one in populations that is being trained]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let folder = &arguments.folder.clone().map_or_else(only_running, Ok)?;
    let settings = RunFolder::settings(folder)?;
    let meter = Meter::new(settings.work(1..=settings.generations), Verbosity::default());
    let (mut known, mut line) = (None, String::new());
    while Lock::is_held(folder) {
        if let Some(status) = Status::read(folder) {
            if status.part.is_end() {
                let other =
                    "in use, but not being trained: \"ayo select\" may be playing the final games";
                meter.say(format!("{} is {other}", shown(folder)));
                thread::sleep(POLL_INTERVAL);
                continue;
            }
            if known != Some(status.generation) {
                let is_first = known.replace(status.generation).is_none();
                line = evaluated(folder, &settings, &status);
                if is_first {
                    meter.begin(line.clone());
                }
            }
            show(&status, &line, &settings, &meter);
        }
        thread::sleep(POLL_INTERVAL);
    }
    meter.finish();
    let summary = Summary::of(folder)?;
    print_champion(&summary, out)?;
    if summary.state == RunState::Complete {
        let generations = counted(summary.generation.into(), "generation");
        writeln!(out, "{} is complete with {generations}", shown(folder))?;
        return Ok(ExitCode::SUCCESS);
    }
    print_stopped(&summary, out)?;
    let is_out_of_time = Status::read(folder).is_some_and(|it| it.part == StatusPart::OutOfTime);
    let code = if summary.failure.is_some() { 1 } else { 130 };
    Ok(ExitCode::from(if is_out_of_time { 0 } else { code }))
}

/// Describes the last generation on disk and the most recently measured strength.
fn evaluated(folder: &Path, settings: &Settings, status: &Status) -> String {
    let history = store::read_text(&folder.join("history.csv")).unwrap_or_default();
    let row = history.split_inclusive('\n').skip(1).filter(|line| line.ends_with('\n')).last();
    let mut fields = row.unwrap_or_default().split(',');
    let mut field = || fields.next()?.parse::<f64>().ok();
    let of = match status.deadline {
        Some(_) => String::new(),
        None => format!("/{}", status.generations),
    };
    let (Some(generation), Some(best), Some(mean)) = (field(), field(), field()) else {
        return format!("generation 0{of}");
    };
    let possible = settings.best_possible_fitness(generation as u32);
    let strength = Summary::of(folder).ok().and_then(|it| LastStrength::of(&it));
    let strength = strength.map(|LastStrength { score, generation, .. }| {
        let (low, high) = score.score_ci95;
        measured(score.score, (high - low) / 2.0, generation)
    });
    let generation = format!("generation {generation}{of}");
    fitness(&generation, best as u64, possible, mean) + &strength.unwrap_or_default()
}

fn show(status: &Status, line: &str, settings: &Settings, meter: &Meter) {
    if let (Some(limit), Some(deadline)) = (status.limit, status.deadline) {
        let left = deadline.saturating_sub(status.updated) as f64 / limit.max(1) as f64;
        let all = settings.work(1..=settings.generations) as f64;
        meter.set_position(((1.0 - left) * all) as u64);
    }
    let stage_time = Duration::from_secs(status.updated.saturating_sub(status.began));
    let begun = Instant::now().checked_sub(stage_time);
    let left = begun.and_then(|begun| time_left(begun, status.done, status.of));
    let share = status.done as f64 / status.of.max(1) as f64;
    let part = (status.part, status.stage.as_str());
    if status.of > 0
        && let Some(activity) = activity(part, status.done, status.of, left)
    {
        return meter.say(activity);
    }
    if status.limit.is_none() {
        let before = settings.work(1..=status.generation.saturating_sub(1));
        let current = settings.work(status.generation..=status.generation) as f64;
        meter.set_position(meter.position().max(before + (share * current) as u64));
    }
    let left = remaining(status.seconds_left.map(Duration::from_secs));
    meter.say(format!("{line}{left}"));
}
