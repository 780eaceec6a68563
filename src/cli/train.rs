use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;

use super::champion::{say_findings, say_strength};
use super::endgame::caution;
use super::meter::grouped;
use super::progress::{Watch, leave_on_signals};
use super::workers::Workers;
use super::{announce, program, shell, usage};
use crate::run::{
    Draft, End, FolderError, RunFolder, Settings, StopPolicy, Summary, Trainer, Watched,
    last_population, preset_of_game, read_toml, resume_arguments, train as train_in,
};
use mancala::endgame::Tables;
use mancala::game::AnyGame;
use mancala::game::ayo::Rules;
use mancala::store::FileError;

/// Where run folders go.
pub(super) const RUNS: &str = "populations";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, allow_negative_numbers = true)]
pub(super) struct Arguments {
    /// Settings to begin with: standard, overnight, quick, daoud2004 or davis-kendall2002; for kalah
    /// kalah-standard or kalah-extended; of other optimisers spsa, cma-es or random-search [default: standard, with --game kalah kalah-standard]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Game: ayo, or kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier] [default: that of
    /// the settings]
    #[arg(long, value_name = "GAME")]
    game: Option<AnyGame>,
    /// TOML file of settings, as in a run.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Folder of the run [default: populations/PRESET-SEED]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seed of all randomness [default: the lowest whose folder is free]
    #[arg(long, value_name = "N")]
    seed: Option<String>,
    /// Evaluated populations in all
    #[arg(long, value_name = "N")]
    generations: Option<String>,
    /// Members of a population
    #[arg(long, value_name = "N")]
    population: Option<String>,
    /// Plies that every move is searched
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
    /// Begin with the last population of a run, or with somebody's weights and mutants of them
    #[arg(long, value_name = "RUN|WEIGHTS")]
    start_from: Option<String>,
    /// Any other setting
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    gauge: Gauge,
    #[command(flatten)]
    effort: Effort,
    /// Print the settings and what they would take, and do nothing
    #[arg(long)]
    dry_run: bool,
}

const AFTER_HELP: &str = "\
Later ones win: preset, configuration file, flags, --set. \
--dry-run lists every setting with its meaning.

Ctrl-C ends a run safely, and \"ayo resume\" goes on with it to the same bytes that an uninterrupted \
run writes.";

