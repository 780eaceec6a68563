//! Runs that cannot begin or go on, or go on though something is damaged, in terms of the command line.

use std::path::Path;

use anyhow::anyhow;

use crate::app::resume::{NoResume, Resumption};
use crate::app::series::NoTask;
use crate::app::tables::NoTables;
use crate::cli::usage;
use crate::terminal::meter::counted;
use crate::terminal::shell::program;
use crate::terminal::{shell, shown, warn};
use evolve::run::{BranchError, FolderError, resume_arguments};

/// A run without tables, in terms of the command line.
pub(crate) fn tables_error(error: NoTables) -> anyhow::Error {
    match error {
        NoTables::Tables(_) | NoTables::Layer(_) => anyhow::Error::from(error).context("--tables"),
        NoTables::TooFew { .. } => usage(format!("--tables {error}")),
        NoTables::Useless => usage(format!("--tables: {error}")),
        NoTables::Missing(fitness) => usage(no_tables(&fitness)),
    }
}

/// What to do about a fitness that needs tables.
pub(crate) fn no_tables(fitness: &str) -> String {
    format!(
        "fitness is {fitness}: name the folder of endgame tables with --tables; \
         \"{} endgame build\" makes them",
        program()
    )
}

/// A refusal to begin a run, with what can be typed instead.
pub(crate) fn with_ways_on(refusal: FolderError) -> anyhow::Error {
    match refusal {
        FolderError::Occupied(path) => {
            let resume = shell::command(&resume_arguments(&path));
            let path = shown(&path);
            anyhow!(
                "{path} already holds a run: continue it with \"{resume}\", or give another --seed or --out"
            )
        }
        FolderError::Remains { .. } => {
            anyhow!("{refusal}; move it away, or give another --seed or --out")
        }
        refusal => refusal.into(),
    }
}

/// Says what is damaged of a run that goes on all the same.
pub(crate) fn warn_of(resumed: &Resumption, path: &Path) {
    for what in &resumed.passed_over {
        warn(format!("{what}; going on from an older checkpoint"));
    }
    for what in &resumed.damages {
        warn(what);
    }
    if resumed.champion_is_renewed {
        let champion = shown(path.join("champion.json"));
        warn(format!("{champion} was missing or damaged; it is written again from the checkpoint"));
    }
}

/// A run that cannot go on, in terms of the command line.
pub(crate) fn resume_error(error: NoResume, folder: &Path) -> anyhow::Error {
    let folder = shown(folder);
    let evaluated = |done: u32| counted(done.into(), "generation");
    match error {
        NoResume::Folder(error) => with_ways_on(error),
        NoResume::Tables(error) => tables_error(error),
        NoResume::Fewer { wanted, done } => usage(format!(
            "--generations is {wanted}: {folder} has evaluated {} already",
            evaluated(done)
        )),
        NoResume::Branch(error @ (BranchError::Setting(_) | BranchError::Shape { .. })) => {
            usage(format!("--set: {error}"))
        }
        NoResume::Branch(error) => error.into(),
        NoResume::NothingToDo { done, all } => usage(format!(
            "generations is {all}: {folder} has evaluated {} already; ask for more with --generations",
            evaluated(done)
        )),
    }
}

/// A run of a series that cannot be trained, in terms of the command line.
pub(crate) fn task_error(error: NoTask) -> anyhow::Error {
    match error {
        NoTask::Folder(error) => with_ways_on(error),
        NoTask::Resume { folder, error } => resume_error(*error, &folder),
        NoTask::Tables(error) => tables_error(error),
        error @ NoTask::Other { .. } => usage(format!("{error}; give another --out")),
    }
}
