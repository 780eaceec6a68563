//! Collects the positions of recent iterations in blocks of [`GAMES_OF_BLOCK`] games. The positions in a block depend
//! only on the plan, the iteration and the block's index, so we can collect them again if a file is lost or damaged.

use std::fs;
use std::io::ErrorKind;
use std::iter;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mancala::progress::{Part, Progress, Silent};
use mancala::store::{self, FileError};

use super::plan::{Plan, Teacher};
use super::positions::Positions;
use super::{Learner, play_games};
use crate::task::{TaskError, TaskRunner, collect_positions};

const GAMES_OF_BLOCK: u64 = 64;
/// The number of threads that play a block. If the pool has more threads, then we play several blocks at once.
const THREADS_OF_BLOCK: usize = 4;
/// The number of tasks in the first round, when we don't know yet how many positions a block yields.
const FIRST_TASKS: u64 = 2;
/// The maximum number of tasks in a round. This limits memory use and the work that is lost in an interruption.
const MAX_TASKS: u64 = 64;
/// We stop collecting after this many consecutive games without a position.
const MAX_IDLE_GAMES: u64 = 512;
/// The subfolder of a run folder that contains the blocks of positions.
pub const POSITIONS: &str = "positions";

impl Learner {
    /// Loads or collects the positions that a plan needs and drops all others. Returns the number of nodes searched.
    pub(super) fn collect(
        &mut self,
        plan: &Plan,
        runner: Option<&dyn TaskRunner>,
        progress: &dyn Progress,
    ) -> Result<u64, TaskError> {
        let origins: Vec<String> = plan.datasets.iter().map(|it| plan.origin_of(it)).collect();
        self.datasets.retain(|origin, _| origins.contains(origin));
        let folder = self.folder.as_ref().map(|run| run.join(POSITIONS));
        let folder = folder.as_deref();
        if let Some(folder) = folder {
            // Don't use `create_dir_all`, because it would recreate the run folder if the user has deleted it.
            match fs::create_dir(folder) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                    return Err(FileError::of("create", folder)(error).into());
                }
                _ => {}
            }
            remove_old_blocks(folder, plan)?;
            store::remove_leftovers(folder, Duration::ZERO, |_| true);
        }
        let all = plan.datasets.iter().map(|it| u64::from(it.positions)).sum();
        let (mut nodes, mut before) = (0, 0);
        for (dataset, origin) in plan.datasets.iter().zip(origins) {
            if !self.datasets.contains_key(&origin) {
                let origin = &*origin;
                let plan = Plan { datasets: vec![dataset.clone()], ..plan.clone() };
                let progress = &Part { whole: progress, before, of: all };
                let found = Collector { plan, origin, folder, runner, progress }.collect()?;
                nodes += found.nodes;
                self.datasets.insert(origin.to_owned(), found);
            }
            before += u64::from(dataset.positions);
        }
        Ok(nodes)
    }
}

struct Collector<'a> {
    /// A copy of the plan that contains only the dataset being collected.
    plan: Plan,
    /// A hash of everything that the positions depend on.
    origin: &'a str,
    folder: Option<&'a Path>,
    runner: Option<&'a dyn TaskRunner>,
    progress: &'a dyn Progress,
}

