//! Engines of workers that are not what they should be.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

use ayo::arena::{GameResult, Outcome};
use ayo::workers::{Engine, Honest, Task};
use mancala::progress::Progress;
use mancala::random::ChaCha8Rng;
use rand::RngExt;

use crate::support::dice;

/// What a worker does with a task.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Vice {
    /// What it is asked.
    None,
    /// It takes so many milliseconds longer.
    Slow(u64),
    /// It turns every result around.
    Lies,
    /// It never answers the task of this number in the first batch.
    DiesOf(u32),
    /// It has one of the other vices, or none, by lot: so many tasks of a hundred go wrong.
    Moody(u32),
    /// What it answers is no answer.
    Babbles,
    /// It has not the players.
    Refuses,
}

#[derive(Debug)]
pub struct Faulty {
    honest: Honest,
    vice: Vice,
    dice: Mutex<ChaCha8Rng>,
    pub acts: AtomicU64,
}

impl Faulty {
    pub fn new(vice: Vice, seed: u64) -> Faulty {
        let dice = Mutex::new(dice(77, seed));
        Faulty { honest: Honest::new(), vice, dice, acts: AtomicU64::new(0) }
    }

    /// Milliseconds that are wasted, and whether there is an answer at all.
    fn mood(&self, percent: u32) -> (u64, bool) {
        let mut dice = self.dice.lock().unwrap();
        match dice.random_range(0..100u32) {
            it if it >= percent => (0, true),
            _ => (dice.random_range(0..400), dice.random_bool(0.7)),
        }
    }
}

impl Engine for Faulty {
    fn knows(&self, task: &Task) -> bool {
        self.honest.knows(task)
    }

    fn act(
        &self,
        task: &Task,
        ground: Option<Vec<u8>>,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<u8>>, String> {
        self.acts.fetch_add(1, Ordering::Relaxed);
        match self.vice {
            Vice::Slow(time) => sleep(Duration::from_millis(time)),
            Vice::DiesOf(number) if (task.batch, task.number) == (1, number) => return Ok(None),
            Vice::Refuses => return Err("there is nobody who plays".into()),
            Vice::Babbles => return Ok(Some(b"whatever".to_vec())),
            Vice::Moody(percent) => {
                let (time, answers) = self.mood(percent);
                sleep(Duration::from_millis(time));
                if !answers {
                    return Ok(None);
                }
            }
            Vice::None | Vice::Lies | Vice::DiesOf(_) => {}
        }
        let found = self.honest.act(task, ground, progress)?;
        if self.vice != Vice::Lies {
            return Ok(found);
        }
        let turned = |mut outcome: Outcome| {
            outcome.result = match outcome.result {
                GameResult::Draw => GameResult::Win,
                other => other.reversed(),
            };
            outcome
        };
        let outcomes = found.map(|bytes| Outcome::decode(&bytes).unwrap());
        let lies = outcomes.map(|it| it.into_iter().map(turned).collect::<Vec<_>>());
        Ok(lies.map(|it| Outcome::encode(&it)))
    }
}
