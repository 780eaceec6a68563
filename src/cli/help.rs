//! Top-level help: the list of everyday commands, the list of all commands, and other topics.

use clap::Command;
use evolve::optimise::Entry;
use evolve::run::all_settings;
use mancala::game::{Feature, GameKind};

use super::Group;
use crate::train::by_group;

const EVERYDAY: [&str; 10] =
    ["train", "resume", "runs", "report", "plot", "export", "match", "play", "serve", "analyse"];

const PLAYERS: &str = "\
Players are written kind[:key=value,…]: minimax:weights=NAME|FILE|DIR,depth=5,signs=signed, \
engine:movetime=1s,threads=1,hash=64,tables=DIR|likely|off,book=builtin|FILE|off (for timed games), \
plain-minimax:… (no pruning), rbh:plies=4,metric=correlation,bluff=0.99, \
amdf:depth=6,training=self-play:100, random:seed=7, greedy, uci:cmd=\"PROGRAM ARGUMENTS\",depth=6 (an \
external engine; the default limit is depth 5), in kalah also kansas:heuristics=h1+h2,depth=5 (without \
knowledge of the win). A player can also be a level (initiation, beginner, amateur or grandmaster), or just weights, \
which play at depth 5. Weights are a name (seeds, daoud2004-depth3, daoud2004-depth5, aalina4, standard-0.1, \
standard-0.2, learned-0.2, reference or learned; stores in kalah), features joined by +, \
such as h1+h2, a weights file or a run folder.";

const POSITIONS: &str = "\
Positions are written as twelve pits A–F a–f, South's store, North's store and the side to move: \
4-4-4-4-4-4-4-4-4-4-4-4-0-0-S. Lines are written FfEaCe or 4S6, 4N6, 5S5(2). \
In kalah, positions follow the board: A–F, South's store, a–f, North's store, and the side to move, 1 for South or 2 \
for North: 4-4-4-4-4-4-0-4-4-4-4-4-4-0-1. Lines contain only letters: CFa.";

/// The topics of `ayo help` that are not commands.
pub(super) const TOPICS: [&str; 5] = ["all", "players", "positions", "features", "settings"];

const EXIT_CODES: &str = "\
Exit codes: 0 success, 1 failure, 2 incorrect usage, 3 and 4 see match and task next, 130 interrupted.";

/// The text that follows the options, both in the list of all commands and in the manual page.
pub(super) const MANUAL: [&str; 3] = [PLAYERS, POSITIONS, EXIT_CODES];

const MORE: &str = "\
\"ayo COMMAND --help\" describes a command, and \"ayo help all\" lists the others. Further topics: \"ayo help players\", \
\"ayo help positions\", \"ayo help features\", \"ayo help settings\".";

const SETTINGS: &str = "\
Settings for --set NAME=VALUE and for ayo train --config FILE, with their values in the preset standard or, for \
settings that it lacks, in another preset. \"ayo train --preset NAME --dry-run\" prints the settings of a preset.";

/// Returns the text for `ayo --help` and `ayo help TOPIC`, or `None` for any other command line.
pub(super) fn text(words: &[&str], command: &Command, groups: &[Group]) -> Option<String> {
    Some(match words {
        ["-h" | "--help" | "help"] | ["help", "--help"] => {
            overview(command, &listed(command, &EVERYDAY), MORE)
        }
        ["help", "all" | "--all"] | ["--help", "--all"] => {
            let group = |(title, names): &Group| format!("{title}:\n{}\n", listed(command, names));
            overview(command, &groups.iter().map(group).collect::<String>(), &MANUAL.join("\n\n"))
        }
        ["help", "players"] => paragraphs(PLAYERS),
        ["help", "positions"] => paragraphs(POSITIONS),
        ["help", "features"] => GameKind::ALL.into_iter().map(features).collect(),
        ["help", "settings"] => settings(),
        _ => return None,
    })
}

fn overview(command: &Command, commands: &str, more: &str) -> String {
    let template =
        "{about-with-newline}\n{usage-heading} {usage}\n\nCOMMANDS\n\nOptions:\n{options}\n\n";
    let mut shown = command.clone().help_template(template).after_help(None::<&str>);
    let text = shown.render_help().to_string().replace("COMMANDS", commands.trim_end());
    format!("{}\n\n{}", text.trim_end(), paragraphs(more))
}

/// Lists commands with their descriptions. Hidden commands are omitted, because they aren't part of this build.
fn listed(command: &Command, names: &[&str]) -> String {
    // We compare without hyphens, because the names of enum variants don't contain any.
    let known = names.iter().map(|name| {
        let has = |it: &&Command| it.get_name().replace('-', "").eq_ignore_ascii_case(name);
        command.get_subcommands().find(has).unwrap_or_else(|| panic!("there is no command {name}"))
    });
    let about = |it: &Command| it.get_about().map(ToString::to_string).unwrap_or_default();
    let known = known.filter(|it| !it.is_hide_set());
    table(known.map(|it| (it.get_name().into(), about(it))))
}

fn settings() -> String {
    let row = |it: &Entry| (it.name.into(), format!("{} [{}]", it.meaning, it.value));
    let group =
        |(title, all): (_, Vec<Entry>)| format!("\n{title}:\n{}", table(all.iter().map(row)));
    paragraphs(SETTINGS) + &by_group(all_settings()).into_iter().map(group).collect::<String>()
}

fn features(game: GameKind) -> String {
    let families = game.members().into_iter().map(|members| members[0]);
    let all = game.features().into_iter().chain(families);
    let set = |(name, all): (&str, Vec<Feature>)| {
        let names: Vec<&str> = all.iter().take(20).map(|it| it.name()).collect();
        (name.into(), names.join(", ") + if all.len() > 20 { ", …" } else { "" })
    };
    format!(
        "Features of {game}, and the first member of each family:\n{}\nFeature sets:\n{}\n",
        table(all.map(|it| (it.name().into(), it.meaning().into()))),
        table(game.feature_sets().into_iter().map(set))
    )
}

/// Formats names and descriptions as a table, which `clap` wraps to the terminal width.
fn table(rows: impl Iterator<Item = (String, String)>) -> String {
    // clap requires `'static` strings. Leaking them is harmless, because we're about to exit.
    let rows = rows.map(|(name, about)| Command::new(&*name.leak()).about(about));
    bare("{subcommands}\n").subcommands(rows).render_help().to_string()
}

fn paragraphs(text: &str) -> String {
    bare("{after-help}").after_help(text.to_owned()).render_help().to_string().trim_start().into()
}

fn bare(template: &'static str) -> Command {
    Command::new("ayo").max_term_width(100).disable_help_subcommand(true).help_template(template)
}
