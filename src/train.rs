//! Commands for training runs. `ayo train` itself is in this file.

#[cfg(feature = "web")]
pub(crate) mod curves;
pub(crate) mod follow;
pub(crate) mod inspect;
#[cfg(feature = "web")]
pub(crate) mod pages;
mod progress;
pub(crate) mod report;
pub(crate) mod request;
pub(crate) mod resume;
pub(crate) mod runs;
pub(crate) mod select;
pub(crate) mod series;
mod session;
pub(crate) mod stop;
pub(crate) mod strength;
pub(crate) mod tables;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use evolve::optimise::Entry;
use evolve::run::{
    DEFAULT_PRESET, Estimate, FolderError, RUNS, RunFolder, preset_of_game, presets,
    resume_arguments, slow_games,
};
use indicatif::DecimalBytes;
use mancala::game::AnyGame;
use mancala::game::kalah::Kalah;

use self::request::NewRun;
use self::series::{Seeds, SeriesRequest};
use self::session::{ReportAtEnd, RuntimeOptions, detach, train};
use crate::solve::endgame::caution;
use crate::terminal::{grouped, rounded, shell, shown, usage, warn};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, allow_negative_numbers = true)]
pub(crate) struct Arguments {
    #[arg(long, value_name = "NAME", help = preset_help())]
    preset: Option<String>,
    /// Game: ayo, or kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier] [default: the
    /// game in the settings]
    #[arg(long, value_name = "GAME")]
    game: Option<AnyGame>,
    /// TOML file of settings, in the format of run.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Folder of the run [default: populations/PRESET-SEED]
    #[arg(short, long, value_name = "DIR", aliases = ["output", "name"])]
    out: Option<PathBuf>,
    /// Random seed [default: the lowest seed whose folder is free]
    #[arg(long, value_name = "N")]
    seed: Option<String>,
    /// Start one run per seed: 1..5 (one to five) or 1,4,9. Runs are trained in parallel;
    /// idle threads help the others. The seed is appended to the folder's name, and
    /// --max-time limits each run. Repeat the command to continue after an interruption
    #[arg(long, value_name = "SEEDS", conflicts_with = "seed")]
    seeds: Option<Seeds>,
    /// Number of generations
    #[arg(long, value_name = "N")]
    generations: Option<String>,
    /// Population size
    #[arg(long, value_name = "N")]
    population: Option<String>,
    /// Search depth in plies
    #[arg(long, value_name = "N")]
    depth: Option<String>,
    /// Fitness of a member: tournament, or with --tables also tables, or mix:P% of both
    #[arg(long, value_name = "NAME")]
    fitness: Option<String>,
    /// Rules of ayo: ayo, awari, wipe-out or no-slam, each with an optional :stalemate=…
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// How weights are interpreted: signed or literal
    #[arg(long, value_name = "NAME")]
    signs: Option<String>,
    /// Features whose weights evolve: sets and features, separated by commas
    #[arg(long, value_name = "LIST")]
    features: Option<String>,
    /// Fix a weight that should not evolve, in the units and with the signs of the genes:
    /// a9=-600 in standard, but a9=15 in daoud2004, which takes the sign from the feature
    #[arg(long = "fix", value_name = "NAME=VALUE")]
    fix: Vec<String>,
    /// Start from the last population of a run, or from the given weights and their mutants
    #[arg(long, value_name = "RUN|WEIGHTS")]
    start_from: Option<String>,
    /// Any other setting
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    runtime: RuntimeOptions,
    /// Print the settings and the estimated cost of the run without starting it
    #[arg(long, conflicts_with_all = ["json", "detach"])]
    dry_run: bool,
}

const AFTER_HELP: &str = "\
Settings are applied in this order, the last one winning: preset, configuration file, flags, --set. --dry-run lists \
every setting with its meaning.

Ctrl-C stops a run safely. \"ayo resume\" continues it, and the results are identical to those of an uninterrupted \
run.";

