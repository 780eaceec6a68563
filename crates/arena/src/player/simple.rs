//! Players that do not search: random players, greedy players, and players that sometimes move at random.

use rand::RngExt;

use super::spec::{Result, Spec};
use super::{Choice, Chosen, NoChoice, Player};
use mancala::eval::Score;
use mancala::game::{Game, Pit, Record};
use mancala::progress::Progress;
use mancala::random::{ChaCha8Rng, Purpose, choose, stream};
use mancala::search::Limits;

pub(super) const RANDOM_SETTINGS: &[&str] = &["seed"];

pub(super) const SLIP_SETTINGS: [&str; 2] = ["slips", "seed"];

pub(super) fn read_random<G: Game>(spec: &Spec, _: G) -> Result<Box<dyn Player<G>>> {
    Ok(Box::new(Random { seed: seed(spec)? }))
}

pub(super) fn read_greedy<G: Game>(_: &Spec, _: G) -> Result<Box<dyn Player<G>>> {
    Ok(Box::new(Greedy))
}

/// Wraps a player so that it plays a random move with the probability that is given by the setting `slips`.
pub(super) fn with_slips<G: Game, P: Player<G> + 'static>(
    spec: &Spec,
    player: P,
) -> Result<Box<dyn Player<G>>> {
    let slips = spec.value("slips", |slips| *slips <= 100, "a percentage from 0 to 100")?;
    let seed = seed(spec)?;
    Ok(match slips {
        None | Some(0) => Box::new(player),
        Some(slips) => Box::new(Slipping { player, slips, seed }),
    })
}

fn seed(spec: &Spec) -> Result<u64> {
    Ok(spec.value("seed", |_| true, "a whole number")?.unwrap_or(1))
}

/// Seeds a generator from the position and the number of plies, so that games from different openings differ and a
/// player chooses the same move again after a take-back.
pub(super) fn rng<G: Game>(seed: u64, purpose: Purpose, record: &Record<G>) -> ChaCha8Rng {
    let position = crc32fast::hash(record.position().to_string().as_bytes());
    stream(seed, purpose, record.plies().len() as u64, position.into())
}

struct Random {
    seed: u64,
}

impl<G: Game> Player<G> for Random {
    fn choose(&mut self, record: &Record<G>, _progress: &dyn Progress) -> Chosen {
        let moves = record.game().moves(record.position());
        let mut rng = rng(self.seed, Purpose::Player, record);
        let pit = choose(moves, &mut rng).ok_or(NoChoice::Stopped)?;
        Ok(Choice { pit, score: None, nodes: 0, depth: None })
    }

    fn identity(&self) -> String {
        format!("random seed {}", self.seed)
    }
}

/// A player that chooses the move that adds the most seeds to its store. On a tie, it chooses the lowest pit.
struct Greedy;

impl<G: Game> Player<G> for Greedy {
    fn choose(&mut self, record: &Record<G>, _progress: &dyn Progress) -> Chosen {
        let (game, position) = (record.game(), record.position());
        let store = |pit| game.store(&game.play(position, pit), record.to_move());
        let moves = game.moves(position);
        let nodes = moves.len() as u64;
        // `max_by_key` returns the last of equal maxima, so we iterate in reverse to get the lowest pit.
        let mut pits: Vec<_> = moves.collect();
        pits.reverse();
        let pit = pits.into_iter().max_by_key(|&pit| store(pit)).ok_or(NoChoice::Stopped)?;
        Ok(Choice { pit, score: None, nodes, depth: None })
    }

    fn identity(&self) -> String {
        "greedy".into()
    }
}

/// A player that plays some moves at random and otherwise chooses like another player.
struct Slipping<P> {
    player: P,
    /// The percentage of random moves.
    slips: u32,
    seed: u64,
}

impl<G: Game, P: Player<G>> Player<G> for Slipping<P> {
    fn choose(&mut self, record: &Record<G>, progress: &dyn Progress) -> Chosen {
        if rng(self.seed, Purpose::RandomMove, record).random_range(0..100u32) < self.slips {
            return Random { seed: self.seed }.choose(record, progress);
        }
        self.player.choose(record, progress)
    }

    fn advise(&mut self, record: &Record<G>, progress: &dyn Progress) -> Chosen {
        self.player.advise(record, progress)
    }

    fn limits(&self) -> Option<Limits> {
        self.player.limits()
    }

    fn new_game(&mut self) {
        self.player.new_game();
    }

    fn identity(&self) -> String {
        let Slipping { player, slips, seed } = self;
        format!("{} slips {slips} seed {seed}", player.identity())
    }

    fn is_reproducible(&self) -> bool {
        self.player.is_reproducible()
    }

    fn payoffs(&mut self, record: &Record<G>, progress: &dyn Progress) -> Vec<(Pit, Score)> {
        self.player.payoffs(record, progress)
    }

    fn seed_value(&self) -> Option<i32> {
        self.player.seed_value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::game::Side;
    use mancala::game::ayo::Ayo;

    fn greedy_moves(slips: u32) -> usize {
        let mut player = Slipping { player: Greedy, slips, seed: 1 };
        let mut record = Record::new(Ayo::default(), Side::South);
        let mut count = 0;
        for _ in 0..300 {
            let choice = player.choose(&record, &()).unwrap();
            assert_eq!(player.choose(&record, &()).unwrap(), choice);
            count += usize::from(Greedy.choose(&record, &()).unwrap() == choice);
            record.play(choice.pit).unwrap();
            if record.ending().is_some() {
                record = Record::new(Ayo::default(), record.to_move());
            }
        }
        count
    }

    #[test]
    fn slips_are_as_frequent_as_set() {
        assert_eq!(greedy_moves(0), 300);
        assert!((200..290).contains(&greedy_moves(20)), "{}", greedy_moves(20));
        assert!(greedy_moves(100) < 10);
    }
}
