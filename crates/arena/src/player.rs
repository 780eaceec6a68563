//! Players: anything that chooses a move.

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
pub use external::kill_engines;
pub use games::{PANEL_SIZE, PlayableGame, built_in_book};
pub use kinds::{LEVELS, Level, build, build_for, in_full, kind_names, level_of, levels};
pub use minimax::{Minimax, minimax_settings};
pub use spec::{Spec, SpecError};
pub use tables::DefaultTables;

use mancala::endgame::Tables;
use mancala::eval::Score;
use mancala::game::{Game, Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::{Iteration, Limits};

/// A player. It sees only the opening and the moves played from it, so the same record gives the same choice. A
/// player that remembers positions of the game gives the same choice in the same game.
pub trait Player<G: Game>: Send {
    /// Chooses a move in a game that is not over.
    ///
    /// # Errors
    /// If the progress stopped the player, or it cannot continue.
    fn choose(&mut self, record: &Record<G>, progress: &dyn Progress) -> Result<Choice, NoChoice>;

    /// Returns the best move in the player's view, without random moves.
    fn advise(&mut self, record: &Record<G>, progress: &dyn Progress) -> Result<Choice, NoChoice> {
        self.choose(record, progress)
    }

    /// Chooses a move within other limits than the player's own. `listener` is called after every finished iteration.
    /// A player without a search chooses as usual.
    fn analyse(
        &mut self,
        record: &Record<G>,
        _limits: &Limits,
        progress: &dyn Progress,
        _listener: &mut dyn FnMut(&Iteration),
    ) -> Result<Choice, NoChoice> {
        self.choose(record, progress)
    }

    /// The limits of its search, if it searches.
    fn limits(&self) -> Option<Limits> {
        None
    }

    /// Called before each game. Memory of other games must not matter in it.
    fn new_game(&mut self) {}

    /// The player with files read and defaults filled in: two players of the same identity play alike.
    fn identity(&self) -> String;

    /// Whether the same record gives the same choice on every machine. A time limit prevents that.
    fn is_reproducible(&self) -> bool {
        true
    }

    /// Whether the choice depends only on the position, so that it can be cached.
    fn is_recallable(&self) -> bool {
        false
    }

    /// The line that the player expects, beginning with the choice.
    fn variation(&mut self, record: &Record<G>, choice: &Choice) -> Vec<(Side, Pit)> {
        vec![(record.to_move(), choice.pit)]
    }

    /// Whether [`variation`](Self::variation) needs no search.
    fn variation_is_stored(&self) -> bool {
        false
    }

    /// The value of each legal move to the side to move; empty for players that do not evaluate moves. Moves are
    /// missing if the progress stops it.
    fn payoffs(&mut self, _record: &Record<G>, _progress: &dyn Progress) -> Vec<(Pit, Score)> {
        Vec::new()
    }

    /// The reasons for the move in a game that is not over, in lines of text. Empty for players whose only reason is
    /// a score.
    fn explanation(&mut self, _record: &Record<G>) -> Vec<String> {
        Vec::new()
    }

    /// The endgame tables that it uses.
    fn tables(&self) -> Option<&Tables> {
        None
    }

    /// The value of a captured seed in the player's scores. `None` if it has no value.
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
    /// Plies searched, if the player searches.
    pub depth: Option<u32>,
}

/// Reasons for not choosing a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoChoice {
    /// The progress stopped the player.
    #[error("stopped")]
    Stopped,
    /// The player cannot continue and loses the game.
    #[error("{0}")]
    Forfeit(String),
}
