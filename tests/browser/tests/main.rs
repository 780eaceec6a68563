//! `ayo serve` in a real browser.

mod adviser;
mod curves;
mod games;
mod keyboard;
mod look;
mod matches;
mod names;
mod pictures;
mod report;
mod restart;
mod tabs;
mod tour;
mod training;
mod views;
