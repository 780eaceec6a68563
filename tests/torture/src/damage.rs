//! Damaged files of every kind, read with limited memory and time. The damage must either be rejected with a one-line
//! error or be harmless: a command that resumes from the file then writes the same output as without the damage.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mancala::random::ChaCha8Rng;
use rand::RngExt;

use crate::job::{Baseline, Job, of_case, outputs, run_all};
use crate::options::{Attack, Options};
use crate::process::{Ended, run as run_line};
use crate::report::Part;
use crate::sandbox::Sandbox;

const TIMEOUT: Duration = Duration::from_secs(10);

struct Kind {
    /// Writes the files, then resumes from them. Resuming either fails or produces the same output.
    job: Job,
    /// Files to damage, separated by spaces. For a folder, all of its files.
    victims: &'static str,
    /// Commands that read the files.
    lenient: &'static [&'static str],
}

const MATCH: &str = "match greedy random:seed=3 --games 20 --quiet --games-out games.txt";
const COMPARE: &str = "compare 'random-search:game=\"kalah:pits=2,seeds=2\"' --seeds 1..3 --budget games=500 \
                       --openings 2 --depth 1 --quiet -o compared.csv";
const BUILD: &str = "endgame build --seeds 6 --out tables --quiet";

static KINDS: [Kind; 6] = [
    Kind {
        job: Job {
            name: "run folder",
            prepare: &[
                "TINY 6",
                "resume run --quiet --generations 9",
                "resume run --quiet --generations 12",
            ],
            steps: &["resume run --quiet --generations 15"],
            outputs: "run/history.csv run/strength.csv run/champion.json run/checkpoint-000015.ayo",
        },
        victims: "run/history.csv run/strength.csv run/champion.json run/checkpoint-000012.ayo \
                  run/checkpoint-000009.ayo run/run.toml run/cost.csv run/checksums.csv",
        lenient: &[
            "inspect run",
            "runs .",
            "plot run -o run.svg",
            "export run --format toml",
            "inspect run --json",
        ],
    },
    Kind {
        job: Job {
            name: "weights",
            prepare: &[
                "export aalina4 --format json -o w.json",
                "export aalina4 --format toml -o w.toml",
                "export aalina4 --format csv -o w.csv",
            ],
            steps: &[],
            outputs: "w.json w.toml w.csv",
        },
        victims: "w.json w.toml w.csv",
        lenient: &[
            "inspect VICTIM",
            "export VICTIM --format c",
            "eval --weights VICTIM",
            "plot VICTIM -o w.svg",
        ],
    },
    Kind {
        job: Job { name: "games", prepare: &[MATCH], steps: &[MATCH], outputs: "games.txt" },
        victims: "games.txt",
        lenient: &["analyse games.txt", "analyse games.txt --json"],
    },
    Kind {
        job: Job {
            name: "comparison",
            prepare: &[COMPARE],
            steps: &[COMPARE],
            outputs: "compared.csv",
        },
        victims: "compared.csv",
        lenient: &["plot compared.csv -o compared.svg"],
    },
    Kind {
        job: Job { name: "tables", prepare: &[BUILD], steps: &[BUILD], outputs: "tables" },
        victims: "tables",
        lenient: &[
            "endgame probe tables --position 0-0-0-0-0-1-1-0-0-0-0-0-23-23-S",
            "endgame verify tables --quiet",
            "match minimax:weights=seeds,depth=1,tables=tables greedy --rules awari --games 4 --quiet",
        ],
    },
    Kind {
        job: Job {
            name: "results",
            prepare: &[
                "match greedy random:seed=3 --games 20 --quiet --json > match.json",
                "tournament greedy random:seed=3 random:seed=4 --games 20 --quiet --json > tournament.json",
            ],
            steps: &[],
            outputs: "match.json tournament.json",
        },
        victims: "match.json tournament.json",
        lenient: &["plot VICTIM -o results.svg"],
    },
];

pub(crate) fn run(options: &Options, sandbox: &Sandbox) -> Part {
    let kinds: Vec<(&Kind, Baseline)> =
        KINDS.iter().map(|kind| (kind, prepare(sandbox, kind))).collect();
    let files = kinds.iter().flat_map(|(kind, baseline)| victims(&baseline.prepared, kind));
    let donors: Vec<Vec<u8>> = files.map(read).collect();
    let mut refused = 0;
    let part = Part::of_cases(options, sandbox, Attack::Damaged, |case, rng| {
        let (kind, baseline) = of_case(&kinds, case);
        let folder = sandbox.copy(&baseline.prepared, "case");
        let (victim, how) = damage_file(&folder, kind, &donors, rng);
        let result = check(sandbox, kind, baseline, &folder, &victim, rng);
        refused += u64::from(result == Ok(true));
        result.map(drop).map_err(|what| format!("{}, {how}: {what}", victim.display()))
    });
    let names: Vec<&str> = KINDS.iter().map(|kind| kind.job.name).collect();
    let names = names.join(", ");
    let what = format!("damaged files of {names}; {refused} refused, the others harmless");
    Part { what, ..part }
}

fn read(path: PathBuf) -> Vec<u8> {
    fs::read(path).expect("a file that was just written")
}