fn preset_help() -> String {
    let names: Vec<&str> = presets().collect();
    let of_kalah = preset_of_game(&AnyGame::Kalah(Kalah::default()));
    format!(
        "Preset to start from: {} [default: {DEFAULT_PRESET}, or {of_kalah} with --game kalah]",
        names.join(", ")
    )
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if arguments.runtime.detach
        && let Some(code) = detach(out)?
    {
        return Ok(code);
    }
    let new = arguments.resolve()?;
    if let Some(from) = arguments.start_from.as_ref().filter(|_| !new.left_out.is_empty()) {
        let lost = new.left_out.join(", ");
        warn(format!(
            "--start-from {from}: ignoring the weights of {lost}, which this run does not use"
        ));
    }
    let tables = tables::of_run(arguments.runtime.tables.as_deref(), &new.settings)?;
    let (folder, runtime) = (arguments.out.as_deref(), &arguments.runtime);
    if !arguments.dry_run
        && let Some(reason) = runtime.workers.pool()?.install(|| slow_games(&new.settings))
    {
        warn(format!("the time per generation cannot be estimated: {reason}"));
    }
    let request = |seeds| SeriesRequest { new: &new, seeds, out: folder, runtime };
    let series = arguments.seeds.as_ref().map(request);
    match (series, arguments.dry_run) {
        (series, true) => dry_run(&new, folder, series.as_ref(), runtime, out),
        (Some(series), false) => series.train(tables.as_deref().and_then(caution), out),
        (None, false) => {
            runtime.check()?;
            let run = new.create(folder, tables).map_err(folder_error)?;
            let (path, seed) = (shown(run.folder.path()), run.trainer.settings().seed);
            train(run, &format!("run {path}, seed {seed}"), runtime, out)
        }
    }
}

impl Arguments {
    /// Returns the source (e.g. `--depth`), key and value of each setting that is given by a flag or `--set`.
    fn overrides(&self) -> anyhow::Result<Vec<(String, String, String)>> {
        let game = self.game.map(|game| game.to_string());
        let fixed = (!self.fix.is_empty()).then(|| self.fix.join(","));
        let flags = [
            ("game", &game),
            ("seed", &self.seed),
            ("generations", &self.generations),
            ("population", &self.population),
            ("depth", &self.depth),
            ("fitness", &self.fitness),
            ("rules", &self.rules),
            ("signs", &self.signs),
            ("features", &self.features),
            ("fix", &fixed),
        ];
        let flags = flags
            .into_iter()
            .filter_map(|(key, value)| Some((format!("--{key}"), key.to_owned(), value.clone()?)));
        let set = changes(&self.set)?;
        if self.seeds.is_some() && set.iter().any(|(key, _)| key == "seed") {
            return Err(usage("--set seed: cannot be used with --seeds"));
        }
        Ok(flags.chain(set.into_iter().map(|(key, value)| ("--set".into(), key, value))).collect())
    }
}

fn changes(set: &[String]) -> anyhow::Result<Vec<(String, String)>> {
    let change = |set: &String| match set.split_once('=') {
        None => Err(usage(format!("--set {set}: write key=value"))),
        Some(("preset" | "optimiser", _)) => Err(usage(format!("--set {set}: use --preset"))),
        Some(("parent", _)) => Err(usage("--set parent: cannot be set")),
        Some((key, value)) => Ok((key.to_owned(), value.to_owned())),
    };
    set.iter().map(change).collect()
}

/// Adds advice to an error about a run folder.
fn folder_error(error: FolderError) -> anyhow::Error {
    match error {
        FolderError::Occupied(path) => {
            let resume = shell::command(&resume_arguments(&path));
            let path = shown(&path);
            anyhow!(
                "{path} already contains a run: continue it with \"{resume}\", or give another --seed or --out"
            )
        }
        FolderError::NotEmpty(_) => usage(format!("{error}; give a new folder with --out")),
        FolderError::Remains { .. } => {
            anyhow!("{error}; move it elsewhere, or give another --seed or --out")
        }
        error => error.into(),
    }
}

