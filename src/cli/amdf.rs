//! Rows that the AMDF player learns its classes from.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use evolution::player::amdf::{Source, SourceError, Training};
use mancala::game::ayo::Rules;
use mancala::store;

use super::terminal::shown;
use super::usage;

super::verbs! {
    /// Write good and bad rows as CSV, for amdf:training=FILE
    Rows(Rows) => rows,
}

#[derive(Debug, Args)]
struct Rows {
    /// Where they come from: self-play:N, tables:DIR, or a file of rows, which is checked and written anew
    #[arg(value_name = "SOURCE", default_value = "self-play:100")]
    source: String,
    /// Rules of the games
    #[arg(long, value_name = "NAME", default_value_t)]
    rules: Rules,
    /// Write them here [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn rows(arguments: &Rows, out: &mut dyn Write) -> anyhow::Result<()> {
    let Rows { source, rules, output } = arguments;
    let wrong = |_| usage(format!("SOURCE is \"{source}\", not {SourceError}"));
    let parsed: Source = source.parse().map_err(wrong)?;
    let training = Training::from_source(&parsed, *rules).with_context(|| source.clone())?;
    let Some(training) = training else {
        return Err(usage("the source \"current\" has no rows before a game"));
    };
    let text = training.to_csv();
    let Some(path) = output else {
        out.write_all(text.as_bytes())?;
        return Ok(());
    };
    store::write_output(path, text.as_bytes())?;
    let (good, bad) = (training.good.len(), training.bad.len());
    writeln!(out, "{good} good and {bad} bad rows in {}", shown(path))?;
    Ok(())
}
