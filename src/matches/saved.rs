//! Files of games, looked at while others may write them.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use arena::{Heading, HeadingError, KeptGames};
use mancala::store::{self, FileError, Log};

use crate::matches::saved_result::{KeptLines, KeptMatch, ListedMatch, MatchState};
use evolve::run::StopFile;

/// Bytes of the longest heading.
const LONGEST_HEADING: u64 = 4 << 20;
/// Bytes in which the heading of most files ends.
const USUAL_HEADING: u64 = 1 << 14;

/// Files of games. What was read of one is kept, so that only what is new in it is read the next time.
#[derive(Debug, Default)]
pub struct Matches(Mutex<HashMap<PathBuf, Arc<Mutex<Known>>>>);

/// Why games are not shown.
#[derive(Debug, thiserror::Error)]
pub enum NoGames {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is no file of games.
    #[error("{}: {reason}", path.display())]
    Heading {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: HeadingError,
    },
    /// A line is another than it was.
    #[error("{} has changed while it was read: {reason}", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// How the line differs.
        reason: String,
    },
}

/// Why a match cannot be asked to stop.
#[derive(Debug, thiserror::Error)]
pub enum NoStop {
    /// Nobody plays it.
    #[error("no process plays this match")]
    Idle,
    /// The request cannot be left.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Asks the process that plays the match of a file of games to stop, as Ctrl-C does. Returns at once.
///
/// # Errors
/// If no process does, or nothing can be written beside the file.
pub fn stop(path: &Path) -> Result<(), NoStop> {
    if !Log::is_open(path) {
        return Err(NoStop::Idle);
    }
    Ok(StopFile::beside(path).create()?)
}

impl Matches {
    /// A file at a glance.
    pub fn listed(&self, id: &str, path: &Path) -> ListedMatch {
        self.look(id, path).0
    }

    /// What a file comes to.
    pub fn kept(&self, id: &str, path: &Path) -> KeptMatch {
        let (listed, known) = self.look(id, path);
        KeptMatch::of(listed, locked(&known).reading.as_ref().map(|it| &it.games))
    }

    /// So many games of a file at most, from the number `offset`, which begins at 0.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn games(&self, path: &Path, offset: usize, limit: usize) -> Result<KeptLines, NoGames> {
        let known = self.known(path);
        let mut known = locked(&known);
        known.read_on(path)?;
        let Some(Reading { games, .. }) = &known.reading else {
            return Ok(KeptLines { total: 0, games: Vec::new() });
        };
        let wanted = offset.min(games.len())..offset.saturating_add(limit).min(games.len());
        let place = games.place(wanted.clone());
        let piece = piece_of(&store::open(path)?, place.start, place.end - place.start);
        let piece = piece.map_err(FileError::of("read", path))?;
        let found = games.read(&piece, wanted.start);
        let found = found.map_err(|reason| NoGames::Changed { path: path.into(), reason })?;
        Ok(KeptLines::of(games.len(), games.heading(), &found))
    }

    /// How many games a file has, for those who ask all the time; none if it cannot be read.
    pub fn count(&self, path: &Path) -> u64 {
        let known = self.known(path);
        let mut known = locked(&known);
        let _ = known.read_on(path);
        known.reading.as_ref().map_or(0, |it| it.games.len() as u64)
    }

    /// Forgets all files but these.
    pub fn keep(&self, paths: &[PathBuf]) {
        locked(&self.0).retain(|path, _| paths.contains(path));
    }

    /// Reads what is new of a file, and says what can be said of it at a glance.
    fn look(&self, id: &str, path: &Path) -> (ListedMatch, Arc<Mutex<Known>>) {
        // A match that ends after this has all of its games by the time they are read.
        let is_running = Log::is_open(path);
        let shared = self.known(path);
        let mut known = locked(&shared);
        let read = known.read_on(path);
        let changed = known.stamp.map_or(0, Stamp::seconds);
        let games = known.reading.as_ref().map(|it| &it.games);
        let unknown = ListedMatch::unknown(id, changed);
        let mut listed = games.map_or(unknown.clone(), |games| unknown.with(games));
        let wrong = games.and_then(KeptGames::wrong).map(ToString::to_string);
        listed.error = match read {
            // It is about to be written.
            Err(NoGames::Heading { reason: HeadingError::CutOff, .. }) if is_running => None,
            Err(NoGames::Heading { reason, .. }) => Some(reason.to_string()),
            Err(error) => Some(error.to_string()),
            Ok(()) => wrong,
        };
        listed.state = match games {
            _ if is_running => MatchState::Running,
            Some(games) if listed.error.is_none() && games.is_complete() => MatchState::Complete,
            Some(_) if listed.error.is_none() => MatchState::Stopped,
            _ => MatchState::Damaged,
        };
        drop(known);
        (listed, shared)
    }

