//! The loop: evaluate, tell the observers, measure, and in the end choose the champion.

use std::time::Instant;

use super::choosing::{Choice, choose, finalists};
use super::event::{Cost, Event, Observer, Part};
use super::folder::RunFolder;
use super::measuring::Measuring;
use super::settings::Settings;
use super::statistics::Statistics;
use super::stop::{End, StopPolicy, Watched};
use super::trainer::Trainer;
use mancala::store::{self, FileError};

/// Trains until every generation asked for is evaluated, whatever the settings say of measurements.
///
/// # Errors
/// The first error of an observer.
pub fn run(trainer: &mut Trainer, observers: &mut [&mut dyn Observer]) -> Result<End, FileError> {
    let mut measuring = Measuring::never(trainer.settings());
    let watched = Watched { progress: &(), stop: &StopPolicy::default() };
    run_measured(trainer, &mut measuring, &watched, observers)
}

/// Trains until every generation asked for is evaluated or the run is to stop, and measures strength
/// whenever that is due.
///
/// # Errors
/// The first error of an observer.
pub fn run_measured(
    trainer: &mut Trainer,
    measuring: &mut Measuring,
    watched: &Watched,
    observers: &mut [&mut dyn Observer],
) -> Result<End, FileError> {
    let end = loop {
        if !measuring.is_due() && trainer.generation() >= trainer.settings().generations {
            break End::Complete;
        }
        if let Some(end) = watched.stop.wish() {
            break end;
        }
        let went_on = match measuring.is_due() {
            true => measure(trainer, measuring, watched, observers)?,
            false => evaluate(trainer, measuring, watched, observers)?,
        };
        if let Went::Stopped = went_on {
            break watched.end();
        }
    };
    tell(observers, &Event::End { trainer, end })?;
    Ok(end)
}

/// Whether a part of a run went to its end.
enum Went {
    On,
    Stopped,
}

fn tell(observers: &mut [&mut dyn Observer], event: &Event) -> Result<(), FileError> {
    observers.iter_mut().try_for_each(|observer| observer.observe(event))
}

fn measure(
    trainer: &Trainer,
    measuring: &mut Measuring,
    watched: &Watched,
    observers: &mut [&mut dyn Observer],
) -> Result<Went, FileError> {
    tell(observers, &Event::Begins(Part::Measuring))?;
    let Some(measurement) = measuring.take(trainer.plain_games(), &watched.at_once()) else {
        return Ok(Went::Stopped);
    };
    tell(observers, &Event::Measured { trainer, measurement: &measurement })?;
    Ok(Went::On)
}

fn evaluate(
    trainer: &mut Trainer,
    measuring: &mut Measuring,
    watched: &Watched,
    observers: &mut [&mut dyn Observer],
) -> Result<Went, FileError> {
    let next = trainer.generation() + 1;
    let part = if trainer.learns_next() { Part::Learning(next) } else { Part::Generation(next) };
    tell(observers, &Event::Begins(part))?;
    let begun = Instant::now();
    let Some(nodes) = trainer.step(&watched.patiently()) else {
        return Ok(Went::Stopped);
    };
    let cost = Cost { nodes, seconds: begun.elapsed().as_secs_f64() };
    let last = trainer.last().expect("a step evaluates a generation");
    let statistics = Statistics::of(trainer.coding(), last);
    tell(observers, &Event::Generation { trainer, statistics: &statistics, cost })?;
    measuring.note(trainer);
    Ok(Went::On)
}

/// Trains in a folder, and chooses the champion by final games once the run is complete or its time is
/// up, if its settings ask for that.
///
/// # Errors
/// A file that could not be read or written.
pub fn train(
    trainer: &mut Trainer,
    folder: &mut RunFolder,
    measuring: &mut Measuring,
    watched: &Watched,
    observer: &mut dyn Observer,
) -> Result<End, FileError> {
    let end = run_measured(trainer, measuring, watched, &mut [folder, observer])?;
    let Settings { finalist_games, .. } = *trainer.settings();
    let is_left = matches!(end, End::Interrupted | End::Stopped);
    if is_left || finalist_games == 0 || trainer.generation() == 0 {
        return Ok(end);
    }
    // A run whose time is up has a champion all the same.
    watched.stop.lift_deadline();
    let history = store::read_text(&folder.path().join("history.csv"))?;
    let finalists = finalists(trainer, &history);
    observer.observe(&Event::Begins(Part::Finals))?;
    let (settings, games) = (trainer.settings(), trainer.plain_games());
    let mut told = Ok(());
    let mut chosen = || told = observer.observe(&Event::Begins(Part::Measuring));
    let progress = watched.at_once();
    let choice = choose(settings, &finalists, finalist_games.into(), games, &progress, &mut chosen);
    told?;
    match choice {
        Some(Choice { champion, .. }) => folder.replace_champion(&champion).map(|()| end),
        None => Ok(watched.end()),
    }
}
