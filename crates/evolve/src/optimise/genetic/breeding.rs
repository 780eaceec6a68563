//! From one generation's chromosomes and fitness to the next generation's chromosomes.

use rand::{Rng, RngExt};

use super::choices::{Crossover, Mutation};
use super::settings::Setup;
use crate::optimise::genome::{Chromosome, mean_hamming_distance};
use crate::optimise::step::{Evaluated, ranking};
use mancala::random::{Purpose, normal, stream};

/// The chromosomes of generation 1: the founders, if there are any, and chance.
///
/// Without founders every bit is a fair coin. Beside founders the others are mutated copies of them.
pub(crate) fn first_population(setup: &Setup) -> Vec<Chromosome> {
    let founders = setup.founders().expect("settings check the founders");
    let member = |index: u64| match founders.len() {
        0 => random_member(setup, 1, index),
        count if index < count as u64 => founders[index as usize].clone(),
        count => {
            let mut copy = founders[index as usize % count].bits().to_vec();
            mutate(setup, 0, index, &mut copy);
            Chromosome::new(copy)
        }
    };
    (0..setup.own.population.into()).map(member).collect()
}

fn random_member(setup: &Setup, generation: u64, index: u64) -> Chromosome {
    let mut coins = stream(setup.task.seed, Purpose::Population, generation, index);
    let bits = (0..setup.chromosome_bits()).map(|_| coins.next_u32() & 1 == 1);
    let member = Chromosome::new(bits.collect());
    match setup.length_of_genes() {
        None => member,
        Some(_) => encoded(setup, genes(setup, member.bits())),
    }
}

/// The chromosomes of the generation after `parents`: their elite unchanged, then the offspring of a
/// mating pool that fills the population up. If the parents have become too much alike, all but the
/// elite begin anew.
///
/// Randomness is named by the generation that is bred from.
pub(crate) fn breed(setup: &Setup, parents: &Evaluated) -> Vec<Chromosome> {
    let elite = elite(parents, setup.own.elite_size());
    let places = setup.own.population as usize - elite.len();
    let offspring = if is_worn_out(setup, parents) {
        let anew = u64::from(parents.generation) + 1;
        (0..places as u64).map(|index| random_member(setup, anew, index)).collect()
    } else {
        offspring(setup, parents, places)
    };
    elite.into_iter().chain(offspring).collect()
}

fn is_worn_out(setup: &Setup, parents: &Evaluated) -> bool {
    let least = setup.own.restart_below * setup.chromosome_bits() as f64;
    setup.own.restart_below > 0.0 && mean_hamming_distance(&parents.members) < least
}

/// The fittest members, the earlier index first among equals.
fn elite(parents: &Evaluated, size: usize) -> Vec<Chromosome> {
    let best = ranking(&parents.fitness).into_iter().take(size);
    best.map(|index| parents.members[index].clone()).collect()
}

fn offspring(setup: &Setup, parents: &Evaluated, places: usize) -> Vec<Chromosome> {
    let generation = parents.generation;
    if setup.own.crossover == Crossover::Pool {
        let place = setup.own.place_of_mean(generation, parents.members.len());
        let before = place.map(|index| &parents.members[index]);
        let mean = mean_of_selected(setup, parents, before);
        let mut children = vec![mean.bits().to_vec(); places];
        // The first one is the mean itself.
        mutate_all(setup, generation, children.iter_mut().skip(1));
        return children.into_iter().map(Chromosome::new).collect();
    }
    let chances = setup.own.selection.chances(&parents.fitness);
    let pool = mating_pool(setup, parents, &chances, places);
    let mut children: Vec<Vec<bool>> = pool.iter().map(|parent| parent.bits().to_vec()).collect();
    cross_all(setup, generation, &mut children);
    mutate_all(setup, generation, children.iter_mut());
    children.into_iter().map(Chromosome::new).collect()
}

/// Draws with replacement, each member as often as its chance has it.
fn mating_pool<'a>(
    setup: &Setup,
    parents: &'a Evaluated,
    chances: &[u64],
    size: usize,
) -> Vec<&'a Chromosome> {
    let mut wheel = stream(setup.task.seed, Purpose::Selection, parents.generation.into(), 0);
    let sectors = cumulative(chances);
    (0..size).map(|_| &parents.members[spin(&sectors, &mut wheel)]).collect()
}

