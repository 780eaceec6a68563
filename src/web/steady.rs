//! A stream that breaks off when the other end takes nothing of what is sent.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// How long nothing may be taken.
const PATIENCE: Duration = Duration::from_secs(20);

/// A connection whose other end has to go on reading.
pub(super) struct Steady {
    stream: TcpStream,
    /// Runs from when nothing more could be sent.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Steady {
    pub(super) fn new(stream: TcpStream) -> Steady {
        Steady { stream, stalled: None }
    }

    /// Lets what was sent or not pass, unless it has been nothing for too long.
    fn watched<T>(
        &mut self,
        sent: Poll<io::Result<T>>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if sent.is_ready() {
            self.stalled = None;
            return sent;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(PATIENCE)));
        match stalled.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Steady {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl AsyncWrite for Steady {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watched(sent, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.watched(sent, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let sent = Pin::new(&mut self.stream).poll_flush(cx);
        self.watched(sent, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::net::TcpListener;
    use tokio::time::Instant;

    use super::*;

    #[tokio::test]
    async fn who_does_not_read_is_left() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let reader = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let mut writer = Steady::new(listener.accept().await.unwrap().0);
        let bytes = vec![0; 1 << 20];
        // From here on time passes at once where nothing else happens.
        tokio::time::pause();
        let begun = Instant::now();
        let end = loop {
            match poll_fn(|cx| Pin::new(&mut writer).poll_write(cx, &bytes)).await {
                Ok(_) => {}
                Err(error) => break error.kind(),
            }
        };
        assert_eq!(end, io::ErrorKind::TimedOut);
        assert!(begun.elapsed() >= PATIENCE);
        drop(reader);
    }
}
