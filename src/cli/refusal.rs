//! Output of `clap`: help, the version, and errors in the command line.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use arena::player::Spec;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error, ValueEnum};
use clap_complete::Shell;

use super::help::TOPICS;
use crate::terminal;
use crate::terminal::{fail, say_lines, shell, shown};
use mancala::text::nearest_name;

/// How the tips begin that `clap` adds to errors. They are removed, because similar names are suggested in a question
/// instead, and because passing an argument after `--` is never the solution.
const TIPS: [&str; 3] = ["  tip: a similar ", "  tip: some similar ", "  tip: to pass '"];

/// Commands whose folder argument is a run folder.
const TAKE_A_RUN: [&str; 4] = ["resume", "select", "export", "doctor"];

/// Commands that have moved to the program `ayo-papers`.
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
        ErrorKind::UnknownArgument
            if unknown.as_ref().is_some_and(|it| it.starts_with("--game")) =>
        {
            fail(format!("--game is not an option of this command: {}", why_no_game()));
        }
        ErrorKind::InvalidSubcommand if verb().is_some_and(|it| MOVED.contains(&it.as_str())) => {
            fail(moved());
        }
        _ => say_lines(&in_words(&readable(refusal))),
    }
    ExitCode::from(2)
}

fn moved() -> String {
    let words: Vec<String> = std::env::args_os().skip(1).map(shown).collect();
    let first = &words[0];
    // The former subcommands of `study` are now commands themselves.
    let command = match (first.as_str(), &words[1..]) {
        ("study", []) => "list".to_owned(),
        ("study", rest) => shell::typed(rest),
        _ => shell::typed(&words),
    };
    format!(
        "{first} has moved to the program ayo-papers: run \"ayo-papers {command}\", or \"cargo run --release -p \
         ayo-papers -- {command}\" in the source tree"
    )
}

/// Returns the error with control characters in it escaped. The message repeats arguments, so they are escaped in the
/// command line, which is then parsed again.
fn readable(refusal: Error) -> Error {
    if std::env::args_os().all(|word| shown(&word) == word.to_string_lossy()) {
        return refusal;
    }
    let words = std::env::args_os().map(|it| shown(it).into());
    super::parsed(words).err().unwrap_or(refusal)
}

/// Formats an error like the other errors of this program: the program's name comes first, and suggestions are part of
/// the sentence.
fn in_words(refusal: &Error) -> String {
    let rendered = refusal.render().to_string();
    let rendered = rendered.strip_prefix("error: ").unwrap_or(&rendered);
    let (sentence, rest) = rendered.split_once('\n').unwrap_or((rendered, ""));
    let sentence = in_english(sentence);
    let is_tip = |line: &&str| TIPS.iter().any(|tip| line.starts_with(tip));
    let rest: Vec<&str> = rest.lines().filter(|line| !is_tip(line)).collect();
    let rest = rest.join("\n").replace("\n\n\n", "\n\n");
    let rest = rest.trim_start_matches('\n');
    if let Some(question) = question(refusal) {
        // The usage follows the list of missing arguments.
        let usage = rest.find("Usage:").map_or(rest, |at| &rest[at..]);
        return format!("ayo: {question}\n\n{usage}\n");
    }
    match elsewhere(refusal).or_else(|| meant(refusal)) {
        Some(meant) => format!("ayo: {sentence}: did you mean \"{meant}\"?\n\n{rest}\n"),
        // `rest` describes an option that is not meant.
        None if refusal.get(ContextKind::SuggestedArg).is_some() => {
            format!("ayo: {sentence}\n\nFor more information, try '--help'.\n")
        }
        None if rest.starts_with(' ') => format!("ayo: {sentence}\n{rest}\n"),
        None => format!("ayo: {sentence}\n\n{rest}\n"),
    }
}

/// Rewords `clap`'s messages about numbers, which contain Rust syntax and types.
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

/// Returns a short error message if the run folder, or the shell for completions, was omitted.
fn question(refusal: &Error) -> Option<String> {
    if refusal.kind() != ErrorKind::MissingRequiredArgument {
        return None;
    }
    let verb = verb()?;
    if verb == "completions" {
        let shells: Vec<String> = Shell::value_variants().iter().map(Shell::to_string).collect();
        return Some(format!("missing shell: choose {}", shells.join(", ")));
    }
    let missing = refusal.get(ContextKind::InvalidArg)?.to_string();
    (missing == "<DIR>" && TAKE_A_RUN.contains(&verb.as_str()))
        .then(|| "missing run folder: \"ayo runs\" lists all runs".into())
}

