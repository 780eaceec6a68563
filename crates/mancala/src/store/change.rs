//! Fault injection for tests.
//!
//! We call [`change`] before each change that has to survive a crash. With the `faults` feature, setting
//! `AYO_FAULT=KIND:N` makes the N-th call in the process fail: `kill:7` terminates the process, while `enospc:7` and
//! `eio:7` return the errors for a full disk and a failing disk. Without the feature, `change` does nothing.

#[cfg(feature = "faults")]
pub(super) use faults::change;

#[cfg(not(feature = "faults"))]
#[inline]
pub(super) fn change() -> std::io::Result<()> {
    Ok(())
}

#[cfg(feature = "faults")]
mod faults {
    use std::io;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Either terminates the process without any cleanup, like SIGKILL, or returns an error.
    type Fault = fn() -> io::Error;

    const ENOSPC: i32 = 28;
    const EIO: i32 = 5;

    static FAULT: OnceLock<Option<(Fault, u64)>> = OnceLock::new();
    static CHANGES: AtomicU64 = AtomicU64::new(0);

    pub(in crate::store) fn change() -> io::Result<()> {
        let number = CHANGES.fetch_add(1, Ordering::Relaxed) + 1;
        match FAULT.get_or_init(from_environment) {
            Some((fault, at)) if *at == number => Err(fault()),
            _ => Ok(()),
        }
    }

    fn from_environment() -> Option<(Fault, u64)> {
        let value = std::env::var("AYO_FAULT").ok()?;
        let (kind, at) = value.split_once(':').expect("AYO_FAULT is KIND:N");
        let fault: Fault = match kind {
            "kill" => || std::process::abort(),
            "enospc" => || io::Error::from_raw_os_error(ENOSPC),
            "eio" => || io::Error::from_raw_os_error(EIO),
            _ => panic!("AYO_FAULT: unknown fault {kind}"),
        };
        Some((fault, at.parse().expect("N in KIND:N is a number")))
    }
}
