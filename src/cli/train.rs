mod drive;
mod glimpses;
mod refusals;
mod report;
mod series;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

pub(super) use self::drive::{Effort, train};
pub(super) use self::refusals::{no_tables, resume_error, tables_error, warn_of, with_ways_on};
use self::series::SeriesRequest;
use super::seeds::Seeds;
use super::usage;
use crate::app::tables;
use crate::app::train::{Given, NewRun, NoFounders, NoRun, Wish};
use crate::solve::endgame::caution;
use crate::terminal::meter::{grouped, rounded};
use crate::terminal::{shown, warn};
use evolve::run::{DEFAULT_PRESET, Estimate, RUNS, RunFolder, preset_of_game, presets};
use mancala::game::AnyGame;
use mancala::game::kalah::Kalah;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, allow_negative_numbers = true)]
pub(super) struct Arguments {
    #[arg(long, value_name = "NAME", help = preset_help())]
    preset: Option<String>,
    /// Game: ayo, or kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier] [default: that of
    /// the settings]
    #[arg(long, value_name = "GAME")]
    game: Option<AnyGame>,
    /// TOML file of settings, as in a run.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Folder of the run [default: populations/PRESET-SEED]
    #[arg(short, long, value_name = "DIR", aliases = ["output", "name"])]
    out: Option<PathBuf>,
    /// Seed of all randomness [default: the lowest whose folder is free]
    #[arg(long, value_name = "N")]
    seed: Option<String>,
    /// Train a run for each of these seeds: 1..5 for one to five, or 1,4,9. Each thread trains a run; threads
    /// that are left over help. The seed is appended to the folder's name, and --max-time limits each run. Repeat
    /// the command to continue after an interruption
    #[arg(long, value_name = "SEEDS", conflicts_with = "seed")]
    seeds: Option<Seeds>,
    /// Number of generations
    #[arg(long, value_name = "N")]
    generations: Option<String>,
    /// Members of a population
    #[arg(long, value_name = "N")]
    population: Option<String>,
    /// Search depth in plies
    #[arg(long, value_name = "N")]
    depth: Option<String>,
    /// What makes a member fit: tournament, or by --tables: tables, or mix:P% of both
    #[arg(long, value_name = "NAME")]
    fitness: Option<String>,
    /// Rules of ayo: ayo, awari, wipe-out or no-slam, each with an optional :stalemate=…
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// How weights are read: signed or literal
    #[arg(long, value_name = "NAME")]
    signs: Option<String>,
    /// Features whose weights evolve: a set or names joined by commas
    #[arg(long, value_name = "LIST")]
    features: Option<String>,
    /// A weight that does not evolve, in the units and with the signs of the genes: a9=-600 in
    /// standard, a9=15 in daoud2004, which takes the sign from the feature
    #[arg(long = "fix", value_name = "NAME=VALUE")]
    fix: Vec<String>,
    /// Begin with the last population of a run, or with given weights and mutants of them
    #[arg(long, value_name = "RUN|WEIGHTS")]
    start_from: Option<String>,
    /// Any other setting
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    tables: TableOptions,
    #[command(flatten)]
    effort: Effort,
    /// Print the settings and what the run would take, without starting it
    #[arg(long, conflicts_with = "json")]
    dry_run: bool,
}

const AFTER_HELP: &str = "\
Later ones win: preset, configuration file, flags, --set. \
--dry-run lists every setting with its meaning.

Ctrl-C ends a run safely, and \"ayo resume\" goes on with it to the same bytes that an uninterrupted \
run writes.";

fn preset_help() -> String {
    let names: Vec<&str> = presets().collect();
    let of_kalah = preset_of_game(&AnyGame::Kalah(Kalah::default()));
    format!(
        "Settings to begin with: {} [default: {DEFAULT_PRESET}, with --game kalah {of_kalah}]",
        names.join(", ")
    )
}

