//! How far the process is that trains in a folder, for whoever watches it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::event::Part;
use super::stop::End;
use mancala::store::{self, FileError};

/// What `status.json` in a run folder holds: how far the process is that trains there, or how its training
/// ended.
///
/// No run depends on the file, and it may be behind by a second. A process that was killed leaves what it
/// wrote last, so only [`Lock::is_held`](mancala::store::Lock::is_held) says whether one is at work.
///
/// Times are seconds since the beginning of 1970.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// What is being done.
    pub part: StatusPart,
    /// The generation under way, or else the last that was evaluated.
    pub generation: u32,
    /// Generations asked for.
    pub generations: u32,
    /// What is done of the part: games, or steps of learning.
    pub done: u64,
    /// How much the part takes; 0 as long as that is unknown.
    pub of: u64,
    /// When the part began.
    pub began: u64,
    /// When this was written.
    pub updated: u64,
    /// When time is up, in a run with a limit.
    pub deadline: Option<u64>,
    /// Estimated seconds to the end of the generations, or of the final games once they have begun, and at most to the
    /// deadline.
    pub seconds_left: Option<u64>,
    /// Games a second of the last generation that this process has evaluated, without those that were known.
    pub games_per_second: Option<f64>,
    /// Whether the final games have begun. The process that wrote this evaluates no generation after that.
    #[serde(default)]
    pub finals_begun: bool,
}

/// A part of a run, or how its training ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatusPart {
    /// A generation that begins with learning features.
    Learning,
    /// A generation is being evaluated.
    Generation,
    /// Strength is being measured.
    Measuring,
    /// Final games choose the champion.
    Finals,
    /// Training ended: there is nothing left to do.
    Complete,
    /// Training ended before that: it was interrupted or asked to stop, or something failed.
    Stopped,
    /// Training ended because its time was up.
    OutOfTime,
}

impl StatusPart {
    /// The same part of a run.
    pub fn of(part: Part) -> StatusPart {
        match part {
            Part::Generation(_) => StatusPart::Generation,
            Part::Learning(_) => StatusPart::Learning,
            Part::Measuring => StatusPart::Measuring,
            Part::Finals => StatusPart::Finals,
        }
    }

    /// How training ended.
    pub fn after(end: End) -> StatusPart {
        match end {
            End::Complete => StatusPart::Complete,
            End::OutOfTime => StatusPart::OutOfTime,
            End::Interrupted | End::Stopped => StatusPart::Stopped,
        }
    }

    /// Whether training has ended.
    pub fn is_end(self) -> bool {
        matches!(self, StatusPart::Complete | StatusPart::Stopped | StatusPart::OutOfTime)
    }
}

/// The file as a whole.
#[derive(Serialize, Deserialize)]
struct File<S> {
    kind: String,
    version: u32,
    #[serde(flatten)]
    status: S,
}

const KIND: &str = "status";
const VERSION: u32 = 1;

impl Status {
    /// The name of the file.
    pub const NAME: &'static str = "status.json";

    /// What is written in a run folder; `None` if there is nothing, or nothing that this version reads.
    pub fn read(folder: &Path) -> Option<Status> {
        let text = store::read_document(&folder.join(Status::NAME)).ok()?;
        let file: File<Status> = serde_json::from_str(&text).ok()?;
        (file.kind == KIND && file.version == VERSION).then_some(file.status)
    }

    /// Writes it in a run folder that this process holds, whole, but not flushed to disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), FileError> {
        let file = File { kind: KIND.to_owned(), version: VERSION, status: self };
        let mut text = serde_json::to_vec_pretty(&file).expect("a status can be written as JSON");
        text.push(b'\n');
        store::replace_unflushed(&folder.join(Status::NAME), &text)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn status() -> Status {
        Status {
            part: StatusPart::OutOfTime,
            generation: 7,
            generations: 100,
            done: 3,
            of: 0,
            began: 1_700_000_000,
            updated: 1_700_000_001,
            deadline: Some(1_700_000_002),
            seconds_left: None,
            games_per_second: Some(12.5),
            finals_begun: true,
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Status::read(folder.path()), None);
        status().write(folder.path()).unwrap();
        assert_eq!(Status::read(folder.path()), Some(status()));
        let text = fs::read_to_string(folder.path().join(Status::NAME)).unwrap();
        assert!(text.starts_with("{\n  \"kind\": \"status\",\n  \"version\": 1,\n"), "{text}");
        assert!(text.contains("\"part\": \"out-of-time\""), "{text}");
    }

    #[test]
    fn what_is_no_status_reads_as_none() {
        let folder = tempfile::tempdir().unwrap();
        status().write(folder.path()).unwrap();
        let file = folder.path().join(Status::NAME);
        let whole = fs::read_to_string(&file).unwrap();
        for end in 0..whole.trim_end().len() {
            fs::write(&file, &whole[..end]).unwrap();
            assert_eq!(Status::read(folder.path()), None, "{end}");
        }
        for (of, by) in [("\"version\": 1", "\"version\": 2"), ("\"status\"", "\"weights\"")] {
            fs::write(&file, whole.replace(of, by)).unwrap();
            assert_eq!(Status::read(folder.path()), None, "{by}");
        }
        fs::write(&file, whole.replace("\"out-of-time\"", "\"asleep\"")).unwrap();
        assert_eq!(Status::read(folder.path()), None);
        // A later version may know more of the same.
        fs::write(&file, whole.replace("\"of\": 0", "\"mood\": 1, \"of\": 0")).unwrap();
        assert_eq!(Status::read(folder.path()), Some(status()));
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert_eq!(Status::read(folder.path()), None);
    }
}
