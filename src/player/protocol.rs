//! The UCI-style protocol of Oware engines, as Aalina speaks it: lines of text, commands to the
//! engine and replies from it.
//!
//! Positions are written as fifteen fields and moves as letters run together. Both ends of a
//! conversation use these types: `ayo uci` reads commands and writes replies, a player outside the
//! program is written commands and read replies.

mod command;
mod reply;

pub use command::{Command, CommandError, Until};
pub use reply::{Info, NO_MOVE, Reply};

/// The front of a text that may be long, for a message.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let front: String = text.chars().take(LONGEST).collect();
    if front.len() < text.len() { front + "…" } else { front }
}
