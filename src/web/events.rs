//! `/api/events`: what happens in a run, in a match or in the listings, as it happens.

mod listings;
mod news;
mod run;

pub(super) use news::{Followed, News};

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{Stream, unfold};
use serde::Deserialize;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::spawn_blocking;
use tokio::time::{Interval, MissedTickBehavior, interval};

use self::listings::Listings;
use self::run::FollowedRun;
use super::answer::{Query, Refusal};
use super::desk::{Desk, STREAMS};
use super::jobs::Ended;
use super::matches::FollowedMatch;

/// How often files are looked at.
const EVERY: Duration = Duration::from_secs(1);

#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    run: Option<String>,
    #[serde(rename = "match")]
    contest: Option<String>,
    after: Option<u32>,
}

/// The stream of what happens.
pub(super) async fn stream(
    State(desk): State<Desk>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Refusal> {
    let followed: Box<dyn Followed> = match (wanted.run, wanted.contest) {
        (Some(id), None) => {
            let folder = desk.run_folder(&id)?;
            Box::new(FollowedRun::new(id, folder, wanted.after))
        }
        (None, Some(id)) => Box::new(FollowedMatch::new(&desk, &id, wanted.after.map(u64::from))?),
        (None, None) => Box::new(Listings::default()),
        (Some(_), Some(_)) => return Err(Refusal::wrong("give run or match")),
    };
    let place = Arc::clone(&desk.streams).try_acquire_owned();
    let place = place.map_err(|_| Refusal::busy(format!("{STREAMS} pages are open already")))?;
    Ok(Sse::new(told(desk, followed, place)).keep_alive(KeepAlive::default()).into_response())
}

struct Telling {
    desk: Desk,
    /// It is away while it is looked at.
    followed: Option<Box<dyn Followed>>,
    ends: Receiver<Ended>,
    ticks: Interval,
    waiting: VecDeque<News>,
    _place: OwnedSemaphorePermit,
}

fn told(
    desk: Desk,
    followed: Box<dyn Followed>,
    place: OwnedSemaphorePermit,
) -> impl Stream<Item = Result<Event, Infallible>> {
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let ends = desk.jobs.ends();
    let (followed, waiting) = (Some(followed), VecDeque::new());
    let begin = Telling { desk, followed, ends, ticks, waiting, _place: place };
    unfold(begin, async |mut stream| {
        let News(name, data) = stream.next().await?;
        Some((Ok(Event::default().event(name).data(data)), stream))
    })
}

impl Telling {
    async fn next(&mut self) -> Option<News> {
        loop {
            if let Some(news) = self.waiting.pop_front() {
                return Some(news);
            }
            tokio::select! {
                ended = self.ends.recv() => match ended {
                    Ok(ended) => return Some(News::of("job", &ended)),
                    // What was missed is seen in the listings.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return None,
                },
                _ = self.ticks.tick() => self.look().await?,
            }
        }
    }

    /// Looks at the files on a thread that may wait for the disk.
    async fn look(&mut self) -> Option<()> {
        let (mut followed, desk) = (self.followed.take()?, self.desk.clone());
        let looked = spawn_blocking(move || (followed.news(&desk), followed));
        let (news, followed) = looked.await.ok()?;
        self.followed = Some(followed);
        self.waiting.extend(news);
        Some(())
    }
}