/// Perfect play to measure by, and to learn from.
#[derive(Debug, Args)]
pub(super) struct Gauge {
    /// Endgame tables: measure as well how near champions are to perfect play
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl Gauge {
    /// The tables, which must be of the rules of the run and have some use in it.
    pub(super) fn open(&self, settings: &Settings) -> anyhow::Result<Option<Arc<Tables>>> {
        let Some(folder) = &self.tables else {
            return Ok(None);
        };
        if settings.measure_every == 0 && !settings.needs_tables() {
            return Err(usage(
                "--tables: measure_every is 0, so that nothing is measured, and fitness is tournament",
            ));
        }
        open_tables(folder, settings.rules).map(Some)
    }

    /// The same of a run that must have them if it learns from them.
    pub(super) fn open_needed(&self, settings: &Settings) -> anyhow::Result<Option<Arc<Tables>>> {
        if let Some(it) = settings.table_fitness().filter(|_| self.tables.is_none()) {
            return Err(usage(no_tables(&it.fitness)));
        }
        self.open(settings)
    }
}

/// What to do about a fitness that needs tables.
pub(super) fn no_tables(fitness: impl Display) -> String {
    format!(
        "fitness is {fitness}: name the folder of endgame tables with --tables; \
         \"{} endgame build\" makes them",
        program()
    )
}

/// How to go on with a run that goes by tables.
fn resume_with(tables: &Tables, run: &str) -> String {
    let folder = tables.folder().display().to_string();
    let resume = ["resume".to_owned(), run.to_owned(), "--tables".to_owned(), folder];
    format!("{} {}", program(), shell::typed(&resume))
}

/// Games lead to 195 positions with up to four seeds, and a measurement asks about 500.
const FEWEST_SEEDS: u8 = 5;

/// Opens undamaged tables.
pub(super) fn open_tables(folder: &Path, rules: Rules) -> anyhow::Result<Arc<Tables>> {
    let tables = Tables::open(folder, rules).context("--tables")?;
    if tables.most_seeds() < FEWEST_SEEDS {
        let (folder, most) = (folder.display(), tables.most_seeds());
        return Err(usage(format!(
            "--tables {folder}: they go up to {most} of the {FEWEST_SEEDS} seeds from which on games lead to \
             positions enough"
        )));
    }
    // What is found holds for tables of this checksum, which stands for undamaged values.
    tables.check_all().context("--tables")?;
    Ok(Arc::new(tables))
}

/// What a run may take; nothing that it writes depends on it.
#[derive(Debug, Args)]
pub(super) struct Effort {
    #[command(flatten)]
    workers: Workers,
    /// Evolve so long, then choose the champion, ready to be resumed: 90s, 10m, 8h [default: none; 8h
    /// for overnight]. Final games and measuring come on top
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    max_time: Option<Duration>,
}

pub(super) fn run_verb(arguments: Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let (draft, seeded) = draft(&arguments)?;
    let settings = draft.clone().finish().map_err(usage)?;
    let tables = arguments.gauge.open_needed(&settings)?;
    if arguments.dry_run {
        return dry_run(&arguments, &settings, seeded, out);
    }
    let (folder, settings) = match &arguments.out {
        Some(path) => (create(path, &settings, tables.as_deref())?, settings),
        None if seeded => {
            (create(&default_folder(&settings), &settings, tables.as_deref())?, settings)
        }
        None => first_free(draft, tables.as_deref())?,
    };
    announce(&format!("run {}, seed {}", folder.path().display(), settings.seed), out)?;
    train(folder, Trainer::new(settings), tables, &arguments.effort, out)
}

/// The settings asked for, and whether they name a seed.
fn draft(arguments: &Arguments) -> anyhow::Result<(Draft, bool)> {
    let config = arguments.config.as_deref().map(read_config).transpose()?.unwrap_or_default();
    let mut draft = match (&arguments.preset, config.get("preset"), &arguments.config) {
        (Some(name), ..) => Draft::preset(name).map_err(|e| usage(format!("--preset: {e}")))?,
        // The values come below.
        (None, Some(name), Some(path)) => {
            let table = [("preset".into(), name.clone())].into_iter().collect();
            Draft::from_table(&table).map_err(|e| usage(format!("{}: {e}", path.display())))?
        }
        _ => Draft::preset(preset_of_game(&arguments.game.unwrap_or_default())).map_err(usage)?,
    };
    if let Some(path) = &arguments.config {
        let changes =
            config.iter().filter(|(key, _)| !["preset", "version"].contains(&key.as_str()));
        let changes = changes.map(|(key, value)| (key.clone(), value.clone())).collect();
        draft.set_all(&changes).map_err(|e| usage(format!("{}: {e}", path.display())))?;
    }
    if let Some(game) = arguments.game {
        draft.set("game", &game.to_string()).map_err(|e| usage(format!("--game: {e}")))?;
    }
    let flags = [
        ("seed", &arguments.seed),
        ("generations", &arguments.generations),
        ("population", &arguments.population),
        ("depth", &arguments.depth),
        ("fitness", &arguments.fitness),
        ("rules", &arguments.rules),
        ("signs", &arguments.signs),
        ("features", &arguments.features),
    ];
    for (key, value) in flags {
        if let Some(value) = value {
            draft.set(key, value).map_err(|e| usage(format!("--{key}: {e}")))?;
        }
    }
    if !arguments.fix.is_empty() {
        let fixed = arguments.fix.join(",");
        draft.set("fix", &fixed).map_err(|e| usage(format!("--fix: {e}")))?;
    }
    let mut seeded = arguments.seed.is_some() || config.contains_key("seed");
    for (key, value) in changes(&arguments.set)? {
        draft.set(&key, &value).map_err(|e| usage(format!("--set: {e}")))?;
        seeded |= key == "seed";
    }
    if let Some(from) = &arguments.start_from {
        let settings = draft.clone().finish().map_err(usage)?;
        if !draft.has("founders") {
            let optimiser = settings.optimiser_name();
            return Err(usage(format!(
                "--start-from: {optimiser} cannot begin from given weights"
            )));
        }
        let founders = founders(from, settings)?;
        draft.set("founders", &founders).map_err(|e| usage(format!("--start-from {from}: {e}")))?;
    }
    Ok((draft, seeded))
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

/// The chromosomes of the last population of a run, or of some weights.
fn founders(from: &str, settings: Settings) -> anyhow::Result<String> {
    let path = Path::new(from);
    let weights = if path.join("run.toml").exists() {
        last_population(path).with_context(|| format!("--start-from {from}"))?
    } else {
        vec![mancala::eval::load(from).map_err(|e| usage(format!("--start-from: {e}")))?]
    };
    let (of, game) = (weights[0].features().game(), settings.game());
    if of != game.kind() {
        return Err(usage(format!(
            "--start-from {from}: these weigh features of {of}, but game is {game}"
        )));
    }
    let most = settings.candidates() as usize;
    let lost: Vec<&str> = settings.left_out(&weights[0]).iter().map(|it| it.name()).collect();
    let hexes: Option<Vec<String>> =
        weights.iter().take(most).map(|weights| settings.founder(weights)).collect();
    let Some(hexes) = hexes else {
        return Err(usage(format!("--start-from {from}: it weighs nothing that evolves here")));
    };
    if !lost.is_empty() {
        let lost = lost.join(", ");
        let _ = writeln!(
            std::io::stderr(),
            "ayo: --start-from {from}: no gene of this run stands for {lost}"
        );
    }
    Ok(hexes.join(","))
}

fn read_config(path: &Path) -> anyhow::Result<toml::Table> {
    let text = mancala::store::read_text(path)?;
    read_toml(&text).map_err(|e| usage(format!("{}: {e}", path.display())))
}

fn default_folder(settings: &Settings) -> PathBuf {
    Path::new(RUNS).join(format!("{}-{}", settings.preset, settings.seed))
}

fn create(path: &Path, settings: &Settings, tables: Option<&Tables>) -> anyhow::Result<RunFolder> {
    RunFolder::create(path, settings, tables).map_err(with_ways_on)
}

/// A refusal to begin a run, with what can be typed instead.
pub(super) fn with_ways_on(refusal: FolderError) -> anyhow::Error {
    match refusal {
        FolderError::Occupied(path) => {
            let resume = format!("{} {}", program(), shell::typed(&resume_arguments(&path)));
            let path = path.display();
            anyhow!(
                "{path} already holds a run: continue it with \"{resume}\", or give another --seed or --out"
            )
        }
        FolderError::Remains { .. } => {
            anyhow!("{refusal}; move it away, or give another --seed or --out")
        }
        refusal => refusal.into(),
    }
}

/// The run of the lowest seed whose default folder nobody uses.
fn first_free(mut draft: Draft, tables: Option<&Tables>) -> anyhow::Result<(RunFolder, Settings)> {
    for seed in 1.. {
        draft.set("seed", &format!("{seed}"))?;
        let settings = draft.clone().finish().map_err(usage)?;
        match RunFolder::create(&default_folder(&settings), &settings, tables) {
            Ok(folder) => return Ok((folder, settings)),
            Err(FolderError::Occupied(_) | FolderError::Remains { .. } | FolderError::Busy(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    unreachable!("seeds do not run out")
}

fn dry_run(
    arguments: &Arguments,
    settings: &Settings,
    seeded: bool,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    write!(out, "{}", settings.to_toml())?;
    let path = match &arguments.out {
        Some(path) => Some(path.clone()),
        None => seeded.then(|| default_folder(settings)),
    };
    let folder = path.as_ref().map_or_else(
        || format!("{RUNS}/{}-SEED, the lowest SEED whose folder is free", settings.preset),
        |path| path.display().to_string(),
    );
    let per_generation = settings.games_per_generation();
    let games = per_generation * u64::from(settings.generations);
    writeln!(out, "\n# Folder: {folder}")?;
    if let Some(Err(refusal)) = path.map(|path| RunFolder::check_free(&path)) {
        writeln!(out, "# This run cannot begin: {:#}", with_ways_on(refusal))?;
    }
    let (games, per_generation) = (grouped(games), grouped(per_generation));
    writeln!(out, "# Games asked for: {games}, {per_generation} a generation")?;
    if let Some(it) = settings.table_fitness() {
        let positions = grouped(it.positions.into());
        writeln!(out, "# Positions of tables that every member is asked about: {positions}")?;
    }
    writeln!(out, "# Nothing was written.")?;
    Ok(ExitCode::SUCCESS)
}

const STOPPING: &str = "stopping; a generation under way is finished if that takes at most 5 s";

/// Trains in a folder and says at the end what there is and what to type next.
pub(super) fn train(
    mut folder: RunFolder,
    mut trainer: Trainer,
    tables: Option<Arc<Tables>>,
    effort: &Effort,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let limit = effort.max_time.or(trainer.settings().usual_time());
    let stop = leave_on_signals(StopPolicy::new(limit), STOPPING)?;
    let mut watch =
        Watch::new(&stop, trainer.settings(), trainer.generation(), effort.workers.verbosity());
    let bar = watch.bar();
    let path = folder.path().to_owned();
    if let Some(tables) = &tables {
        trainer = trainer.taught_by(Arc::clone(tables));
        if let Some(caution) = caution(tables) {
            announce(&caution, out)?;
        }
    }
    let pool = effort.workers.pool()?;
    let mut measuring = folder.measuring(&trainer, tables.clone())?;
    let watched = Watched { progress: &*bar, stop: &stop };
    let end =
        pool.install(|| train_in(&mut trainer, &mut folder, &mut measuring, &watched, &mut watch));
    watch.finish();
    drop(folder);
    let summary = Summary::of(&path)?;
    let resume = match &tables {
        Some(tables) => resume_with(tables, &summary.argument()),
        None => format!("{} {}", program(), shell::typed(&summary.resume_arguments())),
    };
    let end = end.map_err(|error: FileError| anyhow::Error::from(error)).with_context(|| {
        format!("the run stopped; once the cause is mended, go on with \"{resume}\"")
    })?;
    match end {
        End::Complete => say_what_next(&summary, watch.totals(), out)?,
        End::Interrupted | End::OutOfTime => {
            let why = if end == End::Interrupted { "interrupted" } else { "time is up" };
            let (done, all) = (summary.generation, summary.settings.generations);
            if let Some(champion) = summary.champion.as_ref().filter(|_| end == End::OutOfTime) {
                say_strength(champion, out)?;
            }
            writeln!(out, "{why} after generation {done} of {all}; go on with")?;
            writeln!(out, "  {resume}")?;
        }
    }
    Ok(ExitCode::from(if end == End::Interrupted { 130 } else { 0 }))
}

fn say_what_next(summary: &Summary, totals: String, out: &mut dyn Write) -> anyhow::Result<()> {
    let (program, path) = (program(), shell::quoted(&summary.argument()));
    let name = summary.path.file_name().unwrap_or_default().to_string_lossy();
    writeln!(out, "{totals}")?;
    if let Some(champion) = summary.champion.as_ref().and_then(|c| c.provenance.as_ref()) {
        let best = summary.settings.best_possible_fitness();
        let (file, generation) = (summary.path.join("champion.json"), champion.generation);
        let fitness = champion.fitness.map(|fitness| format!(", fitness {fitness} of {best}"));
        let fitness = fitness.unwrap_or_default();
        writeln!(out, "champion {}{fitness} in generation {generation}", file.display())?;
    }
    if let Some(champion) = &summary.champion {
        say_strength(champion, out)?;
    }
    say_findings(summary, out)?;
    let picture = shell::quoted(&format!("plots/{name}.png"));
    let weights = summary.argument();
    let weights = if weights.contains([',', '=']) { format!("\"{weights}\"") } else { weights };
    let player = shell::quoted(&format!("minimax:weights={weights},depth=7"));
    writeln!(out, "next:")?;
    writeln!(out, "  {program} plot {path} -o {picture}")?;
    writeln!(out, "  {program} export {path} --format toml")?;
    let game = game_option(summary.settings.game());
    writeln!(out, "  {program} play --player {player}{game}")?;
    Ok(())
}

/// What names the game on a command line, if it has to be named.
fn game_option(game: AnyGame) -> String {
    if game.name() == AnyGame::default().name() {
        return String::new();
    }
    format!(" --game {}", shell::quoted(&game.to_string()))
}
