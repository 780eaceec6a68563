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
    /// Nothing is damaged in what was checked.
    Sound,
    /// Nothing is damaged as far as can be told, but a file is missing that the folder can do without.
    Incomplete,
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
    /// What it means that there is no such file, if the folder can do without.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Whether it is not as the run wrote it, though nothing in it is wrong.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
    /// Whether damage in it would have been looked for.
    pub checked: bool,
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
        let (file, holds) = (file.into(), holds.into());
        ExaminedFile { file, holds, checked: true, ..ExaminedFile::default() }
    }

    /// A file that is not looked into.
    pub fn unchecked(file: &str, holds: impl Into<String>) -> ExaminedFile {
        ExaminedFile { checked: false, ..ExaminedFile::sound(file, holds) }
    }

    /// A file that is not there, though the folder can do without.
    pub fn missing(file: &str, holds: impl Into<String>, means: &str) -> ExaminedFile {
        ExaminedFile { missing: Some(means.into()), ..ExaminedFile::sound(file, holds) }
    }

    /// A damaged file.
    pub fn damaged(file: &str, holds: impl Into<String>, damage: impl ToString) -> ExaminedFile {
        ExaminedFile { damage: Some(damage.to_string()), ..ExaminedFile::sound(file, holds) }
    }

    /// The file, which somebody has edited.
    #[must_use]
    pub fn edited(self) -> ExaminedFile {
        let holds = self.holds + ", not as the run wrote it: edited by hand";
        ExaminedFile { holds, edited: true, ..self }
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
        let lacks = files.iter().any(|file| file.missing.is_some());
        let state = match (is_damaged, lacks) {
            (true, _) => Health::Damaged,
            (false, true) => Health::Incomplete,
            (false, false) => Health::Sound,
        };
        Examination { folder, state, files }
    }
}
