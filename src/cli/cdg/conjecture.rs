use std::io::Write;
use std::time::Instant;

use clap::Args;
use serde_json::json;

use super::super::meter::{Meter, Verbosity, counted, grouped, time_left};
use super::span::Span;
use crate::study::conjecture::{self, Failures};
use mancala::endgame::cdg::{block_count, conjectured};

/// Counterexamples that are listed.
const LISTED: usize = 10;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Pits a side, 1..100000, at most 1000000
    #[arg(value_name = "N..M", value_parser = Span::up_to::<1_000_000>)]
    pits: Span,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let span = arguments.pits;
    let found = failures(span, if arguments.quiet { Verbosity::Quiet } else { Verbosity::Shown });
    if arguments.json {
        let row = |&n: &u32| json!({ "n": n, "f": block_count(n), "conjectured": conjectured(n) });
        let rows: Vec<_> = found.first.iter().map(row).collect();
        let checked = [span.first, span.last];
        let found = json!({ "kind": "cdg-conjecture", "checked": checked, "count": found.count, "counterexamples": rows });
        writeln!(out, "{found}")?;
        return Ok(());
    }
    let range = format!("{} to {}", grouped(span.first.into()), grouped(span.last.into()));
    if found.count == 0 {
        writeln!(out, "conjecture 1 holds for n from {range}")?;
        return Ok(());
    }
    let all = counted(found.count, "counterexample");
    writeln!(out, "conjecture 1 fails: {all} for n from {range}, the first of them")?;
    for &n in &found.first {
        writeln!(out, "  n {n}: f(n) = {}, not {}", block_count(n), conjectured(n))?;
    }
    Ok(())
}

fn failures(span: Span, verbosity: Verbosity) -> Failures {
    let begun = Instant::now();
    let meter = Meter::new(100, verbosity);
    let failures = conjecture::failures(span.first..=span.last, LISTED, &|done, all| {
        meter.set_position(100 * done / all);
        meter.say(format!("{}%  {} left", 100 * done / all, time_left(begun, done, all)));
    });
    meter.finish();
    failures
}
