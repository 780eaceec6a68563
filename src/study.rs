//! Published studies, done again and set beside what was printed.

pub mod amdf;
pub mod conjecture;
pub mod kansas;
mod pairing;
pub mod rbh;

pub use pairing::{Pairing, PairingError, Settled, play_all};
