//! `/api/events`: changes to a run, a match or the listings, as server-sent events.

mod sources;

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use futures_util::stream::unfold;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, Sender, channel};
use tokio::time::sleep;

use self::sources::{EventSource, Listings, MatchEvents, RunEvents};
use super::{ApiError, ApiResult, AppState, MAX_STREAMS, Shared};
use crate::lock;

const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Time without events after which a comment is sent to keep the connection open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Number of events that a reader may lag behind.
const BACKLOG: usize = 32;

/// Serialises an event into memory that all readers share.
fn named_event(name: &str, data: &impl Serialize) -> Bytes {
    let data = serde_json::to_string(data).unwrap_or_else(|_| "{}".into());
    format!("event: {name}\ndata: {data}\n\n").into()
}

fn empty_event(name: &str) -> Bytes {
    named_event(name, &json!({}))
}

#[derive(Debug, Deserialize)]
pub(super) struct StreamOptions {
    run: Option<String>,
    #[serde(rename = "match")]
    game_match: Option<String>,
    after: Option<u32>,
}

pub(super) async fn stream(
    State(state): Shared,
    Query(options): Query<StreamOptions>,
) -> ApiResult {
    let permit = Arc::clone(&state.streams).try_acquire_owned();
    let permit =
        permit.map_err(|_| ApiError::busy(format!("{MAX_STREAMS} pages are already open")))?;
    let topic = (options.run, options.game_match);
    let reader = state.read(move |state| Reader::new(state, topic, options.after, permit)).await?;
    let events = unfold(reader, async |mut reader| {
        let event = reader.next().await?;
        Some((Ok::<_, Infallible>(event), reader))
    });
    Ok(([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(events)).into_response())
}

/// The id of a run or a match. A topic without ids stands for the listings.
type Topic = (Option<String>, Option<String>);

/// The feeds that have readers.
#[derive(Default)]
pub(super) struct Feeds(Mutex<HashMap<Topic, Weak<Feed>>>);

impl Feeds {
    /// Returns the feed of a topic, starting it if it has no readers yet. Must be called within the tokio runtime.
    fn get(&self, topic: Topic, state: &Arc<AppState>) -> ApiResult<Arc<Feed>> {
        let mut feeds = lock(&self.0);
        feeds.retain(|_, feed| feed.strong_count() > 0);
        if let Some(feed) = feeds.get(&topic).and_then(Weak::upgrade) {
            return Ok(feed);
        }
        let source: Box<dyn EventSource> = match &topic {
            (Some(id), None) => Box::new(RunEvents::new(state, id)?),
            (None, Some(id)) => Box::new(MatchEvents::new(state, id)?),
            (None, None) => Box::new(Listings::new(state)),
            (Some(_), Some(_)) => return Err(ApiError::bad_request("give either run or match")),
        };
        let feed = Arc::new(Feed { source: Mutex::new(source), events: channel(BACKLOG).0 });
        tokio::spawn(poll_regularly(Arc::clone(state), Arc::downgrade(&feed)));
        feeds.insert(topic, Arc::downgrade(&feed));
        Ok(feed)
    }
}

async fn poll_regularly(state: Arc<AppState>, feed: Weak<Feed>) {
    loop {
        sleep(POLL_INTERVAL).await;
        let Some(feed) = feed.upgrade() else { return };
        // If the server is too busy for this poll, the next one finds the same changes.
        let poll = move |_: &Arc<AppState>| {
            drop(feed.poll());
            Ok(())
        };
        let _ = state.read(poll).await;
    }
}

/// A source of events, polled once for all of its readers.
struct Feed {
    source: Mutex<Box<dyn EventSource>>,
    events: Sender<Bytes>,
}

impl Feed {
    fn poll(&self) -> MutexGuard<'_, Box<dyn EventSource>> {
        let mut source = lock(&self.source);
        for event in source.poll() {
            // Sending fails if there is no reader yet, which is no error.
            let _ = self.events.send(event);
        }
        source
    }

    /// Subscribes a reader that has the rows or games up to `after`, or that needs no rows or games if this is
    /// `None`. Returns the events that the reader has missed, and a receiver for later ones.
    fn subscribe(&self, after: Option<u32>) -> (VecDeque<Bytes>, Receiver<Bytes>) {
        // Poll now, since the reader may have more rows than the last poll found. Holding the lock prevents another
        // poll before the reader has subscribed.
        let source = self.poll();
        (source.missed(after).into(), self.events.subscribe())
    }
}

