//! Power cuts: the file operations of a job are recorded, and the disk is rebuilt in a state that a power cut after one
//! of them could leave behind. Then the job is resumed.

use std::fs;
use std::path::Path;

use mancala::random::ChaCha8Rng;
use rand::RngExt;

use crate::disk::{Cut, Disk, Order, Unsure};
use crate::job::{Baseline, JOB_TIMEOUT, JOBS, Job, names, of_case};
use crate::options::{Attack, Options};
use crate::process;
use crate::report::Part;
use crate::sandbox::Sandbox;

pub(crate) fn run(options: &Options, sandbox: &Sandbox) -> Part {
    let jobs = Job::all(sandbox);
    let disks: Vec<Disk> = jobs.iter().map(|baseline| record(sandbox, baseline)).collect();
    let part = Part::of_cases(options, sandbox, Attack::Cuts, |case, rng| {
        let (baseline, disk) = (of_case(&jobs, case), of_case(&disks, case));
        let operations = disk.operations.len();
        let cut = draw(case / JOBS.len() as u64, operations, rng);
        let folder = sandbox.empty("case");
        disk.after(cut, rng, &folder);
        let result = if cut.at == operations { baseline.compare(&folder) } else { Ok(()) };
        let result = result.map_err(|what| format!("lost although done: {what}"));
        let result = result.and_then(|()| baseline.finish(sandbox, &folder));
        let Cut { at, order, unsure } = cut;
        let when = format!("after {at} of {operations} operations, {order:?}, the rest {unsure:?}");
        result.map_err(|what| format!("{}, {when}: {what}", baseline.job.name))
    });
    let operations: usize = disks.iter().map(|it| it.operations.len()).sum();
    let names = names(&jobs);
    let what = format!("cuts among the {operations} file operations of {names}, in two orders");
    Part { what, ..part }
}

fn record(sandbox: &Sandbox, baseline: &Baseline) -> Disk {
    let mut disk = Disk::default();
    disk.enter(&baseline.prepared, Path::new(""));
    let folder = sandbox.copy(&baseline.prepared, "recorded");
    let record = sandbox.empty("record").join("operations");
    for step in baseline.job.steps {
        let _ = fs::remove_file(&record);
        let to = record.to_str().expect("a path of ours");
        let ended = process::start(sandbox, &folder, step, Some(("AYO_RECORD", to)));
        let ended = ended.end(JOB_TIMEOUT).succeeded();
        ended.unwrap_or_else(|error| panic!("recording: {error}"));
        disk.add(&record);
    }
    assert!(disk.operations.len() > 3, "{} is recorded", baseline.job.name);
    disk
}

/// Draws a random power cut. In the first two rounds it comes after the last operation, when nothing may be lost.
fn draw(round: u64, operations: usize, rng: &mut ChaCha8Rng) -> Cut {
    let order = [Order::NamesFirst, Order::ContentsFirst][(round % 2) as usize];
    let at = if round < 2 { operations } else { rng.random_range(0..=operations) };
    let unsure = if round < 2 || rng.random_ratio(1, 2) { Unsure::Lost } else { Unsure::Some };
    Cut { at, order, unsure }
}
