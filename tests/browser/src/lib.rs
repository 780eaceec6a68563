//! Support for browser tests: a temporary folder, a server and a browser.

pub mod axe;
pub mod board;
pub mod page;
pub mod programs;
pub mod requests;
pub mod runs;
pub mod server;
pub mod stage;
mod webdriver;

pub use page::{Page, Screen};
pub use server::Server;
pub use stage::{Scene, Stage, in_browser};
