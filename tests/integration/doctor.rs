//! Tests what `ayo doctor` finds, and that the commands it suggests save what they promise to save.

use std::fs;
use std::path::Path;

use ayo::doctor::{Health, examine};
use mancala::store::CHECKSUMS;
use serde_json::Value;

use crate::learning::LEARNING;
use crate::support::{Scratch, TINY, holds};

fn trained() -> Scratch {
    let measured = "--set measure_every=2 --set measure_openings=1 --set panel=1";
    Scratch::trained(&format!("{TINY} --generations 4 {measured}"))
}

fn all_damaged(scratch: &Scratch, folder: &str) -> Vec<Value> {
    let found = scratch.ayo(&format!("doctor {folder} --json")).code(1).json();
    assert_eq!(found["state"], "damaged");
    let files = found["files"].as_array().unwrap().iter();
    files.filter(|file| file.get("damage").is_some()).cloned().collect()
}

fn damaged(scratch: &Scratch, folder: &str) -> Value {
    let mut damaged = all_damaged(scratch, folder);
    assert_eq!(damaged.len(), 1, "{damaged:#?}");
    damaged.remove(0)
}

fn sound(scratch: &Scratch, folder: &str) {
    let said = scratch.text(&format!("doctor {folder}"));
    assert!(said.ends_with("nothing is damaged\n"), "{said}");
}

#[cfg(unix)]
fn save(scratch: &Scratch, file: &Value) {
    let command = file["command"].as_str().unwrap_or_else(|| panic!("no command: {file:#}"));
    scratch.shell(command).success();
}

#[cfg(unix)]
#[test]
fn what_is_damaged_in_a_run_is_saved_by_the_command_that_is_named() {
    let scratch = trained();
    let torn = |name: &str| {
        let bytes = scratch.bytes(name);
        scratch.write(name, &bytes[..40]);
    };
    let saved = || {
        let file = damaged(&scratch, "run");
        save(&scratch, &file);
        sound(&scratch, "run");
        file
    };
    scratch.resume("--generations 5");
    let longer = scratch.outputs();
    torn("run/checkpoint-000005.ayo");
    assert_eq!(saved()["file"], "checkpoint-000005.ayo");
    longer.assert_same(&scratch.outputs());
    // Damage a row of the history and a measurement, and then lose the champion.
    for (name, from, to) in [("history.csv", "\n5,", "\n5,7"), ("strength.csv", "\n2,", "\n2,x")] {
        let text = scratch.read(&format!("run/{name}"));
        assert!(text.contains(from), "{text}");
        scratch.write(&format!("run/{name}"), text.replacen(from, to, 1));
        assert!(saved()["damage"].as_str().unwrap().starts_with("line "));
        if name == "history.csv" {
            longer.assert_same(&scratch.outputs());
        }
    }
    scratch.remove("run/champion.json");
    saved();
    // A damaged checkpoint can be deleted if it was only a spare.
    let before = scratch.outputs();
    torn("run/checkpoint-000004.ayo");
    let file = saved();
    holds(file["saved"].as_str().unwrap(), &["the newer checkpoint of generation 5"]);
    assert!(file["command"].as_str().unwrap().starts_with("rm "), "{file}");
    before.assert_same(&scratch.outputs());
    // Without a history, we can still start from the population.
    scratch.remove("run/history.csv");
    let file = damaged(&scratch, "run");
    assert_eq!((&file["file"], &file["damage"]), (&"history.csv".into(), &"it is missing".into()));
    save(&scratch, &file);
    sound(&scratch, "run-again");
    // If the checkpoints are gone, too, we can start from the champion.
    fs::remove_dir_all(scratch.path("run-again")).unwrap();
    for name in scratch.list("run").iter().filter(|name| name.starts_with("checkpoint-")) {
        torn(&format!("run/{name}"));
    }
    let file = damaged(&scratch, "run");
    holds(file["command"].as_str().unwrap(), &["--start-from run/champion.json"]);
    save(&scratch, &file);
    sound(&scratch, "run-again");
}

