//! Tasks that advance an island by several generations.

use std::collections::{HashMap, VecDeque};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use mancala::progress::{Part, Progress};
use rayon::ThreadPoolBuilder;
use serde::{Deserialize, Serialize};

use super::{Answer, Task, TaskError, TaskRunner, read_answer};
use crate::optimise::{Chromosome, IslandTask, Islands, Optimiser, Saved, previous_island};
use crate::run::{Settings, Trainer};

/// The maximum number of generations per task. This limits the size of a result, which has a state per generation.
const MAX_GENERATIONS: u32 = 100;
/// The maximum number of tasks that an island may be ahead of the slowest island. This limits memory use.
const MAX_LEAD: u32 = 8;

/// A task that advances an island by several generations. The task treats the island as a separate run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct GenerationsTask {
    pub(super) settings: String,
    pub(super) layer: Option<Vec<u8>>,
    pub(super) island: IslandTask,
}

impl GenerationsTask {
    pub(super) fn new(settings: &Settings, island: IslandTask) -> GenerationsTask {
        let settings = settings.island(island.island);
        let layer = settings.features.layer().map(|layer| layer.encode());
        GenerationsTask { settings: settings.lines(), layer, island }
    }

    fn trainer(&self) -> Result<Trainer, TaskError> {
        let mut settings = Settings::of_lines(&self.settings).map_err(TaskError::content)?;
        if let Some(layer) = &self.layer {
            settings.add_layer(layer).map_err(TaskError::content)?;
        }
        settings.check_layer().map_err(TaskError::content)?;
        check(&settings)?;
        let places = if settings.islands == 1 { settings.own.migrant_places() } else { Ok(0) };
        if self.island.migrants.len() > places.unwrap_or(0) as usize {
            return Err(TaskError::content("it has too many migrants"));
        }
        Trainer::of_island(settings, self.island.clone()).map_err(TaskError::content)
    }

    /// Computes generations on one thread, so that node counts are reproducible. Returns each state and its node count.
    pub(super) fn run(&self, progress: &dyn Progress) -> Result<Vec<(Saved, u64)>, TaskError> {
        let mut trainer = self.trainer()?;
        let games = trainer.settings().games_of_generation(1);
        let of = u64::from(self.island.generations) * games;
        let part = |index| Part { whole: progress, before: u64::from(index) * games, of };
        let mut step = |index: u32| {
            let nodes = trainer.step(&part(index))?;
            Ok((trainer.optimiser().save().expect("a generation was evaluated"), nodes))
        };
        let thread = ThreadPoolBuilder::new().num_threads(1).build();
        let thread = thread.map_err(|error| TaskError::Runner(error.to_string()))?;
        thread.install(|| (0..self.island.generations).map(&mut step).collect())
    }
}

/// Checks that generations depend only on the settings and on the checkpoint.
fn check(settings: &Settings) -> Result<(), TaskError> {
    let entries = settings.entries();
    let opponents = entries.iter().find(|entry| entry.name == "opponents");
    if settings.own.table_fitness().is_some() {
        Err(TaskError::Unsupported("generations with fitness from endgame tables"))
    } else if settings.own.layers().is_some() {
        Err(TaskError::Unsupported("generations that learn features"))
    } else if opponents.is_some_and(|it| !it.plain().is_empty()) {
        Err(TaskError::Unsupported("generations with other opponents"))
    } else {
        Ok(())
    }
}

/// An island after a generation, and the number of nodes that were searched in that generation.
type Advanced = (Box<dyn Optimiser>, u64);

/// Advances islands by running tasks. Each island only waits for the island that sends it migrants.
#[derive(Debug)]
pub(crate) struct Pipeline {
    /// The thread that runs the tasks, and a channel for its results. `None` once the thread is joined.
    thread: Option<(JoinHandle<()>, Receiver<Received>)>,
    stop: Arc<AtomicBool>,
    /// For each island, the generations that were received, but not returned by [`Pipeline::next`] yet.
    ahead: Vec<VecDeque<Advanced>>,
}

