//! What `ayo doctor` finds, and that the commands that it names save what they say.

use std::fs;
use std::path::Path;

use ayo::app::doctor::{Shell, examine};
use ayo::results::{Examination, Health};
use ayo::run::RunFolder;
use mancala::store::{CHECKSUMS, Checksums};
use serde_json::Value;

use crate::support::{Bytes, Scratch, TINY, checkpoints, refused};

fn look(folder: &Path) -> Examination {
    let shell = Shell { program: "ayo".into(), quoted: str::to_owned };
    examine(folder, &shell).unwrap()
}

/// A finished run with measurements.
fn trained() -> Scratch {
    let scratch = Scratch::new();
    let measured = "--set measure_every=2 --set measure_openings=1 --set panel=1";
    scratch
        .ayo(&format!("train --preset daoud2004 --out run {TINY} --generations 4 {measured}"))
        .success();
    scratch
}

/// The report about a damaged folder: the one file that is.
fn damaged(scratch: &Scratch, folder: &str) -> Value {
    let said = scratch.ayo(&format!("doctor {folder} --json"));
    assert_eq!(said.output().status.code(), Some(1), "{}", said.stdout());
    let found: Value = serde_json::from_str(&said.stdout()).unwrap();
    assert_eq!(found["state"], "damaged");
    let files = found["files"].as_array().unwrap().iter();
    let mut damaged: Vec<&Value> = files.filter(|file| file.get("damage").is_some()).collect();
    assert_eq!(damaged.len(), 1, "{found:#}");
    damaged.remove(0).clone()
}

fn sound(scratch: &Scratch, folder: &str) {
    let said = scratch.text(&format!("doctor {folder}"));
    assert!(said.ends_with("nothing is damaged\n"), "{said}");
}

/// Types the command that saves a file.
#[cfg(unix)]
fn save(scratch: &Scratch, file: &Value) {
    let command = file["command"].as_str().unwrap_or_else(|| panic!("no command: {file:#}"));
    scratch.shell(command).success();
}

#[test]
fn every_changed_bit_is_found_or_changes_nothing() {
    let scratch = Scratch::new();
    let tiny =
        "--features a9,a10 --population 4 --set fitness_set=1 --depth 1 --generations 2 --quiet";
    let measured = "--set measure_every=2 --set measure_openings=1 --set panel=1";
    scratch.ayo(&format!("train --preset daoud2004 --out run {tiny} {measured}")).success();
    let run = scratch.path("run");
    assert_eq!(look(&run).state, Health::Sound);
    let settings = RunFolder::settings(&run).unwrap();
    let known = Checksums::of(&run).unwrap();
    let checkpoint = checkpoints(&run).pop().unwrap();
    let checkpoint = checkpoint.file_name().unwrap().to_str().unwrap();
    for name in ["history.csv", "strength.csv", "champion.json", "run.toml", CHECKSUMS, checkpoint]
    {
        let path = run.join(name);
        let bytes = fs::read(&path).unwrap();
        // Steps are odd, so that all eight places in a byte come up. Most of the settings are comments, and of a
        // checkpoint every bit is tried where it is read.
        let step = if name == "run.toml" || name == checkpoint { 83 } else { 23 };
        for place in (0..bytes.len()).step_by(step) {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << (place % 8);
            fs::write(&path, &changed).unwrap();
            let found = look(&run);
            let damage = found.files.iter().find(|file| file.damage.is_some());
            match damage {
                Some(file) => assert_eq!(file.file, name, "byte {place}: {file:?}"),
                None if name == "run.toml" => {
                    // Comments and the number of generations may be edited, which doctor reports.
                    assert!(found.files.iter().any(|file| file.file == name && file.edited));
                    let other = RunFolder::settings(&run).unwrap();
                    assert_eq!(other.hash(), settings.hash(), "byte {place}");
                }
                // A digit may change its case, and without its end the last line is one that is being written.
                None => {
                    let says_the_same = Checksums::of(&run).unwrap() == known;
                    let is_end = place + 1 == bytes.len();
                    assert!(name == CHECKSUMS && (says_the_same || is_end), "{name}, byte {place}");
                }
            }
        }
        fs::write(&path, &bytes).unwrap();
    }
    sound(&scratch, "run");
}

