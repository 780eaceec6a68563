//! Accepts connections. Their number is limited, and those that have not shown the token make room for new ones.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::{AbortHandle, yield_now};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use super::access::Peer;
use super::desk::CONNECTIONS;

/// How long a client may take to send the head of a request, and a connection may be idle.
const HEAD: Duration = Duration::from_secs(5);
/// How long a client may read nothing of what is sent.
const READ: Duration = Duration::from_secs(20);
/// Bytes of the head of a request, and of an answer that are buffered for a client.
const BUFFER: usize = 32 << 10;
/// Bytes that the system buffers for a client. It would take megabytes.
const SEND_BUFFER: u32 = 256 << 10;
/// Connections that wait until they are accepted.
const BACKLOG: u32 = 1024;
/// How often the server checks whether to stop.
const A_MOMENT: Duration = Duration::from_millis(100);

/// Listens on an address. It has to be called within the runtime.
///
/// # Errors
/// If the address is not free.
pub(super) fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    // A server may take the port of one that has just ended. On Windows others could take it too.
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    // Connections have the buffer of the socket that accepts them.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Answers requests until told to stop.
pub(super) async fn serve(listener: TcpListener, routes: Router, stop: &Arc<AtomicBool>) {
    let mut pool = Pool::new(max_connections());
    while !stop.load(Ordering::Relaxed) {
        let Ok(accepted) = timeout(A_MOMENT, listener.accept()).await else { continue };
        let Ok((stream, there)) = accepted else {
            // Too many files are open, or the client has gone already.
            pool.close_crowded();
            sleep(A_MOMENT / 10).await;
            continue;
        };
        let Ok(here) = stream.local_addr() else { continue };
        if pool.admit(there.ip()) {
            let peer = Peer { there, here, is_known: Arc::default() };
            let is_known = Arc::clone(&peer.is_known);
            let task = tokio::spawn(answer(stream, peer, routes.clone())).abort_handle();
            pool.open.push(Connection { network: network(there.ip()), is_known, task });
        }
        // A request that is there already is answered before its connection has to make room for the next one.
        yield_now().await;
    }
}

async fn answer(stream: TcpStream, peer: Peer, routes: Router) {
    let answer = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(peer.clone());
        routes.clone().oneshot(request)
    });
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(READ));
    let mut connection = http1::Builder::new();
    connection.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(BUFFER);
    // An error concerns the client only.
    let _ = connection.serve_connection(TokioIo::new(Box::pin(stream)), answer).await;
}

/// Open connections, the oldest first.
struct Pool {
    open: Vec<Connection>,
    most: usize,
}

struct Connection {
    network: IpAddr,
    is_known: Arc<AtomicBool>,
    task: AbortHandle,
}

impl Pool {
    fn new(most: usize) -> Pool {
        Pool { open: Vec::new(), most }
    }

    /// Makes room for a connection from an address, if need be by closing another one that has not shown the token.
    /// A network may have an eighth of all places, and an eighth is left to this machine.
    fn admit(&mut self, address: IpAddr) -> bool {
        self.open.retain(|it| !it.task.is_finished());
        let (network, share) = (network(address), (self.most / 8).max(1));
        let is_own = address.to_canonical().is_loopback();
        let of_network = self.open.iter().filter(|it| it.network == network).count();
        if !is_own && of_network >= share {
            return self.close_oldest(network);
        }
        self.open.len() < self.most - if is_own { 0 } else { share } || self.close_crowded()
    }

    /// Closes a connection of the network that has most connections that have not shown the token.
    fn close_crowded(&mut self) -> bool {
        let mut counts = BTreeMap::new();
        for it in self.open.iter().filter(|it| it.is_unknown()) {
            *counts.entry(it.network).or_insert(0) += 1;
        }
        let crowded = counts.into_iter().max_by_key(|&(_, count)| count);
        crowded.is_some_and(|(network, _)| self.close_oldest(network))
    }

    fn close_oldest(&mut self, network: IpAddr) -> bool {
        let oldest = self.open.iter().position(|it| it.network == network && it.is_unknown());
        oldest.inspect(|&oldest| self.open.remove(oldest).task.abort()).is_some()
    }
}

impl Connection {
    fn is_unknown(&self) -> bool {
        !self.is_known.load(Ordering::Relaxed)
    }
}

/// The addresses that one client may have: a single one, or 64 bits of IPv6.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64).into(),
        ip @ IpAddr::V4(_) => ip,
    }
}

