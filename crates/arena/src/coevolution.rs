//! Diagnoses problems with coevolution, such as cycling, based on games between the champions of a run.
//!
//! In coevolution, fitness is relative to the opponents, so a fitness curve can't tell progress from cycling. Instead,
//! we let the champions of a run play each other and compare older and newer champions. See [`Lineage::diagnose`].

use std::ops::Range;

use mancala::random::{Purpose, normal, stream};
use nalgebra::{DMatrix, DVector};
use serde::Serialize;

use crate::pentanomial::Pentanomial;
use crate::rating::{Crosstable, Rating, Ratings, Triple};
use crate::regression::{Line, QUANTILE_95, quantile_95, scatter};
use crate::statistics::{QUANTILE_975, mean_and_variance, score_of_elo, wilson};

/// The champions of a run, oldest first, and the results of the pairs of games that they played against each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lineage {
    /// The generation of each champion, in increasing order.
    pub generations: Vec<u32>,
    /// For each champion, the index of the oldest champion with the same weights, which may be the champion itself. If
    /// two champions have the same weights, then they tie every pair of games, which says nothing about their strength.
    pub originals: Vec<usize>,
    pub pairs: Crosstable,
}

/// The outcome of a significance test at the 5 % level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The effect is significant.
    Yes,
    /// There is no effect, or it is too small to matter.
    No,
    /// There are too few games to tell.
    Undecided,
}

/// The ratings, scores and test results for the champions of a run. Scores are in points per game, from 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diagnosis {
    /// The generation of each champion, in increasing order. `ratings`, `scores` and `nash` are in the same order.
    pub generations: Vec<u32>,
    /// The minimum number of pairs of games that any two champions played against each other.
    pub pairs_per_cell: u64,
    /// The rating of each champion in Elo points, relative to the first champion. All ratings are fitted jointly.
    pub ratings: Vec<Rating>,
    /// `scores[i][j]` is the score of champion `i` against champion `j`, or `None` if they didn't play each other. The
    /// entries with `j < i` form the CIAO plot (current individual against ancestral opponents), and all entries
    /// together form the all-of-generation plot.
    pub scores: Vec<Vec<Option<Score>>>,
    /// The probability with which each champion is chosen in the Nash equilibrium. If the ratings explain all results,
    /// then only the strongest champions have a high probability.
    pub nash: Vec<f64>,
    pub progress: Progress,
    pub cycling: Cycling,
    pub forgetting: Forgetting,
    pub disengagement: Disengagement,
}

/// A score in points per game, between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Score {
    pub score: f64,
    pub score_ci95: (f64, f64),
    pub pairs: u64,
}

/// Whether champions become stronger over time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Progress {
    pub verdict: Verdict,
    /// The Elo gain from the first champion to the last one, according to a regression line through the ratings.
    pub gain: f64,
    pub gain_ci90: (f64, f64),
    /// The last generation after which ratings still rise significantly. This is `None` if there is no significant rise
    /// after the first champion, or if `verdict` isn't [`Verdict::Yes`].
    pub last_gain: Option<u32>,
}

/// Whether champions beat each other in cycles.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cycling {
    pub verdict: Verdict,
    /// The typical size of an upset, in points per game. An upset is the amount by which a weaker champion's score
    /// against a stronger one exceeds ½. We subtract the part of the upsets that noise can explain.
    pub upset: f64,
    /// The upper end of the one-sided 95 % confidence interval of `upset`.
    pub upset_high: f64,
    /// The p-value for the null hypothesis that the ratings explain all results, so that all upsets are due to chance.
    pub p_value: f64,
    /// The number of champions with a probability of at least 1 % in the Nash equilibrium. The verdict doesn't depend
    /// on this number, since noise increases it.
    pub nash_support: usize,
    /// Up to three cycles of three champions, most certain first. Champions are identified by their generation.
    pub circles: Vec<Triple<u32>>,
}

