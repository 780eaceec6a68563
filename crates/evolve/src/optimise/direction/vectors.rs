//! Arithmetic of points. It is + − × ÷ and roots alone, so that all machines agree.

use mancala::random::normal;
use rand::Rng;

/// A place in the space of weights. Only its direction matters.
pub(crate) type Point = Vec<f64>;

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// `a + factor · b`
pub(crate) fn plus(a: &[f64], factor: f64, b: &[f64]) -> Point {
    a.iter().zip(b).map(|(a, b)| a + factor * b).collect()
}

pub(crate) fn times(factor: f64, a: &[f64]) -> Point {
    a.iter().map(|a| factor * a).collect()
}

/// Whether the length is 1, rounding aside.
pub(crate) fn is_unit(a: &[f64]) -> bool {
    (norm(a) - 1.0).abs() < 1e-6
}

pub(crate) fn normals(dimensions: usize, dice: &mut impl Rng) -> Point {
    (0..dimensions).map(|_| normal(dice)).collect()
}
