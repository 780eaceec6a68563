//! Damaged files of every kind, under a limit of memory and time. Each is refused in a sentence or is
//! harmless: what goes on from it comes out the same as without the damage.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mancala::random::ChaCha8Rng;
use rand::RngExt;

use crate::job::{Job, LONG};
use crate::mutation::damage;
use crate::options::{Attack, Options};
use crate::process::{Ended, run as run_line};
use crate::report::Part;
use crate::workplace::{Workplace, dice};

const WITHIN: Duration = Duration::from_secs(10);

/// Files, and what reads them.
struct Kind {
    name: &'static str,
    prepare: &'static [&'static str],
    /// The files that are damaged, each in its turn; of a folder one by chance.
    victims: &'static [&'static str],
    /// What goes on from them: it refuses, or what it leaves is the same.
    strict: Option<(&'static str, &'static [&'static str])>,
    /// What reads them.
    lenient: &'static [&'static str],
}

const KINDS: [Kind; 6] = [
    Kind {
        name: "run folder",
        prepare: &[
            "TINY 6",
            "resume run --quiet --generations 9",
            "resume run --quiet --generations 12",
        ],
        victims: &[
            "run/history.csv",
            "run/strength.csv",
            "run/champion.json",
            "run/checkpoint-000012.ayo",
            "run/checkpoint-000009.ayo",
            "run/run.toml",
            "run/cost.csv",
            "run/checksums.csv",
        ],
        strict: Some((
            "resume run --quiet --generations 15",
            &[
                "run/history.csv",
                "run/strength.csv",
                "run/champion.json",
                "run/checkpoint-000015.ayo",
            ],
        )),
        lenient: &[
            "inspect run",
            "runs .",
            "plot run -o run.svg",
            "export run --format toml",
            "inspect run --json",
        ],
    },
    Kind {
        name: "weights",
        prepare: &[
            "export aalina4 --format json -o w.json",
            "export aalina4 --format toml -o w.toml",
            "export aalina4 --format csv -o w.csv",
        ],
        victims: &["w.json", "w.toml", "w.csv"],
        strict: None,
        lenient: &[
            "inspect VICTIM",
            "export VICTIM --format c",
            "eval --weights VICTIM",
            "plot VICTIM -o w.svg",
        ],
    },
    Kind {
        name: "games",
        prepare: &["match greedy random:seed=3 --games 20 --quiet --games-out games.txt"],
        victims: &["games.txt"],
        strict: Some((
            "match greedy random:seed=3 --games 20 --quiet --games-out games.txt",
            &["games.txt"],
        )),
        lenient: &["replay games.txt", "replay games.txt --json"],
    },
    Kind {
        name: "comparison",
        prepare: &[
            "compare random-search:game=\"kalah:pits=2,seeds=2\" --seeds 1..3 --budget games=500 --openings 2 --depth 1 --quiet -o compared.csv",
        ],
        victims: &["compared.csv"],
        strict: Some((
            "compare random-search:game=\"kalah:pits=2,seeds=2\" --seeds 1..3 --budget games=500 --openings 2 --depth 1 --quiet -o compared.csv",
            &["compared.csv"],
        )),
        lenient: &["plot compared.csv -o compared.svg"],
    },
    Kind {
        name: "tables",
        prepare: &["endgame build --seeds 6 --out tables --quiet"],
        victims: &["tables"],
        strict: Some(("endgame build --seeds 6 --out tables --quiet", &["tables"])),
        lenient: &[
            "endgame probe tables --position 0-0-0-0-0-1-1-0-0-0-0-0-23-23-S",
            "endgame verify tables --quiet",
            "match minimax:weights=seeds,depth=1,tables=tables greedy --rules awari --games 4 --quiet",
        ],
    },
    Kind {
        name: "results",
        prepare: &[
            "match greedy random:seed=3 --games 20 --quiet --json > match.json",
            "tournament greedy random:seed=3 random:seed=4 --games 20 --quiet --json > tournament.json",
        ],
        victims: &["match.json", "tournament.json"],
        strict: None,
        lenient: &["plot VICTIM -o results.svg"],
    },
];

/// A kind, made once.
struct Made {
    kind: &'static Kind,
    folder: PathBuf,
    expected: BTreeMap<PathBuf, Vec<u8>>,
}

pub(crate) fn run(options: &Options, workplace: &Workplace) -> Part {
    let mut part = Part::new(Attack::Damaged);
    let made: Vec<Made> = KINDS.iter().map(|kind| make(workplace, kind)).collect();
    let spoils: Vec<Vec<u8>> =
        made.iter().flat_map(|it| victims(&it.folder, it.kind)).map(read).collect();
    let mut refused = 0;
    for case in (options.from..).take(options.count(Attack::Damaged) as usize) {
        let made = &made[(case % made.len() as u64) as usize];
        let mut dice = dice(options.seed, Attack::Damaged, case);
        let folder = workplace.copy(&made.folder, "case");
        let (victim, how) = damaged(&folder, made.kind, &spoils, &mut dice);
        let found = met(workplace, made, &folder, &victim, &mut dice);
        workplace.keep_if(found.is_err(), &folder, Attack::Damaged, case);
        refused += u64::from(found == Ok(Met::Refused));
        let what = |what| format!("{}, {how}: {what}", victim.display());
        part.add(case, found.map(|_| ()).map_err(what));
    }
    let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    part.what =
        format!("damaged files of {}; {refused} refused, the others harmless", names.join(", "));
    part
}

