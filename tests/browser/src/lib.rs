//! What the tests in a browser share: a folder of their own, a server, a browser, and what they ask of both.

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
