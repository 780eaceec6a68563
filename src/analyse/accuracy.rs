pub(crate) mod picture;
pub(crate) mod result;
pub(crate) mod work;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Instant;

use arena::Accuracy;
use clap::Args;
use mancala::game::ayo::Rules;
use mancala::progress::Progress;

use crate::analyse::accuracy::result::{AccuracyAt, AccuracyTest, PlayerAccuracy};
use crate::analyse::accuracy::work::{FEWEST_POSITIONS, NoTest, Setup, Stage, Stages, Wanted};
use crate::analyse::bestmove::player_error;
use crate::plot;
use crate::solve::endgame::tables::{caution, folder, open};
use crate::terminal::error::usage;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::meter::{Meter, counted, grouped, time_left};
use crate::terminal::output::{check_picture, print_json};
use crate::terminal::shown;
use crate::terminal::workers::Workers;

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
    #[arg(long, value_name = "LO..HI")]
    seeds: Option<Seeds>,
    /// Positions to ask about, the same for all players
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(FEWEST_POSITIONS as i64..=10_000_000))]
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
Positions come from games between players that range from random to depth 4: one position a game, with \
two legal moves or more. A move is optimal if no other is worth more; else it gives the difference away, \
in seeds. Intervals are of 95 %, with games as units.";

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

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let folder = folder(arguments.tables.as_deref())?;
    let tables = open(&folder, arguments.rules)?;
    let wanted = Wanted {
        seeds: arguments.seeds.as_ref().map(|seeds| seeds.0.clone()),
        positions: arguments.sample as usize,
        seed: arguments.seed,
    };
    let refused = |error| test_error(error, &folder);
    let setup = Setup::new(tables, &arguments.players, wanted).map_err(refused)?;
    let pool = arguments.workers.pool()?;
    check_picture(arguments.output.as_deref())?;
    let watch = Shown { interrupt: Interrupt::listen()?, workers: &arguments.workers };
    let Some(found) = pool.install(|| setup.run(&watch)).map_err(refused)? else {
        writeln!(out, "interrupted: nothing is known before all positions are looked at")?;
        return Ok(ExitCode::from(130));
    };
    if let Some(output) = &arguments.output {
        plot::plot_accuracy(&found, output)?;
    }
    if arguments.json {
        print_json(&found, out)?
    } else {
        print(&found, caution(setup.tables()), out)?;
        if let Some(output) = &arguments.output {
            writeln!(out, "\nwrote {}", shown(output))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A test that cannot be done, in terms of the command line.
fn test_error(error: NoTest, tables: &Path) -> anyhow::Error {
    match error {
        NoTest::NoSeeds => usage(format!("--tables {}: {error}", shown(tables))),
        NoTest::Layer(_) => anyhow::Error::from(error).context("--tables"),
        NoTest::Player(error) => player_error(error),
        NoTest::TooManySeeds { .. } => usage(format!("--seeds: {error}")),
        NoTest::TooFewPositions { asked, found } => {
            let there = counted(found as u64, "such position");
            let way = if found < FEWEST_POSITIONS { "more seeds by --seeds" } else { "fewer" };
            usage(format!("--sample is {asked}: games lead to {there}, ask for {way}"))
        }
        NoTest::Answer { .. } => error.into(),
    }
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
    writeln!(out, "\n{}", shown(&it.player))?;
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

/// Shows how far a test is, stage by stage.
struct Shown<'a> {
    interrupt: Interrupt,
    workers: &'a Workers,
}

impl Stages for Shown<'_> {
    fn begin<'a>(&'a self, stage: Stage<'a>, positions: usize) -> Box<dyn Progress + 'a> {
        let what = match stage {
            Stage::Drawing => "positions found",
            Stage::Asking(player) => player,
        };
        let meter = Meter::new(positions as u64, self.workers.verbosity());
        let interrupt = &self.interrupt;
        Box::new(ShownStage { what, begun: Instant::now(), meter, interrupt })
    }
}

struct ShownStage<'a> {
    what: &'a str,
    begun: Instant,
    meter: Meter,
    interrupt: &'a Interrupt,
}

impl Progress for ShownStage<'_> {
    fn advance(&self, done: u64, of: u64) {
        let ShownStage { what, begun, meter, .. } = self;
        meter.set_position(done);
        let left = time_left(*begun, done, of);
        meter.say(format!("{what}: {} of {}, {left} left", grouped(done), grouped(of)));
    }

    fn should_stop(&self) -> bool {
        self.interrupt.should_stop()
    }
}

impl Drop for ShownStage<'_> {
    fn drop(&mut self) {
        self.meter.finish();
    }
}
