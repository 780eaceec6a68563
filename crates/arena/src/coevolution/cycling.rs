use super::{Cell, Cycling, Noise, Verdict};
use crate::rating::Crosstable;
use crate::regression::QUANTILE_95;

/// The smallest [upset](Cycling::upset) of interest, in points per game.
const MIN_UPSET: f64 = 0.05;

/// Tests whether upsets are larger than noise explains. In the simulated tables, every champion has the same total
/// score as in the real one. Their ratings are therefore the same, and only noise causes upsets.
pub(super) fn cycling(cells: &[Cell], champions: usize, noise: &Noise) -> Cycling {
    let observed = upsets(cells, |_, cell| cell.score - cell.expected);
    let simulated = noise.iter().map(|noise| {
        let mut means = vec![0.0; champions];
        for (cell, noise) in cells.iter().zip(noise) {
            means[cell.players[0]] += noise / champions as f64;
            means[cell.players[1]] -= noise / champions as f64;
        }
        upsets(cells, |index, cell| noise[index] - means[cell.players[0]] + means[cell.players[1]])
    });
    let simulated: Vec<f64> = simulated.collect();
    let count = simulated.len() as f64;
    let mean = simulated.iter().sum::<f64>() / count;
    let variance =
        simulated.iter().map(|it| (it - mean) * (it - mean)).sum::<f64>() / (count - 1.0);
    let at_least = simulated.iter().filter(|&&it| it >= observed).count();
    let pairs: f64 = cells.iter().map(|cell| cell.pairs).sum();
    // If strengths are equal, the lower-rated champion wins only half of the time, hence the factor 2.
    let size = |excess: f64| (2.0 * excess.max(0.0) / pairs.max(1.0)).sqrt();
    let p_value = (at_least + 1) as f64 / (count + 1.0);
    let upset_high = size(observed - mean + QUANTILE_95 * variance.sqrt());
    let verdict = match p_value {
        _ if cells.is_empty() => Verdict::Undecided,
        p if p <= 0.05 => Verdict::Yes,
        _ if upset_high < MIN_UPSET => Verdict::No,
        _ => Verdict::Undecided,
    };
    Cycling {
        verdict,
        upset: size(observed - mean),
        upset_high,
        p_value,
        nash_support: 0,
        circles: Vec::new(),
    }
}

/// Sums the squares of how far lower-rated champions scored above ½. `residual` is the actual minus the expected score.
fn upsets(cells: &[Cell], residual: impl Fn(usize, &Cell) -> f64) -> f64 {
    let upset = |(index, cell): (usize, &Cell)| {
        let advantage = cell.expected - 0.5;
        let excess = advantage + residual(index, cell);
        if excess * advantage < 0.0 { cell.pairs * excess * excess } else { 0.0 }
    };
    cells.iter().enumerate().map(upset).sum()
}

const NASH_ITERATIONS: usize = 1000;

/// Returns the Nash equilibrium of the game in which both sides choose a champion and receive its score, by averaging
/// optimistic multiplicative weights (S. Rakhlin and K. Sridharan, NIPS 2013; D. Balduzzi et al., *Re-evaluating
/// evaluation*, NeurIPS 2018, use this equilibrium to compare players).
pub(super) fn nash(pairs: &Crosstable, champions: usize) -> Vec<f64> {
    let payoff = |a: usize, b: usize| pairs.between(a, b).score().map_or(0.0, |score| score - 0.5);
    let payoffs: Vec<Vec<f64>> =
        (0..champions).map(|a| (0..champions).map(|b| payoff(a, b)).collect()).collect();
    let mut sums = vec![0.0; champions];
    let mut last = vec![0.0; champions];
    let mut average = vec![0.0; champions];
    for _ in 0..NASH_ITERATIONS {
        let exponents = sums.iter().zip(&last).map(|(sum, last)| sum + last);
        let highest = exponents.clone().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = exponents.map(|it| libm::exp(it - highest)).collect();
        let total: f64 = weights.iter().sum();
        for (champion, row) in payoffs.iter().enumerate() {
            average[champion] += weights[champion] / total / NASH_ITERATIONS as f64;
            last[champion] =
                row.iter().zip(&weights).map(|(payoff, weight)| payoff * weight / total).sum();
            sums[champion] += last[champion];
        }
    }
    average
}
