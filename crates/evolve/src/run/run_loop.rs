//! The main loop of a run: evaluates generations, measures their strength, selects a champion and notifies observers.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arena::LocalGames;
use mancala::endgame::Tables;
use mancala::eval::Weights;
use mancala::memory::Reservation;
use mancala::store::{self, FileError};

use super::{
    CONFIGURATION, ChampionSelection, Cost, End, Event, FolderError, HISTORY, Measuring, Observer,
    RunFolder, SHORT_PAIRS, Settings, Statistics, StatusObserver, StatusPart, StopFile, Summary,
    Trainer, Watched, finalists, for_at_most, most_games, short_test, watch_stop_file,
};
use crate::games::GameRunner;
use crate::optimise::unless_stopped;

/// The time limit for the short test when a run stops. If the test takes longer, then we abandon it.
const SHORT_TEST_LIMIT: Duration = Duration::from_secs(4);

/// A safety factor for the estimated duration of the finals.
const FINALS_MARGIN: f64 = 1.5;

/// Trains until all generations are evaluated or the run has to stop, and takes scheduled measurements.
pub fn run_measured(
    trainer: &mut Trainer,
    measuring: &mut Measuring,
    watched: &Watched,
    observers: &mut [&mut dyn Observer],
) -> Result<End, FileError> {
    // The time per game in seconds, as measured in the last generation and in the last measurement. Measurements are
    // slower because their opponents search deeper.
    let mut speeds = [None; 2];
    let end = loop {
        watched.stop.reserve(time_of_finals(trainer.settings(), speeds));
        let measures = measuring.is_due();
        if !measures && trainer.generation() >= trainer.settings().generations {
            break End::Complete;
        }
        if let Some(end) = watched.stop.end() {
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
    trainer.end_tasks();
    notify(observers, &Event::End { trainer, end })?;
    Ok(end)
}

/// Estimates the maximum time for the short test, for the finals and for measuring the winner. Returns zero if there
/// are no finals, and [`Duration::MAX`] if there are finals but one of the speeds is not known yet.
fn time_of_finals(settings: &Settings, [generation, measurement]: [Option<f64>; 2]) -> Duration {
    if !settings.has_finals() {
        return Duration::ZERO;
    }
    let short = short_test(settings);
    let opponents = short.measured_opponents([]).len() as u64;
    let short = 2 * (opponents * u64::from(short.measure_openings) + 3 * SHORT_PAIRS as u64);
    let [finals, of_winner] = most_games(settings).map(|games| games as f64);
    let speeds = generation.zip(measurement);
    let seconds = speeds
        .map(|(game, test)| FINALS_MARGIN * (finals * game + (of_winner + short as f64) * test));
    seconds.and_then(|it| Duration::try_from_secs_f64(it).ok()).unwrap_or(Duration::MAX)
}

fn notify(observers: &mut [&mut dyn Observer], event: &Event) -> Result<(), FileError> {
    observers.iter_mut().try_for_each(|observer| observer.observe(event))
}

/// Takes the next pending measurement. Returns the number of games, or `None` if the measurement was stopped.
fn measure(
    trainer: &Trainer,
    measuring: &mut Measuring,
    watched: &Watched,
    observers: &mut [&mut dyn Observer],
) -> Result<Option<u64>, FileError> {
    notify(observers, &Event::Begins(StatusPart::Measuring, None))?;
    let runner = GameRunner { games: trainer.plain_games(), progress: &watched.at_once() };
    let measurement = measuring.take(runner);
    let Some(measurement) = unless_stopped(measurement)? else { return Ok(None) };
    notify(observers, &Event::Measured { trainer, measurement: &measurement })?;
    let tests = measurement.gate.iter().flatten();
    let gate: u64 = tests.map(|it| 2 * it.pairs.iter().sum::<u64>()).sum();
    Ok(Some(measurement.against.iter().map(|it| it.games).sum::<u64>() + gate))
}

/// Evaluates a generation. Returns the number of games (0 if the step learned features), or `None` if we were stopped.
fn evaluate(
    trainer: &mut Trainer,
    measuring: &mut Measuring,
    watched: &Watched,
    observers: &mut [&mut dyn Observer],
) -> Result<Option<u64>, FileError> {
    let next = trainer.generation() + 1;
    let learns = trainer.optimiser().learns_next();
    let part = if learns { StatusPart::Learning } else { StatusPart::Generation };
    notify(observers, &Event::Begins(part, Some(next)))?;
    let begun = Instant::now();
    let nodes = trainer.step(&watched.patiently());
    let Some(nodes) = unless_stopped(nodes)? else { return Ok(None) };
    let seconds = trainer.time_of_generation(begun.elapsed().as_secs_f64());
    let cost = Cost { nodes, seconds };
    let last = trainer.last().expect("a step evaluates a generation");
    let statistics = Statistics::of(&trainer.settings().coding(), last);
    notify(observers, &Event::Generation { trainer, statistics: &statistics, cost })?;
    measuring.note(trainer);
    Ok(Some(if learns { 0 } else { last.games_played }))
}

/// Trains a run that is stored in a folder. When it is complete or out of time, final games select its champion. If it
/// stops early, then we measure its champion with a short test.
pub fn train(
    trainer: &mut Trainer,
    folder: &mut RunFolder,
    measuring: &mut Measuring,
    watched: &Watched,
    observer: &mut dyn Observer,
) -> Result<End, FileError> {
    let mut end = run_measured(trainer, measuring, watched, &mut [folder, observer])?;
    let has_finals = trainer.settings().has_finals() && trainer.generation() > 0;
    let mut is_tested = false;
    watched.stop.reserve(Duration::ZERO);
    if matches!(end, End::Complete | End::OutOfTime) && has_finals {
        let before = folder.champion().cloned();
        if end == End::OutOfTime {
            // The finals may not finish in time, so take the short test first. They ignore its champion.
            let runner = GameRunner { games: trainer.plain_games(), progress: &watched.at_once() };
            is_tested = take_short_test(trainer, folder, measuring, runner, observer)?;
        }
        let is_interrupted = matches!(watched.stop.end(), Some(End::Interrupted | End::Stopped));
        if !is_interrupted && play_finals(trainer, folder, before, watched, observer)? {
            return Ok(end);
        }
        end = watched.end();
    }
    if end != End::Complete && !is_tested {
        // There is too little time to distribute the games as tasks, so we play them in this process.
        let progress = &for_at_most(watched.progress, SHORT_TEST_LIMIT);
        let runner = GameRunner { games: &LocalGames::new(), progress };
        take_short_test(trainer, folder, measuring, runner, observer)?;
    }
    Ok(end)
}

/// Measures the champion of a run that stopped early. Returns `false` if the test was stopped too.
fn take_short_test(
    trainer: &Trainer,
    folder: &mut RunFolder,
    measuring: &Measuring,
    runner: GameRunner,
    observer: &mut dyn Observer,
) -> Result<bool, FileError> {
    let only_lacks_finals = trainer.generation() >= trainer.settings().generations;
    if only_lacks_finals || !measuring.is_outdated(trainer) {
        return Ok(true);
    }
    observer.observe(&Event::Begins(StatusPart::Measuring, None))?;
    let measurement = unless_stopped(measuring.take_short(trainer, runner))?;
    let Some(measurement) = measurement else { return Ok(false) };
    notify(&mut [folder, observer], &Event::Measured { trainer, measurement: &measurement })?;
    folder.flush(trainer)?;
    Ok(true)
}

/// Plays the finals and the gate, and measures the champion. Returns `false` if any of these was stopped.
fn play_finals(
    trainer: &Trainer,
    folder: &mut RunFolder,
    before: Option<Weights>,
    watched: &Watched,
    observer: &mut dyn Observer,
) -> Result<bool, FileError> {
    let history = store::read_text(&folder.path().join(HISTORY))?;
    observer.observe(&Event::Begins(StatusPart::Finals, None))?;
    let selection = ChampionSelection {
        folder: folder.path(),
        settings: trainer.settings(),
        finalists: &finalists(trainer, &history, before.as_ref()),
        before: before.as_ref(),
        games: trainer.settings().finalist_games.into(),
    };
    let mut observed = Ok(());
    let mut on_winner = || observed = observer.observe(&Event::Begins(StatusPart::Measuring, None));
    let runner = GameRunner { games: trainer.plain_games(), progress: &watched.at_once() };
    let selected = selection.select(runner, &mut on_winner);
    observed?;
    let Some(selected) = unless_stopped(selected)? else { return Ok(false) };
    notify(&mut [folder, observer], &Event::ChampionSelected(&selected.champion))?;
    Ok(true)
}

/// A run whose folder is locked by this process.
#[derive(Debug)]
pub struct Run {
    pub folder: RunFolder,
    pub trainer: Trainer,
    pub tables: Option<Arc<Tables>>,
}

#[derive(Debug)]
pub struct Trained {
    /// Why training ended, or the error that ended it.
    pub end: Result<End, FileError>,
    pub summary: Summary,
}

impl Run {
    pub fn create(
        path: &Path,
        settings: Settings,
        tables: Option<Arc<Tables>>,
    ) -> Result<Run, FolderError> {
        let folder = RunFolder::create(path, &settings, tables.as_deref())?;
        Ok(Run { folder, trainer: Trainer::new(settings), tables })
    }

    /// Starts a run in its default folder below `parent`, with the lowest seed whose default folder is free.
    pub fn create_with_free_seed(
        parent: &Path,
        settings: &Settings,
        tables: Option<&Arc<Tables>>,
    ) -> Result<Run, FolderError> {
        for seed in 1.. {
            let settings = settings.with_seed(seed);
            match Run::create(&parent.join(settings.default_folder()), settings, tables.cloned()) {
                Err(
                    FolderError::Occupied(_)
                    | FolderError::Remains { .. }
                    | FolderError::NotEmpty(_)
                    | FolderError::Busy(_),
                ) => {}
                created => return created,
            }
        }
        unreachable!("there are enough seeds")
    }

    /// Trains, measures and selects the champion as configured. A [`StopFile`](super::StopFile) in the folder ends
    /// training, and a [`Status`](super::Status) shows the progress. [`Trained::end`] includes training errors.
    pub fn train(
        mut self,
        watched: &Watched,
        observer: &mut dyn Observer,
    ) -> Result<Trained, FolderError> {
        let path = self.folder.path().to_owned();
        self.trainer = self.trainer.learning_in(&path).taught_by(self.tables.clone());
        let needs = self.trainer.settings().learning_needs();
        let _memory = Reservation::of(needs.memory).map_err(|error| {
            FolderError::invalid(&path.join(CONFIGURATION), format!("buffer: {error}"))
        })?;
        let mut measuring = self.folder.measuring(&self.trainer, self.tables)?;
        self.folder.remove_report()?;
        let status = StatusObserver::new(path.clone(), &self.trainer, watched);
        let mut observers = |event: &Event| {
            status.note(event);
            observer.observe(event)
        };
        let watched = Watched { progress: &status, stop: watched.stop };
        let (trainer, folder) = (&mut self.trainer, &mut self.folder);
        let train = || train(trainer, folder, &mut measuring, &watched, &mut observers);
        let (file, stop) = (StopFile::of(&path), watched.stop);
        let end = watch_stop_file(&file, || stop.request(), || status.write(), train);
        if self.folder.is_held() {
            status.finish(&end);
        }
        drop(self.folder);
        Ok(Trained { end, summary: Summary::of(&path)? })
    }
}
