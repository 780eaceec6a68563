//! Processes killed at random times, or before a random file operation, or asked to end; then the work is
//! continued, and must come out the same.

use std::time::Duration;

use mancala::random::ChaCha8Rng;
use rand::RngExt;

use crate::job::{Job, Known, LONG, civil_or_killed, of_case};
use crate::options::{Attack, Options};
use crate::process::{self, start};
use crate::report::Part;
use crate::workplace::{Workplace, dice};

/// More file operations than most jobs have.
const MOST_CHANGES: u32 = 90;

pub(crate) fn run(options: &Options, workplace: &Workplace) -> Part {
    let mut part = Part::new(Attack::Kills);
    let jobs = Job::all(workplace);
    let mut struck = 0;
    for case in (options.from..).take(options.count(Attack::Kills) as usize) {
        let known = of_case(&jobs, case);
        let mut dice = dice(options.seed, Attack::Kills, case);
        let folder = workplace.copy(&known.prepared, "case");
        let found = disturbed(workplace, &folder, known, &mut dice);
        let found = found.and_then(|killed| {
            struck += killed;
            known.finish(workplace, &folder)
        });
        workplace.keep_if(found.is_err(), &folder, Attack::Kills, case);
        part.add(case, found);
    }
    part.what = format!(
        "works killed or stopped up to three times each ({struck} times), of {}",
        names(&jobs)
    );
    part
}

/// The names of jobs.
pub(crate) fn names(jobs: &[Known]) -> String {
    let names: Vec<&str> = jobs.iter().map(|known| known.job.name).collect();
    names.join(", ")
}

/// Disturbs a job up to three times, and says how often that ended a process.
fn disturbed(
    workplace: &Workplace,
    folder: &std::path::Path,
    known: &Known,
    dice: &mut ChaCha8Rng,
) -> Result<u32, String> {
    let mut struck = 0;
    for _ in 0..dice.random_range(1..=3u32) {
        for step in known.job.rest(folder) {
            let threads = dice.random_range(1..=2u32);
            let line = format!("{} --threads {threads}", Job::line(step));
            let ended = if dice.random_ratio(1, 2) {
                let change = dice.random_range(1..=MOST_CHANGES);
                process::run(
                    workplace,
                    folder,
                    &line,
                    &[("AYO_FAULT", &format!("kill:{change}"))],
                    LONG,
                )
            } else {
                let mut running = start(workplace, folder, &line, &[]);
                let most = known.took.as_micros().max(1) as u64;
                running.wait(Duration::from_micros(dice.random_range(0..most)));
                let gently = dice.random_ratio(1, 3);
                running.signal(if gently { libc::SIGTERM } else { libc::SIGKILL });
                running.end(LONG)
            };
            civil_or_killed(&ended)?;
            if !ended.status.success() {
                struck += 1;
                break;
            }
        }
    }
    Ok(struck)
}
