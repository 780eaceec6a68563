//! Anything that picks a move.

pub mod amdf;
mod captures;
mod careless;
mod engine;
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
mod tables;

pub use captures::gains;
pub use engine::{Engine, MOST_HASH, MOST_THREADS, USUAL_HASH};
pub use external::kill_engines;
pub use games::{PANEL_SIZE, PlayableGame, built_in_book};
pub use kinds::{build, build_for, in_full, kind_names};
pub use levels::{KALAH_LEVELS, LEVELS, Level, level, level_of, levels};
pub use minimax::{Minimax, weighed};
pub use spec::{Spec, SpecError};
pub use tables::Provided;

use mancala::endgame::Tables;
use mancala::eval::Score;
use mancala::game::{Game, Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::{Iteration, Limits};

/// Picks moves. A player sees the opening position and the line played from it, never more, so the
/// same record gives the same choice. A player that remembers what it has looked at in a game goes by that too,
/// and gives the same choice in the same game.
pub trait Player<G: Game>: Send {
    /// A move in a game that has not ended.
    ///
    /// # Errors
    /// If the progress stopped the player, or it cannot go on with the game.
    fn choose(&mut self, record: &Record<G>, progress: &dyn Progress) -> Result<Choice, NoChoice>;

    /// The move that it holds to be the best. A player that slips does not slip here.
    ///
    /// # Errors
    /// As of [`choose`](Self::choose).
    fn advise(&mut self, record: &Record<G>, progress: &dyn Progress) -> Result<Choice, NoChoice> {
        self.choose(record, progress)
    }

    /// A move within other limits than its own. `listener` hears of every iteration that is finished. A
    /// player without a search chooses as always.
    fn analyse(
        &mut self,
        record: &Record<G>,
        _limits: &Limits,
        progress: &dyn Progress,
        _listener: &mut dyn FnMut(&Iteration),
    ) -> Result<Choice, NoChoice> {
        self.choose(record, progress)
    }

    /// The limits that it searches within, if it searches.
    fn limits(&self) -> Option<Limits> {
        None
    }

    /// Called before each game. What the player remembers of other games must not matter in it.
    fn new_game(&mut self) {}

    /// The player with files read and defaults filled in: two players of the same identity play alike.
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

    /// Whether the line costs no search.
    fn keeps_lines(&self) -> bool {
        false
    }

    /// What each legal move is worth to the side to move, for players that value moves. If the progress stops
    /// it, moves are missing.
    fn payoffs(&mut self, _record: &Record<G>, _progress: &dyn Progress) -> Vec<(Pit, Score)> {
        Vec::new()
    }

    /// The reasons for its move in a game that has not ended, in lines for people. Empty for players whose
    /// only reason is a score.
    fn explanation(&mut self, _record: &Record<G>) -> Vec<String> {
        Vec::new()
    }

    /// The endgame tables that it looks positions up in.
    fn tables(&self) -> Option<&Tables> {
        None
    }

    /// The worth of a captured seed in the scores of a player that values moves. `None` if it is worth
    /// nothing.
    fn seed_value(&self) -> Option<i32> {
        None
    }
}

/// A chosen move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The pit to sow.
    pub pit: Pit,
    /// Its worth to the player, if the player values moves.
    pub score: Option<Score>,
    /// Positions that the player looked at.
    pub nodes: u64,
    /// Plies that the player looked ahead, if it searches.
    pub depth: Option<u32>,
}

/// Why a player has no move to play.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoChoice {
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
    /// It cannot go on, and loses the game.
    #[error("{0}")]
    Forfeit(String),
}
