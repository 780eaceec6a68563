//! What the games of a run cost, task by task.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::super::cut::cut;
use evolution::arena::{Batch, Follow, Games, GamesError, LocalGames};
use mancala::progress::Progress;

/// Plays batches on one thread, and notes what each task of them would have taken.
#[derive(Debug)]
pub struct Recorder {
    local: LocalGames,
    /// Microseconds of games that a task is made of.
    task: u64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Microseconds of a game.
    pace: f64,
    batches: Vec<Vec<f64>>,
}

impl Recorder {
    /// One that has noted nothing.
    pub fn new(local: LocalGames, task: u64) -> Recorder {
        let state = Mutex::new(State { pace: 2_000.0, batches: Vec::new() });
        Recorder { local, task, state }
    }

    /// Seconds of the tasks of each batch so far.
    pub fn batches(&self) -> Vec<Vec<f64>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).batches.clone()
    }
}

impl Games for Recorder {
    fn play(
        &self,
        batch: &Batch,
        progress: &dyn Progress,
        follow: &mut Follow,
    ) -> Result<(), GamesError> {
        let players = self.local.seat(batch)?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut outcomes = vec![None; batch.meetings().len()];
        let (mut seconds, begun) = (Vec::new(), Instant::now());
        for task in cut(batch.meetings(), self.task, state.pace) {
            let begun = Instant::now();
            for game in task {
                outcomes[game] = players.meet(batch.meetings()[game], progress)?;
            }
            seconds.push(begun.elapsed().as_secs_f64());
        }
        state.pace = begun.elapsed().as_secs_f64() * 1e6 / outcomes.len().max(1) as f64;
        state.batches.push(seconds);
        drop(state);
        let _ = outcomes.into_iter().flatten().try_for_each(follow);
        Ok(())
    }
}
