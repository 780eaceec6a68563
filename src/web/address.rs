//! Where the server listens, and under which names.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use tokio::sync::Semaphore;

use super::answer::UNREAD;
use super::cache::Cache;
use super::connections::{self, MAX_CONNECTIONS};
use super::desk::{DOWNLOADS, Desk, Folders, STREAMS, Shared, WAITING_SEARCHES};
use super::events::Feeds;
use super::hosts::{Hosts, Reach};
use super::jobs::Jobs;
use super::limiter::Limiter;
use super::matches::is_match;
use super::routes::routes;
use super::runs::is_run;
use super::shelf::Shelf;
use super::token::Token;
use crate::app::matches::Matches;

/// Threads that wait for files and processes, or search. Each has memory of its own.
const BLOCKING_THREADS: usize = 64;

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
        let hosts = Hosts::new(listener.local_addr()?.port());
        let [token, cookie] = [Token::new(), Token::new()];
        let token = token.map_err(ServerError::Token)?;
        let cookie = cookie.map_err(ServerError::Token)?;
        let runs = Shelf::new(&folders.runs, is_run);
        let match_files = Shelf::new(&folders.matches, is_match);
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let desk = Desk::new(Shared {
            token,
            cookie,
            hosts,
            reach,
            folders,
            runs,
            cards: Cache::new(2000),
            curves: Cache::new(64),
            match_files,
            matches: Matches::default(),
            searches: Limiter::new(cores, WAITING_SEARCHES),
            reads: Limiter::new(1, MAX_CONNECTIONS),
            downloads: Limiter::new(DOWNLOADS, MAX_CONNECTIONS),
            unread: Arc::new(Semaphore::new(UNREAD)),
            feeds: Feeds::default(),
            jobs: Jobs::default(),
            streams: Arc::new(Semaphore::new(STREAMS)),
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
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().max_blocking_threads(BLOCKING_THREADS).build()?;
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
