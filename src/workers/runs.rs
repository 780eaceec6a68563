//! Whole runs, shared out.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::coordinator::Coordinator;
use super::trained::is_portable;
use super::wire::Piece;
use super::work::{Checked, Work, alone};
use crate::run::{Desk, Elsewhere, Finished, Settings};
use mancala::progress::{Muted, Progress};

/// How long a run is taken for where only its lease depends on it, which its games renew.
const EXPECTED: Duration = Duration::from_secs(2);
/// One generation in so many is done again where a run is checked, from the first on.
const CHECKED: u32 = 50;
/// How often finished runs are looked for.
const LOOK: Duration = Duration::from_millis(100);
/// How long workers may take to show up, where it matters how many there are.
const ARRIVAL: Duration = Duration::from_secs(2);

/// Runs that are trained here, as many at a time as there are threads, and by workers.
#[derive(Debug)]
pub struct SharedRuns<'a>(pub &'a Coordinator);

struct Runs<'a> {
    runs: &'a [Settings],
    desk: &'a dyn Desk,
}

impl Work for Runs<'_> {
    type Error = Infallible;

    fn pieces(&self) -> usize {
        self.runs.len()
    }

    fn ground(&self) -> Vec<u8> {
        Vec::new()
    }

    fn is_shared(&self) -> bool {
        self.runs.iter().all(is_portable)
    }

    fn piece(&self, number: usize) -> Piece {
        Piece::Run { settings: self.runs[number].to_toml() }
    }

    fn weight(&self, _: usize) -> u64 {
        1
    }

    fn act(&self, number: usize, progress: &dyn Progress) -> Result<Option<Vec<u8>>, Infallible> {
        Ok(alone(|| self.desk.train(number, progress)).map(|run| run.encode()))
    }

    fn check(
        &self,
        number: usize,
        found: &[u8],
        progress: &dyn Progress,
    ) -> Result<Checked, Infallible> {
        let settings = &self.runs[number];
        let begins =
            |run: Finished| run.begins_so(settings.generations.div_ceil(CHECKED), &Muted(progress));
        let is_true = match Finished::decode(found, settings) {
            Ok(run) => alone(|| begins(run)),
            Err(_) => Some(false),
        };
        Ok(is_true.map_or(Checked::Stopped, Checked::Judged))
    }
}

impl Elsewhere for SharedRuns<'_> {
    fn threads(&self) -> usize {
        let begun = Instant::now();
        while !self.0.has_looked() && begun.elapsed() < ARRIVAL {
            thread::sleep(LOOK / 10);
        }
        self.0.helpers() as usize
    }

    fn takes(&self, settings: &Settings) -> bool {
        is_portable(settings)
    }

    fn train(&self, runs: &[Settings], desk: &dyn Desk) {
        let keep = |run: usize, (bytes, worker): (Vec<u8>, String)| {
            // It has a digest, so it is one.
            if let Ok(finished) = Finished::decode(&bytes, &runs[run]) {
                desk.keep(run, finished, &worker);
            }
        };
        let (work, is_over) = (Runs { runs, desk }, AtomicBool::new(false));
        thread::scope(|scope| {
            // Those who train would be kept from it, so somebody else keeps what is finished.
            let keeper = scope.spawn(|| {
                let mut left: BTreeSet<usize> = (0..runs.len()).collect();
                while !is_over.load(Ordering::Relaxed) {
                    left.retain(|&run| self.0.take(run).map(|it| keep(run, it)).is_none());
                    desk.attend();
                    thread::sleep(LOOK);
                }
            });
            // Nor should what is finished wait for a check until somebody has trained its own.
            let checker = scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    if !self.0.check_one(&work, &Wanted(desk)) {
                        thread::sleep(LOOK);
                    }
                }
            });
            let mut follow = |_: &[u8]| ControlFlow::Continue(());
            let Ok(mut ended) = self.0.work(&work, EXPECTED, &Wanted(desk), &mut follow);
            is_over.store(true, Ordering::Relaxed);
            for thread in [keeper, checker] {
                thread.join().expect("it does not panic");
            }
            let late = (0..runs.len()).filter_map(|run| Some((run, ended.take(run)?)));
            late.for_each(|(run, found)| keep(run, found));
        });
    }
}

/// Stops what a desk wants no more.
struct Wanted<'a>(&'a dyn Desk);

impl Progress for Wanted<'_> {
    fn should_stop(&self) -> bool {
        self.0.has_enough()
    }
}
