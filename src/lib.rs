//! ayo
