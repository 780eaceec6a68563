//! Opens the endgame tables that are used for measurements and fitness.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use evolve::run::Settings;
use mancala::endgame::Tables;
use mancala::game::ayo::Rules;

use crate::terminal::{shell::program, shown, usage};

/// A measurement needs about 500 positions, but only 195 positions with up to four seeds are reachable in games.
const MIN_SEEDS: u8 = 5;

/// Opens tables and verifies them.
pub(crate) fn open(folder: &Path, rules: Rules) -> Result<Arc<Tables>> {
    let tables = Tables::open(folder, rules).context("--tables")?;
    let most = tables.max_seeds();
    if most < MIN_SEEDS {
        return Err(usage(format!(
            "--tables {}: the tables have at most {most} seeds, but at least {MIN_SEEDS} are required",
            shown(folder)
        )));
    }
    // The tables must match their checksum, because we record the checksum in results.
    tables.check_all().context("--tables")?;
    Ok(Arc::new(tables))
}

/// Opens the tables of a run. Fails if `folder` is `None` but the fitness needs tables, or if the run uses no tables.
pub(crate) fn of_run(folder: Option<&Path>, settings: &Settings) -> Result<Option<Arc<Tables>>> {
    let Some(folder) = folder else {
        let fitness = settings.own.table_fitness();
        return fitness.map_or(Ok(None), |it| Err(usage(missing_message(&it.fitness))));
    };
    if settings.measure_every == 0 && settings.own.table_fitness().is_none() {
        let reason =
            "the run does not use tables, because measure_every is 0 and fitness is tournament";
        return Err(usage(format!("--tables: {reason}")));
    }
    open(folder, settings.rules).map(Some)
}

pub(crate) fn missing_message(fitness: &str) -> String {
    format!(
        "fitness is {fitness}: give the folder of endgame tables with --tables; build them with \"{} endgame build\"",
        program()
    )
}
