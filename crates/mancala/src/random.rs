//! Random number streams, one for each purpose.
//!
//! There is no shared generator. Code that needs random numbers requests the stream for its purpose, generation and
//! index, so its results can't depend on draws made elsewhere, on the number of threads, or on interruptions.

pub use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};

/// The purpose of a random number stream. Never change a value, because results depend on it via the stream's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u64)]
pub enum Purpose {
    /// Random chromosomes of a generation. The index is the chromosome's place in the population.
    Population = tag(b"populatn"),
    /// Members that are drawn into a generation's fitness set.
    FitnessSet = tag(b"fitn-set"),
    /// Past champions that are drawn as opponents of a generation, or for removal when there are too many champions.
    HallOfFame = tag(b"hall-fam"),
    /// Perturbed past champions that play against a generation. The index counts these opponents.
    PerturbedChampion = tag(b"sparring"),
    /// Openings for the games of a generation.
    TrainingOpening = tag(b"tr-openg"),
    /// Chromosomes that are drawn into a generation's mating pool.
    Selection = tag(b"select  "),
    /// Crossover of a pair of parents. The index identifies the pair.
    Crossover = tag(b"crossovr"),
    /// Mutation of an offspring. The index identifies the offspring or, for mirrored mutation, the pair of offspring.
    Mutation = tag(b"mutation"),
    /// Random openings. The generation is the number of plies, and the index counts the attempts to find an opening.
    Opening = tag(b"opening "),
    /// Openings of a match that needs only part of a suite, and random games for estimating the value of a seed.
    Sample = tag(b"sample  "),
    /// Moves of a random player. We use the ply as the generation, and the position's hash as the index.
    Player = tag(b"player  "),
    /// Openings for the finals, a round robin that selects the champion of a run.
    Finals = tag(b"finals  "),
    /// Openings for the games between a candidate and the champion. The generation is the one in which the candidate
    /// was measured, or 0 after the finals.
    Gate = tag(b"the-gate"),
    /// Openings for a step of a baseline optimiser.
    BaselineOpening = tag(b"bl-openg"),
    /// Trials in a step of a baseline optimiser. The index identifies the trial.
    Trial = tag(b"bl-trial"),
    /// Opponents for the trials in a step of a baseline optimiser.
    Opponents = tag(b"bl-oppon"),
    /// Positions to check in an endgame table. The generation is the number of seeds on the board.
    Table = tag(b"table   "),
    /// Games that supply positions for measuring accuracy. The index identifies the game.
    Accuracy = tag(b"accuracy"),
    /// The RNG seed for drawing the table positions on which a generation is scored.
    TablePositions = tag(b"lessons "),
    /// Games from which we learn the rows of an AMDF player. The index identifies the game.
    Strategies = tag(b"strategy"),
    /// Whether a player makes a random move. The generation is the ply, and the index is the position's hash.
    RandomMove = tag(b"slip    "),
    /// Moves of the random player in the Kansas study. The generation is the combination, and the index is the game.
    Kansas = tag(b"kansas  "),
    /// Self-play games and positions of a dataset. The generation is the iteration, and the index identifies the game.
    Dataset = tag(b"lr-lessn"),
    /// Initial weights of a layer (index 0) or order of training data (index = epoch). The generation is the iteration.
    Layer = tag(b"lr-layer"),
    /// The RNG seed for the generations of an iteration. The iteration takes the place of the generation.
    Iteration = tag(b"lr-epoch"),
    /// Openings for the gating match of an iteration. The iteration takes the place of the generation.
    GatingMatch = tag(b"lr-duel "),
    /// Openings for the games between two champions of a run. The generation combines the generations of both
    /// champions, or is 0 when we draw the list from which these openings are chosen.
    CrossGames = tag(b"crossgam"),
    /// Simulated tables of game results for diagnosing a run. The index identifies the table.
    Diagnosis = tag(b"diagnos "),
    /// The RNG seed of an island. The index identifies the island. Streams with an island's RNG seed draw the openings
    /// of the games that rank the islands, and the champions to remove when there are too many.
    Island = tag(b"island  "),
}

const fn tag(name: &[u8; 8]) -> u64 {
    u64::from_le_bytes(*name)
}

/// Returns the random number stream for a purpose, generation and index in a run with RNG seed `seed`.
///
/// The four values form the 256-bit key of ChaCha8, so different arguments yield unrelated streams. Each stream is the
/// same on every machine.
///
/// ```
/// use mancala::random::{Purpose, stream};
/// use rand::Rng;
/// let draw = |index| stream(1, Purpose::Mutation, 3, index).next_u64();
/// assert_eq!(draw(0), draw(0));
/// assert_ne!(draw(0), draw(1));
/// ```
pub fn stream(seed: u64, purpose: Purpose, generation: u64, index: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    for (bytes, value) in key.chunks_exact_mut(8).zip([seed, purpose as u64, generation, index]) {
        bytes.copy_from_slice(&value.to_le_bytes());
    }
    ChaCha8Rng::from_seed(key)
}

/// Draws from the standard normal distribution using Marsaglia's polar method.
pub fn normal(rng: &mut impl Rng) -> f64 {
    loop {
        let [x, y] = [(); 2].map(|()| 2.0 * rng.random::<f64>() - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * libm::log(square) / square).sqrt();
        }
    }
}

/// Draws an item uniformly at random. If there are no items, returns `None` and draws nothing from `rng`.
pub fn choose<T>(mut items: impl ExactSizeIterator<Item = T>, rng: &mut impl Rng) -> Option<T> {
    let count = items.len() as u32;
    (count > 0).then(|| rng.random_range(0..count)).and_then(|place| items.nth(place as usize))
}

/// Draws `count` distinct numbers below `of` in random order, or all of them if `count` is larger than `of`.
pub fn sample(count: usize, of: usize, rng: &mut impl Rng) -> Vec<usize> {
    let mut all: Vec<usize> = (0..of).collect();
    let count = count.min(of);
    for index in 0..count {
        let other = rng.random_range(index as u32..of as u32);
        all.swap(index, other as usize);
    }
    all.truncate(count);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_are_normal() {
        let mut rng = stream(1, Purpose::Mutation, 0, 0);
        let numbers: Vec<f64> = (0..100_000).map(|_| normal(&mut rng)).collect();
        let mean = |power: i32| numbers.iter().map(|x| x.powi(power)).sum::<f64>() / 1e5;
        // The tolerances are five standard errors of each moment.
        assert!(mean(1).abs() < 0.016 && (mean(2) - 1.0).abs() < 0.023);
        assert!((mean(4) - 3.0).abs() < 0.155);
    }

    #[test]
    fn items_are_equally_likely() {
        let mut rng = stream(1, Purpose::Player, 0, 0);
        let mut drawn = [0i32; 3];
        for _ in 0..30_000 {
            drawn[choose(0..3usize, &mut rng).unwrap()] += 1;
        }
        // The tolerance is five standard errors.
        assert!(drawn.iter().all(|times| (times - 10_000).abs() < 410));
        assert_eq!(choose(0..0usize, &mut rng), None);
    }
}
