//! Answers that clients have not read yet, whose memory is limited.

use std::sync::Arc;

use axum::body::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Memory for all of them, in KiB.
const LIMIT: usize = 48 << 10;

/// Memory that is left, in KiB.
pub(super) struct Unread(Arc<Semaphore>);

impl Default for Unread {
    fn default() -> Unread {
        Unread(Arc::new(Semaphore::new(LIMIT)))
    }
}

impl Unread {
    /// Shares an answer, whose memory counts until the last copy is dropped.
    ///
    /// # Errors
    /// Returns the answer if there is no memory for it.
    pub(super) fn hold(&self, answer: Vec<u8>) -> Result<Bytes, Vec<u8>> {
        match Arc::clone(&self.0).try_acquire_many_owned((answer.len() >> 10) as u32) {
            Ok(memory) => Ok(Bytes::from_owner(Held { answer: answer.into(), _memory: memory })),
            Err(_) => Err(answer),
        }
    }
}

struct Held {
    answer: Box<[u8]>,
    _memory: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_nobody_reads_have_limited_memory() {
        let unread = Unread::default();
        let answer = || unread.hold(vec![0; LIMIT << 8]);
        let held: Vec<_> = (0..4).map(|_| answer().unwrap()).collect();
        assert!(answer().is_err());
        // A second reader of the same answer takes no memory.
        let again = held[0].clone();
        drop(held);
        let held: Vec<_> = (0..3).map(|_| answer().unwrap()).collect();
        assert!(answer().is_err());
        drop((again, held));
        assert!(answer().is_ok());
    }
}
