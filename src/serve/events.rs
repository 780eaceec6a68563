//! `/api/events`: changes to a run, a match or the listings, as server-sent events.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::{Query, State};
use axum::http::header::CACHE_CONTROL;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::unfold;
use mancala::store::{self, Log};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::broadcast::Receiver;
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::matches::{match_file, stamps};
use super::runs::{card, cards};
use super::{ApiError, ApiResult, AppState, MAX_STREAMS, Shared, file_stamp};
use crate::lock;
use crate::train::curves::{Columns, CurveGroup, Row, last_lines};
use crate::train::pages;

const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The maximum number of rows in an event. If a client has missed more rows, it has to request a downsampled table.
const MAX_ROWS: usize = 2000;
/// The number of bytes to read from the end of a table. This is enough for all rows of an event.
const TAIL: u64 = 2 << 20;

fn named_event(name: &str, data: &impl Serialize) -> Event {
    Event::default().event(name).json_data(data).unwrap_or_default()
}

fn empty_event(name: &str) -> Event {
    named_event(name, &json!({}))
}

/// Selects a run or a match. If neither is given, the events are about the listings.
#[derive(Debug, Default, Deserialize)]
pub(super) struct StreamOptions {
    run: Option<String>,
    #[serde(rename = "match")]
    game_match: Option<String>,
    /// The last row or game that the client has. If this is `None`, the client only wants new rows or games.
    after: Option<u32>,
}

pub(super) async fn stream(
    State(state): Shared,
    Query(options): Query<StreamOptions>,
) -> ApiResult {
    let permit = Arc::clone(&state.streams).try_acquire_owned();
    let permit =
        permit.map_err(|_| ApiError::busy(format!("{MAX_STREAMS} pages are already open")))?;
    let reader = Reader::new(state, options, permit).await?;
    let events = unfold(reader, async |mut reader| {
        let event = reader.next().await;
        Some((Ok::<_, Infallible>(event), reader))
    });
    let events = Sse::new(events).keep_alive(KeepAlive::default());
    Ok(([(CACHE_CONTROL, "no-store")], events).into_response())
}

/// A client of a stream. We don't poll the source while the client isn't reading.
struct Reader {
    state: Arc<AppState>,
    source: Arc<Mutex<Source>>,
    polls: Interval,
    unread: VecDeque<Event>,
    job_ends: Receiver<Value>,
    _permit: OwnedSemaphorePermit,
}

impl Reader {
    async fn new(
        state: Arc<AppState>,
        options: StreamOptions,
        permit: OwnedSemaphorePermit,
    ) -> ApiResult<Reader> {
        let job_ends = state.jobs.ends.subscribe();
        let open = move |state: &Arc<AppState>| match (options.run, options.game_match) {
            (Some(id), None) => run_events(state, id, options.after),
            (None, Some(id)) => match_events(state, &id, options.after),
            (None, None) => Ok(listings(state)),
            (Some(_), Some(_)) => Err(ApiError::bad_request("give either run or match")),
        };
        let source = Arc::new(Mutex::new(state.read(open).await?));
        let mut polls = interval(POLL_INTERVAL);
        polls.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let unread = VecDeque::new();
        Ok(Reader { state, source, polls, unread, job_ends, _permit: permit })
    }

    async fn next(&mut self) -> Event {
        while self.unread.is_empty() {
            tokio::select! {
                // It's fine to miss some of these events, because exited processes are also shown in the listings.
                Ok(end) = self.job_ends.recv() => self.unread.push_back(named_event("job", &end)),
                _ = self.polls.tick() => self.poll().await,
            }
        }
        self.unread.pop_front().expect("there is an event")
    }

    async fn poll(&mut self) {
        let source = Arc::clone(&self.source);
        // If the server is too busy right now, the next poll will find the same changes.
        let events = self.state.read(move |_| Ok(lock(&source)())).await;
        self.unread.extend(events.unwrap_or_default());
    }
}

/// A function that returns the events since the last poll.
type Source = Box<dyn FnMut() -> Vec<Event> + Send>;

