//! The command line: the list of subcommands, argument parsing and dispatch.

mod completions;
pub(crate) mod game;
mod man;
pub(crate) mod refusal;
pub(crate) mod verbs;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};

use self::verbs::groups;
use crate::analyse::{ablate, accuracy, bestmove, eval, replay};
use crate::solve::{book, endgame, kalah, perft};
use crate::terminal::{self, Usage, fail, is_broken_pipe, sentence, usage};
use crate::{bench, convert, doctor, export};

use crate::plot::command as plot;
use crate::train::{self, follow, inspect, resume, runs, select, stop};
use crate::{os, serve, task};

/// Trains the evaluation function of a mancala player with a genetic algorithm.
#[derive(Debug, Parser)]
#[command(name = "ayo", version, max_term_width = 100, after_help = AFTER_HELP)]
struct CommandLine {
    #[command(flatten)]
    arguments: Arguments,
}

const AFTER_HELP: &str = "\
Players are written kind[:key=value,…]: minimax:weights=NAME|FILE|DIR,depth=5,signs=signed, \
engine:movetime=1s,threads=1,hash=64,tables=DIR|likely|off,book=builtin|FILE|off (for timed games), \
plain-minimax:… (no pruning), rbh:plies=4,metric=correlation,bluff=0.99, \
amdf:depth=6,training=self-play:100, random:seed=7, greedy, uci:cmd=\"PROGRAM ARGUMENTS\",depth=6 (an \
external engine), in kalah also kansas:heuristics=h1+h2,depth=5 (without knowledge of the win). A player can also be \
a level (initiation, beginner, amateur or grandmaster), or just weights, which are searched to depth 5. Weights are a \
name (seeds, daoud2004-depth3, daoud2004-depth5, aalina4, reference or learned; stores in kalah), features joined by \
+, such as h1+h2, a weights file or a run folder.

Positions are written as twelve pits A–F a–f, South's store, North's store and the side to move: \
4-4-4-4-4-4-4-4-4-4-4-4-0-0-S. Lines are written FfEaCe or 4S6, 4N6, 5S5(2). \
In kalah, positions follow the board: A–F, South's store, a–f, North's store, and the side to move, 1 for South or 2 \
for North: 4-4-4-4-4-4-0-4-4-4-4-4-4-0-1. Lines contain only letters: CFa.

Exit codes: 0 success, 1 failure, 2 incorrect usage, 3 and 4 see match and task next, 130 interrupted.";

groups! {
    "Train": {
        /// Train weights in a run folder, which can be resumed
        Train(train::Arguments) => train::run,
        /// Resume a stopped run, or extend a run to more generations
        Resume(resume::Arguments) => resume::run,
        /// Show the progress of a run in another process
        Follow(follow::Arguments) => follow::run,
        /// Stop training in a run folder, as Ctrl-C does
        Stop(stop::Arguments) => stop::run,
        /// List run folders with their state and resume command
        Runs(runs::Arguments) => runs::run,
        /// Describe a run folder, a checkpoint or a weights file
        Inspect(inspect::Arguments) => inspect::run,
        /// Plot runs and the results of matches and tournaments
        Plot(plot::Arguments) => plot::run,
        /// Select the champion of a run again in games between finalists
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
        /// Report on runs in one page: progress, its evidence, and what to do next
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
        /// Speak the Oware engine protocol on standard input and output
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
        /// Report damaged files in a folder and the commands that recover them
        Doctor(doctor::Arguments) => doctor::run,
        /// Compute parts of a run on several machines
        Task(task::Arguments) => task::run,
        /// Generate shell completions
        Completions(completions::Arguments) => |it, out| completions::run(it, command(), out),
        /// Generate manual pages
        Man(man::Arguments) => |it, out| man::run(it, command(), out),
        /// List the openings of a suite
        Openings(crate::matches::openings::Arguments) => crate::matches::openings::run,
        /// Count the lines of play to a given depth
        Perft(perft::Arguments) => perft::run,
        /// Measure the speed of searches, games and training
        Bench(bench::Arguments) => bench::run,
    }
}

/// Returns the `clap` command with its subcommands in groups.
fn command() -> clap::Command {
    verbs::in_groups(CommandLine::command(), GROUPS)
}

/// Parses a command line whose first word is the name of the program.
fn parsed(words: impl IntoIterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    let mut matches = command().try_get_matches_from(words)?;
    let line = CommandLine::from_arg_matches_mut(&mut matches);
    line.map(|line| line.arguments).map_err(|error| error.format(&mut command()))
}

/// Parses the command line and runs its subcommand.
pub fn main() -> ExitCode {
    os::meet_bad_files();
    let arguments = match parsed(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(refusal) => return refusal::print(refusal, |words| parsed(words).err()),
    };
    let mut out = terminal::output();
    let ready = terminal::check_output().map_err(anyhow::Error::from);
    let done = ready
        .and_then(|()| run(&arguments, &mut out))
        .and_then(|code| Ok(out.flush().map(|()| code)?));
    match done {
        Ok(code) => code,
        // The program that reads our output has closed the pipe, which is not a failure.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = out.flush();
            fail(sentence(&error));
            ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
        }
    }
}
