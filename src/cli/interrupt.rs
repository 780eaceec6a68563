//! Ctrl-C for verbs that stop as they stand.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use crate::search::Monitor;

/// Set by the first Ctrl-C or SIGTERM; the second one ends the program.
#[derive(Debug, Clone, Default)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for signals from now on.
    pub(super) fn listen() -> anyhow::Result<Interrupt> {
        let interrupt = Interrupt::default();
        let flag = Arc::clone(&interrupt.0);
        ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                process::exit(130);
            }
        })
        .context("cannot catch Ctrl-C")?;
        Ok(interrupt)
    }
}

impl Monitor for Interrupt {
    fn should_stop(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
