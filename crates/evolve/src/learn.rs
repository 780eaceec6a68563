//! Learned layers: self-play collects and labels positions, and hidden units are fitted to the labels.
//!
//! The result depends only on the [`Plan`], not on the number of threads: every game has its own random stream,
//! gradients are summed in fixed chunks, and arithmetic is limited to `+`, `−`, `×`, `÷`, square roots and `libm`.

mod adam;
mod collect;
mod dataset;
mod fit;
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

/// Collects positions and fits a layer to them. Also returns the number of nodes searched. Returns `None` if `progress`
/// requested a stop. Progress is reported in thousandths.
pub fn learn(plan: &Plan, progress: &dyn Progress) -> Option<(Fitted, u64)> {
    with_game!(plan.game, game => learn_of(game, plan, progress))
}

fn learn_of<G: SearchableGame + Encoded>(
    game: G,
    plan: &Plan,
    progress: &dyn Progress,
) -> Option<(Fitted, u64)> {
    let Collected { dataset, samples, nodes } =
        collect(game, plan, &Part { of: progress, from: 0 })?;
    let scale = SHARPENING * scale(&samples).unwrap_or(0.0);
    let inputs = Inputs { game: G::KIND, rows: <G as Encoded>::rows() };
    let fitted = fit(&dataset, inputs, plan, scale, &Part { of: progress, from: COLLECTING })?;
    Some((fitted, nodes))
}

/// Multiplies the scale fitted to game results. Random moves make results less predictable, so the fitted scale is too
/// small.
const SHARPENING: f64 = 2.0;
/// Share of the progress attributed to collecting, in thousandths.
const COLLECTING: u64 = 800;
/// Total progress, in thousandths.
const WHOLE: u64 = 1000;

/// Maps the progress of one stage, collecting or fitting, to the overall progress.
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
