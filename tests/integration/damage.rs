//! Every kind of damage to a file of a run, or to a book, is either reported by `ayo doctor` or documented as harmless.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ayo::doctor::{ExaminedFile, examine};

use crate::support::Scratch;

/// Damages a file, perhaps with content from another file of its kind. Returns `None` if that isn't possible.
type Damage = fn(&[u8], &[u8]) -> Option<Vec<u8>>;

const DAMAGES: [(&str, Damage); 23] = [
    ("emptied", |_, _| Some(Vec::new())),
    ("cut to a tenth", |it, _| Some(it[..it.len() / 10].to_vec())),
    ("cut in half", |it, _| Some(it[..it.len() / 2].to_vec())),
    ("cut near the end", |it, _| Some(it[..it.len() * 19 / 20].to_vec())),
    ("without its last byte", |it, _| Some(it[..it.len() - 1].to_vec())),
    ("zeros in the middle", |it, _| {
        Some(spliced(it, it.len() / 3, it.len() / 2, &vec![0; it.len() / 2 - it.len() / 3]))
    }),
    ("middle removed", |it, _| Some(spliced(it, it.len() / 3, it.len() / 2, b""))),
    ("middle twice", |it, _| {
        Some(spliced(it, it.len() / 2, it.len() / 2, &it[it.len() / 3..it.len() / 2]))
    }),
    ("garbage at the end", |it, _| Some([it, b"\0\xffgarbage"].concat())),
    ("line of garbage at the end", |it, _| Some([it, b"garbage\n"].concat())),
    ("empty line at the end", |it, _| Some([it, b"\n"].concat())),
    ("another one", |_, other| Some(other.to_vec())),
    ("end of another one", |it, other| {
        Some([&it[..it.len() / 2], &other[other.len() / 2..]].concat())
    }),
    ("first line gone", |it, _| lines(it, |lines| _ = lines.remove(0))),
    ("middle line gone", |it, _| lines(it, |lines| _ = lines.remove(lines.len() / 2))),
    ("last line gone", |it, _| lines(it, |lines| _ = lines.pop())),
    ("middle line twice", |it, _| {
        lines(it, |lines| lines.insert(lines.len() / 2, lines[lines.len() / 2]))
    }),
    ("last line twice", |it, _| lines(it, |lines| lines.extend(lines.last().copied()))),
    ("lines swapped", |it, _| {
        lines(it, |lines| {
            let last = lines.len() - 1;
            lines.swap(last - 1, last);
        })
    }),
    ("line ends of Windows", |it, _| {
        lines(it, |lines| lines.iter_mut().for_each(|it| it.1 = "\r\n"))
    }),
    ("another encoding", |it, _| {
        let text = str::from_utf8(it).ok()?;
        Some(text.encode_utf16().flat_map(u16::to_le_bytes).collect())
    }),
    ("digit changed at the beginning", |it, _| digit(it, 1, 5)),
    ("digit changed at the end", |it, _| digit(it, 19, 20)),
];

/// Harmless damage, as documented in reliability.md.
const WITHOUT_CONSEQUENCE: [(&str, &[&str]); 2] = [
    // The order of the rows doesn't matter. A crash may cut off the last row, which may repeat an older one.
    (
        "checksums.csv",
        &["last byte", "garbage at the end", "middle line twice", "last line", "swapped"],
    ),
    // We only write this to show progress to observers. If it can't be read, that is reported.
    ("status.json", &["last byte", "bit ", "empty line", "another one", "Windows", "digit"]),
];

fn flipped(content: &[u8], place: usize, bit: u8) -> Vec<u8> {
    let mut damaged = content.to_vec();
    damaged[place] ^= 1 << bit;
    damaged
}

fn spliced(content: &[u8], from: usize, to: usize, by: &[u8]) -> Vec<u8> {
    [&content[..from], by, &content[to..]].concat()
}

fn lines(content: &[u8], change: impl Fn(&mut Vec<(&str, &str)>)) -> Option<Vec<u8>> {
    let mut lines: Vec<(&str, &str)> =
        str::from_utf8(content).ok()?.lines().map(|line| (line, "\n")).collect();
    (lines.len() > 2).then(|| {
        change(&mut lines);
        lines.into_iter().flat_map(|(line, end)| [line, end]).collect::<String>().into_bytes()
    })
}

fn digit(content: &[u8], part: usize, of: usize) -> Option<Vec<u8>> {
    str::from_utf8(content).ok()?;
    let digits: Vec<usize> =
        (0..content.len()).filter(|&at| content[at].is_ascii_digit()).collect();
    let place = *digits.get(digits.len() * part / of)?;
    let digit = b'0' + (content[place] - b'0' + 1) % 10;
    Some(spliced(content, place, place + 1, &[digit]))
}

fn reported(folder: &Path) -> Vec<ExaminedFile> {
    let mut files = examine(folder).unwrap().files;
    files.retain(|file| file.damage.is_some() || file.missing.is_some() || file.edited);
    files
}

fn kind(name: &str) -> String {
    name.split('-').next().unwrap().to_owned() + if name.ends_with(".ayo") { ".ayo" } else { "" }
}

