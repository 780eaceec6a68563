//! From one generation's chromosomes and fitness to the next generation's chromosomes.

use rand::{Rng, RngExt};

use super::genome::Chromosome;
use super::settings::Settings;
use super::trainer::Evaluated;
use crate::random::{Purpose, stream};

/// The chromosomes of generation 1: every bit a fair coin.
pub fn first_population(settings: &Settings) -> Vec<Chromosome> {
    let member = |index| {
        let mut coins = stream(settings.seed, Purpose::Population, 1, index);
        let bits = (0..settings.chromosome_bits()).map(|_| coins.next_u32() & 1 == 1);
        Chromosome::new(bits.collect())
    };
    (0..settings.population.into()).map(member).collect()
}

/// The chromosomes of the generation after `parents`: their elite unchanged, then the offspring of a
/// mating pool that fills the population up.
///
/// Randomness is named by the generation that is bred from.
pub fn breed(settings: &Settings, parents: &Evaluated) -> Vec<Chromosome> {
    let elite = elite(parents, settings.elite_size());
    let pool = mating_pool(settings, parents, settings.population as usize - elite.len());
    let offspring = offspring(settings, parents.generation, &pool);
    elite.into_iter().chain(offspring).collect()
}

/// The fittest members, the earlier index first among equals.
fn elite(parents: &Evaluated, size: usize) -> Vec<Chromosome> {
    let mut ranking: Vec<usize> = (0..parents.members.len()).collect();
    // The sort is stable.
    ranking.sort_by_key(|&index| std::cmp::Reverse(parents.fitness[index]));
    ranking[..size].iter().map(|&index| parents.members[index].clone()).collect()
}

/// Fitness-proportional draws with replacement; uniform ones if nobody has any fitness.
fn mating_pool<'a>(
    settings: &Settings,
    parents: &'a Evaluated,
    size: usize,
) -> Vec<&'a Chromosome> {
    let mut wheel = stream(settings.seed, Purpose::Selection, parents.generation.into(), 0);
    let sectors = cumulative(&parents.fitness);
    (0..size).map(|_| &parents.members[spin(&sectors, &mut wheel)]).collect()
}

/// Where each member's sector of the roulette wheel ends.
fn cumulative(fitness: &[u64]) -> Vec<u64> {
    let idle = fitness.iter().all(|&f| f == 0);
    let mut end = 0;
    let sector = |&f: &u64| {
        end += if idle { 1 } else { f };
        end
    };
    fitness.iter().map(sector).collect()
}

fn spin(sectors: &[u64], wheel: &mut impl Rng) -> usize {
    let total = sectors[sectors.len() - 1];
    let drawn = wheel.random_range(0..total);
    sectors.partition_point(|&end| end <= drawn)
}

/// Consecutive pairs of the pool, crossed and mutated; an odd last one is only mutated.
fn offspring(settings: &Settings, generation: u32, pool: &[&Chromosome]) -> Vec<Chromosome> {
    let mut offspring: Vec<Vec<bool>> = pool.iter().map(|parent| parent.bits().to_vec()).collect();
    for (index, pair) in (0..).zip(offspring.chunks_exact_mut(2)) {
        let mut dice = stream(settings.seed, Purpose::Crossover, generation.into(), index);
        cross(pair, settings.crossover_rate, &mut dice);
    }
    for (index, child) in (0..).zip(&mut offspring) {
        let mut dice = stream(settings.seed, Purpose::Mutation, generation.into(), index);
        for bit in child {
            *bit ^= dice.random_bool(settings.mutation_rate);
        }
    }
    offspring.into_iter().map(Chromosome::new).collect()
}