#[cfg(unix)]
#[test]
#[ignore = "slow: learns again twice"]
fn a_lost_layer_is_the_only_damage_and_is_learned_again() {
    let measured = "--set measure_every=1 --set measure_openings=1 --set panel=2";
    let scratch = Scratch::trained(&format!("{LEARNING} {measured} --generations 4"));
    let rows = scratch.read("run/iterations.csv");
    let layers: Vec<&str> = rows.lines().skip(1).filter_map(|row| row.split(',').nth(2)).collect();
    for (layer, again) in [(layers[1], "run"), (layers[0], "run-again")] {
        let name = format!("features-{layer}.ayo");
        let (path, again) = (format!("run/{name}"), format!("{again}/{name}"));
        let good = scratch.bytes(&path);
        scratch.flip(&path, good.len() / 2);
        assert_eq!(damaged(&scratch, "run")["file"], name.as_str());
        scratch.remove(&path);
        let file = damaged(&scratch, "run");
        assert_eq!(file["file"], name.as_str());
        assert_eq!(scratch.json("runs . --json")["runs"][0]["state"], "damaged");
        save(&scratch, &file);
        assert!(scratch.bytes(&again) == good, "{again}");
        scratch.write(&path, good);
        sound(&scratch, "run");
    }
    // If someone edits a setting, we compare the measurements with the settings in the checkpoint.
    let settings = scratch.read("run/run.toml");
    scratch.write("run/run.toml", settings.replace("\ndepth = 1 ", "\ndepth = 2 "));
    assert_eq!(damaged(&scratch, "run")["file"], "run.toml");
}

