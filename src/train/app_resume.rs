//! Going on with a run, under its own settings or in a branch under others.

use std::path::Path;

use crate::train::app_train::OpenRun;
use crate::train::tables;
use crate::train::tables::NoTables;
use evolve::run::{BranchError, Damage, FolderError, RunFolder, RunState, Summary, branch};

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum NoResume {
    /// Its folder does not let it.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// It has no tables to go by.
    #[error(transparent)]
    Tables(#[from] NoTables),
    /// Fewer generations are wanted than there are.
    #[error("it has evaluated {done} generations already, {wanted} are wanted")]
    Fewer {
        /// Generations wanted.
        wanted: u32,
        /// Generations evaluated.
        done: u32,
    },
    /// A branch cannot be taken.
    #[error(transparent)]
    Branch(#[from] BranchError),
    /// A branch would have nothing to do.
    #[error("its parent has evaluated {done} generations already, {all} are asked for")]
    NothingToDo {
        /// Generations evaluated.
        done: u32,
        /// Generations asked for.
        all: u32,
    },
}

/// A run that was resumed.
pub struct Resumption {
    /// The run.
    pub run: OpenRun,
    /// What is left to do in it.
    pub rest: Rest,
    /// Checkpoints that could not be read and why, a sentence each.
    pub passed_over: Vec<String>,
    /// What has happened to its tables.
    pub damages: Vec<Damage>,
    /// Whether `champion.json` of a complete run was missing or damaged, and is written again.
    pub champion_is_renewed: bool,
}

/// What is left to do in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// Something.
    Some,
    /// Nothing.
    Nothing,
}

/// Resumes the run in a folder; `generations` raises its number.
///
/// # Errors
/// If the run cannot go on.
pub fn resume(
    path: &Path,
    generations: Option<u32>,
    tables: Option<&Path>,
) -> Result<Resumption, NoResume> {
    let before = Summary::of(path)?;
    let done = before.generation;
    if let Some(wanted) = generations.filter(|wanted| *wanted < done) {
        return Err(NoResume::Fewer { wanted, done });
    }
    // Raising the number of generations is written at once, so nothing may be refused after it.
    let raises = generations.is_some_and(|wanted| wanted > before.settings.generations);
    let tables = match before.state {
        RunState::Complete if !raises => None,
        _ => {
            let opened = tables::of_run(tables, &before.settings)?;
            RunFolder::check_tables(path, opened.as_deref())?;
            if let Some(it) = before.settings.table_fitness().filter(|_| opened.is_none()) {
                return Err(NoTables::Missing(it.fitness.to_string()).into());
            }
            opened
        }
    };
    let resumed = RunFolder::resume(path, generations)?;
    let rest = if before.is_finished(&resumed.trainer) { Rest::Nothing } else { Rest::Some };
    // A run that continues writes its champion itself. The champion of a stopped run may have passed only a short gate.
    let last = || resumed.trainer.champion();
    let champion = resumed.folder.champion().cloned().or_else(last).filter(|of_run| {
        let written = before.champion.as_ref();
        let is_right = written.is_some_and(|it| before.settings.has_finals() || it == of_run);
        rest == Rest::Nothing && !is_right
    });
    if let Some(champion) = &champion {
        resumed.folder.replace_champion(champion).map_err(FolderError::from)?;
    }
    let run = OpenRun { folder: resumed.folder, trainer: resumed.trainer, tables };
    let (passed_over, damages) = (resumed.passed_over, resumed.damages);
    let champion_is_renewed = champion.is_some();
    Ok(Resumption { run, rest, passed_over, damages, champion_is_renewed })
}

/// Goes on from a run under changed settings, in a new folder.
///
/// # Errors
/// If that cannot be, or would be nothing to do.
pub fn branch_off(
    parent: &Path,
    new: &Path,
    changes: &[(String, String)],
    tables: Option<&Path>,
) -> Result<OpenRun, NoResume> {
    let trainer = branch(parent, changes)?;
    let (done, all) = (trainer.generation(), trainer.settings().generations);
    if done >= all {
        return Err(NoResume::NothingToDo { done, all });
    }
    let tables = tables::of_new_run(tables, trainer.settings())?;
    let folder = RunFolder::create_branch(new, &trainer, parent, tables.as_deref())?;
    Ok(OpenRun { folder, trainer, tables })
}
