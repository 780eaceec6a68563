//! `ayo accuracy`: uses endgame tables to measure how accurately players choose moves in positions with few seeds.

pub(crate) mod picture;

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use arena::{Accuracy, PlayerPool, Sample, Sampling};
use clap::Args;
use mancala::endgame::Tables;
use mancala::game::ayo::{Ayo, Rules};
use serde::{Deserialize, Serialize};

use super::bestmove::spec_error;
use crate::plot::contest::write;
use crate::solve::endgame::{folder, open, print_caution};
use crate::terminal::{
    Interrupt, ShownProgress, Workers, check_picture, counted, grouped, print_json, shown, usage,
};

/// The minimum number of positions in a sample. Smaller samples have confidence intervals too wide to be useful.
const MIN_POSITIONS: usize = 10;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Players to measure
    #[arg(value_name = "SPEC", required = true)]
    players: Vec<String>,
    /// Folder of the tables [default: the folder that "ayo endgame build" writes to]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Rules of the tables and the players [default: the rules of the tables, if they are all the same]
    #[arg(long, value_name = "NAME")]
    rules: Option<Rules>,
    /// Range of the number of seeds on the board [default: from 1 to the largest number in the tables]
    #[arg(long, value_name = "LO..HI", value_parser = seeds)]
    seeds: Option<RangeInclusive<u8>>,
    /// Number of positions; all players choose moves in the same positions
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(MIN_POSITIONS as i64..=10_000_000))]
    sample: u32,
    /// Seed of the games from which the positions are taken
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Picture to write; the extension, .png or .svg, selects the format
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    workers: Workers,
    /// Print JSON, which "ayo plot" can draw
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Positions are taken from games between players of different strengths, from random to depth 4: one position per game, \
with at least two legal moves. A move is optimal if no other move has a higher value; otherwise it loses the \
difference, in seeds. Intervals are 95 % intervals over games.";

