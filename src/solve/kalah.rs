//! `ayo kalah`: solves small kalah boards.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Mutex;

use anyhow::anyhow;
use clap::Args;
use indicatif::BinaryBytes;
use mancala::game::kalah::solver::{Solver, ValueBounds};
use mancala::game::kalah::{EmptyCapture, Kalah};
use serde_json::json;

use crate::terminal::{
    Interrupt, ShownProgress, Verbosity, announce, counted, grouped, memory_size, print_json_line,
    rounded, say, usage,
};

crate::cli::verbs! {
    /// Compute the first player's margin on a small board under perfect play
    Solve(SolveArguments) => solve,
}

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
struct SolveArguments {
    /// Pits per side
    #[arg(value_name = "M")]
    pits: u8,
    /// Seeds per pit at the start
    #[arg(value_name = "N")]
    seeds: u8,
    /// Capture the last seed if it lands in an empty pit of the mover, even if the opposite pit is empty
    #[arg(long)]
    empty_capture: bool,
    /// Memory limit
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = memory_size)]
    memory: u64,
    #[command(flatten)]
    verbosity: Verbosity,
    /// Print JSON; "value" is the first player's margin
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Seeds left in pits at the end belong to the owner of the pits. On one core, 6 3 takes seconds and 6 4 about a minute; \
two more seeds take several times as long. With less memory, the search takes longer but gives the same value.";

fn solve(arguments: &SolveArguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let empty = if arguments.empty_capture { EmptyCapture::On } else { EmptyCapture::Off };
    let game =
        Kalah::new(arguments.pits, arguments.seeds).map_err(usage)?.with_empty_capture(empty);
    let solver = Solver::new(game, arguments.memory).map_err(usage)?;
    let size = BinaryBytes(solver.memory());
    let table = format!("{game}: a table of {size}");
    if !arguments.json {
        announce(&table, out)?;
    } else if !arguments.verbosity.quiet {
        say(&table);
    }
    let bounds = Mutex::new(String::new());
    let message = |_, _, _: &str| bounds.lock().map_or(String::new(), |bounds| bounds.clone());
    let length = 2 * u64::from(game.total());
    let progress = ShownProgress::new(length, arguments.verbosity, &Interrupt::listen()?, message);
    let solved = solver.solve(&progress, |&ValueBounds { low, high, nodes }| {
        if let Ok(mut bounds) = bounds.lock() {
            *bounds = format!("from {low} to {high}, {} positions", grouped(nodes));
        }
    });
    progress.finish();
    let solved = solved.map_err(|error| anyhow!("{error}; reduce --memory"))?;
    let Some(ValueBounds { low: value, nodes, .. }) = solved else {
        if !arguments.json {
            writeln!(out, "interrupted: no result")?;
        }
        return Ok(ExitCode::from(130));
    };
    if arguments.json {
        let result = json!({ "kind": "solution", "game": game.to_string(), "value": value });
        print_json_line(&result, out)?;
    } else {
        let seeds = counted(value.unsigned_abs().into(), "seed");
        let result = match value {
            0 => "a draw".into(),
            1.. => format!("the first player wins by {seeds}"),
            _ => format!("the second player wins by {seeds}"),
        };
        let (positions, time) = (counted(nodes, "position"), rounded(progress.elapsed()));
        writeln!(out, "value {value}: {result}; {positions} in {time}")?;
    }
    Ok(ExitCode::SUCCESS)
}