fn read(path: PathBuf) -> Vec<u8> {
    fs::read(path).expect("a file that was just made")
}

fn make(workplace: &Workplace, kind: &'static Kind) -> Made {
    let folder = workplace.empty(&format!("made-{}", kind.name.replace(' ', "-")));
    for line in kind.prepare {
        let line = Job::line(line);
        let (line, to) =
            line.split_once(" > ").map_or((line.as_str(), None), |(a, b)| (a, Some(b)));
        let ended = run_line(workplace, &folder, line, &[], LONG);
        ended.succeeded().unwrap_or_else(|said| panic!("undisturbed: {said}"));
        if let Some(to) = to {
            fs::write(folder.join(to), ended.stdout).expect("a file of a case");
        }
    }
    let whole = workplace.copy(&folder, "case");
    for line in kind.lenient {
        let victim = victims(&whole, kind).remove(0);
        let line = line.replace("VICTIM", victim.to_str().expect("a path of ours"));
        let ended = run_line(workplace, &whole, &line, &[], LONG);
        ended.succeeded().unwrap_or_else(|said| panic!("undisturbed: {said}"));
    }
    let whole = workplace.copy(&folder, "case");
    let mut expected = BTreeMap::new();
    if let Some((line, outputs)) = kind.strict {
        let ended = run_line(workplace, &whole, line, &[], LONG);
        ended.succeeded().unwrap_or_else(|said| panic!("undisturbed: {said}"));
        expected = crate::job::outputs(&whole, outputs);
    }
    Made { kind, folder, expected }
}

/// The files of a kind that can be damaged.
fn victims(folder: &Path, kind: &Kind) -> Vec<PathBuf> {
    let files = |name: &&str| {
        let path = folder.join(name);
        let entries = fs::read_dir(&path).into_iter().flatten().flatten().map(|it| it.path());
        let mut within: Vec<PathBuf> = entries.chain([path]).filter(|it| it.is_file()).collect();
        within.retain(|it| it.file_name().is_some_and(|name| name != "lock"));
        within.sort();
        within
    };
    kind.victims.iter().flat_map(files).collect()
}

fn damaged(
    folder: &Path,
    kind: &Kind,
    spoils: &[Vec<u8>],
    dice: &mut ChaCha8Rng,
) -> (PathBuf, &'static str) {
    let victims = victims(folder, kind);
    let victim = &victims[dice.random_range(0..victims.len() as u64) as usize];
    let whole = read(victim.clone());
    let other = &spoils[dice.random_range(0..spoils.len() as u64) as usize];
    let mut bytes = whole.clone();
    let mut how = "";
    while bytes == whole {
        how = damage(&mut bytes, other, dice);
    }
    fs::write(victim, bytes).expect("a file of a case");
    (victim.strip_prefix(folder).expect("it is within").to_owned(), how)
}

#[derive(Debug, PartialEq, Eq)]
enum Met {
    Refused,
    Harmless,
}

fn met(
    workplace: &Workplace,
    made: &Made,
    folder: &Path,
    victim: &Path,
    dice: &mut ChaCha8Rng,
) -> Result<Met, String> {
    let kind = made.kind;
    let lenient = kind.lenient[dice.random_range(0..kind.lenient.len() as u64) as usize];
    // On a copy, since some of it writes.
    let copy = workplace.copy(folder, "read");
    let line = lenient.replace("VICTIM", victim.to_str().expect("a path of ours"));
    let ended = run_line(workplace, &copy, &line, &[], WITHIN);
    ended.was_civil()?;
    one_sentence(&ended)?;
    let Some((line, outputs)) = kind.strict else {
        return Ok(if ended.status.success() { Met::Harmless } else { Met::Refused });
    };
    let ended = run_line(workplace, folder, line, &[], WITHIN);
    ended.was_civil()?;
    one_sentence(&ended)?;
    if !ended.status.success() {
        return Ok(Met::Refused);
    }
    let found = crate::job::outputs(folder, outputs);
    let differs = |(name, bytes): &(&PathBuf, &Vec<u8>)| {
        found.get(*name).map(|it| without_effort(it)) != Some(without_effort(bytes))
    };
    match made.expected.iter().find(differs) {
        None => Ok(Met::Harmless),
        Some((name, _)) => Err(format!("{} is wrong, and yet {}", name.display(), ended.said())),
    }
}

/// A file without the node counts that stand beside games, which nothing proves.
fn without_effort(bytes: &[u8]) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(bytes) else { return bytes.to_vec() };
    let line = |line: &str| match line.split_once("\"nodes\":[") {
        Some((game, rest)) => game.to_owned() + rest.split_once(']').map_or(rest, |(_, rest)| rest),
        None => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect::<String>().into_bytes()
}

/// That a refusal is a sentence, and nothing in what is said would be obeyed by a terminal.
fn one_sentence(ended: &Ended) -> Result<(), String> {
    let obeyed = |text: &str| text.contains(|c: char| c.is_control() && !"\n\t\r".contains(c));
    if obeyed(&ended.stderr) || obeyed(&ended.stdout) {
        return Err(format!("a control character is printed: {:?}", ended.said()));
    }
    let is_refused = !ended.status.success() && ended.stdout.is_empty();
    match ended.stderr.lines().count() {
        lines if is_refused && lines > 2 => Err(format!("{lines} lines: {}", ended.said())),
        _ => Ok(()),
    }
}
