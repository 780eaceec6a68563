//! The loop: evaluate, tell the observers, measure, and in the end choose the champion.

use std::time::{Duration, Instant};

use super::choosing::{Choice, choose, finalists, most_games};
use super::event::{Cost, Event, Observer, Part};
use super::folder::RunFolder;
use super::measuring::Measuring;
use super::settings::Settings;
use super::statistics::Statistics;
use super::stop::{End, StopPolicy, Watched};
use super::trainer::Trainer;
use mancala::store::{self, FileError};

/// Time limit of the short test when a run stops. A test that takes longer is given up.
const SHORT_TEST_LIMIT: Duration = Duration::from_secs(2);

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
    let mut speed = Speed::default();
    let end = loop {
        watched.stop.reserve(speed.time_of_finals(trainer.settings()));
        if !measuring.is_due() && trainer.generation() >= trainer.settings().generations {
            break End::Complete;
        }
        if let Some(end) = watched.stop.wish() {
            break end;
        }
        let went_on = match measuring.is_due() {
            true => measure(trainer, measuring, watched, observers, &mut speed)?,
            false => evaluate(trainer, measuring, watched, observers, &mut speed)?,
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

/// Seconds per game, as measured in this process.
#[derive(Default)]
struct Speed {
    of_generation: Option<f64>,
    /// In measurements, whose opponents search deeper.
    of_measurement: Option<f64>,
}

impl Speed {
    /// Estimates the longest time of the finals, including the winner's measurement; the maximum while speed is unknown.
    fn time_of_finals(&self, settings: &Settings) -> Duration {
        if !settings.has_finals() {
            return Duration::ZERO;
        }
        let [finals, measurement] = most_games(settings).map(|games| games as f64);
        let of_measurement = self.of_measurement.or(self.of_generation);
        let seconds = self.of_generation.zip(of_measurement);
        let seconds = seconds.map(|(game, measured)| game * finals + measured * measurement);
        seconds.and_then(|it| Duration::try_from_secs_f64(it).ok()).unwrap_or(Duration::MAX)
    }
}

/// Returns the seconds per game; `None` without games.
fn per_game(seconds: f64, games: u64) -> Option<f64> {
    (games > 0).then(|| seconds / games as f64)
}

fn tell(observers: &mut [&mut dyn Observer], event: &Event) -> Result<(), FileError> {
    observers.iter_mut().try_for_each(|observer| observer.observe(event))
}

fn measure(
    trainer: &Trainer,
    measuring: &mut Measuring,
    watched: &Watched,
    observers: &mut [&mut dyn Observer],
    speed: &mut Speed,
) -> Result<Went, FileError> {
    tell(observers, &Event::Begins(Part::Measuring))?;
    let begun = Instant::now();
    let Some(measurement) = measuring.take(trainer.plain_games(), &watched.at_once()) else {
        return Ok(Went::Stopped);
    };
    let games = measurement.against.iter().map(|it| it.games).sum();
    speed.of_measurement = per_game(begun.elapsed().as_secs_f64(), games);
    tell(observers, &Event::Measured { trainer, measurement: &measurement })?;
    Ok(Went::On)
}

fn evaluate(
    trainer: &mut Trainer,
    measuring: &mut Measuring,
    watched: &Watched,
    observers: &mut [&mut dyn Observer],
    speed: &mut Speed,
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
    if !matches!(part, Part::Learning(_)) {
        speed.of_generation = per_game(cost.seconds, last.games_played).or(speed.of_generation);
    }
    let statistics = Statistics::of(trainer.coding(), last);
    tell(observers, &Event::Generation { trainer, statistics: &statistics, cost })?;
    measuring.note(trainer);
    Ok(Went::On)
}

/// Trains in a folder, and chooses the champion by final games once the run is complete or its time is
/// up, if its settings ask for that. If a run stops before that, a short test measures its last champion.
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
    let mut end = run_measured(trainer, measuring, watched, &mut [folder, observer])?;
    let is_over = matches!(end, End::Complete | End::OutOfTime);
    if is_over && trainer.settings().has_finals() && trainer.generation() > 0 {
        watched.stop.reserve(Duration::ZERO);
        match choose_champion(trainer, folder, watched, observer)? {
            Went::On => return Ok(end),
            Went::Stopped => end = watched.end(),
        }
    }
    if end != End::Complete && measuring.is_outdated(trainer) {
        observer.observe(&Event::Begins(Part::Measuring))?;
        if let Some(it) = measuring.take_short(trainer, &watched.for_at_most(SHORT_TEST_LIMIT)) {
            let event = Event::Measured { trainer, measurement: &it };
            tell(&mut [folder, observer], &event)?;
            folder.flush(trainer)?;
        }
    }
    Ok(end)
}

/// Plays the final games, measures the winner and writes it to `champion.json`.
fn choose_champion(
    trainer: &Trainer,
    folder: &RunFolder,
    watched: &Watched,
    observer: &mut dyn Observer,
) -> Result<Went, FileError> {
    let history = store::read_text(&folder.path().join("history.csv"))?;
    let finalists = finalists(trainer, &history);
    observer.observe(&Event::Begins(Part::Finals))?;
    let (settings, games) = (trainer.settings(), trainer.plain_games());
    let mut told = Ok(());
    let mut chosen = || told = observer.observe(&Event::Begins(Part::Measuring));
    let (progress, most) = (watched.at_once(), settings.finalist_games.into());
    let choice = choose(settings, &finalists, most, games, &progress, &mut chosen);
    told?;
    match choice {
        Some(Choice { champion, .. }) => folder.replace_champion(&champion).map(|()| Went::On),
        None => Ok(Went::Stopped),
    }
}
