//! A session of the protocol of Oware engines.

mod search;
mod session;
#[cfg(test)]
mod tests;

pub use search::Found;
pub use session::{Event, Session};
