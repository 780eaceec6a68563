//! Power cuts: the operations of a work are recorded, and a disk is rebuilt as it could be found when the
//! power went after any of them. Then the work is continued.

use std::fs;
use std::path::PathBuf;

use mancala::random::ChaCha8Rng;
use rand::RngExt;

use crate::disk::{Disk, Order, Unsure};
use crate::job::{JOBS, Job, Known, LONG, of_case};
use crate::options::{Attack, Options};
use crate::process;
use crate::report::Part;
use crate::workplace::{Workplace, dice};

/// A work and what its processes did to files.
struct Recorded<'a> {
    known: &'a Known,
    disk: Disk,
    operations: usize,
}

/// When the power goes.
struct Cut {
    /// Operations that were done.
    at: usize,
    order: Order,
    unsure: Unsure,
}

pub(crate) fn run(options: &Options, workplace: &Workplace) -> Part {
    let mut part = Part::new(Attack::Cuts);
    let jobs = Job::all(workplace);
    let recorded: Vec<Recorded> = jobs.iter().map(|known| record(workplace, known)).collect();
    for case in (options.from..).take(options.count(Attack::Cuts) as usize) {
        let work = of_case(&recorded, case);
        let mut dice = dice(options.seed, Attack::Cuts, case);
        let cut = work.cut(case / JOBS.len() as u64, &mut dice);
        let folder = workplace.empty("case");
        work.disk.after(cut.at, cut.order, cut.unsure, &mut dice, &folder);
        let found = work.check(workplace, &cut, &folder);
        workplace.keep_if(found.is_err(), &folder, Attack::Cuts, case);
        let when = format!(
            "after {} of {} operations, {:?}, the rest {:?}",
            cut.at, work.operations, cut.order, cut.unsure
        );
        part.add(case, found.map_err(|what| format!("{}, {when}: {what}", work.known.job.name)));
    }
    let operations: usize = recorded.iter().map(|it| it.operations).sum();
    let names = crate::kills::names(&jobs);
    part.what = format!("cuts among the {operations} file operations of {names}, in two orders");
    part
}

fn record<'a>(workplace: &Workplace, known: &'a Known) -> Recorded<'a> {
    let mut disk = Disk::holding(&known.prepared);
    let folder = workplace.copy(&known.prepared, "recorded");
    let record: PathBuf = workplace.empty("record").join("operations");
    let mut operations = 0;
    for step in known.job.steps {
        let _ = fs::remove_file(&record);
        let to = record.to_str().expect("a path of ours");
        let line = Job::line(step);
        let ended = process::run(workplace, &folder, &line, &[("AYO_RECORD", to)], LONG);
        ended.succeeded().unwrap_or_else(|said| panic!("recording: {said}"));
        operations = disk.add(&record);
    }
    assert!(operations > 3, "{} is recorded", known.job.name);
    Recorded { known, disk, operations }
}

impl Recorded<'_> {
    /// The first two rounds are cuts right after the work was done, when nothing may be lost at all.
    fn cut(&self, round: u64, dice: &mut ChaCha8Rng) -> Cut {
        let order = [Order::NamesFirst, Order::ContentsFirst][(round % 2) as usize];
        let at = if round < 2 { self.operations } else { dice.random_range(0..=self.operations) };
        let unsure = if round < 2 || dice.random_ratio(1, 2) { Unsure::Lost } else { Unsure::Some };
        Cut { at, order, unsure }
    }

    fn check(
        &self,
        workplace: &Workplace,
        cut: &Cut,
        folder: &std::path::Path,
    ) -> Result<(), String> {
        if cut.at == self.operations {
            self.known.compare(folder).map_err(|what| format!("lost although done: {what}"))?;
        }
        self.known.finish(workplace, folder)
    }
}
