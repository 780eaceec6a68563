//! What the figures of a run say in words.

use std::cmp::Ordering;

use crate::run::strength::Measurement;
use crate::run::yardstick::Ancestor;
use mancala::eval::Strength;

/// Candidates keep less than this share of its first mean distance once they have lost their diversity.
const LOST: f64 = 0.05;
/// Or fewer differ than this share of them.
const FEW: f64 = 0.2;

/// What a user should know of a run that its fitness does not show, a sentence each: falling strength,
/// lost diversity, champions that beat each other in a circle. `history` is the text of `history.csv`.
pub fn findings(measurements: &[Measurement], history: &str, population: u32) -> Vec<String> {
    let falling = falling(measurements).into_iter();
    let diversity = diversity(history, population).into_iter();
    falling.chain(diversity).chain(circle(measurements)).collect()
}

/// The last measurement is below an earlier one, and their intervals do not touch.
fn falling(measurements: &[Measurement]) -> Option<String> {
    let (last, earlier) = measurements.split_last()?;
    let best = earlier.iter().max_by(|a, b| a.strength().0.total_cmp(&b.strength().0))?;
    let ((now, now_margin), (then, then_margin)) = (last.strength(), best.strength());
    (now + now_margin < then - then_margin).then(|| {
        format!(
            "strength has fallen: {then:.2} ±{then_margin:.2} in generation {}, {now:.2} \
             ±{now_margin:.2} in generation {}",
            best.generation, last.generation
        )
    })
}

/// The candidates have become nearly uniform.
fn diversity(history: &str, population: u32) -> Option<String> {
    let complete = history.rfind('\n').map_or("", |end| &history[..end]);
    let mut lines = complete.lines();
    let header: Vec<&str> = lines.next()?.split(',').collect();
    let figure = |line: &str, name: &str| {
        let column = header.iter().position(|column| *column == name)?;
        line.split(',').nth(column)?.parse::<f64>().ok()
    };
    let first = lines.next()?;
    let last = lines.next_back()?;
    let (before, now) = (figure(first, "hamming")?, figure(last, "hamming")?);
    let (distinct, generation) = (figure(last, "distinct")?, figure(last, "generation")?);
    let is_lost = now < LOST * before || distinct < FEW * f64::from(population);
    is_lost.then(|| {
        format!(
            "diversity is lost: {distinct} different chromosomes of {population} in generation \
             {generation}, which differ in {now:.1} bits on average, {before:.1} in generation 1"
        )
    })
}

/// Three champions that beat each other in a circle, each step beyond its interval.
fn circle(measurements: &[Measurement]) -> Option<String> {
    let met: Vec<Vec<Encounter>> =
        measurements.iter().map(|it| encounters(it, measurements)).collect();
    let result = |later: usize, earlier: usize| {
        met[later].iter().find(|it| it.earlier == earlier).map(|it| it.result)
    };
    // A champion meets few of those before it, so there are few triples.
    for (c, opponents) in met.iter().enumerate() {
        for b in opponents {
            for a in opponents.iter().filter(|a| a.earlier < b.earlier) {
                let of_b = result(b.earlier, a.earlier);
                if b.result == Ordering::Equal
                    || of_b != Some(b.result)
                    || a.result != b.result.reverse()
                {
                    continue;
                }
                let order = match b.result {
                    Ordering::Less => [a.earlier, b.earlier, c],
                    _ => [c, b.earlier, a.earlier],
                };
                let [one, two, three] = order.map(|it| measurements[it].generation);
                return Some(format!(
                    "champions run in a circle: that of generation {one} beats {two}, {two} \
                     beats {three}, {three} beats {one}"
                ));
            }
        }
    }
    None
}

/// What came of it that a champion met one of an earlier measurement.
struct Encounter {
    earlier: usize,
    /// Greater if the later one is stronger; equal if that is within the interval.
    result: Ordering,
}

