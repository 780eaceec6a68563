//! Generates manual pages, and shell completions for commands, flags and the values of arguments.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use arena::exchange;
use arena::player::{LEVELS, kind_names};
use clap::builder::{PossibleValuesParser, Resettable};
use clap::{Args, Command, ValueHint};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use mancala::eval::{Format, Weights};
use mancala::game::GameKind;
use mancala::game::ayo::Rules;

use crate::terminal::shown;
use evolve::run::{all_settings, presets};
use mancala::store;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Shell to generate completions for
    shell: Shell,
}

const AFTER_HELP: &str = "\
Bash: ayo completions bash > ~/.local/share/bash-completion/completions/ayo
Zsh:  ayo completions zsh > _ayo, in a folder of $fpath
Fish: ayo completions fish > ~/.config/fish/completions/ayo.fish";

pub(super) fn run(arguments: &Arguments, command: Command, out: &mut dyn Write) -> Result<()> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut with_values(command), "ayo", &mut script);
    let script = with_files(arguments.shell, &String::from_utf8(script)?);
    Ok(out.write_all(script.as_bytes())?)
}

/// Adds the names that arguments accept, but only for completions. When a command runs, it checks its arguments itself,
/// because its error messages are better than those of `clap`.
fn with_values(command: Command) -> Command {
    let verbs: Vec<String> =
        command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    let command = verbs.iter().fold(command, |it, verb| it.mut_subcommand(verb, with_values));
    let verb = command.get_name().to_owned();
    command.mut_args(|argument| {
        // Skip flags without a value and arguments that already list their values.
        if !argument.get_action().takes_values() || !argument.get_possible_values().is_empty() {
            return argument;
        }
        match (values(&verb, argument.get_id().as_str()), is_path(argument.get_value_names())) {
            // Remove the default value, because it may not be one of the names.
            (Some(values), _) => {
                let argument = argument.default_value(Resettable::Reset);
                argument.value_parser(PossibleValuesParser::new(values))
            }
            (None, true) => argument.value_hint(ValueHint::AnyPath),
            (None, false) => argument,
        }
    })
}

/// Returns the names that an argument of a command accepts, or `None` if the argument accepts any value.
fn values(verb: &str, argument: &str) -> Option<Vec<&'static str>> {
    let weights = || Weights::names();
    let players = || kind_names().into_iter().chain(LEVELS.map(|it| it.name)).chain(weights());
    Some(match (verb, argument) {
        (_, "preset") | ("compare", "contestants") => presets().collect(),
        (_, "rules") => Rules::PRESETS.map(|(name, _)| name).to_vec(),
        (_, "game") => GameKind::ALL.map(GameKind::name).to_vec(),
        (_, "signs") => vec!["signed", "literal"],
        // clap requires `'static` strings. Leaking them is harmless, because we're about to exit.
        ("train" | "resume", "set") => {
            all_settings().iter().map(|it| &*format!("{}=", it.name).leak()).collect()
        }
        ("train", "features") => {
            let sets = GameKind::ALL.into_iter().flat_map(GameKind::feature_sets);
            sets.map(|(name, _)| name).collect()
        }
        ("match", "a" | "b") | ("tournament" | "accuracy", "players") | (_, "player") => {
            players().collect()
        }
        (_, "weights" | "start_from") | ("export", "from") => weights().collect(),
        ("convert", "from" | "to") => exchange::Format::ALL.map(exchange::Format::name).to_vec(),
        ("export", "format") => Format::ALL.map(Format::name).to_vec(),
        _ => return None,
    })
}

fn is_path(names: Option<&[clap::builder::Str]>) -> bool {
    let is_path = |name: &clap::builder::Str| name.contains("DIR") || name.contains("FILE");
    names.is_some_and(|names| names.iter().any(is_path))
}

/// Changes the script so that it offers files in addition to names, because most arguments that accept a name also
/// accept a file or folder. (Bash falls back to files on its own.)
fn with_files(shell: Shell, script: &str) -> String {
    match shell {
        Shell::Fish => script.replace(" -r -f -a ", " -r -a "),
        Shell::Zsh => {
            let lines = script.lines().map(|line| {
                if line.starts_with("#compdef") {
                    format!("{line}\n{NAMES_OR_FILES}")
                } else {
                    with_files_in_zsh(line)
                }
            });
            lines.collect::<Vec<_>>().join("\n") + "\n"
        }
        _ => script.to_owned(),
    }
}

/// A zsh function that offers file names as well as the words passed to it.
const NAMES_OR_FILES: &str = "
_ayo_names_or_files() {
    _alternative \"names:name:($*)\" 'files:file:_files'
}
";

/// If a line of the zsh script lists players or weights, as in `:(NAME …)`, then changes it to offer files as well.
fn with_files_in_zsh(line: &str) -> String {
    let first = [kind_names().first().copied(), Weights::names().next()];
    let begins = first.into_iter().flatten().find_map(|name| line.find(&format!(":({name} ")));
    let Some((before, list)) = begins.map(|at| line.split_at(at)) else { return line.into() };
    // If a space follows the colon, then zsh calls the next word as a function and passes the remaining words to it.
    format!("{before}{}", list.replacen(":(", ": _ayo_names_or_files ", 1).replacen(")'", "'", 1))
}

#[derive(Debug, Args)]
#[command(after_help = MAN_HELP)]
pub(super) struct ManArguments {
    /// Folder for the pages of all commands; without it, the page of ayo itself is printed
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

const MAN_HELP: &str = "\
To install the pages: ayo man ~/.local/share/man/man1
To view a page without installing: ayo man | man -l -";

pub(super) fn man(arguments: &ManArguments, command: Command, out: &mut dyn Write) -> Result<()> {
    let Some(folder) = &arguments.folder else {
        let mut command = command.disable_help_subcommand(true);
        command.build();
        return Ok(Man::new(command).render(out)?);
    };
    store::create_folder(folder)?;
    clap_mangen::generate_to(command, folder)
        .with_context(|| format!("cannot write pages to {}", shown(folder)))?;
    Ok(writeln!(out, "wrote pages to {}", shown(folder))?)
}
