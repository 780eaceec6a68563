//! Every file operation failing once, as on a full disk and on a broken one.

use std::path::Path;

use crate::job::{Job, Known, LONG};
use crate::options::{Attack, Options};
use crate::process;
use crate::report::Part;
use crate::workplace::Workplace;

pub(crate) fn run(options: &Options, workplace: &Workplace) -> Part {
    let mut part = Part::new(Attack::Writes);
    let jobs = Job::all(workplace);
    let all = faults(workplace, &jobs);
    // Evenly over all of them where not all are wanted.
    let wanted = options.count(Attack::Writes).min(all.len() as u64).max(1);
    let step = if options.from > 0 { 1 } else { (all.len() as u64 / wanted).max(1) };
    let cases = (options.from..all.len() as u64).step_by(step as usize).take(wanted as usize);
    for case in cases {
        let (known, fault) = &all[case as usize];
        let folder = workplace.copy(&known.prepared, "case");
        let found = failed(workplace, &folder, known, fault);
        let found = found.and_then(|()| known.finish(workplace, &folder));
        workplace.keep_if(found.is_err(), &folder, Attack::Writes, case);
        part.add(case, found.map_err(|what| format!("{fault}: {what}")));
    }
    let names = crate::kills::names(&jobs);
    part.what = format!("of the {} failures that {names} can meet", all.len());
    part
}

/// A failure for every file operation of every job, on a full disk and on a broken one.
fn faults<'a>(workplace: &Workplace, jobs: &'a [Known]) -> Vec<(&'a Known, String)> {
    let of = |known: &'a Known| {
        (1..=changes(workplace, known)).flat_map(move |change| {
            ["enospc", "eio"].map(|what| (known, format!("{what}:{change}")))
        })
    };
    jobs.iter().flat_map(of).collect()
}

/// The most file operations of a command of a job: a process that would be killed before one more is not.
fn changes(workplace: &Workplace, known: &Known) -> u32 {
    let kills = |change: u32| {
        let folder = workplace.copy(&known.prepared, "case");
        let fault = format!("kill:{change}");
        let mut steps = known.job.steps.iter();
        steps.any(|step| {
            let line = Job::line(step);
            process::run(workplace, &folder, &line, &[("AYO_FAULT", &fault)], LONG).was_killed()
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

/// Runs a job with a failure in each of its commands, which must do without or say so in a sentence.
fn failed(workplace: &Workplace, folder: &Path, known: &Known, fault: &str) -> Result<(), String> {
    for step in known.job.steps {
        let line = Job::line(step);
        let ended = process::run(workplace, folder, &line, &[("AYO_FAULT", fault)], LONG);
        ended.was_civil()?;
        if ended.status.success() {
            continue;
        }
        let is_sentence = ended.stderr.lines().count() == 1
            && ended.stderr.contains("cannot ")
            && ended.stderr.contains("(os error ");
        return if is_sentence { Ok(()) } else { Err(ended.said()) };
    }
    known.compare(folder)
}
