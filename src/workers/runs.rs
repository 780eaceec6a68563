//! Whole runs, shared out.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::coordinator::Coordinator;
use super::wire::{Piece, fresh_name};
use super::work::{Checked, Work, alone};
use crate::run::{
    Desk, Draft, Elsewhere, End, Event, Finished, Observer, RunFolder, Settings, StopPolicy,
    Trainer, Watched, read_toml, train,
};
use mancala::progress::{Muted, Progress};
use mancala::store::FileError;

/// The most bytes of an answer.
pub(super) const MOST_BYTES: usize = 32 << 20;
/// The most bytes of a finished run in it.
const MOST_RUN: usize = MOST_BYTES - 1000;
/// How long a run is taken for where only its lease depends on it, which its games renew.
const EXPECTED: Duration = Duration::from_secs(2);
/// One generation in so many is done again where a run is checked, from the first on.
const CHECKED: u32 = 50;
/// How often finished runs are looked for.
const LOOK: Duration = Duration::from_millis(100);
/// How long workers may take to show up, where it matters how many there are.
const ARRIVAL: Duration = Duration::from_secs(2);

/// What stands before the name of a file in settings.
const FILE: &str = "learned:";

/// Whether settings name a file, which would be another one elsewhere.
pub(super) fn names_a_file(settings: &str) -> bool {
    settings.contains(FILE)
}

/// The settings of a task.
///
/// # Errors
/// A sentence, if there are none, or they need a file of this machine: a task names none.
pub(super) fn settings_of(toml: &str) -> Result<Settings, String> {
    let table = read_toml(toml).map_err(|error| error.to_string())?;
    if table.values().any(|value| names_a_file(&value.to_string())) {
        return Err(NO_FILES.into());
    }
    let settings = Draft::from_whole_table(&table).and_then(Draft::finish);
    let settings = settings.map_err(|error| error.to_string())?;
    if is_portable(&settings) { Ok(settings) } else { Err(NO_FILES.into()) }
}

/// What is said of a task that names a file.
pub(super) const NO_FILES: &str = "its settings need a file of another machine";

/// Whether a run needs nothing but its settings.
fn is_portable(settings: &Settings) -> bool {
    settings.layer.is_empty() && !settings.needs_tables() && settings.parent.is_empty()
}

/// Trains the run of a task on this thread alone. `None` if the progress stopped it, which counts games.
///
/// # Errors
/// A sentence, if it cannot be trained here.
pub(super) fn trained(toml: &str, progress: &dyn Progress) -> Result<Option<Vec<u8>>, String> {
    let settings = settings_of(toml)?;
    let place = Place::new().map_err(|error| error.to_string())?;
    let path = place.0.join("run");
    let mut folder =
        RunFolder::create(&path, &settings, None).map_err(|error| error.to_string())?;
    let mut trainer = Trainer::new(settings);
    let mut measuring = folder.measuring(&trainer, None).map_err(|error| error.to_string())?;
    let watched = Watched { progress, stop: &StopPolicy::default() };
    let ended = alone(|| train(&mut trainer, &mut folder, &mut measuring, &watched, &mut Silent));
    drop(folder);
    match ended.map_err(|error| error.to_string())? {
        End::Complete => {}
        _ => return Ok(None),
    }
    let bytes = Finished::of(&path).map_err(|error| error.to_string())?.encode();
    match bytes.len() {
        0..=MOST_RUN => Ok(Some(bytes)),
        more => Err(format!("a finished run of {more} bytes is more than {MOST_RUN}")),
    }
}

/// A folder that is gone in the end.
struct Place(PathBuf);

impl Place {
    fn new() -> std::io::Result<Place> {
        let path = std::env::temp_dir().join(format!("ayo-{}", fresh_name()));
        fs::create_dir(&path).map(|()| Place(path))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Tells nobody.
struct Silent;

impl Observer for Silent {
    fn observe(&mut self, _: &Event) -> Result<(), FileError> {
        Ok(())
    }
}

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
