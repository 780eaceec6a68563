//! Where every change to a file passes, so that a test can let one of them fail or the process end there.
//!
//! With the feature `faults`, which only tests have, `AYO_FAULT=WHAT:N` names the N-th change of the
//! process: `kill:7` ends the process before it, `enospc:7` and `eio:7` let it fail as a full and a broken
//! disk do. Without the feature there is nothing here.

use std::io;

/// A change is about to be made.
#[cfg(not(feature = "faults"))]
#[inline]
pub(super) fn change() -> io::Result<()> {
    Ok(())
}

/// A change is about to be made.
#[cfg(feature = "faults")]
pub(super) fn change() -> io::Result<()> {
    faults::change()
}

#[cfg(feature = "faults")]
mod faults {
    use std::io;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[derive(Clone, Copy)]
    enum Fault {
        Kill,
        Error(i32),
    }

    const ENOSPC: i32 = 28;
    const EIO: i32 = 5;

    /// What is to happen, and at which change.
    static ORDERED: OnceLock<Option<(Fault, u64)>> = OnceLock::new();
    static CHANGES: AtomicU64 = AtomicU64::new(0);

    pub(super) fn change() -> io::Result<()> {
        let number = CHANGES.fetch_add(1, Ordering::Relaxed) + 1;
        match ORDERED.get_or_init(ordered) {
            Some((fault, at)) if *at == number => strike(*fault),
            _ => Ok(()),
        }
    }

    fn strike(fault: Fault) -> io::Result<()> {
        match fault {
            // As after SIGKILL, nothing is tidied up.
            Fault::Kill => std::process::abort(),
            Fault::Error(code) => Err(io::Error::from_raw_os_error(code)),
        }
    }

    fn ordered() -> Option<(Fault, u64)> {
        let order = std::env::var("AYO_FAULT").ok()?;
        let (what, at) = order.split_once(':').expect("AYO_FAULT is WHAT:N");
        let fault = match what {
            "kill" => Fault::Kill,
            "enospc" => Fault::Error(ENOSPC),
            "eio" => Fault::Error(EIO),
            _ => panic!("AYO_FAULT knows no {what}"),
        };
        Some((fault, at.parse().expect("a number of a change")))
    }
}
