//! ayo
pub mod report;
