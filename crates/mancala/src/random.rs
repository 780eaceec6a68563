//! Streams of random numbers, named by their purpose.
//!
//! There is no shared generator. Code that needs random numbers takes the stream of its purpose, generation and index.
//! The numbers drawn in one place therefore do not depend on other draws, on the number of threads or on where a run
//! was interrupted.

pub use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};

/// The purpose of a stream of random numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Random chromosomes of a generation; index = member.
    Population,
    /// Which members form a generation's fitness set.
    FitnessSet,
    /// Which past champions play a generation.
    HallOfFame,
    /// Perturbed past champions that play a generation; index = opponent.
    Sparring,
    /// The openings of a generation.
    TrainingOpening,
    /// Which members enter a generation's mating pool.
    Selection,
    /// Whether and how a pair is crossed; index = pair.
    Crossover,
    /// How an offspring is mutated; index = offspring.
    Mutation,
    /// Random openings; generation = plies, index = attempt.
    Opening,
    /// Which openings of a suite a shorter match plays.
    Sample,
    /// The moves of a random player; generation = ply, index = hash of the position.
    Player,
    /// The openings of the finals.
    Finals,
    /// The openings of the games between a candidate and the champion; generation = that of the candidate.
    Gate,
    /// The openings of a step of a baseline optimiser.
    BaselineOpening,
    /// The trials of a step of a baseline optimiser; index = trial.
    Trial,
    /// The opponents of the trials of a step.
    Opponents,
    /// Which positions of an endgame table are checked; generation = seeds on the board.
    Table,
    /// The games from which positions for measuring accuracy are taken; index = game.
    Accuracy,
    /// The RNG seed of the table positions of a generation.
    TablePositions,
    /// Games from which rows are learned; index = game.
    Strategies,
    /// The random moves of a careless player; generation = ply, index = hash of the position.
    Slip,
    /// The random player's moves in the Kansas study; generation = combination, index = game.
    Kansas,
    /// The self-play games and positions of a dataset; generation = layer, index = game.
    Lessons,
    /// The initial weights of a layer and the order of its training data; generation = layer, index = epoch.
    Layer,
    /// The RNG seed of the generations between two layers; generation = layer.
    Epoch,
    /// The openings of the gating match of a layer; generation = layer.
    Duel,
}

impl Purpose {
    /// Returns the eight bytes of the purpose in the key of a stream. Changing them changes every run.
    fn tag(self) -> &'static [u8; 8] {
        match self {
            Purpose::Population => b"populatn",
            Purpose::FitnessSet => b"fitn-set",
            Purpose::HallOfFame => b"hall-fam",
            Purpose::Sparring => b"sparring",
            Purpose::TrainingOpening => b"tr-openg",
            Purpose::Selection => b"select  ",
            Purpose::Crossover => b"crossovr",
            Purpose::Mutation => b"mutation",
            Purpose::Opening => b"opening ",
            Purpose::Sample => b"sample  ",
            Purpose::Player => b"player  ",
            Purpose::Gate => b"the-gate",
            Purpose::Finals => b"finals  ",
            Purpose::BaselineOpening => b"bl-openg",
            Purpose::Trial => b"bl-trial",
            Purpose::Opponents => b"bl-oppon",
            Purpose::Table => b"table   ",
            Purpose::Accuracy => b"accuracy",
            Purpose::TablePositions => b"lessons ",
            Purpose::Strategies => b"strategy",
            Purpose::Slip => b"slip    ",
            Purpose::Kansas => b"kansas  ",
            Purpose::Lessons => b"lr-lessn",
            Purpose::Layer => b"lr-layer",
            Purpose::Epoch => b"lr-epoch",
            Purpose::Duel => b"lr-duel ",
        }
    }
}

/// Returns the stream of random numbers for `purpose` in `generation` at `index` of the run with `seed`.
///
/// The four values are the 256-bit key of ChaCha8. Different arguments give unrelated streams, and a stream is the same
/// on every machine.
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
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(purpose.tag());
    key[16..24].copy_from_slice(&generation.to_le_bytes());
    key[24..].copy_from_slice(&index.to_le_bytes());
    ChaCha8Rng::from_seed(key)
}

/// Draws a standard normal number by Marsaglia's polar method.
pub fn normal(rng: &mut impl Rng) -> f64 {
    loop {
        let [x, y] = [(); 2].map(|()| 2.0 * rng.random::<f64>() - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * libm::log(square) / square).sqrt();
        }
    }
}

/// Draws an item uniformly. `None`, without a draw, if there are no items.
pub fn one_of<T>(mut items: impl ExactSizeIterator<Item = T>, rng: &mut impl Rng) -> Option<T> {
    let count = items.len() as u32;
    (count > 0).then(|| rng.random_range(0..count)).and_then(|place| items.nth(place as usize))
}

/// Draws `count` numbers below `of` without replacement, in the order drawn.
pub fn drawn(count: usize, of: usize, rng: &mut impl Rng) -> Vec<usize> {
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
        // Five standard errors of each moment.
        assert!(mean(1).abs() < 0.016 && (mean(2) - 1.0).abs() < 0.023);
        assert!((mean(4) - 3.0).abs() < 0.155);
    }

    #[test]
    fn items_are_equally_likely() {
        let mut rng = stream(1, Purpose::Player, 0, 0);
        let mut drawn = [0i32; 3];
        for _ in 0..30_000 {
            drawn[one_of(0..3usize, &mut rng).unwrap()] += 1;
        }
        // Five standard errors.
        assert!(drawn.iter().all(|times| (times - 10_000).abs() < 410));
        assert_eq!(one_of(0..0usize, &mut rng), None);
    }
}
