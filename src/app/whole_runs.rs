//! Runs of a series that others train too, each of them whole.
//!
//! A run is trained whole where there are at least as many runs as threads: then nobody waits for anybody, and many
//! threads are as much faster as there are of them. What is left over, and what was begun here before, is trained one
//! run after the other, its games shared out.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::resume::Rest;
use super::series::{Course, Limit, NoTask, Standing, Task};
use crate::run::{
    Desk, Elsewhere, End, Event, Finished, FolderError, NotFinished, Observer, Settings,
    StopPolicy, Watched,
};
use mancala::progress::Progress;
use mancala::store::FileError;

/// What is told of runs that are trained beside each other.
pub enum Told<'a> {
    /// So many are finished, and so much of them and of those under way is done, all of them being 1 each.
    Standing {
        /// Finished ones.
        finished: usize,
        /// What is done of all, as far as that can be told from those that are trained here.
        share: f64,
    },
    /// One is finished.
    Finished {
        /// The run.
        task: &'a Task,
        /// Who has trained it, if that was somebody else.
        worker: Option<&'a str>,
    },
}

/// Told of runs.
pub type Follow<'a> = dyn Fn(Told) + Sync + 'a;

/// The runs that are to be trained next.
pub enum Next<'a> {
    /// These, beside each other.
    Whole(Vec<&'a Task>),
    /// This one, its games shared out.
    One(&'a Task),
}

/// What is to be trained next, where `threads` are there in all; `None` once all runs are finished, but for those of
/// `tried`, which went as far as they go.
///
/// # Errors
/// If one of them cannot be trained.
pub fn next<'a>(
    tasks: &'a [Task],
    place: &dyn Elsewhere,
    threads: usize,
    tried: &[PathBuf],
) -> Result<Option<Next<'a>>, NoTask> {
    let mut new = Vec::new();
    for task in tasks.iter().filter(|task| !tried.contains(&task.folder)) {
        match task.standing(Limit::Generations)? {
            Standing::Begun(_) => return Ok(Some(Next::One(task))),
            Standing::New => new.push(task),
            Standing::Finished(_) => {}
        }
    }
    let Some(first) = new.first() else { return Ok(None) };
    let whole = new.len() - new.len() % threads.max(1);
    if whole == 0 || !place.takes(&first.settings) {
        return Ok(Some(Next::One(first)));
    }
    new.truncate(whole);
    Ok(Some(Next::Whole(new)))
}

/// Trains runs beside each other, on the threads of the current rayon pool and elsewhere.
///
/// # Errors
/// The first run that cannot be trained or kept.
pub fn train_whole(
    tasks: &[&Task],
    place: &dyn Elsewhere,
    stop: &StopPolicy,
    follow: &Follow,
) -> Result<Course, NoTask> {
    let threads = rayon::current_num_threads() + place.threads();
    let runs: Vec<Settings> = tasks.iter().map(|task| task.settings.clone()).collect();
    let seats = tasks.iter().map(|_| Seat::default()).collect();
    let desk = Here { tasks, threads, seats, stop, follow, trouble: Mutex::default() };
    place.train(&runs, &desk);
    match desk.trouble.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(trouble) => Err(trouble),
        None if stop.wish().is_some() => Ok(Course::Stopped),
        None => Ok(Course::Done),
    }
}

/// What is known here of a run.
#[derive(Default)]
struct Seat {
    /// Its folder is written by one at a time.
    folder: Mutex<()>,
    is_finished: AtomicBool,
    /// Generations that were evaluated here.
    generations: AtomicU32,
}

struct Here<'a> {
    tasks: &'a [&'a Task],
    threads: usize,
    seats: Vec<Seat>,
    stop: &'a StopPolicy,
    follow: &'a Follow<'a>,
    trouble: Mutex<Option<NoTask>>,
}

impl Here<'_> {
    fn folder(&self, run: usize) -> MutexGuard<'_, ()> {
        self.seats[run].folder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fail(&self, error: NoTask) {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    fn finish(&self, run: usize, worker: Option<&str>) {
        if !self.seats[run].is_finished.swap(true, Ordering::Relaxed) {
            (self.follow)(Told::Finished { task: self.tasks[run], worker });
        }
    }

    fn trained(&self, run: usize, progress: &dyn Progress) -> Result<Option<Finished>, NoTask> {
        let task = self.tasks[run];
        let resumed = task.open(None, Limit::Generations)?;
        match resumed.rest {
            // A worker was faster.
            Rest::Nothing => drop(resumed),
            Rest::Some => {
                let watched = Watched { progress, stop: self.stop };
                let mut counted = Counted(&self.seats[run].generations);
                let trained = resumed.run.train(&watched, &mut counted)?;
                if trained.end.map_err(FolderError::from)? != End::Complete {
                    return Ok(None);
                }
            }
        }
        Ok(Some(Finished::of(&task.folder).map_err(|error| unread(task, error))?))
    }

    fn kept(&self, run: usize, finished: &Finished) -> Result<(), NoTask> {
        let task = self.tasks[run];
        match task.standing(Limit::Generations)? {
            Standing::Finished(_) => Ok(()),
            _ => Ok(finished.write(&task.folder)?),
        }
    }
}

fn unread(task: &Task, error: NotFinished) -> NoTask {
    NoTask::Unread { folder: task.folder.clone(), error: error.into() }
}

impl Desk for Here<'_> {
    fn train(&self, run: usize, progress: &dyn Progress) -> Option<Finished> {
        let _folder = self.folder(run);
        match self.trained(run, progress) {
            Ok(Some(finished)) => {
                self.finish(run, None);
                Some(finished)
            }
            Ok(None) => None,
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    fn keep(&self, run: usize, finished: Finished, worker: &str) {
        // Whoever trains it here as well stops at once.
        let _folder = self.folder(run);
        match self.kept(run, &finished) {
            Ok(()) => self.finish(run, Some(worker)),
            Err(error) => self.fail(error),
        }
    }

    fn attend(&self) {
        let is_finished = |seat: &&Seat| seat.is_finished.load(Ordering::Relaxed);
        let finished = self.seats.iter().filter(is_finished).count();
        let here = |(seat, task): (&Seat, &&Task)| {
            let done = seat.generations.load(Ordering::Relaxed);
            let is_under_way = done > 0 && !is_finished(&seat);
            is_under_way.then(|| f64::from(done) / f64::from(task.settings.generations))
        };
        let here: Vec<f64> = self.seats.iter().zip(self.tasks).filter_map(here).collect();
        // What is trained elsewhere is taken for as far as what is trained here.
        let mean = here.iter().sum::<f64>() / here.len().max(1) as f64;
        let under_way = self.threads.min(self.tasks.len() - finished) as f64;
        (self.follow)(Told::Standing { finished, share: finished as f64 + mean * under_way });
    }

    fn has_enough(&self) -> bool {
        self.stop.wish().is_some()
            || self.trouble.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

/// Counts generations.
struct Counted<'a>(&'a AtomicU32);

impl Observer for Counted<'_> {
    fn observe(&mut self, event: &Event) -> Result<(), FileError> {
        if let Event::Generation { trainer, .. } = event {
            self.0.store(trainer.generation(), Ordering::Relaxed);
        }
        Ok(())
    }
}
