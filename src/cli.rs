//! The command line: one file a verb. Only here is anything printed.

mod ablate;
mod accuracy;
mod amdf;
mod bench;
mod book;
mod cdg;
mod champion;
mod compare;
mod contest;
mod doctor;
mod endgame;
mod error;
mod eval;
mod export;
mod game;
mod inspect;
mod interrupt;
mod kalah;
mod matches;
mod meter;
mod moves;
mod openings;
mod output;
mod perft;
mod play;
mod plot;
mod progress;
mod replay;
mod resume;
mod runs;
#[cfg(feature = "web")]
mod serve;
#[cfg(not(feature = "web"))]
#[path = "cli/without_serve.rs"]
mod serve;
mod shell;
mod stop;
mod study;
mod terminal;
mod tournament;
mod train;
mod uci;
mod verbs;
mod workers;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ErrorKind};

use self::error::{Usage, is_broken_pipe, sentence, usage};
use self::output::{announce, check_picture, print_json, print_json_line};
use self::verbs::verbs;

use self::terminal::{shown, warn};
use crate::os;

/// Trains the evaluation function of a mancala player by a genetic algorithm.
#[derive(Debug, Parser)]
#[command(name = "ayo", version, max_term_width = 100, after_help = AFTER_HELP)]
struct CommandLine {
    #[command(flatten)]
    arguments: Arguments,
}

const AFTER_HELP: &str = "\
Players are written kind[:key=value,…]: minimax:weights=NAME|FILE|DIR,depth=5,signs=signed, \
engine:movetime=1s,threads=1,hash=64,tables=DIR|off,book=builtin|FILE|off,search=DIR (for a clock), \
plain-minimax:… (no pruning), rbh:plies=4,metric=correlation,bluff=0.99, \
amdf:depth=6,training=self-play:100, random:seed=7, greedy, uci:cmd=\"PROGRAM ARGUMENTS\",depth=6 (an \
external engine), or a level: initiation, beginner, amateur, grandmaster; \
in kalah also kansas:heuristics=h1+h2,depth=5 (without knowledge of the win). Weights are named seeds, daoud2004-depth3, \
daoud2004-depth5, aalina4, reference or learned, in kalah stores, are features joined by +, as h1+h2, or are a weights file or a run folder.

Positions are written as twelve pits A–F a–f, South's store, North's store and the side to move: \
4-4-4-4-4-4-4-4-4-4-4-4-0-0-S. Lines are written FfEaCe or 4S6, 4N6, 5S5(2). \
In kalah positions go round the board, A–F, South's store, a–f, North's store, and the side to move, 1 for South or 2: \
4-4-4-4-4-4-0-4-4-4-4-4-4-0-1, and lines are letters alone: CFa.

Exit codes: 0 done, 1 it failed, 2 the command was wrong, 3 and 4 see match, 130 it was interrupted.";