type Received = Result<(usize, Vec<Advanced>), TaskError>;

impl Pipeline {
    /// Starts a thread that advances all islands to generation `last`, beginning with `tasks`.
    pub(crate) fn start(
        runner: Arc<dyn TaskRunner>,
        settings: &Settings,
        tasks: &[IslandTask],
        last: u32,
    ) -> Result<Pipeline, TaskError> {
        check(settings)?;
        // The channel is bounded, so that the thread waits if too many generations pile up.
        let (sender, results) = sync_channel(2 * tasks.len());
        let ahead = tasks.iter().map(|_| VecDeque::new()).collect();
        let mut ring = Ring::new(settings.clone(), tasks, last);
        let tasks = tasks.iter().map(|task| ring.send(task.clone())).collect();
        let stop = Arc::new(AtomicBool::new(false));
        let progress = Arc::clone(&stop);
        let work = move || {
            let mut then = |number, answer: Vec<u8>| ring.receive(number, &answer, &sender);
            let mut end = runner.run(tasks, &mut then, &*progress);
            if end.is_ok() && !ring.sent.is_empty() {
                end =
                    Err(TaskError::Runner(format!("{} tasks were not computed", ring.sent.len())));
            }
            // Sending fails if the pipeline was dropped, in which case nobody needs the error.
            let _ = end.map_err(|error| sender.send(Err(error)));
        };
        let thread = thread::Builder::new().name("ayo-islands".into()).spawn(work);
        let thread = thread.map_err(|error| TaskError::Runner(error.to_string()))?;
        Ok(Pipeline { thread: Some((thread, results)), stop, ahead })
    }

    /// Waits for the next generation of all islands. Returns the islands and the nodes searched.
    pub(crate) fn next(&mut self, progress: &dyn Progress) -> Result<(Islands, u64), TaskError> {
        loop {
            let ready = self.ahead.iter().filter(|island| !island.is_empty()).count();
            progress.advance(ready as u64, self.ahead.len() as u64);
            if ready == self.ahead.len() {
                let (islands, nodes): (_, Vec<u64>) =
                    self.ahead.iter_mut().filter_map(VecDeque::pop_front).unzip();
                return Ok((islands, nodes.iter().sum()));
            }
            let (_, results) = self.thread.as_ref().ok_or(TaskError::Stopped)?;
            match results.recv_timeout(Duration::from_millis(100)) {
                Ok(result) => {
                    let (island, generations) = result?;
                    self.ahead[island].extend(generations);
                }
                Err(RecvTimeoutError::Timeout) if !progress.should_stop() => {}
                Err(RecvTimeoutError::Timeout) => return Err(TaskError::Stopped),
                // The thread has panicked.
                Err(RecvTimeoutError::Disconnected) => {
                    self.join().unwrap_or_else(|it| resume_unwind(it))
                }
            }
        }
    }

    /// Returns the number of generations that are complete on all islands and ready to be returned.
    pub(crate) fn ready(&self) -> usize {
        self.ahead.iter().map(VecDeque::len).min().unwrap_or(0)
    }

    fn join(&mut self) -> thread::Result<()> {
        self.stop.store(true, Ordering::Relaxed);
        let Some((thread, results)) = self.thread.take() else { return Ok(()) };
        // The thread may be waiting to send to a full channel.
        drop(results);
        thread.join()
    }
}

impl Drop for Pipeline {
    fn drop(&mut self) {
        let _ = self.join();
    }
}

struct Ring {
    settings: Settings,
    islands: Vec<Island>,
    /// Tasks that have not been answered yet, keyed by their numbers.
    sent: HashMap<usize, Sent>,
    tasks: usize,
    last: u32,
}

#[derive(Default)]
struct Island {
    generation: u32,
    saved: Option<Saved>,
    /// The champions at past migrations that the next island has not received yet, oldest first.
    champions: VecDeque<Chromosome>,
    is_busy: bool,
}

struct Sent {
    island: usize,
    generations: u32,
    task: Vec<u8>,
}

