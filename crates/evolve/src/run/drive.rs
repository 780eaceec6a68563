//! The loop: evaluate, tell the observers, measure, and in the end choose the champion.

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::choosing::{Choice, Choosing, finalists, most_games};
use super::event::{Cost, Event, Observer, Part};
use super::folder::RunFolder;
use super::measuring::Measuring;
use super::settings::Settings;
use super::statistics::Statistics;
use super::stop::{End, StopPolicy, Watched};
use super::trainer::Trainer;
use mancala::store::{self, FileError};

/// Time limit of the short test when a run stops. A test that takes longer is given up.
const SHORT_TEST_LIMIT: Duration = Duration::from_secs(4);

/// Safety margin of the time that is estimated for the finals. The opponents of the winner search deeper than the past
/// champions that are among the opponents of other measurements, and the load of a machine varies.
const MARGIN: f64 = 1.5;

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
    // Seconds per game in this process: of generations, and of measurements, whose opponents search deeper.
    let mut speeds = [None; 2];
    let end = loop {
        watched.stop.reserve(time_of_finals(trainer.settings(), speeds));
        let measures = measuring.is_due();
        if !measures && trainer.generation() >= trainer.settings().generations {
            break End::Complete;
        }
        if let Some(end) = watched.stop.wish() {
            break end;
        }
        let begun = Instant::now();
        let played = match measures {
            true => measure(trainer, measuring, watched, observers)?,
            false => evaluate(trainer, measuring, watched, observers)?,
        };
        match played {
            None => break watched.end(),
            Some(0) => {}
            Some(games) => {
                speeds[usize::from(measures)] = Some(begun.elapsed().as_secs_f64() / games as f64);
            }
        }
    };
    tell(observers, &Event::End { trainer, end })?;
    Ok(end)
}

/// Estimates the longest time of the finals, including the winner's measurement; the maximum while speed is unknown.
fn time_of_finals(settings: &Settings, [generation, measurement]: [Option<f64>; 2]) -> Duration {
    if !settings.has_finals() {
        return Duration::ZERO;
    }
    let [finals, of_winner] = most_games(settings).map(|games| games as f64);
    let speeds = generation.zip(measurement);
    let time = speeds.map(|(game, measured)| MARGIN * (finals * game + of_winner * measured));
    time.and_then(|it| Duration::try_from_secs_f64(it).ok()).unwrap_or(Duration::MAX)
}

fn tell(observers: &mut [&mut dyn Observer], event: &Event) -> Result<(), FileError> {
    observers.iter_mut().try_for_each(|observer| observer.observe(event))
}

/// Takes the measurement that is due, and returns its games; `None` if it was stopped.
fn measure(
    trainer: &Trainer,
    measuring: &mut Measuring,
    watched: &Watched,
    observers: &mut [&mut dyn Observer],
) -> Result<Option<u64>, FileError> {
    tell(observers, &Event::Begins(Part::Measuring))?;
    let Some(measurement) = measuring.take(trainer.plain_games(), &watched.at_once()) else {
        return Ok(None);
    };
    tell(observers, &Event::Measured { trainer, measurement: &measurement })?;
    let tests = measurement.gate.iter().flatten();
    let gate: u64 = tests.map(|it| 2 * it.pairs.iter().sum::<u64>()).sum();
    Ok(Some(measurement.against.iter().map(|it| it.games).sum::<u64>() + gate))
}

/// Evaluates the next generation, and returns the games that its time was spent on: none if features were learned.
/// `None` if it was stopped.
fn evaluate(
    trainer: &mut Trainer,
    measuring: &mut Measuring,
    watched: &Watched,
    observers: &mut [&mut dyn Observer],
) -> Result<Option<u64>, FileError> {
    let next = trainer.generation() + 1;
    let part = if trainer.learns_next() { Part::Learning(next) } else { Part::Generation(next) };
    tell(observers, &Event::Begins(part))?;
    let begun = Instant::now();
    let Some(nodes) = trainer.step(&watched.patiently()) else {
        return trainer.take_failure().map_or(Ok(None), |error| {
            let opponents = PathBuf::from("the opponents");
            Err(FileError::of("play against", &opponents)(io::Error::other(error)))
        });
    };
    let cost = Cost { nodes, seconds: begun.elapsed().as_secs_f64() };
    let last = trainer.last().expect("a step evaluates a generation");
    let games = if let Part::Learning(_) = part { 0 } else { last.games_played };
    let statistics = Statistics::of(trainer.coding(), last);
    tell(observers, &Event::Generation { trainer, statistics: &statistics, cost })?;
    measuring.note(trainer);
    Ok(Some(games))
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
        if choose_champion(trainer, folder, watched, observer)? {
            return Ok(end);
        }
        end = watched.end();
    }
    let only_lacks_finals = trainer.generation() >= trainer.settings().generations;
    if end != End::Complete && !only_lacks_finals && measuring.is_outdated(trainer) {
        observer.observe(&Event::Begins(Part::Measuring))?;
        if let Some(it) = measuring.take_short(trainer, &watched.for_at_most(SHORT_TEST_LIMIT)) {
            let event = Event::Measured { trainer, measurement: &it };
            tell(&mut [folder, observer], &event)?;
            folder.flush(trainer)?;
        }
    }
    Ok(end)
}

/// Plays the final games, measures the winner and writes it to `champion.json`, unless it is stopped.
fn choose_champion(
    trainer: &Trainer,
    folder: &RunFolder,
    watched: &Watched,
    observer: &mut dyn Observer,
) -> Result<bool, FileError> {
    let history = store::read_text(&folder.path().join("history.csv"))?;
    let before = folder.champion();
    let finalists = finalists(trainer, &history, before);
    observer.observe(&Event::Begins(Part::Finals))?;
    let (settings, games) = (trainer.settings(), trainer.plain_games());
    let mut told = Ok(());
    let mut chosen = || told = observer.observe(&Event::Begins(Part::Measuring));
    let (progress, most) = (watched.at_once(), settings.finalist_games.into());
    let choosing = Choosing { settings, finalists: &finalists, before, games: most };
    let choice = choosing.choose(games, &progress, &mut chosen);
    told?;
    let Some(Choice { champion, .. }) = choice else { return Ok(false) };
    folder.replace_champion(&champion).map(|()| true)
}
