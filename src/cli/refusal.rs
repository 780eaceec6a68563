//! Prints what `clap` returns instead of a command: help, the version or an error.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};
use clap::{Command, Error};
use evolve::run::presets;

use super::help::TOPICS;
use crate::terminal::{self, fail, say_lines};
use mancala::text::nearest_name;

const TAKE_A_RUN: [&str; 4] = ["resume", "select", "export", "doctor"];

/// The commands that we have moved to the program `ayo-papers`.
const MOVED: [&str; 4] = ["study", "cdg", "amdf", "count"];

const BEGIN: &str = "\
ayo trains mancala players, plays against you and measures playing strength. To start, try

  ayo train --preset quick    train for a few seconds, then see what to do next
  ayo play --level beginner   play against the computer in the terminal
  ayo serve                   play and watch runs in the browser

Use ayo --help to list everyday commands and ayo COMMAND --help to describe one.
";

/// Prints help, the version or an error. If there are no arguments, prints a short introduction.
pub(crate) fn print(refusal: Error) -> ExitCode {
    let unknown = refusal.get(ContextKind::InvalidArg).map(ToString::to_string);
    let is_run_missing = unknown.as_deref() == Some("<DIR>")
        && verb().is_some_and(|it| TAKE_A_RUN.contains(&it.as_str()));
    match refusal.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            return match refusal.print().and_then(|()| io::stdout().flush()) {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    fail(terminal::unwritten(error));
                    ExitCode::FAILURE
                }
                _ => ExitCode::SUCCESS,
            };
        }
        _ if std::env::args_os().len() < 2 => say_lines(BEGIN),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            say_lines(&refusal.render().to_string());
        }
        ErrorKind::InvalidSubcommand if verb().is_some_and(|it| MOVED.contains(&it.as_str())) => {
            let source = "cargo run --release -p ayo-papers -- --help";
            fail(format!("this command has moved to the program ayo-papers: \"{source}\""));
        }
        ErrorKind::UnknownArgument if unknown.as_deref() == Some("--game") => {
            fail("no --game here: this plays only ayo, or takes the game from weights or a run");
        }
        ErrorKind::MissingRequiredArgument if is_run_missing => {
            fail("missing run folder: \"ayo runs\" lists all runs");
        }
        _ => {
            let rendered = refusal.render().to_string();
            let rendered = rendered.strip_prefix("error: ").unwrap_or(&rendered);
            let (sentence, rest) = rendered.split_once('\n').unwrap_or((rendered, ""));
            let sentence = in_english(sentence);
            match meant(&refusal) {
                Some(meant) => fail(format!("{sentence}: did you mean \"{meant}\"?")),
                None => {
                    // clap suggests passing the argument after `--`, but that never helps here.
                    let is_kept = |line: &&str| !line.starts_with("  tip: to pass ");
                    let rest: String = rest.split_inclusive('\n').filter(is_kept).collect();
                    say_lines(&format!("ayo: {sentence}\n{rest}").replace("\n\n\n", "\n\n"));
                }
            }
        }
    }
    ExitCode::from(2)
}

/// Rewords `clap`'s messages about numbers, which mention Rust syntax and types.
fn in_english(sentence: &str) -> String {
    let sentence = sentence.replace("number would be zero for non-zero type", "give 1 or more");
    let sentence = sentence.replace("invalid digit found in string", "give a whole number");
    let range = sentence.rsplit_once(" is not in ").and_then(|(before, range)| {
        let (low, high) = range.split_once("..=")?;
        [low, high]
            .iter()
            .all(|it| it.parse::<i64>().is_ok())
            .then(|| format!("{before} is not between {low} and {high}"))
    });
    range.unwrap_or(sentence)
}

/// Suggests a replacement for a rejected word. If there is none, then we print `clap`'s suggestion, if any.
fn meant(refusal: &Error) -> Option<String> {
    if refusal.kind() == ErrorKind::InvalidSubcommand {
        return match verb()?.as_str() {
            "version" => Some("--version".into()),
            "help" => {
                let typed = refusal.get(ContextKind::InvalidSubcommand)?.to_string();
                let command = super::command();
                let commands = command.get_subcommands().map(Command::get_name);
                nearest_name(&typed, TOPICS.into_iter().chain(commands))
                    .map(|topic| format!("ayo help {topic}"))
            }
            it => TOPICS.contains(&it).then(|| format!("ayo help {it}")),
        };
    }
    if refusal.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let typed = refusal.get(ContextKind::InvalidArg)?.to_string();
    let option = match (verb()?.as_str(), typed.as_str()) {
        (_, "help") => return Some("--help".into()),
        ("match" | "tournament", "-o" | "--output" | "--out" | "--pgnout") => "--games-out",
        ("match" | "tournament", "--rounds" | "-n") => "--games",
        ("match" | "tournament", "--concurrency") => "--threads",
        ("match" | "tournament", "--engine" | "--each") => {
            "ayo match A uci:cmd=PROGRAM,movetime=1s"
        }
        ("match" | "tournament", "--depth" | "--nodes" | "--movetime") => "seeds:depth=N",
        ("play" | "bestmove" | "analyse" | "uci", "--depth" | "--nodes" | "--movetime") => {
            "--player learned:depth=N"
        }
        ("train" | "resume", "--time" | "--time-limit") => "--max-time",
        (_, word) if word.starts_with('-') => return None,
        ("eval", word) if Path::new(word).exists() => "--weights",
        ("bestmove" | "play" | "uci", word) if Path::new(word).exists() => "--player",
        ("eval" | "bestmove" | "play", word) if word.contains(['-', '/']) => "--position",
        ("eval" | "bestmove" | "play", word)
            if word.chars().all(|it| "ABCDEFabcdef".contains(it)) =>
        {
            "--line"
        }
        ("eval", _) => "--weights",
        ("train", word) => match nearest_name(word, presets()) {
            Some(preset) => return Some(format!("--preset {preset}")),
            None => "--out",
        },
        ("endgame" | "accuracy", word) if word.parse::<u8>().is_ok() => "--seeds",
        ("bestmove" | "play" | "uci", _) => "--player",
        _ => return None,
    };
    Some(if typed.starts_with('-') { option.into() } else { format!("{option} {typed}") })
}

/// Returns the name of the command that the user typed. Old names are replaced with the current ones.
fn verb() -> Option<String> {
    let word = std::env::args_os().skip(1).find(|word| word != "--plain")?;
    let (word, command) = (word.to_str()?, super::command());
    Some(command.find_subcommand(word).map_or(word, Command::get_name).to_owned())
}
