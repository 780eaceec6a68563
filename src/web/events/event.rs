//! Events, and where they come from.

use axum::body::Bytes;
use serde::Serialize;
use serde_json::json;

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
    fn missed(&self, after: Option<u32>) -> Vec<ServerEvent>;
}
