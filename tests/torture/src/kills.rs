//! Processes are killed at random times or before a random file operation, or receive SIGTERM. Then the job is resumed,
//! and its result must be the same.

use std::time::Duration;

use mancala::random::ChaCha8Rng;
use rand::RngExt;

use crate::job::{Baseline, JOB_TIMEOUT, Job, killed_or_ended_properly, of_case};
use crate::options::{Attack, Options};
use crate::process::{self, start};
use crate::report::Part;
use crate::sandbox::{Sandbox, rng};

/// More file operations than most jobs have.
const MAX_OPERATIONS: u32 = 90;

pub(crate) fn run(options: &Options, sandbox: &Sandbox) -> Part {
    let mut part = Part::new(Attack::Kills);
    let jobs = Job::all(sandbox);
    let mut struck = 0;
    for case in (options.from..).take(options.count(Attack::Kills) as usize) {
        let baseline = of_case(&jobs, case);
        let mut rng = rng(options.seed, Attack::Kills, case);
        let folder = sandbox.copy(&baseline.prepared, "case");
        let result = disturb(sandbox, &folder, baseline, &mut rng);
        let result = result.and_then(|killed| {
            struck += killed;
            baseline.finish(sandbox, &folder)
        });
        sandbox.keep_if(result.is_err(), &folder, Attack::Kills, case);
        part.add(case, result);
    }
    part.what = format!(
        "works killed or stopped up to three times each ({struck} times), of {}",
        names(&jobs)
    );
    part
}

/// Returns the names of jobs.
pub(crate) fn names(jobs: &[Baseline]) -> String {
    let names: Vec<&str> = jobs.iter().map(|baseline| baseline.job.name).collect();
    names.join(", ")
}

/// Disturbs a job up to three times. Returns the number of processes that ended early.
fn disturb(
    sandbox: &Sandbox,
    folder: &std::path::Path,
    baseline: &Baseline,
    rng: &mut ChaCha8Rng,
) -> Result<u32, String> {
    let mut struck = 0;
    for _ in 0..rng.random_range(1..=3u32) {
        for step in baseline.job.rest(folder) {
            let threads = rng.random_range(1..=2u32);
            let line = format!("{} --threads {threads}", Job::line(step));
            let ended = if rng.random_ratio(1, 2) {
                let change = rng.random_range(1..=MAX_OPERATIONS);
                process::run(
                    sandbox,
                    folder,
                    &line,
                    &[("AYO_FAULT", &format!("kill:{change}"))],
                    JOB_TIMEOUT,
                )
            } else {
                let mut running = start(sandbox, folder, &line, &[]);
                let most = baseline.took.as_micros().max(1) as u64;
                running.wait(Duration::from_micros(rng.random_range(0..most)));
                let gently = rng.random_ratio(1, 3);
                running.signal(if gently { libc::SIGTERM } else { libc::SIGKILL });
                running.end(JOB_TIMEOUT)
            };
            killed_or_ended_properly(&ended)?;
            if !ended.status.success() {
                struck += 1;
                break;
            }
        }
    }
    Ok(struck)
}
