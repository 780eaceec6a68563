use super::*;
use mancala::endgame::{BuildPlan, build};
use mancala::game::ayo::Rules;

fn tables(rules: Rules, seeds: u8) -> Tables {
    let folder = tempfile::tempdir().unwrap();
    build(&BuildPlan::new(rules, seeds, folder.path()).unwrap(), &(), |_| ()).unwrap();
    // Mapped files stay when their names go.
    Tables::open(folder.path(), rules).unwrap()
}

fn sample(tables: &Tables, sampling: &Sampling) -> Sample {
    Sample::draw(tables, sampling, &()).unwrap()
}

fn asked(sample: &Sample, spec: &str, rules: Rules) -> Vec<u8> {
    let team = Team::new(spec, mancala::game::ayo::Ayo { rules }).unwrap();
    sample.ask(&team, &()).unwrap().unwrap()
}

fn small(positions: usize) -> Sampling {
    Sampling { seeds: 3..=6, positions, seed: 1 }
}

#[test]
fn samples_are_distinct_positions_with_a_choice_and_the_same_on_any_number_of_threads() {
    let tables = tables(Rules::AWARI, 6);
    let of_one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let sampled = of_one.install(|| sample(&tables, &small(150)));
    assert_eq!(sampled, sample(&tables, &small(150)));
    assert_ne!(sampled, sample(&tables, &Sampling { seed: 2, ..small(150) }));
    let distinct: HashSet<_> = sampled.positions().map(Position::rows).collect();
    assert_eq!(distinct.len(), 150);
    let game = Ayo { rules: Rules::AWARI };
    for position in sampled.positions() {
        assert!((3..=6).contains(&seeds_of(position)) && game.moves(position).len() > 1);
        assert!(game.ended(position).is_none());
    }
    let more = sample(&tables, &small(200));
    assert!(more.positions().zip(sampled.positions()).all(|(one, other)| one == other));
}

/// A player that goes by the tables gives nothing away; chance does.
#[test]
fn perfect_play_is_found_perfect_and_chance_is_not() {
    let folder = tempfile::tempdir().unwrap();
    build(&BuildPlan::new(Rules::AWARI, 6, folder.path()).unwrap(), &(), |_| ()).unwrap();
    let tables = Tables::open(folder.path(), Rules::AWARI).unwrap();
    let sample = sample(&tables, &small(200));
    let perfect = format!("minimax:weights=seeds,depth=1,tables={}", folder.path().display());
    let perfect = asked(&sample, &perfect, Rules::AWARI);
    assert!(perfect.iter().all(|lost| *lost == 0), "{perfect:?}");
    let chance = asked(&sample, "random", Rules::AWARI);
    let deep = asked(&sample, "minimax:weights=seeds,depth=9", Rules::AWARI);
    let figures = |lost: &[u8]| sample.accuracy(lost, &(3..=6)).unwrap();
    let [perfect, chance, deep] = [perfect, chance, deep].map(|lost| figures(&lost));
    assert!(chance.seeds_lost > deep.seeds_lost && chance.optimal < deep.optimal);
    assert_eq!((perfect.optimal, perfect.seeds_lost, perfect.results_lost), (1.0, 0.0, 0.0));
    assert!(perfect.seeds_lost_ci95[1] > 0.0 && perfect.optimal_ci95[0] < 1.0);
}

#[test]
fn parts_add_up_to_the_whole() {
    let tables = tables(Rules::AYO, 6);
    let sample = sample(&tables, &small(150));
    let lost = asked(&sample, "greedy", Rules::AYO);
    let whole = sample.accuracy(&lost, &(1..=48)).unwrap();
    let parts: Vec<Accuracy> = (3..=6).filter_map(|n| sample.accuracy(&lost, &(n..=n))).collect();
    assert_eq!(parts.iter().map(|part| part.positions).sum::<usize>(), whole.positions);
    assert_eq!(parts.iter().map(|part| part.decisions).sum::<usize>(), whole.decisions);
    let seeds: f64 = parts.iter().map(|part| part.seeds_lost * part.positions as f64).sum();
    assert!((seeds / whole.positions as f64 - whole.seeds_lost).abs() < 1e-12);
    assert_eq!(sample.accuracy(&lost, &(7..=9)), None);
}

#[test]
fn a_mean_has_the_margin_of_its_standard_error() {
    // Variance 1, four values.
    let values = [-1.0, 1.0, -1.0, 1.0].map(|value: f64| value * 0.75_f64.sqrt());
    assert!((margin(&values) - QUANTILE_975 / 2.0).abs() < 1e-12);
    assert_eq!(margin(&[3.0]), 0.0);
}

/// A single seed leaves no choice.
#[test]
fn what_is_not_there_is_not_found() {
    let sampling = Sampling { seeds: 1..=1, positions: 10, seed: 1 };
    assert_eq!(sample(&tables(Rules::AWARI, 4), &sampling).positions().count(), 0);
}

#[test]
fn a_player_is_the_same_by_name_and_by_weights() {
    let sample = sample(&tables(Rules::AWARI, 6), &small(80));
    let spec = "minimax:weights=aalina4,depth=2";
    let weights = mancala::eval::Weights::named("aalina4").unwrap();
    let limits = mancala::search::Limits::depth(2);
    let player = Minimax::new(&weights, limits, mancala::search::Options::default());
    let lost = sample.ask_minimax(&player, &()).map(|answers| answers.lost);
    assert_eq!(lost, Some(asked(&sample, spec, Rules::AWARI)));
}
