//! What a folder holds, and what of it is damaged.

use serde::Serialize;

/// What a folder of a run, of endgame tables or of results holds, file by file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename = "examination")]
pub struct Examination {
    /// The folder.
    pub folder: String,
    /// Whether anything in it is damaged.
    pub state: Health,
    /// The files by name.
    pub files: Vec<ExaminedFile>,
}

/// The state of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    /// Nothing is damaged.
    Sound,
    /// A process writes in it, so that nothing can be said of some files.
    Busy,
    /// Something is damaged.
    Damaged,
}

/// What is in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ExaminedFile {
    /// Its name in the folder.
    pub file: String,
    /// What it holds, as far as that can be read.
    pub holds: String,
    /// What is damaged: nothing in a sound file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<String>,
    /// What can be saved, and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved: Option<String>,
    /// The command that saves it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

impl ExaminedFile {
    /// A sound file.
    pub fn sound(file: &str, holds: impl Into<String>) -> ExaminedFile {
        ExaminedFile { file: file.into(), holds: holds.into(), ..ExaminedFile::default() }
    }

    /// A damaged file.
    pub fn damaged(file: &str, holds: impl Into<String>, damage: impl ToString) -> ExaminedFile {
        ExaminedFile { damage: Some(damage.to_string()), ..ExaminedFile::sound(file, holds) }
    }

    /// The file with what can be saved of it.
    #[must_use]
    pub fn saved_by(self, saved: impl Into<String>, command: Option<String>) -> ExaminedFile {
        ExaminedFile { saved: Some(saved.into()), command, ..self }
    }
}

impl Examination {
    /// What the files say of their folder.
    pub fn of(folder: String, files: Vec<ExaminedFile>) -> Examination {
        let is_damaged = files.iter().any(|file| file.damage.is_some());
        let state = if is_damaged { Health::Damaged } else { Health::Sound };
        Examination { folder, state, files }
    }
}
