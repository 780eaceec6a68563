//! A whole run, trained for somebody else.
//!
//! Architecture invariant: a task names no file, and none that it could name is read or written.

use std::fs;
use std::path::PathBuf;

use super::wire::fresh_name;
use super::work::alone;
use crate::run::{
    Draft, End, Event, Finished, Observer, RunFolder, Settings, StopPolicy, Trainer, Watched,
    read_toml, train,
};
use mancala::progress::Progress;
use mancala::store::FileError;

/// The most bytes of an answer.
pub(super) const MOST_BYTES: usize = 32 << 20;
/// The most bytes of a finished run in it.
const MOST_RUN: usize = MOST_BYTES - 1000;
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
pub(super) fn is_portable(settings: &Settings) -> bool {
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
