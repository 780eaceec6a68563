//! Where batches of games are played.

use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use super::batch::{BATCH_VERSION, Batch, BatchError, Contender, Meeting};
use super::local::LocalGames;
use super::outcome::Outcome;
use super::team::NoCopy;
use crate::player::{PANEL_SIZE, PlayableGame, SpecError};
use mancala::eval::Weights;
use mancala::game::{AnyGame, Game, Side, with_game};
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
    /// If a [`Contender::Spec`] cannot be had, or stands for another player here. Weights are never
    /// refused.
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
    #[error("{spec} is \"{found}\" where it is to play and \"{expected}\" where it was asked for")]
    OtherPlayer {
        /// The specification.
        spec: String,
        /// What it stands for here.
        found: String,
        /// What it stood for.
        expected: String,
    },
    /// A player is here, but not as many copies of it as games are played at a time.
    #[error(transparent)]
    Copy(#[from] NoCopy),
}

/// What computes outcomes here, in a line: the versions of the package and of batches, and a checksum of
/// what a small batch of each game came to when this process played it. Places of the same fingerprint
/// can share the games of a run.
///
/// ```
/// assert!(ayo::arena::fingerprint().starts_with("ayo "));
/// ```
pub fn fingerprint() -> &'static str {
    static FINGERPRINT: OnceLock<String> = OnceLock::new();
    FINGERPRINT.get_or_init(|| {
        let mut hasher = crc32fast::Hasher::new();
        for game in [AnyGame::default(), "kalah".parse().expect("a game")] {
            let batch = sample(game).expect("players of the game");
            for outcome in LocalGames::new().outcomes(&batch, &()).into_iter().flatten() {
                hasher.update(format!("{:?}", outcome.game()).as_bytes());
            }
        }
        let (version, checksum) = (env!("CARGO_PKG_VERSION"), hasher.finalize());
        format!("ayo {version} batch {BATCH_VERSION} games {checksum:08x}")
    })
}

/// The batch that a fingerprint is taken of: the weights of the panel against each other, to an odd and
/// an even depth, from the start with either side to move.
fn sample(game: AnyGame) -> Result<Batch, BatchError> {
    fn panel<G: PlayableGame>(_: G) -> [(&'static str, u32); PANEL_SIZE] {
        G::PANEL
    }
    let player = |(place, (name, _)): (usize, (&str, u32))| {
        let weights = Weights::named(name).expect("a named evaluator");
        Contender::to_depth(&weights, 3 + place as u32 % 2)
    };
    let players = with_game!(game, game => panel(game)).into_iter().enumerate().map(player);
    let start = |side| with_game!(game, game => game.start(side).to_string());
    let meetings = [Meeting::pair(0, 3, 0), Meeting::pair(1, 2, 1), Meeting::pair(2, 3, 0)];
    Batch::new(game, players.collect(), Side::BOTH.map(start).into(), meetings.concat())
}

#[cfg(test)]
mod tests;
