//! Feeds: each source of events is looked at once for all of its readers.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::broadcast::{Receiver, Sender, channel};
use tokio::time::sleep;

use super::event::{EventSource, ServerEvent};
use super::listings::Listings;
use super::run::FollowedRun;
use crate::web::answer::Refusal;
use crate::web::desk::Desk;
use crate::web::matches::FollowedMatch;

/// How often files are looked at.
const EVERY: Duration = Duration::from_secs(1);
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

/// A source that is looked at as long as the feed has readers.
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

impl Topic {
    fn open(&self, desk: &Desk) -> Result<Feed, Refusal> {
        let source: Box<dyn EventSource> = match self {
            Topic::Run(id) => Box::new(FollowedRun::new(id, desk.run_folder(id)?)),
            Topic::Match(id) => Box::new(FollowedMatch::new(desk, id)?),
            Topic::Listings => Box::new(Listings::default()),
        };
        Ok(Feed { source: Mutex::new(source), events: channel(BACKLOG).0 })
    }
}

impl Feed {
    /// Sends what has happened since the last look.
    fn look(&self, desk: &Desk) -> MutexGuard<'_, Box<dyn EventSource>> {
        let mut source = locked(&self.source);
        for event in source.look(desk) {
            // There may be no reader yet.
            let _ = self.events.send(event);
        }
        source
    }
}

impl Feeds {
    /// Subscribes to a topic. It may block, and has to be called within the runtime.
    ///
    /// # Errors
    /// If no listing has the run or the match.
    pub(super) fn subscribe(
        &self,
        desk: &Desk,
        topic: Topic,
        after: Option<u32>,
    ) -> Result<Subscription, Refusal> {
        let feed = self.feed(desk, topic)?;
        // A reader may know more than was there at the last look, and no look may come before it is subscribed.
        let source = feed.look(desk);
        let (missed, events) = (source.missed(after).into(), feed.events.subscribe());
        drop(source);
        Ok(Subscription { missed, events, _feed: feed })
    }

    fn feed(&self, desk: &Desk, topic: Topic) -> Result<Arc<Feed>, Refusal> {
        let mut feeds = locked(&self.0);
        feeds.retain(|_, feed| feed.strong_count() > 0);
        if let Some(feed) = feeds.get(&topic).and_then(Weak::upgrade) {
            return Ok(feed);
        }
        let feed = Arc::new(topic.open(desk)?);
        tokio::spawn(look_regularly(desk.clone(), Arc::downgrade(&feed)));
        feeds.insert(topic, Arc::downgrade(&feed));
        Ok(feed)
    }
}

async fn look_regularly(desk: Desk, feed: Weak<Feed>) {
    loop {
        sleep(EVERY).await;
        let Some(feed) = feed.upgrade() else { return };
        let own = desk.clone();
        // If the server is busy, the next look finds what this one would have found.
        let _ = desk.reads.run(move || drop(feed.look(&own))).await;
    }
}

fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
