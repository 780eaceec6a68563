//! The UCI-style protocol of the Oware engine Aalina, in which each command and each reply is a line of text.
//!
//! Positions are written as fifteen fields, and moves as letters without separators. Both sides use these types:
//! `ayo uci` reads commands and writes replies, while a player with an external engine does the reverse.

mod command;
mod reply;

use std::fmt;

use mancala::text::escape;

pub use command::{Clocks, Command, CommandError, Until};
pub use reply::{Info, NO_MOVE, Reply};

/// Writes ` name value` if there is a value.
fn write_word(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
}

/// Returns the first 120 characters of untrusted text, escaped for use in a message.
pub(crate) fn excerpt(text: &str) -> String {
    const MAX_CHARS: usize = 120;
    let front: String = text.chars().take(MAX_CHARS).collect();
    let ellipsis = if front.len() < text.len() { "…" } else { "" };
    escape(&front).into_owned() + ellipsis
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(excerpt("it's \"Ölware\" 2\\3"), "it's \"Ölware\" 2\\3");
        assert_eq!(excerpt("\u{1b}[2Jgone\u{7}\t\u{202e}"), "\\u001b[2Jgone\\u0007\\t\\u202e");
        assert_eq!(excerpt(&"x".repeat(121)), "x".repeat(120) + "…");
        assert_eq!(excerpt(&"\0".repeat(120)), "\\u0000".repeat(120));
    }
}
