//! `ayo endgame prove`: proves the result of a position by proof-number search.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use mancala::endgame::{Outcome, prove};
use mancala::game::ayo::{Ayo, Position, Rules};
use serde_json::json;

use super::endgame::open;
use crate::terminal::{Interrupt, ShownProgress, Verbosity, fail, grouped, print_json_line};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Position: pits A-F and a-f, South's store, North's store and the side to move, joined by -
    #[arg(long, value_name = "P")]
    position: Position,
    /// Maximum number of positions in each of the two search trees
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Rules: ayo, awari, wipe-out or no-slam
    #[arg(long, value_name = "NAME", default_value_t = Rules::AWARI)]
    rules: Rules,
    /// Folder of endgame tables, which the proof search may use at its leaves
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Proof-number search first tries to prove that the side to move wins, then that it does not lose. Each tree takes 48 \
bytes per position. A line that repeats a position ends there with the seeds in the stores, as in endgame tables, so \
results are proven only for awari.

Exit codes: 0 if the position is a win, a draw or a loss, 1 if the position limit was reached.";

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let &Arguments { ref position, nodes, rules, quiet, json, .. } = arguments;
    let tables = arguments.tables.as_deref().map(|folder| open(folder, Some(rules))).transpose()?;
    let verbosity = if quiet { Verbosity::Quiet } else { Verbosity::Shown };
    let message = |done, of, left: &str| {
        format!("{} of at most {} positions{left}", grouped(done), grouped(of))
    };
    let progress = ShownProgress::new(2 * nodes, verbosity, &Interrupt::listen()?, message);
    let proof = prove(&Ayo { rules }, position, tables.as_ref(), nodes, &progress);
    progress.finish();
    let Some(proof) = proof else {
        fail("interrupted: no proof yet");
        return Ok(ExitCode::from(130));
    };
    let (name, words) = match proof.outcome {
        Outcome::Win => ("win", "wins"),
        Outcome::Draw => ("draw", "draws"),
        Outcome::Loss => ("loss", "loses"),
        Outcome::AtLeastDraw => ("at-least-draw", "does not lose"),
        Outcome::AtMostDraw => ("at-most-draw", "does not win"),
        Outcome::Unknown => ("unknown", "may win or lose: the position limit was reached"),
    };
    if json {
        let (nodes, rules) = (proof.nodes, rules.to_string());
        let result = json!({ "kind": "proof", "outcome": name, "nodes": nodes, "rules": rules });
        print_json_line(&result, out)?;
    } else {
        writeln!(out, "{} {words}", position.to_move())?;
        writeln!(out, "{} positions, rules {rules}", grouped(proof.nodes))?;
    }
    let decided = matches!(proof.outcome, Outcome::Win | Outcome::Draw | Outcome::Loss);
    Ok(ExitCode::from(u8::from(!decided)))
}