struct Reader {
    missed: VecDeque<Bytes>,
    events: Receiver<Bytes>,
    job_ends: Receiver<Value>,
    is_closed: bool,
    _feed: Arc<Feed>,
    _permit: OwnedSemaphorePermit,
}

impl Reader {
    fn new(
        state: &Arc<AppState>,
        topic: Topic,
        after: Option<u32>,
        permit: OwnedSemaphorePermit,
    ) -> ApiResult<Reader> {
        let (job_ends, feed) = (state.jobs.ends.subscribe(), state.feeds.get(topic, state)?);
        let (missed, events) = feed.subscribe(after);
        Ok(Reader { missed, events, job_ends, is_closed: false, _feed: feed, _permit: permit })
    }

    /// Waits for the next event. A reader that is too far behind receives the reason and is disconnected.
    async fn next(&mut self) -> Option<Bytes> {
        if self.is_closed {
            return None;
        }
        if let Some(event) = self.missed.pop_front() {
            return Some(event);
        }
        loop {
            tokio::select! {
                event = self.events.recv() => match event {
                    Ok(event) => return Some(event),
                    Err(RecvError::Lagged(_)) => {
                        self.is_closed = true;
                        let reason = "the client reads too slowly: reopen the stream";
                        return Some(named_event("closed", &json!({ "reason": reason })));
                    }
                    Err(RecvError::Closed) => return None,
                },
                end = self.job_ends.recv() => match end {
                    Ok(end) => return Some(named_event("job", &end)),
                    // Events about processes may be missed, since the listings also show which processes have ended.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return None,
                },
                () = sleep(KEEP_ALIVE) => return Some(Bytes::from_static(b":\n\n")),
            }
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

    fn subscribe(state: &Arc<AppState>, after: Option<u32>) -> Reader {
        let permit = Arc::clone(&state.streams).try_acquire_owned().unwrap();
        Reader::new(state, (Some("night".into()), None), after, permit).unwrap()
    }

    fn unread(reader: &mut Reader, name: &str) -> Vec<Bytes> {
        let mut events: Vec<_> = reader.missed.drain(..).collect();
        events.extend(std::iter::from_fn(|| reader.events.try_recv().ok()));
        let start = format!("event: {name}\n");
        events.into_iter().filter(|event| event.starts_with(start.as_bytes())).collect()
    }

    fn generations(reader: &mut Reader) -> Vec<u32> {
        let rows = unread(reader, "rows").into_iter().flat_map(|event| {
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
        let mut readers = vec![(0, subscribe(&state, Some(0)))];
        for last in [1, 2, 40, 41, 90] {
            write(&state, 1..=last);
            // This reader has a row that no poll has found yet.
            readers.push((last, subscribe(&state, Some(last))));
            readers.push((last / 2, subscribe(&state, Some(last / 2))));
        }
        for (after, reader) in &mut readers {
            assert_eq!(generations(reader), (*after + 1..=90).collect::<Vec<_>>(), "{after}");
        }
        // A reader requests all rows again if it misses more than 2,000, or has rows that the table lacks.
        write(&state, 1..=5000);
        for (after, resets) in [(0, 1), (2999, 1), (3000, 0), (5000, 0), (5001, 1)] {
            let mut reader = subscribe(&state, Some(after));
            assert_eq!(unread(&mut reader, "reset").len(), resets, "{after}");
        }
        assert_eq!(unread(&mut readers[0].1, "reset").len(), 1);
        // A resumed run has removed rows.
        fs::remove_file(folder.path().join("night/history.csv")).unwrap();
        write(&state, 1..=10);
        let mut late = subscribe(&state, Some(8));
        assert_eq!(unread(&mut readers[0].1, "reset").len(), 1);
        assert_eq!(generations(&mut late), [9, 10]);
    }

    #[tokio::test]
    async fn readers_share_events_and_a_slow_one_is_disconnected() {
        let folder = tempfile::tempdir().unwrap();
        let state = state(folder.path());
        write(&state, 1..=1);
        let mut readers = [0, 1].map(|_| subscribe(&state, Some(1)));
        write(&state, 1..=2);
        drop(subscribe(&state, None));
        let [first, second] = readers.each_mut().map(|reader| unread(reader, "rows")[0].as_ptr());
        assert_eq!(first, second, "the same memory");
        for last in 3..100 {
            write(&state, 1..=last);
            drop(subscribe(&state, None));
        }
        let [mut slow, _] = readers;
        assert!(slow.next().await.unwrap().starts_with(b"event: closed\n"));
        assert!(slow.next().await.is_none());
    }
}
