//! Small versions of the jobs that run overnight: commands that write files, and commands that resume them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::process::{Ended, run};
use crate::sandbox::Sandbox;

/// Longer than any job takes, even on a busy machine.
pub(crate) const JOB_TIMEOUT: Duration = Duration::from_secs(120);

/// A piece of work that may be interrupted.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) name: &'static str,
    /// Commands that run undisturbed before the job.
    prepare: &'static [&'static str],
    /// The commands of the job, in order.
    pub(crate) steps: &'static [&'static str],
    /// A file whose existence means that the last step alone resumes the job.
    begun: Option<&'static str>,
    /// The files, or folders of files, that must have the same content.
    outputs: &'static [&'static str],
}

const TINY: &str = "train --preset daoud2004 --out run --seed 3 --population 10 --set fitness_set=3 --depth 2 \
                    --set measure_every=3000 --set measure_openings=1 --quiet --generations ";

/// A run on a board so small that the reference opponents are soon played on all openings.
const SMALL: &str = "train --preset kalah-standard --out run --seed 3 --population 8 --depth 2 \
                     --set game=kalah:pits=2,seeds=2 --set finalist_games=0 --set measure_every=0 --quiet \
                     --generations ";

/// All jobs. [`Job::line`] expands `TINY` and `SMALL`.
pub(crate) const JOBS: [Job; 7] = [
    Job {
        name: "train",
        prepare: &[],
        steps: &[
            "TINY 4",
            "resume run --quiet --generations 8",
            "resume run --quiet --generations 60",
        ],
        begun: Some("run/run.toml"),
        outputs: &[
            "run/history.csv",
            "run/strength.csv",
            "run/champion.json",
            "run/checkpoint-000060.ayo",
        ],
    },
    Job {
        name: "resume",
        prepare: &["TINY 20"],
        steps: &["resume run --quiet --generations 90"],
        begun: None,
        outputs: &[
            "run/history.csv",
            "run/strength.csv",
            "run/champion.json",
            "run/checkpoint-000090.ayo",
        ],
    },
    Job {
        name: "champion",
        prepare: &["SMALL 20"],
        steps: &["champion run --games 400 --quiet"],
        begun: None,
        outputs: &["run/history.csv", "run/champion.json", "run/checkpoint-000020.ayo"],
    },
    Job {
        name: "match",
        prepare: &[],
        steps: &[
            "match minimax:weights=aalina4,depth=4 minimax:weights=seeds,depth=3 --games 300 --quiet \
                  --games-out games.txt",
        ],
        begun: None,
        outputs: &["games.txt"],
    },
    Job {
        name: "tournament",
        prepare: &[],
        steps: &[
            "tournament minimax:weights=seeds,depth=3 minimax:weights=aalina4,depth=3 greedy random:seed=7 \
                  --games 100 --quiet --games-out games.txt",
        ],
        begun: None,
        outputs: &["games.txt"],
    },
    Job {
        name: "compare",
        prepare: &[],
        steps: &[
            "compare random-search:game=\"kalah:pits=2,seeds=2\" spsa:game=\"kalah:pits=2,seeds=2\" --seeds 1..3 \
                  --budget games=500 --openings 2 --depth 2 --quiet -o found/compared.csv",
        ],
        begun: None,
        outputs: &["found/compared.csv"],
    },
    Job {
        name: "build",
        prepare: &[],
        steps: &["endgame build --seeds 9 --out some/tables --quiet"],
        begun: None,
        outputs: &["some/tables"],
    },
];

/// The files that a job has written, by name.
pub(crate) type Outputs = BTreeMap<PathBuf, Vec<u8>>;

/// A job with its undisturbed result.
#[derive(Debug)]
pub(crate) struct Baseline {
    pub(crate) job: &'static Job,
    /// The folder in which the job starts.
    pub(crate) prepared: PathBuf,
    pub(crate) outputs: Outputs,
    /// The undisturbed running time.
    pub(crate) took: Duration,
}

impl Job {
    /// Returns the command line of a step.
    pub(crate) fn line(step: &str) -> String {
        step.replace("TINY ", TINY).replace("SMALL ", SMALL)
    }

    /// Returns the steps that resume the job in a folder.
    pub(crate) fn rest(&self, folder: &Path) -> &[&'static str] {
        match self.begun {
            Some(file) if folder.join(file).exists() => &self.steps[self.steps.len() - 1..],
            _ => self.steps,
        }
    }

    /// Returns the output files of the job in a folder.
    pub(crate) fn outputs(&self, folder: &Path) -> Outputs {
        outputs(folder, self.outputs)
    }

    /// Runs the job undisturbed.
    pub(crate) fn baseline(&'static self, sandbox: &Sandbox) -> Result<Baseline, String> {
        let prepared = sandbox.empty(&format!("{}-prepared", self.name));
        for step in self.prepare {
            run(sandbox, &prepared, &Job::line(step), &[], JOB_TIMEOUT).succeeded()?;
        }
        let folder = sandbox.copy(&prepared, &format!("{}-whole", self.name));
        let begun = std::time::Instant::now();
        for step in self.steps {
            run(sandbox, &folder, &Job::line(step), &[], JOB_TIMEOUT).succeeded()?;
        }
        let (took, outputs) = (begun.elapsed(), self.outputs(&folder));
        match outputs.len() {
            0 => Err(format!("{} leaves nothing", self.name)),
            _ => Ok(Baseline { job: self, prepared, outputs, took }),
        }
    }

