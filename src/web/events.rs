//! `/api/events`: changes of a run, a match or the listings as server-sent events.

mod event;
mod feed;
mod listings;
mod run;

pub(super) use event::{EventSource, ServerEvent};
pub(super) use feed::Feeds;

use std::convert::Infallible;
use std::sync::Arc;
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

use self::feed::{Subscription, Topic};
use super::answer::{Query, Refusal};
use super::desk::{Desk, STREAMS};
use super::jobs::Ended;

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
    let topic = match (wanted.run, wanted.contest) {
        (Some(id), None) => Topic::Run(id),
        (None, Some(id)) => Topic::Match(id),
        (None, None) => Topic::Listings,
        (Some(_), Some(_)) => return Err(Refusal::wrong("give run or match")),
    };
    let place = Arc::clone(&desk.streams).try_acquire_owned();
    let place = place.map_err(|_| Refusal::busy(format!("{STREAMS} pages are open already")))?;
    let (ends, own) = (desk.jobs.ends(), desk.clone());
    let subscribe = move || own.feeds.subscribe(&own, topic, wanted.after);
    let subscription = desk.reads.run(subscribe).await??;
    let reader = Reader { subscription, ends, is_closed: false, _place: place };
    let events = unfold(reader, async |mut reader| {
        let event = reader.next().await?;
        Some((Ok::<_, Infallible>(event.0), reader))
    });
    Ok(([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(events)).into_response())
}

struct Reader {
    subscription: Subscription,
    ends: Receiver<Ended>,
    is_closed: bool,
    _place: OwnedSemaphorePermit,
}

impl Reader {
    /// Waits for the next event. A reader that is too far behind is told so and disconnected.
    async fn next(&mut self) -> Option<ServerEvent> {
        if self.is_closed {
            return None;
        }
        if let Some(event) = self.subscription.missed.pop_front() {
            return Some(event);
        }
        loop {
            tokio::select! {
                event = self.subscription.events.recv() => match event {
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
