//! Fitness from endgame tables: the closer a member's moves are to perfect play, the fitter it is.
//!
//! This is the simplest form of van Rijswijck's mining of endgame databases (2000). The tables already contain the
//! knowledge that an evaluator should learn, so it need not be discovered in games.

use rustc_hash::FxHashMap;

use super::operators::FitnessSource;
use super::settings::PERFECT;
use super::tournament::Evaluation;
use crate::optimise::genome::Chromosome;
use crate::optimise::optimiser::SeedLosses;

/// Returns the fraction of the seeds at stake that each member keeps, in millionths. `losses` contains one entry for
/// each of the [distinct](indices_of_distinct) members.
pub(super) fn kept_by_all(members: &[Chromosome], losses: &[SeedLosses]) -> Vec<u64> {
    let (indices, _) = indices_of_distinct(members);
    indices.into_iter().map(|index| kept(losses[index])).collect()
}

/// Returns each member's index among the distinct members, and the distinct members. Equal members are evaluated only
/// once.
pub(super) fn indices_of_distinct(members: &[Chromosome]) -> (Vec<usize>, Vec<&Chromosome>) {
    let mut indices = FxHashMap::default();
    let mut distinct: Vec<&Chromosome> = Vec::new();
    let index = |member| {
        *indices.entry(member).or_insert_with(|| {
            distinct.push(member);
            distinct.len() - 1
        })
    };
    (members.iter().map(index).collect(), distinct)
}

/// Returns the fraction of the seeds at stake that is kept, in millionths. If no seeds are at stake, the fraction is 1.
fn kept(SeedLosses { lost, at_stake }: SeedLosses) -> u64 {
    PERFECT - (lost * PERFECT).checked_div(at_stake).unwrap_or(0)
}

/// Combines table fitness with fitness from games, if games were played.
pub(super) fn with_tables(
    source: FitnessSource,
    kept: &[u64],
    games: Option<Evaluation>,
) -> Evaluation {
    let Some(games) = games else {
        return Evaluation { fitness: kept.to_vec(), games_asked: 0, games_played: 0 };
    };
    let share = match source {
        FitnessSource::Tournament => 0,
        FitnessSource::Tables => 100,
        FitnessSource::Mix(percent) => u64::from(percent),
    };
    // Points and seeds differ in unit and spread, but ranks are comparable.
    let (by_games, by_tables) = (ranks(&games.fitness), ranks(kept));
    let both = by_games.iter().zip(&by_tables);
    let fitness = both.map(|(games, tables)| (100 - share) * games + share * tables).collect();
    Evaluation { fitness, ..games }
}

/// Returns the rank of each value. Every smaller value adds 2 to the rank, and every other equal value adds 1.
fn ranks(values: &[u64]) -> Vec<u64> {
    let rank = |value: &u64| {
        let points = values.iter().map(|other| match other.cmp(value) {
            std::cmp::Ordering::Less => 2,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 0,
        });
        // Subtract 1, since each value was also compared with itself.
        points.sum::<u64>() - 1
    };
    values.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::settings::OptimiserSettings;
    use crate::optimise::testing::setup;

    #[test]
    fn a_mix_combines_ranks() {
        let games = |fitness: &[u64]| Evaluation {
            fitness: fitness.to_vec(),
            games_asked: 9,
            games_played: 8,
        };
        let mixed = |percent, by_games: &[u64], kept: &[u64]| {
            with_tables(FitnessSource::Mix(percent), kept, Some(games(by_games)))
        };
        let half = mixed(50, &[3, 1, 2], &[10, 900_000, 10]);
        assert_eq!(half.fitness, [50 * 4 + 50, 50 * 4, 50 * 2 + 50]);
        assert_eq!((half.games_asked, half.games_played), (9, 8));
        let most = setup("fitness=mix:20% population=4 fitness_set=1");
        let best = mixed(20, &[1, 2, 3, 4], &[4, 5, 6, 7]).fitness[3];
        assert_eq!(best, most.own.best_possible_fitness(1));
        assert_eq!(kept(SeedLosses { lost: 0, at_stake: 0 }), PERFECT);
        assert_eq!(kept(SeedLosses { lost: 7, at_stake: 7 }), 0);
    }

    #[test]
    fn equal_members_are_evaluated_once() {
        let [one, other] = [true, false].map(|bit| Chromosome::new(vec![bit]));
        let members = [one.clone(), other.clone(), one.clone()];
        assert_eq!(indices_of_distinct(&members).1, [&one, &other]);
        let losses = [1, 2].map(|lost| SeedLosses { lost, at_stake: 4 });
        assert_eq!(kept_by_all(&members, &losses), [750_000, 500_000, 750_000]);
    }
}