/// Where each member's sector of the roulette wheel ends.
fn cumulative(chances: &[u64]) -> Vec<u64> {
    let mut end = 0;
    let sector = |&chance: &u64| {
        end += chance;
        end
    };
    chances.iter().map(sector).collect()
}

fn spin(sectors: &[u64], wheel: &mut impl Rng) -> usize {
    let total = sectors[sectors.len() - 1];
    let drawn = wheel.random_range(0..total);
    sectors.partition_point(|&end| end <= drawn)
}

/// The chromosome whose genes are the means of these chromosomes' genes.
pub(crate) fn mean_of_all(setup: &Setup, chromosomes: &[Chromosome]) -> Chromosome {
    let genes: Vec<Vec<i64>> = chromosomes.iter().map(|it| setup.own.encoding.decode(it)).collect();
    let sum = |gene: usize| genes.iter().map(|genes| genes[gene]).sum::<i64>();
    let count = chromosomes.len() as f64;
    encoded(setup, (0..genes[0].len()).map(|gene| sum(gene) as f64 / count).collect())
}

/// The mean of the members gene by gene, weighted by their chances of selection, of which inertia keeps a share
/// of the mean `before`.
pub(super) fn mean_of_selected(
    setup: &Setup,
    parents: &Evaluated,
    before: Option<&Chromosome>,
) -> Chromosome {
    let chances = setup.own.selection.chances(&parents.fitness);
    let decode = |chromosome: &Chromosome| setup.own.encoding.decode(chromosome);
    let genes: Vec<Vec<i64>> = parents.members.iter().map(decode).collect();
    let all: u64 = chances.iter().sum();
    let before = before.map(decode);
    let mean = |gene: usize| {
        let products = genes.iter().zip(&chances);
        let sum: i128 = products.map(|(g, &c)| i128::from(g[gene]) * i128::from(c)).sum();
        let selected = sum as f64 / all as f64;
        before.as_ref().map_or(selected, |before| {
            setup.own.inertia * before[gene] as f64 + (1.0 - setup.own.inertia) * selected
        })
    };
    encoded(setup, (0..genes[0].len()).map(mean).collect())
}

/// Crosses consecutive pairs; an odd last one stays.
fn cross_all(setup: &Setup, generation: u32, children: &mut [Vec<bool>]) {
    for (index, pair) in (0..).zip(children.chunks_exact_mut(2)) {
        let mut dice = stream(setup.task.seed, Purpose::Crossover, generation.into(), index);
        let bits = pair[0].len() as u32;
        if bits < 2 || !dice.random_bool(setup.own.crossover_rate) {
            continue;
        }
        let (one, other) = pair.split_at_mut(1);
        let (one, other) = (&mut one[0], &mut other[0]);
        match setup.own.crossover {
            Crossover::OnePoint => exchange_tails(one, other, &mut dice),
            Crossover::Uniform => exchange_genes(one, other, setup.own.encoding.bits(), &mut dice),
            Crossover::Blend(alpha) => blend(setup, alpha, one, other, &mut dice),
            Crossover::Pool => unreachable!("a pool has no pairs"),
        }
    }
}

/// Single-point crossover: the tails are exchanged from a point strictly inside the chromosome.
fn exchange_tails(one: &mut [bool], other: &mut [bool], dice: &mut impl Rng) {
    let point = dice.random_range(1..one.len() as u32) as usize;
    one[point..].swap_with_slice(&mut other[point..]);
}

/// Uniform crossover of whole genes of so many bits.
fn exchange_genes(one: &mut [bool], other: &mut [bool], bits: usize, dice: &mut impl Rng) {
    for (one, other) in one.chunks_mut(bits).zip(other.chunks_mut(bits)) {
        if dice.random_bool(0.5) {
            one.swap_with_slice(other);
        }
    }
}

/// BLX-α: both children are drawn from the widened interval between the parents.
fn blend(
    setup: &Setup,
    alpha: f64,
    one: &mut Vec<bool>,
    other: &mut Vec<bool>,
    dice: &mut impl Rng,
) {
    let (a, b) = (genes(setup, one), genes(setup, other));
    let mut child = || {
        let between = a.iter().zip(&b).map(|(&a, &b)| {
            let at = dice.random::<f64>() * (1.0 + 2.0 * alpha) - alpha;
            a + at * (b - a)
        });
        encoded(setup, between.collect()).bits().to_vec()
    };
    (*one, *other) = (child(), child());
}