fn listings(state: &Arc<AppState>) -> Source {
    let (state, mut known_runs, mut known_matches) = (Arc::clone(state), None, None);
    Box::new(move || {
        let runs = cards(&state).into_iter().map(|card| (card["id"].to_string(), card));
        let runs: BTreeMap<String, Value> = runs.collect();
        let mut events = match known_runs.replace(runs.clone()) {
            None => Vec::new(),
            Some(known) if !known.values().map(state_of).eq(runs.values().map(state_of)) => {
                vec![empty_event("runs")]
            }
            Some(known) => {
                let changed = runs.values().zip(known.values()).filter(|(run, old)| run != old);
                changed.map(|(run, _)| named_event("status", run)).collect()
            }
        };
        let matches = stamps(&state);
        if known_matches.replace(matches.clone()).is_some_and(|known| known != matches) {
            events.push(empty_event("matches"));
        }
        events
    })
}

/// Returns the fields of a run's card (its entry in the listing) whose changes we report as `runs`, not as `status`.
fn state_of(card: &Value) -> [&Value; 5] {
    ["id", "state", "champion", "strength", "error"].map(|name| &card[name])
}

/// The column names of a table and its last rows (at most [`MAX_ROWS`]).
type Tail = (Vec<String>, Vec<Row>);

fn last_rows(folder: &Path, table: &Path) -> Option<Tail> {
    let (header, lines) = last_lines(store::open(table).ok()?, TAIL)?;
    let columns = Columns::of(&header, CurveGroup::Fitness, folder);
    let lines: Vec<String> = lines.collect();
    let newest = &lines[lines.len().saturating_sub(MAX_ROWS)..];
    let rows = newest.iter().filter_map(|line| columns.row(line)).collect();
    Some((columns.names, rows))
}

fn generation(row: &Row) -> u32 {
    row[0].unwrap_or_default() as u32
}

/// Returns an event with the rows after the given generation. If the table ends before that generation or lacks some of
/// the rows after it, returns a `reset` event instead.
fn rows_after(after: u32, (columns, rows): &Tail) -> Option<Event> {
    let [first, last] = [rows.first(), rows.last()].map(|row| row.map_or(0, generation));
    if after > last || (after < last && first > after + 1) {
        return Some(empty_event("reset"));
    }
    let rows: Vec<&Row> = rows.iter().filter(|row| generation(row) > after).collect();
    let data = json!({ "columns": columns, "rows": rows, "last": last });
    (!rows.is_empty()).then(|| named_event("rows", &data))
}

fn run_events(state: &Arc<AppState>, id: String, after: Option<u32>) -> ApiResult<Source> {
    let (folder, state) = (state.run_folder(&id)?, Arc::clone(state));
    let mut rows = row_events(folder.clone(), after);
    let (mut known_strength, mut known_card) = (None, None);
    Ok(Box::new(move || {
        if !folder.is_dir() {
            return vec![empty_event("runs")];
        }
        let mut events = Vec::from_iter(rows());
        let stamps = ["strength.csv", "champion.json"].map(|it| file_stamp(&folder.join(it)));
        if known_strength.replace(stamps).is_some_and(|known| known != stamps) {
            let strength = pages::strength(&folder).ok();
            events.extend(strength.map(|it| named_event("strength", &it)));
        }
        let card = card(&state, &id, &folder);
        if known_card.as_ref() != Some(&card) {
            events.push(named_event("status", &card));
            known_card = Some(card);
        }
        events
    }))
}

/// Returns a function that reads the last rows of a run's table whenever the table has changed. `after` is the last
/// generation that the reader has, or `None` if the reader wants only new rows.
fn row_events(folder: PathBuf, after: Option<u32>) -> impl FnMut() -> Option<Event> + Send {
    let path = folder.join(CurveGroup::Fitness.table());
    let (mut known_stamp, mut known_row) = (None, None);
    move || {
        let stamp = file_stamp(&path);
        let known = known_stamp.replace(stamp);
        if known == Some(stamp) {
            return None;
        }
        let tail = last_rows(&folder, &path).unwrap_or_default();
        let after = match std::mem::replace(&mut known_row, tail.1.last().cloned()) {
            // The table was replaced, or it has more new rows than fit into an event.
            Some(row) if !tail.1.contains(&row) => return Some(empty_event("reset")),
            Some(row) => generation(&row),
            None if known.is_none() => after?,
            None => 0,
        };
        rows_after(after, &tail)
    }
}

