//! `ayo-papers` reproduces published studies of mancala programs and compares the results with the printed figures.
//!
//! A study settles [`claims`] of the papers and keeps its findings in a file. [`page`] makes
//! `docs/reproduction.md` of the claims and the findings in `papers/data/kept`.

mod amdf;
mod cdg;
mod charts;
mod claims;
mod count;
mod daoud;
mod forcing;
mod kansas;
mod mined;
mod notebook;
mod page;
mod pairing;
mod printed_games;
mod proofs;
mod questionnaire;
mod rbh;
mod strategies;
mod studies;
mod terminal;
mod trained;
mod unfinished;

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
    /// List every table, figure and claim of five papers: printed, ours, verdict
    List(page::ListArguments),
    /// Do the studies that settle these claims, and keep what they find
    All(studies::Arguments),
    /// Print docs/reproduction.md
    Page(page::PageArguments),
    /// The usability study of the thesis: its table and its test, recomputed (Akinyemi 2012)
    Questionnaire(questionnaire::Arguments),
    /// Twelve features at depth 5 and six at depth 7 against levels (Daoud et al. 2004)
    Daoud(daoud::Arguments),
    /// Heuristics for Kalah, on or off (Gifford et al. 2008)
    Kalah(kansas::Arguments),
    /// The refinement-based player of Ayo against four levels (Akinyemi 2012)
    Rbh(rbh::Arguments),
    /// The player of Ayo that weighs Mahalanobis distances (Randle et al. 2012), and its training rows
    Amdf(amdf::Arguments),
    /// The completely determined game: positions and tables (Akinyemi 2012, chapter 3)
    #[command(subcommand)]
    Cdg(cdg::Command),
    /// Count positions by seeds, by the formula of the thesis
    Count(count::Arguments),
}

fn main() -> ExitCode {
    let command = match CommandLine::try_parse() {
        Ok(line) => line.command,
        Err(refusal) => {
            // It repeats arguments, which are escaped for the terminal.
            let words = std::env::args_os().map(terminal::shown);
            let refusal = CommandLine::try_parse_from(words).err().unwrap_or(refusal);
            return terminal::print_refusal(&refusal);
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