    fn known(&self, path: &Path) -> Arc<Mutex<Known>> {
        Arc::clone(locked(&self.0).entry(path.into()).or_default())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is known of a file.
#[derive(Debug, Default)]
struct Known {
    /// The file as it was when it was last read.
    stamp: Option<Stamp>,
    reading: Option<Reading>,
}

/// What was read of a file.
#[derive(Debug)]
struct Reading {
    /// The heading as it stands there.
    heading: Vec<u8>,
    /// The line of the last game.
    last: Vec<u8>,
    games: KeptGames,
}

/// Files of the same stamp are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    length: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(found: &Metadata) -> Stamp {
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(found);
        #[cfg(not(unix))]
        let inode = 0;
        Stamp { inode, length: found.len(), modified: found.modified().ok() }
    }

    fn seconds(self) -> u64 {
        let since = self.modified.and_then(|it| it.duration_since(UNIX_EPOCH).ok());
        since.map_or(0, |it| it.as_secs())
    }

    /// Whether this may be the file of an earlier stamp, to which something was added.
    fn may_follow(self, earlier: Stamp) -> bool {
        self.inode == earlier.inode && self.length > earlier.length
    }
}

impl Known {
    /// Reads what is new.
    fn read_on(&mut self, path: &Path) -> Result<(), NoGames> {
        let found = path.metadata().map_err(FileError::of("read", path));
        let found = found.inspect_err(|_| *self = Known::default())?;
        let stamp = Stamp::of(&found);
        if self.reading.is_some() && self.stamp == Some(stamp) {
            return Ok(());
        }
        let may_follow = self.stamp.is_some_and(|earlier| stamp.may_follow(earlier));
        let earlier = self.reading.take().filter(|_| may_follow);
        self.stamp = Some(stamp);
        let file = store::open(path).inspect_err(|_| *self = Known::default())?;
        let earlier = earlier.filter(|it| it.is_begun_in(&file).unwrap_or(false));
        let reading = earlier.map_or_else(|| Reading::begin(path, &file), Ok)?;
        let reading = reading.read_on(&file).map_err(FileError::of("read", path))?;
        self.reading = Some(reading);
        Ok(())
    }
}

impl Reading {
    /// Reads the heading of a file.
    fn begin(path: &Path, file: &File) -> Result<Reading, NoGames> {
        let read = |bytes| piece_of(file, 0, bytes).map_err(FileError::of("read", path));
        let mut text = read(USUAL_HEADING)?;
        if Heading::read(&String::from_utf8_lossy(&text)) == Err(HeadingError::CutOff) {
            text = read(LONGEST_HEADING)?;
        }
        // What is no text beyond the heading is for the reader of the games to find.
        let (text, is_text) = match std::str::from_utf8(&text) {
            Ok(text) => (text, true),
            Err(error) => {
                let text = std::str::from_utf8(&text[..error.valid_up_to()]).unwrap_or_default();
                (text, error.error_len().is_none())
            }
        };
        let (heading, rest) = Heading::read(text).map_err(|reason| {
            let reason = if is_text { reason } else { HeadingError::Foreign };
            NoGames::Heading { path: path.into(), reason }
        })?;
        let bytes = text.len() - rest.len();
        let games = KeptGames::new(heading, bytes as u64);
        Ok(Reading { heading: text.as_bytes()[..bytes].to_vec(), last: Vec::new(), games })
    }

    /// Whether the file begins with what was read: another one may have been written over it.
    fn is_begun_in(&self, file: &File) -> io::Result<bool> {
        if self.games.wrong().is_some() || self.games.is_empty() {
            return Ok(false);
        }
        let length = self.last.len() as u64;
        let last = piece_of(file, self.games.end() - length, length)?;
        let heading = piece_of(file, 0, self.heading.len() as u64)?;
        Ok(last == self.last && heading == self.heading)
    }

    fn read_on(mut self, mut file: &File) -> io::Result<Reading> {
        file.seek(SeekFrom::Start(self.games.end()))?;
        self.games.read_on(&mut BufReader::with_capacity(1 << 16, file))?;
        let last = self.games.len().saturating_sub(1)..self.games.len();
        let place = self.games.place(last);
        self.last = piece_of(file, place.start, place.end - place.start)?;
        Ok(self)
    }
}

/// So many bytes of a file, or as many as there are.
fn piece_of(mut file: &File, from: u64, bytes: u64) -> io::Result<Vec<u8>> {
    let mut piece = Vec::new();
    file.seek(SeekFrom::Start(from))?;
    file.take(bytes).read_to_end(&mut piece)?;
    Ok(piece)
}

#[cfg(test)]
mod tests;
