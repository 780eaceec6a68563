//! Learned layers: positions are collected and labelled, and hidden units are fitted to the labels.
//!
//! What is learned follows from the [`Plan`] alone, on any number of threads: games are numbered and have their own
//! streams of chance, gradients are added up in fixed chunks, and arithmetic is that of `f32` and `f64` by `+`, `−`,
//! `×`, `÷`, square roots and `libm`.

mod adam;
mod collect;
mod fit;
mod lessons;
mod network;
mod plan;
mod scale;

use mancala::game::{Encoded, with_game};
use mancala::progress::Progress;
use mancala::search::SearchableGame;

use self::collect::{Collected, collect};
use self::fit::{Inputs, fit};
use self::scale::scale;

pub use self::plan::{Fitted, Plan, SIZES, Teacher};

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
    let scale = SHARPER * scale(&samples).unwrap_or(0.0);
    let inputs = Inputs { game: G::KIND, rows: <G as Encoded>::rows() };
    let fitted = fit(&lessons, inputs, plan, scale, &Part { of: progress, from: COLLECTING })?;
    Some((fitted, nodes))
}

/// Labels are so many times as sharp as the outcomes of games alone tell: random moves blur those.
const SHARPER: f64 = 2.0;
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
