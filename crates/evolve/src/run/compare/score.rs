//! What the trials of a comparison come to.

use std::ops::RangeInclusive;

use arena::player::PANEL_SIZE;

use super::Trial;

/// The mean of a figure over the seeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The arithmetic mean.
    pub mean: f64,
    /// Half the width of its 95 % interval, by Student's t; `None` for one seed.
    pub margin: Option<f64>,
}

/// How a contestant did.
#[derive(Debug, Clone, PartialEq)]
pub struct ContestantScore {
    /// Which.
    pub contestant: String,
    /// The seeds that are finished.
    pub seeds: Vec<u64>,
    /// The mean score against the panel at the end of the budget.
    pub panel: Mean,
    /// The score against each opponent of the panel.
    pub opponents: Vec<Mean>,
}

impl Mean {
    /// Of figures that were found independently, at least one.
    pub fn of(figures: &[f64]) -> Mean {
        let count = figures.len() as f64;
        let mean = figures.iter().sum::<f64>() / count;
        let squares: f64 = figures.iter().map(|it| (it - mean) * (it - mean)).sum();
        let margin = (figures.len() > 1)
            .then(|| quantile(figures.len() - 1) * (squares / (count - 1.0) / count).sqrt());
        Mean { mean, margin }
    }
}

impl Mean {
    /// Its 95 % interval, as far as the figure can be; none of one seed.
    pub fn interval(&self, possible: RangeInclusive<f64>) -> Option<(f64, f64)> {
        let within = |end: f64| end.clamp(*possible.start(), *possible.end());
        self.margin.map(|margin| (within(self.mean - margin), within(self.mean + margin)))
    }
}

/// What one contestant is ahead of another by. Both began from the same seeds, so that the difference seed by
/// seed says more than two intervals side by side.
#[derive(Debug, Clone, PartialEq)]
pub struct PairedDifference {
    /// One contestant.
    pub a: String,
    /// The other.
    pub b: String,
    /// Seeds that both have finished.
    pub seeds: usize,
    /// The mean of a's score against the panel less b's.
    pub difference: Mean,
}

/// Student's t: the point above which 2.5 % lie.
fn quantile(degrees: usize) -> f64 {
    const FIRST: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045, 2.042,
    ];
    // Beyond, the first terms of Fisher's expansion are right to three decimals.
    let normal = 1.959_964;
    let further = normal + (normal * normal * normal + normal) / (4.0 * degrees as f64);
    FIRST.get(degrees.wrapping_sub(1)).copied().unwrap_or(further)
}

/// The standings of the contestants that have finished with a seed, the best first.
pub fn contestant_scores(trials: &[Trial]) -> Vec<ContestantScore> {
    let mut names: Vec<&str> = Vec::new();
    for trial in trials {
        if !names.contains(&trial.contestant.as_str()) {
            names.push(&trial.contestant);
        }
    }
    let mut scores: Vec<ContestantScore> = names.iter().map(|name| score(name, trials)).collect();
    scores.sort_by(|a, b| b.panel.mean.total_cmp(&a.panel.mean));
    scores
}

/// Each two contestants that have finished with the same seeds, the better first.
pub fn differences(trials: &[Trial]) -> Vec<PairedDifference> {
    let standings = contestant_scores(trials);
    let panel = |contestant: &str, seed: u64| {
        let own = trials.iter().find(|it| it.contestant == contestant && it.seed == seed)?;
        Some(own.points.last()?.mean().0)
    };
    let mut found = Vec::new();
    for (place, a) in standings.iter().enumerate() {
        for b in &standings[place + 1..] {
            let ahead =
                |&seed: &u64| Some(panel(&a.contestant, seed)? - panel(&b.contestant, seed)?);
            let each: Vec<f64> = a.seeds.iter().filter_map(ahead).collect();
            if each.is_empty() {
                continue;
            }
            let (a, b) = (a.contestant.clone(), b.contestant.clone());
            found.push(PairedDifference { a, b, seeds: each.len(), difference: Mean::of(&each) });
        }
    }
    found
}

fn score(name: &str, trials: &[Trial]) -> ContestantScore {
    let own: Vec<&Trial> = trials.iter().filter(|trial| trial.contestant == name).collect();
    let last: Vec<_> = own.iter().filter_map(|trial| trial.points.last()).collect();
    let against = |opponent: usize| {
        let scores = last.iter().map(|point| point.strength[opponent].score);
        Mean::of(&scores.collect::<Vec<_>>())
    };
    ContestantScore {
        contestant: name.into(),
        seeds: own.iter().map(|trial| trial.seed).collect(),
        panel: Mean::of(&last.iter().map(|point| point.mean().0).collect::<Vec<_>>()),
        opponents: (0..PANEL_SIZE).map(against).collect(),
    }
}
