//! Accepts connections and limits their number.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
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
#[cfg(unix)]
use nix::sys::resource::{Resource, getrlimit};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::{AbortHandle, yield_now};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use super::{MAX_CONNECTIONS, Peer};

/// How long a client may take to send the head of a request, and how long it may be idle.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// We give up on a client that hasn't read any of its response for this long.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);
/// The maximum size in bytes of a request head. We also buffer at most this much of a response per client.
const BUFFER: usize = 32 << 10;
/// The size in bytes of the operating system's send buffer for each client. The default would be several megabytes.
const SEND_BUFFER: u32 = 256 << 10;
const BACKLOG: u32 = 1024;
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Returns the address from which we would send packets to the internet, without sending any.
pub(super) fn lan_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // This destination is reserved for documentation.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_unspecified()).then_some(address)
}

/// Listens on an address. Must be called within the tokio runtime.
pub(super) fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    // Allow a restart on the same port. (On Windows, this option would let other programs take the port.)
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    // Connections inherit the buffer size of the listening socket.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

pub(super) async fn accept(listener: TcpListener, routes: Router, stop: &AtomicBool) {
    let mut pool = Pool { open: Vec::new(), capacity: max_connections() };
    while !stop.load(Ordering::Relaxed) {
        let Ok(accepted) = timeout(POLL_INTERVAL, listener.accept()).await else { continue };
        let Ok((stream, remote)) = accepted else {
            // We have too many open files, or the client has already disconnected.
            pool.close_oldest();
            sleep(POLL_INTERVAL / 10).await;
            continue;
        };
        let Ok(local) = stream.local_addr() else { continue };
        if pool.make_room(remote.ip().to_canonical().is_loopback()) {
            let peer = Peer { remote, local, is_authenticated: Arc::default() };
            let is_authenticated = Arc::clone(&peer.is_authenticated);
            let task = tokio::spawn(respond(stream, peer, routes.clone())).abort_handle();
            pool.open.push(Connection { is_authenticated, task });
        }
        // Let other tasks read pending requests before we close their connections to make room.
        yield_now().await;
    }
}

async fn respond(stream: TcpStream, peer: Peer, routes: Router) {
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(peer.clone());
        routes.clone().oneshot(request)
    });
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(WRITE_TIMEOUT));
    let mut connection = http1::Builder::new();
    connection.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(BUFFER);
    // Errors affect only this client, so we ignore them.
    let _ = connection.serve_connection(TokioIo::new(Box::pin(stream)), service).await;
}

/// Open connections, oldest first.
struct Pool {
    open: Vec<Connection>,
    capacity: usize,
}

struct Connection {
    is_authenticated: Arc<AtomicBool>,
    task: AbortHandle,
}

impl Pool {
    /// Makes room for a connection, if necessary by closing an old connection. Returns `false` if there is still no
    /// room. An eighth of the capacity is reserved for local connections.
    fn make_room(&mut self, is_local: bool) -> bool {
        self.open.retain(|connection| !connection.task.is_finished());
        let reserved = if is_local { 0 } else { self.capacity.div_ceil(8) };
        let room = self.capacity - reserved;
        self.open.len() < room || (self.open.len() == room && self.close_oldest())
    }

    /// Closes the oldest connection without an authenticated request. (This can only hit a client whose first request
    /// hasn't arrived yet if there is a flood of new connections.)
    fn close_oldest(&mut self) -> bool {
        let oldest = self.open.iter().position(|it| !it.is_authenticated.load(Ordering::Relaxed));
        oldest.inspect(|&oldest| self.open.remove(oldest).task.abort()).is_some()
    }
}

/// Returns the maximum number of connections, which may use up to half of this process's limit on open files.
fn max_connections() -> usize {
    #[cfg(unix)]
    if let Ok((files, _)) = getrlimit(Resource::RLIMIT_NOFILE) {
        return usize::try_from(files / 2).map_or(MAX_CONNECTIONS, |it| it.min(MAX_CONNECTIONS));
    }
    MAX_CONNECTIONS
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use tokio::io::AsyncWriteExt;

    use super::*;

    fn connect(pool: &mut Pool, is_authenticated: bool, is_local: bool) -> bool {
        let task = tokio::spawn(pending::<()>()).abort_handle();
        let is_authenticated = Arc::new(AtomicBool::new(is_authenticated));
        let connection = Connection { is_authenticated, task };
        pool.make_room(is_local).then(|| pool.open.push(connection)).is_some()
    }

    #[tokio::test]
    async fn authenticated_connections_stay_open() {
        let mut pool = Pool { open: Vec::new(), capacity: 64 };
        for number in 0..300 {
            assert!(connect(&mut pool, false, false), "{number}");
        }
        for number in 0..64 {
            // Other devices can't use the connections that are reserved for this machine.
            assert!(number < 56 || !connect(&mut pool, true, false), "{number}");
            assert!(connect(&mut pool, true, number >= 56), "{number}");
        }
        assert!(!connect(&mut pool, true, true) && !connect(&mut pool, false, true));
        pool.open[0].task.abort();
        while !pool.open[0].task.is_finished() {
            yield_now().await;
        }
        assert!(connect(&mut pool, false, true), "a closed connection makes room");
    }

    /// Runs a client against a server that sends endless responses. Returns how long the connection lasted.
    async fn lifetime(client: impl AsyncFnOnce(&mut TcpStream)) -> Duration {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (accepted, remote) = listener.accept().await.unwrap();
        let peer = Peer { remote, local: remote, is_authenticated: Arc::default() };
        let chunk =
            Ok::<_, std::convert::Infallible>(axum::body::Bytes::from_static(&[0; 1 << 16]));
        let endless = move || {
            let chunks = futures_util::stream::repeat(chunk.clone());
            std::future::ready(Body::from_stream(chunks))
        };
        let routes = Router::new().route("/", axum::routing::get(endless));
        // From now on, the clock advances as soon as all tasks wait for it.
        tokio::time::pause();
        let begun = tokio::time::Instant::now();
        let connection = tokio::spawn(async move {
            respond(accepted, peer, routes).await;
            begun.elapsed()
        });
        client(&mut stream).await;
        let lifetime = connection.await.unwrap();
        tokio::time::resume();
        lifetime
    }

    #[tokio::test]
    async fn clients_that_send_no_head_or_read_nothing_are_disconnected() {
        let silent = lifetime(async |_| {}).await;
        let slow = lifetime(async |client| {
            for letter in b"GET / HTTP/1.1\r\nHost: a" {
                let _ = client.write_all(&[*letter]).await;
                sleep(Duration::from_secs(1)).await;
            }
        });
        for time in [silent, slow.await] {
            assert!((HEAD_TIMEOUT..2 * HEAD_TIMEOUT).contains(&time), "{time:?}");
        }
        let reads_nothing = lifetime(async |client| {
            client.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        });
        let time = reads_nothing.await;
        assert!((WRITE_TIMEOUT..2 * WRITE_TIMEOUT).contains(&time), "{time:?}");
    }
}
