//! Runs of a series that are trained beside each other, here and by workers.

use std::io::Write;
use std::panic;
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use rayon::ThreadPool;

use super::drive::Effort;
use super::refusals::task_error;
use super::report::say_champion;
use crate::app::series::{Course, Task};
use crate::app::whole_runs::{Told, train_whole};
use crate::cli::meter::{Meter, counted, time_left};
use crate::cli::output::announce;
use crate::cli::progress::Leaving;
use crate::cli::terminal::shown;
use crate::run::{Elsewhere, StopPolicy, Summary};

/// Some runs of a series.
pub(super) struct Whole<'a> {
    pub(super) all: &'a [Task],
    pub(super) some: &'a [&'a Task],
    pub(super) place: &'a dyn Elsewhere,
    pub(super) pool: &'a ThreadPool,
}

/// A run on the bar.
const RUN: f64 = 1000.0;

impl Whole<'_> {
    /// Trains them, and says which are finished.
    pub(super) fn train(
        &self,
        effort: &Effort,
        leaving: &Leaving,
        out: &mut dyn Write,
    ) -> anyhow::Result<Course> {
        let stop = leaving.guard(StopPolicy::default());
        let threads = self.pool.current_num_threads() + self.place.threads();
        let (runs, on) =
            (counted(self.some.len() as u64, "run"), counted(threads as u64, "thread"));
        let meter = Meter::new(RUN as u64 * self.some.len() as u64, effort.workers().verbosity());
        meter.begin(format!("{runs} beside each other on {on}"));
        let (sender, finished) = mpsc::channel();
        let begun = Instant::now();
        let course = thread::scope(|scope| {
            let training = scope.spawn(|| {
                let follow = |told: Told| match told {
                    Told::Standing { finished, share } => {
                        self.show(&meter, begun, finished, share);
                    }
                    Told::Finished { task, worker } => {
                        // Whoever prints has failed, and will say so.
                        let _ = sender.send((task.clone(), worker.map(str::to_owned)));
                    }
                };
                let train = || train_whole(self.some, self.place, &stop, &follow);
                let course = self.pool.install(train);
                drop(sender);
                course
            });
            // Standard output belongs to this thread.
            let say = |(task, worker): (Task, Option<String>)| self.say(&task, worker, effort, out);
            let said = finished.iter().try_for_each(say);
            let course = training.join().unwrap_or_else(|cause| panic::resume_unwind(cause));
            said.map(|()| course)
        });
        meter.finish();
        course?.map_err(task_error)
    }

    fn show(&self, meter: &Meter, begun: Instant, finished: usize, share: f64) {
        let (all, done) = (RUN as u64 * self.some.len() as u64, (RUN * share) as u64);
        meter.set_position(done);
        let left = time_left(begun, done, all);
        meter.say(format!("{finished} of {} runs finished  {left} left", self.some.len()));
    }

    fn say(
        &self,
        task: &Task,
        worker: Option<String>,
        effort: &Effort,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        if effort.json {
            return Ok(());
        }
        let by = worker.map_or_else(|| "here".into(), |worker| format!("by worker {worker}"));
        let (folder, seed) = (shown(&task.folder), task.settings.seed);
        let place = place_of(task, self.all);
        announce(&format!("{place}: {folder}, seed {seed}, trained {by}"), out)?;
        say_champion(&Summary::of(&task.folder)?, out)
    }
}

/// Which of all runs it is.
pub(super) fn place_of(task: &Task, all: &[Task]) -> String {
    let place = 1 + all.iter().position(|it| it.folder == task.folder).unwrap_or(0);
    format!("run {place} of {}", all.len())
}
