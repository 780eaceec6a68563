use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Instant;

use anyhow::Context;
use clap::Args;

use super::endgame::{caution, open};
use super::interrupt::Interrupt;
use super::meter::{Meter, Verbosity, counted, grouped, time_left};
use super::moves::player_error;
use super::workers::Workers;
use super::{check_picture, print_json, usage};
use crate::arena::{Accuracy, Sample, Sampling, Team};
use crate::report;
use crate::results::{AccuracyAt, AccuracyTest, PlayerAccuracy};
use mancala::endgame::Tables;
use mancala::game::ayo::{Ayo, Rules};
use mancala::progress::Progress;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Players
    #[arg(value_name = "SPEC", required = true)]
    players: Vec<String>,
    /// Folder of the tables that "ayo endgame build" made
    #[arg(long, value_name = "DIR")]
    tables: PathBuf,
    /// Rules of tables and players [default: those of the only tables there]
    #[arg(long, value_name = "NAME")]
    rules: Option<Rules>,
    /// Seeds on the board [default: from 1 to the most in the tables]
    #[arg(long, value_name = "LO..HI")]
    seeds: Option<Seeds>,
    /// Positions to ask about, the same for all players
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(FEWEST as i64..=10_000_000))]
    sample: u32,
    /// Seed of the games that they come from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Picture to write; its ending, .png or .svg, is its format
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    workers: Workers,
    /// Print JSON, which "ayo plot" draws
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Positions come from games between players from chance to depth 4, one a game, with two legal moves or \
more. A move is optimal if none is worth more; what it gives away is the difference in seeds. Intervals \
hold 95 %, with games as units.";

/// Of fewer positions no interval would be worth anything.
const FEWEST: usize = 10;

