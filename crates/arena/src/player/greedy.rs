//! The player that takes what it can get.

use super::spec::{Spec, SpecError};
use super::{Choice, NoChoice, Player};
use mancala::game::{Game, Record};
use mancala::progress::Progress;

pub(super) fn read<G: Game>(_: &Spec, _: G) -> Result<Box<dyn Player<G>>, SpecError> {
    Ok(Box::new(Greedy))
}

/// Plays the move that brings most into its store, the lowest pit among equals.
pub(super) struct Greedy;

impl<G: Game> Player<G> for Greedy {
    fn choose(&mut self, record: &Record<G>, _progress: &dyn Progress) -> Result<Choice, NoChoice> {
        let (game, position) = (record.game(), record.position());
        let mover = record.to_move();
        let store = |pit| game.store(&game.play(position, pit), mover);
        let moves = game.moves(position);
        // The last of equal maxima wins, so the pits go from high to low.
        let mut pits: Vec<_> = moves.collect();
        pits.reverse();
        let pit = pits.into_iter().max_by_key(|&pit| store(pit)).ok_or(NoChoice::Stopped)?;
        Ok(Choice { pit, score: None, nodes: moves.len() as u64, depth: None })
    }

    fn identity(&self) -> String {
        "greedy".into()
    }
}
