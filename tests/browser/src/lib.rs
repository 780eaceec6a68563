//! Support for browser tests: temporary folders, servers and browsers.

pub mod axe;
mod board;
mod page;
pub mod programs;
pub mod runs;
mod server;
mod stage;

pub use board::PAYOFFS;
pub use page::{Page, Screen, retry};
pub use server::Server;
pub use stage::{Scene, Stage, in_browser};
