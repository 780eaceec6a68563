//! The report of cases and failures.

use std::time::Duration;

use serde_json::json;

use crate::options::{Attack, Options};

/// The result of a part.
#[derive(Debug)]
pub(crate) struct Part {
    attack: Attack,
    /// Number of cases.
    pub(crate) tried: u64,
    /// Description of the cases.
    pub(crate) what: String,
    pub(crate) failures: Vec<Failure>,
}

/// A failed case.
#[derive(Debug)]
pub(crate) struct Failure {
    /// Its number, which with the seed determines the case.
    case: u64,
    /// The case and its result in words.
    what: String,
}

impl Part {
    pub(crate) fn new(attack: Attack) -> Part {
        Part { attack, tried: 0, what: String::new(), failures: Vec::new() }
    }

    pub(crate) fn add(&mut self, case: u64, result: Result<(), String>) {
        self.tried += 1;
        if let Err(what) = result {
            eprintln!("{} {case}: {what}", self.attack.name());
            self.failures.push(Failure { case, what });
        }
    }
}

/// Prints the table, and the command that repeats each failure.
pub(crate) fn print(options: &Options, parts: &[Part], took: Duration) {
    if options.json {
        let part = |part: &Part| {
            let failures: Vec<_> = part
                .failures
                .iter()
                .map(|failure| json!({"case": failure.case, "what": failure.what, "repeat": repeat(options, part, failure)}))
                .collect();
            json!({"part": part.attack.name(), "tried": part.tried, "what": part.what, "fell": failures})
        };
        let parts: Vec<_> = parts.iter().map(part).collect();
        let report = json!({"seed": options.seed, "seconds": took.as_secs(), "parts": parts});
        println!("{report:#}");
        return;
    }
    println!("seed {}, {} s, {} cores", options.seed, took.as_secs(), cores());
    println!("{:<8} {:>9} {:>5}  of what", "part", "tried", "fell");
    for part in parts {
        let (name, fell) = (part.attack.name(), part.failures.len());
        println!("{name:<8} {:>9} {fell:>5}  {}", part.tried, part.what);
    }
    for part in parts {
        for failure in &part.failures {
            println!("\n{} {}: {}", part.attack.name(), failure.case, failure.what);
            println!("  {}", repeat(options, part, failure));
        }
    }
}

/// Returns the command that repeats a case.
fn repeat(options: &Options, part: &Part, failure: &Failure) -> String {
    let (name, seed, case) = (part.attack.name(), options.seed, failure.case);
    let call = "cargo run --profile torture -p ayo-torture --";
    match part.attack {
        Attack::Hours => format!("{call} --only hours --seed {seed} --hours {}", options.hours()),
        _ => format!("{call} --only {name} --seed {seed} --from {case} --cases 1"),
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
