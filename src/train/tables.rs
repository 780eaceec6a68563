//! Endgame tables that runs are measured by and learn from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use evolve::run::Settings;
use mancala::endgame::{LayerError, Tables, TablesError};
use mancala::game::ayo::Rules;

/// Games lead to 195 positions with up to four seeds, and a measurement asks about 500.
const FEWEST_SEEDS: u8 = 5;

/// Why a run has no tables.
#[derive(Debug, thiserror::Error)]
pub enum NoTables {
    /// They cannot be opened.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// A file of them is damaged.
    #[error(transparent)]
    Layer(#[from] LayerError),
    /// Games do not lead to enough positions in them.
    #[error(
        "{}: they go up to {most} of the {FEWEST_SEEDS} seeds from which on games lead to positions enough",
        folder.display()
    )]
    TooFew {
        /// Where they are.
        folder: PathBuf,
        /// The most seeds in them.
        most: u8,
    },
    /// The run would not look at them.
    #[error("measure_every is 0, so that nothing is measured, and fitness is tournament")]
    Useless,
    /// The run cannot do without, for this fitness, but none were named.
    #[error("fitness is {0}, which needs endgame tables")]
    Missing(String),
}

/// Opens undamaged tables.
///
/// # Errors
/// If there are none, or they are damaged or too small.
pub fn open(folder: &Path, rules: Rules) -> Result<Arc<Tables>, NoTables> {
    let tables = Tables::open(folder, rules)?;
    if tables.most_seeds() < FEWEST_SEEDS {
        let (folder, most) = (folder.into(), tables.most_seeds());
        return Err(NoTables::TooFew { folder, most });
    }
    // What is found holds for tables of this checksum, which stands for undamaged values.
    tables.check_all()?;
    Ok(Arc::new(tables))
}

/// The tables of a run in a folder, if one is named: they must be of its rules and have some use in it.
///
/// # Errors
/// If they cannot be had or are of no use.
pub fn of_run(folder: Option<&Path>, settings: &Settings) -> Result<Option<Arc<Tables>>, NoTables> {
    let Some(folder) = folder else { return Ok(None) };
    if settings.measure_every == 0 && !settings.needs_tables() {
        return Err(NoTables::Useless);
    }
    open(folder, settings.rules).map(Some)
}

/// The same of a run that must have them if it learns from them.
///
/// # Errors
/// If they cannot be had, are of no use, or are missing.
pub fn of_new_run(
    folder: Option<&Path>,
    settings: &Settings,
) -> Result<Option<Arc<Tables>>, NoTables> {
    match settings.table_fitness().filter(|_| folder.is_none()) {
        Some(it) => Err(NoTables::Missing(it.fitness.to_string())),
        None => of_run(folder, settings),
    }
}
