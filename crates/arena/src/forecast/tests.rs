use super::*;
use crate::testing::{Coupling, Model, rng};
use crate::{Crosstable, Lineage, score_of_elo};
use mancala::random::{ChaCha8Rng, normal};

/// The true strength in Elo points as a function of the completed fraction of the run.
type Growth = fn(f64) -> f64;

const GROWTHS: [(&str, Growth); 5] = [
    ("logarithmic", |x| 80.0 * libm::log(1.0 + 20.0 * x)),
    ("saturating", |x| -300.0 * libm::exp(-4.0 * x)),
    ("linear", |x| 200.0 * x),
    ("flat", |_| 0.0),
    ("falling", |x| -100.0 * x),
];

/// Simulates a run in which the champions' strengths scatter around the given curve. Returns the costs and the games of
/// the run, and the strength of its newest champion.
fn run(
    growth: Growth,
    champions: usize,
    pairs: u64,
    scatter: f64,
    rng: &mut ChaCha8Rng,
) -> (Vec<f64>, Lineage, f64) {
    let costs: Vec<f64> = (1..=champions).map(|it| it as f64 / champions as f64).collect();
    let elo: Vec<f64> = costs.iter().map(|&it| growth(it) + scatter * normal(rng)).collect();
    let mut table = Crosstable::new(champions);
    for a in 0..champions {
        for b in 0..a {
            let score = score_of_elo(elo[a] - elo[b]);
            let model = Model { score, draws: 0.2, coupling: Coupling::Alike };
            table.add_all(a, b, model.pairs(pairs, rng));
        }
    }
    let generations = (1..=champions as u32).collect();
    let lineage = Lineage { generations, originals: (0..champions).collect(), pairs: table };
    (costs, lineage, elo[champions - 1])
}

/// Returns the fraction of 200 runs in which the forecast's interval contains the actual gain, and the mean width of
/// the intervals. `more` is the cost of further training as a multiple of the run's cost.
fn coverage(growth: Growth, more: f64, champions: usize, pairs: u64, scatter: f64) -> (f64, f64) {
    let (mut covered, mut width) = (0, 0.0);
    for run in 0..200 {
        let mut rng = rng(run);
        let (costs, lineage, present) = self::run(growth, champions, pairs, scatter, &mut rng);
        let found = forecast(&costs, &lineage.ratings().unwrap(), more).unwrap();
        let gain = growth(1.0 + more) + scatter * normal(&mut rng) - present;
        let (low, high) = found.gain_ci90;
        covered += u32::from((low..=high).contains(&gain));
        width += (high - low) / 200.0;
    }
    (f64::from(covered) / 200.0, width)
}

#[test]
fn intervals_cover_the_future() {
    for (name, growth) in GROWTHS {
        let (covered, width) = coverage(growth, 0.5, 16, 5, 10.0);
        assert!((0.87..=1.0).contains(&covered) && width < 300.0, "{name}: {covered}, {width}");
    }
}

#[test]
fn too_few_champions_and_impossible_costs_have_no_forecast() {
    let (costs, lineage, _) = run(|x| 200.0 * x, 7, 5, 10.0, &mut rng(1));
    let ratings = lineage.ratings().unwrap();
    assert_eq!(forecast(&costs[..6], &ratings, 1.0), None);
    for impossible in [0.0, 1.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(forecast(&[impossible; 7], &ratings, 1.0), None);
    }
}

#[test]
fn a_steep_curve_may_rise_further_or_end_and_a_flat_one_stays_flat() {
    let [_, _, (_, linear), (_, flat), _] = GROWTHS;
    let [steep, flat] = [linear, flat].map(|growth| {
        let (costs, lineage, _) = run(growth, 40, 20, 0.0, &mut rng(1));
        forecast(&costs, &lineage.ratings().unwrap(), 0.5).unwrap()
    });
    let (low, high) = steep.gain_ci90;
    assert!(low < 0.0 && 20.0 < steep.gain && 100.0 < high, "{steep:?}");
    let (low, high) = flat.gain_ci90;
    assert!(low < 0.0 && flat.gain.abs() < 10.0 && 0.0 < high && high < 40.0, "{flat:?}");
}

#[test]
#[ignore = "prints the coverage in docs/report.md"]
fn table_of_coverage() {
    for (champions, pairs, scatter) in
        [(40, 10, 10.0), (40, 10, 0.0), (40, 3, 10.0), (20, 4, 20.0), (12, 4, 10.0)]
    {
        for more in [0.25, 1.0] {
            for (name, growth) in GROWTHS {
                let (covered, width) = coverage(growth, more, champions, pairs, scatter);
                println!(
                    "{champions} {pairs:>3} {scatter:>3} {more:>5} {name:<12} {covered:.3} {width:>5.0}"
                );
            }
        }
    }
}
