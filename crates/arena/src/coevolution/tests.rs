use std::f64::consts::TAU;

use Kind::*;

use super::*;
use crate::score_of_elo;
use crate::testing::{Coupling, Model, rng};
use mancala::random::{ChaCha8Rng, normal};
use rayon::prelude::*;

/// The kinds of simulated runs, for which the correct verdicts are known.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Steady,
    /// Strength only grows in the first half of the run.
    Plateau,
    /// Every champion beats its predecessors of the last half period, and loses to those of the half period before.
    Cycle,
    /// Ratings rise, but champions of the last third lose to the champions of the first quarter.
    Forgetting,
    /// Every champion beats all older ones 2–0.
    OneSided,
    Drawn,
    Noise,
    /// Like `Steady`, but in 40 % of openings, the result doesn't depend on strength, so no ratings can fit all scores.
    Decided,
}

const KINDS: [Kind; 8] = [Steady, Plateau, Cycle, Forgetting, OneSided, Drawn, Noise, Decided];

/// The number of Elo points gained in a run with progress.
const GAIN: f64 = 300.0;

impl Kind {
    fn lineage(self, count: usize, pairs: u64, rng: &mut ChaCha8Rng) -> Lineage {
        let scatter = if self == Noise { 30.0 } else { 10.0 };
        let luck: Vec<f64> = (0..count).map(|_| scatter * normal(rng)).collect();
        let part = |i: usize| i as f64 / (count - 1) as f64;
        let elo = |i: usize, j: usize| {
            let gain = |of: fn(f64) -> f64| GAIN * (of(part(i)) - of(part(j))) + luck[i] - luck[j];
            match self {
                Steady | Decided => gain(|part| part),
                Plateau => gain(|part| (2.0 * part).min(1.0)),
                Cycle => 150.0 * (TAU * (i - j) as f64 / (count / 2) as f64).sin(),
                Forgetting if i >= count * 2 / 3 && j < count / 4 => gain(|_| 0.0) - 100.0,
                Forgetting => gain(|part| part),
                OneSided => 800.0,
                Drawn => 0.0,
                Noise => gain(|_| 0.0),
            }
        };
        let draws = if self == Drawn { 0.97 } else { 0.2 };
        let mut table = Crosstable::new(count);
        for i in 0..count {
            for j in 0..i {
                let score = score_of_elo(elo(i, j));
                let score = if self == Decided { 0.2 + 0.6 * score } else { score };
                let model = Model { score, draws, coupling: Coupling::Alike };
                table.add_all(i, j, model.pairs(pairs, rng));
            }
        }
        let generations = (1..=count as u32).map(|champion| 10 * champion).collect();
        Lineage { generations, originals: (0..count).collect(), pairs: table }
    }

    /// Returns the correct verdicts on progress, cycling, forgetting and disengagement. `None` allows any verdict.
    fn truth(self) -> [Option<bool>; 4] {
        match self {
            Steady | Plateau | Decided => [Some(true), Some(false), Some(false), Some(false)],
            Cycle => [Some(false), Some(true), Some(false), Some(false)],
            // Cycles exist as well, since late champions lose to ancestors that lose to intermediate champions.
            Forgetting => [Some(true), None, Some(true), Some(false)],
            OneSided => [Some(true), Some(false), Some(false), Some(true)],
            Drawn => [Some(false), Some(false), Some(false), Some(true)],
            Noise => [Some(false), Some(false), Some(false), Some(false)],
        }
    }
}

fn verdicts(found: &Diagnosis) -> [Verdict; 4] {
    let Diagnosis { progress, cycling, forgetting, disengagement, .. } = found;
    [progress.verdict, cycling.verdict, forgetting.verdict, disengagement.verdict]
}

/// Returns how often each of the four verdicts was yes, no or undecided.
fn answers(kind: Kind, runs: u64, count: usize, pairs: u64) -> [[u64; 3]; 4] {
    let diagnose = |run| kind.lineage(count, pairs, &mut rng(run)).diagnose(run).unwrap();
    let found: Vec<[Verdict; 4]> =
        (0..runs).into_par_iter().map(|run| verdicts(&diagnose(run))).collect();
    let mut answers = [[0; 3]; 4];
    for verdicts in found {
        for (verdict, answers) in verdicts.into_iter().zip(&mut answers) {
            answers[verdict as usize] += 1;
        }
    }
    answers
}

/// Checks that at most 7 % of verdicts are wrong, and that enough are correct.
#[test]
#[ignore = "slow: hundreds of simulated runs"]
fn error_rates_are_as_stated() {
    const RUNS: u64 = 100;
    // The required statistical power, as a percentage.
    let least = |kind: Kind| match kind {
        Cycle => 90,
        Forgetting => 50,
        Drawn => 75,
        _ => 95,
    };
    for kind in KINDS {
        let answers = answers(kind, RUNS, 16, 6);
        for (truth, [yes, no, _]) in kind.truth().into_iter().zip(answers) {
            let wrong = truth.map_or(0, |is_yes| if is_yes { no } else { yes });
            let is_weak = truth == Some(true) && 100 * yes < least(kind) * RUNS;
            assert!(100 * wrong <= 7 * RUNS && !is_weak, "{kind:?}: {answers:?}");
        }
    }
}

