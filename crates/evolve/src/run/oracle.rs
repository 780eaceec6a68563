//! What answers questions about positions whose value endgame tables know.

use std::sync::Arc;

use crate::optimise::{Losses, Positions};
use arena::player::Minimax;
use arena::{Sample, Sampling};
use mancala::endgame::Tables;
use mancala::eval::Weights;
use mancala::game::ayo::Ayo;
use mancala::progress::{Muted, Progress};

/// Asks players about positions of some tables.
#[derive(Debug, Clone)]
pub struct Oracle {
    tables: Arc<Tables>,
}

impl Oracle {
    pub fn new(tables: Arc<Tables>) -> Oracle {
        Oracle { tables }
    }

    /// What the choices of each player give away, and the positions searched for it, those of the games
    /// included that the positions are from. `None` if the progress stopped it.
    pub fn losses(&self, asked: &Positions, progress: &dyn Progress) -> Option<(Vec<Losses>, u64)> {
        let Positions { seed, count, depth, options, ref players } = *asked;
        let seeds = 1..=self.tables.most_seeds();
        let sampling = Sampling { seeds, positions: count as usize, seed };
        let sample = Sample::draw(&self.tables, &sampling, &Muted(progress))?;
        let ask = |player: &Weights| {
            let player = Minimax::<Ayo>::to_depth(player, depth, options);
            let answers = sample.ask_minimax(&player, progress)?;
            let lost = answers.lost.iter().map(|&lost| u64::from(lost)).sum();
            Some((Losses { lost, at_stake: sample.at_stake() }, answers.nodes))
        };
        let answers: Vec<(Losses, u64)> = players.iter().map(ask).collect::<Option<_>>()?;
        let nodes = sample.nodes() + answers.iter().map(|(_, nodes)| nodes).sum::<u64>();
        Some((answers.into_iter().map(|(losses, _)| losses).collect(), nodes))
    }
}
