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

/// One of some things, all equally likely; `None` if there are none, for which nothing is drawn.
pub fn one_of<T>(mut things: impl ExactSizeIterator<Item = T>, dice: &mut impl Rng) -> Option<T> {
    let count = things.len() as u32;
    (count > 0).then(|| dice.random_range(0..count)).and_then(|place| things.nth(place as usize))
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

    #[test]
    fn each_of_some_things_is_as_likely_as_the_others() {
        let mut dice = stream(1, Purpose::Player, 0, 0);
        let mut drawn = [0i32; 3];
        for _ in 0..30_000 {
            drawn[one_of(0..3usize, &mut dice).unwrap()] += 1;
        }
        // Five standard errors.
        assert!(drawn.iter().all(|times| (times - 10_000).abs() < 410));
        assert_eq!(one_of(0..0usize, &mut dice), None);
    }
}