/// Single-point crossover: the tails are exchanged from a point strictly inside the chromosome.
fn cross(pair: &mut [Vec<bool>], rate: f64, dice: &mut impl Rng) {
    let bits = pair[0].len() as u32;
    if bits < 2 || !dice.random_bool(rate) {
        return;
    }
    let point = dice.random_range(1..bits) as usize;
    let (one, other) = pair.split_at_mut(1);
    one[0][point..].swap_with_slice(&mut other[0][point..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::Draft;

    fn settings(changes: &[(&str, &str)]) -> Settings {
        let mut draft = Draft::preset("daoud2004").unwrap();
        for (key, value) in changes {
            draft.set(key, value).unwrap();
        }
        draft.finish().unwrap()
    }

    fn parents(settings: &Settings, fitness: impl Fn(usize) -> u64) -> Evaluated {
        let members = first_population(settings);
        let fitness = (0..members.len()).map(fitness).collect();
        Evaluated { generation: 1, members, fitness, games_asked: 0, games_played: 0 }
    }

    #[test]
    fn the_first_population_is_fair_and_distinct() {
        let members = first_population(&settings(&[("population", "1000")]));
        let ones: usize = members.iter().map(|m| m.bits().iter().filter(|b| **b).count()).sum();
        // 48,000 fair coins: six standard deviations are 657.
        assert!(ones.abs_diff(24_000) < 657, "{ones}");
        assert_eq!(members.iter().collect::<std::collections::HashSet<_>>().len(), 1000);
    }

    #[test]
    fn the_elite_are_the_fittest_and_earlier_members_win_ties() {
        let settings = settings(&[]);
        let parents = parents(&settings, |index| [3, 9, 9, 1, 9, 2, 9][index % 7]);
        let next = breed(&settings, &parents);
        assert_eq!(next.len(), 50);
        let expected = [1, 2, 4, 6, 8].map(|index| parents.members[index].clone());
        assert_eq!(next[..5], expected);
    }

    #[test]
    fn selection_is_proportional_to_fitness() {
        let settings = settings(&[("population", "4"), ("fitness_set", "1"), ("elite", "0")]);
        let parents = parents(&settings, |index| [0, 1, 2, 7][index]);
        let drawn = mating_pool(&settings, &parents, 10_000);
        let count = |i: usize| drawn.iter().filter(|m| ***m == parents.members[i]).count();
        assert_eq!(count(0), 0);
        for (index, expected) in [(1, 1000), (2, 2000), (3, 7000)] {
            assert!(count(index).abs_diff(expected) < 275, "{}", count(index));
        }
    }

    #[test]
    fn a_wheel_without_fitness_is_uniform() {
        let settings = settings(&[("population", "4"), ("fitness_set", "1"), ("elite", "0")]);
        let parents = parents(&settings, |_| 0);
        let drawn = mating_pool(&settings, &parents, 10_000);
        for member in &parents.members {
            let count = drawn.iter().filter(|m| *m == &member).count();
            assert!(count.abs_diff(2500) < 260, "{count}");
        }
    }

    #[test]
    fn without_crossover_and_mutation_offspring_are_copies() {
        let settings = settings(&[("crossover_rate", "0"), ("mutation_rate", "0")]);
        let parents = parents(&settings, |index| index as u64);
        for child in breed(&settings, &parents) {
            assert!(parents.members.contains(&child));
        }
    }

    #[test]
    fn crossover_exchanges_tails_and_loses_no_bit() {
        let mut dice = stream(1, Purpose::Crossover, 0, 0);
        for _ in 0..1000 {
            let mut pair = [vec![false; 9], vec![true; 9]];
            cross(&mut pair, 1.0, &mut dice);
            let point = pair[0].iter().position(|bit| *bit).unwrap();
            assert!((1..9).contains(&point));
            assert!(pair[0][point..].iter().all(|bit| *bit));
            assert!(pair[1].iter().zip(&pair[0]).all(|(a, b)| a != b));
        }
    }

    #[test]
    fn mutation_flips_bits_at_its_rate() {
        let settings = settings(&[("crossover_rate", "0"), ("mutation_rate", "0.1")]);
        let zero = Chromosome::new(vec![false; 10_000]);
        let children = offspring(&settings, 1, &[&zero, &zero, &zero]);
        for child in &children {
            let flipped = child.bits().iter().filter(|bit| **bit).count();
            assert!(flipped.abs_diff(1000) < 180, "{flipped}");
        }
        assert_ne!(children[0], children[2]);
    }
}
