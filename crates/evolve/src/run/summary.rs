//! What a run folder holds, read without disturbing a process that trains in it.

use std::path::{Path, PathBuf};

use mancala::eval::{self, Strength, Weights};
use mancala::store::{self, Lock};

use crate::run::checkpoint::Checkpoint;
use crate::run::findings::findings;
use crate::run::folder::{
    FolderError, OnDisk, RunFolder, champion_is_edited, changed_lines, checkpoints, goes_by_tables,
};
use crate::run::measuring::Measuring;
use crate::run::settings::Settings;
use crate::run::status::Status;
use crate::run::strength::{Measurement, read_strength, scheduled_until};
use crate::run::trainer::Trainer;
use crate::run::yardstick::against_panel;

/// Whether a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunState {
    /// A process trains in the folder.
    Running,
    /// There is [nothing left to do](Summary::is_finished).
    Complete,
    /// It can be resumed.
    Stopped,
    /// Its newest checkpoint or its champion cannot be read, or a table has changed.
    Damaged,
}

/// What the champion of a generation scored against the panel.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownStrength {
    /// The generation.
    pub generation: u32,
    /// The scores, at least one.
    pub panel: Vec<Strength>,
    /// Whether it is the champion that final games chose.
    pub is_final: bool,
}

impl std::fmt::Display for RunState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            RunState::Running => "running",
            RunState::Complete => "complete",
            RunState::Stopped => "stopped",
            RunState::Damaged => "damaged",
        })
    }
}

/// A run folder at a glance.
#[derive(Debug, Clone)]
pub struct Summary {
    /// The folder.
    pub path: PathBuf,
    /// The settings of the run.
    pub settings: Settings,
    /// Whether it goes on.
    pub state: RunState,
    /// Generations that are safely on disk.
    pub generation: u32,
    /// The champion of the last of them.
    pub champion: Option<Weights>,
    /// What is wrong with a run that is damaged, a sentence each.
    pub damages: Vec<String>,
    /// Whether only the final games are left: all generations are complete, or it was stopped in its final games.
    pub lacks_finals: bool,
}

impl Summary {
    /// Looks at a run folder.
    ///
    /// # Errors
    /// If it holds no run, or its configuration cannot be read.
    pub fn of(path: &Path) -> Result<Summary, FolderError> {
        let settings = RunFolder::settings(path)?;
        let champion = path.join("champion.json");
        let champion = champion.exists().then(|| eval::load(&champion.display().to_string()));
        let checkpoints = checkpoints(path)?;
        let running = Lock::is_held(path);
        // While a run goes on, its files may be gone a moment after they were listed.
        let newest = checkpoints.last().filter(|_| !running);
        let checkpoint = newest.map(|(_, file)| readable_checkpoint(file)).transpose();
        let unread = champion.as_ref().and_then(|champion| champion.as_ref().err());
        let changed = if running { Vec::new() } else { changed_lines(path)? };
        let damages: Vec<String> = checkpoint
            .as_ref()
            .err()
            .into_iter()
            .cloned()
            .chain(unread.map(|error| error.to_string()))
            .chain(changed.iter().map(ToString::to_string))
            .collect();
        let generation = checkpoints.last().map_or(0, |(generation, _)| *generation);
        let (path, champion) = (path.into(), champion.and_then(Result::ok));
        let (state, lacks_finals) = (RunState::Stopped, false);
        let mut summary =
            Summary { path, settings, state, generation, champion, damages, lacks_finals };
        if running {
            summary.state = RunState::Running;
        } else if !summary.damages.is_empty() {
            summary.state = RunState::Damaged;
        } else {
            let is_measured = checkpoint.ok().flatten().is_some_and(|it| summary.has_measured(it));
            if is_measured && summary.is_chosen() {
                summary.state = RunState::Complete;
            }
            let in_finals = || Status::read(&summary.path).is_some_and(|it| it.finals_begun);
            summary.lacks_finals =
                generation > 0 && !summary.is_chosen() && (is_measured || in_finals());
        }
        Ok(summary)
    }

    /// A run that cannot go on from its checkpoint has not: resuming says why.
    fn has_measured(&self, newest: Checkpoint) -> bool {
        self.generation >= self.settings.generations
            && Trainer::restore(self.settings.clone(), newest)
                .is_ok_and(|trainer| self.is_measured(&trainer))
    }

