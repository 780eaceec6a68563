//! Fitted layers: positions are collected and labelled, and hidden units are fitted to the labels.
//!
//! What is learned follows from the [`Plan`] alone, on any number of threads: games are numbered and have their own
//! streams of chance, gradients are added up in fixed chunks, and arithmetic is that of `f32` and `f64` by `+`, `−`,
//! `×`, `÷`, square roots and `libm`.

mod adam;
mod collect;
mod fit;
mod lessons;
mod network;
mod scale;

use mancala::eval::{Layer, Weights};
use mancala::game::{AnyGame, Encoded, with_game};
use mancala::progress::Progress;
use mancala::search::{Options, SearchableGame};

use self::collect::{Collected, collect};
use self::fit::{Inputs, fit};
use self::scale::scale;

pub use self::lessons::Lessons;

/// How many units a layer can have.
pub const SIZES: [usize; 6] = [8, 16, 24, 32, 48, 64];

/// What a layer is to be learned from.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Seed of its streams of chance.
    pub seed: u64,
    /// Which of a run's layers it is to be, from 1.
    pub epoch: u32,
    /// What is played.
    pub game: AnyGame,
    /// Hidden units.
    pub units: usize,
    /// Positions that the units are fitted to.
    pub positions: u32,
    /// How often the fit goes through all of them.
    pub passes: u32,
    /// Plies of the search that labels a position, and of those that choose moves.
    pub depth: u32,
    /// How searches value leaves and choose among equals.
    pub options: Options,
    /// Whose games are played.
    pub teacher: Teacher,
}

/// Where labels come from.
#[derive(Debug, Clone, PartialEq)]
pub enum Teacher {
    /// How games of a player that counts captured seeds ended that a position occurred in.
    Outcomes,
    /// What a player with these weights finds by searching the position.
    Scores(Weights),
}

/// A layer, and what became of its fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The hidden units.
    pub layer: Layer,
    /// The output weights that were fitted with them, one a unit, on the logistic scale.
    pub outputs: Vec<f32>,
    /// Mean cross-entropy of each pass, in nats.
    pub losses: Vec<f64>,
    /// Positions that it was fitted to.
    pub positions: usize,
}

/// Collects positions and fits a layer to them, with the nodes that it took. `None` if the progress stopped it. The
/// progress counts thousandths.
pub fn learn(plan: &Plan, progress: &dyn Progress) -> Option<(Fitted, u64)> {
    with_game!(plan.game, game => learn_of(game, plan, progress))
}

fn learn_of<G: SearchableGame + Encoded>(
    game: G,
    plan: &Plan,
    progress: &dyn Progress,
) -> Option<(Fitted, u64)> {
    let Collected { lessons, samples, nodes } =
        collect(game, plan, &Part { of: progress, from: 0 })?;
    let scale = scale(&samples).unwrap_or(0.0);
    let inputs = Inputs { game: G::KIND, rows: <G as Encoded>::rows() };
    let fitted = fit(&lessons, inputs, plan, scale, &Part { of: progress, from: COLLECTING })?;
    Some((fitted, nodes))
}

/// Thousandths of the work that collecting is taken for.
const COLLECTING: u64 = 800;
/// All of them.
const WHOLE: u64 = 1000;

/// The progress of a part of the work: up to [`COLLECTING`] thousandths, or those from there on.
struct Part<'a> {
    of: &'a dyn Progress,
    from: u64,
}

impl Progress for Part<'_> {
    fn advance(&self, done: u64, of: u64) {
        let length = if self.from == 0 { COLLECTING } else { WHOLE - COLLECTING };
        self.of.advance(self.from + length * done / of.max(1), WHOLE);
    }

    fn should_stop(&self) -> bool {
        self.of.should_stop()
    }
}
