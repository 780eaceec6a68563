//! Command-line options.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use crate::report::Part;
use crate::sandbox::Sandbox;
use crate::{cuts, kills, night, writes};

/// Attacks ayo wherever a night's work could be lost, and counts failures.
///
/// --quick takes about two minutes on two cores, the default a quarter of an hour, and --cases 1000 several hours.
#[derive(Debug, Parser)]
#[command(max_term_width = 100)]
pub(crate) struct Options {
    /// Seed for all random choices
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Run a small part of the full attack
    #[arg(long)]
    quick: bool,
    /// Run only these parts, or the part night, which is not run otherwise
    #[arg(long, value_delimiter = ',')]
    only: Vec<Attack>,
    /// First case to run, to reproduce a failure
    #[arg(long, value_name = "CASE", default_value_t = 0)]
    pub(crate) from: u64,
    /// Number of cases per part
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// Hours of the part night
    #[arg(long, value_name = "H")]
    hours: Option<f64>,
    /// Keep the folders of failed cases in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) keep: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Attack {
    Kills,
    Cuts,
    Writes,
    Night,
}

type Run = fn(&Options, &Sandbox) -> Part;

impl Options {
    pub(crate) fn parts(&self) -> Vec<Attack> {
        let wanted = |part: &Attack| match self.only.as_slice() {
            [] => *part != Attack::Night,
            only => only.contains(part),
        };
        Attack::value_variants().iter().copied().filter(wanted).collect()
    }

    pub(crate) fn count(&self, attack: Attack) -> u64 {
        self.cases.unwrap_or(attack.details().1[usize::from(self.quick)])
    }

    pub(crate) fn hours(&self) -> f64 {
        self.hours.unwrap_or(if self.quick { 0.1 } else { 8.0 })
    }
}

impl Attack {
    pub(crate) fn name(self) -> String {
        self.to_possible_value().expect("it is not skipped").get_name().into()
    }

    pub(crate) fn run(self, options: &Options, sandbox: &Sandbox) -> Part {
        self.details().0(options, sandbox)
    }

    /// Returns the function that runs the attack, and its numbers of cases by default and with `--quick`.
    fn details(self) -> (Run, [u64; 2]) {
        match self {
            Attack::Kills => (kills::run, [150, 20]),
            Attack::Cuts => (cuts::run, [300, 60]),
            Attack::Writes => (writes::run, [200, 30]),
            Attack::Night => (night::run, [1; 2]),
        }
    }
}
