//! Records the file operations of this process. It replaces the C library functions through which the standard
//! library changes files, so that all changes are recorded, whether or not they go through the store.
//!
//! Each successful operation on a file in the working directory adds a line of JSON to the file named by `AYO_RECORD`.

use std::ffi::{CStr, OsStr};
use std::fs;
use std::os::fd::{IntoRawFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use libc::{c_char, c_int, c_long, c_void, mode_t, off64_t, size_t, ssize_t};

use crate::disk::{Change, Operation};

struct Recorder {
    /// Written to with a direct system call, so that these writes are not recorded themselves.
    to: Mutex<RawFd>,
    root: PathBuf,
}

static RECORDER: OnceLock<Recorder> = OnceLock::new();

pub(crate) fn begin() {
    let Some(path) = std::env::var_os("AYO_RECORD") else { return };
    let to = fs::OpenOptions::new().create(true).append(true).open(path).expect("a record");
    let root = std::env::current_dir().expect("a working directory");
    _ = RECORDER.set(Recorder { to: Mutex::new(to.into_raw_fd()), root });
}

/// Returns an absolute or relative path relative to the working directory, or `None` if it is elsewhere.
fn within(path: &Path) -> Option<PathBuf> {
    let root = &RECORDER.get()?.root;
    Some(root.join(path).strip_prefix(root).ok()?.to_owned())
}

fn record(path: &Path, change: Change) {
    let (Some(recorder), Some(path)) = (RECORDER.get(), within(path)) else { return };
    let operation = Operation { path, change };
    let line = serde_json::to_string(&operation).expect("paths are text") + "\n";
    let to = recorder.to.lock().expect("no recorder panics");
    let mut rest = line.as_bytes();
    while !rest.is_empty() {
        // SAFETY: the bytes are valid for their length.
        let written = unsafe { libc::syscall(libc::SYS_write, *to, rest.as_ptr(), rest.len()) };
        assert!(written > 0, "the record is written");
        rest = &rest[written as usize..];
    }
}

fn is_on() -> bool {
    RECORDER.get().is_some()
}

fn path_of(handle: c_int) -> Option<PathBuf> {
    let path = fs::read_link(format!("/proc/self/fd/{handle}")).ok()?;
    // Excludes pipes and sockets.
    path.is_absolute().then_some(path)
}

unsafe fn text(path: *const c_char) -> PathBuf {
    // SAFETY: the caller passes its own argument, a NUL-terminated string.
    Path::new(OsStr::from_bytes(unsafe { CStr::from_ptr(path) }.to_bytes())).to_owned()
}

fn done(result: c_long, change: impl FnOnce() -> Option<(PathBuf, Change)>) -> c_int {
    if result == 0
        && is_on()
        && let Some((path, change)) = change()
    {
        record(&path, change);
    }
    result as c_int
}

// SAFETY of all functions below: each makes the same system call as the function that it replaces, and then reads its
// arguments, which were valid for the call.

#[unsafe(no_mangle)]
unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    let writes = flags & (libc::O_WRONLY | libc::O_RDWR) != 0 && is_on();
    let path_text = writes.then(|| unsafe { text(path) });
    let was_there = path_text.as_ref().is_some_and(|path| path.exists());
    let call = libc::SYS_openat;
    let opened =
        unsafe { libc::syscall(call, libc::AT_FDCWD, path, flags | libc::O_LARGEFILE, mode) };
    if let (true, Some(path)) = (opened >= 0, path_text) {
        if !was_there {
            record(&path, Change::Create);
        } else if flags & libc::O_TRUNC != 0 {
            record(&path, Change::Cut(0));
        }
    }
    opened as c_int
}

#[unsafe(no_mangle)]
unsafe extern "C" fn write(handle: c_int, bytes: *const c_void, length: size_t) -> ssize_t {
    let written = unsafe { libc::syscall(libc::SYS_write, handle, bytes, length) };
    if written > 0 && handle > 2 && is_on() {
        let at = unsafe { libc::lseek64(handle, 0, libc::SEEK_CUR) } - written;
        let bytes = unsafe { std::slice::from_raw_parts(bytes.cast(), written as usize) };
        if let (Some(path), true) = (path_of(handle), at >= 0) {
            record(&path, Change::Write(at as usize, bytes.to_vec()));
        }
    }
    written as ssize_t
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ftruncate64(handle: c_int, length: off64_t) -> c_int {
    let result = unsafe { libc::syscall(libc::SYS_ftruncate, handle, length) };
    done(result, || Some((path_of(handle)?, Change::Cut(length as usize))))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fsync(handle: c_int) -> c_int {
    let result = unsafe { libc::syscall(libc::SYS_fsync, handle) };
    done(result, || Some((path_of(handle)?, Change::Sync)))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fdatasync(handle: c_int) -> c_int {
    let result = unsafe { libc::syscall(libc::SYS_fdatasync, handle) };
    done(result, || Some((path_of(handle)?, Change::Sync)))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rename(from: *const c_char, to: *const c_char) -> c_int {
    let call = libc::SYS_renameat2;
    let result = unsafe { libc::syscall(call, libc::AT_FDCWD, from, libc::AT_FDCWD, to, 0) };
    done(result, || unsafe { Some((text(from), Change::Rename(within(&text(to))?))) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn unlink(path: *const c_char) -> c_int {
    let result = unsafe { libc::syscall(libc::SYS_unlinkat, libc::AT_FDCWD, path, 0) };
    done(result, || unsafe { Some((text(path), Change::Remove)) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mkdir(path: *const c_char, mode: mode_t) -> c_int {
    let result = unsafe { libc::syscall(libc::SYS_mkdirat, libc::AT_FDCWD, path, mode) };
    done(result, || unsafe { Some((text(path), Change::Folder)) })
}
