//! Completions for shells: of commands and flags by `clap`, and of the names that their values may have.

use std::io::Write;

use arena::player::{LEVELS, kind_names};
use clap::builder::{PossibleValuesParser, Resettable};
use clap::{Args, Command, ValueHint};
use clap_complete::{Shell, generate};
use mancala::eval::{Format, Weights};
use mancala::game::GameKind;
use mancala::game::ayo::Rules;

use crate::plot::What;
use evolve::run::{presets, setting_names};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Shell to write completions for
    shell: Shell,
}

const AFTER_HELP: &str = "\
Bash: ayo completions bash > ~/.local/share/bash-completion/completions/ayo
Zsh:  ayo completions zsh > _ayo, in a folder of $fpath
Fish: ayo completions fish > ~/.config/fish/completions/ayo.fish";

pub(super) fn run(
    arguments: &Arguments,
    command: Command,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut with_values(command), "ayo", &mut script);
    let script = with_files(arguments.shell, &String::from_utf8(script)?);
    Ok(out.write_all(script.as_bytes())?)
}

/// The command whose arguments say which values they may have. It is for completions alone: what is typed is checked
/// where it is read, with errors that say more.
fn with_values(command: Command) -> Command {
    let verbs: Vec<String> =
        command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    let command = verbs.iter().fold(command, |it, verb| it.mut_subcommand(verb, with_values));
    let verb = command.get_name().to_owned();
    command.mut_args(|argument| {
        // Clap's own flags, and those with a list of their own.
        if !argument.get_action().takes_values() || !argument.get_possible_values().is_empty() {
            return argument;
        }
        match (values(&verb, argument.get_id().as_str()), is_path(argument.get_value_names())) {
            // A default need not be among the names.
            (Some(values), _) => {
                let argument = argument.default_value(Resettable::Reset);
                argument.value_parser(PossibleValuesParser::new(values))
            }
            (None, true) => argument.value_hint(ValueHint::AnyPath),
            (None, false) => argument,
        }
    })
}

/// The names that an argument of a verb may have as values; none if anything goes.
fn values(verb: &str, argument: &str) -> Option<Vec<&'static str>> {
    let weights = || Weights::names();
    let players = || kind_names().into_iter().chain(LEVELS.map(|it| it.name)).chain(weights());
    Some(match (verb, argument) {
        (_, "preset") | ("compare", "contestants") => presets().collect(),
        (_, "rules") => Rules::PRESETS.map(|(name, _)| name).to_vec(),
        (_, "game") => GameKind::ALL.map(GameKind::name).to_vec(),
        (_, "signs") => vec!["signed", "literal"],
        // Clap wants names that last as long as the program, which ends soon.
        ("train" | "resume", "set") => {
            setting_names().into_iter().map(|name| &*format!("{name}=").leak()).collect()
        }
        ("train", "features") => {
            let sets = GameKind::ALL.into_iter().flat_map(GameKind::feature_sets);
            sets.map(|(name, _)| name).collect()
        }
        ("plot", "what") => What::all().map(What::name).collect(),
        ("match", "a" | "b") | ("tournament" | "accuracy", "players") | (_, "player") => {
            players().collect()
        }
        (_, "weights" | "start_from") | ("export", "from") => weights().collect(),
        ("export", "format") => Format::ALL.map(Format::name).to_vec(),
        _ => return None,
    })
}

fn is_path(names: Option<&[clap::builder::Str]>) -> bool {
    let is_path = |name: &clap::builder::Str| name.contains("DIR") || name.contains("FILE");
    names.is_some_and(|names| names.iter().any(is_path))
}

/// Files too where names are offered, since most of the names stand for something that a file or a folder may hold as
/// well. Bash falls back to files itself.
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

/// A function of zsh that offers its arguments and files.
const NAMES_OR_FILES: &str = "
_ayo_names_or_files() {
    _alternative \"names:name:($*)\" 'files:file:_files'
}
";

/// A line in which names of players or weights are the values, in brackets behind a colon.
fn with_files_in_zsh(line: &str) -> String {
    let first = [kind_names().first().copied(), Weights::names().next()];
    let begins = first.into_iter().flatten().find_map(|name| line.find(&format!(":({name} ")));
    let Some((before, list)) = begins.map(|at| line.split_at(at)) else { return line.into() };
    // A word behind a blank is a function that is called with what follows.
    format!("{before}{}", list.replacen(":(", ": _ayo_names_or_files ", 1).replacen(")'", "'", 1))
}
