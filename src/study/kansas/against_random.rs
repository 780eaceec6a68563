//! Every combination against a player that moves at random.

use evolution::arena::{CachedPlayer, MoveCache, gather_all, play_game};
use evolution::player::{self, Choice, Minimax, NoChoice};
use mancala::eval::kansas::Heuristics;
use mancala::game::kalah::Kalah;
use mancala::game::{Game, Record, Side};
use mancala::progress::{Part, Progress};
use mancala::random::{ChaCha8Rng, Purpose, one_of, stream};
use mancala::search::Limits;

use super::deeds::{Deeds, deeds};
use crate::study::error::StudyError;
use crate::study::unfinished::Unfinished;

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
/// by it, looking `depth` plies ahead. `None` if the progress stopped it, which counts games; combinations that
/// were kept do not play again.
///
/// # Errors
/// If the games of a combination cannot be kept.
///
/// # Panics
/// Unless `games` is positive and even.
pub fn against_random(
    games: u32,
    depth: u32,
    seed: u64,
    kept: &Unfinished,
    progress: &dyn Progress,
) -> Result<Option<Vec<AgainstRandom>>, StudyError> {
    assert!(games > 0 && games.is_multiple_of(2), "as many games first as second");
    let (each, all) = (u64::from(games), Heuristics::all().count() as u64);
    let fared = (0..).zip(Heuristics::all()).map(|(combination, heuristics)| {
        let progress = Part { whole: progress, before: combination * each, of: all * each };
        let of =
            format!("{heuristics} at {depth} plies, {games} games against random, seed {seed}");
        let games = kept.part(&of, || {
            let player = Player { heuristics, depth, cache: MoveCache::at_most(MOST_MOVES) };
            gather_all(games as usize, &progress, |game, progress| {
                let dice = stream(seed, Purpose::Kansas, combination, game as u64);
                let place = usize::from(game as u64 >= each / 2);
                Some(player.play(place, dice, progress)?[place])
            })
        })?;
        Ok(games.map(|games| AgainstRandom { heuristics, games }))
    });
    fared.collect()
}

/// Moves that a combination recalls.
const MOST_MOVES: usize = 1 << 20;

/// A combination, which does not search a position twice.
struct Player {
    heuristics: Heuristics,
    depth: u32,
    cache: MoveCache<Kalah>,
}

impl Player {
    /// A game against dice, in which it moves first in place 0 and second in place 1.
    fn play(&self, place: usize, dice: ChaCha8Rng, progress: &dyn Progress) -> Option<[Deeds; 2]> {
        let (utility, limits) = (self.heuristics.utility(), Limits::depth(self.depth));
        let seed_value = utility.seed_value();
        let mut player = Minimax::of(utility.searcher(), seed_value, limits);
        let mut combination = CachedPlayer { player: &mut player, cache: &self.cache };
        let mut random = Dice(dice);
        let mut record = Record::new(Kalah::KANSAS, Side::South);
        match place {
            0 => play_game(&mut record, [&mut combination, &mut random], progress)?,
            _ => play_game(&mut record, [&mut random, &mut combination], progress)?,
        };
        Some(deeds(&record))
    }
}

/// The player that moves at random. Unlike the random player of matches it rolls its dice on from move to
/// move, so that games from the same opening differ.
struct Dice(ChaCha8Rng);

impl player::Player<Kalah> for Dice {
    fn choose(&mut self, record: &Record<Kalah>, _: &dyn Progress) -> Result<Choice, NoChoice> {
        let moves = record.game().moves(record.position());
        let pit = one_of(moves, &mut self.0).ok_or(NoChoice::Stopped)?;
        Ok(Choice { pit, score: None, nodes: 0, depth: None })
    }

    fn identity(&self) -> String {
        "random".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::kansas::random_csv;
    use crate::study::unfinished::StopAfter;

    fn on_threads(threads: usize, seed: u64) -> String {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let play = || against_random(8, 2, seed, &Unfinished::nowhere(), &());
        random_csv(&pool.install(play).unwrap().unwrap())
    }

    /// The table of an interrupted study has the bytes of one that was not.
    #[test]
    fn an_interrupted_table_goes_on() {
        let temporary = tempfile::tempdir().unwrap();
        let kept = Unfinished::below(temporary.path(), "random");
        let after = |games: usize, kept: &Unfinished| {
            let stop = StopAfter::new(games);
            let fared = against_random(6, 1, 5, kept, &stop).unwrap();
            (fared.map(|it| random_csv(&it)), stop.left())
        };
        let all = 64 * 6;
        let (whole, _) = after(all + 1, &Unfinished::nowhere());
        // The third combination is cut.
        assert_eq!(after(15, &kept), (None, 0));
        assert_eq!(after(all - 12 + 1, &kept), (whole, 1));
        // Other games are other parts.
        let stop = StopAfter::new(1);
        assert!(against_random(6, 1, 6, &kept, &stop).unwrap().is_none());
    }

    #[test]
    fn the_same_on_any_number_of_threads() {
        let table = on_threads(1, 5);
        assert_eq!(table, on_threads(2, 5));
        assert_ne!(table, on_threads(2, 6), "the seed counts");
    }
}
