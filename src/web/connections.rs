//! Connections: so many at once, and none that keeps its request to itself for long.

use std::io;
use std::net::TcpListener;
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
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tower::ServiceExt;

use super::access::Peer;
use super::steady::Steady;

/// A browser holds six at most.
const MOST: usize = 512;
/// How long a client may take over the head of a request, and a connection lie idle.
const HEAD: Duration = Duration::from_secs(30);
/// How often it is asked whether to stop.
const A_MOMENT: Duration = Duration::from_millis(100);

/// Answers whoever connects until told to stop.
pub(super) async fn serve(
    listener: TcpListener,
    routes: Router,
    stop: &Arc<AtomicBool>,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(MOST));
    while !stop.load(Ordering::Relaxed) {
        let Ok(accepted) = timeout(A_MOMENT, listener.accept()).await else { continue };
        // Nobody else is to blame for a connection that broke before it began, or for too many open files.
        let Ok((stream, there)) = accepted else {
            sleep(A_MOMENT).await;
            continue;
        };
        let Ok(here) = stream.local_addr() else { continue };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
        let routes = routes.clone();
        let _ = stream.set_nodelay(true);
        tokio::spawn(async move {
            let _place = place;
            let answer = service_fn(move |request: Request<Incoming>| {
                let mut request = request.map(Body::new);
                request.extensions_mut().insert(Peer { there, here });
                routes.clone().oneshot(request)
            });
            let mut connection = http1::Builder::new();
            connection.timer(TokioTimer::new()).header_read_timeout(HEAD);
            // A connection that breaks off is the business of its client.
            let _ = connection.serve_connection(TokioIo::new(Steady::new(stream)), answer).await;
        });
    }
    Ok(())
}
