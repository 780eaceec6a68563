//! Reads saved matches for the web page. Other processes may still be writing to the files.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, anyhow};
use arena::{ContestGame, Form, Heading, HeadingError, PairingResult, SavedGames};
use evolve::run::StopFile;
use mancala::game::Side;
use mancala::store::{self, FileError, Log};
use serde::Serialize;
use serde_json::{Value, json};

use crate::lock;

const MAX_HEADING: u64 = 4 << 20;
/// The maximum number of points in the history of a sequential test. (The last point may come on top of that.)
const MAX_POINTS: usize = 400;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ListedMatch {
    /// The file name without its extension.
    pub id: String,
    pub form: Option<Form>,
    /// `running`, `complete` (all games are played, or the test is over), `stopped` (games are missing) or `damaged`.
    pub state: &'static str,
    pub players: Vec<String>,
    pub games: u64,
    /// The number of games in the whole contest.
    pub of: Option<u64>,
    /// The first player's points per game, if there are two players.
    pub score: Option<f64>,
    pub score_ci95: Option<(f64, f64)>,
    /// The time of the last change, in seconds since 1970.
    pub changed: u64,
    pub error: Option<String>,
}

/// Asks the process that plays a match to stop, but doesn't wait for it. Returns `false` if there is no such process.
pub fn stop(path: &Path) -> Result<bool, FileError> {
    let is_running = Log::is_open(path);
    if is_running {
        StopFile::beside(path).create()?;
    }
    Ok(is_running)
}

/// The games that we have read from a file so far, and the file's stamp at that time.
type Known = Arc<Mutex<Option<(Stamp, SavedGames)>>>;

/// A cache of saved matches, by path. When a file grows, only its new games need to be read.
#[derive(Debug, Default)]
pub struct SavedMatches(Mutex<HashMap<PathBuf, Known>>);

impl SavedMatches {
    pub fn listed(&self, id: &str, path: &Path) -> ListedMatch {
        // Check this before reading the file. If the match ends in between, then we still read all of its games.
        let is_running = Log::is_open(path);
        let known = self.known(path);
        let mut known = lock(&known);
        let read = read_more(&mut known, path).map(drop);
        let games = known.as_ref().map(|(_, games)| games);
        let error = match read {
            // This isn't an error. The match has just begun, and its header isn't complete yet.
            Err(error) if is_running && error.downcast_ref() == Some(&HeadingError::CutOff) => None,
            Err(error) => Some(error.to_string()),
            Ok(_) => games.and_then(|it| it.error.as_ref()).map(ToString::to_string),
        };
        let state = match games {
            _ if is_running => "running",
            Some(games) if error.is_none() && games.is_complete() => "complete",
            Some(_) if error.is_none() => "stopped",
            _ => "damaged",
        };
        let heading = games.map(|it| &it.heading);
        let estimate = match (heading, games.map(|it| &it.results[..])) {
            (Some(heading), Some([result])) if heading.players.len() == 2 => {
                Some(result.pairs).filter(|pairs| pairs.pairs() > 0).map(|it| it.estimate())
            }
            _ => None,
        };
        let changed = path.metadata().and_then(|data| data.modified()).ok();
        let changed = changed.and_then(|it| it.duration_since(UNIX_EPOCH).ok());
        let specs = heading.iter().flat_map(|it| &it.players).map(|player| player.spec.clone());
        ListedMatch {
            id: id.into(),
            form: heading.map(|it| it.form),
            state,
            players: specs.collect(),
            games: games.map_or(0, |it| it.count() as u64),
            of: heading.map(|it| it.games() as u64),
            score: estimate.map(|it| it.score),
            score_ci95: estimate.map(|it| it.score_ci95),
            changed: changed.map_or(0, |it| it.as_secs()),
            error,
        }
    }

    pub fn saved(&self, id: &str, path: &Path) -> Value {
        let listed = self.listed(id, path);
        let known = self.known(path);
        let known = lock(&known);
        let games = known.as_ref().map(|(_, games)| games);
        let heading = games.map(|it| &it.heading);
        // Kalah has no separate rules, because they are part of the game's name.
        let (game, rules) =
            heading.map(|it| it.game.description()).map_or((None, None), |it| match it {
                ("rules", rules) => (Some("ayo".into()), Some(rules)),
                (_, game) => (Some(game), None),
            });
        let pairing = |(&[a, b], result): (&[usize; 2], &PairingResult)| {
            let PairingResult { wins, draws, losses, pairs } = result;
            let counts = json!({
                "a": a, "b": b, "games": 2 * pairs.pairs(), "wins": wins, "draws": draws,
                "losses": losses, "pairs": pairs.counts(),
            });
            merged([counts, json!(pairs.estimate())])
        };
        let table = games
            .into_iter()
            .flat_map(|games| games.heading.pairings.iter().zip(&games.results).map(pairing));
        let details = json!({
            "game": game,
            "rules": rules,
            "openings": heading.map(|it| &it.openings),
            "table": table.collect::<Vec<_>>(),
            "sprt": games.and_then(sequential_test),
        });
        merged([json!({ "kind": "match" }), json!(listed), details])
    }

