use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::anyhow;
use clap::Args;
use serde_json::json;

use crate::solve::endgame::size::Size;
use crate::terminal::error::usage;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::meter::{Meter, Verbosity, counted, grouped, rounded};
use crate::terminal::output::announce;
use crate::terminal::say;
use mancala::game::kalah::solver::{Narrowed, Solved, Solver};
use mancala::game::kalah::{EmptyCapture, Kalah};
use mancala::progress::Progress;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Pits of a side
    #[arg(value_name = "M")]
    pits: u8,
    /// Seeds in each of them at the start
    #[arg(value_name = "N")]
    seeds: u8,
    /// Capture the last seed in an own empty pit opposite an empty one too
    #[arg(long)]
    empty_capture: bool,
    /// Memory that it may take
    #[arg(long, value_name = "SIZE", default_value_t = Size(1 << 30))]
    memory: Size,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
    /// Print JSON; "value" is the first player's margin
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Seeds that lie in pits at the end belong to the owner of the pits. On one core 6 3 takes seconds and 6 4 about a \
minute; a board with two more seeds takes several times as long. Too little memory costs time, never the value.";

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let empty = if arguments.empty_capture { EmptyCapture::On } else { EmptyCapture::Off };
    let game =
        Kalah::new(arguments.pits, arguments.seeds).map_err(usage)?.with_empty_capture(empty);
    let solver = Solver::new(game, arguments.memory.0).map_err(usage)?;
    let size = Size(solver.memory());
    let table = format!("{game}: a table of {size}");
    if !arguments.json {
        announce(&table, out)?;
    } else if !arguments.quiet {
        say(&table);
    }
    let watch = Watch::new(&game, arguments.quiet)?;
    let found = solver.solve(&watch, |bounds| watch.narrowed(bounds));
    watch.meter.finish();
    let found = found.map_err(|error| anyhow!("{error}; give less with --memory"))?;
    let Some(Solved { value, nodes }) = found else {
        if !arguments.json {
            writeln!(out, "interrupted: nothing is kept")?;
        }
        return Ok(ExitCode::from(130));
    };
    if arguments.json {
        writeln!(
            out,
            "{}",
            json!({ "kind": "solution", "game": game.to_string(), "value": value })
        )?;
    } else {
        let (positions, time) = (counted(nodes, "position"), rounded(watch.begun.elapsed()));
        writeln!(out, "{}; {positions} in {time}", said(value))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn said(value: i32) -> String {
    let seeds = counted(value.unsigned_abs().into(), "seed");
    match value {
        0 => "value 0: a draw".into(),
        1.. => format!("value {value}: the first player wins by {seeds}"),
        _ => format!("value {value}: the second player wins by {seeds}"),
    }
}

/// Progress and Ctrl-C.
struct Watch {
    meter: Meter,
    interrupt: Interrupt,
    begun: Instant,
}

impl Watch {
    fn new(game: &Kalah, quiet: bool) -> anyhow::Result<Watch> {
        let verbosity = if quiet { Verbosity::Quiet } else { Verbosity::Shown };
        let meter = Meter::new(2 * u64::from(game.total()), verbosity);
        Ok(Watch { meter, interrupt: Interrupt::listen()?, begun: Instant::now() })
    }

    fn narrowed(&self, &Narrowed { low, high, nodes }: &Narrowed) {
        self.meter.say(format!("from {low} to {high}, {} positions", grouped(nodes)));
    }
}

impl Progress for Watch {
    fn advance(&self, done: u64, _of: u64) {
        self.meter.set_position(done);
    }

    fn should_stop(&self) -> bool {
        self.interrupt.should_stop()
    }
}
