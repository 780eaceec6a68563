//! An end of a pipe that is let go once the program at the other end has ended.
//!
//! A program may have started another one that lives on and keeps its pipes. A thread that waits for such
//! a pipe without end would never go.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How long to wait before looking again whether the program has ended.
#[cfg(unix)]
const GLANCE_MS: u16 = 100;

/// As much as a pipe takes without waiting, once it takes anything.
const PIECE: usize = 512;

pub(super) struct Pipe<P> {
    pipe: P,
    ended: Arc<AtomicBool>,
}

impl<P: End> Pipe<P> {
    pub(super) fn new(pipe: P, ended: &Arc<AtomicBool>) -> Pipe<P> {
        Pipe { pipe, ended: Arc::clone(ended) }
    }

    /// Waits until something can be read or written. Returns whether the program has not ended before.
    fn wait(&self, direction: Direction) -> io::Result<bool> {
        while !self.ended.load(Ordering::Relaxed) {
            if self.pipe.is_ready(direction)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl<P: End + Read> Read for Pipe<P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.wait(Direction::In)? { self.pipe.read(buffer) } else { Ok(0) }
    }
}

impl<P: End + Write> Write for Pipe<P> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.wait(Direction::Out)? {
            true => self.pipe.write(&bytes[..bytes.len().min(PIECE)]),
            false => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pipe.flush()
    }
}

#[derive(Clone, Copy)]
enum Direction {
    In,
    Out,
}

#[cfg(unix)]
use std::os::fd::AsFd as End;

/// What can be asked whether it is ready.
trait Ready {
    fn is_ready(&self, direction: Direction) -> io::Result<bool>;
}

#[cfg(unix)]
impl<P: End> Ready for P {
    fn is_ready(&self, direction: Direction) -> io::Result<bool> {
        use nix::errno::Errno;
        use nix::poll::{PollFd, PollFlags, poll};

        let flags = match direction {
            Direction::In => PollFlags::POLLIN,
            Direction::Out => PollFlags::POLLOUT,
        };
        match poll(&mut [PollFd::new(self.as_fd(), flags)], GLANCE_MS) {
            Ok(ready) => Ok(ready > 0),
            Err(Errno::EINTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// Elsewhere a pipe is waited for however long it takes.
#[cfg(not(unix))]
pub(super) trait End {}

#[cfg(not(unix))]
impl<P> End for P {}

#[cfg(not(unix))]
impl<P: End> Ready for P {
    fn is_ready(&self, _direction: Direction) -> io::Result<bool> {
        Ok(true)
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixStream;
    use std::thread;

    use super::*;

    #[test]
    fn a_pipe_that_somebody_keeps_is_let_go() {
        let (kept, ours) = UnixStream::pair().unwrap();
        let ended = Arc::new(AtomicBool::new(false));
        let mut reading = Pipe::new(ours.try_clone().unwrap(), &ended);
        let mut writing = Pipe::new(ours, &ended);
        let reader = thread::spawn(move || reading.read(&mut [0; 9]).unwrap());
        // More than the other end ever takes.
        let writer = thread::spawn(move || writing.write_all(&[0; 1 << 24]).unwrap_err().kind());
        ended.store(true, Ordering::Relaxed);
        assert_eq!(reader.join().unwrap(), 0);
        assert_eq!(writer.join().unwrap(), io::ErrorKind::BrokenPipe);
        drop(kept);
    }
}