fn counterpart(name: &str, folder: &Path) -> Vec<u8> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<_> = entries
        .filter(|path| kind(path.file_name().unwrap().to_str().unwrap()) == kind(name))
        .collect();
    names.sort();
    fs::read(names.last().unwrap()).unwrap()
}

/// Damages files of kinds that aren't `known`, in each `step`-th way. Returns the number of cases.
fn damage_all(folder: &Path, other: &Path, step: usize, known: &mut BTreeSet<String>) -> usize {
    assert_eq!(reported(folder), [], "{}", folder.display());
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    // If positions, fits or reports are damaged, the program makes them again.
    let free = ["lock", "positions", "fit.ayo", "report.html"];
    let is_new = |name: &String| !free.contains(&name.as_str()) && !known.contains(&kind(name));
    let names: BTreeSet<String> = names.filter(is_new).collect();
    known.extend(names.iter().map(|name| kind(name)));
    let (mut cases, mut missed) = (0, Vec::new());
    for name in names {
        let path = folder.join(&name);
        let content = fs::read(&path).unwrap();
        let other = counterpart(&name, other);
        let free = WITHOUT_CONSEQUENCE.iter().find(|(file, _)| *file == name);
        let kinds = DAMAGES
            .iter()
            .filter_map(|(kind, damage)| Some((kind.to_string(), damage(&content, &other)?)));
        // With an odd step, all eight bit positions occur.
        let bits = (0..content.len()).step_by(83 | (content.len() / 4)).map(|place| {
            (format!("bit of byte {place}"), flipped(&content, place, (place % 8) as u8))
        });
        let damaged = kinds.chain(bits).filter(|(_, damaged)| *damaged != content);
        for (kind, damaged) in damaged.step_by(step) {
            cases += 1;
            fs::write(&path, &damaged).unwrap();
            let is_free = free.is_some_and(|(_, kinds)| kinds.iter().any(|it| kind.contains(it)));
            let reported = reported(folder);
            // If the checksums themselves are damaged, any file may be reported.
            let is_named = |file: &ExaminedFile| file.file == name || name == "checksums.csv";
            if !reported.iter().any(is_named) && !is_free {
                missed.push(format!("{name}: {kind}: {reported:?}"));
            }
        }
        fs::write(&path, &content).unwrap();
    }
    assert!(missed.is_empty(), "{} of {cases}: {missed:#?}", missed.len());
    cases
}

/// Damages a run for each of these settings. We resume it first, so that it also has an older checkpoint.
fn damage_runs(step: usize, settings: &[&str]) {
    let mut known = BTreeSet::new();
    let small = "--depth 1 --quiet --set measure_every=2 --set measure_openings=1 --set panel=1 \
                 --set finalist_games=0 --set measure_at=depth";
    for settings in settings {
        let scratch = Scratch::new();
        for (run, seed) in [("run", 1), ("other", 2)] {
            scratch.ayo(&format!("train --out {run} --seed {seed} {settings} {small}")).success();
        }
        scratch.resume("--generations 4");
        let cases = damage_all(&scratch.path("run"), &scratch.path("other"), step, &mut known);
        assert!(cases * step > 30, "{settings}: {cases}");
    }
}

#[test]
fn damage_to_a_run_is_reported() {
    damage_runs(4, &["--preset quick --population 4 --generations 2"]);
}

#[test]
#[ignore = "slow: four kinds of runs"]
fn damage_to_runs_is_reported() {
    let few = "--set positions=200 --set epochs=1 --set fit_every=4 --set label_depth=1 --set gate_openings=1";
    let learned =
        format!("--preset learned --features u1..u8 --population 6 --generations 2 {few}");
    damage_runs(1, &["--preset quick --population 4 --generations 2", &learned]);
    damage_runs(1, &["--preset pits --population 4 --generations 3"]);
    damage_runs(1, &["--game kalah --population 6 --generations 3"]);
}

#[test]
fn damage_to_a_book_is_reported() {
    let scratch = Scratch::new();
    for (folder, nodes) in [("books", 200), ("others", 300)] {
        fs::create_dir(scratch.path(folder)).unwrap();
        let build = format!("book build --positions 30 --nodes {nodes}");
        scratch.ayo(&format!("{build} -o {folder}/book.ayo --quiet")).success();
    }
    let folder = scratch.path("books");
    let (content, other) = (scratch.bytes("books/book.ayo"), scratch.bytes("others/book.ayo"));
    let bits = (0..content.len()).step_by(83).map(|at| flipped(&content, at, (at % 8) as u8));
    let others = DAMAGES.iter().filter(|(kind, _)| *kind != "another one");
    let others = others.filter_map(|(_, damage)| damage(&content, &other));
    let damaged: Vec<Vec<u8>> = bits.chain(others).filter(|it| *it != content).collect();
    assert!(damaged.len() > 30, "{}", damaged.len());
    for (number, damaged) in damaged.iter().enumerate() {
        scratch.write("books/book.ayo", damaged);
        assert_eq!(reported(&folder).len(), 1, "case {number}");
        if number % 20 == 0 {
            scratch.ayo("book verify --book books/book.ayo --quiet").code(1);
        }
    }
}
