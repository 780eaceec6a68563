//! Building tables layer by layer.

use std::path::{Path, PathBuf};

use super::index::positions;
use super::layer::Layer;
use super::moves::Countable;
use super::solver::solve;
use super::tables::{Tables, TablesError};
use crate::game::ayo::{Rules, SEEDS};
use crate::memory::Reservation;
use crate::progress::{Counter, Progress};
use crate::store::{self, Lock};

/// The tables to build, and where they are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildPlan {
    rules: Countable,
    seeds: u8,
    /// `None` if they are kept in memory alone.
    folder: Option<PathBuf>,
}

/// Why tables cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildPlanError {
    /// A stalemate decides the game without counting seeds.
    #[error("under the rules {0} a stalemate is not settled by seeds, so that there are no tables")]
    Rules(Rules),
    /// More seeds than in the game.
    #[error("the game has 48 seeds, not {0}")]
    Seeds(u8),
}

/// Memory beside the values and their counters, in bytes: positions that wait, and the program.
const OVERHEAD: u64 = 64 << 20;

impl BuildPlan {
    /// The plan for all positions with at most `seeds` seeds.
    ///
    /// # Errors
    /// If a stalemate under the rules is not settled in seeds, or the game has fewer seeds.
    pub fn new(rules: Rules, seeds: u8, folder: &Path) -> Result<BuildPlan, BuildPlanError> {
        let plan = BuildPlan::in_memory(rules, seeds)?;
        Ok(BuildPlan { folder: Some(folder.to_owned()), ..plan })
    }

    /// The same without a folder: the tables are in no file, and are gone with the program. Up to 12 seeds take
    /// half a second of processor time and 2.6 MiB.
    ///
    /// ```
    /// use mancala::endgame::{BuildPlan, build};
    /// use mancala::game::ayo::Rules;
    /// let tables = build(&BuildPlan::in_memory(Rules::AWARI, 4)?, &(), |_| ())?.unwrap();
    /// assert_eq!(tables.most_seeds(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As of [`new`](Self::new).
    pub fn in_memory(rules: Rules, seeds: u8) -> Result<BuildPlan, BuildPlanError> {
        if seeds > SEEDS {
            return Err(BuildPlanError::Seeds(seeds));
        }
        let rules = Countable::new(rules).ok_or(BuildPlanError::Rules(rules))?;
        Ok(BuildPlan { rules, seeds, folder: None })
    }

    /// The number of positions in all layers.
    pub fn positions(&self) -> u64 {
        (0..=self.seeds).map(positions).sum()
    }

    /// The number of positions in layers that are still missing.
    ///
    /// # Errors
    /// As [`build`], as far as errors show without reading every value.
    pub fn missing(&self) -> Result<u64, TablesError> {
        Ok(self.missing_from(self.so_far()?.len()))
    }

    /// The tables that are there already.
    fn so_far(&self) -> Result<Tables, TablesError> {
        let rules = self.rules.rules();
        match &self.folder {
            Some(folder) => Tables::so_far(folder, rules),
            None => Ok(Tables::none(rules)),
        }
    }

    fn missing_from(&self, found: u8) -> u64 {
        (found..=self.seeds).map(positions).sum()
    }

    /// Keeps a layer where the others are.
    fn keep(&self, seeds: u8, values: &[i8]) -> Result<Layer, TablesError> {
        let rules = self.rules.rules();
        let Some(folder) = &self.folder else {
            return Ok(Layer::held(rules, seeds, values));
        };
        Layer::write(folder, rules, seeds, values)?;
        Ok(Layer::open(folder, rules, seeds)?)
    }

    /// The approximate size of the tables on disk, in bytes.
    pub fn disk(&self) -> u64 {
        self.positions()
    }

    /// The approximate memory that a build needs, in bytes: two per position of the last layer, and one
    /// per position of the smaller layers, which are mapped.
    pub fn memory(&self) -> u64 {
        self.positions() + positions(self.seeds) + OVERHEAD
    }
}

/// Builds the layers that are missing, in the current pool of threads. `built` is called with the seeds
/// of each layer once it is there, including those that were found.
///
/// The progress counts two for each position of a missing layer, since the solver looks at it forwards
/// and backwards. `None` if the progress stopped the work; the layers that were finished are kept.
///
/// # Errors
/// If a layer that was found is damaged or of other rules, if one cannot be written, or if another process
/// builds in the folder.
pub fn build(
    plan: &BuildPlan,
    progress: &dyn Progress,
    mut built: impl FnMut(u8),
) -> Result<Option<Tables>, TablesError> {
    let all = |tables: &Tables| tables.len() > plan.seeds;
    let mut lock = None;
    let mut tables = plan.so_far()?;
    // For the largest layer, so that a build is not refused after hours.
    let (seeds, bytes) = (plan.seeds, 2 * positions(plan.seeds));
    let reserved = (!all(&tables)).then(|| Reservation::of(bytes)).transpose();
    let _reserved = reserved.map_err(|_| TablesError::Memory { seeds, bytes })?;
    plan.folder.as_deref().map_or(Ok(()), store::create_folder)?;
    if let Some(folder) = plan.folder.as_deref().filter(|_| !all(&tables)) {
        lock = Some(locked(folder)?);
        // Another process may have built some before it was ours.
        tables = plan.so_far()?;
    }
    let work = Counter::new(progress, 2 * plan.missing_from(tables.len()));
    for seeds in 0..=plan.seeds {
        if seeds < tables.len() {
            tables.check(seeds)?;
        } else {
            let solved = solve(plan.rules, seeds, &tables.values(), &work);
            let no_memory = |_| TablesError::Memory { seeds, bytes: 2 * positions(seeds) };
            let Some(values) = solved.map_err(no_memory)? else { return Ok(None) };
            lock.as_ref().map_or(Ok(()), Lock::check)?;
            tables.push(plan.keep(seeds, &values)?);
        }
        built(seeds);
        if work.should_stop() && seeds < plan.seeds {
            return Ok(None);
        }
    }
    Ok(Some(tables))
}

/// The lock of a folder: two that build in it at once would each do all the work.
fn locked(folder: &Path) -> Result<Lock, TablesError> {
    let lock = Lock::take(folder)?.ok_or_else(|| TablesError::busy(folder))?;
    lock.sweep();
    Ok(lock)
}