fn match_events(state: &Arc<AppState>, id: &str, after: Option<u32>) -> ApiResult<Source> {
    let (path, state) = (match_file(state, id)?, Arc::clone(state));
    // The number of games that the client knows, and whether the client may assume that the match is still running. If
    // the match ended after the client's request, then the first poll reports that.
    let mut known = after.map(|after| (after.into(), true));
    Ok(Box::new(move || {
        if !path.is_file() {
            return vec![empty_event("matches")];
        }
        let is_running = Log::is_open(&path);
        let found = (state.matches.count(&path), is_running);
        match known.replace(found) {
            Some((games, _)) if found.0 < games => vec![empty_event("reset")],
            Some(known) if known != found => {
                vec![named_event("games", &json!({ "games": found.0 }))]
            }
            _ => Vec::new(),
        }
    }))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use axum::body::to_bytes;

    use super::*;

    fn state(folder: &Path) -> Arc<AppState> {
        fs::create_dir_all(folder.join("night")).unwrap();
        fs::write(folder.join("night/run.toml"), "").unwrap();
        AppState::new(0, false, folder, folder).unwrap()
    }

    fn write(state: &AppState, generations: std::ops::RangeInclusive<u32>) {
        let rows: String = generations.map(|number| format!("{number},5,5,5,0\n")).collect();
        let text = format!("generation,best,mean,worst,sd\n{rows}");
        fs::write(state.runs.folder.join("night/history.csv"), text).unwrap();
    }

    async fn subscribe(state: &Arc<AppState>, after: Option<u32>) -> Reader {
        let permit = Arc::clone(&state.streams).try_acquire_owned().unwrap();
        let options =
            StreamOptions { run: Some("night".into()), after, ..StreamOptions::default() };
        let mut reader = Reader::new(Arc::clone(state), options, permit).await.unwrap();
        reader.poll().await;
        reader
    }

    async fn unread(reader: &mut Reader, name: &str) -> Vec<Value> {
        reader.poll().await;
        let events = reader.unread.drain(..).map(Ok::<_, Infallible>);
        let events: Vec<_> = events.collect();
        let response = Sse::new(futures_util::stream::iter(events)).into_response();
        let text = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let text = String::from_utf8(text.to_vec()).unwrap();
        let start = format!("event: {name}\ndata: ");
        let data = text.split("\n\n").filter_map(|event| event.strip_prefix(&start));
        data.map(|data| serde_json::from_str(data).unwrap()).collect()
    }

    async fn generations(reader: &mut Reader) -> Vec<u32> {
        let events = unread(reader, "rows").await.into_iter();
        let rows = events.flat_map(|data| data["rows"].as_array().unwrap().clone());
        rows.map(|row| row[0].as_f64().unwrap() as u32).collect()
    }

    #[tokio::test]
    async fn a_reader_learns_that_its_match_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let state = state(folder.path());
        fs::write(folder.path().join("a.games"), "").unwrap();
        let permit = Arc::clone(&state.streams).try_acquire_owned().unwrap();
        let game_match = Some("a".into());
        let options = StreamOptions { game_match, after: Some(0), ..StreamOptions::default() };
        let mut reader = Reader::new(state, options, permit).await.unwrap();
        assert_eq!(unread(&mut reader, "games").await, [json!({ "games": 0 })]);
        assert!(unread(&mut reader, "games").await.is_empty());
    }

    #[tokio::test]
    async fn readers_receive_each_row_once() {
        let folder = tempfile::tempdir().unwrap();
        let state = state(folder.path());
        let mut readers = vec![(0, subscribe(&state, Some(0)).await)];
        for last in [1, 2, 40, 41, 90] {
            write(&state, 1..=last);
            // This reader already has a row that no poll has found yet.
            readers.push((last, subscribe(&state, Some(last)).await));
            readers.push((last / 2, subscribe(&state, Some(last / 2)).await));
        }
        for (after, reader) in &mut readers {
            assert_eq!(generations(reader).await, (*after + 1..=90).collect::<Vec<_>>(), "{after}");
        }
        // A reader has to request all rows again if it misses more than 2,000, or if the table lacks some of its rows.
        write(&state, 1..=5000);
        for (after, resets) in [(0, 1), (2999, 1), (3000, 0), (5000, 0), (5001, 1)] {
            let mut reader = subscribe(&state, Some(after)).await;
            assert_eq!(unread(&mut reader, "reset").await.len(), resets, "{after}");
        }
        assert_eq!(unread(&mut readers[0].1, "reset").await.len(), 1);
        // Simulate a resumed run that has lost rows.
        fs::remove_file(folder.path().join("night/history.csv")).unwrap();
        write(&state, 1..=10);
        let mut late = subscribe(&state, Some(8)).await;
        assert_eq!(unread(&mut readers[0].1, "reset").await.len(), 1);
        assert_eq!(generations(&mut late).await, [9, 10]);
    }
}
