use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Instant;

use anyhow::{Context, anyhow};
use clap::Args;
use serde_json::{Value, json};

use super::endgame::caution;
use super::interrupt::Interrupt;
use super::meter::{Meter, Verbosity, counted, time_left};
use super::train::{no_tables, open_tables};
use super::{announce, pool, program, usage};
use crate::evolve::{
    ALL_OPENINGS, Budget, COMPARISON_HEADER, ComparisonStanding, ComparisonTerms, Contestant,
    Control, Mean, NoTrial, PANEL, Point, Row, Spectator, Trial, comparison_rows, compete,
    quoted_for_shell, read_comparison, standings,
};
use crate::game::ayo::Rules;
use crate::report;
use crate::search::{MAX_DEPTH, Monitor};
use crate::store::Log;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Presets of train, or random-search, cma-es or spsa, each with any settings: NAME:key=value,…
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
    /// Openings that strength is measured from: plies:4 for all 1014, or how many of them
    #[arg(long, value_name = "SUITE|N", default_value = "200")]
    openings: Sample,
    /// Picture to write, with all results in a CSV file beside it; or that CSV file alone
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Threads that play games [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
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

/// How many openings of `plies:4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sample(u32);

impl FromStr for Sample {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "plies:4" {
            return Ok(Sample(ALL_OPENINGS));
        }
        let count = text.parse().ok().filter(|count| (1..=ALL_OPENINGS).contains(count));
        count.map(Sample).ok_or_else(|| {
            format!(
                "strength is measured on plies:4: write that, or a number from 1 to {ALL_OPENINGS}"
            )
        })
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    for (index, contestant) in arguments.contestants.iter().enumerate() {
        if arguments.contestants[..index].iter().any(|it| it.name() == contestant.name()) {
            return Err(usage(format!("contestant {contestant} is named twice")));
        }
    }
    let rules: Vec<Rules> = arguments.contestants.iter().map(Contestant::rules).collect();
    if let Some(other) = rules.iter().find(|other| **other != rules[0]) {
        let _ = writeln!(
            std::io::stderr(),
            "ayo: contestants play by different rules, {} and {other}: their strengths are of different games",
            rules[0]
        );
    }
    let contestants = taught(arguments)?;
    let caution = contestants.iter().filter_map(Contestant::tables).find_map(caution);
    if let Some(caution) = caution.filter(|_| !arguments.json) {
        announce(&caution, out)?;
    }
    let Sample(openings) = arguments.openings;
    let terms = ComparisonTerms { budget: arguments.budget, depth: arguments.depth, openings };
    let files = arguments.output.as_deref().map(Files::of).transpose()?;
    let mut kept = Kept::open(files.as_ref().map(|files| files.table.as_path()))?;
    let interrupt = Interrupt::listen()?;
    let pool = pool(arguments.threads)?;
    let mut trials = Trials::new(arguments, &contestants, &terms, &mut kept)?;
    let finished = pool.install(|| trials.run(&interrupt))?;
    let found = trials.found;
    let picture = files.as_ref().and_then(|files| files.picture.as_deref());
    if let (Some(picture), Some(files)) = (picture.filter(|_| !found.is_empty()), &files) {
        report::plot(std::slice::from_ref(&files.table), None, picture)?;
    }
    let report = Report { arguments, terms: &terms, trials: &found, finished };
    if arguments.json {
        writeln!(out, "{:#}", report.json())?
    } else {
        report.print(out)?
    }
    Ok(ExitCode::from(if finished { 0 } else { 130 }))
}

/// The contestants, those that learn from tables with the tables.
fn taught(arguments: &Arguments) -> anyhow::Result<Vec<Contestant>> {
    let pupil = |contestant: &Contestant| {
        let Some(fitness) = contestant.teacher() else {
            return Ok(contestant.clone());
        };
        if let Budget::Games(_) = arguments.budget {
            return Err(usage(format!(
                "--budget {}: {contestant} learns from positions, which are no games; give nodes=N or time=T",
                arguments.budget
            )));
        }
        let folder = arguments.tables.as_deref();
        let folder = folder
            .ok_or_else(|| usage(format!("contestant {contestant}: {}", no_tables(fitness))))?;
        Ok(contestant.clone().taught_by(open_tables(folder, contestant.rules())?))
    };
    let contestants: Vec<Contestant> =
        arguments.contestants.iter().map(pupil).collect::<anyhow::Result<_>>()?;
    if arguments.tables.is_some() && contestants.iter().all(|it| it.teacher().is_none()) {
        return Err(usage("--tables: no contestant has fitness=tables or fitness=mix"));
    }
    Ok(contestants)
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
            _ => Err(usage(format!("--output {}: end it in .png, .svg or .csv", output.display()))),
        }
    }
}