/// Groups settings by what they affect, in a readable order.
pub(crate) fn by_group(mut entries: Vec<Entry>) -> Vec<(&'static str, Vec<Entry>)> {
    const RUN: &str = "preset parent seed generations islands migrate topology";
    const GAMES: &str = "game rules depth nodes perspective quiescence ties warm_up fitness fitness_set hall_of_fame \
                         sparring sparring_step opponents openings rounds gate_openings pairing_memory";
    const MEASURING: &str =
        "measure_every measure_early measure_openings measure_at panel finalist_games";
    let is_in = |entry: &Entry, names: &str| names.split(' ').any(|name| name == entry.name);
    let title = |entry: &Entry| match entry {
        it if is_in(it, RUN) => (0, "The run"),
        it if is_in(it, GAMES) => (2, "Games"),
        it if is_in(it, MEASURING) => (3, "Measuring"),
        _ => (1, "The algorithm"),
    };
    entries.sort_by_key(title);
    let groups = entries.chunk_by(|a, b| title(a) == title(b));
    groups.map(|group| (title(&group[0]).1, group.to_vec())).collect()
}

fn dry_run(
    new: &NewRun,
    folder: Option<&Path>,
    series: Option<&SeriesRequest>,
    runtime: &RuntimeOptions,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let (settings, path) = (&new.settings, new.folder(folder));
    for (title, entries) in by_group(settings.entries()) {
        let lines: String = entries.iter().map(Entry::to_toml).collect();
        writeln!(out, "# {title}\n{lines}")?;
    }
    if let Some(series) = series {
        series.list_folders(out)?;
    } else {
        let any_seed =
            || format!("{RUNS}/{}-SEED, the lowest SEED whose folder is free", settings.preset);
        writeln!(out, "# Folder: {}", path.as_ref().map_or_else(any_seed, shown))?;
        if let Some(Err(error)) = path.map(|path| RunFolder::check_free(&path)) {
            writeln!(out, "# This run cannot be started: {:#}", folder_error(error))?;
        }
    }
    let first = settings.games_of_generation(1);
    let per_generation = match settings.games_of_generation(settings.generations) {
        last if last == first => grouped(first),
        last => format!("{} to {}", grouped(first), grouped(last)),
    };
    let limit = runtime.limit(settings);
    match limit {
        // The run ends when it reaches either limit, usually the time limit.
        Some(time) => writeln!(
            out,
            "# Ends after {} or {} generations, {per_generation} games each",
            rounded(time),
            grouped(settings.generations.into())
        )?,
        None => {
            let games = grouped(settings.games_of_generations(1..=settings.generations));
            writeln!(out, "# Games: at most {games}, {per_generation} per generation")?;
        }
    }
    let estimate = runtime.workers.pool()?.install(|| Estimate::of(settings));
    let disk = DecimalBytes(estimate.bytes);
    let time = match estimate.time {
        Ok(time) => format!("about {} on this machine", rounded(time)),
        Err(reason) => format!("an unknown time ({reason})"),
    };
    let needs = if limit.is_some() { "Without the time limit, needs" } else { "Needs" };
    let each = if series.is_some() { " for each run" } else { "" };
    let has_report = matches!(runtime.report, ReportAtEnd::Auto);
    let report = if has_report { ", plus 0.2 MB for the report" } else { "" };
    writeln!(out, "# {needs} {time} and {disk} of disk space{report}{each}")?;
    if let Some(it) = settings.own.table_fitness() {
        writeln!(out, "# Table positions per member: {}", grouped(it.positions.into()))?;
    }
    writeln!(out, "# Nothing was written.")?;
    Ok(ExitCode::SUCCESS)
}
