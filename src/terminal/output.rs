//! Standard output, which escapes control characters.

use std::io::{self, Write};

use mancala::text::escape_lines;

/// Returns standard output, which escapes control characters.
pub(crate) fn output() -> impl Write {
    Output { inner: io::BufWriter::new(io::stdout().lock()), line: Vec::new() }
}

/// Fails if nothing can be written to standard output, for example because the disk is full.
pub(crate) fn check_output() -> io::Result<()> {
    #[cfg(unix)]
    {
        let output = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?;
        std::fs::File::from(output).write(&[]).map_err(unwritten)?;
    }
    Ok(())
}

/// Adds the name of standard output to an I/O error, which names no file itself.
pub(crate) fn unwritten(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::Interrupted => error,
        kind => io::Error::new(kind, format!("cannot write to standard output: {error}")),
    }
}

/// A writer that escapes control characters. It writes whole lines, since a character may be written in two pieces.
struct Output<W: Write> {
    inner: W,
    /// The current line, without its end.
    line: Vec<u8>,
}

impl<W: Write> Output<W> {
    fn write_line(&mut self) -> io::Result<()> {
        let line = String::from_utf8_lossy(&self.line);
        self.inner.write_all(escape_lines(&line).as_bytes()).map_err(unwritten)?;
        self.line.clear();
        Ok(())
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.write_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_line()?;
        self.inner.flush().map_err(unwritten)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(pieces: &[&[u8]]) -> String {
        let mut output = Output { inner: Vec::new(), line: Vec::new() };
        pieces.iter().for_each(|piece| output.write_all(piece).unwrap());
        output.flush().unwrap();
        String::from_utf8(output.inner).unwrap()
    }

    #[test]
    fn a_terminal_is_given_nothing_to_obey() {
        assert_eq!(written(&[b"a\x1b[2J\tb\r\n"]), "a\\u001b[2J\tb\\u000d\n");
        assert_eq!(written(&[b"\xc2", b"\x9b31m \xe2\x80", b"\xae"]), "\\u009b31m \\u202e");
        assert_eq!(written(&["…ö".as_bytes(), b"\xff\x9b!"]), "…ö\u{fffd}\u{fffd}!");
        for split in 0..8 {
            let (a, b) = "ö–\u{1f600}".as_bytes().split_at(split);
            assert_eq!(written(&[a, b]), "ö–\u{1f600}");
        }
    }
}
