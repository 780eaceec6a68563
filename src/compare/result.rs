//! The result of a comparison, as printed by `--json`.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

use arena::player::PANEL_SIZE;
use evolve::run::{measured_openings, openings_name};
use serde::Serialize;

use super::{Budget, ComparisonTerms, Point, Trial};
use crate::terminal::as_map;
use crate::train::strength::Score;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "comparison")]
pub struct Comparison {
    pub budget: String,
    pub depth: u32,
    pub openings: String,
    /// Whether the searches can be reproduced on any machine.
    pub reproducible: bool,
    /// The results of the contestants, best first.
    pub contestants: Vec<ContestantResult>,
    /// The searches, in the order in which they finished.
    pub searches: Vec<Trial>,
    pub interrupted: bool,
    /// The difference for each pair of contestants that have seeds in common, where `a` is the better contestant.
    pub differences: Vec<Difference>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContestantResult {
    pub contestant: String,
    /// The seeds of the finished searches.
    pub seeds: Vec<u64>,
    /// The mean score against the reference opponents, measured at the end of each search.
    pub panel: MeanScore,
    #[serde(serialize_with = "as_map")]
    pub opponents: Vec<(String, MeanScore)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeanScore {
    pub score: f64,
    /// The 95 % confidence interval of the score, or `None` if there is only one seed.
    pub score_ci95: Option<(f64, f64)>,
}

/// The difference between two contestants on the same seeds. It is more precise than the difference of their means.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    pub a: String,
    pub b: String,
    /// The number of seeds that both contestants have in common.
    pub seeds: usize,
    /// The mean of `a`'s score minus `b`'s score, from −1 to 1.
    pub difference: f64,
    /// The 95 % confidence interval of the difference, or `None` if there is only one seed.
    pub difference_ci95: Option<(f64, f64)>,
}

/// The mean of a value over several seeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    pub mean: f64,
    /// Half the width of the 95 % confidence interval (Student's t), or `None` for a single seed.
    pub margin: Option<f64>,
}

impl Comparison {
    pub(crate) fn new(terms: &ComparisonTerms, trials: &[Trial], interrupted: bool) -> Comparison {
        let contestants = contestants(trials);
        Comparison {
            budget: terms.budget.to_string(),
            depth: terms.depth,
            openings: openings_name(terms.openings.into(), measured_openings(terms.game)),
            // A node budget isn't reproducible either, because the hit rate of the move cache depends on thread timing.
            reproducible: matches!(terms.budget, Budget::Games(_)),
            differences: differences(trials, &contestants),
            contestants,
            searches: trials.to_vec(),
            interrupted,
        }
    }
}

impl fmt::Display for MeanScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}{}", self.score, interval(self.score_ci95))
    }
}

/// Formats a confidence interval with a leading space. `None` becomes an empty string.
pub(crate) fn interval(ends: Option<(f64, f64)>) -> String {
    ends.map_or_else(String::new, |(low, high)| format!(" ({low:.3} to {high:.3})"))
}

impl MeanScore {
    /// Returns the mean score over one or more seeds. A few seeds may have similar scores by chance, so the interval is
    /// never narrower than the confidence intervals of the individual scores imply.
    pub(crate) fn new(scores: &[Score]) -> MeanScore {
        let mean = Mean::of(&scores.iter().map(|it| it.score).collect::<Vec<_>>());
        let least = |ends: fn(&Score) -> f64| {
            let squares = scores.iter().map(|it| (ends(it) - it.score).powi(2)).sum::<f64>();
            squares.sqrt() / scores.len() as f64
        };
        let score_ci95 = mean.interval(0.0..=1.0).map(|(low, high)| {
            let below = least(|it| it.score_ci95.0);
            let above = least(|it| it.score_ci95.1);
            (low.min(mean.mean - below).max(0.0), high.max(mean.mean + above).min(1.0))
        });
        MeanScore { score: mean.mean, score_ci95 }
    }
}

impl Mean {
    /// Returns the mean of one or more independent values.
    pub fn of(figures: &[f64]) -> Mean {
        let count = figures.len() as f64;
        let mean = figures.iter().sum::<f64>() / count;
        let squares: f64 = figures.iter().map(|it| (it - mean) * (it - mean)).sum();
        let margin = (figures.len() > 1)
            .then(|| quantile(figures.len() - 1) * (squares / (count - 1.0) / count).sqrt());
        Mean { mean, margin }
    }

    /// Returns the 95 % confidence interval, clamped to the range of possible values.
    pub fn interval(&self, possible: RangeInclusive<f64>) -> Option<(f64, f64)> {
        let within = |end: f64| end.clamp(*possible.start(), *possible.end());
        self.margin.map(|margin| (within(self.mean - margin), within(self.mean + margin)))
    }
}

/// Returns the 97.5 % quantile of Student's t-distribution.
fn quantile(degrees: usize) -> f64 {
    const FIRST: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045, 2.042,
    ];
    // Above 30 degrees of freedom, the first terms of Fisher's expansion are accurate to three decimals.
    let normal = 1.959_964;
    let further = normal + (normal * normal * normal + normal) / (4.0 * degrees as f64);
    FIRST.get(degrees.wrapping_sub(1)).copied().unwrap_or(further)
}

/// Returns the results of all contestants, best contestant first.
pub(crate) fn contestants(trials: &[Trial]) -> Vec<ContestantResult> {
    let names: BTreeSet<&str> = trials.iter().map(|trial| trial.contestant.as_str()).collect();
    let result = |name: &&str| {
        let own: Vec<&Trial> = trials.iter().filter(|trial| trial.contestant == *name).collect();
        let last: Vec<&Point> = own.iter().filter_map(|trial| trial.points.last()).collect();
        let mean = |score: &dyn Fn(&Point) -> Score| {
            MeanScore::new(&last.iter().map(|point| score(point)).collect::<Vec<_>>())
        };
        let opponent = |index: usize| {
            let name = last[0].strength[index].opponent.clone();
            (name, mean(&|point| (&point.strength[index]).into()))
        };
        ContestantResult {
            contestant: name.to_string(),
            seeds: own.iter().map(|trial| trial.seed).collect(),
            panel: mean(&|point| Score::within(point.mean())),
            opponents: (0..PANEL_SIZE).map(opponent).collect(),
        }
    };
    let mut results: Vec<ContestantResult> = names.iter().map(result).collect();
    results.sort_by(|a, b| b.panel.score.total_cmp(&a.panel.score));
    results
}

fn differences(trials: &[Trial], contestants: &[ContestantResult]) -> Vec<Difference> {
    let score = |contestant: &str, seed: u64| {
        let own = trials.iter().find(|it| it.contestant == contestant && it.seed == seed)?;
        Some(own.points.last()?.mean().0)
    };
    let pairs = contestants.iter().enumerate();
    let pairs = pairs.flat_map(|(place, a)| contestants[place + 1..].iter().map(move |b| (a, b)));
    let difference = |(a, b): (&ContestantResult, &ContestantResult)| {
        let less = |&seed: &u64| Some(score(&a.contestant, seed)? - score(&b.contestant, seed)?);
        let each: Vec<f64> = a.seeds.iter().filter_map(less).collect();
        (!each.is_empty()).then(|| {
            let mean = Mean::of(&each);
            Difference {
                a: a.contestant.clone(),
                b: b.contestant.clone(),
                seeds: each.len(),
                difference: mean.mean,
                difference_ci95: mean.interval(-1.0..=1.0),
            }
        })
    };
    pairs.filter_map(difference).collect()
}
