//! What led a generation that is past, as far as the files of a run still know.

use std::path::{Path, PathBuf};

use crate::optimise::{Chromosome, Recorded};
use mancala::eval::Weights;
use mancala::store::{self, FileError};

use crate::run::checkpoint::Checkpoint;
use crate::run::folder::{ChangedLine, FolderError, OnDisk, RunFolder, checkpoints};
use crate::run::history::best_of_generation;
use crate::run::settings::Settings;
use crate::run::strength::read_strength;
use crate::run::trainer::{Trainer, champion};

/// What to take of a generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The candidate that the run would have named its champion.
    Leader,
    /// The member with the highest fitness.
    Fittest,
}

/// A generation of which nothing can be had.
#[derive(Debug, thiserror::Error)]
pub enum LeaderError {
    /// The run folder is not one.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file that could not be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The history is damaged or does not have the generation.
    #[error("{}: {reason}", path.display())]
    History {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Its fittest candidate is in no file.
    #[error(
        "{}: of a generation of {optimiser} only the leader is recorded: leave out --fittest",
        path.display()
    )]
    OnlyLeader {
        /// The run folder.
        path: PathBuf,
        /// What the run searches with.
        optimiser: &'static str,
    },
    /// Its leader was a mean that no file has kept.
    #[error(
        "{}: the leader of generation {generation}, a mean of members, is not recorded; known are \
         those of {known}; --fittest takes the fittest member instead", path.display()
    )]
    Forgotten {
        /// The run folder.
        path: PathBuf,
        /// The generation that was asked for.
        generation: u32,
        /// The generations next to it whose leaders are known.
        known: String,
    },
}

/// The weights of one generation of the run in `folder`, with where they come from. Its fittest member
/// is in `history.csv` for ever. A leader that is not that member is kept by the checkpoints, the hall of
/// fame and `strength.csv`, none of which has every generation.
///
/// # Errors
/// If the folder holds no run, or its files do not know the one that is wanted.
pub fn weights_of_generation(
    folder: &Path,
    generation: u32,
    wanted: Wanted,
) -> Result<Weights, LeaderError> {
    let settings = RunFolder::settings(folder)?;
    let path = folder.join("history.csv");
    let recorded = OnDisk::read(folder, "history.csv")?;
    let best = best_of_generation(recorded.sound(), generation, &settings);
    let (best, fitness) = best.map_err(|reason| match recorded.changed {
        Some(ChangedLine { path, line }) => LeaderError::History {
            path,
            reason: format!("line {line} has changed since it was written"),
        },
        None => LeaderError::History { path, reason },
    })?;
    let recorded = settings.own.recorded(generation);
    let path = folder.into();
    match (wanted, recorded) {
        (Wanted::Fittest, Recorded::LeaderOnly) => {
            return Err(LeaderError::OnlyLeader { path, optimiser: settings.optimiser_name() });
        }
        (Wanted::Leader, Recorded::LeaderOnly) => {
            return Ok(champion(&settings, generation, &best, None));
        }
        (Wanted::Fittest, _) => return Ok(champion(&settings, generation, &best, Some(fitness))),
        (Wanted::Leader, _) => {}
    }
    let known = known_leaders(folder, &settings)?;
    if let Some(leader) = known.iter().find(|leader| leader.generation == generation) {
        let fitness = leader.fitness.or((leader.chromosome == best).then_some(fitness));
        return Ok(champion(&settings, generation, &leader.chromosome, fitness));
    }
    if recorded == Recorded::FittestAndLeader {
        return Ok(champion(&settings, generation, &best, Some(fitness)));
    }
    let known = neighbours(generation, &known);
    Err(LeaderError::Forgotten { path, generation, known })
}

struct Leader {
    generation: u32,
    chromosome: Chromosome,
    fitness: Option<u64>,
}

/// The leaders that checkpoints, hall of fame and measurements remember, those with fitness first. A
/// file that is damaged or just being replaced knows none.
fn known_leaders(folder: &Path, settings: &Settings) -> Result<Vec<Leader>, FileError> {
    let mut known = Vec::new();
    let mut remembered = Vec::new();
    for (_, file) in checkpoints(folder)? {
        let Some(trainer) = trainer(&file, settings) else { continue };
        let Some(leader) = trainer.leader() else { continue };
        let (generation, chromosome) = (trainer.generation(), leader.candidate);
        known.push(Leader { generation, chromosome, fitness: leader.fitness });
        remembered =
            trainer.hall().iter().map(|it| (it.generation, it.chromosome.clone())).collect();
    }
    let measured = OnDisk::read(folder, "strength.csv")?;
    let measured = read_strength(measured.sound(), settings);
    remembered.extend(measured.into_iter().map(|it| (it.generation, it.chromosome)));
    let leader = |(generation, chromosome)| Leader { generation, chromosome, fitness: None };
    known.extend(remembered.into_iter().map(leader));
    Ok(known)
}

fn trainer(file: &Path, settings: &Settings) -> Option<Trainer> {
    let checkpoint = Checkpoint::decode(&store::read(file).ok()?).ok()?;
    Trainer::restore(settings.clone(), checkpoint).ok()
}

/// The generations before and after one that are known, in words.
fn neighbours(generation: u32, known: &[Leader]) -> String {
    let numbers = || known.iter().map(|leader| leader.generation);
    let before = numbers().filter(|&it| it < generation).max();
    let after = numbers().filter(|&it| it > generation).min();
    let next = [before, after].into_iter().flatten().map(|it| it.to_string());
    match next.collect::<Vec<_>>().as_slice() {
        [] => "none".into(),
        next => next.join(" and "),
    }
}
