//! Estimates how long a run takes and how much disk space it needs.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arena::{Batch, BatchPlayer, Games, LocalGames, Outcome};
use mancala::eval::Weights;
use mancala::progress::Progress;

use super::{PAIRS, Panel, Settings, local_games, most_games};
use crate::optimise::{Executor, WorkError};

/// The estimated time and disk space of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimated time with the current number of threads, or why there is no estimate.
    pub time: Result<Duration, &'static str>,
    /// The size of the finished run folder in bytes.
    pub bytes: u64,
}

impl Estimate {
    /// Estimates the time and disk space by playing a sample of games, which takes at most two seconds.
    pub fn of(settings: &Settings) -> Estimate {
        Estimate { time: time(settings), bytes: bytes(settings) }
    }
}

/// The time limit for a sample of games.
const SAMPLE: Duration = Duration::from_secs(1);
const OPENINGS: u32 = 4;

const SLOW: &str = "a game takes longer than a second: reduce depth or nodes";
const NO_GAMES: &str = "fitness from tables was not timed";
const UNTIMED: &str = "learning was timed only in ayo at depth 5, without a second layer";

/// Returns a message if no game in the first generation ends within a second. In this case, we can't estimate the time.
pub fn slow_games(settings: &Settings) -> Option<&'static str> {
    let batch = first_games(settings)?;
    seconds_per_game(&batch, &local_games(settings), 1).err()
}

/// Records the first games of a run instead of playing them.
struct FirstGames(Option<Batch>);

impl Executor for FirstGames {
    fn games(&mut self, batch: &Batch) -> Result<Vec<Outcome>, WorkError> {
        self.0 = Some(batch.clone());
        Err(WorkError::Stopped)
    }
}

/// Returns the first games of a run at full depth, or `None` if the run begins with endgame tables or with learning.
fn first_games(settings: &Settings) -> Option<Batch> {
    let mut deep = settings.clone();
    // We skip the warm-up, because searches are shallower there.
    let _ = deep.own.set("warm_up", "0");
    deep.islands = 1;
    let mut first = FirstGames(None);
    let _ = deep.new_optimiser().step(&mut first);
    first.0
}

fn time(settings: &Settings) -> Result<Duration, &'static str> {
    let (mut seconds, game, weights) = match first_games(settings) {
        Some(batch) => {
            let game = seconds_per_game(&batch, &local_games(settings), u64::MAX)?;
            let games = settings.games_of_generations(1..=settings.generations);
            let Some(BatchPlayer::Weights { weights, .. }) = batch.players.first() else {
                return Err("its members have no weights");
            };
            (games as f64 * game, Some(game), weights.weights())
        }
        None => {
            let untimed = if settings.own.layers().is_some() { UNTIMED } else { NO_GAMES };
            let seconds = settings.learning_needs().seconds.ok_or(untimed)?;
            let learned = Weights::named("learned").expect("built-in weights");
            (seconds / rayon::current_num_threads() as f64, None, learned)
        }
    };
    let measurements = measurements(settings);
    if measurements > 0 || settings.has_finals() {
        let [finals, last] = if settings.has_finals() { most_games(settings) } else { [0, 0] };
        let gates = match settings.panel {
            Panel::First => 0,
            // We assume one full-length test, since usually the first test or the longer tests after it end early.
            Panel::Second => 2 * measurements * PAIRS as u64,
        };
        let opponents = settings.measured_opponents([]).len() as u64;
        let one = 2 * opponents * u64::from(settings.measure_openings);
        let few = Settings { measure_openings: OPENINGS, ..settings.clone() };
        let sample = few.measured_games(&weights, &[]);
        let measured = seconds_per_game(&sample, &LocalGames::new(), u64::MAX)?;
        seconds += (finals + gates) as f64 * game.unwrap_or(measured)
            + (measurements * one + last) as f64 * measured;
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| "it is too long")
}

fn measurements(settings: &Settings) -> u64 {
    settings.measured_generations(0).count() as u64
}

/// Measures the seconds per game on all threads. Plays at most `most` games of the batch, and stops at the time limit.
fn seconds_per_game(batch: &Batch, place: &LocalGames, most: u64) -> Result<f64, &'static str> {
    let (games, micros) = <(AtomicU64, AtomicU64)>::default();
    let stopwatch = Stopwatch { begun: Instant::now(), most, games, micros };
    // `play` stops when the time limit is reached. Unfinished games aren't counted.
    let _ = place.play(batch, &stopwatch);
    let (games, micros) = (stopwatch.games.into_inner(), stopwatch.micros.into_inner());
    if games > 0 { Ok(micros as f64 / 1e6 / games as f64) } else { Err(SLOW) }
}

/// Counts finished games, and records the time, in microseconds, at which the last one finished.
struct Stopwatch {
    begun: Instant,
    most: u64,
    games: AtomicU64,
    micros: AtomicU64,
}

impl Progress for Stopwatch {
    fn advance(&self, _: u64, _: u64) {
        self.games.fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_max(self.begun.elapsed().as_micros() as u64, Ordering::Relaxed);
    }

    fn should_stop(&self) -> bool {
        self.games.load(Ordering::Relaxed) >= self.most || self.begun.elapsed() >= SAMPLE
    }
}

fn bytes(settings: &Settings) -> u64 {
    const ROW: u64 = 190;
    const FEATURE: u64 = 17;
    const OPPONENT: u64 = 170;
    const CHECKPOINTS: u64 = 3;
    const RESULT: u64 = 30;
    const KEPT_CHAMPIONS: u64 = 256;
    let features = settings.features.features().len() as u64;
    let generations = u64::from(settings.generations);
    let opponents = settings.measured_opponents([]).len() as u64 + 4;
    let chromosome = settings.coding().bits() as u64 / 8 + 12;
    let kept = u64::from(settings.candidates()) + generations.min(KEPT_CHAMPIONS);
    settings.learning_needs().disk
        + generations * (ROW + FEATURE * features)
        + measurements(settings) * opponents * OPPONENT
        + CHECKPOINTS
            * (kept * chromosome + settings.own.cached_results(settings.generations) * RESULT)
        + 8192
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{RunFolder, StopPolicy, Trainer, Watched, run_measured};
    use crate::testing::changed;

    #[test]
    fn the_size_of_the_folder_is_close_to_the_estimate() {
        // There are no gating matches, because they would take most of the time of this short run.
        let small = "population=20 fitness_set=5 generations=12 depth=1 measure_openings=2 panel=1 finalist_games=0";
        let settings = changed("quick", small);
        let estimate = bytes(&settings);
        let scratch = tempfile::tempdir().unwrap();
        let mut folder = RunFolder::create(&scratch.path().join("run"), &settings, None).unwrap();
        let mut trainer = Trainer::new(settings.clone());
        let mut measuring = folder.measuring(&trainer, None).unwrap();
        let watched = Watched { progress: &(), stop: &StopPolicy::default() };
        run_measured(&mut trainer, &mut measuring, &watched, &mut [&mut folder]).unwrap();
        let files = std::fs::read_dir(folder.path()).unwrap();
        let bytes: u64 = files.map(|file| file.unwrap().metadata().unwrap().len()).sum();
        assert!((bytes / 2..=2 * bytes).contains(&estimate), "{bytes} {estimate}");
        let is_slow = |depth| slow_games(&changed("quick", depth)).is_some();
        assert_eq!(["depth=1", "depth=99"].map(is_slow), [false, true]);
        let is_estimated = |depth| changed("learned", depth).learning_needs().seconds.is_some();
        assert_eq!(["depth=5", "depth=6"].map(is_estimated), [true, false]);
    }
}
