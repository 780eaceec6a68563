mod kept;
mod report;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Instant;

use clap::Args;

use self::kept::{Files, Kept};
use self::report::Report;

use super::endgame::caution;
use super::interrupt::Interrupt;
use super::meter::{Meter, counted, time_left};
use super::train::{no_tables, tables_error};
use super::workers::Workers;
use super::{announce, print_json, usage};
use crate::app::tables;
use crate::results::{Comparison, Completion};
use crate::run::{
    Advance, Budget, ComparisonTerms, Contestant, MeasuredOpenings, NoTrial, Trial, compete, played,
};
use mancala::game::AnyGame;
use mancala::search::MAX_DEPTH;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Presets of train, each with any settings: NAME:key=value,…;
    /// for kalah kalah-standard, kalah-extended or, of the others, spsa:game=kalah
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
from. It is measured at 1/128, 1/64, … of the budget and at its end, which costs no budget. With -o a \
search that is finished is kept, and the same command goes on with the others.";

/// Different seeds in the order given. Text forms: `1..5`, `3`, `1,4,9`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seeds(Vec<u64>);

/// No more seeds than this.
const MOST_SEEDS: u64 = 1000;

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || "write 1..5 for one to five, or 3, or 1,4,9".to_owned();
        let number = |text: &str| text.parse::<u64>().map_err(|_| refused());
        let mut seeds = match text.split_once("..") {
            None => text.split(',').map(number).collect::<Result<Vec<_>, _>>()?,
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last)?);
                let count = last.checked_sub(first).ok_or_else(refused)?;
                if count >= MOST_SEEDS {
                    return Err(format!("more than {MOST_SEEDS} seeds"));
                }
                (first..=last).collect()
            }
        };
        let all = seeds.len();
        seeds.sort_unstable();
        seeds.dedup();
        if seeds.len() < all { Err("a seed is there twice".into()) } else { Ok(Seeds(seeds)) }
    }
}

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

impl Sample {
    /// So many of a game's.
    fn of(self, game: AnyGame) -> anyhow::Result<u32> {
        let all = MeasuredOpenings::of(game).all();
        match self.0.unwrap_or(all) {
            count if (1..=all).contains(&count) => Ok(count),
            _ if all == 0 => Err(usage(format!("every game of {game} is over within four plies"))),
            count => Err(usage(format!(
                "--openings is {count}: plies:4 of {game} has {all}, give that or fewer"
            ))),
        }
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    for (index, contestant) in arguments.contestants.iter().enumerate() {
        if arguments.contestants[..index].iter().any(|it| it.name() == contestant.name()) {
            return Err(usage(format!("contestant {contestant} is named twice")));
        }
    }
    let game = one_game(&arguments.contestants)?;
    let contestants = taught(arguments)?;
    let caution = contestants.iter().filter_map(Contestant::tables).find_map(caution);
    if let Some(caution) = caution.filter(|_| !arguments.json) {
        announce(&caution, out)?;
    }
    let openings = arguments.openings.of(game)?;
    let terms =
        ComparisonTerms { game, budget: arguments.budget, depth: arguments.depth, openings };
    let files = arguments.output.as_deref().map(Files::of).transpose()?;
    let mut kept = Kept::open(files.as_ref().map(|files| files.table.as_path()))?;
    let interrupt = Interrupt::listen()?;
    let pool = arguments.workers.pool()?;
    kept.check(&terms)?;
    let mut trials = Trials::new(arguments, &contestants, &terms, &mut kept)?;
    let finished = pool.install(|| trials.run(&interrupt))?;
    let found = trials.found;
    let picture = files.as_ref().and_then(|files| files.picture.as_deref());
    if let (Some(picture), Some(files)) = (picture.filter(|_| !found.is_empty()), &files) {
        crate::report::plot(std::slice::from_ref(&files.table), None, picture)?;
    }
    let completion = if finished { Completion::Finished } else { Completion::Interrupted };
    let found = Comparison::of(&terms, &found, completion);
    if arguments.json {
        print_json(&found, out)?
    } else {
        Report { arguments, game, budget: arguments.budget, found: &found }.print(out)?
    }
    Ok(ExitCode::from(if finished { 0 } else { 130 }))
}

/// What all contestants play: strengths in different games, or by different rules, say nothing of each
/// other.
fn one_game(contestants: &[Contestant]) -> anyhow::Result<AnyGame> {
    let game = contestants[0].game();
    match contestants.iter().map(Contestant::game).find(|other| *other != game) {
        None => Ok(game),
        Some(other) => Err(usage(format!(
            "contestants differ in what they play, {} and {}: compare those of one game",
            played(game),
            played(other)
        ))),
    }
}

/// The contestants, those that learn from tables with the tables.
fn taught(arguments: &Arguments) -> anyhow::Result<Vec<Contestant>> {
    let pupil = |contestant: &Contestant| {
        let Some((it, rules)) = contestant.teacher() else {
            return Ok(contestant.clone());
        };
        if let Budget::Games(_) = arguments.budget {
            return Err(usage(format!(
                "--budget {}: {contestant} learns from positions, which are no games; give nodes=N or time=T",
                arguments.budget
            )));
        }
        let folder = arguments.tables.as_deref();
        let folder = folder.ok_or_else(|| {
            usage(format!("contestant {contestant}: {}", no_tables(&it.fitness.to_string())))
        })?;
        Ok(contestant.clone().taught_by(tables::open(folder, rules).map_err(tables_error)?))
    };
    let contestants: Vec<Contestant> =
        arguments.contestants.iter().map(pupil).collect::<anyhow::Result<_>>()?;
    if arguments.tables.is_some() && contestants.iter().all(|it| it.teacher().is_none()) {
        return Err(usage("--tables: no contestant has fitness=tables or fitness=mix"));
    }
    Ok(contestants)
}

/// The trials of a comparison: those found, and those to come.
struct Trials<'a> {
    arguments: &'a Arguments,
    terms: &'a ComparisonTerms,
    kept: &'a mut Kept,
    found: Vec<Trial>,
    due: Vec<(&'a Contestant, u64)>,
}

impl<'a> Trials<'a> {
    fn new(
        arguments: &'a Arguments,
        contestants: &'a [Contestant],
        terms: &'a ComparisonTerms,
        kept: &'a mut Kept,
    ) -> anyhow::Result<Self> {
        let (mut found, mut due) = (Vec::new(), Vec::new());
        // Seed by seed, so that an interrupted comparison has something of everybody.
        for &seed in &arguments.seeds.0 {
            for contestant in contestants {
                match kept.find(contestant, seed)? {
                    Some(trial) => found.push(trial),
                    None => due.push((contestant, seed)),
                }
            }
        }
        Ok(Trials { arguments, terms, kept, found, due })
    }

