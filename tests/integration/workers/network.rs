//! A network of the kernel's that is cut: a worker in a namespace of its own, at the end of a cable that is pulled out.

use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use ayo::workers::Crew;

use super::server::{Server, until};
use super::team::{Said, TERMS, alone, coordinator, generations, trainer};
use crate::support::{Training, program};

/// A namespace of the network with a cable to it, both gone in the end.
struct Cable {
    /// The namespace, and the end of the cable in it.
    name: String,
    /// The end here.
    here: String,
    /// The first three numbers of both addresses.
    network: String,
}

fn ip(words: &str) -> Result<(), String> {
    let found = Command::new("ip").args(words.split(' ')).output().map_err(|it| it.to_string())?;
    let said = String::from_utf8_lossy(&found.stderr).into_owned();
    if found.status.success() { Ok(()) } else { Err(format!("ip {words}: {said}")) }
}

impl Cable {
    /// A cable, or `None` and a loud word where the kernel does not let this process make one.
    fn new() -> Option<Cable> {
        let number = std::process::id() % 60_000;
        let network = format!("10.213.{}", number % 250);
        let cable = Cable { name: format!("ayo{number}"), here: format!("ayoh{number}"), network };
        match cable.lay() {
            Ok(()) => Some(cable),
            Err(error) => {
                eprintln!("SKIPPED: a namespace of the network cannot be made: {}", error.trim());
                None
            }
        }
    }

    fn lay(&self) -> Result<(), String> {
        let Cable { name, here, network } = self;
        ip(&format!("netns add {name}"))?;
        ip(&format!("link add {here} type veth peer name {name} netns {name}"))?;
        ip(&format!("address add {network}.1/24 dev {here}"))?;
        ip(&format!("link set {here} up"))?;
        ip(&format!("-n {name} address add {network}.2/24 dev {name}"))?;
        ip(&format!("-n {name} link set {name} up"))
    }

    /// Pulls the cable out.
    fn cut(&self) {
        ip(&format!("link set {} down", self.here)).unwrap();
    }

    /// Plugs it in again.
    fn mend(&self) {
        ip(&format!("link set {} up", self.here)).unwrap();
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        let _ = ip(&format!("link delete {}", self.here));
        let _ = ip(&format!("netns delete {}", self.name));
    }
}

#[test]
fn the_cable_of_a_worker_is_pulled_out_and_plugged_in() {
    let Some(cable) = Cable::new() else { return };
    let address = format!("{}.1", cable.network);
    let options = ["--bind", "127.0.0.1", &address, "--protected-mode", "no"];
    let Some(server) = Server::start(&options) else { return };
    let said = Said::default();
    let coordinator = coordinator(&server.url(), TERMS, &said);
    let mut command = Command::new("ip");
    command.args(["netns", "exec", &cable.name]).arg(program()).arg("worker");
    command.arg(format!("redis://{address}:{}/", server.port())).args(["--threads", "1"]);
    let mut worker = Training::start(command);
    until("it is there", || coordinator.helpers() > 0);
    let trainer = trainer().helped_by(&Crew(coordinator.clone()));
    let happens = |generation| match generation {
        2 => cable.cut(),
        3 => {
            sleep(Duration::from_millis(300));
            cable.mend();
        }
        _ => {}
    };
    assert_eq!(&generations(trainer, happens), alone());
    // It is there still, or again.
    until("it is there again", || coordinator.helpers() > 0);
    worker.signal("TERM");
    let (status, _, err) = worker.wait();
    assert!(status.success() && err.contains("helping a test"), "{err}");
}