    /// The measurements that are on disk, as far as they can be relied on.
    pub fn measurements(&self) -> Vec<Measurement> {
        let recorded = OnDisk::read(&self.path, "strength.csv");
        recorded.map_or(Vec::new(), |it| read_strength(it.sound(), &self.settings))
    }

    /// Whether a run that stands where `trainer` does has nothing left to do: every generation asked for
    /// is evaluated, every measurement taken, and its champion chosen by final games, if there are any.
    pub fn is_finished(&self, trainer: &Trainer) -> bool {
        self.is_measured(trainer) && self.is_chosen()
    }

    fn is_measured(&self, trainer: &Trainer) -> bool {
        let settings = trainer.settings();
        let text = OnDisk::read(&self.path, "strength.csv");
        let text = text.map_or(String::new(), |it| it.sound().to_owned());
        let recorded = scheduled_until(trainer.generation(), &text, settings);
        let history = store::read_text(&self.path.join("history.csv")).unwrap_or_default();
        trainer.generation() >= settings.generations
            && !Measuring::resume(trainer, &recorded, &history).is_due()
    }

    /// Only the winner of final games has been measured.
    fn is_chosen(&self) -> bool {
        let is_measured = self.champion.as_ref().is_some_and(|it| !it.strength.is_empty());
        is_measured || !self.settings.has_finals()
    }

    /// How strong its champion is, as far as that is known: by the final games, or else by its measurement.
    pub fn known_strength(&self) -> Option<KnownStrength> {
        let champion = self.champion.as_ref().filter(|champion| !champion.strength.is_empty());
        let by_finals = champion.and_then(|champion| {
            let generation = champion.provenance.as_ref()?.generation;
            let panel = against_panel(&champion.strength).to_vec();
            Some(KnownStrength { generation, panel, is_final: true })
        });
        let measured = || {
            let last = self.measurements().into_iter().rfind(|it| it.is_champion)?;
            let panel = last.panel().to_vec();
            Some(KnownStrength { generation: last.generation, panel, is_final: false })
        };
        by_finals.or_else(measured)
    }

    /// What a user should know of the run that its fitness does not show, a sentence each.
    pub fn findings(&self) -> Vec<String> {
        let history = store::read_text(&self.path.join("history.csv")).unwrap_or_default();
        let mut found = findings(&self.measurements(), &history, self.settings.own.candidates());
        if champion_is_edited(&self.path) {
            found.push("champion.json has been edited since it was written".into());
        }
        found
    }

    /// What to type after the name of the program to go on with the run, an argument each.
    pub fn next_arguments(&self) -> Vec<String> {
        match self.lacks_finals {
            true => vec!["champion".to_owned(), self.argument()],
            false => resume_arguments(&self.path),
        }
    }

    /// The folder as an argument that is taken for nothing else: not for an option, not for the name
    /// of weights.
    pub fn argument(&self) -> String {
        argument(&self.path)
    }

    /// The run folders directly inside `folder`, by name; a folder that holds a run which cannot be
    /// read comes with the reason.
    pub fn all_in(folder: &Path) -> std::io::Result<Vec<(PathBuf, Result<Summary, FolderError>)>> {
        if folder.join("run.toml").exists() {
            return Ok(vec![(folder.into(), Summary::of(folder))]);
        }
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.join("run.toml").exists())
            .collect();
        paths.sort();
        Ok(paths.into_iter().map(|path| (path.clone(), Summary::of(&path))).collect())
    }
}

fn readable_checkpoint(file: &Path) -> Result<Checkpoint, String> {
    let bytes = store::read(file).map_err(|error| error.to_string())?;
    Checkpoint::decode(&bytes).map_err(|error| format!("{} {error}", file.display()))
}

/// What to type after the name of the program to go on with the run in a folder, an argument each. Where
/// the tables lie that it goes by is for the user to say.
pub fn resume_arguments(folder: &Path) -> Vec<String> {
    let tables = if goes_by_tables(folder) { ["--tables", "DIR"].as_slice() } else { &[] };
    let words = ["resume".to_owned(), argument(folder)];
    words.into_iter().chain(tables.iter().map(|&it| it.to_owned())).collect()
}

/// A folder as an argument that is taken for nothing else: not for an option, not for the name of weights.
pub fn argument(folder: &Path) -> String {
    let text = folder.display().to_string();
    let mistakable = text.starts_with('-') || Weights::named(&text).is_some();
    if mistakable { format!("./{text}") } else { text }
}
