//! `ayo doctor`: examines a folder, reports damaged files and suggests commands to recover them.
//!
//! Examining a folder neither modifies nor locks it. Files are repaired only later, by the commands that resume work.

mod results;
mod run;
mod tables;

use std::fmt::Display;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use mancala::book::BookFile;
use mancala::eval::find_run;
use mancala::game::{Notated, with_game};
use mancala::store::{self, FileError, Lock, replaced_by};
use mancala::text::Message;
use serde::Serialize;

use crate::terminal::{counted, print_json, shown};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Run folder, or a folder of endgame tables or results
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Convert a games file of version 0.1 in place, instead of examining a folder
    #[arg(long)]
    convert: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "convert")]
    json: bool,
}

const AFTER_HELP: &str = "\
Without --convert, nothing is written. For each damaged file, the report lists what can be recovered and the command \
to recover it.

The last line counts optional files that are missing, and files of other kinds, which are not checked.

Exit codes: 0 if no damage was found or a process is writing to the folder, 1 if a file is damaged.";

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename = "examination")]
pub struct Examination {
    pub folder: String,
    pub state: Health,
    /// The examined files, including files that should exist but are missing.
    pub files: Vec<ExaminedFile>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    /// No damage was found in the files that were checked.
    Sound,
    /// No damage was found, but an optional file is missing.
    Incomplete,
    Busy,
    Damaged,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ExaminedFile {
    /// The name of the file within the folder.
    pub file: String,
    pub holds: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<String>,
    /// The consequences for the user, if this is an optional file that is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Whether the file is valid, but was edited after the run had written it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
    pub checked: bool,
    /// Which data can be recovered, and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

impl ExaminedFile {
    fn sound(file: &str, holds: impl Into<String>) -> ExaminedFile {
        let (file, holds) = (file.into(), holds.into());
        ExaminedFile { file, holds, checked: true, ..ExaminedFile::default() }
    }

    fn unchecked(file: &str, holds: impl Into<String>) -> ExaminedFile {
        ExaminedFile { checked: false, ..ExaminedFile::sound(file, holds) }
    }

    fn damaged(file: &str, holds: impl Into<String>, damage: impl ToString) -> ExaminedFile {
        ExaminedFile { damage: Some(damage.to_string()), ..ExaminedFile::sound(file, holds) }
    }

    fn of(file: &str, holds: impl Into<String>, damage: Option<String>) -> ExaminedFile {
        ExaminedFile { damage, ..ExaminedFile::sound(file, holds) }
    }

    /// Adds recovery instructions, unless the file is intact.
    fn saved_by(self, saved: impl Into<String>, command: Option<String>) -> ExaminedFile {
        if self.damage.is_none() && self.missing.is_none() {
            return self;
        }
        ExaminedFile { saved: Some(saved.into()), command, ..self }
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if arguments.convert {
        crate::matches::old_games::convert_file(&arguments.folder, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let folder = &arguments.folder;
    let report = examine(folder).map_err(|error| match find_run(&folder.to_string_lossy()) {
        Some(run) if !folder.exists() => anyhow!("{error}: did you mean \"{run}\"?"),
        _ if folder.is_file() => anyhow!("{error}: give the folder that contains the file"),
        _ => error.into(),
    })?;
    if arguments.json {
        print_json(&report, out)?;
    } else {
        print(&report, out)?;
    }
    Ok(ExitCode::from(u8::from(report.state == Health::Damaged)))
}

fn print(report: &Examination, out: &mut dyn Write) -> anyhow::Result<()> {
    let lengths = report.files.iter().map(|file| shown(&file.file).chars().count());
    let width = lengths.max().unwrap_or(0);
    for ExaminedFile { file, holds, damage, missing, saved, command, .. } in &report.files {
        let line = format!("{:<width$}  {}", shown(file), shown(holds));
        writeln!(out, "{}", line.trim_end())?;
        for (title, text) in [("damaged", damage), ("missing", missing), ("saved", saved)] {
            if let Some(text) = text {
                writeln!(out, "  {title}: {}", shown(text))?;
            }
        }
        if let Some(command) = command {
            writeln!(out, "    {command}")?;
        }
    }
    Ok(writeln!(out, "{}: {}", shown(&report.folder), summary(report))?)
}

fn summary(report: &Examination) -> String {
    let count = |has: fn(&ExaminedFile) -> bool| {
        report.files.iter().filter(|file| has(file)).count() as u64
    };
    let files = |number: u64| counted(number, "file");
    let missing = count(|file| file.missing.is_some());
    let unchecked = count(|file| !file.checked);
    let edited = count(|file| file.edited);
    let mut parts = vec![match report.state {
        Health::Busy => return "a process is writing to it".into(),
        Health::Damaged => {
            let damaged = count(|file| file.damage.is_some());
            format!("{damaged} of {} damaged", files(report.files.len() as u64))
        }
        Health::Sound if unchecked + edited == 0 => "nothing is damaged".to_owned(),
        Health::Sound | Health::Incomplete => "no damage found".to_owned(),
    }];
    for (number, state) in [(missing, "missing"), (edited, "edited"), (unchecked, "not checked")] {
        if number > 0 {
            parts.push(format!("{} {state}", files(number)));
        }
    }
    parts.join("; ")
}

/// Examines a run folder or, if `folder` isn't a run folder, each file and each run folder in it.
///
/// # Errors
/// If the folder cannot be read.
pub fn examine(folder: &Path) -> Result<Examination, FileError> {
    let names = names_in(folder)?;
    let is_busy = Lock::is_held(folder);
    let files = match run::is_run(&names) {
        true => run::examine(folder, &names),
        false => examine_files(folder, names, is_busy),
    };
    let state = if is_busy {
        Health::Busy
    } else if files.iter().any(|file| file.damage.is_some()) {
        Health::Damaged
    } else if files.iter().any(|file| file.missing.is_some()) {
        Health::Incomplete
    } else {
        Health::Sound
    };
    Ok(Examination { folder: folder.to_string_lossy().into_owned(), state, files })
}

fn examine_files(folder: &Path, names: Vec<String>, is_busy: bool) -> Vec<ExaminedFile> {
    let (books, names): (Vec<_>, Vec<_>) =
        names.into_iter().partition(|file| is_book(&folder.join(file)));
    let mut files = tables::examine(folder, &names);
    files.extend(books.iter().map(|file| examine_book(&folder.join(file), file)));
    for file in names.iter().filter(|file| !tables::is_layer(file)) {
        let path = folder.join(file);
        if file == Lock::NAME {
            files.push(lock(is_busy));
        } else if !path.is_dir() {
            files.push(left_over(file).unwrap_or_else(|| results::examine(&path, file)));
        } else if let Ok(inside) = names_in(&path)
            && run::is_run(&inside)
        {
            files.extend(run::examine(&path, &inside).into_iter().map(|examined| ExaminedFile {
                file: format!("{file}/{}", examined.file),
                ..examined
            }));
        } else {
            let holds = "not a run folder, not checked";
            files.push(ExaminedFile::unchecked(&format!("{file}/"), holds));
        }
    }
    files
}

/// Reads and decodes a file. The error says how the file is damaged.
fn decode<T, E: Display>(path: &Path, decode: impl Fn(&[u8]) -> Result<T, E>) -> Result<T, String> {
    let bytes = store::read(path).map_err(|error| error.to_string())?;
    decode(&bytes).map_err(|error| format!("it {error}"))
}

fn names_in(folder: &Path) -> Result<Vec<String>, FileError> {
    let failed = || FileError::of("read", folder);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed())? {
        names.push(entry.map_err(failed())?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// Describes a lock file. We don't check its content, because the operating system manages the lock itself.
fn lock(is_held: bool) -> ExaminedFile {
    let holds = if is_held { "in use by a process that is writing here" } else { "not held" };
    ExaminedFile::sound(Lock::NAME, holds)
}

fn left_over(file: &str) -> Option<ExaminedFile> {
    replaced_by(file.as_ref())?;
    let holds = "left by a killed process; it is removed the next time a process writes here";
    Some(ExaminedFile::sound(file, holds))
}

fn is_book(path: &Path) -> bool {
    let mut first = [0; 8];
    let mut is_begun =
        |mut file: fs::File| file.read_exact(&mut first).is_ok() && BookFile::is_book(&first);
    path.extension().is_some_and(|extension| extension == "ayo")
        && store::open(path).is_ok_and(&mut is_begun)
}

/// Verifies an opening book: its checksum, the legality of its moves, and the values of its inner positions.
fn examine_book(path: &Path, file: &str) -> ExaminedFile {
    let read = || -> Result<String, Message> {
        let book = BookFile::read(path)?;
        with_game!(book.game(), game => {
            let ((word, terms), expanded) = (game.description(), book.book(game)?.expanded());
            Ok(format!("a book for {word} {terms} with moves for {expanded} positions"))
        })
    };
    match read() {
        Ok(holds) => ExaminedFile::sound(file, holds),
        Err(reason) => ExaminedFile::damaged(file, "an opening book", reason),
    }
}
