//! What the games of a run cost, game by game.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::super::cut::{Grain, cut};
use evolution::arena::{Batch, Follow, Games, GamesError, LocalGames, Meeting};
use mancala::progress::Progress;

/// Plays batches on one thread in the order in which tasks are cut, and notes what each game took.
#[derive(Debug)]
pub struct Recorder {
    local: LocalGames,
    /// Microseconds of games that a task is made of.
    task: u64,
    batches: Mutex<Vec<Recorded>>,
}

/// A batch and what its games took.
#[derive(Debug, Clone)]
pub struct Recorded {
    meetings: Vec<Meeting>,
    seconds: Vec<f64>,
    /// Microseconds of games that a task is made of, and what a game was taken for.
    task: (u64, f64),
}

impl Recorded {
    /// Seconds of all games.
    pub fn seconds(&self) -> f64 {
        self.seconds.iter().sum()
    }

    /// Seconds of the tasks for so many threads.
    pub(super) fn tasks(&self, threads: usize) -> Vec<f64> {
        let (task, game) = self.task;
        let tasks = cut(&self.meetings, Grain::new(task, game, threads));
        tasks.iter().map(|games| games.iter().map(|&game| self.seconds[game]).sum()).collect()
    }

    #[cfg(test)]
    pub(super) fn alike(games: u32, seconds: f64) -> Recorded {
        let meeting = |first| Meeting { first, second: first + 1, opening: 0 };
        let meetings: Vec<Meeting> = (0..games).map(|game| meeting(2 * game)).collect();
        Recorded { seconds: vec![seconds; meetings.len()], meetings, task: (10_000, seconds * 1e6) }
    }
}

impl Recorder {
    /// One that has noted nothing.
    pub fn new(local: LocalGames, task: u64) -> Recorder {
        Recorder { local, task, batches: Mutex::default() }
    }

    /// The batches so far.
    pub fn batches(&self) -> Vec<Recorded> {
        self.batches.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What a game is taken for before one was played, in microseconds.
const UNKNOWN: f64 = 2_000.0;

impl Games for Recorder {
    fn play(
        &self,
        batch: &Batch,
        progress: &dyn Progress,
        follow: &mut Follow,
    ) -> Result<(), GamesError> {
        let players = self.local.seat(batch)?;
        let meetings = batch.meetings();
        let mut outcomes = vec![None; meetings.len()];
        let mut seconds = vec![0.0; meetings.len()];
        let mut batches = self.batches.lock().unwrap_or_else(PoisonError::into_inner);
        let pace = batches
            .last()
            .map_or(UNKNOWN, |it: &Recorded| it.seconds() * 1e6 / it.seconds.len().max(1) as f64);
        for game in cut(meetings, Grain::new(self.task, pace, 1)).into_iter().flatten() {
            let begun = Instant::now();
            outcomes[game] = players.meet(meetings[game], progress)?;
            seconds[game] = begun.elapsed().as_secs_f64();
        }
        let meetings = meetings.to_vec();
        batches.push(Recorded { meetings, seconds, task: (self.task, pace) });
        drop(batches);
        let _ = outcomes.into_iter().flatten().try_for_each(follow);
        Ok(())
    }
}
