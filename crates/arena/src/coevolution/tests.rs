use std::f64::consts::TAU;

use super::*;
use crate::score_of_elo;
use crate::testing::{Coupling, Model, rng};
use mancala::random::{ChaCha8Rng, normal};

/// Runs whose truth is known.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// Strength grows steadily.
    Steady,
    /// Strength grows in the first half.
    Plateau,
    /// Every champion beats the champions up to half a period older, and loses to those of the next half.
    Cycle,
    /// Strength grows, but the last third loses to the first quarter.
    Forgetting,
    /// Every champion beats all older ones 2–0.
    OneSided,
    /// Almost all games are drawn.
    Drawn,
    /// Champions differ at random.
    Noise,
    /// Strength grows steadily, but four of ten openings decide the pair, so that no rating fits all scores.
    Decided,
}

const KINDS: [Kind; 8] = [
    Kind::Steady,
    Kind::Plateau,
    Kind::Cycle,
    Kind::Forgetting,
    Kind::OneSided,
    Kind::Drawn,
    Kind::Noise,
    Kind::Decided,
];

/// The Elo points gained in a run with progress.
const GAIN: f64 = 300.0;

impl Kind {
    fn lineage(self, count: usize, pairs: u64, rng: &mut ChaCha8Rng) -> Lineage {
        let scatter = if self == Kind::Noise { 30.0 } else { 10.0 };
        let luck: Vec<f64> = (0..count).map(|_| scatter * normal(rng)).collect();
        let part = |i: usize| i as f64 / (count - 1) as f64;
        let elo = |i: usize, j: usize| {
            let gain = |of: fn(f64) -> f64| GAIN * (of(part(i)) - of(part(j))) + luck[i] - luck[j];
            match self {
                Kind::Steady | Kind::Decided => gain(|part| part),
                Kind::Plateau => gain(|part| (2.0 * part).min(1.0)),
                Kind::Cycle => 150.0 * (TAU * (i - j) as f64 / (count / 2) as f64).sin(),
                Kind::Forgetting if i >= count * 2 / 3 && j < count / 4 => gain(|_| 0.0) - 100.0,
                Kind::Forgetting => gain(|part| part),
                Kind::OneSided => 800.0,
                Kind::Drawn => 0.0,
                Kind::Noise => gain(|_| 0.0),
            }
        };
        let draws = if self == Kind::Drawn { 0.97 } else { 0.2 };
        let mut table = Crosstable::new(count);
        for i in 0..count {
            for j in 0..i {
                let score = score_of_elo(elo(i, j));
                let score = if self == Kind::Decided { 0.2 + 0.6 * score } else { score };
                let model = Model { score, draws, coupling: Coupling::Alike };
                table.add_all(i, j, model.pairs(pairs, rng));
            }
        }
        let generations = (1..=count as u32).map(|champion| 10 * champion).collect();
        Lineage { generations, originals: (0..count).collect(), pairs: table }
    }

    /// Returns whether there is progress, cycling, forgetting and disengagement; `None` where no test could tell.
    fn truth(self) -> [Option<bool>; 4] {
        match self {
            Kind::Steady | Kind::Plateau | Kind::Decided => [Some(true), Some(false), Some(false), Some(false)],
            Kind::Cycle => [Some(false), Some(true), Some(false), Some(false)],
            // Late champions lose to ancestors that lose to intermediate ones.
            Kind::Forgetting => [Some(true), None, Some(true), Some(false)],
            Kind::OneSided => [Some(true), Some(false), Some(false), Some(true)],
            Kind::Drawn => [Some(false), Some(false), Some(false), Some(true)],
            Kind::Noise => [Some(false), Some(false), Some(false), Some(false)],
        }
    }
}

/// Returns the numbers of the answers yes, no and undecided to the four questions.
fn answers(kind: Kind, runs: u64, count: usize, pairs: u64) -> [[u64; 3]; 4] {
    let mut answers = [[0; 3]; 4];
    for run in 0..runs {
        let found = kind.lineage(count, pairs, &mut rng(run)).findings(run).unwrap();
        let verdicts = [
            found.progress.verdict,
            found.cycling.verdict,
            found.forgetting.verdict,
            found.disengagement.verdict,
        ];
        verdicts.iter().zip(&mut answers).for_each(|(verdict, answers)| answers[*verdict as usize] += 1);
    }
    answers
}

#[test]
#[ignore = "prints the error rates in docs/report.md"]
fn table_of_error_rates() {
    println!("champions pairs kind        progress       cycling        forgetting     disengagement");
    for (count, pairs) in [(12, 4), (20, 4), (40, 1), (40, 3), (40, 10)] {
        for kind in KINDS {
            let cells = answers(kind, 200, count, pairs).map(|it| format!("{:>4} {:>4} {:>4}", it[0], it[1], it[2]));
            println!("{count:>9} {pairs:>5} {:<10} {}", format!("{kind:?}"), cells.join(" "));
        }
    }
}

#[test]
#[ignore]
fn scratch_gain() {
    for (kind, count, pairs) in [(Kind::Plateau,40,10),(Kind::Steady,40,10),(Kind::Plateau,20,4),(Kind::Steady,20,4)] {
        let mut at: Vec<f64> = (0..200).map(|run| {
            let f = kind.lineage(count, pairs, &mut rng(run)).findings(run).unwrap();
            f.progress.last_gain.unwrap_or(0) as f64 / 10.0 / count as f64 }).collect();
        at.sort_by(f64::total_cmp);
        println!("{kind:?} {count} {pairs} {:.2} {:.2} {:.2}", at[10], at[100], at[190]);
    }
    for pairs in [3, 10, 30] {
    println!("{:?}", answers(Kind::Decided, 200, 40, pairs));
    }
}
