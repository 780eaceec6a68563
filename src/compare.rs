//! `ayo compare`: compares training presets and other settings, given equal budgets and the same random seeds.

mod budget;
mod contestant;
mod file;
pub(crate) mod picture;
mod result;
#[cfg(test)]
mod tests;
mod text;
mod trial;

pub use self::budget::Budget;
pub use self::contestant::Contestant;
pub use self::file::read_comparison;
pub(crate) use self::file::{COMPARISON_HEADER, ComparisonError, Searched, comparison_header};
pub(crate) use self::result::{Mean, MeanScore};

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use evolve::run::measured_openings;
use mancala::search::MAX_DEPTH;

use self::file::TrialsFile;
use self::result::{Comparison, ContestantResult, Difference, contestants};
use self::trial::{ComparisonTerms, Cost, POINTS, Point, Trial, compete};
use crate::solve::endgame::caution;
use crate::terminal::{
    Interrupt, Meter, Workers, announce, check_picture, counted, print_json, shown, time_left,
    usage,
};
use crate::train::series::Seeds;
use crate::train::tables;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Training presets, each optionally with settings: NAME:key=value,…, as in spsa:game=kalah
    #[arg(value_name = "NAME[:key=value,…]", required = true)]
    contestants: Vec<Contestant>,
    /// Seeds for each contestant: 1..5 (one to five), 3, or 1,4,9
    #[arg(long, value_name = "SEEDS", default_value = "1..5")]
    seeds: Seeds,
    /// Budget per search: games=N, nodes=N or time=T
    #[arg(long, value_name = "BUDGET")]
    budget: Budget,
    /// Endgame tables that contestants with fitness=tables or fitness=mix learn from
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Search depth for measuring strength
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=MAX_DEPTH as i64))]
    depth: u32,
    /// Openings for measuring strength: plies:4 for all openings of this suite, or the number to use
    #[arg(long, value_name = "SUITE|N", default_value = "200", value_parser = sample)]
    openings: u32,
    /// Picture to write, along with a CSV file of all results; a name ending in .csv writes only the CSV file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    workers: Workers,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Strength is the mean score against four opponents and on openings that are not used in training. It is measured at \
1/128, 1/64, … of the budget and at the end; measurements do not count towards the budget. With -o, finished searches \
are saved, and the same command resumes with the remaining ones.";

/// Parses the number of openings to take from the suite `plies:4`. Returns 0 if `text` is `plies:4`, i.e. all of them.
fn sample(text: &str) -> Result<u32, String> {
    let count = text.parse().ok().filter(|count| *count > 0);
    count.or((text == "plies:4").then_some(0)).ok_or_else(|| {
        "strength is measured on plies:4: give plies:4, or a number of its openings".into()
    })
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let contestants = arguments.contestants()?;
    let terms = arguments.terms(&contestants)?;
    let cautions = contestants.iter().filter_map(|it| it.tables.as_deref());
    if let Some(caution) = cautions.filter_map(caution).next().filter(|_| !arguments.json) {
        announce(&caution, out)?;
    }
    let output = arguments.output.as_deref();
    let (table, picture) = output.map(files).transpose()?.unzip();
    let picture = picture.flatten();
    let pool = arguments.workers.pool()?;
    check_picture(picture.as_deref())?;
    let file = TrialsFile::open(table.as_deref(), &terms)?;
    let (interrupt, verbosity) = (Interrupt::listen()?, arguments.workers.verbosity);
    let meter = Meter::new(0, verbosity);
    let seeds = &arguments.seeds.0;
    let run = || run_searches(&contestants, seeds, &terms, file, &interrupt, &meter);
    let found = pool.install(run)?;
    if let (Some(table), Some(picture)) = (table, picture)
        && !found.searches.is_empty()
    {
        crate::plot::plot(&[table], &crate::plot::Selection::default(), &picture)?;
    }
    if arguments.json {
        print_json(&found, out)?;
    } else {
        let asked = contestants.len() * arguments.seeds.0.len();
        text::print(&found, asked, &terms, output, out)?;
    }
    Ok(ExitCode::from(if found.interrupted { 130 } else { 0 }))
}

