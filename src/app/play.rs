//! A game of a person with a player.

mod command;
mod session;

pub use command::{Command, NoCommand, WORDS, Word, letters, parse};
pub use session::{Advice, NoAdvice, Refused, Session, Stuck, Turn};