/// Whether later champions are rated higher than intermediate ones, but score lower against some ancestors.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Forgetting {
    pub verdict: Verdict,
    /// The most significant decline in scores that occurs despite rising ratings. Note that even this decline may not
    /// be statistically significant.
    pub decline: Option<Decline>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Decline {
    /// The first and last generation of the ancestors.
    pub ancestors: (u32, u32),
    /// The first and last generation of the champions that scored better.
    pub intermediate: (u32, u32),
    /// The first and last generation of the champions that scored lower.
    pub later: (u32, u32),
    /// The scores of the intermediate and the later champions against the ancestors.
    pub scores: (f64, f64),
    /// The first element of `scores` minus the second one.
    pub decline: f64,
    /// The confidence interval of `decline`, corrected for multiple comparisons.
    pub decline_ci90: (f64, f64),
    /// How much higher the later champions are rated than the intermediate ones, in Elo points.
    pub stronger_by: f64,
}

/// Whether games between champions of similar age no longer show which champion is stronger.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Disengagement {
    pub verdict: Verdict,
    /// The fraction of pairs of games in which one champion won both games.
    pub one_sided: Share,
    /// The fraction of pairs of games that were tied.
    pub level: Share,
    /// The number of pairs of games from which both fractions are computed. These are all pairs in which the two
    /// champions are of similar age and have different weights.
    pub pairs: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    pub share: f64,
    pub ci95: (f64, f64),
}

/// The number of crosstables that we simulate for the significance tests.
const SIMULATIONS: u64 = 199;
/// The smallest relevant Elo gain from the first champion to the last one.
const MIN_GAIN: f64 = 20.0;
/// Champions are disengaged if the fraction of one-sided pairs or of tied pairs is greater than this.
const MAX_UNINFORMATIVE: f64 = 0.9;
/// Two champions are of similar age if their positions in the lineage differ by at most this value.
const SIMILAR_AGE: usize = 2;

impl Lineage {
    /// Rates all champions jointly. Champions with the same weights are rated as if they were one player. Returns
    /// `None` unless every champion is connected to every other one by a chain of games.
    pub fn ratings(&self) -> Option<Ratings> {
        let count = self.originals.len();
        let distinct: Vec<usize> = (0..count).filter(|&it| self.originals[it] == it).collect();
        let place = |it: usize| distinct.partition_point(|&other| other < self.originals[it]);
        let mut table = Crosstable::new(distinct.len());
        for (a, b) in cells(count).filter(|&(a, b)| self.originals[a] != self.originals[b]) {
            table.add_all(place(a), place(b), self.pairs.between(a, b));
        }
        let Ratings { elo, covariance } = Ratings::fit(&table)?;
        Some(Ratings {
            elo: DVector::from_fn(count, |it, _| elo[place(it)]),
            covariance: DMatrix::from_fn(count, count, |a, b| covariance[(place(a), place(b))]),
        })
    }

    /// Diagnoses the run, as described in `docs/report.md`. The significance tests use random numbers that depend only
    /// on `seed`. Returns `None` for fewer than three champions, or if no chain of games connects all of them.
    ///
    /// CIAO plots are due to D. Cliff and G. F. Miller (*Tracking the Red Queen*, ECAL 1995, 200–218), and
    /// all-of-generation plots are due to A. Bader-Natal and J. B. Pollack (GECCO 2004, 585–586). CIAO plots alone
    /// cannot tell cycling, forgetting and disengagement apart (J. Cartlidge and S. Bullock, *Unpicking tartan CIAO
    /// plots*, Adaptive Behavior 12 (2004), 69–92), so we test for each of these problems separately. If an effect does
    /// not exist, then the verdict is [`Yes`](Verdict::Yes) with a probability of at most about 5 %. The verdict
    /// [`No`](Verdict::No) means that the effect is significantly smaller than the smallest effect that matters.
    pub fn diagnose(&self, seed: u64) -> Option<Diagnosis> {
        let (count, ratings) = (self.generations.len(), self.ratings()?);
        let results = self.results(&ratings);
        let last_gain = self.last_gain(&ratings);
        // Here, we rate champions separately even if they have the same weights. If champions shared a rating and its
        // error, then they would dominate the fitted line.
        let progress = self.progress(&Ratings::fit(&self.pairs)?, last_gain)?;
        let noise = noise(&results, seed);
        let nash = nash(&self.pairs, count);
        let cycling = self.cycling(&results, &noise, &nash);
        let forgetting = self.forgetting(&ratings, &results, progress.verdict, &noise);
        Some(Diagnosis {
            generations: self.generations.clone(),
            pairs_per_cell: cells(count).map(|(a, b)| self.pairs.between(a, b).pairs()).min()?,
            ratings: (0..count).map(|i| ratings.of(i, Some(0))).collect(),
            scores: self.scores(),
            nash,
            progress,
            cycling,
            forgetting,
            disengagement: self.disengagement(),
        })
    }

