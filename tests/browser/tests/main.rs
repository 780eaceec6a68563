//! `ayo serve` in a real browser.

mod adviser;
mod games;
mod keyboard;
mod look;
mod restart;
mod tabs;
mod training;
