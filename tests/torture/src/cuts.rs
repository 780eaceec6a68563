//! Power cuts: the file operations of a job are recorded, and the disk is rebuilt as a power cut after any of them could
//! leave it. Then the job is resumed.

use std::fs;
use std::path::PathBuf;

use mancala::random::ChaCha8Rng;
use rand::RngExt;

use crate::disk::{Disk, Order, Unsure};
use crate::job::{Baseline, JOB_TIMEOUT, JOBS, Job, of_case};
use crate::options::{Attack, Options};
use crate::process;
use crate::report::Part;
use crate::sandbox::{Sandbox, rng};

/// A job with the recorded file operations of its processes.
struct Recorded<'a> {
    baseline: &'a Baseline,
    disk: Disk,
    operations: usize,
}

/// A power cut.
struct Cut {
    /// Operations before the cut.
    at: usize,
    order: Order,
    unsure: Unsure,
}

pub(crate) fn run(options: &Options, sandbox: &Sandbox) -> Part {
    let mut part = Part::new(Attack::Cuts);
    let jobs = Job::all(sandbox);
    let recorded: Vec<Recorded> = jobs.iter().map(|baseline| record(sandbox, baseline)).collect();
    for case in (options.from..).take(options.count(Attack::Cuts) as usize) {
        let work = of_case(&recorded, case);
        let mut rng = rng(options.seed, Attack::Cuts, case);
        let cut = work.cut(case / JOBS.len() as u64, &mut rng);
        let folder = sandbox.empty("case");
        work.disk.after(cut.at, cut.order, cut.unsure, &mut rng, &folder);
        let result = work.check(sandbox, &cut, &folder);
        sandbox.keep_if(result.is_err(), &folder, Attack::Cuts, case);
        let when = format!(
            "after {} of {} operations, {:?}, the rest {:?}",
            cut.at, work.operations, cut.order, cut.unsure
        );
        part.add(
            case,
            result.map_err(|what| format!("{}, {when}: {what}", work.baseline.job.name)),
        );
    }
    let operations: usize = recorded.iter().map(|it| it.operations).sum();
    let names = crate::kills::names(&jobs);
    part.what = format!("cuts among the {operations} file operations of {names}, in two orders");
    part
}

fn record<'a>(sandbox: &Sandbox, baseline: &'a Baseline) -> Recorded<'a> {
    let mut disk = Disk::holding(&baseline.prepared);
    let folder = sandbox.copy(&baseline.prepared, "recorded");
    let record: PathBuf = sandbox.empty("record").join("operations");
    let mut operations = 0;
    for step in baseline.job.steps {
        let _ = fs::remove_file(&record);
        let to = record.to_str().expect("a path of ours");
        let line = Job::line(step);
        let ended = process::run(sandbox, &folder, &line, &[("AYO_RECORD", to)], JOB_TIMEOUT);
        ended.succeeded().unwrap_or_else(|said| panic!("recording: {said}"));
        operations = disk.add(&record);
    }
    assert!(operations > 3, "{} is recorded", baseline.job.name);
    Recorded { baseline, disk, operations }
}

impl Recorded<'_> {
    /// Draws a cut. In the first two rounds the power is cut after the last operation, when nothing may be lost.
    fn cut(&self, round: u64, rng: &mut ChaCha8Rng) -> Cut {
        let order = [Order::NamesFirst, Order::ContentsFirst][(round % 2) as usize];
        let at = if round < 2 { self.operations } else { rng.random_range(0..=self.operations) };
        let unsure = if round < 2 || rng.random_ratio(1, 2) { Unsure::Lost } else { Unsure::Some };
        Cut { at, order, unsure }
    }

    fn check(&self, sandbox: &Sandbox, cut: &Cut, folder: &std::path::Path) -> Result<(), String> {
        if cut.at == self.operations {
            self.baseline.compare(folder).map_err(|what| format!("lost although done: {what}"))?;
        }
        self.baseline.finish(sandbox, folder)
    }
}
