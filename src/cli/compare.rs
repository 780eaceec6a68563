mod report;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Instant;

use clap::Args;
use mancala::search::MAX_DEPTH;
use rayon::ThreadPool;

use self::report::Report;
use super::seeds::Seeds;
use super::train::{no_tables, tables_error};
use super::{announce, check_picture, print_json, usage};
use crate::app::compare::{
    ComparisonProgress, Difference, Field, Kept, KeptError, NoField, NoOpenings, Searches, Trouble,
};
use crate::results::Comparison;
use crate::solve::endgame::caution;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::meter::{Meter, counted, time_left};
use crate::terminal::shown;
use crate::terminal::workers::Workers;
use evolve::run::{Advance, Budget, Contestant};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Presets of train, each with any settings: NAME:key=value,…, as in spsa:game=kalah
    #[arg(value_name = "NAME[:key=value,…]", required = true)]
    contestants: Vec<Contestant>,
    /// Seeds of every contestant: 1..5 for one to five, or 3, or 1,4,9
    #[arg(long, value_name = "SEEDS", default_value = "1..5")]
    seeds: Seeds,
    /// What every search may spend: games=N, nodes=N or time=T
    #[arg(long, value_name = "BUDGET")]
    budget: Budget,
    /// Endgame tables that contestants with fitness=tables or fitness=mix learn from
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Plies that weights are searched when their strength is measured
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=MAX_DEPTH as i64))]
    depth: u32,
    /// Openings that strength is measured from: plies:4 for all, or how many of them
    #[arg(long, value_name = "SUITE|N", default_value = "200")]
    openings: Sample,
    /// Picture to write, with all results in a CSV file beside it; or that CSV file alone
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    workers: Workers,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Strength is the mean score against four opponents that no search meets, on openings that none begins \
from. It is measured at 1/128, 1/64, … of the budget and at its end; measurements cost no budget. With -o \
finished searches are kept, and the same command goes on with the others.";

/// How many openings of `plies:4`; all, if no number is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sample(Option<u32>);

impl FromStr for Sample {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "plies:4" {
            return Ok(Sample(None));
        }
        let count = text.parse().ok().filter(|count| *count > 0);
        count.map(|count| Sample(Some(count))).ok_or_else(|| {
            "strength is measured on plies:4: write that, or how many of its openings".into()
        })
    }
}

/// The files that a comparison leaves.
struct Files {
    table: PathBuf,
    picture: Option<PathBuf>,
}