    fn scores(&self) -> Vec<Vec<Option<Score>>> {
        let count = self.generations.len();
        let mut scores = vec![vec![None; count]; count];
        for (a, b) in cells(count) {
            let (one, other) = (self.pairs.between(a, b), self.pairs.between(b, a));
            let (Some(of_a), Some(of_b), pairs) = (one.score(), other.score(), one.pairs()) else {
                continue;
            };
            let (low, high) = one.estimate().score_ci95;
            scores[a][b] = Some(Score { score: of_a, score_ci95: (low, high), pairs });
            scores[b][a] = Some(Score { score: of_b, score_ci95: (1.0 - high, 1.0 - low), pairs });
        }
        scores
    }

    fn results(&self, ratings: &Ratings) -> Vec<Cell> {
        let count = self.generations.len();
        let cell = |(a, b): (usize, usize)| {
            let all = self.pairs.between(a, b);
            let (score, pairs) = (all.score()?, all.pairs() as f64);
            let expected = score_of_elo(ratings.elo[a] - ratings.elo[b]);
            let deviation = all.with_prior(0.0).squares_about(expected).sqrt() / pairs;
            Some(Cell { players: [a, b], pairs, score, expected, deviation })
        };
        let mut results: Vec<Cell> = cells(count).filter_map(cell).collect();
        // The ratings were fitted to these results, so we correct the deviations for the number of fitted parameters.
        let pairs: f64 = results.iter().map(|cell| cell.pairs).sum();
        let correction = (pairs / (pairs + 1.0 - count as f64).max(1.0)).sqrt();
        results.iter_mut().for_each(|cell| cell.deviation *= correction);
        results
    }

    fn progress(&self, ratings: &Ratings, last_gain: Option<u32>) -> Option<Progress> {
        let count = ratings.elo.len();
        if count < 3 {
            return None;
        }
        let age: Vec<f64> = (0..count).map(|age| age as f64).collect();
        let elo = ratings.elo.as_slice();
        let scatter = scatter(elo, &ratings.covariance).max(0.0);
        let line = Line::fit(&age, elo, ratings.covariance.clone(), scatter);
        let span = (count - 1) as f64;
        let (gain, margin) =
            (line.slope * span, quantile_95(count - 2) * line.slope_deviation * span);
        let verdict = match gain {
            _ if gain > margin => Verdict::Yes,
            _ if gain + margin < MIN_GAIN => Verdict::No,
            _ => Verdict::Undecided,
        };
        // A random difference can be significant as well, so we only report the last gain if there is progress overall.
        let last_gain = last_gain.filter(|_| verdict == Verdict::Yes);
        Some(Progress { verdict, gain, gain_ci90: (gain - margin, gain + margin), last_gain })
    }

    /// Returns the last generation after which ratings still rise significantly according to either of two tests, each
    /// at the 2.5 % level. We test the champions in order and stop at the first one that isn't followed by a rise.
    /// Later champions can't be followed by a rise, either, so we don't need to correct for multiple comparisons.
    fn last_gain(&self, ratings: &Ratings) -> Option<u32> {
        let champions = 0..self.generations.len().saturating_sub(1);
        let rises =
            |&it: &usize| self.is_surpassed(ratings, it) || self.trend(ratings, it) > QUANTILE_975;
        champions.take_while(rises).last().map(|it| self.generations[it])
    }

