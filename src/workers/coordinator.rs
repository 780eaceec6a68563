//! The process that a run belongs to: it offers pieces of the work to others, and does them too.
//!
//! Architecture invariant: the server may lose all that it holds, or be gone, at any moment. Whatever is not answered
//! is done here, so that a run needs no worker, and no worker and no server can change what comes out.

mod answers;
mod offers;
mod shared;
mod state;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use redis::RedisError;

use super::address::Address;
use super::shares::{Errand, Found, Shares, Wanted};
use super::wire::hash;
use super::work::{Checked, Seldom, Work};
use mancala::progress::Progress;
pub(super) use offers::cards;
use shared::Shared;
pub use shared::{Tell, Terms};
use state::{Batch, State};

/// How long a thread with nothing to do waits before it looks whether it should stop.
const LOOK: Duration = Duration::from_millis(20);

/// Told of the answers in the order of the pieces, and says whether to go on.
pub(super) type Heard<'a> = dyn FnMut(&[u8]) -> ControlFlow<()> + Send + 'a;

/// Shares the work of this process out.
pub struct Coordinator {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    /// One batch at a time.
    turn: Mutex<()>,
}

/// A server that is not there, or does not let us in.
#[derive(Debug, thiserror::Error)]
#[error("{address} cannot be used: {error}")]
pub struct NoServer {
    /// Its address, without user and password.
    pub address: String,
    /// What it says.
    pub error: RedisError,
}