#[test]
fn nothing_is_written() {
    let scratch = trained();
    let names = scratch.list("run");
    let read = || names.iter().map(|name| fs::read(scratch.path("run").join(name)).unwrap());
    let before: Vec<Vec<u8>> = read().collect();
    sound(&scratch, "run");
    assert_eq!((scratch.list("run"), read().collect::<Vec<_>>()), (names.clone(), before));
    refused(scratch.ayo("doctor none"), 1, &["cannot read none"]);
}

#[cfg(unix)]
#[test]
fn what_is_damaged_in_a_run_is_saved_by_the_command_that_is_named() {
    let scratch = trained();
    let run = scratch.path("run");
    // A torn checkpoint after a whole one.
    let torn = |name: &str, length: usize| {
        let path = run.join(name);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..length.min(bytes.len() / 2)]).unwrap();
    };
    scratch.ayo("resume run --generations 5 --quiet").success();
    assert_eq!(checkpoints(&run).len(), 2);
    let longer = Bytes::of(&run);
    torn("checkpoint-000005.ayo", 100);
    let file = damaged(&scratch, "run");
    assert_eq!(file["file"], "checkpoint-000005.ayo");
    save(&scratch, &file);
    sound(&scratch, "run");
    longer.assert_same(&Bytes::of(&run));
    // A line of the history, a measurement, and the champion.
    for (name, from, to) in [("history.csv", "\n5,", "\n5,7"), ("strength.csv", "\n2,", "\n2,x")] {
        let text = scratch.read(&format!("run/{name}"));
        assert!(text.contains(from), "{text}");
        scratch.write(&format!("run/{name}"), text.replacen(from, to, 1));
        let file = damaged(&scratch, "run");
        assert!(file["damage"].as_str().unwrap().starts_with("line "), "{file}");
        save(&scratch, &file);
        sound(&scratch, "run");
        if name == "history.csv" {
            longer.assert_same(&Bytes::of(&run));
        }
    }
    fs::remove_file(run.join("champion.json")).unwrap();
    save(&scratch, &damaged(&scratch, "run"));
    sound(&scratch, "run");
    // Without a history there is a population to begin from.
    fs::remove_file(run.join("history.csv")).unwrap();
    let file = damaged(&scratch, "run");
    assert_eq!((&file["file"], &file["damage"]), (&"history.csv".into(), &"it is missing".into()));
    save(&scratch, &file);
    sound(&scratch, "run-again");
}

#[cfg(unix)]
#[test]
fn a_damaged_checkpoint_that_is_a_spare_can_go() {
    let scratch = trained();
    scratch.ayo("resume run --generations 5 --quiet").success();
    let before = Bytes::of(&scratch.path("run"));
    let spare = fs::read(scratch.path("run/checkpoint-000004.ayo")).unwrap();
    scratch.write("run/checkpoint-000004.ayo", &spare[..40]);
    let file = damaged(&scratch, "run");
    assert!(file["saved"].as_str().unwrap().contains("the newer checkpoint of generation 5"));
    assert!(file["command"].as_str().unwrap().starts_with("rm "), "{file}");
    save(&scratch, &file);
    sound(&scratch, "run");
    before.assert_same(&Bytes::of(&scratch.path("run")));
}

