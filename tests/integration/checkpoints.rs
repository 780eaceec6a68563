//! Damaged checkpoints are rejected, named in the message, and skipped.

use std::fs;

use crate::optimisers;
use crate::support::{Scratch, TINY, checkpoints, column, holds, refused, undisturbed};

fn run_of_ten() -> Scratch {
    let scratch = Scratch::trained(&format!("--generations 5 {TINY}"));
    scratch.resume("--generations 10");
    assert_eq!(checkpoints(&scratch.path("run")).len(), 2);
    scratch
}

#[test]
fn damaged_ones_are_named_and_the_one_before_them_used() {
    let whole = undisturbed(&format!("--generations 10 {TINY}"));
    let scratch = run_of_ten();
    let newest = "run/checkpoint-000010.ayo";
    let bytes = scratch.bytes(newest);
    let flip = |at: usize| {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x80;
        damaged
    };
    let damages = [0, 9, 24, bytes.len() / 2].map(|length| bytes[..length].to_vec());
    for damaged in damages.into_iter().chain([8, 20, 30, bytes.len() - 1].map(flip)) {
        scratch.write(newest, damaged);
        scratch.refuses("1 inspect", &format!("{newest} => {newest}: "));
        assert_eq!(scratch.json("runs . --json")["runs"][0]["state"], "damaged");
        let said = scratch.resume("").stderr();
        assert!(said.starts_with(&format!("ayo: warning: {newest} ")), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        scratch.outputs().assert_same(&whole);
    }
    scratch.resume("--generations 15");
    scratch.write(newest, "");
    scratch.write("run/checkpoint-000015.ayo", "AYO\0CKPT");
    let said = scratch.resume("").stderr();
    holds(said.lines().next().unwrap(), &["run/checkpoint-000015.ayo"]);
    assert!(said.contains(newest) && said.lines().count() == 2, "{said}");
    scratch.outputs().assert_same(&undisturbed(&format!("--generations 15 {TINY}")));
}

#[test]
fn checkpoints_of_another_version_or_run_are_refused_and_kept() {
    let scratch = run_of_ten();
    let newest = "run/checkpoint-000010.ayo";
    let good = scratch.bytes(newest);
    let mut bytes = good.clone();
    bytes[8] = 7;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..20]);
    hasher.update(&bytes[24..]);
    bytes[20..24].copy_from_slice(&hasher.finalize().to_le_bytes());
    scratch.write(newest, &bytes);
    let words = ["checkpoint-000010.ayo", "format version 7", "version 2"];
    refused(scratch.ayo("resume run --generations 11"), 1, &words);
    assert_eq!(scratch.bytes(newest), bytes);
    scratch.write(newest, good);
    for (preset, words) in
        [("daoud2004", ["seed was 4", "is now 3"]), ("spsa", ["preset was", "spsa"])]
    {
        let settings = match preset {
            "spsa" => optimisers::small(preset),
            _ => format!("--preset {preset} {TINY}"),
        };
        scratch.train(preset, &format!("{settings} --generations 12 --set seed=4"));
        let other = scratch.bytes(&format!("{preset}/checkpoint-000012.ayo"));
        scratch.write("run/checkpoint-000012.ayo", other);
        refused(scratch.ayo("resume run --generations 20"), 1, &words);
    }
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
    scratch.shell("cp -r run kept").success();
    for (damage, history, rows) in damages {
        scratch.shell("rm -r run; cp -r kept run").success();
        scratch.write("run/history.csv", history);
        let said = scratch.resume("--generations 11").stderr();
        assert_eq!(said.lines().count(), 1, "{damage}: {said}");
        let place = format!("ayo: warning: run/history.csv, line {}: ", rows + 2);
        let reached = format!("generation {rows}, before run/checkpoint-000010.ayo");
        holds(&said, &[&place, &reached]);
        scratch.outputs().assert_same(&whole);
        // The newer checkpoint is set aside, not deleted.
        assert!(scratch.path("run/checkpoint-000010.ayo.ahead").exists());
    }
    // Column names and lost costs don't matter.
    let cut = "generation,nodes,seconds,games_per_second\n1,2,3,4\n2,";
    for (name, text) in [
        ("history.csv", &*good.replace("generation,", "x,")),
        ("cost.csv", ""),
        ("cost.csv", cut),
        ("none", ""),
    ] {
        scratch.shell("rm -r run; cp -r kept run").success();
        match name {
            "none" => scratch.remove("run/cost.csv"),
            _ => scratch.write(&format!("run/{name}"), text),
        }
        assert_eq!(scratch.resume("--generations 11").stderr(), "");
        scratch.outputs().assert_same(&whole);
        let generations = column(&scratch.read("run/cost.csv"), "generation");
        assert_eq!(generations.last().unwrap(), "11");
    }
}

#[test]
fn without_a_checkpoint_to_continue_from_the_run_stops_and_loses_nothing() {
    let scratch = run_of_ten();
    let before = scratch.list("run");
    let good = scratch.read("run/history.csv");
    let both = ["checkpoint-000005.ayo", "checkpoint-000010.ayo"];
    both.iter().for_each(|file| scratch.flip(&format!("run/{file}"), 100));
    refused(scratch.ayo("resume run"), 1, &[both[0], both[1], "checkpoints can be read"]);
    assert_eq!(scratch.list("run"), before);
    assert_eq!(scratch.read("run/history.csv"), good);
    both.iter().for_each(|file| scratch.flip(&format!("run/{file}"), 100));
    // Now the history ends before both checkpoints.
    let four: String = good.split_inclusive('\n').take(5).collect();
    for (history, rows) in [(Some(four.as_bytes()), 4), (Some(&[0xFF, 0xFE]), 0), (None, 0)] {
        match history {
            Some(bytes) => scratch.write("run/history.csv", bytes),
            None => scratch.remove("run/history.csv"),
        }
        let rows = format!("end at generation {rows}");
        let words = ["run/history.csv", &rows, "from generation 5", "ayo doctor run"];
        refused(scratch.ayo("resume run --generations 11"), 1, &words);
    }
    assert_eq!(scratch.list("run").len(), before.len() - 1);
    for file in checkpoints(&scratch.path("run")) {
        fs::remove_file(file).unwrap();
    }
    scratch.resume("");
    scratch.outputs().assert_same(&undisturbed(&format!("--generations 10 {TINY}")));
}