/// How many seeds, from the least to the most.
#[derive(Debug, Clone)]
struct Seeds(RangeInclusive<u8>);

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Seeds, String> {
        let ends = text.split_once("..").and_then(|(low, high)| {
            let [low, high] = [low, high].map(|end| end.parse::<u8>().ok());
            Some((low?, high?))
        });
        match ends {
            Some((low, high)) if low >= 1 && low <= high => Ok(Seeds(low..=high)),
            _ => Err("write LO..HI, as in 4..10, with LO from 1 to HI".into()),
        }
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    check_picture(arguments.output.as_deref())?;
    let tables = open(&arguments.tables, arguments.rules)?;
    if tables.most_seeds() == 0 {
        let folder = arguments.tables.display();
        return Err(usage(format!("--tables {folder}: there are no tables of a seed or more")));
    }
    tables.check_all().context("--tables")?;
    let game = Ayo { rules: tables.rules() };
    let teams = arguments.players.iter().map(|spec| Team::new(spec, game).map_err(player_error));
    let teams = teams.collect::<anyhow::Result<Vec<_>>>()?;
    let pool = arguments.workers.pool()?;
    let interrupt = Interrupt::listen()?;
    let Some(found) = pool.install(|| find(arguments, &tables, &teams, &interrupt))? else {
        writeln!(out, "interrupted: nothing is known before all positions are looked at")?;
        return Ok(ExitCode::from(130));
    };
    if let Some(output) = &arguments.output {
        report::plot_accuracy(&found, output)?;
    }
    if arguments.json {
        print_json(&found, out)?
    } else {
        print(&found, caution(&tables), out)?;
        if let Some(output) = &arguments.output {
            writeln!(out, "\nwrote {}", output.display())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// `None` if it was interrupted.
fn find(
    arguments: &Arguments,
    tables: &Tables,
    teams: &[Team],
    interrupt: &Interrupt,
) -> anyhow::Result<Option<AccuracyTest>> {
    let most = tables.most_seeds();
    let sampling = Sampling {
        seeds: arguments.seeds.as_ref().map_or(1..=most, |seeds| seeds.0.clone()),
        positions: arguments.sample as usize,
        seed: arguments.seed,
    };
    let asked = *sampling.seeds.end();
    if asked > most {
        return Err(usage(format!("--seeds: the tables go up to {most} seeds, not {asked}")));
    }
    let verbosity = arguments.workers.verbosity();
    let progress = Shown::new("positions found", sampling.positions, interrupt, verbosity);
    let sample = Sample::draw(tables, &sampling, &progress);
    progress.meter.finish();
    let Some(sample) = sample else {
        return Ok(None);
    };
    check_size(&sample, &sampling)?;
    let mut players = Vec::new();
    for team in teams {
        let Some(lost) = ask(&sample, team, interrupt, verbosity)? else {
            return Ok(None);
        };
        let at = |seeds: u8| {
            let figures = sample.accuracy(&lost, &(seeds..=seeds));
            Some(AccuracyAt { figures: figures.filter(|it| it.positions >= FEWEST)?, seeds })
        };
        players.push(PlayerAccuracy {
            whole: sample.accuracy(&lost, &sampling.seeds).expect("at least one position"),
            player: team.spec().to_owned(),
            by_seeds: sampling.seeds.clone().filter_map(at).collect(),
        });
    }
    Ok(Some(AccuracyTest {
        rules: tables.rules().to_string(),
        proven: tables.proven(),
        tables: format!("{:08x}", tables.checksum()),
        seeds: [*sampling.seeds.start(), asked],
        sample: sampling.positions as u64,
        seed: sampling.seed,
        reproducible: teams.iter().all(Team::reproducible),
        players,
    }))
}

/// Whether games lead to as many positions as were asked for.
fn check_size(sample: &Sample, sampling: &Sampling) -> anyhow::Result<()> {
    let (found, asked) = (sample.positions().count(), sampling.positions);
    if found >= asked {
        return Ok(());
    }
    let there = counted(found as u64, "such position");
    let way = if found < FEWEST { "more seeds by --seeds" } else { "fewer" };
    Err(usage(format!("--sample is {asked}: games lead to {there}, ask for {way}")))
}

fn ask(
    sample: &Sample,
    team: &Team,
    interrupt: &Interrupt,
    verbosity: Verbosity,
) -> anyhow::Result<Option<Vec<u8>>> {
    let all = sample.positions().count();
    let progress = Shown::new(team.spec(), all, interrupt, verbosity);
    let lost = sample.ask(team, &progress);
    progress.meter.finish();
    lost.with_context(|| team.spec().to_owned())
}

fn print(found: &AccuracyTest, caution: Option<String>, out: &mut dyn Write) -> anyhow::Result<()> {
    let AccuracyTest { rules, seeds: [low, high], sample, seed, players, .. } = found;
    let positions = counted(*sample, "position");
    writeln!(
        out,
        "{positions} of as many games, {low} to {high} seeds, seed {seed}, rules {rules}"
    )?;
    let decisions = grouped(players.first().map_or(0, |it| it.whole.decisions as u64));
    writeln!(out, "in {decisions} of them not all moves are worth the same")?;
    if let Some(caution) = caution {
        writeln!(out, "{caution}")?;
    }
    players.iter().try_for_each(|it| print_player(it, out))?;
    if !found.reproducible {
        writeln!(out, "A player is limited by time: these figures cannot be reproduced.")?;
    }
    Ok(())
}

fn print_player(it: &PlayerAccuracy, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "\n{}", it.player)?;
    writeln!(out, "  seeds positions  optimal  95% interval     seeds lost  95% interval")?;
    row(out, "all", &it.whole)?;
    for AccuracyAt { figures, seeds } in &it.by_seeds {
        row(out, &seeds.to_string(), figures)?;
    }
    let decided = it.whole.optimal_decisions.map_or("-".into(), percent);
    let results = percent(it.whole.results_lost);
    let [low, high] = it.whole.results_lost_ci95.map(percent);
    writeln!(out, "  optimal where moves differ {decided}")?;
    writeln!(out, "  result of the game made worse {results} (95%: {low} to {high})")?;
    Ok(())
}

fn row(out: &mut dyn Write, name: &str, it: &Accuracy) -> anyhow::Result<()> {
    let ([low, high], [least, most]) = (it.optimal_ci95.map(percent), it.seeds_lost_ci95);
    writeln!(
        out,
        "  {name:>5} {:>9} {:>8}  {low:>6} to {high:<6} {:>11.3}  {least:.3} to {most:.3}",
        grouped(it.positions as u64),
        percent(it.optimal),
        it.seeds_lost,
    )?;
    Ok(())
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// How far something is.
struct Shown<'a> {
    what: &'a str,
    begun: Instant,
    meter: Meter,
    interrupt: &'a Interrupt,
}

impl<'a> Shown<'a> {
    fn new(what: &'a str, all: usize, interrupt: &'a Interrupt, verbosity: Verbosity) -> Shown<'a> {
        let meter = Meter::new(all as u64, verbosity);
        Shown { what, begun: Instant::now(), meter, interrupt }
    }
}

impl Progress for Shown<'_> {
    fn advance(&self, done: u64, of: u64) {
        let Shown { what, begun, meter, .. } = self;
        meter.set_position(done);
        let left = time_left(*begun, done, of);
        meter.say(format!("{what}: {} of {}, {left} left", grouped(done), grouped(of)));
    }

    fn should_stop(&self) -> bool {
        self.interrupt.should_stop()
    }
}
