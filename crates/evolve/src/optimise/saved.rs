//! The saved state of an optimiser. Another process can resume from it.

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
        LoadError::content("state belongs to another optimiser")
    }
}

/// An upper bound on the fitness that is possible with any settings.
const MOST_POINTS: u64 = 1 << 40;

/// The maximum number of generations in a run.
pub const MOST_GENERATIONS: u32 = 10_000_000;

/// The state of an optimiser after a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    pub last: Evaluated,
    pub memory: Memory,
}

/// The state of an optimiser, except for the generation that it evaluated in its last step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Memory {
    /// The state of the genetic algorithm.
    Pairings(Pairings),
    /// The state of an optimiser that searches for a direction.
    Numbers(Numbers),
    /// The state of a run with learned features.
    Iterations(SavedIterations),
    /// The state of a run with islands. Islands have no islands themselves, so this is never nested.
    #[serde(skip)]
    Islands(SavedIslands),
}

/// The state of an archipelago.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedIslands {
    pub islands: Vec<Saved>,
    pub champions: Vec<Champion>,
    /// The indices of the islands, best first.
    pub ranking: Vec<u32>,
}

/// The state of a run with learned features.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedIterations {
    /// The name of the current iteration's layer, which is the first eight digits of its hash.
    pub layer: u32,
    pub pairings: Pairings,
    /// The champions of past iterations.
    pub past: Vec<Champion>,
    pub fitted: Chromosome,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairings {
    /// All chromosomes that appear in the results.
    pub chromosomes: Vec<Chromosome>,
    /// For each game, the players' indices, the first player's points, and the last generation that needed the result.
    pub results: Vec<(u32, u32, u8, u32)>,
    /// The hall of fame.
    pub hall: Vec<Champion>,
}

/// Named lists of real numbers.
pub type Numbers = BTreeMap<String, Vec<f64>>;

/// Checks stored champions. There may be at most `most`, in order of generation, up to generation `last`.
pub(super) fn checked_champions(
    champions: &[Champion],
    most: usize,
    last: u32,
    coding: &Coding,
) -> Result<Vec<Champion>, LoadError> {
    let is_past = |it: &Champion| (1..=last).contains(&it.generation);
    let are_ordered = champions.is_sorted_by_key(|it| it.generation);
    if champions.len() > most || !are_ordered || !champions.iter().all(is_past) {
        return Err(LoadError::content("past champions are too many or out of order"));
    }
    let checked =
        |it: &Champion| Ok(Champion::past(it.generation, coding.checked(&it.chromosome)?));
    champions.iter().map(checked).collect()
}

impl Evaluated {
    /// Checks a stored generation, which must have the given number of candidates.
    pub(super) fn checked(self, candidates: usize, coding: &Coding) -> Result<Self, LoadError> {
        let (members, fitness) = (self.members.len(), self.fitness.len());
        if members != candidates || fitness != candidates {
            return Err(LoadError::content(format!(
                "{members} members and {fitness} fitness values, expected {candidates} of each"
            )));
        }
        // Sums of larger values could overflow. Note that these values may have been computed with other settings.
        if let Some(fitness) = self.fitness.iter().find(|&&fitness| fitness > MOST_POINTS) {
            let reason = format!("fitness value {fitness} is more than {MOST_POINTS} points");
            return Err(LoadError::Content(reason));
        }
        if !(1..=MOST_GENERATIONS).contains(&self.generation) {
            return Err(LoadError::content(format!("generation is {}", self.generation)));
        }
        let members = self.members.iter().map(|member| coding.checked(member));
        Ok(Evaluated { members: members.collect::<Result<_, _>>()?, ..self })
    }
}

#[cfg(test)]
mod tests;
