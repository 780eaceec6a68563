//! Records the file operations of this process. It replaces the functions of the C library through which the standard
//! library changes files, so that all changes are recorded, whether or not they go through the store.
//!
//! The file named by `AYO_RECORD` gets a line of JSON for each successful operation on a file in the working directory.

use std::ffi::{CStr, OsStr};
use std::fs;
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use libc::{c_char, c_int, c_long, c_void, mode_t, off64_t, size_t, ssize_t};
use serde_json::{Value, json};

struct Recorder {
    /// The handle is written to directly so that writes to it are not recorded.
    to: Mutex<RawFd>,
    root: PathBuf,
}

static RECORDER: OnceLock<Recorder> = OnceLock::new();

/// Starts recording if `AYO_RECORD` is set.
pub(crate) fn begin() {
    use std::os::fd::IntoRawFd;
    let Some(path) = std::env::var_os("AYO_RECORD") else { return };
    let to = fs::OpenOptions::new().create(true).append(true).open(path).expect("a record");
    let root = std::env::current_dir().expect("a working directory");
    _ = RECORDER.set(Recorder { to: Mutex::new(to.into_raw_fd()), root });
}

/// Adds a record. The path is absolute or relative to the working directory.
fn record(path: &Path, operation: Value) {
    let Some(recorder) = RECORDER.get() else { return };
    let path = recorder.root.join(path);
    let Ok(within) = path.strip_prefix(&recorder.root) else { return };
    let line = format!("{}\n", json!({"path": within, "what": operation}));
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
    // SAFETY: the caller passes its own argument, a text that ends in zero.
    Path::new(OsStr::from_bytes(unsafe { CStr::from_ptr(path) }.to_bytes())).to_owned()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Records bytes that were just written before the current position.
fn wrote(handle: c_int, bytes: &[u8]) {
    // SAFETY: this only reads the position.
    let after = unsafe { libc::lseek64(handle, 0, libc::SEEK_CUR) };
    if let (Some(path), true) = (path_of(handle), after >= bytes.len() as i64) {
        record(&path, json!({"write": after - bytes.len() as i64, "bytes": hex(bytes)}));
    }
}

// SAFETY of all functions below: each makes the system call of the function that it replaces, and then reads its
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
            record(&path, json!("create"));
        } else if flags & libc::O_TRUNC != 0 {
            record(&path, json!({"cut": 0}));
        }
    }
    opened as c_int
}

#[unsafe(no_mangle)]
unsafe extern "C" fn write(handle: c_int, bytes: *const c_void, length: size_t) -> ssize_t {
    let written = unsafe { libc::syscall(libc::SYS_write, handle, bytes, length) };
    if written > 0 && handle > 2 && is_on() {
        wrote(handle, unsafe { std::slice::from_raw_parts(bytes.cast(), written as usize) });
    }
    written as ssize_t
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ftruncate64(handle: c_int, length: off64_t) -> c_int {
    let done = unsafe { libc::syscall(libc::SYS_ftruncate, handle, length) };
    if let (0, true, Some(path)) = (done, is_on(), path_of(handle)) {
        record(&path, json!({"cut": length}));
    }
    done as c_int
}

unsafe fn synced(call: c_long, handle: c_int) -> c_int {
    let done = unsafe { libc::syscall(call, handle) };
    if let (0, true, Some(path)) = (done, is_on(), path_of(handle)) {
        record(&path, json!("sync"));
    }
    done as c_int
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fsync(handle: c_int) -> c_int {
    unsafe { synced(libc::SYS_fsync, handle) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fdatasync(handle: c_int) -> c_int {
    unsafe { synced(libc::SYS_fdatasync, handle) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rename(from: *const c_char, to: *const c_char) -> c_int {
    let call = libc::SYS_renameat2;
    let done = unsafe { libc::syscall(call, libc::AT_FDCWD, from, libc::AT_FDCWD, to, 0) };
    if done == 0 && is_on() {
        let to = RECORDER.get().map(|it| it.root.join(unsafe { text(to) }));
        let to = to.and_then(|to| Some(to.strip_prefix(&RECORDER.get()?.root).ok()?.to_owned()));
        record(&unsafe { text(from) }, json!({"rename": to}));
    }
    done as c_int
}

#[unsafe(no_mangle)]
unsafe extern "C" fn unlink(path: *const c_char) -> c_int {
    let done = unsafe { libc::syscall(libc::SYS_unlinkat, libc::AT_FDCWD, path, 0) };
    if done == 0 && is_on() {
        record(&unsafe { text(path) }, json!("remove"));
    }
    done as c_int
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mkdir(path: *const c_char, mode: mode_t) -> c_int {
    let done = unsafe { libc::syscall(libc::SYS_mkdirat, libc::AT_FDCWD, path, mode) };
    if done == 0 && is_on() {
        record(&unsafe { text(path) }, json!("folder"));
    }
    done as c_int
}

/// Also recorded, in case the standard library uses it.
#[unsafe(no_mangle)]
unsafe extern "C" fn pwrite64(
    handle: c_int,
    bytes: *const c_void,
    length: size_t,
    at: off64_t,
) -> ssize_t {
    let written = unsafe { libc::syscall(libc::SYS_pwrite64, handle, bytes, length, at) };
    if let (true, true, Some(path)) = (written > 0, is_on(), path_of(handle)) {
        let bytes = unsafe { std::slice::from_raw_parts(bytes.cast(), written as usize) };
        record(&path, json!({"write": at, "bytes": hex(bytes)}));
    }
    written as ssize_t
}

#[unsafe(no_mangle)]
unsafe extern "C" fn writev(handle: c_int, pieces: *const libc::iovec, count: c_int) -> ssize_t {
    let written = unsafe { libc::syscall(libc::SYS_writev, handle, pieces, count) };
    if written > 0 && handle > 2 && is_on() {
        let pieces = unsafe { std::slice::from_raw_parts(pieces, count as usize) };
        let slice = |it: &libc::iovec| unsafe {
            std::slice::from_raw_parts(it.iov_base.cast::<u8>(), it.iov_len)
        };
        let mut bytes: Vec<u8> = pieces.iter().flat_map(|it| slice(it).iter().copied()).collect();
        bytes.truncate(written as usize);
        wrote(handle, &bytes);
    }
    written as ssize_t
}
