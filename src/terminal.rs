//! Standard output and standard error, through which all output of commands passes.
//!
//! Names and messages come from files, folders and other programs, so characters that control a
//! terminal are escaped here. They are escaped as in JSON, so JSON on standard output keeps its
//! meaning. Text that must not break a line, such as the name of a folder, is passed through [`shown`].

mod error;
mod input;
mod interrupt;
mod meter;
mod output;
mod progress;
pub(crate) mod shell;
mod workers;
mod wrap;

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::OnceLock;

use mancala::text::{escape, escape_lines};

pub(crate) use self::{
    error::*, input::*, interrupt::*, meter::*, output::*, progress::*, workers::*,
};

static PLAIN: OnceLock<bool> = OnceLock::new();

/// Sets whether the user asked for plain output, which a dumb terminal always gets.
pub(crate) fn set_plain(is_requested: bool) {
    let is_dumb = std::env::var_os("TERM").is_some_and(|it| it == "dumb");
    let _ = PLAIN.set(is_requested || is_dumb);
}

/// Returns whether progress is shown as lines and boards in words.
pub(crate) fn is_plain() -> bool {
    PLAIN.get().copied().unwrap_or(false)
}

/// Returns standard output with control characters escaped, which is passed to all commands. If `wraps`, lines that
/// are too long for a terminal are broken between words.
pub(crate) fn output(wraps: bool) -> impl Write {
    let stdout = io::BufWriter::new(io::stdout().lock());
    let size = terminal_size::terminal_size_of(io::stdout()).filter(|_| wraps);
    let width = size.map_or(usize::MAX, |(width, _)| width.0.into());
    Seen { inner: wrap::Wrapped { inner: stdout, width, line: String::new() }, begun: Vec::new() }
}

/// Returns an error if nothing can be written to standard output, for example because the disk is full. Called before
/// the work starts, so that it is not done in vain.
pub(crate) fn check_output() -> io::Result<()> {
    #[cfg(unix)]
    {
        let output = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?;
        std::fs::File::from(output).write(&[]).map_err(unwritten)?;
    }
    Ok(())
}

/// Prints a line to standard error. Errors are ignored, so that work continues even if nobody reads it.
pub(crate) fn say(line: impl Display) {
    let _ = writeln!(io::stderr(), "{}", escape(&line.to_string()));
}

/// Like [`say`], for an error that ends the program.
pub(crate) fn fail(sentence: impl Display) {
    say(format!("ayo: {sentence}"));
}

/// Like [`say`], for a warning while work continues.
pub(crate) fn warn(sentence: impl Display) {
    say(format!("ayo: warning: {sentence}"));
}

/// Like [`say`], but ends the current line first, for instance after the `^C` that a terminal echoes.
pub(crate) fn say_below(line: impl Display) {
    let _ = writeln!(io::stderr());
    say(line);
}

/// Prints multiple lines to standard error.
pub(crate) fn say_lines(text: &str) {
    let _ = write!(io::stderr(), "{}", escape_lines(text));
}

/// Escapes a path or an external name for use in a sentence or table.
pub(crate) fn shown(name: impl AsRef<OsStr>) -> String {
    escape(&name.as_ref().to_string_lossy()).into_owned()
}

/// Adds the name of standard output to an I/O error, which names no file itself.
pub(crate) fn unwritten(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::Interrupted => error,
        kind => io::Error::new(kind, format!("cannot write to standard output: {error}")),
    }
}

/// A writer that escapes control characters. Its errors name standard output.
struct Seen<W: Write> {
    inner: W,
    /// The first bytes of a character, if the last write ended within it.
    begun: Vec<u8>,
}

impl<W: Write> Write for Seen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let joined = [&self.begun, bytes].concat();
        self.begun.clear();
        let mut chunks = joined.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.inner.write_all(escape_lines(chunk.valid()).as_bytes()).map_err(unwritten)?;
            let unfinished = chunks.peek().is_none() && is_begun(chunk.invalid());
            if unfinished {
                self.begun = chunk.invalid().to_vec();
            } else if !chunk.invalid().is_empty() {
                self.inner.write_all("\u{fffd}".as_bytes()).map_err(unwritten)?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush().map_err(unwritten)
    }
}

/// Returns whether `bytes` are the start of an incomplete character.
fn is_begun(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(pieces: &[&[u8]]) -> String {
        let mut output = Seen { inner: Vec::new(), begun: Vec::new() };
        pieces.iter().for_each(|piece| output.write_all(piece).unwrap());
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