    /// Returns up to `limit` games, starting at index `offset`, and the total number of games.
    pub fn games(&self, path: &Path, offset: usize, limit: usize) -> Result<Value> {
        let known = self.known(path);
        let mut known = lock(&known);
        let games = read_more(&mut known, path)?;
        let part = offset.min(games.count())..offset.saturating_add(limit).min(games.count());
        let range = games.range(part.clone());
        let (mut file, mut bytes) = (store::open(path)?, Vec::new());
        let sought = file.seek(SeekFrom::Start(range.start));
        let read = sought.and_then(|_| file.take(range.end - range.start).read_to_end(&mut bytes));
        read.map_err(FileError::of("read", path))?;
        let found = games.heading.read_games(&bytes, part.start);
        let found = found.map_err(|error| anyhow!("the file changed while being read: {error}"))?;
        let rows: Vec<Value> = found.iter().map(|game| row(game, &games.heading)).collect();
        Ok(json!({ "kind": "games", "total": games.count(), "games": rows }))
    }

    /// Returns the number of games in a file, or 0 if it can't be read. Repeated calls are cheap.
    pub fn count(&self, path: &Path) -> u64 {
        let known = self.known(path);
        let mut known = lock(&known);
        read_more(&mut known, path).map_or(0, |games| games.count() as u64)
    }

    /// Drops the cached state of all files except `paths`.
    pub fn retain(&self, paths: &[PathBuf]) {
        lock(&self.0).retain(|path, _| paths.contains(path));
    }

    fn known(&self, path: &Path) -> Known {
        Arc::clone(lock(&self.0).entry(path.into()).or_default())
    }
}

fn merged(objects: impl IntoIterator<Item = Value>) -> Value {
    objects.into_iter().filter_map(|it| it.as_object().cloned()).flatten().collect()
}

fn sequential_test(games: &SavedGames) -> Option<Value> {
    let (judgement, history) = (games.judgement?, &games.llr_history);
    let step = history.len().div_ceil(MAX_POINTS).max(1);
    let is_shown = |pair: &usize| pair.is_multiple_of(step) || pair + 1 == history.len();
    // A point is a number of games and the log-likelihood ratio after that many games.
    let point = |pair| (2 * (pair + 1), history[pair]);
    let walk: Vec<_> = (0..history.len()).filter(is_shown).map(point).collect();
    Some(merged([json!(judgement), json!({ "walk": walk })]))
}

/// Describes a game as JSON. Players are identified by their indices in the file's header.
fn row(game: &ContestGame, heading: &Heading) -> Value {
    let [first, second] = heading.pairings[game.pairing];
    json!({
        "number": game.index + 1,
        "first": first,
        "second": second,
        "south": if game.side_of_first == Side::South { first } else { second },
        "opening": game.opening,
        "line": game.line,
        "plies": game.line.len(),
        "result": game.result.to_string(),
        "stores": game.stores,
        "end": game.ending(),
    })
}

/// A file's length and modification time. If either differs, we assume that the file has changed.
type Stamp = (u64, Option<SystemTime>);

/// Reads the new games in a file, or all games if the file has been replaced.
fn read_more<'a>(
    known: &'a mut Option<(Stamp, SavedGames)>,
    path: &Path,
) -> Result<&'a SavedGames> {
    let earlier = known.take();
    let metadata = path.metadata().map_err(FileError::of("read", path))?;
    let stamp = (metadata.len(), metadata.modified().ok());
    let games = match earlier {
        Some((of, games)) if of == stamp => games,
        earlier => {
            let earlier = earlier.filter(|(of, games)| of.0 < stamp.0 && games.error.is_none());
            read(path, earlier.map(|(_, games)| games))?
        }
    };
    Ok(&known.insert((stamp, games)).1)
}

/// Reads a file that may have grown since `earlier`. If the header has changed, or if there are no valid games where we
/// left off, then the file must have been overwritten, so we start again.
fn read(path: &Path, earlier: Option<SavedGames>) -> Result<SavedGames> {
    let mut file = BufReader::with_capacity(1 << 16, store::open(path)?);
    let mut line = Vec::new();
    let read_line = file.by_ref().take(MAX_HEADING).read_until(b'\n', &mut line);
    read_line.map_err(FileError::of("read", path))?;
    let (heading, length) = Heading::read(&line)?;
    let earlier = earlier.filter(|games| games.heading == heading);
    let is_continued = earlier.is_some();
    let mut games = earlier.unwrap_or_else(|| SavedGames::new(heading, length as u64));
    let sought = file.seek(SeekFrom::Start(games.end()));
    sought.and_then(|_| games.read_more(&mut file)).map_err(FileError::of("read", path))?;
    if is_continued && games.error.is_some() { read(path, None) } else { Ok(games) }
}

#[cfg(test)]
mod tests;
