//! Axis ranges and ticks.

use std::ops::Range;

/// An axis with ticks. Its range is never empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The values at the left (or lower) and right (or upper) ends.
    pub range: Range<f64>,
    pub(crate) ticks: Vec<f64>,
    labels: Labels,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Labels {
    /// The number of decimals, a divisor and its suffix. For example, with 1e6 and "M", 2,000,000 becomes "2M".
    Units(usize, f64, &'static str),
    /// Values are base-10 logarithms, but labels show the amounts themselves, e.g. 200, 50k or 2M.
    Logarithms,
}

impl Axis {
    fn linear(range: Range<f64>, step: f64) -> Axis {
        let ticks = multiples(range.clone(), step);
        let largest = ticks.iter().fold(0.0, |largest: f64, tick| largest.max(tick.abs()));
        let (size, name) = unit(largest);
        // Allow for rounding errors, e.g. the computed logarithm of 0.1 isn't exactly −1.
        let decimals = (-(step / size).log10() - 1e-9).ceil().max(0.0) as usize;
        Axis { range, ticks, labels: Labels::Units(decimals, size, name) }
    }

    /// Creates an axis of whole numbers, such as generations, with ticks at multiples of 1, 2, 5, 10 and so on.
    pub fn counts(counts: impl IntoIterator<Item = f64>, most_ticks: usize) -> Axis {
        let limits = (f64::INFINITY, 0.0_f64);
        let (low, high) =
            counts.into_iter().fold(limits, |(low, high), it| (low.min(it), high.max(it)));
        let low = low.min(high);
        Axis::linear(low - 0.5..high + 0.5, nice(((high - low) / most_ticks as f64).max(1.0)))
    }

    /// Creates a logarithmic axis for values that are already base-10 logarithms.
    pub(crate) fn logarithmic(logarithms: impl IntoIterator<Item = f64>) -> Axis {
        let (low, high) = extent(logarithms);
        let room = (high - low) * 0.02;
        let range = low - room..high + room;
        let digits = if high - low > 3.0 { &[1.0][..] } else { &[1.0, 2.0, 5.0] };
        let decades = range.start.floor() as i32..=range.end.ceil() as i32;
        let ticks = decades
            .flat_map(|decade| digits.iter().map(move |it| f64::log10(*it) + f64::from(decade)));
        let mut ticks: Vec<f64> = ticks.filter(|tick| range.contains(tick)).collect();
        if ticks.len() < 2 {
            let [low, high] = [range.start, range.end].map(|end| 10f64.powf(end));
            let amounts = multiples(low..high, nice((high - low) / 10.0));
            ticks = amounts.into_iter().map(f64::log10).collect();
        }
        Axis { ticks, range, labels: Labels::Logarithms }
    }

    /// Creates an axis with a margin at each end, except at zero. Labels of large values are shortened, e.g. to 2M.
    pub fn values(values: impl IntoIterator<Item = f64>, most_ticks: usize) -> Axis {
        let (low, high) = extent(values);
        let room = (high - low) * 0.04;
        let range = Range {
            start: if low == 0.0 { 0.0 } else { low - room },
            end: if high == 0.0 { 0.0 } else { high + room },
        };
        let step = nice((high - low) / most_ticks as f64);
        let is_enough = multiples(range.clone(), step).len() > 1;
        Axis::linear(range, if is_enough { step } else { nice(step / 3.0) })
    }

    /// Converts a value to a pixel coordinate. The axis spans the pixels from `start` to `end`.
    pub(crate) fn place(&self, value: f64, [start, end]: [i32; 2]) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        let share = share.clamp(0.0, 1.0);
        start + (share * f64::from(end - start)).round() as i32
    }

    pub(crate) fn label(&self, value: f64) -> String {
        match self.labels {
            Labels::Units(_, size, _) if value == 0.0 && size > 1.0 => "0".to_owned(),
            Labels::Units(decimals, size, name) => {
                minus(&format!("{:.decimals$}{name}", value / size))
            }
            Labels::Logarithms => amount(10f64.powf(value)),
        }
    }

    pub(crate) fn labels(&self) -> impl Iterator<Item = String> {
        self.ticks.iter().map(|tick| self.label(*tick))
    }
}

/// Formats an amount: `0.5`, `200`, `50k`, `2M`.
fn amount(amount: f64) -> String {
    let (size, name) = unit(amount);
    // Amounts computed from their logarithms are inexact, so we round them.
    format!("{}{name}", (amount / size * 1e3).round() / 1e3)
}

