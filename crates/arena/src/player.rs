//! Players and the moves they choose.

pub mod amdf;
mod captures;
mod engine;
mod external;
mod games;
mod kinds;
mod minimax;
pub mod protocol;
mod rbh;
mod simple;
mod spec;
mod tables;

pub use captures::gains;
pub use engine::{DEFAULT_HASH, MAX_HASH, MAX_THREADS};
pub(crate) use external::TIMEOUT;
pub use external::kill_engines;
pub use games::{PANEL_SIZE, PlayableGame, built_in_book};
pub use kinds::{
    LEVELS, Level, build, build_for, in_full, kind_names, level_of, levels, published,
};
pub use minimax::Minimax;
pub use spec::{Spec, SpecError};
pub use tables::DefaultTables;

use mancala::endgame::Tables;
use mancala::eval::Score;
use mancala::game::{Game, Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::{Iteration, Limits};

/// A player. It sees only the opening and the moves so far. It may remember earlier positions of the game, as long as
/// it makes the same choices when the game is repeated.
pub trait Player<G: Game>: Send {
    /// Chooses a move in an unfinished game. Fails if the player was stopped or can't continue.
    fn choose(&mut self, record: &Record<G>, progress: &dyn Progress) -> Chosen;

    /// Returns the move that the player considers best, even if the player sometimes moves at random.
    fn advise(&mut self, record: &Record<G>, progress: &dyn Progress) -> Chosen {
        self.choose(record, progress)
    }

    /// Like [`choose`](Self::choose), but a search uses the given limits and calls `listener` after each iteration.
    fn analyse(
        &mut self,
        record: &Record<G>,
        _limits: &Limits,
        progress: &dyn Progress,
        _listener: &mut dyn FnMut(&Iteration),
    ) -> Chosen {
        self.choose(record, progress)
    }

    /// Returns the search limits, if the player searches.
    fn limits(&self) -> Option<Limits> {
        None
    }

    /// Prepares for a new game. This is called before each game, and choices must not depend on earlier games.
    fn new_game(&mut self) {}

    /// Describes the player, including file contents and all defaults. Players with equal identities play identically.
    fn identity(&self) -> String;

    /// Returns whether the player makes the same choice for a record on every machine. A time limit rules this out.
    fn is_reproducible(&self) -> bool {
        self.limits().is_none_or(|limits| limits.is_reproducible())
    }

    /// Returns whether the choice depends only on the position, so that it can be cached.
    fn is_recallable(&self) -> bool {
        false
    }

    /// Returns the line of play that the player expects, starting with the chosen move.
    fn variation(&mut self, record: &Record<G>, choice: &Choice) -> Vec<(Side, Pit)> {
        vec![(record.to_move(), choice.pit)]
    }

    /// Returns whether [`variation`](Self::variation) is cheap, because it returns a stored line instead of searching.
    fn variation_is_stored(&self) -> bool {
        false
    }

    /// Returns the value of each move for the side to move, or no values if the player doesn't evaluate moves. If
    /// `progress` requests a stop, then some values may be missing.
    fn payoffs(&mut self, _record: &Record<G>, _progress: &dyn Progress) -> Vec<(Pit, Score)> {
        Vec::new()
    }

    /// Explains in a few lines why a move was chosen. There are no lines if the only reason is the score of the move.
    fn explanation(&mut self, _record: &Record<G>) -> Vec<String> {
        Vec::new()
    }

    /// Returns the endgame tables that the player uses, if any.
    fn tables(&self) -> Option<&Tables> {
        None
    }

    /// Returns the value of a captured seed in the player's scores, or `None` if the player doesn't value seeds.
    fn seed_value(&self) -> Option<i32> {
        None
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    pub pit: Pit,
    /// The value of the move, if the player evaluates moves.
    pub score: Option<Score>,
    pub nodes: u64,
    /// The number of plies searched, if the player searches.
    pub depth: Option<u32>,
}

/// A player's choice, or an error if the player was stopped or can't continue.
pub type Chosen = Result<Choice, NoChoice>;

/// Reasons why a player didn't choose a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoChoice {
    #[error("stopped")]
    Stopped,
    /// The player can't continue and forfeits the game.
    #[error("{0}")]
    Forfeit(String),
}
