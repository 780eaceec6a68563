//! Games that are played here and by workers.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::coordinator::Coordinator;
use super::cut::{Grain, cut};
use super::wire::Piece;
use super::work::Work;
use evolution::arena::{
    Batch, Contender, Follow, Games, GamesError, Helpers, LocalGames, Meeting, Outcome, Seated,
};
use evolution::player::{PlayableGame, weighed};
use mancala::game::with_game;
use mancala::progress::{Part, Progress};

/// What a game is taken for before one was played, in microseconds.
const UNKNOWN: f64 = 2_000.0;
/// Seconds of work, all threads together, after which a match tells of its games.
const TELLING: f64 = 2.0;
/// Games, all told, of which a match tells at a time.
const TOLD: std::ops::RangeInclusive<usize> = 64..=20_000;

/// Games of a coordinator.
pub struct SharedGames {
    coordinator: Arc<Coordinator>,
    local: LocalGames,
    /// Microseconds of a game.
    pace: Mutex<f64>,
}

/// The workers that a coordinator finds, as helpers in games.
#[derive(Debug, Clone)]
pub struct Crew(pub Arc<Coordinator>);

impl Helpers for Crew {
    fn help(&self, local: LocalGames) -> Arc<dyn Games> {
        let pace = Mutex::new(UNKNOWN);
        Arc::new(SharedGames { coordinator: Arc::clone(&self.0), local, pace })
    }
}

impl fmt::Debug for SharedGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedGames").field("local", &self.local).finish_non_exhaustive()
    }
}

/// A batch, cut into tasks.
struct Tasks<'a> {
    batch: &'a Batch,
    players: &'a dyn Seated,
    meetings: &'a [Meeting],
    cut: Vec<Vec<usize>>,
    /// Microseconds and games that were played here.
    spent: Mutex<(f64, u64)>,
}

impl Tasks<'_> {
    fn games(&self, number: usize) -> impl Iterator<Item = Meeting> {
        self.cut[number].iter().map(|&game| self.meetings[game])
    }
}

impl Work for Tasks<'_> {
    type Error = GamesError;

    fn pieces(&self) -> usize {
        self.cut.len()
    }

    fn ground(&self) -> Vec<u8> {
        self.batch.with_meetings(Vec::new()).expect("nothing is missing").encode()
    }

    fn is_shared(&self) -> bool {
        self.players.reproducible()
    }

    fn piece(&self, number: usize) -> Piece {
        Piece::Games(self.games(number).collect())
    }

    fn weight(&self, number: usize) -> u64 {
        self.cut[number].len() as u64
    }

    fn act(&self, number: usize, progress: &dyn Progress) -> Result<Option<Vec<u8>>, GamesError> {
        let begun = Instant::now();
        let mut outcomes = Vec::with_capacity(self.cut[number].len());
        for meeting in self.games(number) {
            match self.players.meet(meeting, progress)? {
                Some(outcome) => outcomes.push(outcome),
                None => return Ok(None),
            }
        }
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.0 += begun.elapsed().as_secs_f64() * 1e6;
        spent.1 += outcomes.len() as u64;
        Ok(Some(Outcome::encode(&outcomes)))
    }
}

impl SharedGames {
    fn pace(&self) -> f64 {
        *self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The outcomes of some meetings of a batch. `None` if the progress stopped it.
    fn part(
        &self,
        batch: &Batch,
        players: &dyn Seated,
        meetings: &[Meeting],
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Outcome>>, GamesError> {
        let (task, pace) = (self.coordinator.terms().task, self.pace());
        let cut = cut(meetings, Grain::new(task, pace, self.threads()));
        let expected =
            Duration::from_micros((pace * meetings.len() as f64 / cut.len().max(1) as f64) as u64);
        let tasks = Tasks { batch, players, meetings, cut, spent: Mutex::default() };
        let mut follow = |_: &[u8]| ControlFlow::Continue(());
        let Some(found) = self.coordinator.share(&tasks, expected, progress, &mut follow)? else {
            return Ok(None);
        };
        let mut outcomes: Vec<Option<Outcome>> = vec![None; meetings.len()];
        for (games, bytes) in tasks.cut.iter().zip(&found) {
            let found = Outcome::decode(bytes).expect("an answer with a digest");
            for (&game, outcome) in games.iter().zip(found) {
                outcomes[game] = Some(outcome);
            }
        }
        let (micros, games) = tasks.spent.into_inner().unwrap_or_else(PoisonError::into_inner);
        if games > 0 {
            *self.pace.lock().unwrap_or_else(PoisonError::into_inner) =
                (micros / games as f64).max(1.0);
        }
        Ok(outcomes.into_iter().collect())
    }

    /// Threads here and elsewhere.
    fn threads(&self) -> usize {
        rayon::current_num_threads() + self.coordinator.helpers() as usize
    }

    /// How many games a match plays before it tells of them.
    fn at_a_time(&self) -> usize {
        let games = TELLING * 1e6 * self.threads() as f64 / self.pace();
        (games as usize).clamp(*TOLD.start(), *TOLD.end())
    }
}

/// The batch with the weights of players that were named by a file of them, which may be on this machine alone.
fn portable(batch: &Batch) -> Batch {
    fn player<G: PlayableGame>(contender: &Contender, game: G) -> Contender {
        let weighed = match contender {
            Contender::Spec { spec, .. } => weighed(spec, game),
            Contender::Weights { .. } => None,
        };
        weighed.map_or_else(
            || contender.clone(),
            |(it, limits, options)| Contender::new(&it, limits, options),
        )
    }
    let players = batch.players().iter();
    let players = with_game!(batch.game(), game => players.map(|it| player(it, game)).collect());
    let (openings, meetings) = (batch.openings().to_vec(), batch.meetings().to_vec());
    Batch::new(batch.game(), players, openings, meetings).expect("the same players")
}

impl Games for SharedGames {
    fn play(
        &self,
        batch: &Batch,
        progress: &dyn Progress,
        follow: &mut Follow,
    ) -> Result<(), GamesError> {
        let batch = &portable(batch);
        let players = self.local.seat(batch)?;
        let all = batch.meetings();
        let mut told = 0;
        while told < all.len() && !progress.should_stop() {
            let next = &all[told..(told + self.at_a_time()).min(all.len())];
            let part = Part { whole: progress, before: told as u64, of: all.len() as u64 };
            let Some(outcomes) = self.part(batch, &*players, next, &part)? else { break };
            for outcome in outcomes {
                told += 1;
                if follow(outcome).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn outcomes(&self, batch: &Batch, progress: &dyn Progress) -> Option<Vec<Outcome>> {
        let players = self.local.seat(batch).ok()?;
        self.part(batch, &*players, batch.meetings(), progress).ok()?
    }
}
