//! What streams of random numbers are made into.

use rand::{Rng, RngExt};

/// A standard normal number, by the polar method of Marsaglia.
pub fn normal(dice: &mut impl Rng) -> f64 {
    loop {
        let [x, y] = [(); 2].map(|()| 2.0 * dice.random::<f64>() - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * libm::log(square) / square).sqrt();
        }
    }
}

/// So many numbers below `of` without replacement, in the order drawn.
pub fn drawn(count: usize, of: usize, dice: &mut impl Rng) -> Vec<usize> {
    let mut all: Vec<usize> = (0..of).collect();
    let count = count.min(of);
    for index in 0..count {
        let other = dice.random_range(index as u32..of as u32);
        all.swap(index, other as usize);
    }
    all.truncate(count);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, stream};

    #[test]
    fn normal_numbers_are_normal() {
        let mut dice = stream(1, Purpose::Mutation, 0, 0);
        let drawn: Vec<f64> = (0..100_000).map(|_| normal(&mut dice)).collect();
        let mean = |power: i32| drawn.iter().map(|x| x.powi(power)).sum::<f64>() / 1e5;
        // Five standard errors of each moment.
        assert!(mean(1).abs() < 0.016 && (mean(2) - 1.0).abs() < 0.023);
        assert!((mean(4) - 3.0).abs() < 0.155);
    }
}
