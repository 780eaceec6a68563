//! The completely determined game: one file a verb below.

mod boards;
mod conjecture;
mod distance;
mod matching;
mod maximal;
mod span;
mod sums;

use std::io::Write;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Draw a row of table 3.5 as a board
    Position(boards::Arguments),
    /// Play a row of table 3.5 out, capture by capture (tables 3.5 and 3.6)
    Play(boards::Arguments),
    /// Say how far rows are from a CDG: remainder and its sum
    Distance(distance::Arguments),
    /// List the largest CDG of boards of several sizes (table 3.2)
    Maximal(maximal::Arguments),
    /// List s(n), f(n) and g(n) of boards of several sizes (table 3.4), or draw s(n)·π/n²
    Sums(sums::Arguments),
    /// List which numbers of seeds make matching groups, and the periods of the others (tables 3.7, 3.8)
    Matching(matching::Arguments),
    /// Test conjecture 1, a closed form of f(n)
    Conjecture(conjecture::Arguments),
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    match &arguments.verb {
        Verb::Position(arguments) => boards::position(arguments, out),
        Verb::Play(arguments) => boards::play(arguments, out),
        Verb::Distance(arguments) => distance::run(arguments, out),
        Verb::Maximal(arguments) => maximal::run(arguments, out),
        Verb::Sums(arguments) => sums::run(arguments, out),
        Verb::Matching(arguments) => matching::run(arguments, out),
        Verb::Conjecture(arguments) => conjecture::run(arguments, out),
    }
}

/// Numbers joined by a separator.
fn joined(numbers: &[u32], separator: &str) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(separator)
}
