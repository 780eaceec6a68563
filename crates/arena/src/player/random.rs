//! The player that moves at random.

use super::spec::{Spec, SpecError};
use super::{Choice, NoChoice, Player};
use mancala::game::{Game, Record};
use mancala::progress::Progress;
use mancala::random::{Purpose, one_of, stream};

pub(super) const SETTINGS: &[&str] = &["seed"];

pub(super) fn read<G: Game>(spec: &Spec, _: G) -> Result<Box<dyn Player<G>>, SpecError> {
    let seed = spec.value("seed", |_| true, "a whole number")?.unwrap_or(1);
    Ok(Box::new(Random { seed }))
}

/// Plays any legal move with equal chances. The choice depends on the seed, the position and the
/// number of plies played, so games from different openings differ and an undone move is played the
/// same again.
pub(super) struct Random {
    pub(super) seed: u64,
}

impl<G: Game> Player<G> for Random {
    fn choose(&mut self, record: &Record<G>, _progress: &dyn Progress) -> Result<Choice, NoChoice> {
        let moves = record.game().moves(record.position());
        let place = crc32fast::hash(record.position().to_string().as_bytes());
        let plies = record.plies().len() as u64;
        let mut stream = stream(self.seed, Purpose::Player, plies, place.into());
        let pit = one_of(moves, &mut stream).ok_or(NoChoice::Stopped)?;
        Ok(Choice { pit, score: None, nodes: 0, depth: None })
    }

    fn identity(&self) -> String {
        format!("random seed {}", self.seed)
    }
}