#[cfg(unix)]
#[test]
fn a_missing_file_is_missed_for_what_it_means() {
    let scratch = trained();
    for (name, means) in [(CHECKSUMS, "cannot be seen"), ("cost.csv", "no run depends on them")] {
        fs::remove_file(scratch.path(&format!("run/{name}"))).unwrap();
        let said = scratch.text("doctor run");
        assert!(
            said.contains(means) && said.ends_with("no damage found; 1 file missing\n"),
            "{said}"
        );
        let found = scratch.json("doctor run --json");
        assert_eq!(found["state"], "incomplete");
        let mut files = found["files"].as_array().unwrap().iter();
        save(&scratch, files.find(|file| file["file"] == name).unwrap());
        sound(&scratch, "run");
    }
    let rows = scratch.read("run/history.csv").lines().count();
    let known = scratch.read(&format!("run/{CHECKSUMS}"));
    assert_eq!(known.matches("\nhistory.csv,").count(), rows, "{known}");
    assert!(known.contains("\nchampion.json,0,"), "{known}");
    fs::remove_file(scratch.path("run/strength.csv")).unwrap();
    save(&scratch, &damaged(&scratch, "run"));
    sound(&scratch, "run");
}

/// It is of a version that wrote none.
#[test]
fn the_committed_runs_are_sound() {
    for run in ["populations/reference", "populations/learned"] {
        let found = look(&Path::new(env!("CARGO_MANIFEST_DIR")).join(run));
        assert_eq!(found.state, Health::Sound, "{run}: {found:?}");
    }
}