fn mutate_all<'a>(
    setup: &Setup,
    generation: u32,
    children: impl Iterator<Item = &'a mut Vec<bool>>,
) {
    for (index, child) in (0..).zip(children) {
        mutate(setup, generation, index, child);
    }
}

fn mutate(setup: &Setup, generation: u32, index: u64, child: &mut Vec<bool>) {
    let (draw, sign) = match setup.own.mutation {
        Mutation::Mirrored => (index / 2, [1.0, -1.0][index as usize % 2]),
        Mutation::Flip | Mutation::Gaussian => (index, 1.0),
    };
    let mut dice = stream(setup.task.seed, Purpose::Mutation, generation.into(), draw);
    match setup.own.mutation {
        Mutation::Flip => {
            for bit in child {
                *bit ^= dice.random_bool(setup.own.mutation_rate);
            }
        }
        Mutation::Gaussian | Mutation::Mirrored => {
            let step = sign * setup.step_after(generation);
            *child = stepped(setup, child, step, setup.own.mutation_rate, &mut dice);
        }
    }
}

/// Each gene moved with this probability by a normally distributed step of this length.
fn stepped(setup: &Setup, bits: &[bool], step: f64, rate: f64, dice: &mut impl Rng) -> Vec<bool> {
    let mut moved = genes(setup, bits);
    for gene in &mut moved {
        if dice.random_bool(rate) {
            *gene += step * normal(dice);
        }
    }
    encoded(setup, moved).bits().to_vec()
}

/// A mutant to train against.
pub(crate) fn sparring_partner(setup: &Setup, of: &Chromosome, dice: &mut impl Rng) -> Chromosome {
    let step = setup.own.sparring_step * setup.unit();
    Chromosome::new(stepped(setup, of.bits(), step, 1.0, dice))
}

fn genes(setup: &Setup, bits: &[bool]) -> Vec<f64> {
    let chromosome = Chromosome::new(bits.to_vec());
    setup.own.encoding.decode(&chromosome).into_iter().map(|gene| gene as f64).collect()
}