verbs! {
    /// Train weights; the folder of the run can be plotted, exported, played with and resumed
    Train(train::Arguments) => train::run,
    /// Go on with a run that was stopped, or raise its number of generations
    Resume(resume::Arguments) => resume::run,
    /// Ask the process that trains in a run folder to stop, as Ctrl-C does
    Stop(stop::Arguments) => stop::run,
    /// Draw runs, and the results of matches and tournaments
    Plot(plot::Arguments) => plot::run,
    /// Choose the champion of a run anew, by games between finalists
    Champion(champion::Arguments) => champion::run,
    /// Write a champion's weights for another program
    Export(export::Arguments) => export::run,
    /// List the run folders with their state and resume command
    Runs(runs::Arguments) => runs::run,
    /// Say what a run folder, a checkpoint or a weights file holds
    Inspect(inspect::Arguments) => inspect::run,
    /// Say what in a folder is damaged, and which command saves it
    Doctor(doctor::Arguments) => doctor::run,
    /// Count the lines of play to a depth, the check of a move generator
    Perft(perft::Arguments) => perft::run,
    /// Show the features of a position and what weights make of them
    Eval(eval::Arguments) => eval::run,
    /// Let a player choose a move
    Move(moves::Arguments) => moves::run,
    /// Play against a player in the terminal
    Play(play::Arguments) => play::run,
    /// Check printed games ply by ply, and let a player judge their moves
    Replay(replay::Arguments) => replay::run,
    /// Let two players meet and say which is stronger, by how much and how surely
    Match(matches::Arguments) => matches::run,
    /// Let many players meet each other and rate them together
    Tournament(tournament::Arguments) => tournament::run,
    /// Let presets and other optimisers search at equal budgets, and say how strong each gets
    Compare(compare::Arguments) => compare::run,
    /// Say what each feature of an evaluator is worth, by games without it
    Ablate(ablate::Arguments) => ablate::run,
    /// Say how near players are to perfect play with few seeds, by endgame tables
    Accuracy(accuracy::Arguments) => accuracy::run,
    /// List the openings of a suite
    Openings(openings::Arguments) => openings::run,
    /// Solve, check and count positions with few seeds
    Endgame(endgame::Arguments) => endgame::run,
    /// Build opening books, look positions up in them, check and export them
    Book(book::Arguments) => book::run,
    /// Show the completely determined game: positions, play-outs, tables, a conjecture
    Cdg(cdg::Arguments) => cdg::run,
    /// Write the rows that the player amdf learns from
    Amdf(amdf::Arguments) => amdf::run,
    /// Solve small boards of Kalah
    Kalah(kalah::Arguments) => kalah::run,
    /// Repeat a published study, and set its figures beside the printed ones
    Study(study::Arguments) => study::run,
    /// Measure how fast everything is, and say whether it still chooses alike
    Bench(bench::Arguments) => bench::run,
    /// Play, watch runs and compare in the browser
    #[cfg_attr(not(feature = "web"), command(hide = true))]
    Serve(serve::Arguments) => serve::run,
    /// Speak the protocol of Oware engines on standard input and output
    Uci(uci::Arguments) => uci::run,
}

/// Parses the command line and does what it says.
pub fn main() -> ExitCode {
    os::meet_bad_files();
    let arguments = match CommandLine::try_parse() {
        Ok(line) => line.arguments,
        Err(refusal) if is_about_a_game(&refusal) => {
            warn(format!("there is no --game here: {}", why_no_game()));
            return ExitCode::from(2);
        }
        Err(refusal) => return refuse(refusal),
    };
    let mut out = terminal::output();
    let done = run(&arguments, &mut out).and_then(|code| Ok(out.flush().map(|()| code)?));
    match done {
        Ok(code) => code,
        // The reader of our output has closed it, which is no failure.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = out.flush();
            warn(sentence(&error));
            ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
        }
    }
}

/// Says what is wrong with the words that were typed, or what they asked `clap` for. Words that a terminal
/// would obey are read again as they are shown, since a refusal repeats them.
fn refuse(refusal: clap::Error) -> ExitCode {
    if std::env::args_os().all(|word| shown(&word) == word.to_string_lossy()) {
        return said_by_clap(&refusal);
    }
    let words = std::env::args_os().map(shown);
    let refusal = CommandLine::try_parse_from(words).err().unwrap_or(refusal);
    terminal::say_lines(&refusal.render().to_string());
    ExitCode::from(2)
}

/// Prints help, the version or a refusal.
fn said_by_clap(refusal: &clap::Error) -> ExitCode {
    match refusal.print().and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            warn(terminal::unwritten(error));
            ExitCode::FAILURE
        }
        _ => ExitCode::from(u8::try_from(refusal.exit_code()).unwrap_or(2)),
    }
}

/// Why the command that was typed has no `--game`.
fn why_no_game() -> &'static str {
    let words: Vec<String> = std::env::args().skip(1).take(2).collect();
    match [0, 1].map(|place| words.get(place).map_or("", String::as_str)) {
        ["uci" | "cdg" | "accuracy" | "endgame" | "amdf", _] | ["study", "rbh" | "amdf"] => {
            "this is about ayo alone"
        }
        ["kalah", _] | ["study", "kalah"] => "this is about kalah alone",
        _ => {
            "move, play, eval, replay, match, tournament, openings, perft, ablate, bench, train and book build take it, and weights, \
             settings and run folders say themselves which game they are of"
        }
    }
}

fn is_about_a_game(refusal: &clap::Error) -> bool {
    let unknown = refusal.get(ContextKind::InvalidArg);
    refusal.kind() == ErrorKind::UnknownArgument
        && unknown.is_some_and(|argument| argument.to_string().starts_with("--game"))
}
