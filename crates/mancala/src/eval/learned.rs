//! Learned layers: features that are fitted, and evaluation by them.

mod layer;

pub use layer::{Layer, LayerError, MOST_UNITS, ONE, Quantised, UNIT_MAX};

#[cfg(test)]
mod tests;
