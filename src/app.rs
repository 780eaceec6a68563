//! What an application does, without a terminal: sessions and use cases that a front end drives.
//!
//! Architecture invariant: nothing here prints, parses a command line or draws a bar. A front end
//! reads the state of a session. It hears of long work through a
//! [`Progress`](mancala::progress::Progress) or an observer, and gets typed errors.

pub mod champion;
pub mod compare;
pub mod contest;
pub mod curves;
pub mod follow;
pub mod matches;
pub mod openings;
pub mod pages;
pub mod play;
pub mod resume;
pub mod series;
pub mod stop;
pub mod tables;
pub mod train;
pub mod uci;
