//! Where batches of games are played.

use std::fmt::Debug;
use std::ops::ControlFlow;

use super::batch::{Batch, Meeting};
use super::outcome::Outcome;
use super::team::NoCopy;
use crate::player::SpecError;
use mancala::progress::Progress;

/// Told of each outcome, and says whether to go on.
pub type Follow<'a, T = Outcome> = dyn FnMut(T) -> ControlFlow<()> + Send + 'a;

/// A place where games are played: this process, or others that it asks.
///
/// Architecture invariant: outcomes are a pure function of the batch, but for the effort. Threads,
/// caches and machines stand behind this trait and change nothing else.
pub trait Games: Debug + Send + Sync {
    /// Plays a batch and tells `follow` of the outcomes in the order of the meetings, whatever is
    /// played at a time. Ends early if `follow` breaks off or the progress stops it; what was told
    /// until then are the first meetings. The progress counts games.
    ///
    /// # Errors
    /// If a [`Contender::Spec`](super::Contender::Spec) cannot be had, or stands for another player
    /// here. Weights are never refused.
    fn play(
        &self,
        batch: &Batch,
        progress: &dyn Progress,
        follow: &mut Follow,
    ) -> Result<(), GamesError>;

    /// The outcomes of a batch of weights. `None` if the progress stopped it, or, in another batch,
    /// if a player is refused.
    fn outcomes(&self, batch: &Batch, progress: &dyn Progress) -> Option<Vec<Outcome>> {
        let mut outcomes = Vec::with_capacity(batch.meetings().len());
        let mut follow = |outcome| {
            outcomes.push(outcome);
            ControlFlow::Continue(())
        };
        self.play(batch, progress, &mut follow).ok()?;
        (outcomes.len() == batch.meetings().len()).then_some(outcomes)
    }
}

/// Players of a batch that have taken their seats.
pub trait Seated: Send + Sync {
    /// Plays one game between them, on this thread. `None` if the progress stopped it.
    ///
    /// # Errors
    /// If another copy of a player cannot be had.
    ///
    /// # Panics
    /// If the meeting names a player or an opening that the batch lacks.
    fn meet(
        &self,
        meeting: Meeting,
        progress: &dyn Progress,
    ) -> Result<Option<Outcome>, GamesError>;

    /// Whether the games can be repeated on any machine.
    fn reproducible(&self) -> bool;
}

/// Why a batch is not played.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// A player is not to be had here.
    #[error("{spec} cannot be had where it is to play: {error}")]
    Player {
        /// Its specification.
        spec: String,
        /// What is wrong.
        error: Box<SpecError>,
    },
    /// A specification stands for another player here.
    #[error("{spec} is not the player that the run began with: {found}")]
    OtherPlayer {
        /// The specification.
        spec: String,
        /// What it stands for here.
        found: String,
    },
    /// A player is here, but not as many copies of it as games are played at a time.
    #[error(transparent)]
    Copy(#[from] NoCopy),
}
