//! Combines the curves of several seeds into a mean with a confidence interval.

use std::ops::RangeInclusive;

use crate::compare::Mean;

/// The minimum number of seeds for a confidence band. With fewer seeds, a band would hide the individual curves.
const MIN_BAND_SEEDS: usize = 5;

pub(crate) const SCORES: RangeInclusive<f64> = 0.0..=1.0;

pub(crate) const ANY: RangeInclusive<f64> = f64::NEG_INFINITY..=f64::INFINITY;

pub(crate) type Curve = Vec<(f64, f64)>;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pooled {
    /// The mean of all curves, at the x values that they have in common.
    pub(crate) mean: Curve,
    /// The 95 % confidence interval of the mean, if there are enough seeds.
    pub(crate) band: Option<[Curve; 2]>,
    /// The individual curves. Empty if there is just one, which is the mean, or if there are enough for a band.
    pub(crate) singles: Vec<Curve>,
}

impl Pooled {
    /// Combines curves into a mean curve. Points must be sorted by x. Confidence intervals are clamped to the range.
    pub(crate) fn of(curves: Vec<Curve>, range: &RangeInclusive<f64>) -> Pooled {
        let curves: Vec<Curve> = curves.into_iter().filter(|curve| !curve.is_empty()).collect();
        let Some((first, others)) = curves.split_first() else { return Pooled::default() };
        if others.is_empty() {
            return Pooled { mean: first.clone(), ..Pooled::default() };
        }
        let (mut mean, mut band) = (Curve::new(), [Curve::new(), Curve::new()]);
        for &(x, figure) in first {
            let at = |curve: &Curve| {
                let place = curve.binary_search_by(|point| point.0.total_cmp(&x)).ok()?;
                Some(curve[place].1)
            };
            let Some(mut figures) = others.iter().map(at).collect::<Option<Vec<f64>>>() else {
                continue;
            };
            figures.push(figure);
            // We sort first, because floating-point sums depend on the order of addition.
            figures.sort_by(f64::total_cmp);
            let (middle, [low, high]) = interval(&figures, range);
            mean.push((x, middle));
            band[0].push((x, low));
            band[1].push((x, high));
        }
        let is_banded = curves.len() >= MIN_BAND_SEEDS;
        Pooled {
            mean,
            band: is_banded.then_some(band),
            singles: if is_banded { Vec::new() } else { curves },
        }
    }
}

/// Returns the mean and its 95 % interval, clamped to the range. The interval of a single value has zero width.
pub(crate) fn interval(figures: &[f64], range: &RangeInclusive<f64>) -> (f64, [f64; 2]) {
    let all = Mean::of(figures);
    let (low, high) = all.interval(range.clone()).unwrap_or((all.mean, all.mean));
    (all.mean, [low, high])
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::laws::prelude::*;

    fn curves() -> impl Strategy<Value = Vec<Curve>> {
        let curve = (1..20_u32, proptest::collection::vec(0.0..=1.0, 1..30));
        let curve = curve.prop_map(|(first, figures)| {
            let x = (first..).map(f64::from);
            x.zip(figures).collect::<Curve>()
        });
        proptest::collection::vec(curve, 1..9)
    }

    laws! {
        #[test]
        fn the_interval_contains_the_mean(curves in curves()) {
            let pooled = Pooled::of(curves.clone(), &SCORES);
            prop_assert_eq!(pooled.band.is_some(), curves.len() >= MIN_BAND_SEEDS);
            if let Some([low, high]) = &pooled.band {
                for ((low, mean), high) in low.iter().zip(&pooled.mean).zip(high) {
                    prop_assert!(0.0 <= low.1 && low.1 <= mean.1 && mean.1 <= high.1 && high.1 <= 1.0);
                }
            }
        }

        #[test]
        fn the_order_of_the_seeds_changes_nothing(curves in curves(), turn in 0..9_usize) {
            let mut turned = curves.clone();
            turned.reverse();
            let turn = turn % turned.len();
            turned.rotate_left(turn);
            let [one, other] = [curves, turned].map(|curves| Pooled::of(curves, &SCORES));
            prop_assert_eq!((one.mean, one.band), (other.mean, other.band));
        }
    }

    #[test]
    fn the_mean_covers_the_places_of_all_curves() {
        let curves = vec![vec![(1.0, 0.25), (2.0, 0.5)], vec![], vec![(2.0, 1.0), (3.0, 0.0)]];
        let one = Pooled::of(curves[..1].to_vec(), &SCORES);
        assert_eq!(one, Pooled { mean: curves[0].clone(), ..Pooled::default() });
        let pooled = Pooled::of(curves, &SCORES);
        assert_eq!((pooled.mean, pooled.band, pooled.singles.len()), (vec![(2.0, 0.75)], None, 2));
    }
}
