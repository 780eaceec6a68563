//! Ctrl-C and SIGTERM.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Context;
use arena::player::kill_engines;
use mancala::progress::Progress;

/// Signals within this time after the first one are ignored, since some programs send a signal to both a process and
/// its group.
const SAME_WISH: Duration = Duration::from_millis(300);

/// Calls `wish` on the first Ctrl-C or SIGTERM. A later one ends the program immediately.
pub(crate) fn on_signals(wish: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    let mut first: Option<Instant> = None;
    let handler = move || match first {
        None => {
            first = Some(Instant::now());
            wish();
        }
        Some(at) if at.elapsed() <= SAME_WISH => {}
        Some(_) => leave(),
    };
    ctrlc::set_handler(handler).context("cannot catch Ctrl-C")
}

/// Kills external engines and exits on the first Ctrl-C or SIGTERM, for commands that have nothing to save.
pub(crate) fn leave_on_signals() -> anyhow::Result<()> {
    ctrlc::set_handler(|| leave()).context("cannot catch Ctrl-C")
}

fn leave() -> ! {
    kill_engines();
    process::exit(130)
}

/// Stops running work on request, at a deadline, or on the first Ctrl-C or SIGTERM. Clones share their state.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupt(Arc<(AtomicBool, OnceLock<Instant>)>);

impl Interrupt {
    pub(crate) fn listen() -> anyhow::Result<Interrupt> {
        let interrupt = Interrupt::default();
        let handler = interrupt.clone();
        on_signals(move || handler.set())?;
        Ok(interrupt)
    }

    pub(crate) fn set(&self) {
        self.0.0.store(true, Ordering::Relaxed);
    }

    /// Sets the deadline to `time` from now, unless one is already set.
    pub(crate) fn set_after(&self, time: Duration) {
        if let Some(deadline) = Instant::now().checked_add(time) {
            let _ = self.0.1.set(deadline);
        }
    }
}

impl Progress for Interrupt {
    fn should_stop(&self) -> bool {
        let (is_set, deadline) = &*self.0;
        is_set.load(Ordering::Relaxed) || deadline.get().is_some_and(|&at| Instant::now() >= at)
    }
}
