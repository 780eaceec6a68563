//! Every file operation fails once, as on a full disk and on a broken one.

use std::path::Path;

use crate::job::{Baseline, JOB_TIMEOUT, Job};
use crate::options::{Attack, Options};
use crate::process;
use crate::report::Part;
use crate::sandbox::Sandbox;

pub(crate) fn run(options: &Options, sandbox: &Sandbox) -> Part {
    let mut part = Part::new(Attack::Writes);
    let jobs = Job::all(sandbox);
    let all = faults(sandbox, &jobs);
    // A subset is spread evenly over all failures.
    let wanted = options.count(Attack::Writes).min(all.len() as u64).max(1);
    let step = if options.from > 0 { 1 } else { (all.len() as u64 / wanted).max(1) };
    let cases = (options.from..all.len() as u64).step_by(step as usize).take(wanted as usize);
    for case in cases {
        let (baseline, fault) = &all[case as usize];
        let folder = sandbox.copy(&baseline.prepared, "case");
        let result = failed(sandbox, &folder, baseline, fault);
        let result = result.and_then(|()| baseline.finish(sandbox, &folder));
        sandbox.keep_if(result.is_err(), &folder, Attack::Writes, case);
        part.add(case, result.map_err(|what| format!("{fault}: {what}")));
    }
    let names = crate::kills::names(&jobs);
    part.what = format!("of the {} failures that {names} can meet", all.len());
    part
}

/// Returns two failures for every file operation of every job: full disk and broken disk.
fn faults<'a>(sandbox: &Sandbox, jobs: &'a [Baseline]) -> Vec<(&'a Baseline, String)> {
    let of = |baseline: &'a Baseline| {
        (1..=changes(sandbox, baseline)).flat_map(move |change| {
            ["enospc", "eio"].map(|what| (baseline, format!("{what}:{change}")))
        })
    };
    jobs.iter().flat_map(of).collect()
}

/// Returns the maximum number of file operations of a command of a job: a kill before a later operation has no effect.
fn changes(sandbox: &Sandbox, baseline: &Baseline) -> u32 {
    let kills = |change: u32| {
        let folder = sandbox.copy(&baseline.prepared, "case");
        let fault = format!("kill:{change}");
        let mut steps = baseline.job.steps.iter();
        steps.any(|step| {
            let line = Job::line(step);
            process::run(sandbox, &folder, &line, &[("AYO_FAULT", &fault)], JOB_TIMEOUT)
                .was_killed()
        })
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

/// Runs a job with a failure in each of its commands, which must succeed anyway or fail with a one-line error.
fn failed(
    sandbox: &Sandbox,
    folder: &Path,
    baseline: &Baseline,
    fault: &str,
) -> Result<(), String> {
    for step in baseline.job.steps {
        let line = Job::line(step);
        let ended = process::run(sandbox, folder, &line, &[("AYO_FAULT", fault)], JOB_TIMEOUT);
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
