//! The openings that games are played from.

use std::fmt;

use arena::{Openings, OpeningsError, Suite};
use mancala::game::Notated;

/// A suite of openings, or a seeded sample of it.
#[derive(Debug, Clone)]
pub struct OpeningsChoice {
    /// Where openings are taken from.
    pub suite: Suite,
    /// Games, two an opening; all of the suite's without a number.
    pub games: Option<usize>,
    /// Which openings a sample holds; without effect where all are played.
    pub seed: u64,
}

/// Why there are no such openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsChoiceError {
    /// The suite cannot be read or made, or is empty.
    #[error(transparent)]
    Suite(#[from] OpeningsError),
    /// A game would be left without its partner.
    #[error("games is {0}: every opening is played twice, give an even number")]
    Odd(usize),
    /// The suite has openings for fewer games.
    #[error("games is {games}: {suite} has openings for {available}")]
    TooMany {
        /// The even number asked for.
        games: usize,
        /// Where it was to be taken from.
        suite: Suite,
        /// The most games that it has openings for, two each.
        available: usize,
    },
}

impl OpeningsChoice {
    /// The openings to play, in the order of the suite.
    ///
    /// # Errors
    /// If the suite cannot be had, or has not as many.
    pub fn load<G: Notated>(&self, game: G) -> Result<Openings<G::Position>, OpeningsChoiceError> {
        let all = self.suite.openings(game)?;
        let Some(games) = self.games else {
            return Ok(all);
        };
        let available = 2 * all.positions().len();
        if !games.is_multiple_of(2) {
            return Err(OpeningsChoiceError::Odd(games));
        }
        if games > available {
            let suite = self.suite.clone();
            return Err(OpeningsChoiceError::TooMany { games, suite, available });
        }
        Ok(all.sample(games / 2, self.seed))
    }
}

/// Words that differ where the openings do.
impl fmt::Display for OpeningsChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OpeningsChoice { suite, games, seed } = self;
        match games {
            None => write!(f, "{suite}"),
            Some(games) => write!(f, "{suite}, {games} games drawn with seed {seed}"),
        }
    }
}
