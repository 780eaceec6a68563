//! What only the operating system can be asked for, and mostly by unsafe calls.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};

/// Makes an error out of what would otherwise end the program without a word: a file that outgrows its
/// limit, and a mapped one that another program cuts short.
#[cfg(unix)]
pub(crate) fn meet_bad_files() {
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction, signal};

    let short = SigHandler::Handler(mapped_file_cut_short);
    let short = SigAction::new(short, SaFlags::SA_ONSTACK, SigSet::empty());
    // SAFETY: an ignored signal runs nothing, and the handler calls what a handler may call alone.
    unsafe {
        // Writing then fails with an error as on a full disk.
        let _ = signal(Signal::SIGXFSZ, SigHandler::SigIgn);
        let _ = sigaction(Signal::SIGBUS, &short);
    }
}

#[cfg(not(unix))]
pub(crate) fn meet_bad_files() {}

/// Only endgame tables are mapped.
#[cfg(unix)]
extern "C" fn mapped_file_cut_short(_: nix::libc::c_int) {
    leave(
        "ayo: an endgame table was cut short by another program while it was in use: build it again\n",
    )
}

/// Says something and leaves at once, from wherever that is: allocates nothing and takes no lock.
#[cfg(unix)]
fn leave(said: &str) -> ! {
    // SAFETY: write and _exit may be called even in the handler of a signal; the text outlives the call.
    unsafe {
        nix::libc::write(nix::libc::STDERR_FILENO, said.as_ptr().cast(), said.len());
        nix::libc::_exit(1)
    }
}

#[cfg(not(unix))]
fn leave(_said: &str) -> ! {
    std::process::abort()
}

/// The system's memory. When none is left for something small, the program says so in a sentence and ends.
/// A large request fails instead, and the code that made it can do without.
struct Memory;

#[global_allocator]
static MEMORY: Memory = Memory;

/// In bytes: tables are larger, and ask first.
const MUCH: usize = 16 << 20;

fn had(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() && size < MUCH {
        leave("ayo: out of memory: fewer --threads take less, what is on disk is kept\n")
    }
    memory
}

// SAFETY: the system's allocator does it all.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
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
