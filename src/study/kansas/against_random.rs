//! Every combination against a player that moves at random.

use rayon::prelude::*;

use super::Watcher;
use super::duel::{Deeds, Memorising, Mind, duel};
use mancala::eval::kansas::Heuristics;
use mancala::game::kalah::Kalah;
use mancala::random::{Purpose, stream};

/// How a combination fared.
#[derive(Debug, Clone)]
pub struct AgainstRandom {
    /// The combination; without any heuristic it is H0.
    pub heuristics: Heuristics,
    /// A game each, those that it began before the others.
    games: Vec<Deeds>,
}

impl AgainstRandom {
    /// Games that it played.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// What it did in each, those that it began before the others.
    pub(super) fn deeds(&self) -> &[Deeds] {
        &self.games
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
    let play = |combination: usize, searcher: &Memorising, game: u32| {
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
        let searcher = Memorising::new(heuristics.utility(), depth);
        let games: Option<Vec<Deeds>> =
            (0..games).into_par_iter().map(|game| play(index, &searcher, game)).collect();
        Some(AgainstRandom { heuristics, games: games? })
    });
    fared.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::kansas::random_csv;

    fn on_threads(threads: usize, seed: u64) -> String {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        random_csv(&pool.install(|| against_random(8, 2, seed, &())).unwrap())
    }

    #[test]
    fn the_same_on_any_number_of_threads() {
        let table = on_threads(1, 5);
        assert_eq!(table, on_threads(2, 5));
        assert_ne!(table, on_threads(2, 6), "the seed counts");
    }
}
