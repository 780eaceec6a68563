//! Small versions of jobs that run overnight: commands that write files, and commands that resume them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::process::run;
use crate::sandbox::Sandbox;

/// Longer than any job takes, even on a busy machine.
pub(crate) const JOB_TIMEOUT: Duration = Duration::from_secs(120);

#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) name: &'static str,
    /// Commands that run uninterrupted before the job.
    pub(crate) prepare: &'static [&'static str],
    pub(crate) steps: &'static [&'static str],
    /// Files, folders of files, or starts of file names, whose content must be the same, separated by spaces.
    pub(crate) outputs: &'static str,
}

const TINY: &str = "train --preset daoud2004 --out run --seed 3 --population 10 --set fitness_set=3 --depth 2 \
                    --set measure_every=3000 --set measure_openings=1 --quiet --generations ";

/// A run on a board so small that playing the reference opponents from all openings takes little time.
const SMALL: &str = "train --preset kalah-standard --out run --seed 3 --population 8 --depth 2 \
                     --set game=kalah:pits=2,seeds=2 --set finalist_games=0 --set measure_every=0 --quiet \
                     --generations ";

/// A learned run of five iterations on a small board, each of which collects several blocks of positions.
const LEARNED: &str = "train --preset kalah-learned --features ku1..ku8,kv1..kv8 --out run --seed 3 --depth 1 \
                       --set game=kalah:pits=3,seeds=3 --set fit_every=2 --set positions=800 \
                       --set first_positions=300 --set buffer=1500 --set label_depth=1 --set gate_openings=3 \
                       --set measure_every=6 --set measure_openings=1 --set finalist_games=40 --quiet --generations ";

pub(crate) const JOBS: [Job; 8] = [
    Job {
        name: "train",
        prepare: &[],
        steps: &[
            "TINY 4",
            "resume run --quiet --generations 8",
            "resume run --quiet --generations 60",
        ],
        outputs: "run/history.csv run/strength.csv run/champion.json run/checkpoint-000060.ayo",
    },
    Job {
        name: "select",
        prepare: &["SMALL 20"],
        steps: &["select run --games 440 --quiet"],
        outputs: "run/history.csv run/champion.json run/checkpoint-000020.ayo",
    },
    Job {
        name: "match",
        prepare: &[],
        steps: &[
            "match minimax:weights=aalina4,depth=4 minimax:weights=seeds,depth=3 --games 300 --quiet \
                  --games-out games.txt",
        ],
        outputs: "games.txt",
    },
    Job {
        name: "tournament",
        prepare: &[],
        steps: &[
            "tournament minimax:weights=seeds,depth=3 minimax:weights=aalina4,depth=3 greedy random:seed=7 \
                  --games 100 --quiet --games-out games.txt",
        ],
        outputs: "games.txt",
    },
    Job {
        name: "compare",
        prepare: &[],
        steps: &[
            "compare 'random-search:game=\"kalah:pits=2,seeds=2\"' 'spsa:game=\"kalah:pits=2,seeds=2\"' --seeds 1..3 \
                  --budget games=500 --openings 2 --depth 2 --quiet -o found/compared.csv",
        ],
        outputs: "found/compared.csv",
    },
    Job {
        name: "build",
        prepare: &[],
        steps: &["endgame build --seeds 9 --out some/tables --quiet"],
        outputs: "some/tables",
    },
    Job {
        name: "learned",
        prepare: &[],
        steps: &["LEARNED 4", "resume run --quiet --generations 10"],
        outputs: "run/history.csv run/strength.csv run/iterations.csv run/champion.json \
                  run/checkpoint-000010.ayo run/features-",
    },
    Job {
        name: "book",
        prepare: &[],
        steps: &["book build --positions 96 --nodes 2000 --output a.ayo --quiet"],
        outputs: "a.ayo",
    },
];

pub(crate) type Outputs = BTreeMap<PathBuf, Vec<u8>>;

/// A job and the result of an uninterrupted run of it.
#[derive(Debug)]
pub(crate) struct Baseline {
    pub(crate) job: &'static Job,
    pub(crate) prepared: PathBuf,
    outputs: Outputs,
    pub(crate) took: Duration,
}

pub(crate) fn expand(line: &str) -> String {
    line.replace("TINY ", TINY).replace("SMALL ", SMALL).replace("LEARNED ", LEARNED)
}

impl Job {
    /// Returns the steps that resume the job in a folder. If there is a run folder, this is only the last step.
    pub(crate) fn rest(&self, folder: &Path) -> &[&'static str] {
        let has_run = folder.join("run/run.toml").exists();
        if has_run { &self.steps[self.steps.len() - 1..] } else { self.steps }
    }

