//! Operating system interfaces.
#![allow(unsafe_code)]

pub mod folders;

use std::process::Command;

/// Has the kernel kill a program when the thread that starts it ends, and so at the latest when this process ends for
/// any reason. Only supported on Linux.
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
            // The parent ended before the signal was set, so the kernel will not send it.
            false => Err(nix::errno::Errno::ESRCH.into()),
        }
    };
    // SAFETY: between fork and exec, only two system calls are made, and nothing is allocated or locked.
    unsafe { command.pre_exec(set_signal) };
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn kill_with_parent(_command: &mut Command) {}