/// Returns the size and the suffix of a suitable unit for an amount.
fn unit(amount: f64) -> (f64, &'static str) {
    let units = [(1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k")];
    let found = units.into_iter().find(|(least, ..)| amount >= least * 0.999);
    found.map_or((1.0, ""), |(_, size, name)| (size, name))
}

/// Replaces a leading hyphen with a minus sign, or removes it if the number is zero.
pub(crate) fn minus(number: &str) -> String {
    match number.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| b"0.".contains(&byte)) => digits.to_owned(),
        Some(digits) => format!("−{digits}"),
        None => number.to_owned(),
    }
}

const MAX_NUMBER: f64 = 1e15;

/// Returns the smallest and the largest value, or a range around them if they are equal.
fn extent(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let start = (f64::INFINITY, f64::NEG_INFINITY);
    // Larger numbers would overflow, so we clamp them. Only a damaged file can contain such numbers.
    let values = values.into_iter().map(|value| value.clamp(-MAX_NUMBER, MAX_NUMBER));
    let (low, high) = values.fold(start, |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return (0.0, 1.0);
    }
    let size = low.abs().max(high.abs()).max(1.0);
    if high - low > size * 1e-9 {
        return (low, high);
    }
    let room = size * 0.5;
    if low >= 0.0 { ((low - room).max(0.0), high + room) } else { (low - room, high + room) }
}

/// Rounds a number up to the next number in the sequence …, 1, 2, 5, 10, 20, 50, …
fn nice(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= rough);
    digit.unwrap_or(10.0) * power
}

fn multiples(range: Range<f64>, step: f64) -> Vec<f64> {
    let first = (range.start / step).ceil();
    // Multiply instead of repeatedly adding the step, because adding a small step to a large number may have no effect.
    let count = ((range.end / step).floor() - first) as usize;
    (0..=count).map(|index| (first + index as f64) * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_whole_ticks() {
        for (counts, most, ticks) in
            [([1.0, 1.0], 10, &[1.0][..]), ([1.0, 100.0], 5, &[20.0, 40.0, 60.0, 80.0, 100.0])]
        {
            assert_eq!(Axis::counts(counts, most).ticks, ticks);
        }
        assert_eq!(Axis::counts([1.0], 10).range, 0.5..1.5);
    }

    #[test]
    fn ticks_have_labels_in_one_unit() {
        let labels = |axis: &Axis| axis.labels().collect::<Vec<_>>();
        let axis = Axis::values([0.0, 35.0], 5);
        assert_eq!((axis.range.clone(), labels(&axis).join(" ")), (0.0..36.4, "0 10 20 30".into()));
        let logarithmic = |low: f64, high: f64| Axis::logarithmic([low.log10(), high.log10()]);
        for (axis, expected) in [
            (Axis::values([-400.0, 413.0], 4), "−400 −200 0 200 400"),
            (Axis::values([-0.2, 0.31], 6), "−0.2 −0.1 0.0 0.1 0.2 0.3"),
            (logarithmic(750.0, 1e5), "1000 2000 5000 10k 20k 50k 100k"),
            (logarithmic(3.05e6, 4.4e6), "3.2M 3.4M 3.6M 3.8M 4M 4.2M 4.4M"),
            (logarithmic(0.1, 3e9), "0.1 1 10 100 1000 10k 100k 1M 10M 100M 1G"),
        ] {
            assert_eq!(labels(&axis).join(" "), expected);
        }
        for (most, last) in
            [(0.0057, "0.0055"), (8000.0, "8000"), (16_000.0, "16k"), (2.4e6, "2.4M")]
        {
            let labels = labels(&Axis::values([0.0, most], 12));
            assert_eq!(labels.last().unwrap(), last);
            assert!(labels.windows(2).all(|pair| pair[0] != pair[1]), "{labels:?}");
        }
        assert!(Axis::logarithmic([3.0]).ticks.len() > 1);
    }

    #[test]
    fn no_axis_is_empty() {
        for values in [vec![], vec![0.0], vec![20.0; 9], vec![-1e15], vec![1e15, 1e15 + 0.125]] {
            let axis = Axis::values(values.iter().copied(), 6);
            assert!(axis.range.start < axis.range.end, "{values:?}");
            assert!((2..20).contains(&axis.ticks.len()), "{values:?} {axis:?}");
        }
    }
}
