//! Which endgame tables a run uses: `tables.toml`, which names them by what they hold and never by
//! where they lie.

use std::fmt;
use std::io::ErrorKind;
use std::path::Path;

use super::error::FolderError;
use crate::run::settings::read_toml;
use mancala::endgame::Tables;
use mancala::store::{self, FileError};

const FILE: &str = "tables.toml";

/// What tells tables from others.
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    rules: String,
    /// The most seeds on the board.
    seeds: i64,
    checksum: String,
}

impl Identity {
    fn of(tables: &Tables) -> Identity {
        Identity {
            rules: tables.rules().to_string(),
            seeds: tables.most_seeds().into(),
            checksum: format!("{:08x}", tables.checksum()),
        }
    }

    fn to_toml(&self) -> String {
        format!(
            "# The endgame tables that this run goes by. Name their folder with --tables to go on.\n\
             rules = {}\n\
             seeds = {} # at most on the board\n\
             checksum = {}\n",
            toml::Value::from(self.rules.as_str()),
            self.seeds,
            toml::Value::from(self.checksum.as_str()),
        )
    }

    /// What a file says, if it says all.
    fn from_toml(text: &str) -> Option<Identity> {
        let table = read_toml(text).ok()?;
        let text = |key: &str| Some(table.get(key)?.as_str()?.to_owned());
        let seeds = table.get("seeds")?.as_integer()?;
        Some(Identity { rules: text("rules")?, seeds, checksum: text("checksum")? })
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Identity { rules, seeds, checksum } = self;
        write!(f, "{rules} to {seeds} seeds, checksum {checksum}")
    }
}

/// Notes the tables that a new run uses.
pub fn note(run: &Path, tables: Option<&Tables>) -> Result<(), FileError> {
    let file = run.join(FILE);
    match tables {
        Some(tables) => store::replace(&file, Identity::of(tables).to_toml().as_bytes()),
        // A run that was killed as it began may have left one.
        None => match store::remove(&file) {
            Err(error) if error.source.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        },
    }
}

/// The tables that the run in a folder uses, in words; `None` if its file does not say.
pub fn noted(run: &Path) -> Result<Option<String>, FileError> {
    let text = store::read_document(&run.join(FILE))?;
    Ok(Identity::from_toml(&text).map(|tables| tables.to_string()))
}

/// Whether the run in a folder uses tables.
pub fn goes_by_tables(run: &Path) -> bool {
    run.join(FILE).exists()
}

/// Refuses tables other than those that the run in a folder began with.
pub(super) fn check(folder: &Path, tables: Option<&Tables>) -> Result<(), FolderError> {
    let file = folder.join(FILE);
    let refuse =
        |path: &Path, reason: String| Err(FolderError::Tables { path: path.to_owned(), reason });
    let given = tables.map(Identity::of);
    if !file.exists() {
        return match given {
            None => Ok(()),
            Some(_) => refuse(
                folder,
                "the run began without endgame tables: go on without --tables, or begin another"
                    .into(),
            ),
        };
    }
    let Some(noted) = Identity::from_toml(&store::read_document(&file)?) else {
        return refuse(&file, "it does not say rules, seeds and checksum of tables".into());
    };
    match given {
        Some(given) if given == noted => Ok(()),
        Some(given) => refuse(
            &file,
            format!("the run uses endgame tables of {noted}, and --tables holds {given}"),
        ),
        None => refuse(
            &file,
            format!("the run uses endgame tables of {noted}: name their folder with --tables"),
        ),
    }
}
