//! Damaged checkpoints are refused, named, and passed over.

use std::fs;

use ayo::run::Checkpoint;

use crate::support::{Bytes, Scratch, TINY, checkpoints, refused, undisturbed};

/// A run of ten generations with checkpoints after five and ten.
fn run_of_ten() -> Scratch {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train --preset daoud2004 --out run --generations 5 {TINY}")).success();
    scratch.ayo("resume run --generations 10 --quiet").success();
    assert_eq!(checkpoints(&scratch.path("run")).len(), 2);
    scratch
}

/// Every kind of damage, with its name.
type Damage = (String, Vec<u8>);

fn every_truncation(bytes: &[u8]) -> impl Iterator<Item = Damage> {
    (0..bytes.len()).map(|length| (format!("cut to {length}"), bytes[..length].to_vec()))
}

fn every_flipped_byte(bytes: &[u8]) -> impl Iterator<Item = Damage> {
    let flip = |at: usize, mask: u8| {
        let mut damaged = bytes.to_vec();
        damaged[at] ^= mask;
        (format!("byte {at} ^ {mask:#x}"), damaged)
    };
    (0..bytes.len()).flat_map(move |at| [0x01, 0x80, 0xFF].map(|mask| flip(at, mask)))
}

#[test]
fn every_truncation_and_every_flipped_byte_is_refused_with_one_sentence() {
    let scratch = run_of_ten();
    let bytes = fs::read(checkpoints(&scratch.path("run")).pop().unwrap()).unwrap();
    assert!(Checkpoint::decode(&bytes).is_ok());
    let longer = ("a byte more".to_owned(), [bytes.as_slice(), &[0]].concat());
    for (what, damaged) in
        every_truncation(&bytes).chain(every_flipped_byte(&bytes)).chain([longer])
    {
        let refusal = Checkpoint::decode(&damaged).expect_err(&what).to_string();
        assert!(!refusal.is_empty() && !refusal.contains('\n'), "{what}: {refusal}");
        assert!(!refusal.contains(". ") && !refusal.ends_with('.'), "{what}: {refusal}");
        // The name of the file goes before it.
        let verb = refusal.split(' ').next().unwrap();
        assert!(["is", "has", "holds", "does"].contains(&verb), "{what}: {refusal}");
    }
}

#[test]
fn the_newest_is_named_when_damaged_and_the_one_before_it_used() {
    let whole = undisturbed(&format!("--generations 10 {TINY}"));
    let scratch = run_of_ten();
    let newest = checkpoints(&scratch.path("run")).pop().unwrap();
    let bytes = fs::read(&newest).unwrap();
    let all: Vec<Damage> = every_truncation(&bytes).chain(every_flipped_byte(&bytes)).collect();
    // The header's fields, its end, and places all over the payload.
    let early = [0, 4, 8, 12, 20, 23, 24, 25].map(|length| length.to_string());
    let some = all.iter().enumerate().filter(|(index, (what, _))| {
        index % (all.len() / 12) == 0
            || early
                .iter()
                .any(|n| what == &format!("cut to {n}") || what == &format!("byte {n} ^ 0x1"))
    });
    for (_, (what, damaged)) in some {
        fs::write(&newest, damaged).unwrap();
        let inspected = scratch.run(&["inspect", newest.to_str().unwrap()]);
        let said = refused(inspected, 1, &["checkpoint-000010.ayo: the file "]);
        let verb = said.split(": the file ").nth(1).unwrap().split(' ').next().unwrap();
        assert!(["is", "has", "holds", "does"].contains(&verb), "{what}: {said}");
        let resumed = scratch.ayo("resume run --quiet").success();
        let said = resumed.stderr();
        assert!(said.starts_with("ayo: warning: run/checkpoint-000010.ayo "), "{what}: {said}");
        assert!(said.ends_with("; going on from an older checkpoint\n"), "{what}: {said}");
        assert_eq!(said.lines().count(), 1, "{what}: {said}");
        Bytes::of(&scratch.path("run")).assert_same(&whole);
    }
}

#[test]
fn with_several_damaged_each_is_named() {
    let whole = undisturbed(&format!("--generations 15 {TINY}"));
    let scratch = run_of_ten();
    scratch.ayo("resume run --generations 15 --quiet").success();
    let files = checkpoints(&scratch.path("run"));
    fs::write(&files[1], "").unwrap();
    fs::write(&files[2], "AYO\0CKPT").unwrap();
    let said = scratch.ayo("resume run --quiet").success().stderr();
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].contains("run/checkpoint-000015.ayo"), "{said}");
    assert!(lines[1].contains("run/checkpoint-000010.ayo"), "{said}");
    assert_eq!(lines.len(), 2, "{said}");
    Bytes::of(&scratch.path("run")).assert_same(&whole);
}

#[test]
fn without_a_readable_one_the_run_stops_and_loses_nothing() {
    let scratch = run_of_ten();
    let history = scratch.read("run/history.csv");
    for file in checkpoints(&scratch.path("run")) {
        let mut bytes = fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x10;
        fs::write(&file, bytes).unwrap();
    }
    let before = scratch.list("run");
    let names = ["checkpoint-000005.ayo", "checkpoint-000010.ayo", "no checkpoint is readable"];
    refused(scratch.ayo("resume run"), 1, &names);
    assert_eq!(scratch.list("run"), before);
    assert_eq!(scratch.read("run/history.csv"), history);
    // The suggested command works.
    for file in checkpoints(&scratch.path("run")) {
        fs::remove_file(file).unwrap();
    }
    scratch.ayo("resume run --quiet").success();
    let whole = undisturbed(&format!("--generations 10 {TINY}"));
    Bytes::of(&scratch.path("run")).assert_same(&whole);
}

