//! `ayo-papers` reproduces published studies of mancala programs and compares the results with the printed figures.
//!
//! A study checks [`claims`] from the papers and saves its findings. [`page`] renders `docs/reproduction.md` from the
//! claims and the findings in `papers/data/results`.

mod amdf;
mod cdg;
mod charts;
mod claims;
mod count;
mod daoud;
mod forcing;
mod kansas;
mod ladder;
mod mined;
mod notebook;
mod page;
mod pairing;
mod partial;
mod printed_games;
mod proofs;
mod prototype;
mod questionnaire;
mod rbh;
mod strategies;
mod studies;
mod terminal;
mod trained;
mod trees;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Reproduces published studies of mancala programs.
#[derive(Debug, Parser)]
#[command(name = "ayo-papers", version, max_term_width = 100)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List every table, figure and claim of five papers, with the printed value, our value and the verdict
    List(page::ListArguments),
    /// Run the studies that check these claims, and save their findings
    All(studies::Arguments),
    /// Print docs/reproduction.md
    Page(page::PageArguments),
    /// Recompute the usability study of the thesis (Akinyemi 2012)
    Questionnaire(questionnaire::Arguments),
    /// Play twelve features at depth 5 and six features at depth 7 against levels (Daoud et al. 2004)
    Daoud(daoud::Arguments),
    /// Play combinations of heuristics for Kalah (Gifford et al. 2008)
    Kalah(kansas::Arguments),
    /// Play the refinement-based Ayo player against four levels (Akinyemi 2012)
    Rbh(rbh::Arguments),
    /// Play the player based on Mahalanobis distances (Randle et al. 2012), or write its training rows
    Amdf(amdf::Arguments),
    /// Compute positions and tables of the completely determined game (Akinyemi 2012, chapter 3)
    #[command(subcommand)]
    Cdg(cdg::Command),
    /// Count positions by number of seeds, with the formula from the thesis
    Count(count::Arguments),
}

fn main() -> ExitCode {
    let command = match CommandLine::try_parse() {
        Ok(line) => line.command,
        Err(error) => {
            // The message repeats the arguments, which must be escaped before they reach the terminal.
            let escaped = std::env::args_os().map(terminal::shown);
            let error = CommandLine::try_parse_from(escaped).err().unwrap_or(error);
            return terminal::print_usage_error(&error);
        }
    };
    let mut out = terminal::Output::default();
    let result = run(&command, &mut out).and_then(|code| Ok(out.flush().map(|()| code)?));
    result.unwrap_or_else(|error| {
        let _ = out.flush();
        terminal::exit_code(&error)
    })
}

fn run(command: &Command, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    match command {
        Command::List(arguments) => page::list(arguments, out)?,
        Command::All(arguments) => return studies::run(arguments, out),
        Command::Page(arguments) => page::print(arguments, out)?,
        Command::Questionnaire(arguments) => questionnaire::run(arguments, out)?,
        Command::Daoud(arguments) => return daoud::run(arguments, out),
        Command::Kalah(arguments) => return kansas::run(arguments, out),
        Command::Rbh(arguments) => return rbh::run(arguments, out),
        Command::Amdf(arguments) => return amdf::run(arguments, out),
        Command::Cdg(command) => cdg::run(command, out)?,
        Command::Count(arguments) => count::run(arguments, out)?,
    }
    Ok(ExitCode::SUCCESS)
}
