//! The positions of recent iterations, in memory and in the folder of a run.
//!
//! Positions are collected in blocks of [`GAMES_OF_BLOCK`] games. A block depends only on the plan, its iteration and its
//! number, so blocks that are missing or damaged are collected again, to the same bytes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use arena::gather_all;
use mancala::game::Encoded;
use mancala::progress::{Progress, Silent};
use mancala::search::SearchableGame;
use mancala::store::{self, FileError};

use super::LearnError;
use super::collect::SelfPlay;
use super::plan::{Lesson, Plan};
use super::positions::{Encoding, Positions};

/// Games per block.
const GAMES_OF_BLOCK: u64 = 64;
/// Games played at once. Those after the last position needed are played in vain.
const CHUNK: u64 = 16;
/// Number of consecutive games without a position after which collecting ends.
const MAX_IDLE_GAMES: u64 = 512;
/// The folder for blocks within the folder of a run.
pub const POSITIONS: &str = "positions";

/// The positions of a plan's lessons.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    /// The folder for blocks, or `None` to keep positions only in memory.
    folder: Option<PathBuf>,
    /// By the origin of the lesson.
    lessons: BTreeMap<String, Positions>,
}

impl Buffer {
    /// Creates a buffer that stores blocks in the folder of a run.
    pub(super) fn of_run(run: &Path) -> Buffer {
        Buffer { folder: Some(run.join(POSITIONS)), lessons: BTreeMap::new() }
    }

    /// Loads or collects the positions of all lessons, and discards those of other lessons. Returns the number of nodes
    /// searched. Progress is reported in positions.
    pub(super) fn fill<G: SearchableGame + Encoded>(
        &mut self,
        game: G,
        plan: &Plan,
        encoding: &Encoding,
        progress: &dyn Progress,
    ) -> Result<u64, LearnError> {
        let origins: Vec<String> = plan.lessons.iter().map(|it| plan.origin_of(it)).collect();
        self.lessons.retain(|origin, _| origins.contains(origin));
        if let Some(folder) = &self.folder {
            store::create_folder(folder)?;
            remove_other_files(folder, plan)?;
        }
        let all = plan.lessons.iter().map(|it| u64::from(it.positions)).sum();
        let (mut nodes, mut before) = (0, 0);
        for (lesson, origin) in plan.lessons.iter().zip(origins) {
            if !self.lessons.contains_key(&origin) {
                let self_play = SelfPlay::new(game, plan, lesson, encoding);
                let folder = self.folder.as_deref();
                let collector = Collector { self_play, lesson, origin: &origin, encoding, folder };
                let found =
                    collector.collect(&|done| progress.advance(before + done, all), progress)?;
                nodes += found.nodes;
                self.lessons.insert(origin, found);
            }
            before += u64::from(lesson.positions);
        }
        Ok(nodes)
    }

    /// Returns the positions of the lessons of a plan, which must have been [filled in](Self::fill).
    pub(super) fn lessons(&self, plan: &Plan) -> Vec<&Positions> {
        plan.lessons.iter().map(|it| &self.lessons[&plan.origin_of(it)]).collect()
    }
}

/// Collects the positions of a lesson.
struct Collector<'a, G: SearchableGame> {
    self_play: SelfPlay<'a, G>,
    lesson: &'a Lesson,
    /// Identifies what the positions depend on.
    origin: &'a str,
    encoding: &'a Encoding,
    folder: Option<&'a Path>,
}

impl<G: SearchableGame + Encoded> Collector<'_, G> {
    /// Collects positions, or fewer if games no longer add any. Calls `advance` with their number.
    fn collect(
        &self,
        advance: &dyn Fn(u64),
        progress: &dyn Progress,
    ) -> Result<Positions, LearnError> {
        let most = self.lesson.positions as usize;
        let mut all = Positions::default();
        let mut idle_games = 0;
        let mut block = 0;
        while all.len() < most && idle_games < MAX_IDLE_GAMES {
            let positions = match self.read(block) {
                Some(kept) => kept,
                None => self.play(block, most - all.len(), progress)?,
            };
            idle_games = if positions.len() == 0 { idle_games + GAMES_OF_BLOCK } else { 0 };
            all.append(positions);
            advance(all.len().min(most) as u64);
            block += 1;
        }
        all.truncate(most, self.encoding);
        Ok(all)
    }

    /// Plays the games of a block until they have supplied `needed` positions. Stores a whole block.
    fn play(
        &self,
        block: u64,
        needed: usize,
        progress: &dyn Progress,
    ) -> Result<Positions, LearnError> {
        let mut found = Positions::default();
        for chunk in 0..GAMES_OF_BLOCK / CHUNK {
            let first = block * GAMES_OF_BLOCK + chunk * CHUNK;
            let play = |game: usize, progress: &dyn Progress| {
                self.self_play.play_game(first + game as u64, progress)
            };
            let games = gather_all(CHUNK as usize, &Silent(progress), play);
            for game in games.ok_or(LearnError::Stopped)? {
                // Which games are played in vain must not affect the samples.
                if found.len() >= needed {
                    return Ok(found);
                }
                found.append(game);
            }
        }
        if let Some(path) = self.file(block) {
            store::replace_unflushed(&path, &found.encode(self.origin))?;
        }
        Ok(found)
    }

    /// Returns the positions of a block if they are stored and undamaged.
    fn read(&self, block: u64) -> Option<Positions> {
        let bytes = store::read(&self.file(block)?).ok()?;
        Positions::decode(&bytes, self.origin, self.encoding).ok().flatten()
    }

    fn file(&self, block: u64) -> Option<PathBuf> {
        Some(self.folder?.join(format!("{:06}-{block:06}.ayo", self.lesson.iteration)))
    }
}

/// Removes the files of iterations that are not in the plan.
fn remove_other_files(folder: &Path, plan: &Plan) -> Result<(), FileError> {
    let is_needed = |name: &str| {
        let iteration = name.split('-').next().and_then(|it| it.parse().ok());
        iteration.is_some_and(|it: u32| plan.lessons.iter().any(|lesson| lesson.iteration == it))
    };
    for entry in fs::read_dir(folder).map_err(FileError::of("read", folder))? {
        let path = entry.map_err(FileError::of("read", folder))?.path();
        if !is_needed(&path.file_name().unwrap_or_default().to_string_lossy()) {
            store::remove(&path)?;
        }
    }
    Ok(())
}
