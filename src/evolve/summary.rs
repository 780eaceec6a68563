//! What a run folder holds, read without disturbing whoever trains in it.

use std::path::{Path, PathBuf};

use super::checkpoint::Checkpoint;
use super::findings::findings;
use super::folder::{FolderError, RunFolder, checkpoints};
use super::settings::Settings;
use super::strength::{Measurement, read_strength};
use crate::eval::{self, Weights};
use crate::store::{self, Lock};

/// Whether a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunState {
    /// A process trains in the folder.
    Running,
    /// Every generation asked for has been evaluated.
    Complete,
    /// It can be resumed.
    Stopped,
    /// Its newest checkpoint or its champion cannot be read.
    Damaged,
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
        let checkpoint = newest.and_then(|(_, file)| damage_of_checkpoint(file));
        let unread = champion.as_ref().and_then(|champion| champion.as_ref().err());
        let damages: Vec<String> =
            checkpoint.into_iter().chain(unread.map(|error| error.to_string())).collect();
        let newest = checkpoints.last().map_or(0, |(generation, _)| *generation);
        let state = if running {
            RunState::Running
        } else if !damages.is_empty() {
            RunState::Damaged
        } else if newest >= settings.generations {
            RunState::Complete
        } else {
            RunState::Stopped
        };
        let champion = champion.and_then(Result::ok);
        let (path, generation) = (path.into(), newest);
        Ok(Summary { path, settings, state, generation, champion, damages })
    }

    /// The measurements that are on disk, as far as they can be relied on.
    pub fn measurements(&self) -> Vec<Measurement> {
        let text = store::read_text(&self.path.join("strength.csv")).unwrap_or_default();
        read_strength(&text, self.settings.chromosome_bits())
    }

    /// What a user should know of the run that its fitness does not show, a sentence each.
    pub fn findings(&self) -> Vec<String> {
        let history = store::read_text(&self.path.join("history.csv")).unwrap_or_default();
        findings(&self.measurements(), &history, self.settings.population)
    }

    /// What to type after the name of the program to go on with the run.
    pub fn resume_arguments(&self) -> String {
        resume_arguments(&self.path)
    }

    /// The folder as a shell wants it.
    pub fn quoted_path(&self) -> String {
        quoted_for_shell(&self.argument())
    }

    /// The folder as an argument that is taken for nothing else: not for an option, not for the name
    /// of weights.
    pub fn argument(&self) -> String {
        argument(&self.path)
    }

    /// The run folders directly inside `folder`, by name; a folder that holds a run which cannot be
    /// read comes with the reason.
    pub fn all_in(folder: &Path) -> std::io::Result<Vec<(PathBuf, Result<Summary, FolderError>)>> {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.join("run.toml").exists())
            .collect();
        paths.sort();
        Ok(paths.into_iter().map(|path| (path.clone(), Summary::of(&path))).collect())
    }
}

fn damage_of_checkpoint(file: &Path) -> Option<String> {
    match store::read(file) {
        Ok(bytes) => {
            let error = Checkpoint::decode(&bytes).err()?;
            Some(format!("{} {error}", file.display()))
        }
        Err(error) => Some(error.to_string()),
    }
}

/// What to type after the name of the program to go on with the run in a folder.
pub fn resume_arguments(folder: &Path) -> String {
    format!("resume {}", quoted_for_shell(&argument(folder)))
}

fn argument(folder: &Path) -> String {
    let text = folder.display().to_string();
    let mistakable = text.starts_with('-') || Weights::named(&text).is_some();
    if mistakable { format!("./{text}") } else { text }
}

/// A text as one word to a shell.
pub fn quoted_for_shell(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,=".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.into()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
