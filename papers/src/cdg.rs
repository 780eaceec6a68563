//! Chapter 3 of the thesis, about the completely determined game (CDG). In this game, one side captures two seeds with
//! each move until only one seed is left.

mod commands;
mod matrix;
mod tables;
pub mod theory;

use std::io::Write;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::Subcommand;

pub use matrix::findings as matrix_findings;
pub use tables::findings;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Draw a row of table 3.5 as a board
    Position(commands::BoardArguments),
    /// Play a row of table 3.5 to the end, one capture at a time (tables 3.5 and 3.6)
    Play(commands::BoardArguments),
    /// Show how far rows are from a CDG: the remainder and its sum
    Distance(commands::DistanceArguments),
    /// List the largest CDG for boards of several sizes (table 3.2)
    Maximal(commands::MaximalArguments),
    /// List s(n), f(n) and g(n) for boards of several sizes (table 3.4), or plot s(n)·π/n²
    Sums(commands::SumsArguments),
    /// List the numbers of seeds that form matching groups, and the periods of all others (tables 3.7, 3.8)
    Matching(commands::MatchingArguments),
    /// Show payoff matrices and their saddle points (theorem 1, figure 3.11)
    Matrix(matrix::Arguments),
    /// Show the blocks that make up the largest CDG (theorem 2, figure 3.12)
    Blocks(matrix::BlocksArguments),
    /// Test propositions I to IV
    Propositions(commands::PropositionArguments),
    /// Test conjecture 1, a closed form of f(n)
    Conjecture(commands::ConjectureArguments),
}

pub fn run(command: &Command, out: &mut dyn Write) -> anyhow::Result<()> {
    match command {
        Command::Position(arguments) => commands::position(arguments, out),
        Command::Play(arguments) => commands::play(arguments, out),
        Command::Distance(arguments) => commands::distance(arguments, out),
        Command::Maximal(arguments) => commands::maximal(arguments, out),
        Command::Sums(arguments) => commands::sums(arguments, out),
        Command::Matching(arguments) => commands::matching(arguments, out),
        Command::Matrix(arguments) => matrix::run(arguments, out),
        Command::Blocks(arguments) => matrix::list_blocks(arguments, out),
        Command::Propositions(arguments) => commands::propositions(arguments, out),
        Command::Conjecture(arguments) => commands::conjecture(arguments, out),
    }
}

/// An inclusive range of numbers, written `1..26`, or a single number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    first: u32,
    last: u32,
}

impl Span {
    fn numbers(self) -> RangeInclusive<u32> {
        self.first..=self.last
    }

    /// Parses a span that ends at `MOST` or below.
    fn up_to<const MOST: u32>(text: &str) -> Result<Span, String> {
        let span: Span = text.parse()?;
        if span.last > MOST {
            return Err(format!("{} is more than {MOST}, the maximum", span.last));
        }
        Ok(span)
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let number = |text: &str| {
            text.parse::<u32>()
                .map_err(|_| format!("\"{text}\" is not a number; write 26 or 1..26"))
        };
        match (number(first)?, number(last)?) {
            (0, _) => Err("it must begin at 1 or above".into()),
            (first, last) if first > last => Err(format!("{first} is above {last}")),
            (first, last) => Ok(Span { first, last }),
        }
    }
}
