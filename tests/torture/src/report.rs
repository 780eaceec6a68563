//! The report of cases and failures.

use std::time::Duration;

use mancala::random::ChaCha8Rng;

use crate::options::{Attack, Options};
use crate::sandbox::{Sandbox, rng};

#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) attack: Attack,
    pub(crate) tried: u64,
    pub(crate) what: String,
    /// The failed cases: their case numbers, which determine them together with the seed, and descriptions.
    pub(crate) failures: Vec<(u64, String)>,
}

impl Part {
    pub(crate) fn new(attack: Attack) -> Part {
        Part { attack, tried: 0, what: String::new(), failures: Vec::new() }
    }

    /// Tries the selected cases of an attack in order, each with its own random numbers.
    pub(crate) fn of_cases(
        options: &Options,
        sandbox: &Sandbox,
        attack: Attack,
        mut attempt: impl FnMut(u64, &mut ChaCha8Rng) -> Result<(), String>,
    ) -> Part {
        let mut part = Part::new(attack);
        for case in (options.from..).take(options.count(attack) as usize) {
            let mut rng = rng(options.seed, attack, case);
            part.add(sandbox, case, attempt(case, &mut rng));
        }
        part
    }

    pub(crate) fn add(&mut self, sandbox: &Sandbox, case: u64, result: Result<(), String>) {
        self.tried += 1;
        if let Err(what) = result {
            eprintln!("{} {case}: {what}", self.attack.name());
            sandbox.keep(self.attack, case);
            self.failures.push((case, what));
        }
    }
}

/// Prints the table, and a command to reproduce each failure.
pub(crate) fn print(options: &Options, parts: &[Part], took: Duration) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("seed {}, {} s, {cores} cores", options.seed, took.as_secs());
    println!("{:<8} {:>9} {:>5}  of what", "part", "tried", "fell");
    for part in parts {
        let (name, fell) = (part.attack.name(), part.failures.len());
        println!("{name:<8} {:>9} {fell:>5}  {}", part.tried, part.what);
    }
    for part in parts {
        let name = part.attack.name();
        for (case, what) in &part.failures {
            let which = match part.attack {
                Attack::Night => format!("--hours {}", options.hours()),
                _ => format!("--from {case} --cases 1"),
            };
            println!("\n{name} {case}: {what}");
            println!(
                "  cargo run --profile torture -p ayo-torture -- --only {name} --seed {} {which}",
                options.seed
            );
        }
    }
}
