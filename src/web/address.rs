//! Where the server listens, and under which names.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::access::Token;
use super::connections;
use super::desk::{Desk, Folders, Shared};
use super::events::Streams;
use super::jobs::Jobs;
use super::kept::Kept;
use super::matches::is_match;
use super::routes;
use super::runs::is_run;
use super::searches::Searches;
use super::shelf::Shelf;
use crate::app::matches::Matches;

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

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The port cannot be had.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why.
        error: io::Error,
    },
    /// The system gives nothing to make a token of.
    #[error("no randomness for a token: {0}")]
    Token(getrandom::Error),
    /// The system refuses something else.
    #[error("the server cannot run: {0}")]
    Run(#[from] io::Error),
}

/// Names that the server goes by. Addresses in numbers are among them wherever others may reach it: no one can
/// make them lead elsewhere.
#[derive(Debug, Clone)]
pub(super) struct Hosts {
    port: u16,
    reach: Reach,
}

impl Hosts {
    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Whether a host with its port is this server.
    pub(super) fn contain(&self, host: &str) -> bool {
        let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
        let name = name.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or(name);
        let known = match name.parse::<IpAddr>() {
            Ok(address) => address.is_loopback() || self.reach != Reach::Loopback,
            Err(_) => name.eq_ignore_ascii_case("localhost"),
        };
        known && port.parse() == Ok(self.port)
    }
}

/// A server that listens, and does not answer yet.
pub struct Server {
    listener: TcpListener,
    desk: Desk,
}

impl Server {
    /// Listens on a port, a free one if it is 0.
    ///
    /// # Errors
    /// If the port cannot be had.
    pub fn bind(port: u16, reach: Reach, folders: Folders) -> Result<Server, ServerError> {
        let ip = match reach {
            Reach::Loopback => Ipv4Addr::LOCALHOST,
            Reach::Lan { .. } => Ipv4Addr::UNSPECIFIED,
        };
        let address = SocketAddr::from((ip, port));
        let listener = TcpListener::bind(address);
        let listener = listener.map_err(|error| ServerError::Listen { address, error })?;
        listener.set_nonblocking(true)?;
        let hosts = Hosts { port: listener.local_addr()?.port(), reach };
        let token = Token::new().map_err(ServerError::Token)?;
        let runs = Shelf::new(&folders.runs, is_run);
        let match_files = Shelf::new(&folders.matches, is_match);
        let desk = Desk::new(Shared {
            token,
            hosts,
            reach,
            folders,
            runs,
            cards: Kept::default(),
            match_files,
            matches: Matches::default(),
            searches: Searches::default(),
            jobs: Jobs::default(),
            streams: Streams::default(),
        });
        Ok(Server { listener, desk })
    }

    /// The address of the page on this machine, with the token.
    pub fn url(&self) -> String {
        self.url_at(Ipv4Addr::LOCALHOST.into())
    }

    /// Its address for other machines, if they can reach it.
    pub fn lan_url(&self) -> Option<String> {
        let address = own_address().filter(|_| self.desk.reach != Reach::Loopback)?;
        Some(self.url_at(address))
    }

    fn url_at(&self, ip: IpAddr) -> String {
        let address = SocketAddr::new(ip, self.desk.hosts.port());
        format!("http://{address}/#token={}", self.desk.token)
    }

    /// Answers until it is told to stop.
    ///
    /// # Errors
    /// If the system refuses what a server needs.
    pub fn run(self, stop: &Arc<AtomicBool>) -> Result<(), ServerError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let Server { listener, desk } = self;
        runtime.block_on(connections::serve(listener, routes(desk), stop))?;
        // A search that is under way need not be waited for.
        runtime.shutdown_background();
        Ok(())
    }
}

/// The address that packets to the outside leave from. None are sent.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address for documentation, which leads to nobody.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_unspecified()).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_nobody_can_lead_elsewhere_are_known() {
        let alone = Hosts { port: 8080, reach: Reach::Loopback };
        let shared = Hosts { port: 8080, reach: Reach::Lan { control: false } };
        for host in ["127.0.0.1:8080", "localhost:8080", "LocalHost:8080", "[::1]:8080"] {
            assert!(alone.contain(host) && shared.contain(host), "{host}");
        }
        for host in [
            "",
            ":8080",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost.evil.example:8080",
            "evil.example:8080",
        ] {
            assert!(!alone.contain(host) && !shared.contain(host), "{host}");
        }
        assert!(!alone.contain("192.168.1.4:8080"));
        assert!(shared.contain("192.168.1.4:8080"));
    }
}
