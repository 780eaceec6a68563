//! `ayo accuracy`: the accuracy of players in positions with few seeds, measured by endgame tables.

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

use super::bestmove::player_error;
use crate::solve::endgame::{caution, folder, open};
use crate::terminal::error::usage;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::meter::{counted, grouped};
use crate::terminal::output::{check_picture, print_json};
use crate::terminal::progress::ShownProgress;
use crate::terminal::shown;
use crate::terminal::workers::Workers;

/// Intervals of fewer positions would be too wide to be of use.
const MIN_POSITIONS: usize = 10;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Players
    #[arg(value_name = "SPEC", required = true)]
    players: Vec<String>,
    /// Folder of the tables that "ayo endgame build" made [default: where it puts them]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Rules of tables and players [default: those of the only tables there]
    #[arg(long, value_name = "NAME")]
    rules: Option<Rules>,
    /// Seeds on the board [default: from 1 to the most in the tables]
    #[arg(long, value_name = "LO..HI", value_parser = seeds)]
    seeds: Option<RangeInclusive<u8>>,
    /// Positions, the same for all players
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(MIN_POSITIONS as i64..=10_000_000))]
    sample: u32,
    /// Seed of the games from which the positions are taken
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Picture to write; its extension, .png or .svg, selects the format
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    workers: Workers,
    /// Print JSON, which "ayo plot" draws
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Positions come from games between players that range from random to depth 4: one position per game, with \
two legal moves or more. A move is optimal if no other is worth more; otherwise it loses the difference, \
in seeds. Intervals are of 95 %, with games as units.";

/// The accuracy of players in a sample of positions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "accuracy")]
pub struct AccuracyTest {
    /// The rules of tables and players.
    pub rules: String,
    /// Whether the values of the tables are proven.
    pub proven: bool,
    /// The checksum of the tables.
    #[serde(default)]
    pub tables: String,
    /// The fewest and the most seeds on the board.
    #[serde(default)]
    pub seeds: [u8; 2],
    /// Number of positions.
    pub sample: u64,
    /// The seed of the games from which the positions were taken.
    #[serde(default)]
    pub seed: u64,
    /// Whether the figures can be reproduced on any machine.
    #[serde(default)]
    pub reproducible: bool,
    /// The players in the order of the arguments.
    pub players: Vec<PlayerAccuracy>,
}

/// The accuracy of one player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayerAccuracy {
    /// In all positions.
    #[serde(flatten)]
    pub whole: Accuracy,
    /// Its specification.
    pub player: String,
    /// By seeds on the board, where there are enough positions.
    pub by_seeds: Vec<AccuracyAt>,
}

/// The accuracy of a player with a number of seeds on the board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AccuracyAt {
    /// In these positions.
    #[serde(flatten)]
    pub figures: Accuracy,
    /// Seeds on the board.
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
        return Err(usage(format!("--tables {folder}: there are no tables of a seed or more")));
    }
    tables.check_all().context("--tables")?;
    let game = Ayo { rules: tables.rules() };
    let pools = arguments.players.iter().map(|it| PlayerPool::new(it, game).map_err(player_error));
    let players = pools.collect::<Result<Vec<_>, _>>()?;
    let sampling = Sampling {
        seeds: arguments.seeds.clone().unwrap_or(1..=most),
        positions: arguments.sample as usize,
        seed: arguments.seed,
    };
    if *sampling.seeds.end() > most {
        let asked = sampling.seeds.end();
        return Err(usage(format!("--seeds: the tables go up to {most} seeds, not {asked}")));
    }
    let pool = arguments.workers.pool()?;
    check_picture(arguments.output.as_deref())?;
    let interrupt = Interrupt::listen()?;
    let test = pool.install(|| test(arguments, &tables, &players, sampling, &interrupt))?;
    let Some(test) = test else {
        writeln!(out, "interrupted: there is no result before all positions are examined")?;
        return Ok(ExitCode::from(130));
    };
    if let Some(output) = &arguments.output {
        crate::plot::contest::write(picture::AccuracyPicture::new(&test), "accuracy", output)?;
    }
    if arguments.json {
        print_json(&test, out)?
    } else {
        print(&test, caution(&tables), out)?;
        if let Some(output) = &arguments.output {
            writeln!(out, "\nwrote {}", shown(output))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Draws positions and lets all players move in them. `None` if it is interrupted.
fn test(
    arguments: &Arguments,
    tables: &Tables,
    players: &[PlayerPool],
    sampling: Sampling,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<AccuracyTest>> {
    let wanted = sampling.positions;
    let progress = |title: String| {
        let verbosity = arguments.workers.verbosity();
        ShownProgress::new(wanted as u64, verbosity, interrupt, move |done, of, left| {
            format!("{title}: {} of {}, {left} left", grouped(done), grouped(of))
        })
    };
    let drawing = progress("positions found".into());
    let sample = Sample::draw(tables, &sampling, &drawing);
    drawing.finish();
    let Some(sample) = sample else { return Ok(None) };
    let found = sample.positions().count();
    if found < wanted {
        let available = counted(found as u64, "such position");
        let advice = if found < MIN_POSITIONS { "more seeds by --seeds" } else { "fewer" };
        return Err(usage(format!(
            "--sample is {wanted}: games lead to {available}, ask for {advice}"
        )));
    }
    let mut tested = Vec::new();
    for player in players {
        let progress = progress(player.spec().into());
        let lost = sample.losses(player, &progress);
        progress.finish();
        let Some(lost) = lost.with_context(|| player.spec().to_owned())? else { return Ok(None) };
        let at = |seeds: u8| {
            let figures = sample.accuracy(&lost, &(seeds..=seeds));
            let figures = figures.filter(|figures| figures.positions >= MIN_POSITIONS)?;
            Some(AccuracyAt { figures, seeds })
        };
        tested.push(PlayerAccuracy {
            whole: sample.accuracy(&lost, &sampling.seeds).expect("at least one position"),
            player: player.spec().to_owned(),
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
        reproducible: players.iter().all(PlayerPool::is_reproducible),
        players: tested,
    }))
}

fn print(test: &AccuracyTest, caution: Option<String>, out: &mut dyn Write) -> anyhow::Result<()> {
    let AccuracyTest { rules, seeds: [low, high], sample, seed, players, .. } = test;
    let positions = counted(*sample, "position");
    writeln!(
        out,
        "{positions} of as many games, {low} to {high} seeds, seed {seed}, rules {rules}"
    )?;
    let decisions = grouped(players.first().map_or(0, |player| player.whole.decisions as u64));
    writeln!(out, "in {decisions} of them not all moves are worth the same")?;
    if let Some(caution) = caution {
        writeln!(out, "{caution}")?;
    }
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
        writeln!(out, "  result of the game made worse {results} (95%: {low} to {high})")?;
    }
    if !test.reproducible {
        writeln!(out, "A player is limited by time: these figures cannot be reproduced.")?;
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
