//! What a run needs to go on after its process has ended.

use serde::{Deserialize, Serialize};

use crate::optimise::genetic::tournament::{Memory, MemoryError, Tournament};
use crate::optimise::genome::{Chromosome, ChromosomeError};
use crate::run::settings::{Draft, KEYS, SettingError, Settings, read_toml};
use crate::run::trainer::Evaluated;
use mancala::store::{Frame, FrameError};

const FRAME: Frame = Frame { kind: *b"CKPT", version: 2 };

/// More points than any settings let a member win.
const MOST_POINTS: u64 = 1 << 40;

/// A run after some generation, as it is on disk. It depends on the settings and the seed alone; how
/// many generations were asked for is not in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// `key = value` lines of the settings.
    settings: String,
    generation: u32,
    /// Chromosomes in hexadecimal.
    members: Vec<String>,
    fitness: Vec<u64>,
    games_asked: u64,
    games_played: u64,
    memory: Memory,
}

/// A checkpoint that a run cannot go on from.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// Not an undamaged checkpoint of this format.
    #[error("the file {0}")]
    Frame(#[from] FrameError),
    /// It belongs to other settings.
    #[error("{key} was {was} when the run began and is {is} now; put it back or begin another run")]
    Changed {
        /// Which setting.
        key: &'static str,
        /// Its value in the checkpoint.
        was: String,
        /// Its value now.
        is: String,
    },
    /// Its settings are none.
    #[error("its settings are wrong: {0}")]
    Settings(#[from] SettingError),
    /// A chromosome in it is none.
    #[error("member {0}")]
    Member(#[from] ChromosomeError),
    /// Its parts do not fit together.
    #[error("its {0}")]
    Content(String),
}

impl Checkpoint {
    pub(crate) fn of(settings: &Settings, last: &Evaluated, fitness: &Tournament) -> Self {
        Checkpoint {
            settings: settings.lines(),
            generation: last.generation,
            members: last.members.iter().map(Chromosome::to_hex).collect(),
            fitness: last.fitness.clone(),
            games_asked: last.games_asked,
            games_played: last.games_played,
            memory: fitness.memory(),
        }
    }

    /// The bytes of its file.
    pub fn encode(&self) -> Vec<u8> {
        FRAME.encode(self)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// For every truncation and every changed byte.
    pub fn decode(bytes: &[u8]) -> Result<Self, FrameError> {
        FRAME.decode(bytes)
    }

    /// The number of the generation that it was written after.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// The settings that it was written under, except how many generations were asked for.
    pub fn settings(&self) -> Result<Settings, CheckpointError> {
        Ok(Draft::from_table(&read_toml(&self.settings)?)?.finish()?)
    }

    /// Its generation and what its fitness remembers, for a run with these settings.
    pub(crate) fn open(
        self,
        settings: &Settings,
    ) -> Result<(Evaluated, Tournament), CheckpointError> {
        self.compare(settings)?;
        let refuse = |what: String| Err(CheckpointError::Content(what));
        let (members, population) = (self.members.len(), settings.population as usize);
        if members != population || self.fitness.len() != population {
            let fitness = self.fitness.len();
            return refuse(format!(
                "{members} members and {fitness} fitness values are not {population}"
            ));
        }
        // Selection adds the values up, which larger ones could overflow. The settings may have been
        // others when they were won.
        if let Some(fitness) = self.fitness.iter().find(|&&fitness| fitness > MOST_POINTS) {
            return refuse(format!("fitness value {fitness} is more than {MOST_POINTS} points"));
        }
        if self.generation == 0 {
            return refuse("generation is 0".into());
        }
        let bits = settings.chromosome_bits();
        let members = self.members.iter().map(|hex| Chromosome::from_hex(hex, bits));
        let members = members.collect::<Result<_, _>>()?;
        let memory = Tournament::restore(settings.clone(), self.memory, self.generation);
        let memory = memory.map_err(|e: MemoryError| CheckpointError::Content(e.to_string()))?;
        let last = Evaluated {
            generation: self.generation,
            members,
            fitness: self.fitness,
            games_asked: self.games_asked,
            games_played: self.games_played,
        };
        Ok((last, memory))
    }

    /// Whether it belongs to a run with these settings.
    pub(crate) fn compare(&self, settings: &Settings) -> Result<(), CheckpointError> {
        let own = self.settings()?;
        for key in KEYS.iter().filter(|key| key.name != "generations") {
            let (was, is) = ((key.get)(&own), (key.get)(settings));
            if was != is {
                return Err(CheckpointError::Changed { key: key.name, was, is });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Trainer;

    fn checkpoint() -> (Settings, Checkpoint) {
        let mut draft = Draft::preset("daoud2004").unwrap();
        for (key, value) in [("population", "6"), ("depth", "1"), ("fitness_set", "2")] {
            draft.set(key, value).unwrap();
        }
        let settings = draft.finish().unwrap();
        let mut trainer = Trainer::new(settings.clone());
        assert!(trainer.checkpoint().is_none());
        trainer.step(&()).unwrap();
        trainer.step(&()).unwrap();
        (settings, trainer.checkpoint().unwrap())
    }

    #[test]
    fn a_checkpoint_reads_back() {
        let (settings, checkpoint) = checkpoint();
        let decoded = Checkpoint::decode(&checkpoint.encode()).unwrap();
        assert_eq!(decoded, checkpoint);
        let restored = Trainer::restore(settings, decoded).unwrap();
        assert_eq!(restored.checkpoint(), Some(checkpoint));
    }

    #[test]
    fn every_truncation_and_every_flipped_bit_is_refused() {
        let (_, checkpoint) = checkpoint();
        let bytes = checkpoint.encode();
        for length in 0..bytes.len() {
            assert!(Checkpoint::decode(&bytes[..length]).is_err());
        }
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(Checkpoint::decode(&damaged).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_changed_setting_is_named() {
        let (settings, checkpoint) = checkpoint();
        let changed = Settings { mutation_rate: 0.5, ..settings };
        let error = Trainer::restore(changed, checkpoint).unwrap_err().to_string();
        assert!(
            error.starts_with("mutation_rate was 0.001 when the run began and is 0.5"),
            "{error}"
        );
    }

    #[test]
    fn a_well_framed_checkpoint_with_wrong_content_is_refused() {
        let (settings, good) = checkpoint();
        let refused = |bad: Checkpoint, reason: &str| {
            let decoded = Checkpoint::decode(&bad.encode()).unwrap();
            let error = Trainer::restore(settings.clone(), decoded).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        };
        refused(Checkpoint { generation: 0, ..good.clone() }, "generation is 0");
        refused(Checkpoint { fitness: vec![1], ..good.clone() }, "1 fitness values");
        let fitness = vec![8, 8, 0, MOST_POINTS + 1, 0, 0];
        refused(
            Checkpoint { fitness, ..good.clone() },
            "its fitness value 1099511627777 is more than 1099511627776 points",
        );
        refused(Checkpoint { settings: "x = ".into(), ..good.clone() }, "not TOML");
        refused(Checkpoint { settings: "x = 1".into(), ..good.clone() }, "unknown setting \"x\"");
        let mut members = good.members.clone();
        members[3] = "zz".into();
        refused(Checkpoint { members, ..good }, "\"zz\" is not a chromosome of 48 bits");
    }
}
