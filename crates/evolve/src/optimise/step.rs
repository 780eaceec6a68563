//! A step of an optimiser, once it is finished.

use super::genome::Chromosome;

/// A finished step: a generation whose fitness is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluated {
    /// Its number, from 1.
    pub generation: u32,
    /// The candidates that were tried.
    pub members: Vec<Chromosome>,
    /// Their fitness, in the same order.
    pub fitness: Vec<u64>,
    /// Games that the evaluation asked for.
    pub games_asked: u64,
    /// Games that had to be played for it.
    pub games_played: u64,
}

impl Evaluated {
    /// The fittest candidate, the first among equals, and its fitness.
    pub fn best(&self) -> (&Chromosome, u64) {
        let fitness = *self.fitness.iter().max().expect("a step has candidates");
        let index = self.fitness.iter().position(|&f| f == fitness).expect("the maximum occurs");
        (&self.members[index], fitness)
    }
}

/// Candidates from the fittest on, the earlier index first among equals.
pub fn ranking(fitness: &[u64]) -> Vec<usize> {
    let mut ranking: Vec<usize> = (0..fitness.len()).collect();
    // The sort is stable.
    ranking.sort_by_key(|&index| std::cmp::Reverse(fitness[index]));
    ranking
}
