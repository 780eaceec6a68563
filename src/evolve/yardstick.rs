//! Measures strength against opponents that training never meets.
//!
//! Fitness is relative to a population that changes, so it says nothing of strength. The yardstick is
//! the same for every run and generation: known opponents, and openings that no training begins from.
//!
//! Architecture invariant: nothing that training does depends on a measurement.

use super::fitness::Control;
use super::pairs::{Pair, Progress, play_pairs, player};
use crate::arena::{Pentanomial, Suite};
use crate::eval::{Strength, Weights};
use crate::game::ayo::{Ayo, Position, Rules};
use crate::player::Minimax;

/// The opponents outside the run as player specifications, in the order of every measurement.
pub const PANEL: [&str; 4] = [
    "minimax:weights=seeds,depth=7",
    "minimax:weights=seeds,depth=9",
    "minimax:weights=daoud2004-depth5,depth=5",
    "minimax:weights=aalina4,depth=5",
];

/// The same as weights and depth.
const OPPONENTS: [(&str, u32); 4] =
    [("seeds", 7), ("seeds", 9), ("daoud2004-depth5", 5), ("aalina4", 5)];

/// What measurements begin from.
const SUITE: &str = "plies:4";
/// Openings of the whole suite under the rules `ayo`.
pub const ALL_OPENINGS: u32 = 1014;
/// Which openings a smaller measurement takes: those of `ayo match --games` with its default seed,
/// whatever the run, so that runs can be compared and measurements repeated.
const SAMPLE_SEED: u64 = 1;

/// What the openings of a measurement are called.
pub(super) fn openings_name(count: u64) -> String {
    if count >= ALL_OPENINGS.into() { SUITE.into() } else { format!("{count} of {SUITE}") }
}

/// A champion of a run's past.
#[derive(Debug, Clone, PartialEq)]
pub struct Ancestor {
    /// The generation that it was the best of.
    pub generation: u32,
    /// Its weights.
    pub weights: Weights,
}

const ANCESTOR: &str = "champion of generation ";

impl Ancestor {
    /// What it is called as an opponent.
    pub fn name(generation: u32) -> String {
        format!("{ANCESTOR}{generation}")
    }

    /// The generation that an opponent of this name was the best of, if it is the name of an ancestor.
    pub fn generation(name: &str) -> Option<u32> {
        name.strip_prefix(ANCESTOR)?.parse().ok()
    }
}

/// Measures the strength of weights that are searched to one depth.
#[derive(Debug, Clone)]
pub struct Yardstick {
    game: Ayo,
    depth: u32,
    openings: Vec<Position>,
    opponents: Vec<(String, Minimax)>,
}

impl Yardstick {
    /// The panel under these rules, from a fixed sample of so many openings: all, if there are no more.
    pub fn new(rules: Rules, depth: u32, openings: u32) -> Self {
        let game = Ayo { rules };
        let suite: Suite = SUITE.parse().expect("a suite");
        let all = suite.openings(game).expect("games do not end within four plies");
        let opponent = |(spec, (name, depth)): (&str, (&str, u32))| {
            let weights = Weights::named(name).expect("a named evaluator");
            (spec.to_owned(), player(&weights, depth))
        };
        Yardstick {
            game,
            depth,
            openings: all.sample(openings as usize, SAMPLE_SEED).positions().to_vec(),
            opponents: PANEL.into_iter().zip(OPPONENTS).map(opponent).collect(),
        }
    }

    /// Who is met: the panel, then the ancestors of these generations.
    pub fn opponents(ancestors: impl IntoIterator<Item = u32>) -> Vec<String> {
        let panel = PANEL.into_iter().map(str::to_owned);
        panel.chain(ancestors.into_iter().map(Ancestor::name)).collect()
    }

    /// Games of a measurement against the panel and so many ancestors.
    pub fn games(&self, ancestors: usize) -> u64 {
        2 * self.openings.len() as u64 * (self.opponents.len() + ancestors) as u64
    }

    /// What `weights` score against each opponent of the panel and each ancestor, in this order. `None`
    /// if `control` stopped it. Threads change nothing but the time that it takes.
    pub fn measure(
        &self,
        weights: &Weights,
        ancestors: &[Ancestor],
        control: &dyn Control,
    ) -> Option<Vec<Strength>> {
        let measured = player(weights, self.depth);
        let ancestor =
            |it: &Ancestor| (Ancestor::name(it.generation), player(&it.weights, self.depth));
        let mut opponents = self.opponents.clone();
        opponents.extend(ancestors.iter().map(ancestor));
        let pairs: Vec<Pair<'_>> = opponents
            .iter()
            .flat_map(|(_, opponent)| self.openings.iter().map(move |opening| (opponent, opening)))
            .map(|(b, &opening)| Pair { a: &measured, b, opening })
            .collect();
        let progress = Progress::of(2 * pairs.len() as u64);
        let scores = play_pairs(self.game, &pairs, &progress, control)?;
        let scores = scores.chunks(self.openings.len());
        let results = scores.map(|scores| scores.iter().copied().collect::<Pentanomial>());
        let names = opponents.iter().map(|(name, _)| name);
        Some(names.zip(results).map(|(name, pairs)| self.strength(name, pairs)).collect())
    }

    fn strength(&self, opponent: &str, pairs: Pentanomial) -> Strength {
        let estimate = pairs.estimate();
        let openings = openings_name(pairs.pairs());
        let games = 2 * pairs.pairs();
        Strength::new(opponent, openings, games, estimate.score, estimate.score_ci95)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::build;

    #[test]
    fn the_panel_is_what_its_specifications_say() {
        let yardstick = Yardstick::new(Rules::default(), 5, 3);
        for (spec, player) in &yardstick.opponents {
            use crate::player::Player;
            assert_eq!(build(spec).unwrap().identity(), player.identity());
        }
        assert_eq!(Yardstick::opponents([7])[4], "champion of generation 7");
        assert_eq!(yardstick.games(2), 36);
        assert_eq!(Yardstick::new(Rules::default(), 5, u32::MAX).openings.len(), 1014);
    }

    #[test]
    fn strength_is_the_same_on_any_number_of_threads() {
        let yardstick = Yardstick::new(Rules::default(), 2, 6);
        let weights = Weights::named("daoud2004-depth3").unwrap();
        let past = [Ancestor { generation: 4, weights: Weights::named("seeds").unwrap() }];
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| yardstick.measure(&weights, &past, &())).unwrap()
        };
        let one = on(1);
        assert_eq!(one, on(2));
        assert_eq!(one.len(), 5);
        assert_eq!(one[4].opponent, "champion of generation 4");
        for strength in &one {
            assert!(strength.is_possible() && strength.games == 12, "{strength:?}");
            assert_eq!(strength.openings, "6 of plies:4");
        }
    }

    #[test]
    fn a_stopped_measurement_is_none() {
        struct Stop;
        impl crate::search::Monitor for Stop {
            fn should_stop(&self) -> bool {
                true
            }
        }
        impl Control for Stop {}
        let yardstick = Yardstick::new(Rules::default(), 2, 2);
        let weights = Weights::named("seeds").unwrap();
        assert_eq!(yardstick.measure(&weights, &[], &Stop), None);
    }
}
