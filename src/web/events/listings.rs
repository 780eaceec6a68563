//! The listings of runs and of matches.

use std::collections::BTreeMap;

use super::feed::{EventSource, ServerEvent};
use crate::train::pages::RunCard;
use crate::web::desk::Desk;
use crate::web::matches::marks;
use crate::web::runs::cards;

/// The listings as of the last look.
pub(super) struct Listings {
    desk: Desk,
    runs: Option<BTreeMap<String, RunCard>>,
    matches: Option<Vec<(String, u64, bool)>>,
}

/// Whether two cards of a run differ in more than how far it is.
fn differ(a: &RunCard, b: &RunCard) -> bool {
    let lasting = |card: &RunCard| {
        let RunCard { id, state, champion, strength, error, .. } = card.clone();
        (id, state, champion, strength, error)
    };
    lasting(a) != lasting(b)
}

impl Listings {
    pub(super) fn new(desk: &Desk) -> Listings {
        Listings { desk: desk.clone(), runs: None, matches: None }
    }

    fn runs(&mut self) -> Vec<ServerEvent> {
        let now: BTreeMap<_, _> =
            cards(&self.desk).into_iter().map(|card| (card.id.clone(), card)).collect();
        let Some(before) = self.runs.replace(now.clone()) else { return Vec::new() };
        let is_same_list = before.keys().eq(now.keys())
            && before.values().zip(now.values()).all(|(before, now)| !differ(before, now));
        if !is_same_list {
            return vec![ServerEvent::empty("runs")];
        }
        let went_on = now.values().zip(before.values()).filter(|(now, before)| now != before);
        went_on.map(|(now, _)| ServerEvent::new("status", now)).collect()
    }

    fn matches(&mut self) -> Option<ServerEvent> {
        let now = marks(&self.desk);
        let before = self.matches.replace(now.clone());
        before.is_some_and(|before| before != now).then(|| ServerEvent::empty("matches"))
    }
}

impl EventSource for Listings {
    fn look(&mut self) -> Vec<ServerEvent> {
        let mut events = self.runs();
        events.extend(self.matches());
        events
    }
}
