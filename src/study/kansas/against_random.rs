//! Every combination against a player that moves at random.

use rayon::prelude::*;

use super::Watcher;
use super::duel::{Deeds, Mind, Searcher, duel};
use super::round_robin::Averages;
use super::statistics::Estimate;
use crate::eval::kansas::Heuristics;
use crate::game::kalah::Kalah;
use crate::random::{Purpose, stream};

/// How a combination fared.
#[derive(Debug, Clone)]
pub struct AgainstRandom {
    /// The combination; without any heuristic it is H0.
    pub heuristics: Heuristics,
    /// A game each, those that it began before the others.
    games: Vec<Deeds>,
}

impl AgainstRandom {
    /// The report's columns.
    pub fn averages(&self) -> Averages {
        let (first, second) = self.games.split_at(self.games.len() / 2);
        let sum = |games: &[Deeds]| games.iter().fold(Deeds::default(), |sum, game| sum + *game);
        Averages::new(sum(first), sum(second))
    }

    /// Games that it played.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Share of games won.
    pub fn win(&self) -> Estimate {
        self.ratio(|game| game.wins, |_| 1)
    }

    /// Stones, captures and go-agains a move.
    pub fn per_move(&self) -> [Estimate; 3] {
        let parts: [fn(&Deeds) -> u64; 3] =
            [|game| game.stones, |game| game.captures, |game| game.go_agains];
        parts.map(|part| self.ratio(part, |game| game.moves))
    }

    fn ratio(&self, x: impl Fn(&Deeds) -> u64, y: impl Fn(&Deeds) -> u64) -> Estimate {
        let mut sums = [0.0; 5];
        for game in &self.games {
            let (x, y) = (x(game) as f64, y(game) as f64);
            for (sum, part) in sums.iter_mut().zip([x, y, x * x, x * y, y * y]) {
                *sum += part;
            }
        }
        Estimate::ratio(sums)
    }
}

/// Plays each of the 64 combinations against the random player, `games` games each, half of them begun
/// by it, looking `depth` plies ahead. `None` if the watcher stopped it.
///
/// # Panics
/// Unless `games` is positive and even.
pub fn against_random(
    games: u32,
    depth: u32,
    seed: u64,
    watcher: &dyn Watcher,
) -> Option<Vec<AgainstRandom>> {
    assert!(games > 0 && games.is_multiple_of(2), "as many games first as second");
    let play = |combination: usize, searcher: &Searcher, game: u32| {
        if watcher.should_stop() {
            return None;
        }
        let mut dice = stream(seed, Purpose::Kansas, combination as u64, game.into());
        let (mind, dice) = (Mind::Searching(searcher), Mind::Random(&mut dice));
        let deeds = if game < games / 2 {
            duel(&Kalah::KANSAS, [mind, dice])[0]
        } else {
            duel(&Kalah::KANSAS, [dice, mind])[1]
        };
        watcher.played(1);
        Some(deeds)
    };
    let combinations = Heuristics::all().enumerate();
    let fared = combinations.map(|(index, heuristics)| {
        let searcher = Searcher::new(heuristics.utility(), depth);
        let games: Option<Vec<Deeds>> =
            (0..games).into_par_iter().map(|game| play(index, &searcher, game)).collect();
        Some(AgainstRandom { heuristics, games: games? })
    });
    fared.collect()
}
