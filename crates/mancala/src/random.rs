//! Random numbers as streams named by what they are for.
//!
//! There is no shared generator. Code that needs chance asks for the stream of its purpose, its
//! generation and its index, so that the numbers drawn in one place cannot depend on how many were
//! drawn in another, on the number of threads or on where a run was interrupted.

mod draws;

pub use draws::{drawn, normal, one_of};
use rand::SeedableRng;
pub use rand::rngs::ChaCha8Rng;

/// What a stream of random numbers is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Chromosomes that begin by chance, in the generation that they are of; index = member.
    Population,
    /// Which members form a generation's fitness set.
    FitnessSet,
    /// Which champions of the past meet a generation.
    HallOfFame,
    /// Mutants that meet a generation; index = mutant.
    Sparring,
    /// The openings of a generation.
    TrainingOpening,
    /// Which members enter a generation's mating pool.
    Selection,
    /// Whether and how a pair is crossed; index = pair.
    Crossover,
    /// How an offspring is changed; index = offspring.
    Mutation,
    /// Random openings; generation = plies, index = attempt.
    Opening,
    /// Which openings of a suite a shorter match plays.
    Sample,
    /// The moves of a random player; generation = ply, index = hash of the position.
    Player,
    /// The openings that finalists meet in.
    Finals,
    /// The openings in which a candidate meets the champion; generation = that of the candidate.
    Gate,
    /// The openings of a step of a baseline optimiser.
    BaselineOpening,
    /// What a baseline optimiser tries in a step; index = trial.
    Trial,
    /// The opponents of the trials of a step.
    Opponents,
    /// Which positions of an endgame table are looked at; generation = seeds on the board.
    Table,
    /// The games that positions for measuring accuracy are taken from; index = game.
    Accuracy,
    /// The seed of the positions that a generation is asked about.
    TablePositions,
    /// Games that rows are learnt from; index = game.
    Strategies,
    /// When a careless player slips; generation = ply, index = hash of the position.
    Slip,
    /// The random player's moves in the Kansas study; generation = combination, index = game.
    Kansas,
    /// The games and the positions that a layer is learned from; generation = layer, index = game.
    Lessons,
    /// Where the fit of a layer begins, and in which order it reads; generation = layer, index = pass.
    Layer,
    /// The seed of the generations between two layers; generation = layer.
    Epoch,
    /// The openings in which a layer must prove itself; generation = layer.
    Duel,
}

impl Purpose {
    /// Eight bytes that name the purpose inside a stream's key; changing one changes every run.
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

/// The stream of random numbers for `purpose` in `generation` at `index` of the run with `seed`.
///
/// The four values *are* the 256-bit key of ChaCha8, so different arguments give unrelated streams,
/// and the stream is the same on every machine.
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
