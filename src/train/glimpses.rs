//! The first minutes of a run: how strong its best is by a few quick games, and how to play against it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arena::LocalGames;
use mancala::eval::Strength;

use crate::terminal::meter::rounded;
use crate::terminal::shown;
use crate::train::app_train::OpenRun;
use crate::train::report::play_command;
use evolve::run::{Event, StopPolicy, Trainer, Watched, glimpse};

/// Afterwards strength has been measured, and the progress says it.
const FIRST_MINUTES: Duration = Duration::from_secs(300);
/// A look waits until this many times what the last one took is over, so that all of them cost little.
const PATIENCE: u32 = 20;

/// Looks that are taken at growing intervals while a new run goes through its first minutes.
pub(crate) struct Glimpses {
    folder: PathBuf,
    play: String,
    stop: Arc<StopPolicy>,
    begun: Instant,
    /// When the next look is due.
    next: Duration,
    /// Whether the user knows how to play against the champion.
    is_told: bool,
}

impl Glimpses {
    /// Of a run that begins now; none of one that goes on.
    pub(crate) fn of(run: &OpenRun, stop: &Arc<StopPolicy>) -> Option<Glimpses> {
        (run.trainer.generation() == 0).then(|| Glimpses {
            folder: run.folder.path().into(),
            play: play_command(run.folder.path(), run.trainer.settings()),
            stop: Arc::clone(stop),
            begun: Instant::now(),
            next: Duration::ZERO,
            is_told: false,
        })
    }

    /// What there is to say once something has happened.
    pub(crate) fn heed(&mut self, event: &Event) -> Vec<String> {
        let look = match event {
            Event::Generation { trainer, .. } => self.look(trainer),
            _ => None,
        };
        let hint = match event {
            Event::Generation { .. } | Event::Measured { .. } => self.hint(),
            _ => None,
        };
        look.into_iter().chain(hint).collect()
    }

    fn look(&mut self, trainer: &Trainer) -> Option<String> {
        let at = self.begun.elapsed();
        if at < self.next || at > FIRST_MINUTES {
            return None;
        }
        let watched = Watched { progress: &(), stop: &self.stop };
        let found = trainer.champion().and_then(|champion| {
            glimpse(trainer.settings(), &champion, &LocalGames::new(), &watched.at_once())
        });
        let now = self.begun.elapsed();
        self.next = (2 * now).max(now + PATIENCE * (now - at)).max(Duration::from_secs(5));
        Some(sentence(trainer.generation(), at, &found?))
    }

    /// How to play, once there is a champion to play against: files are written after a few seconds.
    fn hint(&mut self) -> Option<String> {
        let is_due = !self.is_told && self.folder.join("champion.json").exists();
        self.is_told |= is_due;
        is_due.then(|| format!("play against it while it learns: {}", self.play))
    }
}

fn sentence(generation: u32, after: Duration, found: &Strength) -> String {
    let Strength { opponent, games, score, low, high, .. } = found;
    format!(
        "generation {generation} after {}: its best scores {score:.2} ({low:.2} to {high:.2}) in {games} games \
         against {}",
        rounded(after),
        shown(opponent)
    )
}
