//! Every file operation fails once as on a full disk, and once as on a broken disk.

use std::path::Path;

use crate::job::{Baseline, JOB_TIMEOUT, Job, names};
use crate::options::{Attack, Options};
use crate::process::{Ended, start};
use crate::report::Part;
use crate::sandbox::Sandbox;

pub(crate) fn run(options: &Options, sandbox: &Sandbox) -> Part {
    let mut part = Part::new(Attack::Writes);
    let jobs = Job::all(sandbox);
    // Each file operation of every job fails in two ways: full disk and broken disk.
    let faults = jobs.iter().flat_map(|baseline| {
        let changes = 1..=changes(sandbox, baseline);
        changes.flat_map(move |change| {
            ["enospc", "eio"].map(|what| (baseline, format!("{what}:{change}")))
        })
    });
    let all: Vec<(&Baseline, String)> = faults.collect();
    // If only a subset is tried, spread it evenly over all failures.
    let wanted = options.count(Attack::Writes).min(all.len() as u64).max(1);
    let step = if options.from > 0 { 1 } else { (all.len() as u64 / wanted).max(1) };
    let cases = (options.from..all.len() as u64).step_by(step as usize).take(wanted as usize);
    for case in cases {
        let (baseline, fault) = &all[case as usize];
        let folder = sandbox.copy(&baseline.prepared, "case");
        let result = failed(sandbox, &folder, baseline, fault);
        let result = result.and_then(|()| baseline.finish(sandbox, &folder));
        part.add(sandbox, case, result.map_err(|what| format!("{fault}: {what}")));
    }
    part.what = format!("of the {} failures that {} can meet", all.len(), names(&jobs));
    part
}

fn with_fault(sandbox: &Sandbox, folder: &Path, step: &str, fault: &str) -> Ended {
    start(sandbox, folder, step, Some(("AYO_FAULT", fault))).end(JOB_TIMEOUT)
}

/// Returns the maximum number of file operations in one command of the job; a kill after that has no effect.
fn changes(sandbox: &Sandbox, baseline: &Baseline) -> u32 {
    let kills = |change: u32| {
        let folder = sandbox.copy(&baseline.prepared, "case");
        let fault = format!("kill:{change}");
        let mut steps = baseline.job.steps.iter();
        steps.any(|step| with_fault(sandbox, &folder, step, &fault).was_killed())
    };
    let mut above = 1;
    while kills(above) {
        above *= 2;
    }
    let mut below = above / 2;
    while above - below > 1 {
        let middle = (below + above) / 2;
        *if kills(middle) { &mut below } else { &mut above } = middle;
    }
    below
}

/// Runs a job with a failure in each of its commands. A command must succeed anyway or fail with a one-line error.
fn failed(
    sandbox: &Sandbox,
    folder: &Path,
    baseline: &Baseline,
    fault: &str,
) -> Result<(), String> {
    for step in baseline.job.steps {
        let ended = with_fault(sandbox, folder, step, fault);
        ended.ended_properly()?;
        if ended.status.success() {
            continue;
        }
        let is_sentence = ended.stderr.lines().count() == 1
            && ended.stderr.contains("cannot ")
            && ended.stderr.contains("(os error ");
        return if is_sentence { Ok(()) } else { Err(ended.summary()) };
    }
    baseline.compare(folder)
}