/// The accuracy of several players, measured on the same sample of positions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "accuracy")]
pub struct AccuracyTest {
    pub rules: String,
    pub proven: bool,
    #[serde(default)]
    pub tables: String,
    /// The minimum and the maximum number of seeds on the board.
    #[serde(default)]
    pub seeds: [u8; 2],
    pub sample: u64,
    /// The random seed of the games from which the positions are taken.
    #[serde(default)]
    pub seed: u64,
    /// Whether the results can be reproduced on any machine.
    #[serde(default)]
    pub reproducible: bool,
    pub players: Vec<PlayerAccuracy>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayerAccuracy {
    #[serde(flatten)]
    pub whole: Accuracy,
    pub player: String,
    /// The accuracy by number of seeds on the board. Numbers with fewer than `MIN_POSITIONS` positions are omitted.
    pub by_seeds: Vec<AccuracyAt>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AccuracyAt {
    #[serde(flatten)]
    pub figures: Accuracy,
    pub seeds: u8,
}

fn seeds(text: &str) -> Result<RangeInclusive<u8>, &'static str> {
    let range = text.split_once("..").and_then(|(low, high)| {
        let (low, high) = (low.parse().ok()?, high.parse().ok()?);
        (1 <= low && low <= high).then_some(low..=high)
    });
    range.ok_or("write LO..HI, as in 4..10, with LO from 1 to HI")
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let folder = folder(arguments.tables.as_deref())?;
    let tables = open(&folder, arguments.rules)?;
    let most = tables.max_seeds();
    if most == 0 {
        let folder = shown(&folder);
        return Err(usage(format!("--tables {folder}: no tables with at least one seed")));
    }
    tables.check_all().context("--tables")?;
    let game = Ayo { rules: tables.rules() };
    let pools = arguments.players.iter().map(|it| PlayerPool::new(it, game).map_err(spec_error));
    let players = pools.collect::<Result<Vec<_>, _>>()?;
    let sampling = Sampling {
        seeds: arguments.seeds.clone().unwrap_or(1..=most),
        positions: arguments.sample as usize,
        seed: arguments.seed,
    };
    if *sampling.seeds.end() > most {
        let asked = sampling.seeds.end();
        return Err(usage(format!("--seeds: the tables have at most {most} seeds, not {asked}")));
    }
    let pool = arguments.workers.pool()?;
    check_picture(arguments.output.as_deref())?;
    let interrupt = Interrupt::listen()?;
    let test = pool.install(|| test(arguments, &tables, &players, sampling, &interrupt))?;
    let Some(test) = test else {
        writeln!(out, "interrupted: there is no result until all positions are done")?;
        return Ok(ExitCode::from(130));
    };
    match arguments.json {
        true => print_json(&test, out)?,
        false => print(&test, &tables, out)?,
    }
    let text = (!arguments.json).then_some(out);
    write(|| picture::picture(&test), "accuracy", arguments.output.as_deref(), text)?;
    Ok(ExitCode::SUCCESS)
}

/// Lets every player choose a move in each position of a random sample. Returns `None` if interrupted.
fn test(
    arguments: &Arguments,
    tables: &Tables,
    players: &[PlayerPool],
    sampling: Sampling,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<AccuracyTest>> {
    let wanted = sampling.positions;
    let progress = |title: String| {
        let verbosity = arguments.workers.verbosity;
        ShownProgress::new(wanted as u64, verbosity, interrupt, move |done, of, left| {
            format!("{title}: {} of {}{left}", grouped(done), grouped(of))
        })
    };
    let drawing = progress("positions found".into());
    let sample = Sample::draw(tables, &sampling, &drawing);
    drawing.finish();
    let Some(sample) = sample else { return Ok(None) };
    let found = sample.positions().count();
    if found < wanted {
        let available = counted(found as u64, "such position");
        let advice = if found < MIN_POSITIONS { "more seeds with --seeds" } else { "fewer" };
        return Err(usage(format!(
            "--sample is {wanted}, but games reach only {available}: use {advice}"
        )));
    }
    let mut tested = Vec::new();
    for player in players {
        let progress = progress(player.spec.clone());
        let lost = sample.losses(player, &progress);
        progress.finish();
        let Some(lost) = lost.with_context(|| player.spec.clone())? else { return Ok(None) };
        let at = |seeds: u8| {
            let figures = sample.accuracy(&lost, &(seeds..=seeds));
            let figures = figures.filter(|figures| figures.positions >= MIN_POSITIONS)?;
            Some(AccuracyAt { figures, seeds })
        };
        tested.push(PlayerAccuracy {
            whole: sample.accuracy(&lost, &sampling.seeds).expect("at least one position"),
            player: player.spec.clone(),
            by_seeds: sampling.seeds.clone().filter_map(at).collect(),
        });
    }
    Ok(Some(AccuracyTest {
        rules: tables.rules().to_string(),
        proven: tables.are_proven(),
        tables: format!("{:08x}", tables.checksum()),
        seeds: [*sampling.seeds.start(), *sampling.seeds.end()],
        sample: wanted as u64,
        seed: sampling.seed,
        reproducible: players.iter().all(|player| player.is_reproducible),
        players: tested,
    }))
}

fn print(test: &AccuracyTest, tables: &Tables, out: &mut dyn Write) -> anyhow::Result<()> {
    let AccuracyTest { rules, seeds: [low, high], sample, seed, players, .. } = test;
    let positions = counted(*sample, "position");
    writeln!(out, "{positions}, one per game, {low} to {high} seeds, seed {seed}, rules {rules}")?;
    let decisions = grouped(players.first().map_or(0, |player| player.whole.decisions as u64));
    writeln!(out, "in {decisions} of them, the moves differ in value")?;
    print_caution(tables, out)?;
    for PlayerAccuracy { whole, player, by_seeds } in players {
        writeln!(out, "\n{}", shown(player))?;
        writeln!(out, "  seeds positions  optimal  95% interval     seeds lost  95% interval")?;
        print_row(out, "all", whole)?;
        for AccuracyAt { figures, seeds } in by_seeds {
            print_row(out, &seeds.to_string(), figures)?;
        }
        let decided = whole.optimal_decisions.map_or("-".into(), percent);
        let results = percent(whole.results_lost);
        let [low, high] = whole.results_lost_ci95.map(percent);
        writeln!(out, "  optimal where moves differ {decided}")?;
        writeln!(out, "  worsened the game result {results} (95%: {low} to {high})")?;
    }
    if !test.reproducible {
        writeln!(out, "A player has a time limit, so these results cannot be reproduced.")?;
    }
    Ok(())
}

fn print_row(out: &mut dyn Write, name: &str, figures: &Accuracy) -> anyhow::Result<()> {
    let ([low, high], [least, most]) = (figures.optimal_ci95.map(percent), figures.seeds_lost_ci95);
    writeln!(
        out,
        "  {name:>5} {:>9} {:>8}  {low:>6} to {high:<6} {:>11.3}  {least:.3} to {most:.3}",
        grouped(figures.positions as u64),
        percent(figures.optimal),
        figures.seeds_lost,
    )?;
    Ok(())
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}
