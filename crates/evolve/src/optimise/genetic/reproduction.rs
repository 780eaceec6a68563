//! Creates the chromosomes of the next generation from those of the current generation and their fitness.

use mancala::eval::{Feature, Signs, Weights};
use mancala::random::{Purpose, normal, stream};
use rand::{Rng, RngExt};

use super::operators::{Crossover, Mutation, Scale};
use super::settings::Setup;
use crate::optimise::{Chromosome, Evaluated, mean_hamming_distance, ranking};

/// Returns the chromosomes of generation 1. They consist of random bits, or they are the founders and their mutants.
pub(super) fn initial_population(setup: &Setup) -> Vec<Chromosome> {
    let founders = setup.founders().expect("settings check the founders");
    let member = |index: u64| match founders.len() {
        0 => random_member(setup, 1, index),
        count if index < count as u64 => founders[index as usize].clone(),
        count => mutated(setup, 0, index, &founders[index as usize % count]),
    };
    (0..setup.own.population.into()).map(member).collect()
}

fn random_member(setup: &Setup, generation: u64, index: u64) -> Chromosome {
    let mut rng = stream(setup.task.seed, Purpose::Population, generation, index);
    let bits = (0..setup.chromosome_bits()).map(|_| rng.next_u32() & 1 == 1);
    let member = Chromosome::new(bits.collect());
    match setup.length_of_genes() {
        None => member,
        Some(_) => encode(setup, genes(setup, &member)),
    }
}

/// Returns the elite of `parents`, followed by their offspring. If the parents are too similar to each other, then the
/// elite is followed by random members instead.
pub(super) fn next_population(setup: &Setup, parents: &Evaluated) -> Vec<Chromosome> {
    let best = ranking(&parents.fitness).into_iter().take(setup.own.elite_size());
    let elite: Vec<Chromosome> = best.map(|index| parents.members[index].clone()).collect();
    let count = setup.own.population as usize - elite.len();
    let threshold = setup.own.restart_below * setup.chromosome_bits() as f64;
    let offspring = if threshold > 0.0 && mean_hamming_distance(&parents.members) < threshold {
        let generation = u64::from(parents.generation) + 1;
        (0..count as u64).map(|index| random_member(setup, generation, index)).collect()
    } else {
        offspring(setup, parents, count)
    };
    elite.into_iter().chain(offspring).collect()
}

fn offspring(setup: &Setup, parents: &Evaluated, count: usize) -> Vec<Chromosome> {
    let generation = parents.generation;
    let mut children = if setup.own.crossover == Crossover::Pool {
        let index = setup.own.index_of_mean(generation, parents.members.len());
        let previous = index.map(|index| &parents.members[index]);
        let mean = mean_of_selected(setup, parents, previous);
        vec![mean; count]
    } else {
        let pool = mating_pool(setup, parents, count);
        let mut children: Vec<_> = pool.iter().map(|parent| parent.bits().to_vec()).collect();
        cross_all(setup, generation, &mut children);
        children.into_iter().map(Chromosome::new).collect()
    };
    // With pool recombination, the first child remains the unmutated mean.
    let unchanged = usize::from(setup.own.crossover == Crossover::Pool);
    for (index, child) in (0..).zip(children.iter_mut().skip(unchanged)) {
        *child = mutated(setup, generation, index, child);
    }
    children
}

fn mating_pool<'a>(setup: &Setup, parents: &'a Evaluated, size: usize) -> Vec<&'a Chromosome> {
    let mut rng = stream(setup.task.seed, Purpose::Selection, parents.generation.into(), 0);
    let mut total = 0;
    let mut ends = setup.own.selection.chances(&parents.fitness);
    for end in &mut ends {
        total += *end;
        *end = total;
    }
    let mut draw = || {
        let drawn = rng.random_range(0..total);
        &parents.members[ends.partition_point(|&end| end <= drawn)]
    };
    (0..size).map(|_| draw()).collect()
}

pub(super) fn mean_of_all(setup: &Setup, chromosomes: &[Chromosome]) -> Chromosome {
    encode(setup, mean_genes(setup, chromosomes, &vec![1; chromosomes.len()]))
}

/// Returns the mean of the members, weighted by their selection probabilities. If there is a `previous` chromosome,
/// then it's included with the inertia as its weight.
pub(super) fn mean_of_selected(
    setup: &Setup,
    parents: &Evaluated,
    previous: Option<&Chromosome>,
) -> Chromosome {
    let inertia = setup.own.inertia;
    let chances = setup.own.selection.chances(&parents.fitness);
    let mut mean = mean_genes(setup, &parents.members, &chances);
    if let Some(previous) = previous {
        for (gene, previous) in mean.iter_mut().zip(genes(setup, previous)) {
            *gene = inertia * previous + (1.0 - inertia) * *gene;
        }
    }
    encode(setup, mean)
}

