//! A standard output stream that escapes control characters and wraps lines for narrow terminals.

use std::io::{self, Write};

use mancala::text::{escape, escape_lines};
use terminal_size::{Height, Width, terminal_size_of};

/// Returns a standard output stream that escapes control characters and, if `wraps` is set, wraps long lines.
pub(crate) fn output(wraps: bool) -> impl Write {
    let width = if wraps { columns() } else { usize::MAX };
    Output { inner: io::BufWriter::new(io::stdout().lock()), width, line: Vec::new() }
}

/// Formats a line for standard error: escapes control characters and wraps it if it is too long for the terminal.
pub(super) fn error_line(line: &str) -> String {
    wrapped(&escape(line), width(terminal_size_of(io::stderr())))
}

pub(super) fn width(size: Option<(Width, Height)>) -> usize {
    size.map_or(usize::MAX, |(width, _)| width.0.into())
}

/// Returns the width of the terminal that standard output goes to, or `usize::MAX` if there is no terminal.
pub(crate) fn columns() -> usize {
    width(terminal_size_of(io::stdout()))
}

/// Fails if we can't write to standard output, e.g. because the disk is full.
pub(crate) fn check_output() -> io::Result<()> {
    #[cfg(unix)]
    {
        let output = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?;
        std::fs::File::from(output).write(&[]).map_err(unwritten)?;
    }
    Ok(())
}

/// Adds to an error that we were writing to standard output, because I/O errors don't name the file.
pub(crate) fn unwritten(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::Interrupted => error,
        kind => io::Error::new(kind, format!("cannot write to standard output: {error}")),
    }
}

/// A writer that escapes control characters and wraps lines of more than `width` characters between words.
struct Output<W: Write> {
    inner: W,
    width: usize,
    /// The current line, without its line terminator.
    line: Vec<u8>,
}

impl<W: Write> Output<W> {
    fn write_line(&mut self, width: usize) -> io::Result<()> {
        let line = String::from_utf8_lossy(&self.line);
        self.inner.write_all(wrapped(&escape_lines(&line), width).as_bytes()).map_err(unwritten)?;
        self.line.clear();
        Ok(())
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.write_line(self.width)?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_line(usize::MAX)?;
        self.inner.flush().map_err(unwritten)
    }
}

/// Wraps a line between words. Continuation lines are indented by four more columns; long words are never split.
fn wrapped(line: &str, width: usize) -> String {
    if line.trim_end().chars().count() <= width {
        return line.into();
    }
    let indent = " ".repeat(line.len() - line.trim_start_matches(' ').len() + 4);
    let (mut text, mut column) = (String::new(), 0);
    for word in line.split_inclusive(' ') {
        let length = word.trim_end().chars().count();
        if column > indent.len() && length > 0 && column + length > width {
            text.truncate(text.trim_end_matches(' ').len());
            text = text + "\n" + &indent;
            column = indent.len();
        }
        text += word;
        column += word.chars().count();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(width: usize, pieces: &[&[u8]]) -> String {
        let mut output = Output { inner: Vec::new(), width, line: Vec::new() };
        pieces.iter().for_each(|piece| output.write_all(piece).unwrap());
        output.flush().unwrap();
        String::from_utf8(output.inner).unwrap()
    }

    #[test]
    fn a_terminal_is_given_nothing_to_obey() {
        let written = |pieces: &[&[u8]]| written(usize::MAX, pieces);
        assert_eq!(written(&[b"a\x1b[2J\tb\r\n"]), "a\\u001b[2J\tb\\u000d\n");
        assert_eq!(written(&[b"\xc2", b"\x9b31m \xe2\x80", b"\xae"]), "\\u009b31m \\u202e");
        assert_eq!(written(&["…ö".as_bytes(), b"\xff\x9b!"]), "…ö\u{fffd}\u{fffd}!");
        for split in 0..8 {
            let (a, b) = "ö–\u{1f600}".as_bytes().split_at(split);
            assert_eq!(written(&[a, b]), "ö–\u{1f600}");
        }
    }

    #[test]
    fn lines_are_broken_between_words_and_indented() {
        assert_eq!(wrapped("  a bc def\n", 20), "  a bc def\n");
        assert_eq!(wrapped("  aaaa bbbb cccc dddd\n", 16), "  aaaa bbbb cccc\n      dddd\n");
        assert_eq!(wrapped("aaaaaaaaaaaaaaaaaaaa b\n", 8), "aaaaaaaaaaaaaaaaaaaa\n    b\n");
        let mut narrow = Output { inner: Vec::new(), width: 10, line: Vec::new() };
        narrow.write_all(b"a prompt> ").unwrap();
        narrow.flush().unwrap();
        narrow.write_all("ö ".repeat(7).as_bytes()).unwrap();
        narrow.write_all(b"\n").unwrap();
        assert_eq!(narrow.inner, "a prompt> ö ö ö ö ö\n    ö ö \n".as_bytes());
    }
}
