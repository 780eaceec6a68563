//! What was tried and what fell.

use std::time::Duration;

use serde_json::json;

use crate::options::{Attack, Options};

/// What a part has found.
#[derive(Debug)]
pub(crate) struct Part {
    attack: Attack,
    /// Cases that were tried.
    pub(crate) tried: u64,
    /// What they consisted of, in words.
    pub(crate) what: String,
    /// Those that fell.
    pub(crate) falls: Vec<Fall>,
}

/// A case that fell.
#[derive(Debug)]
pub(crate) struct Fall {
    /// Its number; with the seed it is the whole case.
    case: u64,
    /// What was done, and what came of it.
    what: String,
}

impl Part {
    /// A part that has tried nothing yet.
    pub(crate) fn new(attack: Attack) -> Part {
        Part { attack, tried: 0, what: String::new(), falls: Vec::new() }
    }

    /// Adds a case.
    pub(crate) fn add(&mut self, case: u64, found: Result<(), String>) {
        self.tried += 1;
        if let Err(what) = found {
            eprintln!("{} {case}: {what}", self.attack.name());
            self.falls.push(Fall { case, what });
        }
    }
}

/// Prints the table and how each fall is repeated.
pub(crate) fn print(options: &Options, parts: &[Part], took: Duration) {
    if options.json {
        let part = |part: &Part| {
            let falls: Vec<_> = part
                .falls
                .iter()
                .map(|fall| json!({"case": fall.case, "what": fall.what, "repeat": repeat(options, part, fall)}))
                .collect();
            json!({"part": part.attack.name(), "tried": part.tried, "what": part.what, "fell": falls})
        };
        let parts: Vec<_> = parts.iter().map(part).collect();
        let report = json!({"seed": options.seed, "seconds": took.as_secs(), "parts": parts});
        println!("{report:#}");
        return;
    }
    println!("seed {}, {} s, {} cores", options.seed, took.as_secs(), cores());
    println!("{:<8} {:>9} {:>5}  of what", "part", "tried", "fell");
    for part in parts {
        let (name, fell) = (part.attack.name(), part.falls.len());
        println!("{name:<8} {:>9} {fell:>5}  {}", part.tried, part.what);
    }
    for part in parts {
        for fall in &part.falls {
            println!("\n{} {}: {}", part.attack.name(), fall.case, fall.what);
            println!("  {}", repeat(options, part, fall));
        }
    }
}

/// The command that tries a case again.
fn repeat(options: &Options, part: &Part, fall: &Fall) -> String {
    let (name, seed, case) = (part.attack.name(), options.seed, fall.case);
    let call = "cargo run --profile torture -p ayo-torture --";
    match part.attack {
        Attack::Hours => format!("{call} --only hours --seed {seed} --hours {}", options.hours()),
        _ => format!("{call} --only {name} --seed {seed} --from {case} --cases 1"),
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
