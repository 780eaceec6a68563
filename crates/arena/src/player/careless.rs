//! A player that now and then does not look.

use rand::RngExt;

use super::random::Random;
use super::spec::{Spec, SpecError};
use super::{Choice, NoChoice, Player};
use mancala::eval::Score;
use mancala::game::{Game, Pit, Record};
use mancala::progress::Progress;
use mancala::random::{Purpose, stream};

/// The settings that [`careless`] reads.
pub(super) const SETTINGS: [&str; 2] = ["slips", "seed"];

/// The player, made careless if its specification says so.
pub(super) fn careless<G: Game, P: Player<G> + 'static>(
    spec: &Spec,
    player: P,
) -> Result<Box<dyn Player<G>>, SpecError> {
    let slips = spec.value("slips", |slips| *slips <= 100, "a percentage from 0 to 100")?;
    let seed = spec.value("seed", |_| true, "a whole number")?.unwrap_or(1);
    Ok(match slips {
        None | Some(0) => Box::new(player),
        Some(slips) => Box::new(Careless { player, slips, seed }),
    })
}

/// Plays as another player does, but picks some moves by chance. Which ones depends on the seed, the
/// position and the number of plies played.
pub(super) struct Careless<P> {
    pub(super) player: P,
    /// Moves of a hundred that are picked by chance.
    pub(super) slips: u32,
    pub(super) seed: u64,
}

impl<P> Careless<P> {
    fn slips<G: Game>(&self, record: &Record<G>) -> bool {
        let place = crc32fast::hash(record.position().to_string().as_bytes());
        let plies = record.plies().len() as u64;
        let mut dice = stream(self.seed, Purpose::Slip, plies, place.into());
        dice.random_range(0..100u32) < self.slips
    }
}

impl<G: Game, P: Player<G>> Player<G> for Careless<P> {
    fn choose(&mut self, record: &Record<G>, progress: &dyn Progress) -> Result<Choice, NoChoice> {
        if self.slips(record) {
            return Random { seed: self.seed }.choose(record, progress);
        }
        self.player.choose(record, progress)
    }

    fn advise(&mut self, record: &Record<G>, progress: &dyn Progress) -> Result<Choice, NoChoice> {
        self.player.advise(record, progress)
    }

    fn new_game(&mut self) {
        self.player.new_game();
    }

    fn identity(&self) -> String {
        let Careless { player, slips, seed } = self;
        format!("{} slips {slips} seed {seed}", player.identity())
    }

    fn reproducible(&self) -> bool {
        self.player.reproducible()
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
    use crate::player::greedy::Greedy;
    use mancala::game::Side;
    use mancala::game::ayo::Ayo;

    /// Plays that a careless player makes like greedy, of a few hundred positions.
    fn alike(slips: u32) -> usize {
        let mut careless = Careless { player: Greedy, slips, seed: 1 };
        let mut record = Record::new(Ayo::default(), Side::South);
        let mut alike = 0;
        for _ in 0..300 {
            let choice = careless.choose(&record, &()).unwrap();
            assert_eq!(careless.choose(&record, &()).unwrap(), choice);
            alike += usize::from(Greedy.choose(&record, &()).unwrap() == choice);
            record.play(choice.pit).unwrap();
            if record.ending().is_some() {
                record = Record::new(Ayo::default(), record.to_move());
            }
        }
        alike
    }

    #[test]
    fn slips_are_as_many_as_said() {
        assert_eq!(alike(0), 300);
        assert!((200..290).contains(&alike(20)), "{}", alike(20));
        assert!(alike(100) < 10);
    }
}