impl Coordinator {
    /// Begins to share out work in a server under a name of its own. `what` says what the process does.
    ///
    /// # Errors
    /// If the server cannot be reached now. Later it may come and go.
    pub fn start(
        address: &Address,
        what: &str,
        terms: Terms,
        tell: Tell,
    ) -> Result<Self, NoServer> {
        let reached = address.connect().and_then(|mut it| redis::cmd("PING").exec(&mut it));
        reached.map_err(|error| NoServer { address: address.to_string(), error })?;
        let shared = Arc::new(Shared::new(address, what, terms, tell));
        let threads = [offers::run as fn(&Shared), answers::run].map(|run| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || run(&shared))
        });
        Ok(Coordinator { shared, threads: threads.into(), turn: Mutex::new(()) })
    }

    /// What may be set.
    pub fn terms(&self) -> Terms {
        self.shared.terms
    }

    /// Threads of workers that are there for this run.
    pub fn helpers(&self) -> u64 {
        self.shared.state().helpers()
    }

    /// Whether it has looked once who is there.
    pub(super) fn has_looked(&self) -> bool {
        self.shared.state().has_looked
    }

    /// The answers to all pieces of some work, done on the threads of the current rayon pool and by workers. `None` if
    /// the progress stopped it, which counts what the pieces weigh, or `follow` broke off. It hears of the answers in
    /// the order of the pieces. An answer that it heard of stays, even if its worker is quarantined later.
    pub(super) fn share<W: Work>(
        &self,
        work: &W,
        expected: Duration,
        progress: &dyn Progress,
        follow: &mut Heard,
    ) -> Result<Option<Vec<Vec<u8>>>, W::Error> {
        let ended = self.work(work, expected, progress, follow)?;
        Ok(ended.is_over().then(|| ended.found()))
    }

    /// The same, with all that was found until it stopped.
    pub(super) fn work<W: Work>(
        &self,
        work: &W,
        expected: Duration,
        progress: &dyn Progress,
        follow: &mut Heard,
    ) -> Result<Shares, W::Error> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let pieces = work.pieces();
        let weights: Vec<u64> = (0..pieces).map(|it| work.weight(it)).collect();
        let whole: u64 = weights.iter().sum();
        self.begin(work, expected);
        let failed = Mutex::new(None);
        let told = Mutex::new((0, follow));
        let [is_broken_off, has_failed] = [(); 2].map(|()| AtomicBool::new(false));
        let is_enough = || {
            let is_over = |it: &AtomicBool| it.load(Ordering::Relaxed);
            is_over(&has_failed) || is_over(&is_broken_off) || progress.should_stop()
        };
        let tell = |told: &mut (usize, &mut Heard)| {
            while let Some(answer) = self.settled(told.0) {
                told.0 += 1;
                if (told.1)(&answer).is_break() {
                    return is_broken_off.store(true, Ordering::Relaxed);
                }
            }
        };
        let advance = || {
            let state = self.shared.state();
            let settled = state.batch.as_ref().map_or(0, |it| it.shares.settled());
            drop(state);
            progress.advance(whole * settled as u64 / (pieces as u64).max(1), whole);
            // Whoever tells already tells of these too, or the next one does.
            if let Ok(mut told) = told.try_lock() {
                tell(&mut told);
            }
        };
        let take_part = || {
            while let Some(Errand { piece, attempt, claim }) = self.next(&is_enough, &advance) {
                // Somebody else may be faster.
                let seldom = Seldom::default();
                let is_enough = || is_enough() || seldom.ask(|| self.is_settled(piece));
                let until = Until { progress, is_enough: &is_enough };
                let came = match claim {
                    Some(found) => self.check(work, piece, attempt, found, &until),
                    None => {
                        work.act(piece, &until).map(|it| it.map_or(Checked::Stopped, Checked::Done))
                    }
                };
                match came {
                    Ok(Checked::Done(bytes)) => {
                        let digest = work.piece(piece).digest(&bytes).unwrap_or_default();
                        self.done_here(piece, digest, bytes);
                        advance();
                    }
                    Ok(Checked::Judged(_)) => {}
                    Ok(Checked::Stopped) => self.leave(piece),
                    Err(error) => {
                        self.leave(piece);
                        failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                        has_failed.store(true, Ordering::Relaxed);
                    }
                }
            }
        };
        rayon::scope(|scope| {
            for _ in 1..rayon::current_num_threads() {
                scope.spawn(|_| take_part());
            }
            take_part();
        });
        if !is_enough() {
            tell(&mut told.lock().unwrap_or_else(PoisonError::into_inner));
        }
        let ended = self.end();
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(ended),
        }
    }

    /// Checks an answer that waits for it, beside those who do pieces. Whether there was one.
    pub(super) fn check_one<W: Work>(&self, work: &W, progress: &dyn Progress) -> bool {
        let claim = |state: &mut State| state.batch.as_mut()?.shares.take_claim();
        let Some(Errand { piece, attempt, claim: Some(found) }) = claim(&mut self.shared.state())
        else {
            return false;
        };
        if !matches!(self.check(work, piece, attempt, found, progress), Ok(Checked::Judged(_))) {
            self.leave(piece);
        }
        true
    }

    fn check<W: Work>(
        &self,
        work: &W,
        piece: usize,
        attempt: u32,
        found: Found,
        progress: &dyn Progress,
    ) -> Result<Checked, W::Error> {
        let checked = work.check(piece, &found.bytes, progress)?;
        if let Checked::Judged(is_true) = checked {
            let mut state = self.shared.state();
            state.proven.extend(found.by.filter(|_| is_true));
            drop(state);
            self.judged(piece, attempt, is_true);
        }
        Ok(checked)
    }

    fn begin<W: Work>(&self, work: &W, expected: Duration) {
        let mut state = self.shared.state();
        state.batches += 1;
        let ground = work.ground();
        let batch = Batch {
            number: state.batches,
            shares: Shares::new(work.pieces()),
            pieces: (0..work.pieces()).map(|it| work.piece(it)).collect(),
            hash: if ground.is_empty() { String::new() } else { hash(&ground) },
            ground,
            expected,
            is_shared: work.is_shared(),
            is_lasting: work.pieces() > 0 && work.piece(0).is_lasting(),
            took: Vec::new(),
            is_published: false,
            offers: Default::default(),
        };
        state.batch = Some(batch);
        drop(state);
        self.shared.wake.notify_all();
    }

    /// What a worker has found, once that is settled, and its name: it counts from now on, whatever happens.
    pub(super) fn take(&self, piece: usize) -> Option<(Vec<u8>, String)> {
        self.shared.state().batch.as_mut()?.shares.take(piece)
    }

    fn is_settled(&self, piece: usize) -> bool {
        self.shared.state().batch.as_ref().is_some_and(|it| it.shares.answer(piece).is_some())
    }

    /// The answer to a piece, if it is settled.
    fn settled(&self, piece: usize) -> Option<Vec<u8>> {
        self.shared.state().batch.as_ref()?.shares.answer(piece).map(<[u8]>::to_vec)
    }

    fn end(&self) -> Shares {
        let mut state = self.shared.state();
        let batch = state.batch.take().expect("a batch that was begun");
        if batch.is_published {
            state.leftovers.push((batch.number, batch.hash));
        }
        drop(state);
        self.shared.wake.notify_all();
        batch.shares
    }

    /// A piece to be done here, as soon as there is one; `None` at the end.
    fn next(&self, is_enough: &dyn Fn() -> bool, waited: &dyn Fn()) -> Option<Errand> {
        loop {
            if is_enough() {
                return None;
            }
            let mut state = self.shared.state();
            let helped = self.shared.terms.is_idle && state.helpers() > 0;
            let batch = state.batch.as_mut()?;
            let is_idle = helped && batch.is_shared;
            if batch.shares.is_over() {
                return None;
            }
            // Copies of what workers have only just got would be work done twice for nothing.
            let wanted = match batch.may_copy(Instant::now()) {
                _ if is_idle => Wanted::Checks,
                true => Wanted::Copies,
                false => Wanted::Waiting,
            };
            let errand = batch.shares.take_here(wanted);
            if errand.is_some() {
                return errand;
            }
            let (state, _) =
                self.shared.news.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner);
            drop(state);
            waited();
        }
    }

    fn done_here(&self, piece: usize, digest: u32, bytes: Vec<u8>) {
        let mut state = self.shared.state();
        let Some(batch) = &mut state.batch else { return };
        let accused = batch.shares.done_here(piece, digest, bytes);
        self.accuse(state, accused);
    }

    fn judged(&self, piece: usize, attempt: u32, is_true: bool) {
        let mut state = self.shared.state();
        let Some(batch) = &mut state.batch else { return };
        let accused = batch.shares.judged(piece, attempt, is_true);
        self.accuse(state, accused);
    }

    fn accuse(&self, mut state: MutexGuard<State>, accused: Option<String>) {
        if let Some(worker) = accused {
            let said = state.quarantine(&worker);
            drop(state);
            (self.shared.tell)(&said);
        }
        self.shared.news.notify_all();
        self.shared.wake.notify_all();
    }

    fn leave(&self, piece: usize) {
        if let Some(batch) = &mut self.shared.state().batch {
            batch.shares.leave(piece);
        }
    }
}

/// Says goodbye to the server, if it is there.
impl Drop for Coordinator {
    fn drop(&mut self) {
        self.shared.state().is_closing = true;
        self.shared.wake.notify_all();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Coordinator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coordinator").field("address", &self.shared.address).finish_non_exhaustive()
    }
}

/// The progress of a piece, which tells nothing of itself.
struct Until<'a> {
    progress: &'a dyn Progress,
    is_enough: &'a (dyn Fn() -> bool + Sync),
}

impl Progress for Until<'_> {
    fn should_stop(&self) -> bool {
        (self.is_enough)() || self.progress.should_stop()
    }
}