    /// Returns whether some champion after `last` is significantly stronger than every champion up to `last`. This test
    /// finds gains even if they are followed by a decline.
    fn is_surpassed(&self, ratings: &Ratings, last: usize) -> bool {
        let later = last + 1..self.generations.len();
        // We apply the Bonferroni correction, since any of the later champions may be the stronger one.
        let confidence = 1.0 - 0.025 / later.len() as f64;
        later.clone().any(|it| (0..=last).all(|earlier| ratings.los(it, earlier) > confidence))
    }

    /// Returns Mann's statistic for a rising trend in the ratings from champion `first` on (H. B. Mann, Econometrica 13
    /// (1945), 245–259). Without a trend, the statistic is roughly standard normal. This test finds slow gains.
    fn trend(&self, ratings: &Ratings, first: usize) -> f64 {
        let elo = &ratings.elo;
        let later =
            cells(elo.len()).filter(|&(a, b)| b >= first && self.originals[a] != self.originals[b]);
        let rise = later.map(|(a, b)| elo[a].total_cmp(&elo[b]) as i32).sum::<i32>();
        let count = (elo.len() - first) as f64;
        // We subtract 1, which is the usual continuity correction if the sum is positive.
        f64::from(rise - 1) / (count * (count - 1.0) * (2.0 * count + 5.0) / 18.0).sqrt()
    }

    /// Tests whether there are more upsets than noise can explain. For comparison, we simulate tables in which every
    /// champion keeps its total score, and therefore its rating. Any upsets in these tables are due to noise.
    fn cycling(&self, cells: &[Cell], noise: &Noise, nash: &[f64]) -> Cycling {
        let champions = nash.len();
        let observed = upsets(cells, |_, cell| cell.score - cell.expected);
        let simulated = noise.iter().map(|noise| {
            let mut means = vec![0.0; champions];
            for (cell, noise) in cells.iter().zip(noise) {
                means[cell.players[0]] += noise / champions as f64;
                means[cell.players[1]] -= noise / champions as f64;
            }
            upsets(cells, |index, cell| {
                noise[index] - means[cell.players[0]] + means[cell.players[1]]
            })
        });
        let simulated: Vec<f64> = simulated.collect();
        let (mean, variance) = mean_and_variance(&simulated);
        let at_least = simulated.iter().filter(|&&it| it >= observed).count();
        let pairs: f64 = cells.iter().map(|cell| cell.pairs).sum();
        // Of two equally strong champions, the lower-rated one scores above ½ only half the time, hence the factor 2.
        let size = |excess: f64| (2.0 * excess.max(0.0) / pairs.max(1.0)).sqrt();
        let p_value = (at_least + 1) as f64 / (simulated.len() + 1) as f64;
        let upset_high = size(observed - mean + QUANTILE_95 * variance.sqrt());
        let verdict = match p_value {
            _ if cells.is_empty() => Verdict::Undecided,
            _ if upset_high < MIN_UPSET => Verdict::No,
            p if p <= 0.05 => Verdict::Yes,
            _ => Verdict::Undecided,
        };
        let circles = self.pairs.non_transitive_triples().into_iter().take(3);
        let circle = |it: Triple| it.named(|player| self.generations[player]);
        Cycling {
            verdict,
            upset: size(observed - mean),
            upset_high,
            p_value,
            nash_support: nash.iter().filter(|&&share| share >= 0.01).count(),
            circles: circles.filter(|_| verdict == Verdict::Yes).map(circle).collect(),
        }
    }

