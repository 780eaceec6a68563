//! `/api/events`: changes to a run, a match or the listings, as server-sent events.

mod sources;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use futures_util::stream::unfold;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::broadcast::Receiver;
use tokio::time::{Interval, MissedTickBehavior, interval};

pub(super) use self::sources::Tail;
use self::sources::{EventSource, Listings, MatchEvents, RunEvents};
use super::{ApiError, ApiResult, AppState, MAX_STREAMS, Shared};
use crate::lock;

const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Number of polls without events after which a comment is sent to keep the connection open.
const KEEP_ALIVE: u32 = 15;

fn named_event(name: &str, data: &impl Serialize) -> Bytes {
    let data = serde_json::to_string(data).unwrap_or_else(|_| "{}".into());
    format!("event: {name}\ndata: {data}\n\n").into()
}

fn empty_event(name: &str) -> Bytes {
    named_event(name, &json!({}))
}

/// A run or a match, or neither for the listings.
#[derive(Debug, Default, Deserialize)]
pub(super) struct StreamOptions {
    run: Option<String>,
    #[serde(rename = "match")]
    game_match: Option<String>,
    /// The last row or game that the client has. If this is missing, it needs only later ones.
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
    Ok(([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(events)).into_response())
}

/// A client of a stream. While it reads nothing, its source is not polled.
struct Reader {
    state: Arc<AppState>,
    source: Arc<Mutex<Box<dyn EventSource>>>,
    polls: Interval,
    /// Number of polls since the last event.
    quiet: u32,
    unread: VecDeque<Bytes>,
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
        let open = move |state: &Arc<AppState>| -> ApiResult<Box<dyn EventSource>> {
            Ok(match (options.run, options.game_match) {
                (Some(id), None) => Box::new(RunEvents::new(state, &id, options.after)?),
                (None, Some(id)) => Box::new(MatchEvents::new(state, &id, options.after)?),
                (None, None) => Box::new(Listings::new(state)),
                (Some(_), Some(_)) => {
                    return Err(ApiError::bad_request("give either run or match"));
                }
            })
        };
        let source = Arc::new(Mutex::new(state.read(open).await?));
        let mut polls = interval(POLL_INTERVAL);
        polls.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let unread = VecDeque::new();
        Ok(Reader { state, source, polls, quiet: 0, unread, job_ends, _permit: permit })
    }

    /// Waits for the next event, or for a comment after a long time without events.
    async fn next(&mut self) -> Bytes {
        while self.unread.is_empty() {
            tokio::select! {
                // Events about processes may be missed, since the listings also show which processes have ended.
                Ok(end) = self.job_ends.recv() => self.unread.push_back(named_event("job", &end)),
                _ = self.polls.tick() => self.poll().await,
            }
        }
        self.quiet = 0;
        self.unread.pop_front().expect("there is an event")
    }

    async fn poll(&mut self) {
        let source = Arc::clone(&self.source);
        // If the server is too busy for this poll, the next one finds the same changes.
        let events = self.state.read(move |_| Ok(lock(&source).poll())).await;
        self.unread.extend(events.unwrap_or_default());
        self.quiet += 1;
        if self.unread.is_empty() && self.quiet == KEEP_ALIVE {
            self.unread.push_back(Bytes::from_static(b":\n\n"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::serve::access::Reach;

    fn state(folder: &Path) -> Arc<AppState> {
        fs::create_dir_all(folder.join("night")).unwrap();
        fs::write(folder.join("night/run.toml"), "").unwrap();
        AppState::new(0, Reach::Loopback, folder, folder).unwrap()
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

    async fn unread(reader: &mut Reader, name: &str) -> Vec<Bytes> {
        reader.poll().await;
        let start = format!("event: {name}\n");
        reader.unread.drain(..).filter(|event| event.starts_with(start.as_bytes())).collect()
    }

    async fn generations(reader: &mut Reader) -> Vec<u32> {
        let rows = unread(reader, "rows").await.into_iter().flat_map(|event| {
            let event = String::from_utf8(event.to_vec()).unwrap();
            let data: Value = serde_json::from_str(event.split_once("data: ").unwrap().1).unwrap();
            data["rows"].as_array().unwrap().clone()
        });
        rows.map(|row| row[0].as_f64().unwrap() as u32).collect()
    }

    #[tokio::test]
    async fn readers_receive_each_row_once() {
        let folder = tempfile::tempdir().unwrap();
        let state = state(folder.path());
        let mut readers = vec![(0, subscribe(&state, Some(0)).await)];
        for last in [1, 2, 40, 41, 90] {
            write(&state, 1..=last);
            // This reader has a row that no poll has found yet.
            readers.push((last, subscribe(&state, Some(last)).await));
            readers.push((last / 2, subscribe(&state, Some(last / 2)).await));
        }
        for (after, reader) in &mut readers {
            assert_eq!(generations(reader).await, (*after + 1..=90).collect::<Vec<_>>(), "{after}");
        }
        // A reader requests all rows again if it misses more than 2,000, or has rows that the table lacks.
        write(&state, 1..=5000);
        for (after, resets) in [(0, 1), (2999, 1), (3000, 0), (5000, 0), (5001, 1)] {
            let mut reader = subscribe(&state, Some(after)).await;
            assert_eq!(unread(&mut reader, "reset").await.len(), resets, "{after}");
        }
        assert_eq!(unread(&mut readers[0].1, "reset").await.len(), 1);
        // A resumed run has removed rows.
        fs::remove_file(folder.path().join("night/history.csv")).unwrap();
        write(&state, 1..=10);
        let mut late = subscribe(&state, Some(8)).await;
        assert_eq!(unread(&mut readers[0].1, "reset").await.len(), 1);
        assert_eq!(generations(&mut late).await, [9, 10]);
    }
}