    /// Runs all jobs undisturbed. Panics if one fails.
    pub(crate) fn all(sandbox: &Sandbox) -> Vec<Baseline> {
        let baseline = JOBS.iter().map(|job| job.baseline(sandbox));
        baseline.collect::<Result<_, _>>().unwrap_or_else(|error| panic!("undisturbed: {error}"))
    }
}

/// Returns the job that a case attacks.
pub(crate) fn of_case<T>(works: &[T], case: u64) -> &T {
    &works[(case % works.len() as u64) as usize]
}

impl Baseline {
    /// Resumes the job as if some time had passed, and compares the result with the undisturbed one.
    pub(crate) fn finish(&self, sandbox: &Sandbox, folder: &Path) -> Result<(), String> {
        age_left_overs(folder);
        for step in self.job.rest(folder) {
            run(sandbox, folder, &Job::line(step), &[], JOB_TIMEOUT).succeeded()?;
        }
        self.compare(folder)?;
        no_left_overs(folder)
    }

    /// Compares the output files in a folder with the undisturbed ones.
    pub(crate) fn compare(&self, folder: &Path) -> Result<(), String> {
        let outputs = self.job.outputs(folder);
        if outputs == self.outputs {
            return Ok(());
        }
        let names: Vec<String> = self
            .outputs
            .keys()
            .chain(outputs.keys().filter(|name| !self.outputs.contains_key(*name)))
            .filter(|name| self.outputs.get(*name) != outputs.get(*name))
            .map(|name| match outputs.get(name) {
                Some(_) => format!("{} differs", name.display()),
                None => format!("{} is missing", name.display()),
            })
            .collect();
        Err(format!("{}: {}", self.job.name, names.join(", ")))
    }
}

/// Returns the files of these names in a folder, and all files but the lock in folders among them.
pub(crate) fn outputs(folder: &Path, names: &[&str]) -> Outputs {
    let mut outputs = Outputs::new();
    for path in names.iter().map(|name| folder.join(name)) {
        let entries = fs::read_dir(&path).into_iter().flatten().flatten();
        let within = entries.map(|entry| entry.path()).chain([path]);
        for file in within.filter(|it| it.extension().is_some_and(|end| end != "tmp")) {
            if let Ok(bytes) = fs::read(&file) {
                let name = file.strip_prefix(folder).expect("it is within").to_owned();
                outputs.insert(name.clone(), without_times(&name, bytes));
            }
        }
    }
    outputs
}

/// Ages temporary files, since those outside locked folders are removed only a minute after they were written.
fn age_left_overs(folder: &Path) {
    let long_ago = SystemTime::now() - Duration::from_secs(3600);
    for path in left_overs(folder) {
        let file = fs::File::options().write(true).open(path).expect("a temporary file");
        file.set_modified(long_ago).expect("a time of a file");
    }
}

/// Checks that no temporary file is left.
fn no_left_overs(folder: &Path) -> Result<(), String> {
    match left_overs(folder).first() {
        Some(path) => Err(format!("{} stays", path.display())),
        None => Ok(()),
    }
}

/// Returns the temporary files in a folder and its subfolders.
fn left_overs(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let (folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| path.is_dir());
    files.retain(|path| path.extension().is_some_and(|ending| ending == "tmp"));
    files.extend(folders.iter().flat_map(|folder| left_overs(folder)));
    files
}

/// Returns a file without the columns that differ between runs: the seconds of a comparison.
fn without_times(name: &Path, bytes: Vec<u8>) -> Vec<u8> {
    let text = match String::from_utf8(bytes) {
        Ok(text) if name.ends_with("compared.csv") => text,
        Ok(text) => return text.into_bytes(),
        Err(binary) => return binary.into_bytes(),
    };
    let columns: Vec<&str> = text.lines().next().unwrap_or_default().split(',').collect();
    let timed = |column: &&str| matches!(*column, "seconds" | "check" | "crc32" | "checksum");
    // From the left only as far as the quoted settings, from the right the others.
    let at: Vec<usize> = (0..columns.len()).filter(|&i| timed(&columns[i])).collect();
    text.lines().map(|line| without(line, &at, columns.len())).collect::<String>().into_bytes()
}

/// Returns a line of a CSV file without some fields.
fn without(line: &str, at: &[usize], columns: usize) -> String {
    let mut quoted = false;
    let apart = |c: char| {
        quoted ^= c == '"';
        c == ',' && !quoted
    };
    let fields: Vec<&str> = line.split(apart).collect();
    assert!(fields.len() <= columns, "{line}");
    let kept = fields.iter().enumerate().filter(|(i, _)| !at.contains(i));
    let kept: Vec<&str> = kept.map(|(_, field)| *field).collect();
    kept.join(",") + "\n"
}

/// Checks that a disturbed process was killed, succeeded, or failed with a proper error.
pub(crate) fn killed_or_ended_properly(ended: &Ended) -> Result<(), String> {
    if ended.was_killed() { Ok(()) } else { ended.ended_properly() }
}
