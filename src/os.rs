//! Signal handlers and the global allocator, which need unsafe code.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};

/// Turns signals that would silently kill the process into errors: SIGXFSZ for a file that
/// exceeds its size limit, and SIGBUS for a memory-mapped file that another program truncates.
#[cfg(unix)]
pub(crate) fn meet_bad_files() {
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction, signal};

    let short = SigHandler::Handler(mapped_file_cut_short);
    let short = SigAction::new(short, SaFlags::SA_ONSTACK, SigSet::empty());
    // SAFETY: an ignored signal runs no code, and the handler calls only async-signal-safe functions.
    unsafe {
        // Writes beyond the limit then fail with an error, as on a full disk.
        let _ = signal(Signal::SIGXFSZ, SigHandler::SigIgn);
        let _ = sigaction(Signal::SIGBUS, &short);
    }
}

#[cfg(not(unix))]
pub(crate) fn meet_bad_files() {}

/// Handles SIGBUS. Only endgame tables are memory-mapped.
#[cfg(unix)]
extern "C" fn mapped_file_cut_short(_: nix::libc::c_int) {
    leave("ayo: another program truncated an endgame table while it was in use: build it again\n")
}

/// Prints a message and exits immediately. Safe to call anywhere, since it allocates nothing and takes no locks.
#[cfg(unix)]
fn leave(said: &str) -> ! {
    // SAFETY: write and _exit are async-signal-safe, and the text outlives the call.
    unsafe {
        nix::libc::write(nix::libc::STDERR_FILENO, said.as_ptr().cast(), said.len());
        nix::libc::_exit(1)
    }
}

#[cfg(not(unix))]
fn leave(_said: &str) -> ! {
    std::process::abort()
}

/// The system allocator. If a small allocation fails, the program prints a message and exits.
/// A large allocation returns null instead, so that its caller can handle the failure.
struct Memory;

#[global_allocator]
static MEMORY: Memory = Memory;

/// Allocations of at least this many bytes may fail. Only tables are as large, and their allocation errors are handled.
const MUCH: usize = 16 << 20;

fn had(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() && size < MUCH {
        leave("ayo: out of memory: try fewer --threads; files on disk are kept\n")
    }
    memory
}

// SAFETY: every call is forwarded to the system allocator.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `alloc`.
        had(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as in `alloc`.
        had(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as in `alloc`.
        had(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as in `alloc`.
        unsafe { System.dealloc(memory, layout) }
    }
}
