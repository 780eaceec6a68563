//! The UCI-style protocol of Oware engines, as Aalina speaks it: lines of text, commands to the
//! engine and replies from it.
//!
//! Positions are written as fifteen fields and moves as letters run together. Both ends of a
//! conversation use these types: `ayo uci` reads commands and writes replies, and a player that asks an
//! external engine writes commands and reads replies.

mod clocks;
mod command;
mod reply;

pub use clocks::Clocks;
pub use command::{Command, CommandError, Until};
pub use reply::{Info, NO_MOVE, Reply};

/// The beginning of a text, printable, for a message. The text may be long and hold any characters.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let front: String = text.chars().take(LONGEST).collect();
    let cut = front.len() < text.len();
    printable(&front) + if cut { "…" } else { "" }
}

/// A text in which control characters and invisible ones are escaped.
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
    fn a_message_shows_what_a_terminal_would_obey() {
        assert_eq!(shortened("it's \"Ölware\" 2\\3"), "it's \"Ölware\" 2\\3");
        assert_eq!(shortened("\u{1b}[2Jgone\u{7}\t\u{202e}"), "\\u{1b}[2Jgone\\u{7}\\t\\u{202e}");
        assert_eq!(shortened(&"x".repeat(61)), "x".repeat(60) + "…");
        assert_eq!(shortened(&"\0".repeat(60)), "\\0".repeat(60));
    }
}
