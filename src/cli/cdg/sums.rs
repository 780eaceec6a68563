use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::super::terminal::shown;
use super::super::usage;
use super::span::Span;
use crate::report::{check_ending, plot_sums};
use mancala::endgame::cdg::totals;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Pits a side, 6 or 1..50, at most 10000
    #[arg(value_name = "N..M", value_parser = Span::up_to::<10_000>)]
    pits: Span,
    /// Draw s(n)·π/n² to this file, .png or .svg, besides
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    if let Some(path) = &arguments.plot {
        check_ending(path).map_err(usage)?;
    }
    let found: Vec<_> = arguments.pits.numbers().map(|n| (n, totals(n))).collect();
    if arguments.json {
        let row = |(n, t): &(u32, mancala::endgame::cdg::Totals)| json!({ "n": n, "s": t.s, "f": t.f, "g": t.g });
        let rows: Vec<Value> = found.iter().map(row).collect();
        writeln!(out, "{}", json!({ "kind": "cdg-sums", "rows": rows }))?;
    } else {
        writeln!(out, "{:>5} {:>9} {:>5} {:>5}  s·π/n²", "n", "s(n)", "f(n)", "g(n)")?;
        for &(n, t) in &found {
            writeln!(out, "{n:>5} {:>9} {:>5} {:>5}  {:.4}", t.s, t.f, t.g, t.ratio(n))?;
        }
    }
    if let Some(path) = &arguments.plot {
        let points: Vec<_> = found.iter().map(|&(n, t)| (f64::from(n), t.ratio(n))).collect();
        plot_sums(&points, path)?;
        if !arguments.json {
            writeln!(out, "wrote {}", shown(path))?;
        }
    }
    Ok(())
}