/// Suggests the right flag for an argument that this command takes with another flag than other commands do.
fn elsewhere(refusal: &Error) -> Option<String> {
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
    let flag = match (verb()?.as_str(), typed.as_str()) {
        (_, "help") => return Some("--help".into()),
        ("eval", word) if Path::new(word).exists() => "--weights",
        ("bestmove" | "play", word) if Path::new(word).exists() => "--player",
        ("match" | "tournament", "-o" | "--output" | "--out" | "--pgnout") => "--games-out",
        ("match" | "tournament", "--rounds") => "--games",
        ("match" | "tournament", "--concurrency") => "--threads",
        ("match" | "tournament", "--engine" | "--each") => {
            return Some("ayo match A uci:cmd=PROGRAM,movetime=100ms".into());
        }
        ("match" | "tournament", "--depth" | "--nodes" | "--movetime") => {
            return Some(format!("seeds:{}=N", &typed[2..]));
        }
        ("play" | "bestmove" | "analyse" | "uci", "--depth" | "--nodes" | "--movetime") => {
            let player = value_of("--player").unwrap_or_else(|| "learned".into());
            let mut player: Spec = player.parse().ok()?;
            player.set(&typed[2..], &value_of(&typed).unwrap_or_else(|| "N".into()));
            return Some(format!("--player {}", shell::quoted(&player.to_string())));
        }
        ("eval" | "bestmove" | "play", word)
            if word.contains(['-', '/']) && !word.starts_with('-') =>
        {
            "--position"
        }
        ("eval", word) if !word.starts_with('-') => "--weights",
        ("train", word) if !word.starts_with('-') => "--preset",
        ("endgame" | "accuracy", word) if word.parse::<u8>().is_ok() => "--seeds",
        ("bestmove" | "play", word) if !word.starts_with('-') => "--player",
        _ => return None,
    };
    Some(if typed.starts_with('-') { flag.into() } else { format!("{flag} {typed}") })
}

/// Returns the value of an option on the command line, unless it begins with `-`.
fn value_of(option: &str) -> Option<String> {
    let words: Vec<String> = std::env::args_os().map(shown).collect();
    let value =
        words.iter().enumerate().find_map(|(at, word)| match word.strip_prefix(option)? {
            "" => words.get(at + 1).map(String::as_str),
            rest => rest.strip_prefix('='),
        });
    value.filter(|value| !value.starts_with('-')).map(str::to_owned)
}

/// Returns the command on the command line by its current name.
fn verb() -> Option<String> {
    let word = std::env::args_os().skip(1).find(|word| word != "--plain")?;
    Some(present_name(word.to_str()?))
}

/// Returns the current name of a command, which may be given by a former name.
fn present_name(verb: &str) -> String {
    super::command().find_subcommand(verb).map_or(verb, Command::get_name).to_owned()
}

/// Returns the word that was probably meant: the nearest of clap's suggestions, some of which share only a few letters.
fn meant(refusal: &Error) -> Option<String> {
    const KINDS: [[ContextKind; 2]; 3] = [
        [ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand],
        [ContextKind::InvalidArg, ContextKind::SuggestedArg],
        [ContextKind::InvalidValue, ContextKind::SuggestedValue],
    ];
    KINDS.into_iter().find_map(|[typed, suggested]| {
        let words = match refusal.get(suggested)? {
            ContextValue::String(word) => vec![word.as_str()],
            ContextValue::Strings(words) => words.iter().map(String::as_str).collect(),
            _ => return None,
        };
        // Do not compare the dashes of options, which would make short words appear similar.
        let written = refusal.get(typed)?.to_string();
        let names = words.iter().map(|word| word.trim_start_matches('-'));
        let name = nearest_name(written.trim_start_matches('-'), names)?;
        let is_command = typed == ContextKind::InvalidSubcommand;
        let word = words.iter().find(|word| word.trim_start_matches('-') == name)?;
        Some(if is_command { present_name(word) } else { (*word).to_owned() })
    })
}

fn why_no_game() -> &'static str {
    let words: Vec<String> = std::env::args_os().skip(1).take(2).map(shown).collect();
    match [0, 1].map(|place| words.get(place).map_or("", String::as_str)) {
        ["uci" | "accuracy" | "endgame", _] => "it supports only ayo",
        ["kalah", _] => "it supports only kalah",
        _ => {
            "use it with bestmove, play, eval, analyse, match, tournament, openings, perft, ablate, bench, train or \
             book build; weights, settings and run folders already specify their game"
        }
    }
}