impl Ring {
    fn new(settings: Settings, tasks: &[IslandTask], last: u32) -> Ring {
        let generation = |task: &IslandTask| task.saved.as_ref().map_or(0, |it| it.last.generation);
        let island = |task| Island { generation: generation(task), ..Island::default() };
        let islands = tasks.iter().map(island).collect();
        Ring { settings, islands, sent: HashMap::new(), tasks: 0, last }
    }

    fn send(&mut self, mut task: IslandTask) -> Vec<u8> {
        let index = task.island as usize;
        let island = &mut self.islands[index];
        island.is_busy = true;
        task.generations = task.generations.min(self.last - island.generation).min(MAX_GENERATIONS);
        let generations = task.generations;
        let task = Task::Generations(GenerationsTask::new(&self.settings, task)).encode();
        self.sent.insert(self.tasks, Sent { island: index, generations, task: task.clone() });
        self.tasks += 1;
        task
    }

    /// Passes the generations in an answer to the pipeline. Returns tasks that can start now.
    fn receive(
        &mut self,
        number: usize,
        answer: &[u8],
        results: &SyncSender<Received>,
    ) -> Result<Vec<Vec<u8>>, TaskError> {
        let sent = self.sent.remove(&number).ok_or(TaskError::OtherTask)?;
        let Answer::Generations(states) = read_answer(&sent.task, answer)? else {
            return Err(TaskError::OtherTask);
        };
        if states.len() != sent.generations as usize {
            return Err(TaskError::OtherTask);
        }
        let (settings, count) = (self.settings.island(sent.island as u32), self.islands.len());
        let island = &mut self.islands[sent.island];
        let mut advanced = Vec::with_capacity(states.len());
        for (saved, nodes) in states {
            island.generation += 1;
            if saved.last.generation != island.generation {
                return Err(TaskError::OtherTask);
            }
            let optimiser = settings.optimiser(Some(saved.clone()));
            let optimiser = optimiser.map_err(|error| TaskError::Runner(error.to_string()))?;
            if island.generation.is_multiple_of(self.settings.migrate) {
                island.champions.extend(optimiser.current_champion().map(|it| it.chromosome));
            }
            island.saved = Some(saved);
            advanced.push((optimiser, nodes));
        }
        island.is_busy = false;
        results.send(Ok((sent.island, advanced))).map_err(|_| TaskError::Stopped)?;
        let mut next = |island| Some(self.next_task(island)?).map(|task| self.send(task));
        Ok((0..count).filter_map(&mut next).collect())
    }

    fn next_task(&mut self, index: usize) -> Option<IslandTask> {
        let Settings { migrate, .. } = self.settings;
        let slowest = self.islands.iter().map(|island| island.generation).min()?;
        let &Island { generation, is_busy, .. } = &self.islands[index];
        let is_ahead = generation - slowest >= MAX_LEAD * migrate.min(MAX_GENERATIONS);
        if is_busy || generation == self.last || is_ahead {
            return None;
        }
        let mut migrants = Vec::new();
        if generation.is_multiple_of(migrate) {
            let previous = previous_island(index, self.islands.len());
            migrants.push(self.islands[previous].champions.pop_front()?);
        }
        let (island, saved) = (index as u32, self.islands[index].saved.clone());
        Some(IslandTask { island, saved, migrants, generations: migrate - generation % migrate })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::changed;

    #[test]
    fn islands_without_migrations_are_at_most_eight_tasks_ahead() {
        let settings = changed("standard", "islands=2 migrate=5000 generations=5000");
        let begin =
            |island| IslandTask { island, saved: None, migrants: Vec::new(), generations: 5000 };
        let mut ring = Ring::new(settings, &[begin(0), begin(1)], 5000);
        for (generation, is_free) in [(799, true), (800, false), (5000, false)] {
            ring.islands[0].generation = generation;
            assert_eq!(ring.next_task(0).is_some(), is_free, "{generation}");
        }
        ring.islands[1].generation = 100;
        ring.islands[0].generation = 800;
        assert!(ring.next_task(0).is_some() && ring.next_task(1).is_some());
    }
}