fn mean_genes(setup: &Setup, chromosomes: &[Chromosome], weights: &[u64]) -> Vec<f64> {
    let genes: Vec<Vec<i64>> = chromosomes.iter().map(|it| setup.own.encoding.decode(it)).collect();
    let total: u64 = weights.iter().sum();
    let mean = |gene: usize| {
        let products = genes.iter().zip(weights);
        let sum: i128 = products.map(|(g, &w)| i128::from(g[gene]) * i128::from(w)).sum();
        sum as f64 / total as f64
    };
    (0..genes[0].len()).map(mean).collect()
}

/// Applies crossover to each pair of consecutive children. If their number is odd, then the last one is unchanged.
fn cross_all(setup: &Setup, generation: u32, children: &mut [Vec<bool>]) {
    let (pairs, _) = children.as_chunks_mut::<2>();
    for (index, [one, other]) in (0..).zip(pairs) {
        let mut rng = stream(setup.task.seed, Purpose::Crossover, generation.into(), index);
        if one.len() < 2 || !rng.random_bool(setup.own.crossover_rate) {
            continue;
        }
        match setup.own.crossover {
            Crossover::OnePoint => {
                let point = rng.random_range(1..one.len() as u32) as usize;
                one[point..].swap_with_slice(&mut other[point..]);
            }
            Crossover::Uniform => {
                let bits = setup.own.encoding.bits();
                for (one, other) in one.chunks_mut(bits).zip(other.chunks_mut(bits)) {
                    if rng.random_bool(0.5) {
                        one.swap_with_slice(other);
                    }
                }
            }
            Crossover::Pool => unreachable!("pool recombination does not use pairwise crossover"),
        }
    }
}

fn mutated(setup: &Setup, generation: u32, index: u64, of: &Chromosome) -> Chromosome {
    let (draw, sign) = match setup.own.mutation {
        Mutation::Mirrored => (index / 2, [1.0, -1.0][index as usize % 2]),
        Mutation::Flip | Mutation::Gaussian => (index, 1.0),
    };
    let mut rng = stream(setup.task.seed, Purpose::Mutation, generation.into(), draw);
    match setup.own.mutation {
        Mutation::Flip => {
            let flip = |bit: &bool| bit ^ rng.random_bool(setup.own.mutation_rate);
            Chromosome::new(of.bits().iter().map(flip).collect())
        }
        Mutation::Gaussian | Mutation::Mirrored => {
            let step = sign * setup.step_after(generation);
            perturbed(setup, of, step, setup.own.mutation_rate, &mut rng)
        }
    }
}

/// Adds a normally distributed step to each gene with probability `rate`.
pub(super) fn perturbed(
    setup: &Setup,
    of: &Chromosome,
    step: f64,
    rate: f64,
    rng: &mut impl Rng,
) -> Chromosome {
    let mut moved = genes(setup, of);
    for gene in &mut moved {
        if rng.random_bool(rate) {
            *gene += step * normal(rng);
        }
    }
    encode(setup, moved)
}

fn genes(setup: &Setup, chromosome: &Chromosome) -> Vec<f64> {
    setup.own.encoding.decode(chromosome).into_iter().map(|gene| gene as f64).collect()
}

/// Scales genes to the length in the settings (if any), clamps them to the range of the encoding and encodes them.
pub(super) fn encode(setup: &Setup, genes: Vec<f64>) -> Chromosome {
    let length = genes.iter().map(|gene| gene * gene).sum::<f64>().sqrt();
    let factor = match setup.length_of_genes() {
        Some(target) if length > 0.0 => target / length,
        _ => 1.0,
    };
    let (low, high) = setup.own.encoding.range().into_inner();
    let whole = |gene: f64| ((gene * factor).round() as i64).clamp(low, high);
    let genes: Vec<i64> = genes.into_iter().map(whole).collect();
    setup.own.encoding.encode(&genes).expect("genes are clamped to the range")
}