/// Half of the files that may be open are for connections.
fn max_connections() -> usize {
    #[cfg(unix)]
    if let Ok((files, _)) =
        nix::sys::resource::getrlimit(nix::sys::resource::Resource::RLIMIT_NOFILE)
    {
        return CONNECTIONS.min(usize::try_from(files / 2).unwrap_or(CONNECTIONS));
    }
    CONNECTIONS
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use tokio::io::AsyncWriteExt;

    use super::*;

    /// Connects, and returns whether there was room, and the flag of the connection.
    fn connect(pool: &mut Pool, address: &str) -> Option<Arc<AtomicBool>> {
        let address = address.parse().unwrap();
        let task = tokio::spawn(pending::<()>()).abort_handle();
        let is_known = Arc::new(AtomicBool::new(false));
        let connection =
            Connection { network: network(address), is_known: Arc::clone(&is_known), task };
        pool.admit(address).then(|| pool.open.push(connection)).map(|()| is_known)
    }

    fn count(pool: &Pool, address: &str) -> usize {
        let network = network(address.parse().unwrap());
        pool.open.iter().filter(|it| it.network == network).count()
    }

    #[tokio::test]
    async fn silent_networks_have_a_share_each_and_make_room_for_others() {
        let mut pool = Pool::new(64);
        for number in 0..20 {
            assert!(connect(&mut pool, &format!("fd00::{number}")).is_some());
        }
        assert_eq!(count(&pool, "fd00::"), 8, "64 bits of IPv6 are one network");
        assert!(connect(&mut pool, "10.0.0.1").is_some());
        for number in 0..300 {
            assert!(connect(&mut pool, &format!("10.0.1.{}", number % 20)).is_some());
        }
        assert_eq!(pool.open.len(), 56, "an eighth is left to this machine");
        assert_eq!(count(&pool, "10.0.0.1"), 1, "the most crowded networks make room");
        for _ in 0..300 {
            assert!(connect(&mut pool, "127.0.0.1").is_some());
        }
        assert!(connect(&mut pool, "10.0.0.2").is_some());
        assert_eq!(count(&pool, "10.0.0.2"), 1);
    }

    #[tokio::test]
    async fn connections_that_have_shown_the_token_stay() {
        let mut pool = Pool::new(64);
        let known = |pool: &mut Pool, address: &str| {
            let connection = connect(pool, address)?;
            connection.store(true, Ordering::Relaxed);
            Some(())
        };
        for number in 0..8 {
            assert!(known(&mut pool, "10.0.0.1").is_some(), "{number}");
        }
        assert!(known(&mut pool, "10.0.0.1").is_none(), "a network has no more than its share");
        for number in 0..48 {
            assert!(known(&mut pool, &format!("10.0.1.{number}")).is_some(), "{number}");
        }
        assert!(known(&mut pool, "10.0.2.1").is_none());
        for _ in 0..8 {
            assert!(known(&mut pool, "127.0.0.1").is_some(), "places are left to this machine");
        }
        assert!(known(&mut pool, "127.0.0.1").is_none());
    }

    #[tokio::test]
    async fn a_closed_connection_frees_its_place() {
        let mut pool = Pool::new(8);
        for _ in 0..20 {
            let connection = connect(&mut pool, "10.0.0.1").unwrap();
            connection.store(true, Ordering::Relaxed);
            assert!(connect(&mut pool, "10.0.0.1").is_none());
            pool.open[0].task.abort();
            yield_now().await;
        }
        assert_eq!(pool.open.len(), 1);
    }

    /// Connects to a server of endless answers, does something, and returns how long the connection lasts.
    async fn lifetime(act: impl AsyncFnOnce(&mut TcpStream)) -> Duration {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, there) = listener.accept().await.unwrap();
        let peer = Peer { there, here: there, is_known: Arc::default() };
        let chunk = axum::body::Bytes::from_static(&[0; 1 << 16]);
        let endless = move || {
            let chunks =
                futures_util::stream::repeat(Ok::<_, std::convert::Infallible>(chunk.clone()));
            std::future::ready(Body::from_stream(chunks))
        };
        let routes = Router::new().route("/", axum::routing::get(endless));
        // From here on the time passes at once while nothing else happens.
        tokio::time::pause();
        let begun = tokio::time::Instant::now();
        let answered = tokio::spawn(async move {
            answer(stream, peer, routes).await;
            begun.elapsed()
        });
        act(&mut client).await;
        let lifetime = answered.await.unwrap();
        tokio::time::resume();
        lifetime
    }

    #[tokio::test]
    async fn a_client_that_sends_no_head_or_reads_nothing_is_disconnected() {
        let silent = lifetime(async |_| {}).await;
        let slow = lifetime(async |client| {
            for letter in b"GET / HTTP/1.1\r\nHost: a" {
                let _ = client.write_all(&[*letter]).await;
                sleep(Duration::from_secs(1)).await;
            }
        });
        for time in [silent, slow.await] {
            assert!((HEAD..2 * HEAD).contains(&time), "{time:?}");
        }
        let deaf = lifetime(async |client| {
            client.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        });
        let deaf = deaf.await;
        assert!((READ..2 * READ).contains(&deaf), "{deaf:?}");
    }
}
