//! What an optimiser leaves to the process that goes on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::genome::{Chromosome, ChromosomeError};
use super::step::Evaluated;
use super::task::Coding;

/// Saved state that no optimiser of these settings left.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A candidate in it is none.
    #[error("member {0}")]
    Member(#[from] ChromosomeError),
    /// Its parts do not fit together.
    #[error("its {0}")]
    Content(String),
}

/// More points than any settings let a candidate win.
pub const MOST_POINTS: u64 = 1 << 40;

/// The most generations of a run.
pub const MOST_GENERATIONS: u32 = 10_000_000;

/// The state of an optimiser after a step, as far as its settings do not say it.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    /// The step.
    pub last: SavedStep,
    /// What the optimiser remembers.
    pub memory: Memory,
}

/// A finished step as files have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedStep {
    pub generation: u32,
    /// Candidates in hexadecimal.
    pub members: Vec<String>,
    pub fitness: Vec<u64>,
    pub games_asked: u64,
    pub games_played: u64,
}

/// What an optimiser remembers beside its last step.
#[derive(Debug, Clone, PartialEq)]
pub enum Memory {
    /// Games and champions.
    Pairings(Pairings),
    /// Lists of numbers by name.
    Numbers(Numbers),
    /// An epoch, and champions of those before.
    Epochs(OfEpochs),
}

/// What a run with learned features remembers: what candidates call the layer of the epoch, what its tournament
/// remembers, and the champions of epochs before as generations and candidates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfEpochs {
    pub layer: u32,
    pub pairings: Pairings,
    pub past: Vec<(u32, String)>,
}

/// What a tournament remembers: the chromosomes that occur; for every game the indices of both, the
/// points of the first, and the generation that last asked for it; the hall of fame as generations and
/// chromosomes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairings {
    pub chromosomes: Vec<String>,
    pub results: Vec<(u32, u32, u8, u32)>,
    pub hall: Vec<(u32, String)>,
}

/// Lists of real numbers, each under a name.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Numbers(BTreeMap<String, Vec<f64>>);

impl Numbers {
    /// The same with another list.
    #[must_use]
    pub fn with(mut self, name: &str, values: Vec<f64>) -> Numbers {
        self.0.insert(name.into(), values);
        self
    }

    /// Takes out a list that must have this many numbers, all of them finite.
    pub fn take(&mut self, name: &str, count: usize) -> Result<Vec<f64>, LoadError> {
        let values = self.take_any(name)?;
        if values.len() != count {
            let found = values.len();
            return Err(LoadError::Content(format!("{name} is of {found} numbers, not {count}")));
        }
        Ok(values)
    }

    /// Takes out a list of any length.
    pub fn take_any(&mut self, name: &str) -> Result<Vec<f64>, LoadError> {
        let refuse = |what: String| Err(LoadError::Content(what));
        match self.0.remove(name) {
            None => refuse(format!("{name} is missing")),
            Some(values) if values.iter().all(|value| value.is_finite()) => Ok(values),
            Some(_) => refuse(format!("{name} is not of numbers alone")),
        }
    }

    /// Refuses lists that were not taken out.
    pub fn finish(self) -> Result<(), LoadError> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => Err(LoadError::Content(format!("{name} belongs to no such optimiser"))),
        }
    }
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

    /// The step, if it is one with so many candidates of this coding.
    pub fn open(self, candidates: usize, coding: &Coding) -> Result<Evaluated, LoadError> {
        let refuse = |what: String| Err(LoadError::Content(what));
        let (members, fitness) = (self.members.len(), self.fitness.len());
        if members != candidates || fitness != candidates {
            return refuse(format!(
                "{members} members and {fitness} fitness values are not {candidates}"
            ));
        }
        // Selection adds the values up, which larger ones could overflow. The settings may have been
        // others when they were won.
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