#[cfg(unix)]
#[test]
fn a_missing_file_is_missed_for_what_it_means() {
    let scratch = trained();
    for (name, means) in [(CHECKSUMS, "cannot be detected"), ("cost.csv", "no run needs them")] {
        scratch.remove(&format!("run/{name}"));
        holds(&scratch.text("doctor run"), &[means, "no damage found; 1 file missing\n"]);
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
    scratch.remove("run/strength.csv");
    save(&scratch, &damaged(&scratch, "run"));
    sound(&scratch, "run");
}

/// These runs were written by a version that had no checksums yet.
#[test]
fn the_committed_runs_are_sound() {
    for run in ["populations/reference", "populations/learned"] {
        let found = examine(&Path::new(env!("CARGO_MANIFEST_DIR")).join(run)).unwrap();
        assert_eq!(found.state, Health::Sound, "{run}: {found:?}");
    }
    let scratch = Scratch::new();
    scratch.text("export learned -o out/best.json");
    holds(&scratch.text("doctor out"), &["best.json ", "learned features: "]);
}

#[test]
fn left_overs_and_hand_made_changes_are_named_without_alarm() {
    let scratch = trained();
    let leftovers =
        ".champion.json.tmp .history.csv.0123456789abcdef.tmp checkpoint-000001.ayo.damaged notes";
    for name in leftovers.split(' ') {
        scratch.write(&format!("run/{name}"), "half");
    }
    let champion = scratch.read("run/champion.json");
    scratch.write("run/champion.json", champion.replacen("\"weights\": [", "\"weights\": [1", 1));
    let read = || {
        let names = scratch.list("run").into_iter();
        names.map(|name| (scratch.bytes(&format!("run/{name}")), name)).collect::<Vec<_>>()
    };
    let before = read();
    let said = scratch.text("doctor run");
    assert_eq!(read(), before, "nothing is written");
    scratch.refuses("1 doctor", "none => cannot read none");
    holds(&said, &["left by a killed process", "renamed when", "not a run file", "edited by hand"]);
    assert!(said.ends_with("no damage found; 1 file edited; 1 file not checked\n"), "{said}");
    let settings = scratch.read("run/run.toml");
    scratch.write("run/run.toml", settings.replace("\nseed = 3 ", "\nseed = 4 "));
    let damage = damaged(&scratch, "run")["damage"].clone();
    holds(damage.as_str().unwrap(), &["seed was 3 when the run began"]);
    scratch.remove("run/run.toml");
    let command = damaged(&scratch, "run")["command"].clone();
    holds(command.as_str().unwrap(), &["inspect run/checkpoint-000004.ayo"]);
}

#[cfg(unix)]
#[test]
fn layers_are_solved_again() {
    let scratch = Scratch::with_tables("--seeds 6 --rules awari --out tables");
    assert!(scratch.text("doctor tables").contains("not held"));
    sound(&scratch, "tables");
    let read = || [3, 5, 6].map(|seeds| scratch.bytes(&format!("tables/awari-{seeds:02}.ayo")));
    let before = read();
    let layer = "tables/awari-03.ayo";
    let whole = scratch.bytes(layer);
    for place in [0, 9, 15, 22, 30, 63, whole.len() - 1] {
        scratch.flip(layer, place);
        assert_eq!(damaged(&scratch, "tables")["file"], "awari-03.ayo", "byte {place}");
        scratch.write(layer, &whole);
    }
    scratch.write(layer, &whole[..whole.len() - 1]);
    save(&scratch, &damaged(&scratch, "tables"));
    sound(&scratch, "tables");
    // A single command rebuilds all damaged layers.
    scratch.remove(layer);
    scratch.write("tables/awari-06.ayo", "damaged");
    let bad = all_damaged(&scratch, "tables");
    assert_eq!((bad.len(), &bad[0]["file"]), (2, &"awari-03.ayo".into()));
    assert_eq!(bad[0]["damage"], "it is missing, but larger layers exist");
    assert!(bad[1]["file"] == "awari-06.ayo" && bad[1].get("command").is_none(), "{bad:#?}");
    save(&scratch, &bad[0]);
    sound(&scratch, "tables");
    assert!(before == read());
}

#[cfg(unix)]
#[test]
fn results_are_cut_back_to_their_good_lines() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("results")).unwrap();
    let games = "match random:seed=1 greedy --openings plies:1 --quiet --games-out";
    let compare = "compare spsa:population=4,openings=1,depth=1 --budget games=60 --seeds 1..2 --openings 1 \
                   --depth 1 --quiet -o";
    let found = scratch.text(&format!("{games} results/m.games --json"));
    scratch.write("results/found.json", found);
    scratch.text(&format!("{compare} results/c.csv"));
    scratch.text("export seeds -o results/seeds.json");
    sound(&scratch, "results");
    for (file, row, command) in [("m.games", "{\"game\":3,", games), ("c.csv", "\"spsa", compare)] {
        let path = format!("results/{file}");
        let text = scratch.read(&path);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let line = lines.iter().rposition(|line| line.starts_with(row)).unwrap() + 1;
        let mut changed = lines.clone();
        let bad = lines[line - 1].replacen(|c: char| c.is_ascii_digit(), "x", 3);
        changed[line - 1] = &bad;
        scratch.write(&path, changed.concat());
        let found = damaged(&scratch, "results");
        assert_eq!(found["file"], file);
        assert!(found["damage"].as_str().unwrap().starts_with(&format!("line {line}: ")));
        save(&scratch, &found);
        scratch.remove(&path);
        sound(&scratch, "results");
        scratch.text(&format!("{command} results/sound-{file}"));
        assert_eq!(scratch.read(&format!("results/sound-{file}")).lines().count(), lines.len());
        // An incomplete last line is normal after a crash.
        scratch.write(&path, &text[..text.len() - 5]);
        sound(&scratch, "results");
    }
    scratch.write("results/found.json", "{\"kind\": \"match\"");
    assert_eq!(damaged(&scratch, "results")["file"], "found.json");
}