fn prepare(sandbox: &Sandbox, kind: &'static Kind) -> Baseline {
    let baseline = kind.job.baseline(sandbox);
    let whole = sandbox.copy(&baseline.prepared, "case");
    let victim = victims(&whole, kind).remove(0);
    for line in kind.lenient {
        let line = line.replace("VICTIM", victim.to_str().expect("a path of ours"));
        run_all(sandbox, &whole, &[&line]);
    }
    baseline
}

fn victims(folder: &Path, kind: &Kind) -> Vec<PathBuf> {
    let files = |name: &str| {
        let path = folder.join(name);
        let entries = fs::read_dir(&path).into_iter().flatten().flatten().map(|it| it.path());
        let mut within: Vec<PathBuf> = entries.chain([path]).filter(|it| it.is_file()).collect();
        within.retain(|it| it.file_name().is_some_and(|name| name != "lock"));
        within.sort();
        within
    };
    kind.victims.split(' ').flat_map(files).collect()
}

fn damage_file(
    folder: &Path,
    kind: &Kind,
    donors: &[Vec<u8>],
    rng: &mut ChaCha8Rng,
) -> (PathBuf, &'static str) {
    let victims = victims(folder, kind);
    let victim = &victims[rng.random_range(0..victims.len() as u64) as usize];
    let whole = read(victim.clone());
    let other = &donors[rng.random_range(0..donors.len() as u64) as usize];
    let mut bytes = whole.clone();
    let mut how = "";
    while bytes == whole {
        how = damage(&mut bytes, other, rng);
    }
    fs::write(victim, bytes).expect("a file of a case");
    (victim.strip_prefix(folder).expect("it is within").to_owned(), how)
}

/// Applies one kind of damage at random, possibly with a piece of another file, and returns its name.
fn damage(bytes: &mut Vec<u8>, other: &[u8], rng: &mut ChaCha8Rng) -> &'static str {
    let place = rng.random_range(0..bytes.len().max(1) as u64) as usize;
    let end = (place + rng.random_range(1..=32u32) as usize).min(bytes.len());
    let kind = rng.random_range(0..5u32);
    match kind {
        0 => bytes.truncate(place),
        1 => bytes[place..end].fill(0),
        2 => drop(bytes.drain(place..end)),
        3 => drop(bytes.splice(place..place, other.iter().copied().take(64))),
        _ => bytes
            .iter_mut()
            .skip(place)
            .take(1)
            .for_each(|it| *it ^= 1 << rng.random_range(0..8u32)),
    }
    [
        "truncated",
        "a piece zeroed",
        "a piece removed",
        "a piece of another file inserted",
        "a bit flipped",
    ][kind as usize]
}

/// Reads damaged files and resumes from them. Returns whether the damage was rejected.
fn check(
    sandbox: &Sandbox,
    kind: &Kind,
    baseline: &Baseline,
    folder: &Path,
    victim: &Path,
    rng: &mut ChaCha8Rng,
) -> Result<bool, String> {
    let lenient = kind.lenient[rng.random_range(0..kind.lenient.len() as u64) as usize];
    // Use a copy, since some commands write files.
    let copy = sandbox.copy(folder, "read");
    let line = lenient.replace("VICTIM", victim.to_str().expect("a path of ours"));
    let is_read = ends_properly(&run_line(sandbox, &copy, &line, TIMEOUT))?;
    let [step] = kind.job.steps else { return Ok(!is_read) };
    let ended = run_line(sandbox, folder, step, TIMEOUT);
    if !ends_properly(&ended)? {
        return Ok(true);
    }
    let actual = outputs(folder, kind.job.outputs);
    let differs = |(name, bytes): &(&PathBuf, &Vec<u8>)| {
        actual.get(*name).map(|it| without_effort(it)) != Some(without_effort(bytes))
    };
    match baseline.outputs.iter().find(differs) {
        None => Ok(false),
        Some((name, _)) => Err(format!("{} is wrong, and yet {}", name.display(), ended.summary())),
    }
}

/// Returns a file without the node counts of games, which no checksum covers.
fn without_effort(bytes: &[u8]) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(bytes) else { return bytes.to_vec() };
    let line = |line: &str| match line.split_once("\"nodes\":[") {
        Some((game, rest)) => game.to_owned() + rest.split_once(']').map_or(rest, |(_, rest)| rest),
        None => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect::<String>().into_bytes()
}

/// Checks that a process ended properly, that any error is one line, and that the output has no control characters.
/// Returns whether the process succeeded.
fn ends_properly(ended: &Ended) -> Result<bool, String> {
    ended.ended_properly()?;
    let is_obeyed = |c: char| c.is_control() && !"\n\t\r".contains(c);
    if ended.stderr.contains(is_obeyed) || ended.stdout.contains(is_obeyed) {
        return Err(format!("a control character is printed: {:?}", ended.summary()));
    }
    let is_refused = !ended.status.success() && ended.stdout.is_empty();
    match ended.stderr.lines().count() {
        lines if is_refused && lines > 2 => Err(format!("{lines} lines: {}", ended.summary())),
        _ => Ok(ended.status.success()),
    }
}