/// The finished trials of a file, and the file itself if there is one.
struct Kept {
    path: PathBuf,
    log: Option<Log>,
    trials: Vec<(Row, Trial)>,
}

impl Kept {
    fn open(table: Option<&Path>) -> anyhow::Result<Kept> {
        let Some(path) = table else {
            return Ok(Kept { path: PathBuf::new(), log: None, trials: Vec::new() });
        };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            let cannot = || format!("cannot create {}", folder.display());
            std::fs::create_dir_all(folder).with_context(cannot)?;
        }
        let mut log = Log::open(path)?
            .ok_or_else(|| anyhow!("{}: another process writes to it", path.display()))?;
        let text = log.text()?;
        let mut trials = Vec::new();
        if COMPARISON_HEADER.starts_with(&text) {
            log.cut(0)?;
            log.append(COMPARISON_HEADER)?;
        } else {
            let (read, good) = read_comparison(&text)
                .ok_or_else(|| anyhow!("{} holds no comparison", path.display()))?;
            log.cut(good as u64)?;
            trials = read;
        }
        Ok(Kept { path: path.into(), log: Some(log), trials })
    }

    /// The trial of a contestant with a seed, if it is there.
    fn find(
        &self,
        contestant: &Contestant,
        seed: u64,
        terms: &ComparisonTerms,
    ) -> anyhow::Result<Option<Trial>> {
        let of_this = |trial: &Trial| trial.contestant == contestant.name() && trial.seed == seed;
        let Some((row, trial)) = self.trials.iter().find(|(_, trial)| of_this(trial)) else {
            return Ok(None);
        };
        if trial.settings != contestant.settings(seed) {
            return Err(usage(format!(
                "{} has {contestant} with other settings than it has now: give another --output",
                self.path.display()
            )));
        }
        self.check(row, trial, terms)?;
        Ok(Some(trial.clone()))
    }

    /// Whether results of a file can stand beside new ones.
    fn check(&self, row: &Row, trial: &Trial, terms: &ComparisonTerms) -> anyhow::Result<()> {
        let (budget, openings) = (terms.budget.to_string(), u64::from(terms.openings));
        let games = |point: &Point| point.strength.first().map_or(0, |it| it.games);
        let other_openings = trial.points.iter().any(|point| games(point) != 2 * openings);
        let what = match () {
            () if row.budget != budget => format!("--budget {}", row.budget),
            () if row.depth != terms.depth => format!("--depth {}", row.depth),
            () if other_openings => format!("other --openings, {}", row.openings),
            () => return Ok(()),
        };
        let path = self.path.display();
        Err(usage(format!("{path} has results of {what}: say the same, or give another --output")))
    }

    fn add(&mut self, trial: &Trial, terms: &ComparisonTerms) -> anyhow::Result<()> {
        if let Some(log) = &mut self.log {
            log.append(&comparison_rows(trial, terms))?;
        }
        Ok(())
    }
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
        for (row, trial) in &kept.trials {
            kept.check(row, trial, terms)?;
        }
        let (mut found, mut due) = (Vec::new(), Vec::new());
        // Seed by seed, so that an interrupted comparison has something of everybody.
        for &seed in &arguments.seeds.0 {
            for contestant in contestants {
                match kept.find(contestant, seed, terms)? {
                    Some(trial) => found.push(trial),
                    None => due.push((contestant, seed)),
                }
            }
        }
        Ok(Trials { arguments, terms, kept, found, due })
    }

    /// Whether all were finished.
    fn run(&mut self, interrupt: &Interrupt) -> anyhow::Result<bool> {
        let quiet = self.arguments.quiet;
        let verbosity = if quiet { Verbosity::Quiet } else { Verbosity::Shown };
        let due = std::mem::take(&mut self.due);
        let meter = Meter::new(due.len() as u64 * STEPS, verbosity);
        meter.begin(counted(due.len() as u64, "search").replace("searchs", "searches") + " to do");
        let begun = Instant::now();
        let mut finished = true;
        for (done, (contestant, seed)) in due.iter().enumerate() {
            let (meter, all) = (&meter, due.len());
            let watch = Watch { interrupt, meter, contestant, seed: *seed, done, all, begun };
            match compete(contestant, *seed, self.terms, &watch) {
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
    interrupt: &'a Interrupt,
    meter: &'a Meter,
    contestant: &'a Contestant,
    seed: u64,
    done: usize,
    all: usize,
    begun: Instant,
}

impl Monitor for Watch<'_> {
    fn should_stop(&self) -> bool {
        self.interrupt.should_stop()
    }
}

impl Control for Watch<'_> {}

impl Spectator for Watch<'_> {
    fn watch(&self, share: f64, strength: Option<(f64, f64)>) {
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

/// What a comparison came to.
struct Report<'a> {
    arguments: &'a Arguments,
    terms: &'a ComparisonTerms,
    trials: &'a [Trial],
    finished: bool,
}

impl Report<'_> {
    fn openings(&self) -> String {
        match self.terms.openings {
            ALL_OPENINGS => "plies:4".into(),
            count => format!("{count} of plies:4"),
        }
    }

    fn json(&self) -> Value {
        let mean = |it: &Mean| json!({ "score": it.mean, "margin95": it.margin });
        let standing = |it: &ComparisonStanding| {
            let opponents = PANEL.iter().zip(&it.opponents);
            let opponents = opponents.map(|(name, it)| ((*name).to_owned(), mean(it)));
            json!({
                "contestant": it.contestant,
                "seeds": it.seeds,
                "panel": mean(&it.panel),
                "opponents": opponents.collect::<serde_json::Map<_, _>>(),
            })
        };
        json!({
            "kind": "comparison",
            "budget": self.terms.budget.to_string(),
            "depth": self.terms.depth,
            "openings": self.openings(),
            "reproducible": self.terms.budget.is_reproducible(),
            "contestants": standings(self.trials).iter().map(standing).collect::<Vec<_>>(),
            "searches": self.trials.iter().map(trial_json).collect::<Vec<_>>(),
            "interrupted": !self.finished,
        })
    }

    fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (budget, depth, openings) = (self.terms.budget, self.terms.depth, self.openings());
        writeln!(out, "{budget} for each search; strength at depth {depth} on {openings}\n")?;
        self.print_table(out)?;
        if !budget.is_reproducible() {
            let why = match budget {
                Budget::Time(_) => "Searches are limited by time",
                _ => "How many nodes a preset of train spends depends a little on the threads",
            };
            writeln!(out, "\n{why}: these results cannot be reproduced exactly.")?;
        }
        if let Some(output) = self.arguments.output.as_ref().filter(|_| !self.trials.is_empty()) {
            writeln!(out, "\nwrote {}", output.display())?;
        }
        if !self.finished {
            let all = self.arguments.contestants.len() * self.arguments.seeds.0.len();
            let (done, again) = (self.trials.len(), again());
            match self.arguments.output {
                Some(_) => {
                    writeln!(out, "interrupted after {done} of {all} searches; go on with")?;
                    writeln!(out, "  {again}")?;
                }
                None => writeln!(
                    out,
                    "interrupted after {done} of {all} searches; with -o FILE they would be kept"
                )?,
            }
        }
        Ok(())
    }

    fn print_table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let standings = standings(self.trials);
        let widest = standings.iter().map(|it| it.contestant.chars().count()).max().unwrap_or(0);
        let width = widest.max("contestant".len());
        let columns = (1..=PANEL.len()).map(|number| format!("{:>16}", format!("({number})")));
        let columns: String = columns.collect();
        writeln!(out, "{:<width$} seeds {:>16}{columns}", "contestant", "panel")?;
        for it in &standings {
            let cells: String = it.opponents.iter().map(cell).collect();
            let (name, seeds, panel) = (&it.contestant, it.seeds.len(), cell(&it.panel));
            writeln!(out, "{name:<width$} {seeds:>5} {panel}{cells}")?;
        }
        writeln!(out, "\npanel: mean score against all four; ± 95 % interval over the seeds")?;
        for (number, opponent) in (1..).zip(PANEL) {
            writeln!(out, "({number}) {opponent}")?;
        }
        Ok(())
    }
}

fn cell(mean: &Mean) -> String {
    let margin = mean.margin.map_or_else(|| " ".repeat(7), |margin| format!(" ±{margin:.3}"));
    format!("{:>16}", format!("{:.3}{margin}", mean.mean))
}

fn trial_json(trial: &Trial) -> Value {
    let point = |point: &Point| {
        let (score, margin) = point.mean();
        json!({
            "games": point.spent.games,
            "nodes": point.spent.nodes,
            "seconds": point.time.as_secs_f64(),
            "panel": score,
            "panel_margin95": margin,
            "strength": point.strength,
            "weights": weights_json(&point.weights),
        })
    };
    json!({
        "contestant": trial.contestant,
        "seed": trial.seed,
        "settings": trial.settings,
        "points": trial.points.iter().map(point).collect::<Vec<_>>(),
    })
}

/// The weights by feature.
fn weights_json(shown: &str) -> Value {
    let term = |term: &str| {
        let (name, weight) = term.split_once('=')?;
        Some((name.to_owned(), Value::from(weight.parse::<i64>().ok()?)))
    };
    Value::Object(shown.split(' ').filter_map(term).collect())
}

/// The command that was typed.
fn again() -> String {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| quoted_for_shell(&word.to_string_lossy()));
    [program()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}
