//! Feeds: each source of events is looked at once for all of its readers.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use axum::body::Bytes;
use serde::Serialize;
use serde_json::json;
use tokio::sync::broadcast::{Receiver, Sender, channel};

/// Events that a reader may be behind.
const BACKLOG: usize = 32;

/// A server-sent event as it is sent. All readers share its memory.
#[derive(Clone)]
pub(in crate::web) struct ServerEvent(pub(super) Bytes);

impl ServerEvent {
    pub(in crate::web) fn new(name: &str, data: &impl Serialize) -> ServerEvent {
        let data = serde_json::to_string(data).unwrap_or_else(|_| "{}".into());
        ServerEvent(format!("event: {name}\ndata: {data}\n\n").into())
    }

    pub(in crate::web) fn empty(name: &str) -> ServerEvent {
        ServerEvent::new(name, &json!({}))
    }
}

/// A run, a match or the listings, for any number of readers.
pub(in crate::web) trait EventSource: Send + 'static {
    /// Looks at the files and returns the events since the last look.
    fn look(&mut self) -> Vec<ServerEvent>;

    /// Returns what a reader has missed who knows the rows or games up to `after`, or all of them, as of the last look.
    fn missed(&self, _after: Option<u32>) -> Vec<ServerEvent> {
        Vec::new()
    }
}

/// The run or the match that a stream is of, or neither: then it is of the listings.
pub(super) type Topic = (Option<String>, Option<String>);

/// The feeds that have readers.
#[derive(Default)]
pub(in crate::web) struct Feeds(Mutex<HashMap<Topic, Weak<Feed>>>);

impl Feeds {
    /// Returns the feed of a topic, which `begin` makes if it has no readers yet.
    pub(super) fn get_or<E>(
        &self,
        topic: Topic,
        begin: impl FnOnce(&Topic) -> Result<Arc<Feed>, E>,
    ) -> Result<Arc<Feed>, E> {
        let mut feeds = locked(&self.0);
        feeds.retain(|_, feed| feed.strong_count() > 0);
        if let Some(feed) = feeds.get(&topic).and_then(Weak::upgrade) {
            return Ok(feed);
        }
        let feed = begin(&topic)?;
        feeds.insert(topic, Arc::downgrade(&feed));
        Ok(feed)
    }
}

/// A source and its readers.
pub(super) struct Feed {
    source: Mutex<Box<dyn EventSource>>,
    events: Sender<ServerEvent>,
}

impl Feed {
    pub(super) fn new(source: Box<dyn EventSource>) -> Feed {
        Feed { source: Mutex::new(source), events: channel(BACKLOG).0 }
    }

    /// Sends what has happened since the last look.
    pub(super) fn look(&self) -> MutexGuard<'_, Box<dyn EventSource>> {
        let mut source = locked(&self.source);
        for event in source.look() {
            // There may be no reader yet.
            let _ = self.events.send(event);
        }
        source
    }

    /// Subscribes a reader who knows the rows or games up to `after`, or all of them. Returns what it has missed, and
    /// what comes.
    pub(super) fn subscribe(
        &self,
        after: Option<u32>,
    ) -> (VecDeque<ServerEvent>, Receiver<ServerEvent>) {
        // A reader may know more than the last look has found, and no look may come between the two.
        let source = self.look();
        (source.missed(after).into(), self.events.subscribe())
    }
}

fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
