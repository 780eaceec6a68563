//! Builds tables layer by layer.

use std::path::{Path, PathBuf};

use super::index::positions;
use super::layer::Layer;
use super::moves::Countable;
use super::solver::solve;
use super::tables::{Tables, TablesError};
use crate::game::ayo::{Rules, SEEDS};
use crate::memory::Reservation;
use crate::progress::{Counter, Progress};
use crate::store::{Lock, create_folder};
use crate::text::{Message, Result};

/// A plan for building tables, either in a folder or in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildPlan {
    rules: Countable,
    seeds: u8,
    folder: Option<PathBuf>,
}

/// The memory needed by the queues of positions and the program itself, in bytes.
const OVERHEAD: u64 = 64 << 20;

impl BuildPlan {
    /// Plans tables for all positions with at most `seeds` seeds, which are written to `folder`.
    pub fn new(rules: Rules, seeds: u8, folder: &Path) -> Result<BuildPlan> {
        let plan = BuildPlan::in_memory(rules, seeds)?;
        Ok(BuildPlan { folder: Some(folder.to_owned()), ..plan })
    }

    /// Plans tables that are only kept in memory. For 12 seeds, they take 0.5 s of CPU time to build, and 2.6 MiB.
    ///
    /// ```
    /// use mancala::endgame::{BuildPlan, build};
    /// use mancala::game::ayo::Rules;
    /// let tables = build(&BuildPlan::in_memory(Rules::AWARI, 4)?, &(), |_| ())?.unwrap();
    /// assert_eq!(tables.max_seeds(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_memory(rules: Rules, seeds: u8) -> Result<BuildPlan> {
        if seeds > SEEDS {
            return Err(format!("{seeds} is more than the 48 seeds of the game").into());
        }
        let rules = Countable::new(rules).ok_or_else(|| {
            format!("tables need rules that score a stalemate by seeds, unlike {rules}")
        })?;
        Ok(BuildPlan { rules, seeds, folder: None })
    }

    /// Returns the total number of positions in all layers. This is about the size of the tables on disk, in bytes.
    pub fn positions(&self) -> u64 {
        self.missing_from(0)
    }

    /// Returns the number of positions in the layers that haven't been built yet.
    pub fn missing(&self) -> Result<u64, TablesError> {
        Ok(self.missing_from(self.so_far()?.len()))
    }

    fn so_far(&self) -> Result<Tables, TablesError> {
        let rules = self.rules.rules();
        match &self.folder {
            Some(folder) => Tables::so_far(folder, rules),
            None => Ok(Tables::of(rules, Vec::new())),
        }
    }

    fn missing_from(&self, seeds: u8) -> u64 {
        (seeds..=self.seeds).map(positions).sum()
    }

    fn store(&self, seeds: u8, values: &[u8]) -> Result<Layer, TablesError> {
        let rules = self.rules.rules();
        let Some(folder) = &self.folder else {
            let layer = Layer::in_memory(rules, seeds, values);
            return layer.map_err(|_| no_memory(seeds, positions(seeds)));
        };
        Layer::write(folder, rules, seeds, values)?;
        Ok(Layer::open(&folder.join(Layer::file_name(rules, seeds)))?)
    }

    /// Estimates how many bytes of memory the build needs: two per position in the last layer, and one in all others.
    pub fn memory(&self) -> u64 {
        self.positions() + positions(self.seeds) + OVERHEAD
    }
}

/// Builds the missing layers in the current thread pool. `built` is called with each layer's number of seeds, even for
/// layers that already existed. `progress` counts each position twice. If `progress` stops the build, this returns
/// `None`, but keeps finished layers. Fails if an existing layer is damaged or for different rules, if a layer can't be
/// written, if memory runs out, or if another process is building in the folder.
pub fn build(
    plan: &BuildPlan,
    progress: &dyn Progress,
    mut built: impl FnMut(u8),
) -> Result<Option<Tables>, TablesError> {
    let all = |tables: &Tables| tables.len() > plan.seeds;
    let mut lock = None;
    let mut tables = plan.so_far()?;
    // Reserve the memory for the largest layer now, so that we fail early instead of after hours of work.
    let (seeds, bytes) = (plan.seeds, 2 * positions(plan.seeds));
    let reserved = (!all(&tables)).then(|| Reservation::of(bytes)).transpose();
    let _reserved = reserved.map_err(|_| no_memory(seeds, bytes))?;
    plan.folder.as_deref().map_or(Ok(()), create_folder)?;
    if let Some(folder) = plan.folder.as_deref().filter(|_| !all(&tables)) {
        lock = Some(locked(folder)?);
        // Another process may have built more layers before we acquired the lock, so look again.
        tables = plan.so_far()?;
    }
    let work = Counter::new(progress, 2 * plan.missing_from(tables.len()));
    for seeds in 0..=plan.seeds {
        if seeds < tables.len() {
            tables.check(seeds)?;
        } else {
            let solved = solve(plan.rules, seeds, &tables.layers, &work);
            let no_memory = |_| no_memory(seeds, 2 * positions(seeds));
            let Some(values) = solved.map_err(no_memory)? else { return Ok(None) };
            lock.as_ref().map_or(Ok(()), Lock::check)?;
            tables.layers.push(plan.store(seeds, &values)?);
        }
        built(seeds);
        if work.should_stop() && seeds < plan.seeds {
            return Ok(None);
        }
    }
    Ok(Some(tables))
}

fn no_memory(seeds: u8, bytes: u64) -> TablesError {
    Message::from(format!("not enough memory for {seeds} seeds ({bytes} bytes)")).into()
}

fn locked(folder: &Path) -> Result<Lock, TablesError> {
    let busy = || {
        let id = Lock::holder(folder);
        let who = id.map_or_else(|| "another process".into(), |id| format!("process {id}"));
        Message::from(format!("{who} is building tables in {}", folder.display()))
    };
    let lock = Lock::take(folder)?.ok_or_else(busy)?;
    lock.sweep();
    Ok(lock)
}