#[test]
fn a_version_that_this_program_does_not_read_is_named_and_kept() {
    let scratch = run_of_ten();
    let newest = checkpoints(&scratch.path("run")).pop().unwrap();
    let mut bytes = fs::read(&newest).unwrap();
    bytes[8] = 7;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..20]);
    hasher.update(&bytes[24..]);
    bytes[20..24].copy_from_slice(&hasher.finalize().to_le_bytes());
    fs::write(&newest, &bytes).unwrap();
    let words = ["checkpoint-000010.ayo", "format version 7", "version 2"];
    refused(scratch.ayo("resume run --generations 11"), 1, &words);
    assert_eq!(fs::read(&newest).unwrap(), bytes);
}

#[test]
fn a_checkpoint_of_another_run_is_refused_by_the_setting_that_differs() {
    let scratch = run_of_ten();
    scratch
        .ayo(&format!("train --preset daoud2004 --out other --generations 12 {TINY} --set seed=4"))
        .success();
    fs::copy(
        scratch.path("other/checkpoint-000012.ayo"),
        scratch.path("run/checkpoint-000012.ayo"),
    )
    .unwrap();
    refused(scratch.ayo("resume run --generations 20"), 1, &["seed was 4", "is 3 now"]);
}

#[test]
fn a_run_goes_back_to_the_checkpoint_that_its_history_reaches() {
    let whole = undisturbed(&format!("--generations 11 {TINY}"));
    let scratch = run_of_ten();
    let good = scratch.read("run/history.csv");
    let lines: Vec<&str> = good.split_inclusive('\n').collect();
    let damages = [
        ("cut short", &good[..good.len() - 1], 9),
        ("a row is missing", &[&lines[..8], &lines[9..]].concat().concat(), 7),
        ("a row is twice", &[&lines[..8], &lines[7..]].concat().concat(), 7),
        ("a row has lost columns", &good.replace(lines[8], "8,3\n"), 7),
        ("a row has no number", &good.replace(lines[8], &lines[8].replacen('8', "?", 1)), 7),
    ];
    for (damage, history, rows) in damages {
        let scratch = run_of_ten();
        scratch.write("run/history.csv", history);
        let said = scratch.ayo("resume run --generations 11 --quiet").success().stderr();
        let expected = format!(
            "ayo: warning: run/history.csv, line {}: its good rows end at generation {rows}, before \
             run/checkpoint-000010.ayo; going on from an older checkpoint\n",
            rows + 2
        );
        assert_eq!(said, expected, "{damage}");
        Bytes::of(&scratch.path("run")).assert_same(&whole);
        // Nothing is thrown away.
        assert!(scratch.path("run/checkpoint-000010.ayo.ahead").exists());
    }
    // The header can be written again.
    scratch.write("run/history.csv", good.replace("generation,", "x,"));
    let said = scratch.ayo("resume run --generations 11 --quiet").success().stderr();
    assert_eq!(said, "");
    Bytes::of(&scratch.path("run")).assert_same(&whole);
}

#[test]
fn a_history_that_reaches_no_checkpoint_is_refused_with_a_remedy() {
    let whole = undisturbed(&format!("--generations 10 {TINY}"));
    let scratch = run_of_ten();
    let before = scratch.list("run");
    let good = scratch.read("run/history.csv");
    let four: String = good.split_inclusive('\n').take(5).collect();
    let refuse = |rows: u32| {
        let rows = format!("end at generation {rows}");
        let words = ["run/history.csv", &rows, "of generation 5", "remove the checkpoints"];
        refused(scratch.ayo("resume run --generations 11"), 1, &words);
    };
    scratch.write("run/history.csv", &four);
    refuse(4);
    scratch.write("run/history.csv", [0xFF, 0xFE]);
    refuse(0);
    assert_eq!(scratch.list("run"), before);
    fs::remove_file(scratch.path("run/history.csv")).unwrap();
    refuse(0);
    for file in checkpoints(&scratch.path("run")) {
        fs::remove_file(file).unwrap();
    }
    scratch.ayo("resume run --quiet").success();
    Bytes::of(&scratch.path("run")).assert_same(&whole);
}

#[test]
fn costs_that_are_lost_stop_nobody() {
    let whole = undisturbed(&format!("--generations 11 {TINY}"));
    for lost in [None, Some(""), Some("generation,nodes,seconds,games_per_second\n1,2,3,4\n2,")] {
        let scratch = run_of_ten();
        match lost {
            None => fs::remove_file(scratch.path("run/cost.csv")).unwrap(),
            Some(text) => scratch.write("run/cost.csv", text),
        }
        let said = scratch.ayo("resume run --generations 11 --quiet").success().stderr();
        assert_eq!(said, "");
        Bytes::of(&scratch.path("run")).assert_same(&whole);
        let cost = scratch.read("run/cost.csv");
        assert!(cost.starts_with("generation,nodes,seconds,games_per_second\n"), "{cost}");
        assert!(cost.lines().last().unwrap().starts_with("11,"), "{cost}");
    }
}
