//! Akinyemi's experiments with the RBH player (thesis, 2012, chapter 5), played again, and the questions that
//! they leave open.
//!
//! The opponent was the shareware *Awale*, which cannot be had: our [levels](evolution::player::LEVELS) bear the
//! names of its own and nothing else of it. The thesis names neither threshold nor tradeoff.

mod findings;
mod printed;
mod questions;

pub(super) use findings::{level_findings, metric_findings};
pub use printed::{Printed, SECONDS, printed};
pub use questions::{metrics, questions};

use std::path::Path;

use super::pairing::{Pairing, PairingError};
use crate::results::{LevelResult, PrintedGame};
use evolution::arena::{Finished, Openings, Suite};
use evolution::player::LEVELS;
use mancala::game::ayo::Ayo;
use mancala::progress::{Part, Progress};

/// Games at each level.
pub const GAMES: usize = 6;

/// A game at a level, as table 5.1 counts it.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelGame {
    /// The level.
    pub level: &'static str,
    /// Its number at the level, from 1.
    pub tournament: usize,
    /// Moves of the player that begins.
    pub moves: usize,
    /// Seeds of RBH and of the level in the end.
    pub seeds: [u16; 2],
    /// Milliseconds that RBH and the level took for a move; `None` of a game that was kept, which has no times.
    pub milliseconds: [Option<f64>; 2],
    /// Positions that RBH and the level looked at for a move.
    pub nodes: [f64; 2],
    /// What the thesis printed.
    pub printed: Printed,
}

impl From<&LevelGame> for LevelResult {
    fn from(game: &LevelGame) -> LevelResult {
        let Printed { moves, seeds } = game.printed;
        LevelResult {
            level: game.level.to_owned(),
            tournament: game.tournament,
            moves: game.moves,
            seeds: game.seeds,
            positions_per_move: game.nodes,
            printed: PrintedGame { moves, seeds },
        }
    }
}

/// The six games at each level, in turn begun by RBH and by the level. Two players that do not roll dice
/// have two games, so the second pair and the third begin after two plies, drawn by seed. `folder` keeps them.
/// `None` if the progress stopped them, which counts games.
///
/// # Errors
/// None that `rbh` or the folder does not bring.
pub fn levels(
    rbh: &str,
    folder: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Option<Vec<LevelGame>>, PairingError> {
    let of = (GAMES * LEVELS.len()) as u64;
    let mut all = Vec::new();
    for (index, level) in LEVELS.iter().enumerate() {
        let mut pairing = Pairing::new(level.name, [rbh, level.name], GAMES);
        pairing.folder = folder.map(Path::to_owned);
        let mut games = Vec::new();
        for openings in openings() {
            let before = (all.len() + games.len()) as u64;
            match pairing.games(&openings, &Part { whole: progress, before, of })? {
                Some(played) => games.extend(played),
                None => return Ok(None),
            }
        }
        let of_level = printed().into_iter().skip(index * GAMES);
        let numbered = games.iter().zip(of_level).zip(1..);
        all.extend(numbered.map(|((game, printed), tournament)| {
            level_game(level.name, tournament, game, printed)
        }));
    }
    Ok(Some(all))
}

/// The start, and two positions after two plies.
fn openings() -> [Openings; 2] {
    let of = |plies| Suite::Plies(plies).openings(Ayo::default()).expect("there are some");
    [of(0), of(2).sample(GAMES / 2 - 1, 1)]
}

fn level_game(
    level: &'static str,
    tournament: usize,
    game: &Finished,
    printed: Printed,
) -> LevelGame {
    let milliseconds = |who: usize| Some(1000.0 * game.effort[who].time_per_move()?.as_secs_f64());
    let nodes = |who: usize| {
        let effort = &game.effort[who];
        effort.nodes as f64 / f64::from(effort.moves.max(1))
    };
    LevelGame {
        level,
        tournament,
        moves: game.line.len().div_ceil(2),
        seeds: game.stores(),
        milliseconds: [0, 1].map(milliseconds),
        nodes: [0, 1].map(nodes),
        printed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_six_different_ones_begun_by_either() {
        let pairing = Pairing::new("", ["rbh", "beginner"], GAMES);
        let mut games = Vec::new();
        for openings in openings() {
            games.extend(pairing.games(&openings, &()).unwrap().unwrap());
        }
        assert_eq!(games.len(), GAMES);
        assert_eq!(evolution::arena::distinct_games(&games), GAMES);
        for pair in games.chunks(2) {
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_ne!(pair[0].side_of_first(), pair[1].side_of_first());
        }
    }
}
