//! Anything that picks a move.

pub mod amdf;
mod captures;
mod careless;
mod external;
mod games;
mod greedy;
mod kansas;
mod kinds;
mod levels;
mod minimax;
pub mod protocol;
mod random;
pub mod rbh;
mod settings;
mod spec;

pub use captures::gains;
pub use external::kill_engines;
pub use games::{PANEL_SIZE, PlayableGame};
pub use kinds::{build, build_for};
pub use levels::{LEVELS, Level, level};
pub use minimax::Minimax;
pub use spec::{Spec, SpecError};

use mancala::endgame::Tables;
use mancala::eval::Score;
use mancala::game::{Game, Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::{Iteration, Limits};

/// Picks moves. A player sees the opening position and the line played from it, never more, so the
/// same record gives the same choice.
pub trait Player<G: Game>: Send {
    /// A move in a game that has not ended.
    ///
    /// # Errors
    /// If the progress stopped the player, or he cannot go on with the game.
    fn choose(&mut self, record: &Record<G>, progress: &dyn Progress) -> Result<Choice, NoChoice>;

    /// A move within other limits than his own, telling `listener` of every iteration that is
    /// finished. A player without a search chooses as ever.
    fn analyse(
        &mut self,
        record: &Record<G>,
        _limits: &Limits,
        progress: &dyn Progress,
        _listener: &mut dyn FnMut(&Iteration),
    ) -> Result<Choice, NoChoice> {
        self.choose(record, progress)
    }

    /// The limits that he searches within, if he searches.
    fn limits(&self) -> Option<Limits> {
        None
    }

    /// Told before each game, which may be any: what he remembers of others must not matter in it.
    fn new_game(&mut self) {}

    /// What he is, files read and defaults filled in: two players of the same identity play alike.
    fn identity(&self) -> String;

    /// Whether the same record gives the same choice on every machine, which a limit on time forbids.
    fn reproducible(&self) -> bool {
        true
    }

    /// Whether the choice depends on the position alone, so that it can be recalled wherever the
    /// position occurs again.
    fn recallable(&self) -> bool {
        false
    }

    /// The line that the player expects, the choice first.
    fn variation(&mut self, record: &Record<G>, choice: &Choice) -> Vec<(Side, Pit)> {
        vec![(record.to_move(), choice.pit)]
    }

    /// What each legal move is worth to the side to move, for players that value moves.
    fn payoffs(&mut self, _record: &Record<G>) -> Vec<(Pit, Score)> {
        Vec::new()
    }

    /// Why he moves as he does in a game that has not ended, in lines for people; none for players whose
    /// only reason is a score.
    fn explanation(&mut self, _record: &Record<G>) -> Vec<String> {
        Vec::new()
    }

    /// The endgame tables that he looks positions up in.
    fn tables(&self) -> Option<&Tables> {
        None
    }

    /// What a captured seed is worth in the scores of a player that values moves, if it is worth
    /// anything to him.
    fn seed_value(&self) -> Option<i32> {
        None
    }
}

/// A chosen move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The pit to sow.
    pub pit: Pit,
    /// What the player thinks it is worth, if he values moves.
    pub score: Option<Score>,
    /// Positions that he looked at.
    pub nodes: u64,
    /// Plies that he looked ahead, if he searches.
    pub depth: Option<u32>,
}

/// Why a player has no move to play.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoChoice {
    /// He was told to stop.
    #[error("stopped")]
    Stopped,
    /// He cannot go on, and loses the game.
    #[error("{0}")]
    Forfeit(String),
}