#[test]
fn left_overs_and_hand_made_changes_are_named_without_alarm() {
    let scratch = trained();
    for name in [
        ".champion.json.tmp",
        ".history.csv.0123456789abcdef.tmp",
        "checkpoint-000001.ayo.damaged",
        "notes",
    ] {
        scratch.write(&format!("run/{name}"), "half");
    }
    let champion = scratch.read("run/champion.json");
    scratch.write("run/champion.json", champion.replacen("\"weights\": [", "\"weights\": [1", 1));
    let said = scratch.text("doctor run");
    for words in ["left over by a process", "set aside when", "no file of a run", "edited by hand"]
    {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(said.ends_with("no damage found; 1 file edited; 1 file not checked\n"), "{said}");
    scratch
        .write("run/run.toml", scratch.read("run/run.toml").replace("\nseed = 3 ", "\nseed = 4 "));
    let file = damaged(&scratch, "run");
    assert!(file["damage"].as_str().unwrap().contains("seed was 3 when the run began"), "{file}");
    fs::remove_file(scratch.path("run/run.toml")).unwrap();
    let file = damaged(&scratch, "run");
    assert!(
        file["command"].as_str().unwrap().ends_with("inspect run/checkpoint-000004.ayo"),
        "{file}"
    );
}

#[cfg(unix)]
#[test]
fn a_run_that_is_being_written_is_left_alone() {
    let scratch = Scratch::new();
    let mut training =
        scratch.start("train --preset daoud2004 --out run --depth 30 --threads 1 --quiet");
    training.begun();
    let found = scratch.json("doctor run --json");
    assert_eq!(found["state"], "busy");
    assert!(scratch.text("doctor run").contains("a process writes there"));
    assert!(training.kill());
    sound(&scratch, "run");
}

#[cfg(unix)]
#[test]
fn layers_are_solved_again() {
    let scratch = Scratch::new();
    scratch.text("endgame build --seeds 5 --rules awari --out tables --quiet");
    sound(&scratch, "tables");
    let files = scratch.list("tables");
    let whole = |name: &String| fs::read(scratch.path("tables").join(name)).unwrap();
    let before: Vec<Vec<u8>> = files.iter().map(whole).collect();
    let layer = scratch.path("tables/awari-03.ayo");
    let mut bytes = fs::read(&layer).unwrap();
    for place in [0, 9, 15, 22, 30, 63, bytes.len() - 1] {
        bytes[place] ^= 4;
        fs::write(&layer, &bytes).unwrap();
        assert_eq!(damaged(&scratch, "tables")["file"], "awari-03.ayo", "byte {place}");
        bytes[place] ^= 4;
    }
    bytes.pop();
    fs::write(&layer, &bytes).unwrap();
    save(&scratch, &damaged(&scratch, "tables"));
    sound(&scratch, "tables");
    fs::remove_file(&layer).unwrap();
    let file = damaged(&scratch, "tables");
    assert_eq!(
        (&file["file"], &file["damage"]),
        (&"awari-03.ayo".into(), &"it is missing below others".into())
    );
    save(&scratch, &file);
    sound(&scratch, "tables");
    let is_table = |name: &&String| name.ends_with(".ayo");
    let after: Vec<Vec<u8>> = files.iter().map(whole).collect();
    let tables = |all: &[Vec<u8>]| -> Vec<Vec<u8>> {
        files.iter().zip(all).filter(|(name, _)| is_table(name)).map(|(_, it)| it.clone()).collect()
    };
    assert!(tables(&before) == tables(&after));
}

#[cfg(unix)]
#[test]
fn one_command_solves_all_bad_layers_again() {
    let scratch = Scratch::new();
    scratch.text("endgame build --seeds 6 --rules awari --out tables --quiet");
    assert!(scratch.text("doctor tables").contains("not held"));
    fs::remove_file(scratch.path("tables/awari-03.ayo")).unwrap();
    scratch.write("tables/awari-06.ayo", "damaged");
    let said = scratch.ayo("doctor tables --json").code(1);
    let found: Value = serde_json::from_str(&said.stdout()).unwrap();
    let files = found["files"].as_array().unwrap().iter();
    let bad: Vec<&Value> = files.filter(|file| file.get("damage").is_some()).collect();
    let names: Vec<&Value> = bad.iter().map(|file| &file["file"]).collect();
    assert_eq!(names, ["awari-03.ayo", "awari-06.ayo"]);
    assert!(bad[1].get("command").is_none(), "{found:#}");
    save(&scratch, bad[0]);
    sound(&scratch, "tables");
    assert!(scratch.path("tables/awari-06.ayo").exists());
}

#[cfg(unix)]
#[test]
fn results_are_cut_back_to_their_good_lines() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("results")).unwrap();
    let games = "match random:seed=1 greedy --openings plies:1 --quiet --games-out";
    scratch.text(&format!("{games} results/m.games"));
    let compare = "compare spsa:population=4,openings=1,depth=1 --budget games=60 --seeds 1..2 --openings 1 \
                   --depth 1 --quiet -o";
    scratch.text(&format!("{compare} results/c.csv"));
    scratch
        .write("results/found.json", scratch.text("match random greedy --openings plies:1 --json"));
    scratch.text("export seeds -o results/seeds.json");
    sound(&scratch, "results");
    for (file, row, command) in [("m.games", "game 3: ", games), ("c.csv", "\"spsa", compare)] {
        let text = scratch.read(&format!("results/{file}"));
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let line = lines.iter().rposition(|line| line.starts_with(row)).unwrap() + 1;
        let mut changed = lines.clone();
        let bad = lines[line - 1].replacen(|c: char| c.is_ascii_digit(), "x", 3);
        changed[line - 1] = &bad;
        scratch.write(&format!("results/{file}"), changed.concat());
        let found = damaged(&scratch, "results");
        assert_eq!(found["file"], file);
        assert!(
            found["damage"].as_str().unwrap().starts_with(&format!("line {line}: ")),
            "{found}"
        );
        save(&scratch, &found);
        fs::remove_file(scratch.path(&format!("results/{file}"))).unwrap();
        sound(&scratch, "results");
        scratch.text(&format!("{command} results/sound-{file}"));
        assert_eq!(scratch.read(&format!("results/sound-{file}")).lines().count(), lines.len());
        // A last line that was cut off is what a crash leaves.
        scratch.write(&format!("results/{file}"), &text[..text.len() - 5]);
        sound(&scratch, "results");
    }
    scratch.write("results/found.json", "{\"kind\": \"match\"");
    assert_eq!(damaged(&scratch, "results")["file"], "found.json");
}
