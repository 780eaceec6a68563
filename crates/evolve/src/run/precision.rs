//! Perfect play as a second yardstick: accuracy in positions of an endgame table.

use std::sync::Arc;

use arena::player::Minimax;
use arena::{Sample, Sampling};
use mancala::endgame::Tables;
use mancala::eval::Weights;
use mancala::progress::{Muted, Progress};
use mancala::search::Options;

/// Positions of a measurement.
const POSITIONS: usize = 500;
/// Which ones: the same for every run, so that runs can be compared.
const SEED: u64 = 1;

/// How near a champion was found to be to perfect play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision {
    /// Share of positions in which it chose a best move.
    pub optimal: f64,
    /// Seeds that a move of it gave away, in the mean.
    pub seeds_lost: f64,
    /// The [checksum](Tables::checksum) of the tables that say so.
    pub tables: u32,
}

impl Precision {
    /// Whether both figures can be.
    pub fn is_possible(&self) -> bool {
        (0.0..=1.0).contains(&self.optimal) && (0.0..=96.0).contains(&self.seeds_lost)
    }
}

/// Measures precision by tables.
#[derive(Debug, Clone)]
pub struct TableYardstick {
    tables: Arc<Tables>,
    /// Drawn when it is first needed.
    sample: Option<Sample>,
}

impl TableYardstick {
    pub fn new(tables: Arc<Tables>) -> TableYardstick {
        TableYardstick { tables, sample: None }
    }

    /// What weights come to when they are searched to this depth; `None` if the progress stopped it.
    pub fn measure(
        &mut self,
        weights: &Weights,
        (depth, options): (u32, Options),
        progress: &dyn Progress,
    ) -> Option<Precision> {
        if self.sample.is_none() {
            let seeds = 1..=self.tables.most_seeds();
            let sampling = Sampling { seeds, positions: POSITIONS, seed: SEED };
            self.sample = Some(Sample::draw(&self.tables, &sampling, &Muted(progress))?);
        }
        let sample = self.sample.as_ref()?;
        let lost = sample.ask_minimax(&Minimax::to_depth(weights, depth, options), progress)?.lost;
        // Where nothing is asked, nothing is done wrong.
        let accuracy = sample.accuracy(&lost, &(0..=u8::MAX));
        let (optimal, seeds_lost) = accuracy.map_or((1.0, 0.0), |it| (it.optimal, it.seeds_lost));
        Some(Precision { optimal, seeds_lost, tables: self.tables.checksum() })
    }
}
