//! Ctrl-C for verbs that stop as they stand.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::search::Monitor;

/// Signals so soon after the first are the same wish: some programs that stop others signal the
/// process and its group.
const SAME_WISH: Duration = Duration::from_millis(300);

/// Set by the first Ctrl-C or SIGTERM; a later one ends the program.
#[derive(Debug, Clone, Default)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for signals from now on.
    pub(super) fn listen() -> anyhow::Result<Interrupt> {
        let interrupt = Interrupt::default();
        let flag = Arc::clone(&interrupt.0);
        let mut first: Option<Instant> = None;
        ctrlc::set_handler(move || {
            flag.store(true, Ordering::Relaxed);
            if first.get_or_insert_with(Instant::now).elapsed() > SAME_WISH {
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
