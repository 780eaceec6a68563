//! Who can reach the server, and under which names.

use std::net::IpAddr;

/// Who can reach the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// This machine alone.
    Loopback,
    /// Whoever is on the same network and has the address.
    Lan {
        /// Whether they may start, stop and resume too.
        control: bool,
    },
}

/// Names that the server goes by. An address in numbers is one of them if it is the one that was connected to: nobody
/// can make it lead elsewhere.
#[derive(Debug, Clone)]
pub(super) struct Hosts {
    port: u16,
}

impl Hosts {
    pub(super) fn new(port: u16) -> Hosts {
        Hosts { port }
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Whether a host with its port is this server.
    /// `here` is the address that was asked.
    pub(super) fn contain(&self, host: &str, here: IpAddr) -> bool {
        let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
        let name = name.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or(name);
        let known = match name.parse::<IpAddr>() {
            Ok(address) => address.is_loopback() || address == here.to_canonical(),
            Err(_) => name.eq_ignore_ascii_case("localhost"),
        };
        known && port.parse() == Ok(self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_nobody_can_lead_elsewhere_are_known() {
        let hosts = Hosts::new(8080);
        let (alone, shared) = ("127.0.0.1".parse().unwrap(), "192.168.1.4".parse().unwrap());
        for host in ["127.0.0.1:8080", "localhost:8080", "LocalHost:8080", "[::1]:8080"] {
            assert!(hosts.contain(host, alone) && hosts.contain(host, shared), "{host}");
        }
        for host in [
            "",
            ":8080",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost.evil.example:8080",
            "evil.example:8080",
        ] {
            assert!(!hosts.contain(host, alone) && !hosts.contain(host, shared), "{host}");
        }
        assert!(!hosts.contain("192.168.1.4:8080", alone));
        assert!(hosts.contain("192.168.1.4:8080", shared));
        assert!(!hosts.contain("8.8.8.8:8080", shared));
    }
}