    pub(crate) fn baseline(&'static self, sandbox: &Sandbox) -> Baseline {
        let prepared = sandbox.empty(&format!("{}-prepared", self.name.replace(' ', "-")));
        run_all(sandbox, &prepared, self.prepare);
        let folder = sandbox.copy(&prepared, "whole");
        let begun = Instant::now();
        run_all(sandbox, &folder, self.steps);
        let (took, outputs) = (begun.elapsed(), outputs(&folder, self.outputs));
        assert!(!outputs.is_empty(), "{} leaves nothing", self.name);
        Baseline { job: self, prepared, outputs, took }
    }

    pub(crate) fn all(sandbox: &Sandbox) -> Vec<Baseline> {
        JOBS.iter().map(|job| job.baseline(sandbox)).collect()
    }
}

/// Runs command lines without interruption.
fn run_all(sandbox: &Sandbox, folder: &Path, lines: &[&str]) {
    for line in lines {
        let ended = run(sandbox, folder, line, JOB_TIMEOUT);
        ended.succeeded().unwrap_or_else(|error| panic!("undisturbed: {error}"));
    }
}

pub(crate) fn names(jobs: &[Baseline]) -> String {
    jobs.iter().map(|baseline| baseline.job.name).collect::<Vec<_>>().join(", ")
}

/// Returns the job that a case attacks.
pub(crate) fn of_case<T>(works: &[T], case: u64) -> &T {
    &works[(case % works.len() as u64) as usize]
}

impl Baseline {
    /// Resumes the job as if some time had passed, and compares the result with the uninterrupted one.
    pub(crate) fn finish(&self, sandbox: &Sandbox, folder: &Path) -> Result<(), String> {
        // Outside locked folders, temporary files are removed only if they are more than a minute old.
        let long_ago = SystemTime::now() - Duration::from_secs(3600);
        for path in left_overs(folder) {
            let file = fs::File::options().write(true).open(path).expect("a temporary file");
            file.set_modified(long_ago).expect("a time of a file");
        }
        for step in self.job.rest(folder) {
            run(sandbox, folder, step, JOB_TIMEOUT).succeeded()?;
        }
        self.compare(folder)?;
        match left_overs(folder).first() {
            Some(path) => Err(format!("{} stays", path.display())),
            None => Ok(()),
        }
    }

    pub(crate) fn compare(&self, folder: &Path) -> Result<(), String> {
        let outputs = outputs(folder, self.job.outputs);
        let names: BTreeSet<&PathBuf> = self.outputs.keys().chain(outputs.keys()).collect();
        let differ = names.into_iter().filter(|name| self.outputs.get(*name) != outputs.get(*name));
        let differ: Vec<String> = differ.map(|name| name.display().to_string()).collect();
        match differ.len() {
            0 => Ok(()),
            _ => Err(format!("missing or different: {}", differ.join(", "))),
        }
    }
}

/// Returns the files in a folder whose paths start with one of these names, including subfolders, except locks.
pub(crate) fn outputs(folder: &Path, names: &str) -> Outputs {
    let mut outputs = Outputs::new();
    for path in names.split(' ').map(|name| folder.join(name)) {
        let entries = |path| fs::read_dir(path).into_iter().flatten().flatten();
        let siblings = entries(path.parent().unwrap_or(folder)).map(|entry| entry.path());
        let starts = siblings
            .filter(|it| it.as_os_str().as_bytes().starts_with(path.as_os_str().as_bytes()));
        let within = entries(&path).map(|entry| entry.path()).chain(starts);
        for file in within.filter(|it| it.extension().is_some_and(|end| end != "tmp")) {
            if let Ok(bytes) = fs::read(&file) {
                let name = file.strip_prefix(folder).expect("it is within").to_owned();
                outputs.insert(name.clone(), without_times(&name, bytes));
            }
        }
    }
    outputs
}

/// Returns the temporary files in a folder and its subfolders.
fn left_overs(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let (folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| path.is_dir());
    files.retain(|path| path.extension().is_some_and(|ending| ending == "tmp"));
    files.extend(folders.iter().flat_map(|folder| left_overs(folder)));
    files
}

/// Returns a file's content without columns that differ between runs: the seconds in a comparison, and checksums.
fn without_times(name: &Path, bytes: Vec<u8>) -> Vec<u8> {
    if !name.ends_with("compared.csv") {
        return bytes;
    }
    let mut rows = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&*bytes);
    let rows: Vec<csv::StringRecord> = rows.records().map(|row| row.expect("a row")).collect();
    let is_kept =
        |column: &usize| !["seconds", "check", "crc32", "checksum"].contains(&&rows[0][*column]);
    let kept = |row: &csv::StringRecord| {
        let fields = (0..row.len()).filter(is_kept).map(|column| &row[column]);
        fields.collect::<Vec<_>>().join(",") + "\n"
    };
    rows.iter().map(kept).collect::<String>().into_bytes()
}
