//! Learned layers: self-play collects and labels positions, and hidden neurons are fitted to the labels.
//!
//! The result depends only on the [`Plan`], not on the number of threads or on interruptions: every game has its own
//! random stream, sums are added up in a fixed order, and arithmetic is limited to `+`, `−`, `×`, `÷`, square roots and
//! the crate `libm`.

mod adam;
mod buffer;
mod collect;
mod fit;
mod network;
mod plan;
mod positions;
mod scale;
mod vectors;

use std::path::{Path, PathBuf};

use mancala::game::{Encoded, with_game};
use mancala::progress::Progress;
use mancala::search::SearchableGame;
use mancala::store::FileError;

use self::buffer::Buffer;
use self::fit::fit;
use self::positions::Encoding;

pub use self::buffer::POSITIONS;
pub use self::fit::FIT;
pub use self::plan::{Fitted, Lesson, Plan, SIZES, Teacher};

/// Learns the layers of a run one after another, and keeps the positions that the next one needs again.
#[derive(Debug, Default)]
pub struct Learner {
    buffer: Buffer,
    /// The folder of the run, or `None` to keep everything in memory.
    folder: Option<PathBuf>,
}

/// The reason why no layer was learned.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    #[error("learning was stopped")]
    Stopped,
    #[error(transparent)]
    File(#[from] FileError),
}

impl Learner {
    /// Creates a learner that stores positions and the state of a fit in the folder of a run, so that an interruption
    /// loses little.
    pub fn of_run(folder: &Path) -> Learner {
        Learner { buffer: Buffer::of_run(folder), folder: Some(folder.into()) }
    }

    /// Collects positions and fits a layer to them. Also returns the number of nodes searched. Progress is reported in
    /// thousandths.
    ///
    /// # Errors
    /// If `progress` requested a stop, or a file cannot be written.
    pub fn learn(
        &mut self,
        plan: &Plan,
        progress: &dyn Progress,
    ) -> Result<(Fitted, u64), LearnError> {
        with_game!(plan.game, game => self.learn_of(game, plan, progress))
    }

    fn learn_of<G: SearchableGame + Encoded>(
        &mut self,
        game: G,
        plan: &Plan,
        progress: &dyn Progress,
    ) -> Result<(Fitted, u64), LearnError> {
        let encoding = Encoding::of::<G>();
        let collecting = Part { of: progress, from: 0 };
        let nodes = self.buffer.fill(game, plan, &encoding, &collecting)?;
        let (lessons, folder) = (self.buffer.lessons(plan), self.folder.as_deref());
        let fitting = Part { of: progress, from: COLLECTING };
        Ok((fit(lessons, &encoding, plan, folder, &fitting)?, nodes))
    }
}

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
