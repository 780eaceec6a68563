//! Measured strength: the same however a run came about, and never lost for long.

use std::fs;

use ayo::eval::{self, Format, export};
use ayo::evolve::PANEL;

use crate::support::{Bytes, Scratch, refused, undisturbed};

/// A run with many small measurements.
const MEASURED: &str = "--seed 3 --population 10 --depth 2 --quiet \
                        --set fitness_set=2 --set hall_of_fame=1 --set mutation_rate=0.03 \
                        --set measure_every=2 --set measure_openings=1";

#[test]
fn on_one_thread_and_on_two() {
    let one = undisturbed(&format!("{MEASURED} --generations 12 --threads 1"));
    undisturbed(&format!("{MEASURED} --generations 12 --threads 2")).assert_same(&one);
}

#[test]
fn in_pieces_and_with_stops() {
    let at_once = undisturbed(&format!("{MEASURED} --generations 20"));
    let scratch = Scratch::new();
    scratch
        .ayo(&format!("train --preset daoud2004 --out run {MEASURED} --generations 3"))
        .success();
    for generations in [4, 5, 11] {
        scratch.ayo(&format!("resume run --quiet --generations {generations}")).success();
    }
    for milliseconds in [0, 30, 5, 60] {
        let limit = format!("--max-time {milliseconds}ms");
        scratch.ayo(&format!("resume run --quiet --generations 20 {limit}")).success();
    }
    scratch.ayo("resume run --quiet").success();
    Bytes::of(&scratch.path("run")).assert_same(&at_once);
    let rows = scratch.read("run/strength.csv");
    let generations: Vec<&str> =
        rows.lines().skip(1).filter(|row| row.contains(PANEL[0])).map(number).collect();
    assert_eq!(generations, ["1", "2", "4", "6", "8", "10", "12", "14", "16", "18", "20"]);
}

fn number(row: &str) -> &str {
    row.split(',').next().unwrap()
}

#[test]
fn damaged_records_are_cut_and_measured_again() {
    let at_once = undisturbed(&format!("{MEASURED} --generations 14"));
    let scratch = Scratch::new();
    scratch
        .ayo(&format!("train --preset daoud2004 --out run {MEASURED} --generations 12"))
        .success();
    let whole = scratch.read("run/strength.csv");
    let damages: [&dyn Fn() -> Option<String>; 4] = [
        &|| None,
        &|| Some(whole[..whole.len() / 2].to_owned()),
        &|| Some(whole.replacen("\n4,", "\n5,", 1)),
        &|| Some("nothing of the kind".to_owned()),
    ];
    for damage in damages {
        match damage() {
            None => fs::remove_file(scratch.path("run/strength.csv")).unwrap(),
            Some(text) => scratch.write("run/strength.csv", text),
        }
        // The run is complete, but for its measurements.
        scratch.ayo("resume run --quiet").success();
        assert_eq!(scratch.read("run/strength.csv"), whole);
    }
    scratch.write("run/strength.csv", whole.replacen("0.", "7.", 1));
    scratch.ayo("resume run --quiet --generations 14").success();
    Bytes::of(&scratch.path("run")).assert_same(&at_once);
}

#[cfg(unix)]
#[test]
fn killed_at_random_moments() {
    use rand::RngExt;
    let at_once = undisturbed(&format!("{MEASURED} --generations 16"));
    let scratch = Scratch::new();
    scratch
        .ayo(&format!("train --preset daoud2004 --out run {MEASURED} --generations 1"))
        .success();
    for attempt in 0..12 {
        let mut training = scratch.start("resume run --quiet --generations 16");
        let wait = crate::support::dice(30, attempt).random_range(0..150);
        std::thread::sleep(std::time::Duration::from_millis(wait));
        training.kill();
    }
    scratch.ayo("resume run --quiet --generations 16").success();
    Bytes::of(&scratch.path("run")).assert_same(&at_once);
}

#[test]
fn a_run_without_measurements_has_no_file_of_them() {
    let scratch = Scratch::new();
    let settings = "--preset daoud2004 --population 6 --depth 1 --generations 2 --quiet";
    scratch.ayo(&format!("train --out run {settings}")).success();
    assert!(!scratch.path("run/strength.csv").exists());
}

