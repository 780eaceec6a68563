//! Where the server listens, and under which names.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::{io, thread};

use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

use super::cache::Cache;
use super::connections;
use super::desk::{
    CONNECTIONS, DOWNLOADS, Desk, Folders, STREAMS, Shared, UNREAD, WAITING_SEARCHES,
};
use super::events::Feeds;
use super::hosts::{Hosts, Reach};
use super::jobs::Jobs;
use super::limiter::Limiter;
use super::matches::is_match;
use super::routes::routes;
use super::runs::is_run;
use super::shelf::Shelf;
use super::token::Token;
use crate::matches::saved::SavedMatches;

/// Threads that read files for downloads and start processes.
const BLOCKING_THREADS: usize = 4;

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
    runtime: Runtime,
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
        let mut runtime = Builder::new_current_thread();
        let runtime = runtime.enable_all().max_blocking_threads(BLOCKING_THREADS).build()?;
        let listener = runtime.block_on(async { connections::listen(address) });
        let listener = listener.map_err(|error| ServerError::Listen { address, error })?;
        let port = listener.local_addr()?.port();
        let desk = desk(folders, reach, port)?;
        Ok(Server { runtime, listener, desk })
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
    pub fn run(self, stop: &Arc<AtomicBool>) {
        let Server { runtime, listener, desk } = self;
        runtime.block_on(connections::serve(listener, routes(desk), stop));
        // A search that is under way need not be waited for.
        runtime.shutdown_background();
    }
}

/// The desk of a server that listens on a port.
///
/// # Errors
/// If the system refuses threads or has no randomness for tokens.
pub(super) fn desk(folders: Folders, reach: Reach, port: u16) -> Result<Desk, ServerError> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    Ok(Desk::new(Shared {
        token: Token::new().map_err(ServerError::Token)?,
        cookie: Token::new().map_err(ServerError::Token)?,
        hosts: Hosts::new(port),
        reach,
        runs: Shelf::new(&folders.runs, is_run),
        cards: Cache::new(2000),
        curves: Cache::new(64),
        match_files: Shelf::new(&folders.matches, is_match),
        matches: SavedMatches::default(),
        folders,
        searches: Limiter::new(cores, WAITING_SEARCHES)?,
        reads: Limiter::new(1, CONNECTIONS)?,
        downloads: Arc::new(Semaphore::new(DOWNLOADS)),
        unread: Arc::new(Semaphore::new(UNREAD)),
        feeds: Feeds::default(),
        jobs: Jobs::default(),
        streams: Arc::new(Semaphore::new(STREAMS)),
    }))
}

/// The address that packets to the outside leave from. None are sent.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address for documentation, which leads to nobody.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_unspecified()).then_some(address)
}