/// Returns the chromosome that is closest to these weights, or `None` if all genes would be 0. If a weight is too large
/// for its gene, then all weights are scaled down. A feature without a gene is replaced by its [parts](Feature::parts).
/// If the parts have no genes either, then the feature is left out and added to the returned list.
pub(super) fn founder(setup: &Setup, weights: &Weights) -> Option<(Chromosome, Vec<Feature>)> {
    let free: Vec<Feature> = setup.free_features().collect();
    let (mut genes, mut left_out) = (vec![0.0; free.len()], Vec::new());
    for (&feature, &weight) in weights.features().features().iter().zip(&weights.effective()) {
        let parts = if free.contains(&feature) { vec![(feature, 1)] } else { feature.parts() };
        let gene = |part: Feature| free.iter().position(|free| *free == part);
        if weight != 0 && parts.iter().all(|&(part, _)| gene(part).is_none()) {
            left_out.push(feature);
        }
        for (part, factor) in parts {
            let Some(index) = gene(part) else { continue };
            let sign = match setup.task.signs {
                Signs::Signed => part.sign(),
                Signs::Literal => 1,
            };
            genes[index] += f64::from(weight * factor * sign);
        }
    }
    let largest = genes.iter().fold(0.0, |largest: f64, gene| largest.max(gene.abs()));
    let limit = *setup.own.encoding.range().end() as f64;
    let must_shrink = setup.own.scale == Scale::Free && largest > limit;
    let factor = if must_shrink { limit / largest } else { 1.0 };
    let genes = genes.into_iter().map(|gene| gene * factor).collect();
    (largest > 0.0).then(|| (encode(setup, genes), left_out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::testing::setup as settings;

    fn parents(setup: &Setup, fitness: impl Fn(usize) -> u64) -> Evaluated {
        let members = initial_population(setup);
        let fitness = (0..members.len()).map(fitness).collect();
        Evaluated { generation: 1, members, fitness, games_asked: 0, games_played: 0 }
    }

    #[test]
    fn the_initial_population_is_fair_and_distinct() {
        let members = initial_population(&settings("population=1000"));
        let ones: usize = members.iter().map(|m| m.bits().iter().filter(|b| **b).count()).sum();
        // For 48,000 fair coin flips, six standard deviations are 657.
        assert!(ones.abs_diff(24_000) < 657, "{ones}");
        assert_eq!(members.iter().collect::<std::collections::HashSet<_>>().len(), 1000);
    }

    #[test]
    fn the_elite_are_the_fittest_and_other_offspring_copies_without_operators() {
        let setup = settings("crossover_rate=0 mutation_rate=0");
        let parents = parents(&setup, |index| [3, 9, 9, 1, 9, 2, 9][index % 7]);
        let next = next_population(&setup, &parents);
        assert!(next.iter().all(|child| parents.members.contains(child)));
        assert_eq!(next.len(), 50);
        let expected = [1, 2, 4, 6, 8].map(|index| parents.members[index].clone());
        assert_eq!(next[..5], expected);
    }

    #[test]
    fn parents_are_drawn_by_their_chances() {
        let setup = settings("population=4 fitness_set=1 elite=0");
        for (fitness, expected) in [([0, 1, 2, 7], [0, 1000, 2000, 7000]), ([0; 4], [2500; 4])] {
            let parents = parents(&setup, |index| fitness[index]);
            let drawn = mating_pool(&setup, &parents, 10_000);
            for (member, expected) in parents.members.iter().zip(expected) {
                let count = drawn.iter().filter(|it| **it == member).count();
                assert!(count.abs_diff(expected) <= usize::min(expected, 275), "{count}");
            }
        }
    }

    #[test]
    fn crossover_exchanges_tails_or_whole_genes_and_loses_no_bit() {
        let mut children: Vec<_> = (0..2000).map(|index| vec![index % 2 == 1; 9]).collect();
        cross_all(&settings("crossover_rate=1"), 1, &mut children);
        for pair in children.as_chunks::<2>().0 {
            let point = pair[0].iter().position(|bit| *bit).unwrap();
            assert!((1..9).contains(&point));
            assert!(pair[0][point..].iter().all(|bit| *bit));
            assert!(pair[1].iter().zip(&pair[0]).all(|(a, b)| a != b));
        }
        let mut children = [vec![false; 48], vec![true; 48]];
        cross_all(&settings("crossover=uniform crossover_rate=1"), 1, &mut children);
        let [one, other] = children;
        assert!(one.chunks(4).all(|gene| gene.iter().all(|bit| *bit == gene[0])));
        assert!(one.iter().zip(&other).all(|(a, b)| a != b));
        assert!(one.contains(&true) && one.contains(&false));
    }

    #[test]
    fn mutation_flips_bits_at_its_rate() {
        let setup = settings("crossover_rate=0 mutation_rate=0.1");
        let zero = Chromosome::new(vec![false; 10_000]);
        let children = [0, 1, 2].map(|index| mutated(&setup, 1, index, &zero));
        for child in &children {
            let flipped = child.bits().iter().filter(|bit| **bit).count();
            assert!(flipped.abs_diff(1000) < 180, "{flipped}");
        }
        assert_ne!(children[0], children[2]);
    }

    fn pooling(changes: &str) -> Setup {
        let pool = "encoding=integer:11 signs=literal scale=500 crossover=pool selection=truncation:2 \
            mutation=gaussian mutation_rate=1 elite=1";
        settings(&format!("{pool} {changes}"))
    }

    fn length(setup: &Setup, chromosome: &Chromosome) -> f64 {
        let weights = setup.coding().decode(chromosome);
        weights.iter().map(|w| (w * w) as f64).sum::<f64>().sqrt()
    }

    #[test]
    fn a_fixed_scale_holds_for_all_offspring() {
        for fix in ["", "fix=a9=-200,a2=30"] {
            let setup = pooling(fix);
            let parents = parents(&setup, |index| index as u64);
            for member in parents.members.iter().chain(&next_population(&setup, &parents)) {
                // Rounding twelve genes changes the length by less than two.
                assert!((length(&setup, member) - 500.0).abs() < 2.0);
                assert!(fix.is_empty() || setup.coding().decode(member)[8] == -200);
            }
        }
    }

    #[test]
    fn the_first_child_of_a_pool_is_the_mean_of_the_selected() {
        let setup = pooling("scale=free inertia=0.9");
        let parents = parents(&setup, |index| u64::from(index == 7 || index == 9));
        let next = next_population(&setup, &parents);
        assert_eq!(next[0], parents.members[7]);
        let [one, other] = [7, 9].map(|index| setup.coding().decode(&parents.members[index]));
        for ((mean, one), other) in setup.coding().decode(&next[1]).iter().zip(one).zip(other) {
            assert!((2 * mean - one - other).abs() <= 1);
        }
        assert_eq!(next.iter().collect::<std::collections::HashSet<_>>().len(), 50);
    }

    #[test]
    fn mirrored_offspring_lie_evenly_around_the_mean() {
        // These steps are so short that no gene leaves its range.
        let setup =
            pooling("step=0.02 step_floor=0.02 population=9 mutation=mirrored scale=free elite=0");
        let children = next_population(&setup, &parents(&setup, |index| index as u64));
        let genes = |index: usize| super::genes(&setup, &children[index]);
        let mean = genes(0);
        for pair in [1, 3, 5, 7] {
            let (one, other) = (genes(pair), genes(pair + 1));
            assert_ne!(one, other);
            for ((one, other), mean) in one.iter().zip(other).zip(&mean) {
                // Genes are rounded to integers, so each of the two genes may be off by ½.
                assert!((one + other - 2.0 * mean).abs() <= 1.0, "{one} {other} {mean}");
            }
        }
    }

    #[test]
    fn steps_shrink_to_their_floor() {
        for (cooling, at_20) in [("halving", 87.5), ("harmonic", 100.0)] {
            let setup = pooling(&format!("step=0.4 step_floor=0.1 step_half=10 cooling={cooling}"));
            let lengths = [0, 10, 20].map(|generation| setup.step_after(generation));
            for (length, expected) in lengths.into_iter().zip([200.0, 125.0, at_20]) {
                assert!((length - expected).abs() < 1e-9, "{cooling}: {length}");
            }
            assert!((setup.step_after(1_000_000) - 50.0).abs() < 0.01);
        }
    }

    #[test]
    fn a_converged_population_is_replaced_except_for_its_elite() {
        let setup = settings("restart_below=0.01");
        let mut parents = parents(&setup, |index| index as u64);
        parents.members = vec![parents.members[0].clone(); 50];
        let next = next_population(&setup, &parents);
        assert!(next[..5].iter().all(|member| *member == parents.members[0]));
        assert_eq!(next[5..].iter().collect::<std::collections::HashSet<_>>().len(), 45);
        assert_ne!(next[5], initial_population(&setup)[0]);
    }

    #[test]
    fn founders_come_first_followed_by_their_mutants() {
        let setup = settings("founders=cf10d903be0c,000000000000");
        let members = initial_population(&setup);
        assert_eq!(members[0].to_hex(), "cf10d903be0c");
        assert_eq!(members[1].to_hex(), "000000000000");
        let differing = |a: &Chromosome, b: &Chromosome| {
            a.bits().iter().zip(b.bits()).filter(|(a, b)| a != b).count()
        };
        assert!((2..50).all(|i| differing(&members[i], &members[i % 2]) <= 2));
    }
}
