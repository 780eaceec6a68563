//! What only the operating system can be asked for; but for [`folders`], only by unsafe calls.
#![allow(unsafe_code)]

pub mod folders;

use std::process::Command;

/// Has a program killed when the thread ends that starts it, and so with this process at the latest,
/// however that ends. Only Linux can.
#[cfg(target_os = "linux")]
pub(crate) fn die_with_its_starter(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    use nix::sys::prctl::set_pdeathsig;
    use nix::sys::signal::Signal;
    use nix::unistd::{Pid, getppid};

    let parent = Pid::this();
    let order = move || {
        set_pdeathsig(Signal::SIGKILL)?;
        match getppid() == parent {
            true => Ok(()),
            // It has ended already.
            false => Err(nix::errno::Errno::ESRCH.into()),
        }
    };
    // SAFETY: between fork and exec only two system calls are made; nothing is allocated or locked.
    unsafe { command.pre_exec(order) };
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn die_with_its_starter(_command: &mut Command) {}
