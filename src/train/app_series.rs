//! Runs that differ only in the seed, each a task that needs nothing of the others.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::train::app_resume::{NoResume, Rest, Resumption, resume};
use crate::train::app_train::{NewRun, OpenRun, usual_folder};
use crate::train::tables;
use crate::train::tables::NoTables;
use evolve::run::{
    FolderError, RunFolder, RunState, Settings, Status, StatusPart, Summary, Trainer,
};

/// One run of a series: all that its bytes depend on but endgame tables, and where they go.
#[derive(Debug, Clone)]
pub struct Task {
    /// The settings, the seed among them.
    pub settings: Settings,
    /// The folder.
    pub folder: PathBuf,
}

/// What ends the generations of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Their number.
    Generations,
    /// Their number or time, whichever comes first. A run whose time was up is then finished.
    Time,
}

/// How far a task is.
#[derive(Debug, Clone)]
pub enum Standing {
    /// Its folder is free.
    New,
    /// It can go on.
    Begun(Box<Summary>),
    /// There is nothing left to do.
    Finished(Box<Summary>),
}

/// Why a task cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum NoTask {
    /// Its folder does not let it.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// It cannot go on.
    #[error("{}: {error}", folder.display())]
    Resume {
        /// Its folder.
        folder: PathBuf,
        /// Why.
        error: Box<NoResume>,
    },
    /// It has no tables to go by.
    #[error(transparent)]
    Tables(#[from] NoTables),
    /// There is another run in its folder.
    #[error("{} holds a run of other settings: {name} is {there} there and {wanted} here", folder.display())]
    Other {
        /// The folder.
        folder: PathBuf,
        /// The first setting that differs.
        name: &'static str,
        /// Its value there.
        there: String,
        /// Its value here.
        wanted: String,
    },
}

/// A run once with each of these seeds, in the folder that is wanted with the seed behind its name, or else in the
/// usual one.
pub fn tasks(new: &NewRun, seeds: &[u64], wanted: Option<&Path>) -> Vec<Task> {
    let task = |&seed: &u64| {
        let settings = new.with_seed(seed);
        let beside = |wanted: &Path| {
            let name = wanted.file_name().unwrap_or_default().to_string_lossy();
            wanted.with_file_name(format!("{name}-{seed}"))
        };
        let folder = wanted.map_or_else(|| usual_folder(&settings), beside);
        Task { settings, folder }
    };
    seeds.iter().map(task).collect()
}

impl Task {
    /// How far it is.
    ///
    /// # Errors
    /// If there is something else in its folder, or another process trains there.
    pub fn standing(&self, limit: Limit) -> Result<Standing, NoTask> {
        match RunFolder::check_free(&self.folder) {
            Ok(()) => return Ok(Standing::New),
            Err(FolderError::Occupied(_)) => {}
            Err(refusal) => return Err(refusal.into()),
        }
        let run = Box::new(Summary::of(&self.folder)?);
        self.check(&run.settings)?;
        let is_complete = run.state == RunState::Complete
            && run.settings.generations >= self.settings.generations;
        let is_over =
            limit == Limit::Time && run.state == RunState::Stopped && is_out_of_time(&run);
        Ok(if is_complete || is_over { Standing::Finished(run) } else { Standing::Begun(run) })
    }

    /// Whether a run with these settings is the same but for its length, which can only grow.
    fn check(&self, there: &Settings) -> Result<(), NoTask> {
        let differs = |name: &'static str, there: String, wanted: String| {
            Err(NoTask::Other { folder: self.folder.clone(), name, there, wanted })
        };
        let value = |settings: &Settings, name: &str| {
            let entries = settings.entries();
            let entry = entries.iter().find(|it| it.name == name);
            entry.map_or("missing".into(), |it| it.plain().to_owned())
        };
        let names = [&self.settings, there].map(Settings::entries).into_iter().flatten();
        let mut names = names.map(|it| it.name).filter(|&name| name != "generations");
        let other = names.find(|name| value(there, name) != value(&self.settings, name));
        if let Some(name) = other {
            return differs(name, value(there, name), value(&self.settings, name));
        }
        let [longer, wanted] = [there, &self.settings].map(|it| it.generations);
        if longer > wanted {
            return differs("generations", longer.to_string(), wanted.to_string());
        }
        Ok(())
    }

    /// Begins its run, or goes on with it.
    ///
    /// # Errors
    /// If that cannot be.
    pub fn open(&self, tables: Option<&Path>, limit: Limit) -> Result<Resumption, NoTask> {
        if !matches!(self.standing(limit)?, Standing::New) {
            let generations = Some(self.settings.generations);
            return resume(&self.folder, generations, tables).map_err(|error| NoTask::Resume {
                folder: self.folder.clone(),
                error: error.into(),
            });
        }
        let tables = tables::of_new_run(tables, &self.settings)?;
        let folder = RunFolder::create(&self.folder, &self.settings, tables.as_deref())?;
        let trainer = Trainer::new(self.settings.clone());
        Ok(Resumption {
            run: OpenRun { folder, trainer, tables: tables.as_ref().map(Arc::clone) },
            rest: Rest::Some,
            passed_over: Vec::new(),
            damages: Vec::new(),
            champion_is_renewed: false,
        })
    }
}

/// Whether its time was up or final games have chosen its champion, the only one that carries its strength.
fn is_out_of_time(run: &Summary) -> bool {
    run.champion.as_ref().is_some_and(|it| !it.strength.is_empty())
        || Status::read(&run.path).is_some_and(|it| it.part == StatusPart::OutOfTime)
}
