//! Signal handlers, which need unsafe code.
#![allow(unsafe_code)]

/// Turns two signals into errors, since they would otherwise kill the process silently: SIGXFSZ (a file exceeds its
/// size limit) and SIGBUS (another program truncated a memory-mapped file).
#[cfg(unix)]
pub(crate) fn meet_bad_files() {
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction, signal};

    let short = SigHandler::Handler(mapped_file_cut_short);
    let short = SigAction::new(short, SaFlags::SA_ONSTACK, SigSet::empty());
    // SAFETY: an ignored signal runs no code, and the handler calls only async-signal-safe functions.
    unsafe {
        // If SIGXFSZ is ignored, writes beyond the limit fail with an error, like writes to a full disk.
        let _ = signal(Signal::SIGXFSZ, SigHandler::SigIgn);
        let _ = sigaction(Signal::SIGBUS, &short);
    }
}

#[cfg(not(unix))]
pub(crate) fn meet_bad_files() {}

/// Reports a SIGBUS. Only endgame tables are memory-mapped, so it must be due to a truncated table. Don't allocate or
/// lock here, because that isn't safe in a signal handler.
#[cfg(unix)]
extern "C" fn mapped_file_cut_short(_: nix::libc::c_int) {
    let message =
        "ayo: another program truncated an endgame table while it was in use; build it again\n";
    // SAFETY: write and _exit are async-signal-safe, and the text outlives the call.
    unsafe {
        nix::libc::write(nix::libc::STDERR_FILENO, message.as_ptr().cast(), message.len());
        nix::libc::_exit(1)
    }
}
