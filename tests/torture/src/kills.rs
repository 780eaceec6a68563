//! Processes are killed at random times or file operations. Then the job is resumed and must give the same result.

use std::path::Path;
use std::time::Duration;

use mancala::random::ChaCha8Rng;
use rand::RngExt;

use crate::job::{Baseline, JOB_TIMEOUT, Job, names, of_case};
use crate::options::{Attack, Options};
use crate::process;
use crate::report::Part;
use crate::sandbox::Sandbox;

/// More file operations than most jobs perform.
const MAX_OPERATIONS: u32 = 90;

pub(crate) fn run(options: &Options, sandbox: &Sandbox) -> Part {
    let jobs = Job::all(sandbox);
    let mut struck = 0;
    let part = Part::of_cases(options, sandbox, Attack::Kills, |case, rng| {
        let baseline = of_case(&jobs, case);
        let folder = sandbox.copy(&baseline.prepared, "case");
        struck += disturb(sandbox, &folder, baseline, rng)?;
        baseline.finish(sandbox, &folder)
    });
    let names = names(&jobs);
    let what =
        format!("works killed or stopped up to three times each ({struck} times), of {names}");
    Part { what, ..part }
}

/// Interrupts a job up to three times. Returns the number of processes that ended early.
fn disturb(
    sandbox: &Sandbox,
    folder: &Path,
    baseline: &Baseline,
    rng: &mut ChaCha8Rng,
) -> Result<u32, String> {
    let mut struck = 0;
    for _ in 0..rng.random_range(1..=3u32) {
        for step in baseline.job.rest(folder) {
            let threads = rng.random_range(1..=2u32);
            let line = format!("{step} --threads {threads}");
            let is_by_operation = rng.random_ratio(1, 2);
            let fault =
                is_by_operation.then(|| format!("kill:{}", rng.random_range(1..=MAX_OPERATIONS)));
            let fault = fault.as_deref().map(|it| ("AYO_FAULT", it));
            let mut running = process::start(sandbox, folder, &line, fault);
            if !is_by_operation {
                let most = baseline.took.as_micros().max(1) as u64;
                running.wait(Duration::from_micros(rng.random_range(0..most)));
                let gently = rng.random_ratio(1, 3);
                running.signal(if gently { libc::SIGTERM } else { libc::SIGKILL });
            }
            let ended = running.end(JOB_TIMEOUT);
            if !ended.was_killed() {
                ended.ended_properly()?;
            }
            if !ended.status.success() {
                struck += 1;
                break;
            }
        }
    }
    Ok(struck)
}