#[test]
fn finals_choose_a_champion_whose_strength_is_known() {
    let scratch = Scratch::new();
    let settings = "--preset daoud2004 --seed 3 --population 6 --depth 1 --generations 4 --quiet \
                    --set finalist_games=400";
    let said = scratch.text(&format!("train --out run {settings}"));
    for opponent in PANEL {
        assert!(said.contains(opponent), "{said}");
    }
    let champion = eval::load(&scratch.path("run").display().to_string()).unwrap();
    assert_eq!(champion.strength.len(), PANEL.len());
    assert!(champion.strength.iter().all(|it| it.games == 2028 && it.openings == "plies:4"));
    assert!(scratch.text("resume run").contains("is complete"));
    // Whenever it is asked for, the choice is the same.
    let before = scratch.read("run/champion.json");
    fs::remove_file(scratch.path("run/champion.json")).unwrap();
    let found = scratch.json("champion run --quiet --json");
    assert_eq!(scratch.read("run/champion.json"), before);
    assert_eq!(found["strength"].as_array().unwrap().len(), PANEL.len());
    assert!(found["games"].as_u64().unwrap() <= 400);
    // Strength goes with the weights, where the form has room for it.
    let inspected = scratch.json("inspect run --json");
    assert_eq!(inspected["champion"]["strength"], found["strength"]);
    for form in ["json", "toml"] {
        let text = scratch.text(&format!("export run --format {form}"));
        assert_eq!(eval::read(&text, "").unwrap(), champion);
    }
    for format in [Format::Rust, Format::C] {
        assert!(export(&champion, format).contains(PANEL[3]));
    }
}

#[test]
fn a_run_is_complete_once_it_is_measured_and_its_champion_chosen() {
    let scratch = Scratch::new();
    let settings = "--preset daoud2004 --seed 3 --population 6 --depth 1 --generations 4 --quiet \
                    --set finalist_games=400 --set measure_every=2 --set measure_openings=5";
    scratch.ayo(&format!("train --out run {settings}")).success();
    let whole = Bytes::of(&scratch.path("run"));
    let state = || scratch.json("inspect run --json")["state"].clone();
    assert_eq!(state(), "complete");
    // As whoever leaves in the finals finds it: the champion of the last generation, not measured.
    let mut champion: serde_json::Value =
        serde_json::from_str(&scratch.read("run/champion.json")).unwrap();
    champion.as_object_mut().unwrap().remove("strength").expect("a champion who is measured");
    scratch.write("run/champion.json", champion.to_string());
    assert_eq!(state(), "stopped");
    let listed = scratch.text("runs .");
    assert!(listed.contains("4/4") && listed.contains("ayo resume ./run"), "{listed}");
    scratch.ayo("resume run --quiet").success();
    Bytes::of(&scratch.path("run")).assert_same(&whole);
    // And as whoever leaves before the last measurement.
    let rows = scratch.read("run/strength.csv");
    let kept: Vec<&str> = rows.lines().filter(|row| !row.starts_with("4,")).collect();
    scratch.write("run/strength.csv", kept.join("\n") + "\n");
    assert_eq!(state(), "stopped");
    scratch.ayo("resume run --quiet").success();
    assert_eq!(state(), "complete");
    Bytes::of(&scratch.path("run")).assert_same(&whole);
}

#[test]
fn nobody_is_chosen_where_there_is_nobody_or_somebody_trains() {
    let scratch = Scratch::new();
    let settings = "--preset daoud2004 --population 6 --depth 1 --quiet";
    scratch.ayo(&format!("train --out run {settings} --max-time 0s")).success();
    refused(scratch.ayo("champion run"), 2, &["no generation yet"]);
    refused(scratch.ayo("champion nowhere"), 1, &["nowhere holds no run"]);
    let mut training = scratch.start("train --preset daoud2004 --out busy --depth 30 --quiet");
    training.begun();
    refused(scratch.ayo("champion busy"), 1, &["another process is training in busy"]);
}