    /// Searches for the most significant decline in scores against any group of consecutive ancestors.
    fn forgetting(
        &self,
        ratings: &Ratings,
        cells: &[Cell],
        progress: Verdict,
        noise: &Noise,
    ) -> Forgetting {
        let (generations, count) = (&self.generations, self.generations.len());
        let splits = splits(count);
        let scores = Quantity::new(count, cells, |_, cell| cell.score);
        let variances = Quantity::new(count, cells, |_, cell| cell.deviation * cell.deviation);
        let deviations: Vec<f64> = splits.iter().map(|it| variances.deviation(it)).collect();
        let greatest = noise.iter().map(|noise| {
            let noise = Quantity::new(count, cells, |index, _| noise[index]);
            let ratios = splits.iter().zip(&deviations).map(|(it, sd)| noise.decline(it) / sd);
            ratios.fold(0.0, f64::max)
        });
        let mut greatest: Vec<f64> = greatest.collect();
        greatest.sort_by(f64::total_cmp);
        let critical = greatest[(greatest.len() * 95).div_ceil(100) - 1];
        let stronger_by = |it: &Split| {
            let mean = |range: &Range<usize>| {
                ratings.elo.rows_range(range.clone()).sum() / range.len() as f64
            };
            mean(&it.later) - mean(&it.intermediate)
        };
        let found = splits.iter().zip(&deviations).filter(|(it, _)| stronger_by(it) > 0.0);
        let declines = found.map(|(split, &sd)| (split, scores.decline(split), sd));
        let highest =
            declines.clone().map(|(_, decline, sd)| decline + critical * sd).fold(0.0, f64::max);
        let ratio = |&(_, decline, sd): &(&Split, f64, f64)| decline / sd;
        let most = declines.max_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        let is_significant = most.as_ref().is_some_and(|it| ratio(it) > critical);
        let decline = most.map(|(split, decline, sd)| {
            let between =
                |range: &Range<usize>| (generations[range.start], generations[range.end - 1]);
            let score = |range| scores.mean(&split.ancestors, range);
            Decline {
                ancestors: between(&split.ancestors),
                intermediate: between(&split.intermediate),
                later: between(&split.later),
                scores: (score(&split.intermediate), score(&split.later)),
                decline,
                decline_ci90: (decline - critical * sd, decline + critical * sd),
                stronger_by: stronger_by(split),
            }
        });
        let is_small = !is_significant && highest < MIN_DECLINE && !splits.is_empty();
        let verdict = match progress {
            Verdict::Yes if is_significant => Verdict::Yes,
            Verdict::Yes | Verdict::Undecided if !is_small => Verdict::Undecided,
            _ => Verdict::No,
        };
        Forgetting { verdict, decline }
    }

    fn disengagement(&self) -> Disengagement {
        let mut all = Pentanomial::default();
        for a in 0..self.generations.len() {
            let of_similar_age = a.saturating_sub(SIMILAR_AGE)..a;
            let different = of_similar_age.filter(|&b| self.originals[a] != self.originals[b]);
            different.for_each(|b| all += self.pairs.between(a, b));
        }
        let pairs = all.pairs();
        let share = |count: u64| {
            let [low, high] =
                if pairs > 0 { wilson(count as f64, pairs as f64) } else { [0.0, 1.0] };
            Share { share: count as f64 / pairs.max(1) as f64, ci95: (low, high) }
        };
        let (one_sided, level) = (share(all.ww + all.ll), share(all.dd_wl));
        let ends = [one_sided, level].map(|it| it.ci95);
        let verdict = match (ends[0].0.max(ends[1].0), ends[0].1.max(ends[1].1)) {
            (low, _) if low > MAX_UNINFORMATIVE => Verdict::Yes,
            (_, high) if high <= MAX_UNINFORMATIVE => Verdict::No,
            _ => Verdict::Undecided,
        };
        Disengagement { verdict, one_sided, level, pairs }
    }
}

/// Iterates over all pairs of champions. The first champion of each pair is the younger one.
fn cells(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(|a| (0..a).map(move |b| (a, b)))
}

struct Cell {
    /// The younger champion, followed by the older one.
    players: [usize; 2],
    pairs: f64,
    /// The points per game of the younger champion.
    score: f64,
    /// The score that the ratings predict for the younger champion.
    expected: f64,
    /// The standard deviation of `score` around `expected`.
    deviation: f64,
}