impl Collector<'_> {
    /// Collects the positions of the dataset, or fewer if [`MAX_IDLE_GAMES`] games in a row yield no positions.
    fn collect(&self) -> Result<Positions, TaskError> {
        let most = self.plan.newest().positions as usize;
        let mut all = Positions::default();
        let mut idle_games = 0;
        let mut block = 0;
        while all.len() < most && idle_games < MAX_IDLE_GAMES {
            let blocks = match self.read(block) {
                Some(mut stored) => {
                    stored.nodes = 0;
                    vec![stored]
                }
                None => self.play(block, all.len())?,
            };
            for positions in blocks {
                // We may have played several blocks in parallel, but that must not change which block is the last one.
                if idle_games >= MAX_IDLE_GAMES {
                    break;
                }
                idle_games = if positions.len() == 0 { idle_games + GAMES_OF_BLOCK } else { 0 };
                all.append(positions);
                block += 1;
            }
            self.progress.advance(all.len().min(most) as u64, most as u64);
        }
        all.truncate(most, &self.plan.encoding());
        Ok(all)
    }

    /// Plays one or more blocks, starting with block `first`. The blocks before it contain `before` positions. Once we
    /// have enough positions, we skip the rest of the current block and don't write that block to a file.
    fn play(&self, first: u64, before: usize) -> Result<Vec<Positions>, TaskError> {
        let mut missing = self.plan.newest().positions as usize - before;
        let games = match self.runner {
            None => {
                let blocks = rayon::current_num_threads().div_ceil(THREADS_OF_BLOCK) as u64;
                let games = first * GAMES_OF_BLOCK..(first + blocks) * GAMES_OF_BLOCK;
                play_games(&self.plan, games, &Silent(self.progress))?
            }
            Some(runner) => {
                // Use the number of positions in earlier blocks to estimate how many more blocks we need.
                let estimate = |missing: u64| (first * missing).div_ceil(before as u64);
                let blocks = (before > 0).then(|| estimate(missing as u64));
                self.play_tasks(runner, first, blocks)?
            }
        };
        let (mut games, mut found) = (games.into_iter(), Vec::new());
        while games.len() > 0 {
            let mut positions = Positions::default();
            for game in games.by_ref().take(GAMES_OF_BLOCK as usize) {
                positions.append(game);
                if positions.len() >= missing {
                    found.push(positions);
                    return Ok(found);
                }
            }
            if let Some(path) = self.file(first + found.len() as u64) {
                store::replace_unflushed(&path, &positions.encode(self.origin))?;
            }
            missing -= positions.len();
            found.push(positions);
        }
        Ok(found)
    }

    /// Plays about `blocks` blocks in tasks. A task always covers the same blocks, so its result can be cached.
    fn play_tasks(
        &self,
        runner: &dyn TaskRunner,
        first: u64,
        blocks: Option<u64>,
    ) -> Result<Vec<Positions>, TaskError> {
        // The number of blocks per task, chosen so that a task takes a few seconds.
        let length = if self.plan.newest().teacher == Teacher::Outcomes { 16 } else { 8 };
        let (task, skipped) = (first / length, first % length);
        let count = blocks.map_or(FIRST_TASKS, |blocks| (skipped + blocks).div_ceil(length));
        let is_stored = |task: &u64| self.file(task * length).is_some_and(|file| file.exists());
        let later = (task + 1..task + count.clamp(1, MAX_TASKS)).take_while(|it| !is_stored(it));
        let games_of =
            |task: u64| task * length * GAMES_OF_BLOCK..(task + 1) * length * GAMES_OF_BLOCK;
        let tasks: Vec<_> = iter::once(task).chain(later).map(games_of).collect();
        let mut games = collect_positions(runner, &self.plan, &tasks, &Silent(self.progress))?;
        games.drain(..(skipped * GAMES_OF_BLOCK) as usize);
        Ok(games)
    }

    /// Reads the positions of a block. Returns `None` if its file is missing, damaged or from another plan.
    fn read(&self, block: u64) -> Option<Positions> {
        let bytes = store::read(&self.file(block)?).ok()?;
        Positions::decode(&bytes, self.origin, &self.plan.encoding())
    }

    fn file(&self, block: u64) -> Option<PathBuf> {
        let iteration = self.plan.newest().iteration;
        Some(self.folder?.join(format!("{iteration:06}-{block:06}.ayo")))
    }
}

fn remove_old_blocks(folder: &Path, plan: &Plan) -> Result<(), FileError> {
    let is_old = |name: &str| {
        let iteration = name.strip_suffix(".ayo").and_then(|name| name.split_once('-'));
        let iteration = iteration.and_then(|(iteration, _)| iteration.parse::<u32>().ok());
        iteration.is_some_and(|old| plan.datasets.iter().all(|it| it.iteration != old))
    };
    for entry in fs::read_dir(folder).map_err(FileError::of("read", folder))? {
        let path = entry.map_err(FileError::of("read", folder))?.path();
        if is_old(&path.file_name().unwrap_or_default().to_string_lossy()) {
            store::remove(&path)?;
        }
    }
    Ok(())
}
