//! What a folder holds, what of it is damaged, and which command saves it.
//!
//! Architecture invariant: nothing is written here, and no lock is taken. What mends is what goes on with the work
//! anyway, so a folder is only told of.

mod books;
mod left_over;
mod lock;
mod results;
mod run;
mod shell;
mod tables;

pub use self::shell::Shell;

use std::fs;
use std::path::{Path, PathBuf};

use self::left_over::left_over;
use self::lock::{LOCK, lock};
use self::run::RunExamination;
use crate::results::{Examination, ExaminedFile, Health};
use mancala::store::{FileError, Lock};

/// Examines a folder: a run folder as such, and any other file by file, with the run folders in it.
///
/// # Errors
/// If the folder cannot be read.
pub fn examine(folder: &Path, shell: &Shell) -> Result<Examination, FileError> {
    let names = names_in(folder)?;
    let name = folder.to_string_lossy().into_owned();
    if run::is_run(&names) {
        let RunExamination { files, is_busy } = run::examine(folder, &names, shell);
        let found = Examination::of(name, files);
        return Ok(if is_busy { Examination { state: Health::Busy, ..found } } else { found });
    }
    let is_busy = Lock::is_held(folder);
    let (books, names): (Vec<_>, Vec<_>) =
        names.into_iter().partition(|file| books::is_book(&folder.join(file)));
    let mut files = tables::examine(folder, &names, shell);
    files.extend(books.iter().map(|file| books::examine(&folder.join(file), file)));
    for file in names.iter().filter(|it| !tables::is_layer(it)) {
        let path = folder.join(file);
        if file == LOCK {
            files.push(lock(is_busy));
        } else if !path.is_dir() {
            files.push(left_over(file).unwrap_or_else(|| results::examine(&path, file, shell)));
        } else if let Ok(inside) = names_in(&path)
            && run::is_run(&inside)
        {
            files.extend(below(file, run::examine(&path, &inside, shell).files));
        } else {
            let holds = "a folder without a run, not looked into";
            files.push(ExaminedFile::unchecked(&format!("{file}/"), holds));
        }
    }
    let found = Examination::of(name, files);
    Ok(if is_busy { Examination { state: Health::Busy, ..found } } else { found })
}

/// Files of a folder in the one that is examined.
fn below(folder: &str, files: Vec<ExaminedFile>) -> impl Iterator<Item = ExaminedFile> {
    let name = move |it: ExaminedFile| ExaminedFile { file: format!("{folder}/{}", it.file), ..it };
    files.into_iter().map(name)
}

/// What is in a folder, by name.
fn names_in(folder: &Path) -> Result<Vec<String>, FileError> {
    let failed = || FileError::of("read", folder);
    let entries = fs::read_dir(folder).map_err(failed())?;
    let paths = entries.map(|entry| entry.map(|it| it.path()));
    let paths: Vec<PathBuf> = paths.collect::<Result<_, _>>().map_err(failed())?;
    let name = |path: PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut names: Vec<String> = paths.into_iter().map(name).collect();
    names.sort();
    Ok(names)
}
