use super::*;
use mancala::endgame::{BuildPlan, build};
use mancala::game::ayo::Rules;

fn tables(rules: Rules, seeds: u8) -> Tables {
    let folder = tempfile::tempdir().unwrap();
    build(&BuildPlan::new(rules, seeds, folder.path()).unwrap(), &(), |_| ()).unwrap();
    // Memory-mapped files remain accessible after they are deleted.
    Tables::open(folder.path(), rules).unwrap()
}

fn asked(sample: &Sample, spec: &str, rules: Rules) -> Vec<u8> {
    let pool = PlayerPool::new(spec, Ayo { rules }).unwrap();
    sample.losses(&pool, &()).unwrap().unwrap()
}

fn sample(tables: &Tables, positions: usize, seed: u64) -> Sample {
    Sample::draw(tables, &Sampling { seeds: 3..=6, positions, seed }, &()).unwrap()
}

#[test]
fn samples_are_distinct_and_do_not_depend_on_threads() {
    let tables = tables(Rules::AWARI, 6);
    let sampled = mancala::laws::on_threads(1, || sample(&tables, 60, 1));
    assert_eq!(sampled, sample(&tables, 60, 1));
    assert_ne!(sampled, sample(&tables, 60, 2));
    let distinct: HashSet<_> = sampled.positions().map(Position::rows).collect();
    assert_eq!(distinct.len(), 60);
    let game = Ayo { rules: Rules::AWARI };
    for position in sampled.positions() {
        assert!((3..=6).contains(&seeds_of(position)) && game.moves(position).len() > 1);
        assert!(game.ended(position).is_none());
    }
    let more = sample(&tables, 80, 1);
    assert!(more.positions().zip(sampled.positions()).all(|(one, other)| one == other));
}

#[test]
fn parts_add_up_to_the_whole() {
    let tables = tables(Rules::AYO, 6);
    let sample = sample(&tables, 80, 1);
    let lost = asked(&sample, "greedy", Rules::AYO);
    let whole = sample.accuracy(&lost, &(1..=48)).unwrap();
    let parts: Vec<Accuracy> = (3..=6).filter_map(|n| sample.accuracy(&lost, &(n..=n))).collect();
    assert_eq!(parts.iter().map(|part| part.positions).sum::<usize>(), whole.positions);
    assert_eq!(parts.iter().map(|part| part.decisions).sum::<usize>(), whole.decisions);
    let seeds: f64 = parts.iter().map(|part| part.seeds_lost * part.positions as f64).sum();
    assert!((seeds / whole.positions as f64 - whole.seeds_lost).abs() < 1e-12);
    assert_eq!(sample.accuracy(&lost, &(7..=9)), None);
    // If there's a single seed on the board, then there's never a choice of moves, so no positions are sampled.
    let sampling = Sampling { seeds: 1..=1, positions: 10, seed: 1 };
    assert_eq!(Sample::draw(&tables, &sampling, &()).unwrap().positions().count(), 0);
    let (mean, variance) = mean_and_variance(&[-1.0, 1.0, -1.0, 1.0]);
    assert!(mean == 0.0 && (variance - 4.0 / 3.0).abs() < 1e-12);
}

#[test]
fn a_player_has_the_same_losses_by_name_and_by_weights() {
    let sample = sample(&tables(Rules::AWARI, 6), 80, 1);
    let spec = "minimax:weights=aalina4,depth=2";
    let weights = mancala::eval::Weights::named("aalina4").unwrap();
    let limits = mancala::search::Limits::depth(2);
    let player = Minimax::new(&weights, limits, mancala::search::Options::default());
    let lost = sample.minimax_losses(&player, &()).map(|answers| answers.lost);
    assert_eq!(lost, Some(asked(&sample, spec, Rules::AWARI)));
}

#[test]
fn played_moves_count_like_choices() {
    let tables = tables(Rules::AYO, 6);
    let sample = sample(&tables, 60, 1);
    let first = || sample.questions.iter().map(|it| (it, it.moves[0]));
    let lost: Vec<u8> = first().map(|(it, (_, value))| it.best().abs_diff(value)).collect();
    let played = first().map(|(it, (pit, _))| (it.position, pit));
    assert_eq!(accuracy_of_moves(&tables, played).unwrap(), sample.accuracy(&lost, &(3..=6)));
    assert_eq!(accuracy_of_moves(&tables, []).unwrap(), None);
}
