//! What a generation looks like in numbers.

use std::collections::HashSet;

use crate::optimise::{Coding, Evaluated, mean_hamming_distance};

/// Numbers about one evaluated generation. Means and deviations are over all members.
#[derive(Debug, Clone, PartialEq)]
pub struct Statistics {
    /// Number of the generation, from 1.
    pub generation: u32,
    /// The largest fitness.
    pub best: u64,
    /// The mean fitness.
    pub mean: f64,
    /// The smallest fitness.
    pub worst: u64,
    /// The standard deviation of fitness.
    pub sd: f64,
    /// Bits in which two members differ, averaged over all pairs.
    pub hamming: f64,
    /// Different chromosomes.
    pub distinct: usize,
    /// Mean and standard deviation of each weight, in the order of the features.
    pub weights: Vec<(f64, f64)>,
}

impl Statistics {
    /// The numbers of an evaluated generation.
    pub fn of(coding: &Coding, evaluated: &Evaluated) -> Statistics {
        let Evaluated { generation, members, fitness, .. } = evaluated;
        let signed: Vec<i64> = fitness.iter().map(|&f| f as i64).collect();
        let (mean, sd) = mean_and_deviation(&signed);
        let decoded: Vec<Vec<i64>> = members.iter().map(|m| coding.decode(m)).collect();
        let weight = |gene: usize| {
            mean_and_deviation(&decoded.iter().map(|weights| weights[gene]).collect::<Vec<_>>())
        };
        Statistics {
            generation: *generation,
            best: evaluated.best().1,
            mean,
            worst: *fitness.iter().min().expect("a generation has candidates"),
            sd,
            hamming: mean_hamming_distance(members),
            distinct: members.iter().collect::<HashSet<_>>().len(),
            weights: (0..decoded[0].len()).map(weight).collect(),
        }
    }
}

/// Mean and (population) standard deviation. Sums are integers, so only the last steps round.
fn mean_and_deviation(values: &[i64]) -> (f64, f64) {
    let count = values.len() as i128;
    let sum: i128 = values.iter().map(|&v| i128::from(v)).sum();
    let squares: i128 = values.iter().map(|&v| i128::from(v) * i128::from(v)).sum();
    let mean = sum as f64 / count as f64;
    let deviation = ((count * squares - sum * sum) as f64).sqrt() / count as f64;
    (mean, deviation)
}

#[cfg(test)]
mod tests {
    use crate::optimise::Chromosome;
    use mancala::random::{Purpose, stream};
    use rand::Rng;

    use super::*;
    use crate::run::Draft;

    #[test]
    fn a_generation_by_the_definitions() {
        let settings = Draft::preset("daoud2004").unwrap().finish().unwrap();
        let member = |index: u64| {
            let mut coins = stream(1, Purpose::Population, 1, index);
            Chromosome::new((0..48).map(|_| coins.next_u32() & 1 == 1).collect())
        };
        let mut members: Vec<Chromosome> = (0..50).map(member).collect();
        members[7] = members[0].clone();
        let fitness: Vec<u64> = (0..50).map(|i| i * 7 % 41).collect();
        let evaluated = Evaluated {
            generation: 9,
            members: members.clone(),
            fitness: fitness.clone(),
            games_asked: 0,
            games_played: 0,
        };
        let statistics = Statistics::of(&settings.coding(), &evaluated);
        assert_eq!((statistics.best, statistics.worst), (40, 0));
        let first = fitness.iter().position(|f| *f == 40).unwrap();
        assert_eq!(evaluated.best().0, &members[first]);
        assert_eq!(statistics.distinct, 49);
        let mean = fitness.iter().sum::<u64>() as f64 / 50.0;
        let squares = fitness.iter().map(|&f| (f as f64 - mean).powi(2)).sum::<f64>();
        assert!((statistics.mean - mean).abs() < 1e-12);
        assert!((statistics.sd - (squares / 50.0).sqrt()).abs() < 1e-9);
        let mut distance = 0;
        for (index, one) in members.iter().enumerate() {
            for other in &members[..index] {
                let pairs = one.bits().iter().zip(other.bits());
                distance += pairs.filter(|(a, b)| a != b).count();
            }
        }
        assert!((statistics.hamming - distance as f64 / 1225.0).abs() < 1e-12);
        assert_eq!(statistics.weights.len(), 12);
        assert!(
            statistics.weights.iter().all(|(mean, sd)| (0.0..=15.0).contains(mean) && *sd < 8.0)
        );
    }
}
