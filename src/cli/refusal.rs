//! What `clap` has to say: help, the version, and why it does not take what was typed.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error, ValueEnum};
use clap_complete::Shell;

use crate::terminal;
use crate::terminal::{fail, say_lines, shell, shown};
use mancala::text::nearest_name;

/// How a suggestion of `clap` begins: one is said as a question here, the other is never what was meant.
const TIPS: [&str; 3] = ["  tip: a similar ", "  tip: some similar ", "  tip: to pass '"];

/// Verbs whose folder is that of a run.
const TAKE_A_RUN: [&str; 5] = ["resume", "stop", "select", "export", "doctor"];

/// Commands of earlier versions that are now commands of the program `ayo-papers`.
const MOVED: [&str; 4] = ["study", "cdg", "amdf", "count"];

const BEGIN: &str = "\
ayo trains players of mancala games, plays with them and measures how strong they are. Begin with

  ayo train --preset quick    seconds of training, which end with what to type next
  ayo play --level beginner   a game here, you against the computer
  ayo serve                   a board and your runs in the browser

ayo --help lists all commands, ayo COMMAND --help explains one.
";

/// Prints help, the version or a refusal, or where to begin if nothing was typed. `refused` says what is wrong with
/// other words.
pub(crate) fn print(
    refusal: Error,
    refused: impl FnOnce(Vec<OsString>) -> Option<Error>,
) -> ExitCode {
    match refusal.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => return on_request(&refusal),
        _ if std::env::args_os().len() < 2 => say_lines(BEGIN),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            say_lines(&refusal.render().to_string());
        }
        _ if is_about_a_game(&refusal) => {
            fail(format!("there is no --game here: {}", why_no_game()));
        }
        ErrorKind::InvalidSubcommand if verb().is_some_and(|it| MOVED.contains(&it.as_str())) => {
            fail(moved());
        }
        _ => say_lines(&in_words(&readable(refusal, refused))),
    }
    ExitCode::from(2)
}

fn on_request(help: &Error) -> ExitCode {
    match help.print().and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            fail(terminal::unwritten(error));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// The command of `ayo-papers` that does what was typed.
fn moved() -> String {
    let words: Vec<String> = std::env::args_os().skip(1).map(shown).collect();
    let first = &words[0];
    // Subcommands of `study` are commands now.
    let command = match (first.as_str(), &words[1..]) {
        ("study", []) => "list".to_owned(),
        ("study", rest) => shell::typed(rest),
        _ => shell::typed(&words),
    };
    format!(
        "{first} has moved to the program ayo-papers: type \"ayo-papers {command}\", or in the source \
         \"cargo run --release -p ayo-papers -- {command}\""
    )
}

/// The same refusal, of words that a terminal would obey as they are shown, since it repeats them.
fn readable(refusal: Error, refused: impl FnOnce(Vec<OsString>) -> Option<Error>) -> Error {
    if std::env::args_os().all(|word| shown(&word) == word.to_string_lossy()) {
        return refusal;
    }
    let words = std::env::args_os().map(|it| shown(it).into()).collect();
    refused(words).unwrap_or(refusal)
}

/// A refusal as those of this program are: its name first, and a suggestion in the same sentence.
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
        return format!("ayo: {question}\n\n{}\n", usage(rest));
    }
    match meant(refusal).or_else(|| elsewhere(refusal)) {
        Some(meant) => format!("ayo: {sentence}: did you mean \"{meant}\"?\n\n{rest}\n"),
        None if rest.starts_with(' ') => format!("ayo: {sentence}\n{rest}\n"),
        None => format!("ayo: {sentence}\n\n{rest}\n"),
    }
}

/// What `clap` says of a number that is out of range, without the signs and types of Rust.
fn in_english(sentence: &str) -> String {
    let sentence = sentence.replace("number would be zero for non-zero type", "give 1 or more");
    let range = sentence.rsplit_once(" is not in ").and_then(|(before, range)| {
        let (low, high) = range.split_once("..=")?;
        [low, high]
            .iter()
            .all(|it| it.parse::<i64>().is_ok())
            .then(|| format!("{before} is not from {low} to {high}"))
    });
    range.unwrap_or(sentence)
}

/// What to ask if the folder of a run, or the shell of completions, is all that was left out.
fn question(refusal: &Error) -> Option<String> {
    if refusal.kind() != ErrorKind::MissingRequiredArgument {
        return None;
    }
    let verb = verb()?;
    if verb == "completions" {
        let shells: Vec<String> = Shell::value_variants().iter().map(Shell::to_string).collect();
        return Some(format!("for which shell? {}", shells.join(", ")));
    }
    let missing = refusal.get(ContextKind::InvalidArg)?.to_string();
    (missing == "<DIR>" && TAKE_A_RUN.contains(&verb.as_str()))
        .then(|| "which run? name its folder; \"ayo runs\" lists those there are".into())
}

/// The flag that does here what another flag or word does elsewhere.
fn elsewhere(refusal: &Error) -> Option<String> {
    if refusal.kind() == ErrorKind::InvalidSubcommand && verb()? == "version" {
        return Some("--version".into());
    }
    if refusal.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let typed = refusal.get(ContextKind::InvalidArg)?.to_string();
    let flag = match (verb()?.as_str(), typed.as_str()) {
        (_, "help") => return Some("--help".into()),
        ("eval", word) if Path::new(word).exists() => "--weights",
        ("bestmove" | "play", word) if Path::new(word).exists() => "--player",
        ("match" | "tournament", "-o" | "--output" | "--out") => "--games-out",
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

/// The verb that was typed, by its present name.
fn verb() -> Option<String> {
    Some(present_name(std::env::args_os().nth(1)?.to_str()?))
}

/// The name of a verb, which may be typed by an earlier name.
fn present_name(verb: &str) -> String {
    super::command().find_subcommand(verb).map_or(verb, Command::get_name).to_owned()
}

/// What follows the list of what is missing.
fn usage(rest: &str) -> &str {
    rest.find("Usage:").map_or(rest, |at| &rest[at..])
}

/// The word that was likely meant. Clap suggests what has a few letters in common, too.
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
        let word = nearest_name(&refusal.get(typed)?.to_string(), words)?;
        let is_command = typed == ContextKind::InvalidSubcommand;
        Some(if is_command { present_name(word) } else { word.to_owned() })
    })
}

/// Why the command that was typed has no `--game`.
fn why_no_game() -> &'static str {
    let words: Vec<String> = std::env::args_os().skip(1).take(2).map(shown).collect();
    match [0, 1].map(|place| words.get(place).map_or("", String::as_str)) {
        ["uci" | "accuracy" | "endgame", _] => "this is about ayo alone",
        ["kalah", _] => "this is about kalah alone",
        _ => {
            "bestmove, play, eval, analyse, match, tournament, openings, perft, ablate, bench, train and book build take it, and weights, \
             settings and run folders say themselves which game they are of"
        }
    }
}

fn is_about_a_game(refusal: &Error) -> bool {
    let unknown = refusal.get(ContextKind::InvalidArg);
    refusal.kind() == ErrorKind::UnknownArgument
        && unknown.is_some_and(|argument| argument.to_string().starts_with("--game"))
}
