use super::cma_es::CmaEs;
use super::random_search::RandomSearch;
use super::spsa::Spsa;
use super::*;
use mancala::random::{Purpose, stream};

/// Duels without a game: who is nearer to a hidden direction scores more, with noise or without.
struct Synthetic {
    target: Point,
    noise: f64,
}

impl Synthetic {
    fn new(noise: f64) -> Self {
        let target = normals(12, &mut stream(99, Purpose::Trial, 0, 0));
        Synthetic { target: times(1.0 / norm(&target), &target), noise }
    }

    /// The cosine of the angle to the target.
    fn quality(&self, point: &Point) -> f64 {
        let length = norm(point);
        if length > 0.0 { dot(point, &self.target) / length } else { 0.0 }
    }
}

impl Duels for Synthetic {
    fn play(
        &self,
        step: u64,
        players: &[Point],
        meetings: &[Meeting],
        _: &dyn Control,
    ) -> Option<(Vec<f64>, Spent)> {
        let score = |(index, meeting): (u64, &Meeting)| {
            let [a, b] = [meeting.a, meeting.b].map(|it| self.quality(&players[it]));
            let luck = self.noise * normal(&mut stream(5, Purpose::Opponents, step, index));
            ((0.5 + a - b + luck).clamp(0.0, 1.0) * 4.0).round() / 4.0
        };
        let games = 2 * meetings.len() as u64;
        Some(((0..).zip(meetings).map(score).collect(), Spent { games, nodes: 0 }))
    }
}

fn plan(algorithm: Algorithm, changes: &[(&str, &str)]) -> Plan {
    let mut plan = Plan::new(algorithm).with_seed(3);
    changes.iter().for_each(|(key, value)| plan.set(key, value).unwrap());
    plan
}

/// How good the best is after so many games, and how many steps they were.
fn quality_after(games: u64, mut strategy: impl Strategy, duels: &Synthetic) -> f64 {
    let (mut spent, mut step) = (Spent::default(), 0);
    while spent.games < games {
        step += 1;
        spent += strategy.step(step, duels, &()).unwrap();
    }
    duels.quality(strategy.best())
}

#[test]
fn every_search_finds_a_hidden_direction() {
    // Without luck near candidates would always be even.
    let duels = Synthetic::new(0.3);
    let cma_es = CmaEs::new(&plan(Algorithm::CmaEs, &[]));
    let cma_es = quality_after(40_000, cma_es, &duels);
    let spsa = quality_after(40_000, Spsa::new(&plan(Algorithm::Spsa, &[])), &duels);
    let random = RandomSearch::new(&plan(Algorithm::RandomSearch, &[]));
    let random = quality_after(40_000, random, &duels);
    assert!(cma_es > 0.9, "{cma_es}");
    assert!(spsa > 0.9, "{spsa}");
    // One direction in so many is that near by chance.
    assert!(random > 0.5 && random < cma_es.min(spsa), "{random}");
}

const TINY: [(&str, &str); 3] = [("depth", "1"), ("openings", "2"), ("population", "4")];

#[test]
fn a_search_is_the_same_on_any_number_of_threads() {
    for algorithm in Algorithm::ALL {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut search = plan(algorithm, &TINY).optimiser();
            let spent: Vec<Spent> =
                pool.install(|| (0..4).map(|_| search.step(&()).unwrap()).collect());
            (search.best(), spent)
        };
        let one = on(1);
        assert_eq!(one, on(3));
        assert!(one.1.iter().all(|spent| spent.games > 0 && spent.nodes > spent.games));
        let other = plan(algorithm, &TINY).with_seed(4).optimiser();
        assert_ne!(other.best().name, one.0.name);
    }
}

#[test]
fn weights_are_signed_and_have_the_length_asked_for() {
    for algorithm in Algorithm::ALL {
        let changes = [&TINY[..], &[("length", "300"), ("features", "davis-kendall")]].concat();
        let mut search = plan(algorithm, &changes).optimiser();
        search.step(&()).unwrap();
        let weights = search.best();
        let squares: f64 = weights.values().iter().map(|w| f64::from(w * w)).sum();
        assert_eq!(weights.values().len(), 6);
        assert!((squares.sqrt() - 300.0).abs() < 3.0, "{algorithm}: {weights:?}");
        assert_eq!(weights.effective(), weights.values());
    }
}

struct Stopped;

impl mancala::progress::Progress for Stopped {
    fn should_stop(&self) -> bool {
        true
    }
}

impl Control for Stopped {}

#[test]
fn a_stopped_step_changes_nothing() {
    for algorithm in Algorithm::ALL {
        let (mut stopped, mut undisturbed) =
            (plan(algorithm, &TINY).optimiser(), plan(algorithm, &TINY).optimiser());
        undisturbed.step(&()).unwrap();
        stopped.step(&()).unwrap();
        assert_eq!(stopped.step(&Stopped), None);
        assert_eq!(stopped.step(&()), undisturbed.step(&()));
        assert_eq!(stopped.best(), undisturbed.best());
    }
}

#[test]
fn the_genetic_algorithm_is_an_optimiser() {
    let mut draft = crate::run::Draft::preset("daoud2004").unwrap();
    for (key, value) in [("population", "6"), ("fitness_set", "2"), ("depth", "1")] {
        draft.set(key, value).unwrap();
    }
    let mut trainer: Box<dyn Optimiser> =
        Box::new(crate::run::Trainer::new(draft.finish().unwrap()));
    assert_eq!(trainer.best().values().len(), 12);
    let spent = trainer.step(&()).unwrap();
    assert!(spent.games > 0 && spent.games <= 24);
    assert!(trainer.best().provenance.is_some());
}

#[test]
fn wrong_settings_are_refused() {
    let refused = |key: &str, value: &str| {
        Plan::new(Algorithm::Spsa).set(key, value).unwrap_err().to_string()
    };
    assert!(refused("dept", "5").contains("unknown setting \"dept\": there are depth"));
    assert_eq!(refused("depth", "0"), "depth is 0: give a whole number from 1 to 100");
    assert!(refused("features", "a99").contains("features is a99: "));
    assert!(refused("length", "40000").contains("from 1 to 32767"));
}
