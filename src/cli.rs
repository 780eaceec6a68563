//! The command line: the list of commands, argument parsing and dispatch.

mod completions;
pub(crate) mod game;
mod help;
pub(crate) mod refusal;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Command, CommandFactory, FromArgMatches, Parser};

use crate::analyse::{ablate, accuracy, bestmove, eval, replay};
use crate::solve::{book, endgame, kalah, perft};
use crate::terminal::{self, Usage, fail, sentence, usage};
use crate::train::{self, follow, inspect, resume, runs, select, stop};
use crate::{bench, convert, doctor, export, os, plot, serve, task};

/// A group of commands: its title, and the names of the commands' enum variants (which have no hyphens).
pub(crate) type Group = (&'static str, &'static [&'static str]);

/// Declares commands. Each command needs a help text (`///`), an argument type and a function that runs the command.
macro_rules! verbs {
    ($(#[doc = $help:literal] $(#[$attribute:meta])* $verb:ident($arguments:ty) => $run:expr,)*) => {
        #[derive(Debug, clap::Args)]
        pub(crate) struct Arguments {
            #[command(subcommand)]
            verb: Verb,
        }

        #[derive(Debug, clap::Subcommand)]
        enum Verb {
            $(#[doc = $help] $(#[$attribute])* $verb(Box<$arguments>),)*
        }

        pub(crate) fn run(
            arguments: &Arguments,
            out: &mut dyn std::io::Write,
        ) -> anyhow::Result<std::process::ExitCode> {
            Ok(match &arguments.verb {
                $(Verb::$verb(it) => std::process::Termination::report(($run)(it, out)?),)*
            })
        }
    };
}
pub(crate) use verbs;

/// Like `verbs!`, but takes several groups of commands, each with a title.
macro_rules! groups {
    ($($title:literal: {
        $(#[doc = $help:literal] $(#[$attribute:meta])* $verb:ident($arguments:ty) => $run:expr,)*
    })*) => {
        verbs! { $($(#[doc = $help] $(#[$attribute])* $verb($arguments) => $run,)*)* }

        const GROUPS: &[Group] = &[$(($title, &[$(stringify!($verb)),*]),)*];
    };
}

/// Trains the evaluation function of a mancala player with a genetic algorithm.
#[derive(Debug, Parser)]
#[command(name = "ayo", version, max_term_width = 100, after_help = help::MANUAL.join("\n\n"))]
struct CommandLine {
    /// Show progress as lines and boards in words, for screen readers; the default if TERM is dumb
    #[arg(long, global = true)]
    plain: bool,
    #[command(flatten)]
    arguments: Arguments,
}

groups! {
    "Train": {
        /// Train weights in a run folder, which can be resumed
        Train(train::Arguments) => train::run,
        /// Resume a stopped run, or extend a run to more generations
        Resume(resume::Arguments) => resume::run,
        /// Show the progress of a run in another process
        Follow(follow::Arguments) => follow::run,
        /// Stop training in a run folder, like Ctrl-C
        Stop(stop::Arguments) => stop::run,
        /// List run folders with their state and resume command
        Runs(runs::Arguments) => runs::run,
        /// Describe a run folder, a checkpoint or a weights file
        Inspect(inspect::Arguments) => inspect::run,
        /// Plot runs and the results of matches and tournaments
        Plot(plot::Arguments) => plot::run,
        /// Select a run's champion again in games between finalists
        #[command(alias = "champion")]
        Select(select::Arguments) => select::run,
        /// Export a champion's weights for use in another program
        Export(export::Arguments) => export::run,
    }
    "Evaluate": {
        /// Play a match between two players and estimate the difference in strength
        Match(crate::matches::two_players::Arguments) => crate::matches::two_players::run,
        /// Play a tournament between several players and rate them
        Tournament(crate::matches::tournament::Arguments) => crate::matches::tournament::run,
        /// Report on runs in one page: progress, the evidence for it, and what to do next
        Report(crate::report::Arguments) => crate::report::run,
        /// Compare presets and other optimisers at equal training budgets
        Compare(crate::compare::Arguments) => crate::compare::run,
        /// Measure the value of each feature in games without it
        Ablate(ablate::Arguments) => ablate::run,
        /// Measure how close players come to perfect play, using endgame tables
        Accuracy(accuracy::Arguments) => accuracy::run,
        /// Show the features of a position and how weights evaluate them
        Eval(eval::Arguments) => eval::run,
    }
    "Play": {
        /// Play against a player in the terminal
        Play(crate::play::Arguments) => crate::play::run,
        /// Play, watch runs and compare them in the browser
        #[cfg_attr(not(feature = "web"), command(hide = true))]
        Serve(serve::Arguments) => serve::run,
        /// Show the move that a player chooses
        #[command(alias = "move")]
        Bestmove(bestmove::Arguments) => bestmove::run,
        /// Check recorded games and analyse their moves with a player
        #[command(alias = "replay")]
        Analyse(replay::Arguments) => replay::run,
        /// Convert positions and games to and from the formats of other programs
        Convert(convert::Arguments) => convert::run,
        /// Run as an engine that speaks the Oware engine protocol on standard input and output
        Uci(crate::play::uci::Arguments) => crate::play::uci::run,
    }
    "Solve": {
        /// Solve, check and count positions with few seeds
        Endgame(endgame::Arguments) => endgame::run,
        /// Build, show, check and export opening books
        Book(book::Arguments) => book::run,
        /// Solve small Kalah boards
        Kalah(kalah::Arguments) => kalah::run,
    }
    "Tools": {
        /// Report damaged files in a folder, with commands to recover them
        Doctor(doctor::Arguments) => doctor::run,
        /// Compute parts of a run on several machines
        Task(task::Arguments) => task::run,
        /// Generate shell completions
        Completions(completions::Arguments) => |it, out| completions::run(it, command(), out),
        /// Generate manual pages
        Man(completions::ManArguments) => |it, out| completions::man(it, command(), out),
        /// List the openings of a suite
        Openings(crate::matches::openings::Arguments) => crate::matches::openings::run,
        /// Count the lines of play to a given depth
        Perft(perft::Arguments) => perft::run,
        /// Measure the speed of searches, games and training
        Bench(bench::Arguments) => bench::run,
    }
}

fn command() -> Command {
    CommandLine::command()
}

/// Parses the command line. The first argument must be the program name.
fn parsed(words: Vec<OsString>, command: &mut Command) -> Result<CommandLine, clap::Error> {
    let words = normalised(words, command);
    let mut matches = command.try_get_matches_from_mut(words)?;
    let line = CommandLine::from_arg_matches_mut(&mut matches);
    line.map_err(|error| error.format(command))
}

/// Parses the command line and runs the command.
pub fn main() -> ExitCode {
    os::meet_bad_files();
    let words: Vec<OsString> = std::env::args_os().collect();
    // We never wrap output that is meant for other programs.
    let marks = ["export", "completions", "man", "uci", "--json", "--dry-run"];
    let wraps = !words.iter().any(|word| marks.iter().any(|mark| word == mark));
    let plain_words: Vec<String> = words.iter().skip(1).map(terminal::shown).collect();
    let topic: Vec<&str> =
        plain_words.iter().map(String::as_str).filter(|it| *it != "--plain").collect();
    let mut command = command();
    let help = help::text(&topic, &command, GROUPS);
    let command = match (help, parsed(words, &mut command)) {
        (Some(text), _) => Err(text),
        (None, Ok(line)) => Ok(line),
        (None, Err(refusal)) => return refusal::print(refusal),
    };
    terminal::set_plain(command.as_ref().is_ok_and(|line| line.plain));
    let mut out = terminal::output(wraps);
    let ready = terminal::check_output().map_err(anyhow::Error::from);
    let done = ready
        .and_then(|()| match &command {
            Ok(line) => run(&line.arguments, &mut out),
            Err(text) => Ok(out.write_all(text.as_bytes()).map(|()| ExitCode::SUCCESS)?),
        })
        .and_then(|code| Ok(out.flush().map(|()| code)?));
    let is_broken_pipe = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    match done {
        Ok(code) => code,
        // A closed pipe isn't a failure, because the program that reads our output (e.g. `head`) may have seen enough.
        Err(error) if error.downcast_ref().is_some_and(is_broken_pipe) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = out.flush();
            fail(sentence(&error));
            ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
        }
    }
}

/// Prefixes of the parameters of a sequential test. fastchess takes these parameters as separate arguments.
const SPRT_TERMS: [&str; 5] = ["elo0=", "elo1=", "alpha=", "beta=", "model="];

/// Accepts the syntax of fastchess and similar programs (`-games 10`, `--sprt elo0=0 elo1=10`) by
/// adding a missing dash to long options and joining the parameters of a sequential test.
fn normalised(words: Vec<OsString>, command: &Command) -> Vec<OsString> {
    let verb = words.iter().skip(1).find_map(|word| command.find_subcommand(word));
    let Some(verb) = verb else { return words };
    let mut normal: Vec<OsString> = Vec::new();
    for word in words {
        let Some(text) = word.to_str() else {
            normal.push(word);
            continue;
        };
        let is_term = SPRT_TERMS.iter().any(|term| text.starts_with(term));
        match normal.as_mut_slice() {
            [.., option, terms] if is_term && *option == *"--sprt" => {
                terms.push(format!(",{text}"))
            }
            _ if lacks_a_dash(text, verb) => normal.push(format!("-{text}").into()),
            _ => normal.push(word),
        }
    }
    normal
}

/// Returns whether an argument with a single dash (e.g. `-games`) was probably meant as a long option.
fn lacks_a_dash(word: &str, verb: &Command) -> bool {
    let Some(name) = word.strip_prefix('-').filter(|name| name.len() > 1) else { return false };
    let name = name.split('=').next().unwrap_or(name);
    let is_word =
        name.chars().all(|c| c.is_ascii_alphabetic() || c == '-') && !name.starts_with('-');
    let is_long = verb.get_arguments().any(|it| it.get_long() == Some(name));
    let is_short = verb.get_arguments().any(|it| it.get_short() == name.chars().next());
    is_word && (is_long || !is_short && !name.starts_with(['h', 'V']))
}

#[cfg(test)]
mod tests {
    #[test]
    fn help_of_every_option() {
        fn check(command: &clap::Command) {
            let bare = command.get_arguments().find(|it| it.get_help().is_none());
            assert_eq!(bare.map(|it| it.get_id()), None, "an option of {command} has no help text");
            command.get_subcommands().for_each(check);
        }
        check(&super::command());
    }
}