/// The chromosome nearest to these genes that has the length of the settings.
pub(crate) fn encoded(setup: &Setup, genes: Vec<f64>) -> Chromosome {
    let length = genes.iter().map(|gene| gene * gene).sum::<f64>().sqrt();
    let factor = match setup.length_of_genes() {
        Some(wanted) if length > 0.0 => wanted / length,
        _ => 1.0,
    };
    let (low, high) = setup.own.encoding.range().into_inner();
    let whole = |gene: f64| ((gene * factor).round() as i64).clamp(low, high);
    let genes: Vec<i64> = genes.into_iter().map(whole).collect();
    setup.own.encoding.encode(&genes).expect("genes are clamped to the range")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::genetic::testing::setup as settings;

    fn parents(setup: &Setup, fitness: impl Fn(usize) -> u64) -> Evaluated {
        let members = first_population(setup);
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
        let setup = settings(&[]);
        let parents = parents(&setup, |index| [3, 9, 9, 1, 9, 2, 9][index % 7]);
        let next = breed(&setup, &parents);
        assert_eq!(next.len(), 50);
        let expected = [1, 2, 4, 6, 8].map(|index| parents.members[index].clone());
        assert_eq!(next[..5], expected);
    }

    #[test]
    fn selection_is_proportional_to_fitness() {
        let setup = settings(&[("population", "4"), ("fitness_set", "1"), ("elite", "0")]);
        let parents = parents(&setup, |index| [0, 1, 2, 7][index]);
        let chances = setup.own.selection.chances(&parents.fitness);
        let drawn = mating_pool(&setup, &parents, &chances, 10_000);
        let count = |i: usize| drawn.iter().filter(|m| ***m == parents.members[i]).count();
        assert_eq!(count(0), 0);
        for (index, expected) in [(1, 1000), (2, 2000), (3, 7000)] {
            assert!(count(index).abs_diff(expected) < 275, "{}", count(index));
        }
    }

    #[test]
    fn a_wheel_without_fitness_is_uniform() {
        let setup = settings(&[("population", "4"), ("fitness_set", "1"), ("elite", "0")]);
        let parents = parents(&setup, |_| 0);
        let chances = setup.own.selection.chances(&parents.fitness);
        let drawn = mating_pool(&setup, &parents, &chances, 10_000);
        for member in &parents.members {
            let count = drawn.iter().filter(|m| *m == &member).count();
            assert!(count.abs_diff(2500) < 260, "{count}");
        }
    }

    #[test]
    fn without_crossover_and_mutation_offspring_are_copies() {
        let setup = settings(&[("crossover_rate", "0"), ("mutation_rate", "0")]);
        let parents = parents(&setup, |index| index as u64);
        for child in breed(&setup, &parents) {
            assert!(parents.members.contains(&child));
        }
    }

    #[test]
    fn crossover_exchanges_tails_and_loses_no_bit() {
        let mut dice = stream(1, Purpose::Crossover, 0, 0);
        for _ in 0..1000 {
            let [mut one, mut other] = [vec![false; 9], vec![true; 9]];
            exchange_tails(&mut one, &mut other, &mut dice);
            let pair = [one, other];
            let point = pair[0].iter().position(|bit| *bit).unwrap();
            assert!((1..9).contains(&point));
            assert!(pair[0][point..].iter().all(|bit| *bit));
            assert!(pair[1].iter().zip(&pair[0]).all(|(a, b)| a != b));
        }
    }

    #[test]
    fn mutation_flips_bits_at_its_rate() {
        let setup = settings(&[("crossover_rate", "0"), ("mutation_rate", "0.1")]);
        let zero = Chromosome::new(vec![false; 10_000]);
        let mut children = vec![zero.bits().to_vec(); 3];
        mutate_all(&setup, 1, children.iter_mut());
        for child in &children {
            let flipped = child.iter().filter(|bit| **bit).count();
            assert!(flipped.abs_diff(1000) < 180, "{flipped}");
        }
        assert_ne!(children[0], children[2]);
    }

    fn pooling(changes: &[(&str, &str)]) -> Setup {
        let pool = [
            ("encoding", "integer:11"),
            ("signs", "literal"),
            ("scale", "500"),
            ("crossover", "pool"),
            ("selection", "truncation:2"),
            ("mutation", "gaussian"),
            ("mutation_rate", "1"),
            ("elite", "1"),
        ];
        settings(&[&pool, changes].concat())
    }

    fn length(setup: &Setup, chromosome: &Chromosome) -> f64 {
        let weights = setup.coding().decode(chromosome);
        weights.iter().map(|w| (w * w) as f64).sum::<f64>().sqrt()
    }

    #[test]
    fn a_fixed_scale_holds_for_all_offspring() {
        for fix in ["", "a9=-200,a2=30"] {
            let setup = pooling(&[("fix", fix)]);
            let parents = parents(&setup, |index| index as u64);
            for member in parents.members.iter().chain(&breed(&setup, &parents)) {
                // Twelve roundings move the length by less than two.
                assert!((length(&setup, member) - 500.0).abs() < 2.0);
                assert!(fix.is_empty() || setup.coding().decode(member)[8] == -200);
            }
        }
    }

    #[test]
    fn the_first_child_of_a_pool_is_the_mean_of_the_selected() {
        let setup = pooling(&[("scale", "free"), ("inertia", "0.9")]);
        let parents = parents(&setup, |index| u64::from(index == 7 || index == 9));
        let next = breed(&setup, &parents);
        assert_eq!(next[0], parents.members[7]);
        let [one, other] = [7, 9].map(|index| setup.coding().decode(&parents.members[index]));
        for ((mean, one), other) in setup.coding().decode(&next[1]).iter().zip(one).zip(other) {
            assert!((2 * mean - one - other).abs() <= 1);
        }
        assert_eq!(next.iter().collect::<std::collections::HashSet<_>>().len(), 50);
    }

    #[test]
    fn mirrored_offspring_lie_evenly_around_the_mean() {
        // Steps so short that no gene leaves its range.
        let steps = [("step", "0.02"), ("step_floor", "0.02"), ("population", "9")];
        let mirrored = [("mutation", "mirrored"), ("scale", "free"), ("elite", "0")];
        let setup = pooling(&[&steps[..], &mirrored].concat());
        let children = breed(&setup, &parents(&setup, |index| index as u64));
        let genes = |index: usize| super::genes(&setup, children[index].bits());
        let mean = genes(0);
        for pair in [1, 3, 5, 7] {
            let (one, other) = (genes(pair), genes(pair + 1));
            assert_ne!(one, other);
            for ((one, other), mean) in one.iter().zip(other).zip(&mean) {
                // Genes are whole, and half a step may be rounded away from zero on both sides.
                assert!((one + other - 2.0 * mean).abs() <= 1.0, "{one} {other} {mean}");
            }
        }
    }

    #[test]
    fn harmonic_steps_are_a_half_and_a_third_where_halving_ones_are_a_half_and_a_quarter() {
        let step = |cooling, generation| {
            let changes = [("step", "0.4"), ("step_floor", "0"), ("step_half", "10")];
            let setup = pooling(&[&changes[..], &[("cooling", cooling)]].concat());
            setup.step_after(generation) / setup.step_after(0)
        };
        for (cooling, shares) in [("halving", [0.5, 0.25]), ("harmonic", [0.5, 1.0 / 3.0])] {
            for (generation, share) in [10, 20].into_iter().zip(shares) {
                assert!(
                    (step(cooling, generation) - share).abs() < 1e-12,
                    "{cooling} {generation}"
                );
            }
        }
    }

    #[test]
    fn inertia_keeps_a_share_of_the_mean_before() {
        let setup = pooling(&[("scale", "free"), ("inertia", "0.75"), ("elite", "0")]);
        let first = parents(&setup, |index| u64::from(index == 7 || index == 9));
        let second = Evaluated { generation: 2, ..first };
        let [before, one, other] =
            [0, 7, 9].map(|index| setup.coding().decode(&second.members[index]));
        let mean = setup.coding().decode(&breed(&setup, &second)[0]);
        for gene in 0..12 {
            let selected = (one[gene] + other[gene]) as f64 / 2.0;
            let expected = 0.75 * before[gene] as f64 + 0.25 * selected;
            assert!((mean[gene] as f64 - expected).abs() <= 0.5);
        }
    }

    #[test]
    fn steps_shrink_to_their_floor() {
        let setup = pooling(&[("step", "0.4"), ("step_floor", "0.1"), ("step_half", "10")]);
        assert_eq!(setup.step_after(0), 200.0);
        assert_eq!(setup.step_after(10), 125.0);
        assert!((setup.step_after(10_000) - 50.0).abs() < 1e-9);
    }

    #[test]
    fn blending_stays_in_the_widened_interval() {
        let setup = pooling(&[("scale", "free"), ("crossover", "blend:0.5")]);
        let encode = |gene: i64| setup.own.encoding.encode(&[gene; 12]).unwrap().bits().to_vec();
        let mut dice = stream(1, Purpose::Crossover, 0, 0);
        let mut reached = [i64::MAX, i64::MIN];
        for _ in 0..500 {
            let (mut one, mut other) = (encode(-100), encode(100));
            blend(&setup, 0.5, &mut one, &mut other, &mut dice);
            for gene in setup.coding().decode(&Chromosome::new(one)) {
                reached = [reached[0].min(gene), reached[1].max(gene)];
            }
        }
        assert!((-200..=-195).contains(&reached[0]) && (195..=200).contains(&reached[1]));
    }

    #[test]
    fn uniform_crossover_exchanges_whole_genes() {
        let mut dice = stream(1, Purpose::Crossover, 0, 0);
        let [mut one, mut other] = [vec![false; 48], vec![true; 48]];
        exchange_genes(&mut one, &mut other, 4, &mut dice);
        assert!(one.chunks(4).all(|gene| gene.iter().all(|bit| *bit == gene[0])));
        assert!(one.iter().zip(&other).all(|(a, b)| a != b));
        assert!(one.contains(&true) && one.contains(&false));
    }

    #[test]
    fn a_population_of_equals_begins_anew_beside_its_elite() {
        let setup = settings(&[("restart_below", "0.01")]);
        let mut parents = parents(&setup, |index| index as u64);
        parents.members = vec![parents.members[0].clone(); 50];
        let next = breed(&setup, &parents);
        assert!(next[..5].iter().all(|member| *member == parents.members[0]));
        assert_eq!(next[5..].iter().collect::<std::collections::HashSet<_>>().len(), 45);
        assert_ne!(next[5], first_population(&setup)[0]);
    }

    #[test]
    fn founders_come_first_and_others_are_their_mutants() {
        let setup = settings(&[("founders", "cf10d903be0c,000000000000")]);
        let members = first_population(&setup);
        assert_eq!(members[0].to_hex(), "cf10d903be0c");
        assert_eq!(members[1].to_hex(), "000000000000");
        let differing = |a: &Chromosome, b: &Chromosome| {
            a.bits().iter().zip(b.bits()).filter(|(a, b)| a != b).count()
        };
        assert!((2..50).all(|i| differing(&members[i], &members[i % 2]) <= 2));
    }
}
