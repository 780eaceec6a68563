//! The UCI-style protocol of the Oware engine Aalina, in which each command and each reply is a line of text.
//!
//! Positions are written as fifteen fields, and moves as letters without separators. Both sides share these types:
//! `ayo uci` reads commands and writes replies, while a player with an external engine does the reverse.

mod command;
mod reply;

use std::fmt;

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

/// Returns the first 60 characters of untrusted text in printable form, for use in a message.
pub(super) fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    let front: String = text.chars().take(MAX_CHARS).collect();
    let ellipsis = if front.len() < text.len() { "…" } else { "" };
    printable(&front) + ellipsis
}

/// Escapes control characters and invisible characters.
pub fn printable(text: &str) -> String {
    let escaped = |c: char| match c {
        '"' | '\'' | '\\' => c.to_string(),
        _ => c.escape_debug().to_string(),
    };
    text.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(shortened("it's \"Ölware\" 2\\3"), "it's \"Ölware\" 2\\3");
        assert_eq!(shortened("\u{1b}[2Jgone\u{7}\t\u{202e}"), "\\u{1b}[2Jgone\\u{7}\\t\\u{202e}");
        assert_eq!(shortened(&"x".repeat(61)), "x".repeat(60) + "…");
        assert_eq!(shortened(&"\0".repeat(60)), "\\0".repeat(60));
    }
}
