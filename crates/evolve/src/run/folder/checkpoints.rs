//! Checkpoints in a run folder.

use std::fs;
use std::path::{Path, PathBuf};

use mancala::store::{self, FileError, FrameError};

use super::{CONFIGURATION, FolderError, HISTORY};
use crate::run::{Checkpoint, CheckpointError, Settings, Trainer};

const MAX_CHECKPOINTS: usize = 3;

/// Lists the checkpoints in a run folder and their generations, oldest first.
pub fn checkpoints(path: &Path) -> Result<Vec<(u32, PathBuf)>, FileError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(path).map_err(FileError::of("read", path))? {
        let file = entry.map_err(FileError::of("read", path))?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let number = name.strip_prefix("checkpoint-").and_then(|n| n.strip_suffix(".ayo"));
        if let Some(generation) = number.and_then(|n| n.parse().ok()) {
            found.push((generation, file));
        }
    }
    found.sort();
    Ok(found)
}

/// Writes a checkpoint and removes old ones.
pub(super) fn write(folder: &Path, checkpoint: &Checkpoint) -> Result<(), FileError> {
    let name = format!("checkpoint-{:06}.ayo", checkpoint.generation());
    store::replace(&folder.join(name), &checkpoint.encode())?;
    let all = checkpoints(folder)?;
    for (_, file) in &all[..all.len().saturating_sub(MAX_CHECKPOINTS)] {
        store::remove(file)?;
    }
    Ok(())
}

/// Restores the newest undamaged checkpoint that is not ahead of the history, which has this many valid `rows`. We
/// rename the newer checkpoints that we skip, and also return the reasons why we skip them.
pub(super) fn newest_state(
    path: &Path,
    settings: &Settings,
    rows: u32,
) -> Result<(Trainer, Vec<String>), FolderError> {
    let all = checkpoints(path)?;
    if all.is_empty() {
        return Ok((Trainer::new(settings.clone()), Vec::new()));
    }
    let mut skipped: Vec<(&PathBuf, &str, String)> = Vec::new();
    let mut unreached = None;
    let mut needs_layer = None;
    for (_, file) in all.iter().rev() {
        match Checkpoint::decode(&store::read(file)?) {
            Ok(checkpoint) if checkpoint.generation() > rows => {
                // Check the settings first, because valid rows may look invalid if the settings have changed.
                checkpoint.compare(settings).map_err(|reason| blame(path, file, reason))?;
                let reason = format!(
                    "{}, line {}: valid rows end at generation {rows}, before {}",
                    path.join(HISTORY).display(),
                    rows.saturating_add(2),
                    file.display()
                );
                skipped.push((file, "ahead", reason));
                unreached = Some(checkpoint.generation());
            }
            Ok(checkpoint) => match Trainer::restore(settings.clone(), checkpoint) {
                Ok(trainer) => {
                    for (file, ending, _) in &skipped {
                        set_aside(file, ending)?;
                    }
                    return Ok((trainer, skipped.into_iter().map(|(.., reason)| reason).collect()));
                }
                // If an older checkpoint is usable, then the run continues from it and learns the missing layer again.
                Err(reason) if reason.lost_layer().is_some() => {
                    skipped.push((file, "ahead", format!("{}: {reason}", file.display())));
                    needs_layer.get_or_insert((file, reason));
                }
                Err(reason) => return Err(blame(path, file, reason)),
            },
            Err(reason @ FrameError::Version { .. }) => {
                return Err(FolderError::invalid(file, format!("the file {reason}")));
            }
            Err(reason) => {
                skipped.push((file, "damaged", format!("{} {reason}", file.display())));
            }
        }
    }
    if let Some((file, reason)) = needs_layer {
        return Err(FolderError::invalid(file, format!("{reason}: restore it from a copy")));
    }
    if let Some(generation) = unreached {
        return Err(FolderError::history_too_short(path, rows, generation));
    }
    let reasons: Vec<String> = skipped.into_iter().map(|(.., reason)| reason).collect();
    let reasons = reasons.join("; ");
    let reason = format!(
        "none of the checkpoints can be read ({reasons}); delete them to restart from generation 1"
    );
    Err(FolderError::invalid(path, reason))
}

/// Attributes a changed setting to `run.toml`, and any other error to the checkpoint.
fn blame(folder: &Path, checkpoint: &Path, reason: CheckpointError) -> FolderError {
    let is_changed = matches!(reason, CheckpointError::Changed { .. });
    let configuration = folder.join(CONFIGURATION);
    FolderError::invalid(if is_changed { &configuration } else { checkpoint }, reason)
}

fn set_aside(file: &Path, ending: &str) -> Result<(), FileError> {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    store::rename(file, Path::new(&name))
}
