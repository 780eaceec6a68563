use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use serde_json::json;

use crate::solve::endgame::tables::open;
use crate::terminal::fail;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::meter::{Meter, Verbosity, grouped, time_left};
use mancala::endgame::{Outcome, prove};
use mancala::game::ayo::{Ayo, Position, Rules};
use mancala::progress::Progress;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Position: pits A-F and a-f, South's store, North's, side to move, joined by -
    #[arg(long, value_name = "P")]
    position: Position,
    /// Positions of each of the two trees, at most
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Rules: ayo, awari, wipe-out or no-slam
    #[arg(long, value_name = "NAME", default_value_t = Rules::AWARI)]
    rules: Rules,
    /// Folder of endgame tables, at which a proof may end
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
Proof-number search first tries to prove a win of the side to move, then that it does not lose. Each tree takes 48 \
bytes a position. A line that comes back to a position ends there with what both sides have in store, as in \
endgame tables; that is proven for the rules awari alone.

Exit codes: 0 it is a win, a draw or a loss, 1 so many positions do not tell.";

struct Watch {
    meter: Meter,
    interrupt: Interrupt,
    begun: Instant,
}

impl Progress for Watch {
    fn advance(&self, done: u64, of: u64) {
        let left = time_left(self.begun, done, of);
        self.meter.set_position(done);
        self.meter.say(format!(
            "{} of {} positions, at most {left} left",
            grouped(done),
            grouped(of)
        ));
    }

    fn should_stop(&self) -> bool {
        self.interrupt.should_stop()
    }
}

/// Proves what a position is worth.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let &Arguments { ref position, nodes, rules, quiet, json, .. } = arguments;
    let tables = arguments.tables.as_deref().map(|folder| open(folder, Some(rules))).transpose()?;
    let verbosity = if quiet { Verbosity::Quiet } else { Verbosity::Shown };
    let meter = Meter::new(2 * nodes, verbosity);
    let watch = Watch { meter, interrupt: Interrupt::listen()?, begun: Instant::now() };
    let proof = prove(&Ayo { rules }, position, tables.as_ref(), nodes, &watch);
    watch.meter.finish();
    let Some(proof) = proof else {
        fail("interrupted: nothing is proven");
        return Ok(ExitCode::from(130));
    };
    let (name, words) = match proof.outcome {
        Outcome::Win => ("win", "wins"),
        Outcome::Draw => ("draw", "draws"),
        Outcome::Loss => ("loss", "loses"),
        Outcome::AtLeastDraw => ("at-least-draw", "does not lose"),
        Outcome::AtMostDraw => ("at-most-draw", "does not win"),
        Outcome::Unknown => ("unknown", "may win or lose: so many positions do not tell"),
    };
    if json {
        let rules = rules.to_string();
        writeln!(
            out,
            "{}",
            json!({ "kind": "proof", "outcome": name, "nodes": proof.nodes, "rules": rules })
        )?;
    } else {
        writeln!(out, "{} {words}", position.to_move())?;
        writeln!(out, "{} positions, rules {rules}", grouped(proof.nodes))?;
    }
    let decided = matches!(proof.outcome, Outcome::Win | Outcome::Draw | Outcome::Loss);
    Ok(ExitCode::from(u8::from(!decided)))
}
