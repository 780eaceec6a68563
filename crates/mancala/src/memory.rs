//! Checks that the machine has as much memory as the user asks for.
//!
//! An operating system may grant more memory than the machine has, and then kill the process when it uses that memory.
//! Therefore, we compare each request with the machine's memory before we allocate anything.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::store;
use crate::text::{Message, Result};

pub(crate) fn cannot_allocate(bytes: u64) -> Message {
    format!("cannot allocate {} MiB of memory", bytes >> 20).into()
}

static RESERVED: AtomicU64 = AtomicU64::new(0);

/// A part of the machine's memory, which is reserved until this value is dropped.
#[derive(Debug)]
pub struct Reservation(u64);

impl Reservation {
    /// Reserves `bytes` bytes. Fails if the sum of all current reservations would exceed the machine's memory.
    pub fn of(bytes: u64) -> Result<Reservation> {
        let machine = machine().unwrap_or(u64::MAX);
        let fits = |reserved: u64| reserved.checked_add(bytes).filter(|all| *all <= machine);
        let reserved = RESERVED.fetch_update(Relaxed, Relaxed, fits);
        reserved.map(|_| Reservation(bytes)).map_err(|reserved| {
            let [bytes, machine, reserved] = [bytes, machine, reserved].map(|it| it >> 20);
            let of = format!("this machine has {machine} MiB, of which {reserved} MiB are in use");
            format!("cannot use {bytes} MiB of memory: {of}").into()
        })
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        RESERVED.fetch_sub(self.0, Relaxed);
    }
}

/// Returns the memory of the machine or our container in bytes, whichever is less. Returns `None` except on Linux.
pub fn machine() -> Option<u64> {
    static MACHINE: OnceLock<Option<u64>> = OnceLock::new();
    *MACHINE.get_or_init(|| {
        let groups = store::read_document(Path::new("/proc/self/cgroup")).unwrap_or_default();
        physical().into_iter().chain(groups.lines().filter_map(limit_of)).min()
    })
}

fn physical() -> Option<u64> {
    let text = store::read_document(Path::new("/proc/meminfo")).ok()?;
    let kibibytes: u64 = text.strip_prefix("MemTotal:")?.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}

/// Given a line of `/proc/self/cgroup`, returns the lowest memory limit of that control group and its ancestors.
fn limit_of(line: &str) -> Option<u64> {
    let mut fields = line.splitn(3, ':');
    let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
    let (root, file) = match controllers {
        "" => ("/sys/fs/cgroup", "memory.max"),
        "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
        _ => return None,
    };
    let groups = Path::new(path.trim_start_matches('/')).ancestors();
    let files = groups.map(|group| Path::new(root).join(group).join(file));
    // If a group has no limit, its file contains "max" or a huge number.
    files.filter_map(|file| store::read_document(&file).ok()?.trim().parse().ok()).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reservations_count_together() {
        let most = machine().unwrap_or(u64::MAX);
        // Other tests may hold small reservations at the same time, so don't try to reserve everything.
        let half = most / 2 + 1;
        let first = Reservation::of(half).unwrap();
        let error = Reservation::of(half).unwrap_err().to_string();
        assert!(error.contains(&format!("this machine has {} MiB", most >> 20)), "{error}");
        drop(first);
        drop(Reservation::of(half).unwrap());
        assert!(Reservation::of(u64::MAX).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_machine_has_some_memory() {
        assert!((1 << 26..1 << 50).contains(&machine().unwrap()));
    }
}
