//! Perfect play as a teacher: members are fit as far as they find what endgame tables know.
//!
//! The idea is that of van Rijswijck's mining of endgame databases (2000) in its simplest form: what an
//! evaluator is to learn stands in the tables, so games to find out about it are not needed.

use rustc_hash::FxHashMap;

use super::choices::FitnessSource;
use super::evaluation::Evaluation;
use super::settings::ALL_KEPT;
use crate::optimise::ask::Losses;
use crate::optimise::genome::Chromosome;

/// Of what is at stake, the millionths that each member does not give away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kept(Vec<u64>);

impl Kept {
    /// The members that differ: equal ones need not be asked twice.
    pub(super) fn different(members: &[Chromosome]) -> Vec<&Chromosome> {
        places_of_different(members).1
    }

    /// What members keep, given what those that [differ](Self::different) gave away.
    pub(super) fn new(members: &[Chromosome], losses: &[Losses]) -> Kept {
        let (places, _) = places_of_different(members);
        Kept(places.into_iter().map(|place| kept(losses[place])).collect())
    }
}

/// For each member its place among those that differ, and these.
fn places_of_different(members: &[Chromosome]) -> (Vec<usize>, Vec<&Chromosome>) {
    let mut places = FxHashMap::default();
    let mut different: Vec<&Chromosome> = Vec::new();
    let place = |member| {
        *places.entry(member).or_insert_with(|| {
            different.push(member);
            different.len() - 1
        })
    };
    (members.iter().map(place).collect(), different)
}

/// What is kept of what is at stake; all, if nothing is.
fn kept(Losses { lost, at_stake }: Losses) -> u64 {
    ALL_KEPT - (lost * ALL_KEPT).checked_div(at_stake).unwrap_or(0)
}

/// The fitness of members by tables and games together, or by tables alone where no games were played.
pub(super) fn with_tables(
    source: FitnessSource,
    Kept(kept): &Kept,
    games: Option<Evaluation>,
) -> Evaluation {
    let Some(games) = games else {
        return Evaluation { fitness: kept.clone(), games_asked: 0, games_played: 0 };
    };
    let share = match source {
        FitnessSource::Tournament => 0,
        FitnessSource::Tables => 100,
        FitnessSource::Mix(percent) => u64::from(percent),
    };
    // Points of games and seeds kept differ in unit and spread, places among the others do not.
    let (by_games, by_tables) = (places(&games.fitness), places(kept));
    let both = by_games.iter().zip(&by_tables);
    let fitness = both.map(|(games, tables)| (100 - share) * games + share * tables).collect();
    Evaluation { fitness, ..games }
}

/// For each member two for every other that has less and one for every other that has the same.
fn places(values: &[u64]) -> Vec<u64> {
    let place = |value: &u64| {
        let points = values.iter().map(|other| match other.cmp(value) {
            std::cmp::Ordering::Less => 2,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 0,
        });
        // Every member has as much as itself.
        points.sum::<u64>() - 1
    };
    values.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::setup;
    use super::*;
    use crate::optimise::method::OptimiserSettings;

    #[test]
    fn a_mix_is_of_places_whatever_the_units() {
        let games = |fitness: &[u64]| Evaluation {
            fitness: fitness.to_vec(),
            games_asked: 9,
            games_played: 8,
        };
        let mixed = |percent, by_games: &[u64], kept: &[u64]| {
            with_tables(FitnessSource::Mix(percent), &Kept(kept.to_vec()), Some(games(by_games)))
        };
        let half = mixed(50, &[3, 1, 2], &[10, 900_000, 10]);
        assert_eq!(half.fitness, [50 * 4 + 50, 50 * 4, 50 * 2 + 50]);
        assert_eq!((half.games_asked, half.games_played), (9, 8));
        let most = setup(&[("fitness", "mix:20%"), ("population", "4"), ("fitness_set", "1")]);
        let best = mixed(20, &[1, 2, 3, 4], &[4, 5, 6, 7]).fitness[3];
        assert_eq!(best, most.own.best_possible_fitness(1));
        assert_eq!(kept(Losses { lost: 0, at_stake: 0 }), ALL_KEPT);
        assert_eq!(kept(Losses { lost: 7, at_stake: 7 }), 0);
    }

    #[test]
    fn equal_members_are_asked_once() {
        let [one, other] = [true, false].map(|bit| Chromosome::new(vec![bit]));
        let members = [one.clone(), other.clone(), one.clone()];
        assert_eq!(Kept::different(&members), [&one, &other]);
        let losses = [1, 2].map(|lost| Losses { lost, at_stake: 4 });
        assert_eq!(Kept::new(&members, &losses), Kept(vec![750_000, 500_000, 750_000]));
    }
}
