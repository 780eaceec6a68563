use std::io::Write;
use std::time::Instant;

use clap::Args;
use rayon::prelude::*;
use serde_json::json;

use super::super::meter::{Meter, Verbosity, counted, grouped, time_left};
use super::span::Span;
use mancala::endgame::cdg::{block_count, conjectured};

/// Numbers between two looks at the clock.
const STRETCH: u32 = 4096;
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

/// Boards on which the conjecture fails.
struct Failures {
    count: u64,
    /// The number of pits of the first few, which are listed.
    first: Vec<u32>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let span = arguments.pits;
    let found = failures(span, if arguments.quiet { Verbosity::Quiet } else { Verbosity::Shown });
    if arguments.json {
        let row = |&n: &u32| json!({ "n": n, "f": block_count(n), "conjectured": conjectured(n) });
        let rows: Vec<_> = found.first.iter().map(row).collect();
        let checked = [span.first, span.last];
        let found = json!({ "checked": checked, "count": found.count, "counterexamples": rows });
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
    // The work for one n grows with n.
    let work = |n: u32| u64::from(n) * u64::from(n);
    let (all, begun) = (work(span.last) - work(span.first - 1), Instant::now());
    let meter = Meter::new(all, verbosity);
    let mut failures = Failures { count: 0, first: Vec::new() };
    for first in span.numbers().step_by(STRETCH as usize) {
        let last = span.last.min(first + STRETCH - 1);
        let fails = |&n: &u32| block_count(n) != conjectured(n);
        let found: Vec<u32> = (first..=last).into_par_iter().filter(fails).collect();
        failures.count += found.len() as u64;
        let room = LISTED - failures.first.len();
        failures.first.extend(found.into_iter().take(room));
        let done = work(last) - work(span.first - 1);
        meter.set_position(done);
        meter.say(format!("{}%  {} left", 100 * done / all, time_left(begun, done, all)));
    }
    meter.finish();
    failures
}
