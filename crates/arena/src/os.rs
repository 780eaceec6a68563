//! Operating system interfaces.
#![allow(unsafe_code)]

use std::env;
use std::path::PathBuf;
use std::process::Command;

use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};

/// Restricts threads to cores (Linux only).
#[cfg(target_os = "linux")]
mod affinity {
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;

    pub type Cores = CpuSet;

    /// Returns the cores on which this thread may run.
    pub fn cores() -> Cores {
        sched_getaffinity(Pid::from_raw(0)).unwrap_or_default()
    }

    /// Restricts this thread to `cores`.
    pub fn pin(cores: &Cores) {
        let _ = sched_setaffinity(Pid::from_raw(0), cores);
    }

    /// Divides the cores on which this thread may run into groups of `size` cores, and drops any remaining cores.
    pub fn core_groups(size: usize) -> Vec<Cores> {
        let all = cores();
        let all: Vec<usize> =
            (0..Cores::count()).filter(|&core| all.is_set(core) == Ok(true)).collect();
        let group = |group: &[usize]| {
            let mut cores = Cores::new();
            group.iter().for_each(|&core| cores.set(core).expect("a core of the system"));
            cores
        };
        all.chunks_exact(size).map(group).collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod affinity {
    pub type Cores = ();

    pub fn cores() -> Cores {}

    pub fn pin((): &Cores) {}

    pub fn core_groups(_: usize) -> Vec<Cores> {
        Vec::new()
    }
}

pub use affinity::{Cores, core_groups, cores, pin};

/// Makes Linux kill a program when this process or the thread that started the program exits.
#[cfg(target_os = "linux")]
pub(crate) fn kill_with_parent(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    use nix::sys::prctl::set_pdeathsig;
    use nix::sys::signal::Signal;
    use nix::unistd::{Pid, getppid};

    let parent = Pid::this();
    let set_signal = move || {
        set_pdeathsig(Signal::SIGKILL)?;
        match getppid() == parent {
            true => Ok(()),
            // The parent exited before the signal was set, so the kernel won't send the signal.
            false => Err(nix::errno::Errno::ESRCH.into()),
        }
    };
    // SAFETY: we only make two system calls between fork and exec, and don't allocate or lock anything.
    unsafe { command.pre_exec(set_signal) };
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn kill_with_parent(_command: &mut Command) {}

/// Returns the folder for endgame tables. This is the value of `AYO_TABLES` if it's set. Otherwise, it's a folder in
/// the user's data directory, or `None` if we don't know that directory.
pub fn tables_folder() -> Option<PathBuf> {
    if cfg!(test) {
        return None;
    }
    let named = env::var_os("AYO_TABLES").filter(|named| !named.is_empty());
    named.map(PathBuf::from).or_else(|| {
        let user = choose_native_strategy().ok().filter(|_| !cfg!(feature = "no-user-folder"))?;
        Some(user.data_dir().join("ayo").join("tables"))
    })
}