    /// Whether all were finished.
    fn run(&mut self, interrupt: &Interrupt) -> anyhow::Result<bool> {
        let due = std::mem::take(&mut self.due);
        let meter = Meter::new(due.len() as u64 * STEPS, self.arguments.workers.verbosity());
        meter.begin(counted(due.len() as u64, "search").replace("searchs", "searches") + " to do");
        let begun = Instant::now();
        let mut finished = true;
        for (done, (contestant, seed)) in due.iter().enumerate() {
            let (meter, all) = (&meter, due.len());
            let watch = Watch { meter, contestant, seed: *seed, done, all, begun };
            match compete(contestant, *seed, self.terms, interrupt, &|it| watch.show(it)) {
                Ok(trial) => {
                    self.kept.add(&trial, self.terms)?;
                    self.found.push(trial);
                }
                Err(NoTrial::Stopped) => {
                    finished = false;
                    break;
                }
                Err(error) => {
                    meter.finish();
                    return Err(usage(error));
                }
            }
        }
        meter.finish();
        Ok(finished)
    }
}

/// Sub-steps of a search on the bar.
const STEPS: u64 = 1000;

/// Shows how far the comparison is.
struct Watch<'a> {
    meter: &'a Meter,
    contestant: &'a Contestant,
    seed: u64,
    done: usize,
    all: usize,
    begun: Instant,
}

impl Watch<'_> {
    fn show(&self, Advance { share, strength }: Advance) {
        let here = self.done as u64 * STEPS + (share * STEPS as f64) as u64;
        let left = time_left(self.begun, here, self.all as u64 * STEPS);
        let strength =
            strength.map(|(score, margin)| format!("  strength {score:.3} ±{margin:.3}"));
        self.meter.set_position(here);
        self.meter.say(format!(
            "search {} of {}: {} with seed {}, {:.0} %{}  {left} left",
            self.done + 1,
            self.all,
            self.contestant,
            self.seed,
            100.0 * share,
            strength.unwrap_or_default(),
        ));
    }
}