impl Arguments {
    /// Returns the contestants, with endgame tables opened for those that need them. Fails if a contestant is given
    /// twice, if the contestants play different games, or if they don't suit `--tables` or `--budget`.
    fn contestants(&self) -> anyhow::Result<Vec<Contestant>> {
        let contestants = &self.contestants;
        for (index, contestant) in contestants.iter().enumerate() {
            if contestants[..index].iter().any(|it| it.name == contestant.name) {
                return Err(usage(format!("contestant {contestant} is given twice")));
            }
        }
        let game = contestants[0].settings.game();
        let mut games = contestants.iter().map(|it| it.settings.game());
        if let Some(other) = games.find(|other| *other != game) {
            let [game, other] = [game, other].map(|it| it.terms());
            return Err(usage(format!(
                "contestants play different games, {game} and {other}: all must play the same game"
            )));
        }
        let learns_from_tables = |it: &Contestant| it.settings.own.table_fitness().is_some();
        if self.tables.is_some() && !contestants.iter().any(learns_from_tables) {
            return Err(usage("--tables: no contestant has fitness=tables or fitness=mix"));
        }
        contestants.iter().map(|contestant| self.with_tables(contestant.clone())).collect()
    }

    fn with_tables(&self, contestant: Contestant) -> anyhow::Result<Contestant> {
        let Some(fitness) = contestant.settings.own.table_fitness() else { return Ok(contestant) };
        let budget = self.budget;
        if let Budget::Games(_) = budget {
            return Err(usage(format!(
                "--budget {budget}: {contestant} learns from positions, not games: give nodes=N or time=T"
            )));
        }
        let Some(folder) = &self.tables else {
            let reason = tables::missing_message(&fitness.fitness.to_string());
            return Err(usage(format!("contestant {contestant}: {reason}")));
        };
        let tables = Some(tables::open(folder, contestant.settings.rules)?);
        Ok(Contestant { tables, ..contestant })
    }

    fn terms(&self, contestants: &[Contestant]) -> anyhow::Result<ComparisonTerms> {
        let (game, budget, depth) = (contestants[0].settings.game(), self.budget, self.depth);
        let all = measured_openings(game);
        let openings = if self.openings == 0 { all } else { self.openings };
        if all == 0 {
            return Err(usage(format!("every game of {game} ends within four plies")));
        }
        if openings > all {
            let reason = format!("but plies:4 has only {all} openings in {game}");
            return Err(usage(format!("--openings is {openings}, {reason}")));
        }
        Ok(ComparisonTerms { game, budget, depth, openings })
    }
}

/// Derives the paths of the CSV file and the picture from the argument of `--output`.
fn files(output: &Path) -> anyhow::Result<(PathBuf, Option<PathBuf>)> {
    let ending = output.extension().unwrap_or_default().to_ascii_lowercase();
    match ending.to_str() {
        Some("csv") => Ok((output.into(), None)),
        Some("png" | "svg") => Ok((output.with_extension("csv"), Some(output.into()))),
        _ => Err(usage(format!(
            "--output {}: the file name must end in .png, .svg or .csv",
            shown(output)
        ))),
    }
}

/// The number of progress bar steps per search.
const STEPS: u64 = 1000;

/// Runs the searches whose results aren't in the file yet, and saves their results. The searches run sequentially, but
/// each search uses all threads of the rayon pool.
fn run_searches(
    contestants: &[Contestant],
    seeds: &[u64],
    terms: &ComparisonTerms,
    mut file: TrialsFile,
    interrupt: &Interrupt,
    meter: &Meter,
) -> anyhow::Result<Comparison> {
    let (mut found, mut due) = (Vec::new(), Vec::new());
    // Iterate over contestants in the inner loop, so that each contestant has some results if we're interrupted.
    for &seed in seeds {
        for contestant in contestants {
            match file.find(contestant, seed)? {
                Some(trial) => found.push(trial),
                None => due.push((contestant, seed)),
            }
        }
    }
    let all = due.len() as u64;
    meter.set_length(all * STEPS);
    meter.begin(counted(all, "search").replace("searchs", "searches") + " to do");
    let begun = Instant::now();
    let mut interrupted = false;
    for (done, &(contestant, seed)) in (0..).zip(&due) {
        let show = |share: f64, strength: Option<(f64, f64)>| {
            let position = done * STEPS + (share * STEPS as f64) as u64;
            let left = time_left(begun, position, all * STEPS);
            let strength =
                strength.map(|(score, margin)| format!("  strength {score:.3} ±{margin:.3}"));
            meter.set_position(position);
            meter.say(format!(
                "search {} of {all}: {contestant}, seed {seed}, {:.0} %{}{left}",
                done + 1,
                100.0 * share,
                strength.unwrap_or_default(),
            ));
        };
        match compete(contestant, seed, terms, interrupt, &show) {
            Ok(Some(trial)) => {
                file.add(&trial, terms)?;
                found.push(trial);
            }
            Ok(None) => {
                interrupted = true;
                break;
            }
            Err(error) => {
                meter.finish();
                return Err(usage(error));
            }
        }
    }
    meter.finish();
    Ok(Comparison::new(terms, &found, interrupted))
}
