//! A connection that is made anew when it breaks.

use std::thread;
use std::time::{Duration, Instant};

use redis::{Connection, RedisError};

use super::address::Address;

/// How long to wait after the first attempt that failed, and at most.
const PATIENCE: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(2)];
/// So long at a time, so that whoever waits can be stopped.
const NAP: Duration = Duration::from_millis(50);

/// A connection, or the wish for one.
pub(super) struct Link {
    address: Address,
    connection: Option<Connection>,
    wait: Duration,
}

impl Link {
    /// A link that is made when it is needed.
    pub(super) fn new(address: &Address) -> Link {
        Link { address: address.clone(), connection: None, wait: PATIENCE[0] }
    }

    /// Speaks to the server. A connection that fails in any way is given up, since nobody knows what it would
    /// answer next.
    ///
    /// # Errors
    /// If it cannot be made, or breaks, or the server refuses.
    pub(super) fn speak<T>(
        &mut self,
        speak: impl FnOnce(&mut Connection) -> Result<T, RedisError>,
    ) -> Result<T, RedisError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.address.connect()?,
        };
        let said = speak(&mut connection);
        // What the server refuses leaves the connection as it was.
        if said.as_ref().err().is_none_or(is_refusal) {
            self.connection = Some(connection);
            self.wait = PATIENCE[0];
        }
        said
    }

    /// Waits before the next attempt, longer each time; `enough` ends it.
    pub(super) fn rest(&mut self, enough: impl Fn() -> bool) {
        let until = Instant::now() + self.wait;
        self.wait = (2 * self.wait).min(PATIENCE[1]);
        while Instant::now() < until && !enough() {
            thread::sleep(NAP.min(until.saturating_duration_since(Instant::now())));
        }
    }
}

/// Whether the server answered, but did not do it.
fn is_refusal(error: &RedisError) -> bool {
    error.code().is_some()
}

/// Whether the server has no room.
pub(super) fn is_full(error: &RedisError) -> bool {
    let text = error.to_string();
    text.contains("OOM") || text.contains("maxmemory")
}