/// Perfect play to measure by, and to learn from.
#[derive(Debug, Args)]
pub(super) struct TableOptions {
    /// Endgame tables: also measure how near champions are to perfect play
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl TableOptions {
    /// The folder of the tables.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.tables.as_deref()
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let new = wish(arguments)?.run().map_err(run_error)?;
    if let Some(from) = arguments.start_from.as_ref().filter(|_| !new.left_out.is_empty()) {
        let lost = new.left_out.join(", ");
        warn(format!("--start-from {from}: no gene of this run stands for {lost}"));
    }
    let tables = tables::of_new_run(arguments.tables.folder(), new.settings());
    let tables = tables.map_err(tables_error)?;
    let (wanted, effort) = (arguments.out.as_deref(), &arguments.effort);
    let tables_folder = arguments.tables.folder();
    let series = arguments.seeds.as_ref().map(|seeds| SeriesRequest {
        new: &new,
        seeds,
        out: wanted,
        tables: tables_folder,
        caution: tables.as_deref().and_then(caution),
        effort,
    });
    match (series, arguments.dry_run) {
        (series, true) => dry_run(&new, wanted, series.as_ref(), effort, out),
        (Some(series), false) => series.train(out),
        (None, false) => {
            effort.check()?;
            let run = new.create(wanted, tables).map_err(with_ways_on)?;
            let (path, seed) = (shown(run.folder.path()), run.trainer.settings().seed);
            let beginning = format!("run {path}, seed {seed}");
            train(run, &beginning, effort, out)
        }
    }
}

/// The layers that the arguments name.
fn wish(arguments: &Arguments) -> anyhow::Result<Wish> {
    let given = |key: &str, value: &str| Given {
        by: format!("--{key}"),
        key: key.to_owned(),
        value: value.to_owned(),
    };
    let game = arguments.game.map(|game| game.to_string());
    let fixed = (!arguments.fix.is_empty()).then(|| arguments.fix.join(","));
    let flags = [
        ("game", &game),
        ("seed", &arguments.seed),
        ("generations", &arguments.generations),
        ("population", &arguments.population),
        ("depth", &arguments.depth),
        ("fitness", &arguments.fitness),
        ("rules", &arguments.rules),
        ("signs", &arguments.signs),
        ("features", &arguments.features),
        ("fix", &fixed),
    ];
    let mut settings: Vec<Given> =
        flags.into_iter().filter_map(|(key, value)| Some(given(key, value.as_deref()?))).collect();
    let set = changes(&arguments.set)?;
    if arguments.seeds.is_some() && set.iter().any(|(key, _)| key == "seed") {
        return Err(usage("--set seed: --seeds names the seeds"));
    }
    let set = set.into_iter();
    settings.extend(set.map(|(key, value)| Given { by: "--set".into(), key, value }));
    Ok(Wish {
        preset: arguments.preset.clone(),
        config: arguments.config.clone(),
        game: arguments.game,
        settings,
        start_from: arguments.start_from.clone(),
    })
}

/// A run that cannot begin, in terms of the command line.
fn run_error(error: NoRun) -> anyhow::Error {
    match error {
        NoRun::File(error) => error.into(),
        NoRun::Preset(error) => usage(format!("--preset: {error}")),
        NoRun::Founders { from, error: NoFounders::Run(error) } => {
            anyhow::Error::from(error).context(format!("--start-from {from}"))
        }
        NoRun::Founders {
            error: error @ (NoFounders::Optimiser(_) | NoFounders::Weights(_)),
            ..
        } => usage(format!("--start-from: {error}")),
        NoRun::Founders { .. } => usage(format!("--start-from {error}")),
        error => usage(error),
    }
}

/// What `--set` asks for.
pub(super) fn changes(set: &[String]) -> anyhow::Result<Vec<(String, String)>> {
    let change = |set: &String| match set.split_once('=') {
        None => Err(usage(format!("--set {set}: write it as key=value"))),
        Some(("preset", _)) => Err(usage("--set preset: name the preset with --preset")),
        Some(("parent", _)) => {
            Err(usage("--set parent: only a branch has one, and says it itself"))
        }
        Some((key, value)) => Ok((key.to_owned(), value.to_owned())),
    };
    set.iter().map(change).collect()
}

fn dry_run(
    new: &NewRun,
    wanted: Option<&Path>,
    series: Option<&SeriesRequest>,
    effort: &Effort,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let (settings, path) = (new.settings(), new.folder(wanted));
    write!(out, "{}", settings.to_toml())?;
    let folder = path.as_ref().map_or_else(
        || format!("{RUNS}/{}-SEED, the lowest SEED whose folder is free", settings.preset),
        shown,
    );
    let games = settings.games_of_generations(1..=settings.generations);
    let first = settings.games_of_generation(1);
    let per_generation = match settings.games_of_generation(settings.generations) {
        last if last == first => grouped(first),
        last => format!("{} to {}", grouped(first), grouped(last)),
    };
    if let Some(series) = series {
        series.say_folders(out)?;
    } else {
        writeln!(out, "\n# Folder: {folder}")?;
        if let Some(Err(refusal)) = path.map(|path| RunFolder::check_free(&path)) {
            writeln!(out, "# This run cannot begin: {:#}", with_ways_on(refusal))?;
        }
    }
    let games = grouped(games);
    match effort.limit(settings) {
        // Whichever comes first; as a rule it is the time.
        Some(time) => writeln!(
            out,
            "# It ends after {} or {} generations, {per_generation} games each",
            rounded(time),
            grouped(settings.generations.into())
        )?,
        None => writeln!(out, "# Games asked for: {games}, {per_generation} a generation")?,
    }
    let estimate = effort.workers().pool()?.install(|| Estimate::of(settings));
    let disk = estimate.bytes.div_ceil(1000);
    let time = estimate.time.filter(|_| effort.limit(settings).is_none());
    let time = time.map(|it| format!("about {} here, and ", rounded(it))).unwrap_or_default();
    let each = if series.is_some() { " for each run" } else { "" };
    writeln!(out, "# It needs {time}{} kB of disk space{each}", grouped(disk))?;
    if let Some(it) = settings.table_fitness() {
        let positions = grouped(it.positions.into());
        writeln!(out, "# Positions of tables that every member is asked about: {positions}")?;
    }
    writeln!(out, "# Nothing was written.")?;
    Ok(ExitCode::SUCCESS)
}
