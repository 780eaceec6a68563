//! `/api/events`: changes of a run, a match or the listings as server-sent events.

mod feed;
mod listings;
mod run;

pub(super) use feed::{EventSource, Feeds, ServerEvent};

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::sleep;

use self::feed::{Feed, Topic};
use self::listings::Listings;
use self::run::FollowedRun;
use super::answer::{Query, Refusal};
use super::desk::{Desk, STREAMS};
use super::jobs::Ended;
use super::matches::FollowedMatch;

/// How often files are looked at.
const EVERY: Duration = Duration::from_secs(1);
/// Silence after which a comment keeps the connection open.
const SILENCE: Duration = Duration::from_secs(15);

#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    run: Option<String>,
    #[serde(rename = "match")]
    contest: Option<String>,
    after: Option<u32>,
}

/// Streams the events of a topic.
pub(super) async fn stream(
    State(desk): State<Desk>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Refusal> {
    let place = Arc::clone(&desk.streams).try_acquire_owned();
    let place = place.map_err(|_| Refusal::busy(format!("{STREAMS} pages are open already")))?;
    let own = desk.clone();
    let topic = (wanted.run, wanted.contest);
    let reader = desk.reads.run(move |_| Reader::new(&own, topic, wanted.after, place)).await??;
    let events = unfold(reader, async |mut reader| {
        let event = reader.next().await?;
        Some((Ok::<_, Infallible>(event.0), reader))
    });
    Ok(([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(events)).into_response())
}

/// Returns the feed of a topic, which is looked at as long as it has readers. It has to be called within the runtime.
fn feed(desk: &Desk, topic: Topic) -> Result<Arc<Feed>, Refusal> {
    desk.feeds.get_or(topic, |topic| {
        let source: Box<dyn EventSource> = match topic {
            (Some(id), None) => Box::new(FollowedRun::new(desk, id)?),
            (None, Some(id)) => Box::new(FollowedMatch::new(desk, id)?),
            (None, None) => Box::new(Listings::new(desk)),
            (Some(_), Some(_)) => return Err(Refusal::wrong("give run or match")),
        };
        let feed = Arc::new(Feed::new(source));
        tokio::spawn(look_regularly(desk.clone(), Arc::downgrade(&feed)));
        Ok(feed)
    })
}

async fn look_regularly(desk: Desk, feed: Weak<Feed>) {
    loop {
        sleep(EVERY).await;
        let Some(feed) = feed.upgrade() else { return };
        // If the server is busy, the next look finds what this one would have found.
        let _ = desk.reads.run(move |_| drop(feed.look())).await;
    }
}

struct Reader {
    missed: VecDeque<ServerEvent>,
    events: Receiver<ServerEvent>,
    ends: Receiver<Ended>,
    is_closed: bool,
    _feed: Arc<Feed>,
    _place: OwnedSemaphorePermit,
}

impl Reader {
    fn new(
        desk: &Desk,
        topic: Topic,
        after: Option<u32>,
        place: OwnedSemaphorePermit,
    ) -> Result<Reader, Refusal> {
        let (ends, feed) = (desk.jobs.ends(), feed(desk, topic)?);
        let (missed, events) = feed.subscribe(after);
        Ok(Reader { missed, events, ends, is_closed: false, _feed: feed, _place: place })
    }

    /// Waits for the next event. A reader that is too far behind gets the reason and is disconnected.
    async fn next(&mut self) -> Option<ServerEvent> {
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
                        let reason = "the reader is too slow: open the stream again";
                        return Some(ServerEvent::new("closed", &json!({ "reason": reason })));
                    }
                    Err(RecvError::Closed) => return None,
                },
                ended = self.ends.recv() => match ended {
                    Ok(ended) => return Some(ServerEvent::new("job", &ended)),
                    // The listings show what was missed.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return None,
                },
                () = sleep(SILENCE) => return Some(ServerEvent(Bytes::from_static(b":\n\n"))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use serde_json::Value;

    use super::*;
    use crate::web::address;
    use crate::web::desk::Folders;
    use crate::web::hosts::Reach;

    fn desk(folder: &Path) -> Desk {
        fs::create_dir_all(folder.join("night")).unwrap();
        fs::write(folder.join("night/run.toml"), "").unwrap();
        let folders = Folders { runs: folder.into(), matches: folder.join("matches") };
        address::desk(folders, Reach::Loopback, 0).unwrap()
    }

    fn write(desk: &Desk, generations: std::ops::RangeInclusive<u32>) {
        let rows: String = generations.map(|it| format!("{it},5,5,5,0\n")).collect();
        let text = format!("generation,best,mean,worst,sd\n{rows}");
        fs::write(desk.folders.runs.join("night/history.csv"), text).unwrap();
    }

    fn subscribe(desk: &Desk, after: Option<u32>) -> Reader {
        let place = Arc::clone(&desk.streams).try_acquire_owned().unwrap();
        Reader::new(desk, (Some("night".into()), None), after, place).unwrap()
    }

    /// The events of a name that a reader has not read yet.
    fn unread(reader: &mut Reader, name: &str) -> Vec<Bytes> {
        let mut events: Vec<_> = reader.missed.drain(..).collect();
        events.extend(std::iter::from_fn(|| reader.events.try_recv().ok()));
        let start = format!("event: {name}\n");
        let events = events.into_iter().map(|event| event.0);
        events.filter(|event| event.starts_with(start.as_bytes())).collect()
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
    async fn readers_get_each_row_once_from_where_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let desk = desk(folder.path());
        let mut readers = vec![(0, subscribe(&desk, Some(0)))];
        for last in [1, 2, 40, 41, 90] {
            write(&desk, 1..=last);
            // It knows a row that no look has found yet.
            readers.push((last, subscribe(&desk, Some(last))));
            readers.push((last / 2, subscribe(&desk, Some(last / 2))));
        }
        for (after, reader) in &mut readers {
            assert_eq!(generations(reader), (*after + 1..=90).collect::<Vec<_>>(), "{after}");
        }
        // Rows before the last 2,000, and after the last, are for the reader to ask for.
        write(&desk, 1..=5000);
        for (after, resets) in [(0, 1), (2999, 1), (3000, 0), (5000, 0), (5001, 1)] {
            assert_eq!(
                unread(&mut subscribe(&desk, Some(after)), "reset").len(),
                resets,
                "{after}"
            );
        }
        assert_eq!(unread(&mut readers[0].1, "reset").len(), 1);
        // A resume has cut the table back.
        fs::remove_file(folder.path().join("night/history.csv")).unwrap();
        write(&desk, 1..=10);
        let mut late = subscribe(&desk, Some(8));
        assert_eq!(unread(&mut readers[0].1, "reset").len(), 1);
        assert_eq!(generations(&mut late), [9, 10]);
    }

    #[tokio::test]
    async fn readers_share_events_and_a_slow_one_is_disconnected() {
        let folder = tempfile::tempdir().unwrap();
        let desk = desk(folder.path());
        write(&desk, 1..=1);
        let mut readers = [0, 1].map(|_| subscribe(&desk, Some(1)));
        write(&desk, 1..=2);
        drop(subscribe(&desk, None));
        let [first, second] = readers.each_mut().map(|it| unread(it, "rows")[0].as_ptr());
        assert_eq!(first, second, "the same memory");
        for last in 3..100 {
            write(&desk, 1..=last);
            drop(subscribe(&desk, None));
        }
        let [mut slow, _] = readers;
        assert!(slow.next().await.unwrap().0.starts_with(b"event: closed\n"));
        assert!(slow.next().await.is_none());
    }
}
