//! What does the tasks of a worker.

use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use super::trained::trained;
use super::trials::searched;
use super::wire::{Piece, Task};
use evolution::arena::{Batch, LocalGames, Outcome, Seated};
use mancala::progress::Progress;

/// Batches whose players stay in their seats.
const MOST_TABLES: usize = 8;

/// Does tasks.
pub trait Engine: Debug + Send + Sync {
    /// Whether the ground of a task is still known from another one.
    fn knows(&self, task: &Task) -> bool;

    /// Does a task, whose ground is given unless it is known. `None` if the progress stopped it, which counts games.
    ///
    /// # Errors
    /// A sentence, if it cannot be done here.
    fn act(
        &self,
        task: &Task,
        ground: Option<Vec<u8>>,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<u8>>, String>;
}

/// Does what it is asked.
#[derive(Default)]
pub struct Honest {
    games: LocalGames,
    /// By the hash of the ground, the latest last.
    tables: Mutex<Vec<(String, Arc<Table>)>>,
}

/// A batch whose players sit.
struct Table {
    batch: Batch,
    players: Box<dyn Seated>,
}

impl Honest {
    /// An engine that remembers the moves of its players as long as they come back.
    pub fn new() -> Honest {
        Honest { games: LocalGames::with_move_cache(), tables: Mutex::default() }
    }

    fn table(&self, hash: &str, ground: Option<Vec<u8>>) -> Result<Arc<Table>, String> {
        // Whoever comes second finds the players in their seats.
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, table)) = tables.iter().find(|(it, _)| it == hash) {
            return Ok(Arc::clone(table));
        }
        let ground = ground.ok_or("the players of this task are gone from the server")?;
        let batch = Batch::decode(&ground).map_err(|error| error.to_string())?;
        let players = self.games.seat(&batch).map_err(|error| error.to_string())?;
        let table = Arc::new(Table { batch, players });
        if tables.len() == MOST_TABLES {
            tables.remove(0);
        }
        tables.push((hash.to_owned(), Arc::clone(&table)));
        Ok(table)
    }
}

impl Debug for Honest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Honest").field("games", &self.games).finish_non_exhaustive()
    }
}

impl Engine for Honest {
    fn knows(&self, task: &Task) -> bool {
        let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        task.ground.is_empty() || tables.iter().any(|(hash, _)| *hash == task.ground)
    }

    fn act(
        &self,
        task: &Task,
        ground: Option<Vec<u8>>,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<u8>>, String> {
        match &task.piece {
            Piece::Games(meetings) => {
                let table = self.table(&task.ground, ground)?;
                // Meetings of players that are not there are refused.
                let batch =
                    table.batch.with_meetings(meetings.clone()).map_err(|it| it.to_string())?;
                let mut outcomes = Vec::with_capacity(meetings.len());
                for (done, meeting) in batch.meetings().iter().enumerate() {
                    match table
                        .players
                        .meet(*meeting, progress)
                        .map_err(|error| error.to_string())?
                    {
                        Some(outcome) => outcomes.push(outcome),
                        None => return Ok(None),
                    }
                    progress.advance(done as u64 + 1, meetings.len() as u64);
                }
                Ok(Some(Outcome::encode(&outcomes)))
            }
            Piece::Search { .. } => searched(&task.piece, progress),
            Piece::Run { settings } => trained(settings, progress),
        }
    }
}
