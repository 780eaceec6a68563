use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::super::print_json;
use super::super::workers::Workers;
use super::all;
use crate::results::{StudyFile, StudyMatch};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Folder for results and for the weights that are trained
    #[arg(long, value_name = "DIR", default_value = "studies")]
    out: PathBuf,
    #[command(flatten)]
    workers: Workers,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Published weights at depths 5 and 3, weights of runs of our own at both depths, and six features evolved for depth \
7 meet our three lower levels, in five games as in the papers and in long matches; the runs take five minutes on a \
core. Then twelve features meet six. \"ayo study all daoud-master\" lets each of them meet the last level, whose \
moves take half a second, in five games and in long matches of twenty. What \
was played is kept and not played again. \"ayo study all daoud-evolution\" measures generation 1 against generation \
100 of ten seeds.";

#[derive(Serialize)]
#[serde(tag = "kind", rename = "study")]
struct Kept<'a> {
    #[serde(flatten)]
    file: &'a StudyFile,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Some(file) = all::study("daoud", &arguments.out, arguments.workers)? else {
        return Ok(ExitCode::from(130));
    };
    if arguments.json {
        print_json(&Kept { file: &file }, out)?;
    } else {
        print(&file, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(file: &StudyFile, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(
        out,
        "{:<28}{:<24}{:>6}{:>16}  {:<24}{:>11}{:>10}",
        "player", "opponent", "games", "won drawn lost", "score", "positions", "µs a move"
    )?;
    for it in &file.matches {
        let StudyMatch { players: [player, opponent], results: [won, drawn, lost], .. } = it;
        let games = it.games();
        let results = format!("{won} {drawn} {lost}");
        let score = if games > 5 { it.scored() } else { String::new() };
        let (nodes, time) = (it.nodes_per_move[0], it.microseconds_per_move[0]);
        writeln!(
            out,
            "{player:<28}{opponent:<24}{games:>6}{results:>16}  {score:<24}{nodes:>11.0}{time:>10.1}"
        )?;
    }
    for finding in &file.findings {
        writeln!(out, "{}: {}; {}", finding.claim, finding.verdict, finding.ours)?;
    }
    Ok(())
}