#[test]
#[ignore = "slow: simulated runs"]
fn a_plateau_is_dated() {
    let gains = |kind: Kind| {
        let found =
            (0..16).map(|seed| kind.lineage(40, 10, &mut rng(seed)).diagnose(seed).unwrap());
        let mut gains: Vec<u32> = found.map(|it| it.progress.last_gain.unwrap()).collect();
        gains.sort_unstable();
        gains
    };
    let plateau = gains(Plateau);
    assert!(plateau[0] >= 140 && plateau[8] >= 160 && plateau[14] <= 210, "{plateau:?}");
    assert!(gains(Steady)[0] > 280);
}

/// Returns champions without any games, and the given ratings with a standard error of 15 Elo points each.
fn rated(elo: impl Fn(f64) -> f64) -> (Lineage, Ratings) {
    let lineage = Lineage {
        generations: (1..=15).collect(),
        originals: (0..15).collect(),
        pairs: Crosstable::new(15),
    };
    let elo = DVector::from_fn(15, |age, _| elo(age as f64));
    (lineage, Ratings { elo, covariance: DMatrix::identity(15, 15) * 225.0 })
}

/// Tests that a single weak champion, such as the first one with new features, doesn't hide a rise.
#[test]
fn a_trend_tolerates_an_outlier() {
    let (lineage, ratings) = rated(|age| if age == 12.0 { 0.0 } else { 30.0 * age });
    assert!(lineage.trend(&ratings, 0) > 2.5 && lineage.trend(&ratings, 5) > QUANTILE_95);
    // There's no trend among copies of one champion, even if rounding makes their ratings differ.
    assert!(Lineage { originals: vec![0; 15], ..lineage }.trend(&ratings, 0) < 0.0);
}

#[test]
fn gains_before_a_decline_are_dated() {
    let (lineage, ratings) = rated(|age| (40.0 * age).min(250.0 - 10.0 * age));
    assert!(lineage.trend(&ratings, 1) < QUANTILE_95);
    assert_eq!(lineage.last_gain(&ratings), Some(4));
    // Here, each single gain is too small to be significant, but the trend is clear.
    let (_, slow) = rated(|age| 4.0 * age);
    assert!(!lineage.is_surpassed(&slow, 4) && lineage.last_gain(&slow) >= Some(9));
}

#[test]
fn reversed_and_repeated_champions() {
    let steady = Steady.lineage(12, 10, &mut rng(1));
    let (mut reversed, mut repeated) = (Crosstable::new(12), Crosstable::new(12));
    for a in 0..12 {
        for b in 0..a {
            reversed.add_all(11 - a, 11 - b, steady.pairs.between(a, b));
            repeated.add_all(a, b, Pentanomial { dd_wl: 10, ..Pentanomial::default() });
        }
    }
    let reversed = Lineage { pairs: reversed, ..steady.clone() }.diagnose(1).unwrap();
    assert_eq!(reversed.progress.verdict, Verdict::No);
    assert!(reversed.progress.gain < -200.0 && reversed.progress.last_gain.is_none());
    assert_eq!(reversed.forgetting.verdict, Verdict::No);
    let copied = Lineage { originals: (0..11).chain([10]).collect(), ..steady.clone() };
    let Diagnosis { ratings, progress, .. } = copied.diagnose(1).unwrap();
    assert!(ratings[10] == ratings[11] && ratings[9].elo < ratings[10].elo);
    assert_eq!(progress.verdict, Verdict::Yes);
    let found = Lineage { pairs: repeated, originals: vec![0; 12], ..steady }.diagnose(1).unwrap();
    assert_eq!(verdicts(&found), [Verdict::No, Verdict::No, Verdict::No, Verdict::Undecided]);
    assert_eq!(found.disengagement.pairs, 0);
}

#[test]
fn plots_and_equilibrium() {
    let cycle = Cycle.lineage(12, 20, &mut rng(1));
    let found = cycle.diagnose(1).unwrap();
    assert_eq!(found, cycle.diagnose(1).unwrap());
    for (a, row) in found.scores.iter().enumerate() {
        for (b, score) in row.iter().enumerate() {
            let sum = score.zip(found.scores[b][a]).map(|(one, other)| one.score + other.score);
            assert!(if a == b { score.is_none() } else { (sum.unwrap() - 1.0).abs() < 1e-12 });
        }
    }
    assert_eq!(found.scores[11][0].unwrap().pairs, 20);
    assert!(found.cycling.nash_support >= 3 && !found.cycling.circles.is_empty());
    assert!((found.nash.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    let one_sided = OneSided.lineage(12, 20, &mut rng(1)).diagnose(1).unwrap();
    assert!(one_sided.nash[11] > 0.95 && one_sided.cycling.circles.is_empty());
}

#[test]
fn too_few_champions_or_games() {
    let two = Lineage { generations: vec![1, 2], originals: vec![0, 1], pairs: Crosstable::new(2) };
    assert_eq!(two.diagnose(1), None);
    let few = Noise.lineage(3, 1, &mut rng(1)).diagnose(1).unwrap();
    assert_eq!(verdicts(&few), [Verdict::Undecided; 4]);
}

#[test]
#[ignore = "prints the error rates in docs/report.md"]
fn table_of_error_rates() {
    println!("count pairs kind       progress       cycling        forgetting     disengagement");
    for (count, pairs) in [(12, 4), (20, 4), (40, 1), (40, 3), (40, 10)] {
        for kind in KINDS {
            let cells = answers(kind, 200, count, pairs)
                .map(|it| format!("{:>4} {:>4} {:>4}", it[0], it[1], it[2]));
            println!("{count:>5} {pairs:>5} {:<10} {}", format!("{kind:?}"), cells.join(" "));
        }
    }
}