/// Random deviations from the expected scores. There is a row for each simulated table, with a deviation for each cell.
type Noise = Vec<Vec<f64>>;

fn noise(cells: &[Cell], seed: u64) -> Noise {
    let table = |index| {
        let mut rng = stream(seed, Purpose::Diagnosis, 0, index);
        cells.iter().map(|cell| cell.deviation * normal(&mut rng)).collect()
    };
    (0..SIMULATIONS).map(table).collect()
}

/// The smallest [upset](Cycling::upset) that matters, in points per game.
const MIN_UPSET: f64 = 0.05;

/// Returns the sum of squared upsets, weighted by the number of pairs. An upset is the amount by which the score of the
/// lower-rated champion exceeds ½. `residual` returns the score of a cell minus its expected value.
fn upsets(cells: &[Cell], residual: impl Fn(usize, &Cell) -> f64) -> f64 {
    let upset = |(index, cell): (usize, &Cell)| {
        let advantage = cell.expected - 0.5;
        let excess = advantage + residual(index, cell);
        if excess * advantage < 0.0 { cell.pairs * excess * excess } else { 0.0 }
    };
    cells.iter().enumerate().map(upset).sum()
}

const NASH_ITERATIONS: usize = 1000;

/// Computes the Nash equilibrium of the game in which each side chooses a champion and receives that champion's score
/// against the other side's champion. We average optimistic multiplicative weights (S. Rakhlin and K. Sridharan, NIPS
/// 2013). D. Balduzzi et al. use this equilibrium to compare players (*Re-evaluating evaluation*, NeurIPS 2018).
fn nash(pairs: &Crosstable, champions: usize) -> Vec<f64> {
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

/// The smallest [decline](Decline::decline) that matters, in points per game.
const MIN_DECLINE: f64 = 0.2;

/// Three consecutive groups of champions. To detect forgetting, we compare how the intermediate group and the later
/// group score against the ancestors.
struct Split {
    ancestors: Range<usize>,
    intermediate: Range<usize>,
    later: Range<usize>,
}

/// Returns all possible splits. Each split has the same number of ancestors, and these are consecutive. Every champion
/// after the ancestors belongs to either the intermediate or the later group.
fn splits(count: usize) -> Vec<Split> {
    let width = (count / 10).max(1);
    let least = width.max(2);
    let of_ancestors = |first: usize| {
        let after = first + width;
        (after + least..=count.saturating_sub(least)).map(move |split| Split {
            ancestors: first..after,
            intermediate: after..split,
            later: split..count,
        })
    };
    (0..count.saturating_sub(width)).flat_map(of_ancestors).collect()
}

/// A matrix with a row for each champion and a column for each ancestor. If the two didn't play, the entry is 0.
struct Quantity(DMatrix<f64>);

impl Quantity {
    fn new(count: usize, cells: &[Cell], quantity: impl Fn(usize, &Cell) -> f64) -> Quantity {
        let mut matrix = DMatrix::zeros(count, count);
        for (index, cell) in cells.iter().enumerate() {
            matrix[(cell.players[0], cell.players[1])] = quantity(index, cell);
        }
        Quantity(matrix)
    }

    fn mean(&self, ancestors: &Range<usize>, champions: &Range<usize>) -> f64 {
        self.0.view_range(champions.clone(), ancestors.clone()).mean()
    }

    fn decline(&self, split: &Split) -> f64 {
        self.mean(&split.ancestors, &split.intermediate) - self.mean(&split.ancestors, &split.later)
    }

    /// Returns the standard deviation of a split's decline. `self` must contain the variances of the scores.
    fn deviation(&self, Split { ancestors, intermediate, later }: &Split) -> f64 {
        let variance = |champions: &Range<usize>| {
            self.mean(ancestors, champions) / (ancestors.len() * champions.len()) as f64
        };
        (variance(intermediate) + variance(later)).max(1e-12).sqrt()
    }
}

#[cfg(test)]
mod tests;
