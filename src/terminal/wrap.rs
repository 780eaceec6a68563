//! Word wrapping for narrow terminals.

use std::io::{self, Write};

/// A writer that breaks lines of more than `width` characters between words. Continued lines are indented.
pub(super) struct Wrapped<W: Write> {
    pub(super) inner: W,
    pub(super) width: usize,
    /// The current line, without its end.
    pub(super) line: String,
}

impl<W: Write> Write for Wrapped<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The bytes are whole characters, because `Seen` writes no others.
        for piece in String::from_utf8_lossy(bytes).split_inclusive('\n') {
            self.line += piece;
            if piece.ends_with('\n') {
                self.inner.write_all(wrapped(&self.line, self.width).as_bytes())?;
                self.line.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.write_all(std::mem::take(&mut self.line).as_bytes())?;
        self.inner.flush()
    }
}

/// Breaks a line between words. Continued lines are indented four columns deeper, and a longer word is not broken.
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

    #[test]
    fn lines_are_broken_between_words_and_indented() {
        assert_eq!(wrapped("  a bc def\n", 20), "  a bc def\n");
        assert_eq!(wrapped("  aaaa bbbb cccc dddd\n", 16), "  aaaa bbbb cccc\n      dddd\n");
        assert_eq!(wrapped("aaaaaaaaaaaaaaaaaaaa b\n", 8), "aaaaaaaaaaaaaaaaaaaa\n    b\n");
        let mut narrow = Wrapped { inner: Vec::new(), width: 10, line: String::new() };
        narrow.write_all(b"a prompt> ").unwrap();
        narrow.flush().unwrap();
        narrow.write_all("ö ".repeat(7).as_bytes()).unwrap();
        narrow.write_all(b"\n").unwrap();
        assert_eq!(narrow.inner, "a prompt> ö ö ö ö ö\n    ö ö \n".as_bytes());
    }
}