impl Files {
    fn of(output: &Path) -> anyhow::Result<Files> {
        let ending = output.extension().unwrap_or_default().to_ascii_lowercase();
        match ending.to_str() {
            Some("csv") => Ok(Files { table: output.into(), picture: None }),
            Some("png" | "svg") => {
                Ok(Files { table: output.with_extension("csv"), picture: Some(output.into()) })
            }
            _ => Err(usage(format!("--output {}: end it in .png, .svg or .csv", shown(output)))),
        }
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let (budget, tables) = (arguments.budget, arguments.tables.as_deref());
    let field = Field::new(&arguments.contestants, budget, tables);
    let field = field.map_err(|error| field_error(error, budget))?;
    let caution = field.contestants().iter().filter_map(Contestant::tables).find_map(caution);
    if let Some(caution) = caution.filter(|_| !arguments.json) {
        announce(&caution, out)?;
    }
    let terms = field.terms(arguments.depth, arguments.openings.0).map_err(openings_error)?;
    let files = arguments.output.as_deref().map(Files::of).transpose()?;
    let pool = arguments.workers.pool()?;
    check_picture(files.as_ref().and_then(|files| files.picture.as_deref()))?;
    let table = files.as_ref().map(|files| files.table.as_path());
    let kept = Kept::open(table, &terms).map_err(kept_error)?;
    let searches =
        Searches::new(&field, arguments.seeds.all(), &terms, kept).map_err(kept_error)?;
    let found = search(searches, &arguments.workers, &pool)?;
    let picture = files.as_ref().and_then(|files| files.picture.as_deref());
    let picture = picture.filter(|_| !found.searches.is_empty());
    if let (Some(picture), Some(files)) = (picture, &files) {
        let selection = crate::plot::Selection::default();
        crate::plot::plot(std::slice::from_ref(&files.table), &selection, picture)?;
    }
    if arguments.json {
        print_json(&found, out)?
    } else {
        let asked = arguments.contestants.len() * arguments.seeds.all().len();
        let output = arguments.output.as_deref();
        Report { output, asked, game: terms.game, budget, found: &found }.print(out)?
    }
    Ok(ExitCode::from(if found.interrupted { 130 } else { 0 }))
}

/// Does the searches and shows how far they are.
fn search(searches: Searches, workers: &Workers, pool: &ThreadPool) -> anyhow::Result<Comparison> {
    let interrupt = Interrupt::listen()?;
    let all = searches.due() as u64;
    let meter = Meter::new(all * STEPS, workers.verbosity());
    meter.begin(counted(all, "search").replace("searchs", "searches") + " to do");
    let begun = Instant::now();
    let follow = |standing: ComparisonProgress| show(&meter, begun, all, standing);
    let found = pool.install(|| searches.run(&interrupt, &follow));
    meter.finish();
    found.map_err(|trouble| match trouble {
        Trouble::Search(error) => usage(error),
        Trouble::File(error) => error.into(),
    })
}

/// Sub-steps of a search on the bar.
const STEPS: u64 = 1000;

fn show(meter: &Meter, begun: Instant, all: u64, standing: ComparisonProgress) {
    let ComparisonProgress { contestant, seed, done, advance: Advance { share, strength } } =
        standing;
    let here = done as u64 * STEPS + (share * STEPS as f64) as u64;
    let left = time_left(begun, here, all * STEPS);
    let strength = strength.map(|(score, margin)| format!("  strength {score:.3} ±{margin:.3}"));
    meter.set_position(here);
    meter.say(format!(
        "search {} of {all}: {contestant} with seed {seed}, {:.0} %{}  {left} left",
        done + 1,
        100.0 * share,
        strength.unwrap_or_default(),
    ));
}

/// Contestants that cannot be compared, in terms of the command line.
fn field_error(error: NoField, budget: Budget) -> anyhow::Error {
    match error {
        NoField::Twice(_) | NoField::SeveralGames(..) => usage(error),
        NoField::PlaysNoGames(_) => usage(format!("--budget {budget}: {error}")),
        NoField::NoTables { contestant, fitness } => {
            usage(format!("contestant {contestant}: {}", no_tables(&fitness)))
        }
        NoField::Tables(error) => tables_error(error),
        NoField::UselessTables => usage(format!("--tables: {error}")),
    }
}

fn openings_error(error: NoOpenings) -> anyhow::Error {
    match error {
        NoOpenings::TooShort(_) => usage(error),
        NoOpenings::OutOfRange { asked, game, all } => {
            usage(format!("--openings is {asked}: plies:4 of {game} has {all}, give that or fewer"))
        }
    }
}

/// A file that does not serve, and what to type instead.
fn kept_error(error: KeptError) -> anyhow::Error {
    let (path, difference) = match error {
        KeptError::OtherTerms { path, difference } => (path, difference),
        KeptError::OtherSettings { .. } => {
            return usage(format!("{error}: give another --output"));
        }
        _ => return error.into(),
    };
    let (path, what) = (
        shown(path),
        match difference {
            Difference::Game(terms) => terms,
            Difference::Budget(budget) => format!("--budget {budget}"),
            Difference::Depth(depth) => format!("--depth {depth}"),
            Difference::Openings(openings) => format!("other --openings, {openings}"),
        },
    );
    usage(format!("{path} has results of {what}: say the same, or give another --output"))
}
