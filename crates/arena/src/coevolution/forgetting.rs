use std::ops::Range;

use nalgebra::DMatrix;

use super::{Cell, Decline, Forgetting, Noise, Verdict};
use crate::rating::Ratings;

/// The smallest decline of interest, in points per game.
const MIN_DECLINE: f64 = 0.2;

/// Searches all groups of consecutive ancestors for the most significant decline in the scores against them.
pub(super) fn forgetting(
    generations: &[u32],
    ratings: &Ratings,
    cells: &[Cell],
    progress: Verdict,
    noise: &Noise,
) -> Forgetting {
    let count = generations.len();
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
        let mean =
            |range: &Range<usize>| ratings.elo.rows_range(range.clone()).sum() / range.len() as f64;
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
        let between = |range: &Range<usize>| (generations[range.start], generations[range.end - 1]);
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

/// Ancestors and the two groups of younger champions whose scores against them are compared.
struct Split {
    ancestors: Range<usize>,
    intermediate: Range<usize>,
    later: Range<usize>,
}

/// Splits consecutive champions into a fixed number of ancestors, an intermediate group and all later champions.
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

/// A quantity by champion and ancestor; 0 where the two did not play.
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

    /// Returns the standard deviation of a decline. The quantity must be the variance of each score.
    fn deviation(&self, Split { ancestors, intermediate, later }: &Split) -> f64 {
        let variance = |champions: &Range<usize>| {
            self.mean(ancestors, champions) / (ancestors.len() * champions.len()) as f64
        };
        (variance(intermediate) + variance(later)).max(1e-12).sqrt()
    }
}
