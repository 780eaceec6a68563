//! Saved optimiser state, from which another process can resume.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Champion, Chromosome, ChromosomeError, Coding, Evaluated};

/// Errors from loading the saved state of an optimiser.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("a member {0}")]
    Member(#[from] ChromosomeError),
    #[error("its {0}")]
    Content(String),
}

impl LoadError {
    pub(crate) fn content(reason: impl Into<String>) -> LoadError {
        LoadError::Content(reason.into())
    }

    pub(crate) fn of_another() -> LoadError {
        LoadError::content("memory belongs to another optimiser")
    }
}

/// An upper bound on fitness, higher than any settings allow.
const MOST_POINTS: u64 = 1 << 40;

/// Maximum number of generations per run.
pub const MOST_GENERATIONS: u32 = 10_000_000;

/// State of an optimiser after a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    pub last: SavedStep,
    pub memory: Memory,
}

/// A finished step in its file format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedStep {
    pub generation: u32,
    /// Candidates in hexadecimal.
    pub members: Vec<String>,
    pub fitness: Vec<u64>,
    pub games_asked: u64,
    pub games_played: u64,
}

/// State of an optimiser, excluding its last step.
#[derive(Debug, Clone, PartialEq)]
pub enum Memory {
    /// For the genetic algorithm.
    Pairings(Pairings),
    /// For searches of a direction.
    Numbers(Numbers),
    /// For runs with learned features.
    Iterations(SavedIterations),
    Islands(SavedIslands),
}

/// State of an archipelago.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedIslands {
    pub islands: Vec<Saved>,
    /// Past champions, as generation and chromosome.
    pub champions: Vec<(u32, String)>,
    /// Indices of the islands, best first.
    pub ranking: Vec<u32>,
}

/// State of a run with learned features.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedIterations {
    /// Name of the layer of the current iteration: the first eight digits of its hash.
    pub layer: u32,
    pub pairings: Pairings,
    /// Champions of past iterations, as generation and chromosome.
    pub past: Vec<(u32, String)>,
    pub fitted: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairings {
    /// All chromosomes that appear in the results.
    pub chromosomes: Vec<String>,
    /// Indices of both players, points of the first player, and the last generation in which the result was needed.
    pub results: Vec<(u32, u32, u8, u32)>,
    /// The hall of fame, as generation and chromosome.
    pub hall: Vec<(u32, String)>,
}

/// Named lists of real numbers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Numbers(BTreeMap<String, Vec<f64>>);

impl Numbers {
    #[must_use]
    pub fn with(mut self, name: &str, values: Vec<f64>) -> Numbers {
        self.0.insert(name.into(), values);
        self
    }

    /// Removes and returns a list of `count` numbers.
    pub fn take(&mut self, name: &str, count: usize) -> Result<Vec<f64>, LoadError> {
        let values = self.take_any(name)?;
        let found = values.len();
        let other = || LoadError::content(format!("{name} has {found} numbers, expected {count}"));
        if found == count { Ok(values) } else { Err(other()) }
    }

    /// Removes and returns a list of any number of finite numbers.
    pub fn take_any(&mut self, name: &str) -> Result<Vec<f64>, LoadError> {
        let missing = || LoadError::content(format!("{name} is missing"));
        let values = self.0.remove(name).ok_or_else(missing)?;
        let infinite = || LoadError::content(format!("{name} has values that are not finite"));
        values.iter().all(|value| value.is_finite()).then_some(values).ok_or_else(infinite)
    }

    /// Returns an error if any list has not been taken.
    pub fn finish(self) -> Result<(), LoadError> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => {
                Err(LoadError::content(format!("{name} does not belong to this optimiser")))
            }
        }
    }
}

/// Returns past champions in their file format, as generation and chromosome.
pub(super) fn save_champions(champions: &[Champion]) -> Vec<(u32, String)> {
    champions.iter().map(|it| (it.generation, it.chromosome.to_hex())).collect()
}

pub(super) fn read_champions(
    champions: &[(u32, String)],
    coding: &Coding,
) -> Result<Vec<Champion>, LoadError> {
    let read =
        |(generation, hex): &(u32, String)| Ok(Champion::past(*generation, coding.read(hex)?));
    champions.iter().map(read).collect()
}

impl SavedStep {
    pub fn of(last: &Evaluated) -> SavedStep {
        SavedStep {
            generation: last.generation,
            members: last.members.iter().map(Chromosome::to_hex).collect(),
            fitness: last.fitness.clone(),
            games_asked: last.games_asked,
            games_played: last.games_played,
        }
    }

    /// Validates and decodes a step with this number of candidates.
    pub fn open(self, candidates: usize, coding: &Coding) -> Result<Evaluated, LoadError> {
        let refuse = |what: String| Err(LoadError::Content(what));
        let (members, fitness) = (self.members.len(), self.fitness.len());
        if members != candidates || fitness != candidates {
            return refuse(format!(
                "{members} members and {fitness} fitness values, expected {candidates} of each"
            ));
        }
        // Sums of larger fitness values could overflow. The settings may have been different when they were computed.
        if let Some(fitness) = self.fitness.iter().find(|&&fitness| fitness > MOST_POINTS) {
            return refuse(format!("fitness value {fitness} is more than {MOST_POINTS} points"));
        }
        if !(1..=MOST_GENERATIONS).contains(&self.generation) {
            return refuse(format!("generation is {}", self.generation));
        }
        let members = self.members.iter().map(|hex| coding.read(hex));
        Ok(Evaluated {
            generation: self.generation,
            members: members.collect::<Result<_, _>>()?,
            fitness: self.fitness,
            games_asked: self.games_asked,
            games_played: self.games_played,
        })
    }
}

#[cfg(test)]
mod tests;
