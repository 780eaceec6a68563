//! Ctrl-C and SIGTERM.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use crate::search::Monitor;

/// Calls `first` at every Ctrl-C or SIGTERM; once it says that this one was not the first, the program
/// ends.
pub(super) fn on_signals(first: impl Fn() -> bool + Send + 'static) -> anyhow::Result<()> {
    let handler = move || {
        if !first() {
            process::exit(130);
        }
    };
    ctrlc::set_handler(handler).context("cannot catch Ctrl-C")
}

/// For verbs that stop as they stand: set by the first Ctrl-C or SIGTERM; the second one ends the program.
#[derive(Debug, Clone, Default)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for signals from now on.
    pub(super) fn listen() -> anyhow::Result<Interrupt> {
        let interrupt = Interrupt::default();
        let flag = Arc::clone(&interrupt.0);
        on_signals(move || !flag.swap(true, Ordering::Relaxed))?;
        Ok(interrupt)
    }
}

impl Monitor for Interrupt {
    fn should_stop(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