/// The champions of earlier measurements that one has met, by their number.
fn encounters(of: &Measurement, all: &[Measurement]) -> Vec<Encounter> {
    let encounter = |it: &Strength| {
        let generation = Ancestor::generation(&it.opponent)?;
        let earlier = all.binary_search_by_key(&generation, |other| other.generation).ok()?;
        let result = match (it.low > 0.5, it.high < 0.5) {
            (true, _) => Ordering::Greater,
            (_, true) => Ordering::Less,
            _ => Ordering::Equal,
        };
        Some(Encounter { earlier, result })
    };
    of.against.iter().filter_map(encounter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::strength::tests::measurements;

    const HEADER: &str = "generation,best,hamming,distinct\n";

    #[test]
    fn nothing_is_said_of_a_run_that_gets_on() {
        let taken = measurements(&[(1, 0.4), (5, 0.6), (10, 0.58), (15, 0.7)]);
        let history = format!("{HEADER}1,5,24.0,50\n2,5,18.0,40\n");
        assert_eq!(findings(&taken, &history, 50), Vec::<String>::new());
        assert_eq!(findings(&[], "", 50), Vec::<String>::new());
        assert_eq!(findings(&taken[..1], HEADER, 50), Vec::<String>::new());
    }

    #[test]
    fn falling_strength_is_said() {
        let taken = measurements(&[(1, 0.4), (5, 0.8), (10, 0.6)]);
        let found = findings(&taken, "", 50);
        assert_eq!(
            found,
            ["strength has fallen: 0.80 ±0.02 in generation 5, 0.60 ±0.02 in generation 10"]
        );
        // Within the intervals it may be chance.
        assert!(findings(&measurements(&[(1, 0.65), (5, 0.62)]), "", 50).is_empty());
    }

    #[test]
    fn lost_diversity_is_said() {
        let uniform = format!("{HEADER}1,5,24.0,50\n2,5,18.0,40\n3,5,0.6,12\n");
        let found = findings(&[], &uniform, 50);
        assert_eq!(
            found,
            ["diversity is lost: 12 different chromosomes of 50 in generation 3, which differ in \
             0.6 bits on average, 24.0 in generation 1"]
        );
        let few = format!("{HEADER}1,5,24.0,50\n3,5,6.0,9\n");
        assert_eq!(findings(&[], &few, 50).len(), 1);
        // An unterminated line is not there yet.
        assert!(findings(&[], &few[..few.len() - 1], 50).is_empty());
    }

    #[test]
    fn a_circle_of_champions_is_said() {
        let mut taken = measurements(&[(1, 0.5), (5, 0.5), (10, 0.5)]);
        let mut result = |of: usize, against: &str, score: f64| {
            let it = taken[of].against.iter_mut().find(|it| it.opponent == against).unwrap();
            (it.score, it.low, it.high) = (score, score - 0.05, score + 0.05);
        };
        result(1, "champion of generation 1", 0.7);
        result(2, "champion of generation 5", 0.7);
        result(2, "champion of generation 1", 0.3);
        let found = findings(&taken, "", 50);
        assert_eq!(
            found,
            ["champions run in a circle: that of generation 10 beats 5, 5 beats 1, 1 beats 10"]
        );
        let mut result = |of: usize, against: &str, score: f64| {
            let it = taken[of].against.iter_mut().find(|it| it.opponent == against).unwrap();
            (it.score, it.low, it.high) = (score, score - 0.05, score + 0.05);
        };
        result(2, "champion of generation 1", 0.47);
        assert!(findings(&taken, "", 50).is_empty());
    }

    #[test]
    fn a_long_run_is_read_in_no_time() {
        let scores: Vec<(u32, f64)> = (1..=5000).map(|generation| (generation, 0.5)).collect();
        let begun = std::time::Instant::now();
        assert!(findings(&measurements(&scores), "", 50).is_empty());
        assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    }
}
