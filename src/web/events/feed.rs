//! Feeds: each source of events is looked at once for all of its readers.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::broadcast::{Receiver, Sender, channel};

use super::event::{EventSource, ServerEvent};

/// Events that a reader may be behind.
const BACKLOG: usize = 32;

/// The subject of a stream of events.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Topic {
    Run(String),
    Match(String),
    Listings,
}

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

/// A reader's end of a feed.
pub(super) struct Subscription {
    pub(super) missed: VecDeque<ServerEvent>,
    pub(super) events: Receiver<ServerEvent>,
    _feed: Arc<Feed>,
}

impl Feed {
    pub(super) fn new(source: Box<dyn EventSource>) -> Feed {
        Feed { source: Mutex::new(source), events: channel(BACKLOG).0 }
    }

    /// Sends what has happened since the last look.
    pub(super) fn look(&self) {
        self.look_and(|_| ());
    }

    /// Subscribes a reader who knows the rows or games up to `after`, or all of them.
    pub(super) fn subscribe(self: Arc<Feed>, after: Option<u32>) -> Subscription {
        // A reader may know more than the last look has found, and no look may come between the two.
        let (missed, events) =
            self.look_and(|source| (source.missed(after).into(), self.events.subscribe()));
        Subscription { missed, events, _feed: self }
    }

    fn look_and<T>(&self, then: impl FnOnce(&dyn EventSource) -> T) -> T {
        let mut source = locked(&self.source);
        for event in source.look() {
            // There may be no reader yet.
            let _ = self.events.send(event);
        }
        then(&**source)
    }
}

fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
