//! Checkpoints, from which an interrupted run can be resumed.

use mancala::store::{Frame, FrameError};
use serde::de::DeserializeOwned;

use crate::optimise::{ChromosomeError, LoadError, Memory, Saved, SavedIslands};
use crate::run::settings::{SettingError, Settings};

/// The format for the genetic algorithm. It has not changed since the first version.
const PAIRINGS: Frame = Frame { kind: *b"CKPT", version: 2 };
/// The format for optimisers that save lists of numbers.
const NUMBERS: Frame = Frame { kind: *b"CKPT", version: 3 };
/// The format for runs that learn their features.
const ITERATIONS: Frame = Frame { kind: *b"CKPT", version: 5 };
/// The format for runs with islands. It contains a checkpoint without settings for each island.
const ISLANDS: Frame = Frame { kind: *b"CKPT", version: 6 };

/// The state of a run after a generation, which depends only on the settings and the seed.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// The settings as `key = value` lines.
    settings: String,
    pub saved: Saved,
}

fn read<M: DeserializeOwned>(
    frame: Frame,
    bytes: &[u8],
    memory: impl FnOnce(M) -> Memory,
) -> Result<Checkpoint, FrameError> {
    let (settings, last, content) = frame.decode(bytes)?;
    Ok(Checkpoint { settings, saved: Saved { last, memory: memory(content) } })
}

#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error("{key} was {was} when the run began, but is now {is}; restore it or start another run")]
    Changed { key: &'static str, was: String, is: String },
    #[error("its settings are invalid: {0}")]
    Settings(#[from] SettingError),
    #[error(transparent)]
    State(#[from] LoadError),
}

impl CheckpointError {
    /// Returns the name of the layer file that is missing or damaged, if that caused the error.
    pub fn lost_layer(&self) -> Option<String> {
        match self {
            CheckpointError::State(LoadError::Member(ChromosomeError::Layer(it))) => {
                Some(it.clone())
            }
            _ => None,
        }
    }
}

impl Checkpoint {
    pub fn new(settings: String, saved: Saved) -> Self {
        Checkpoint { settings, saved }
    }

    /// Encodes the checkpoint as the bytes of a file.
    pub fn encode(&self) -> Vec<u8> {
        let Checkpoint { settings, saved: Saved { last, memory } } = self;
        match memory {
            Memory::Pairings(pairings) => PAIRINGS.encode(&(settings, last, pairings)),
            Memory::Numbers(numbers) => NUMBERS.encode(&(settings, last, numbers)),
            Memory::Iterations(iterations) => ITERATIONS.encode(&(settings, last, iterations)),
            Memory::Islands(SavedIslands { islands, champions, ranking }) => {
                let encoded = islands.iter().map(|it| Checkpoint::new(String::new(), it.clone()));
                let encoded: Vec<Vec<u8>> = encoded.map(|it| it.encode()).collect();
                ISLANDS.encode(&(settings, last, (encoded, champions, ranking)))
            }
        }
    }

    /// Decodes the bytes of a file.
    pub fn decode(bytes: &[u8]) -> Result<Self, FrameError> {
        match Checkpoint::decode_population(bytes) {
            Err(FrameError::Version { found, .. }) if found == ISLANDS.version => {
                let (settings, last, (islands, champions, ranking)): (_, _, (Vec<Vec<u8>>, _, _)) =
                    ISLANDS.decode(bytes)?;
                let island = |bytes: &Vec<u8>| Ok(Checkpoint::decode_population(bytes)?.saved);
                let islands = islands.iter().map(island).collect::<Result<_, FrameError>>()?;
                let memory = Memory::Islands(SavedIslands { islands, champions, ranking });
                Ok(Checkpoint { settings, saved: Saved { last, memory } })
            }
            decoded => decoded,
        }
    }

    /// Decodes a checkpoint without islands.
    fn decode_population(bytes: &[u8]) -> Result<Self, FrameError> {
        match read(PAIRINGS, bytes, Memory::Pairings) {
            Err(FrameError::Version { found, .. }) if found == NUMBERS.version => {
                read(NUMBERS, bytes, Memory::Numbers)
            }
            Err(FrameError::Version { found, .. }) if found == ITERATIONS.version => {
                read(ITERATIONS, bytes, Memory::Iterations)
            }
            decoded => decoded,
        }
    }

    pub fn generation(&self) -> u32 {
        self.saved.last.generation
    }

    /// Parses the settings, which do not include the requested number of generations.
    pub fn settings(&self) -> Result<Settings, CheckpointError> {
        Ok(Settings::of_lines(&self.settings)?)
    }

    pub fn compare(&self, settings: &Settings) -> Result<(), CheckpointError> {
        let own = self.settings()?;
        for (was, is) in own.entries().into_iter().zip(settings.entries()) {
            if was.name != is.name {
                let (was, is) = (own.method.name.into(), settings.method.name.into());
                return Err(CheckpointError::Changed { key: "the optimiser", was, is });
            }
            if was.name != "generations" && was.value != is.value {
                let (key, was, is) = (was.name, was.value, is.value);
                return Err(CheckpointError::Changed { key, was, is });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Chromosome, Trainer};
    use crate::testing::changed;

    #[test]
    fn a_checkpoint_with_invalid_content_is_refused() {
        type Change = fn(&mut Checkpoint);
        let mut settings = changed("daoud2004", "population=6 depth=1 fitness_set=2");
        let mut trainer = Trainer::new(settings.clone());
        assert!(trainer.checkpoint().is_none());
        trainer.step(&()).unwrap();
        trainer.step(&()).unwrap();
        let good = trainer.checkpoint().unwrap();
        let cases: [(Change, &str); 6] = [
            (|it| it.saved.last.generation = 0, "generation is 0"),
            (|it| it.saved.last.fitness = vec![1], "1 fitness values"),
            (
                |it| it.saved.last.fitness = vec![8, 8, 0, (1 << 40) + 1, 0, 0],
                "its fitness value 1099511627777 is more than 1099511627776 points",
            ),
            (
                |it| it.saved.last.members[3] = Chromosome::new(vec![true]),
                "\"8\" is not a chromosome of 48 bits",
            ),
            (|it| it.settings = "x = ".into(), "invalid TOML"),
            (|it| it.settings = "x = 1".into(), "unknown setting \"x\""),
        ];
        for (change, reason) in cases {
            let mut bad = good.clone();
            change(&mut bad);
            let decoded = Checkpoint::decode(&bad.encode()).unwrap();
            let error = Trainer::restore(settings.clone(), decoded).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        settings.own.set("mutation_rate", "0.5").unwrap().unwrap();
        let error = Trainer::restore(settings, good).unwrap_err().to_string();
        let reason = "mutation_rate was 0.001 when the run began, but is now 0.5";
        assert!(error.starts_with(reason), "{error}");
    }
}
