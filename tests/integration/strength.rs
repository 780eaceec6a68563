//! Measured strength: the same however a run came about, and never lost for long.

use std::fs;

use ayo::run::{Chromosome, Panel, RunFolder, read_strength};
use mancala::eval::{self, Format, export};
use mancala::game::AnyGame;

use crate::support::{Bytes, Scratch, checkpoints, refused, undisturbed};

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
    for time in ["1ns", "30ms", "5ms", "60ms"] {
        let limit = format!("--max-time {time}");
        scratch.ayo(&format!("resume run --quiet --generations 20 {limit}")).success();
    }
    scratch.ayo("resume run --quiet").success();
    Bytes::of(&scratch.path("run")).assert_same(&at_once);
    let rows = scratch.read("run/strength.csv");
    let generations: Vec<&str> = rows
        .lines()
        .skip(1)
        .filter(|row| row.contains(&Panel::Second.names(AnyGame::default())[0]))
        .map(number)
        .collect();
    assert_eq!(generations, ["1", "2", "4", "6", "8", "10", "12", "14", "16", "18", "20"]);
}

/// The generations of the rows against the first of the panel.
fn measured(scratch: &Scratch, run: &str) -> Vec<u32> {
    let rows = scratch.read(&format!("{run}/strength.csv"));
    let first = &Panel::Second.names(AnyGame::default())[0];
    rows.lines().filter(|row| row.contains(first)).map(|row| number(row).parse().unwrap()).collect()
}

/// Says which generation was measured last, after checking that every command shows the strength of the champion, which
/// is the last that passed its gate.
fn shown_as_measured(scratch: &Scratch, run: &str) -> u32 {
    let last = *measured(scratch, run).last().unwrap();
    let champion = eval::load(&scratch.path(run).display().to_string()).unwrap();
    let of = champion.provenance.unwrap().generation;
    let settings = RunFolder::settings(&scratch.path(run)).unwrap();
    let rows = read_strength(&scratch.read(&format!("{run}/strength.csv")), &settings);
    assert_eq!(rows.iter().rfind(|it| it.is_champion).unwrap().generation, of);
    let glance = &scratch.json(&format!("runs {run} --json"))["runs"][0];
    assert_eq!(glance["strength_generation"], of);
    let score = glance["champion_strength"].as_f64().unwrap();
    let listed = scratch.text(&format!("runs {run}"));
    let row: Vec<&str> = listed.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(row[3..6], [format!("{score:.3}"), "in".into(), of.to_string()], "{listed}");
    assert_eq!(scratch.json(&format!("inspect {run} --json"))["measured"]["generation"], last);
    last
}

#[test]
fn every_stop_measures_the_last_champion_and_resuming_forgets_it() {
    let settings = MEASURED.replace("measure_every=2", "measure_every=1000");
    let at_once = undisturbed(&format!("{settings} --generations 40"));
    let scratch = Scratch::new();
    let train = format!("train --preset daoud2004 --out run {settings} --generations 1000000");
    scratch.ayo(&format!("{train} --max-time 30ms")).success();
    for _ in 0..3 {
        let done = scratch.generation("run");
        if done > 0 {
            assert_eq!(shown_as_measured(&scratch, "run"), done);
        }
        // Of stops before nothing is left.
        assert!(measured(&scratch, "run").iter().all(|&it| it == 1 || it == done));
        scratch.ayo("resume run --quiet --max-time 20ms").success();
    }
    let mut training = scratch.start("resume run --quiet");
    training.begun();
    assert!(scratch.text("stop run").contains(" stopped after generation "));
    let (status, out, err) = training.wait();
    assert_eq!(status.code(), Some(130), "{out}{err}");
    let done = scratch.generation("run");
    assert_eq!(shown_as_measured(&scratch, "run"), done);
    assert!(out.contains(", 14 games against panel 2\n"), "{out}");
    // A run in pieces has the rows of one at once.
    let scratch = Scratch::new();
    let train = format!("train --preset daoud2004 --out run {settings} --generations 40");
    scratch.ayo(&format!("{train} --max-time 1ns")).success();
    for milliseconds in [5, 20, 1, 30] {
        scratch.ayo(&format!("resume run --quiet --max-time {milliseconds}ms")).success();
    }
    scratch.ayo("resume run --quiet").success();
    Bytes::of(&scratch.path("run")).assert_same(&at_once);
    assert_eq!(measured(&scratch, "run"), [1]);
}

#[test]
fn whoever_measures_nothing_is_not_measured_at_a_stop() {
    let scratch = Scratch::new();
    let settings = "--preset daoud2004 --population 6 --depth 1 --generations 1000000 --quiet";
    scratch.ayo(&format!("train --out run {settings} --max-time 50ms")).success();
    assert!(scratch.generation("run") > 0 && !scratch.path("run/strength.csv").exists());
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
    // A small game, which has few openings to be measured from.
    let game: AnyGame = "kalah:pits=4,seeds=3".parse().unwrap();
    let settings = "--preset kalah-standard --set game=kalah:pits=4,seeds=3 --seed 3 --population 6 --depth 1 \
                    --generations 4 --quiet --set openings=random:2,plies=5-9 --set finalist_games=400 \
                    --set measure_every=0 --set measure_at=depth";
    let said = scratch.text(&format!("train --out run {settings}"));
    for opponent in Panel::Second.names(game) {
        assert!(said.contains(&opponent), "{said}");
    }
    let champion = eval::load(&scratch.path("run").display().to_string()).unwrap();
    assert_eq!(champion.strength.len(), Panel::Second.names(game).len());
    assert!(champion.strength.iter().all(|it| it.games == 316 && it.openings == "plies:4"));
    assert!(scratch.text("resume run").contains("is complete"));
    // The choice is the same at any time.
    let before = scratch.read("run/champion.json");
    fs::remove_file(scratch.path("run/champion.json")).unwrap();
    let found = scratch.json("champion run --quiet --json");
    assert_eq!(scratch.read("run/champion.json"), before);
    assert_eq!(found["strength"].as_array().unwrap().len(), champion.strength.len());
    assert!(found["games"].as_u64().unwrap() <= 400);
    refused(scratch.ayo("champion run --games 0"), 2, &["--games"]);
    refused(scratch.ayo("champion run --games 3"), 2, &["--games is 3", "finalists meet"]);
    assert_eq!(scratch.read("run/champion.json"), before);
    // Strength goes with the weights, where the form has room for it.
    let inspected = scratch.json("inspect run --json");
    assert_eq!(inspected["champion"]["strength"], found["strength"]);
    for form in ["json", "toml"] {
        let text = scratch.text(&format!("export run --format {form}"));
        assert_eq!(eval::read(&text, "").unwrap(), champion);
    }
    for format in [Format::Rust, Format::C, Format::Python] {
        assert!(export(&champion, format).contains(&Panel::Second.names(game)[3]));
    }
}

#[test]
fn a_run_is_complete_once_it_is_measured_and_its_champion_chosen() {
    let scratch = Scratch::new();
    // A small game, of which all openings are soon measured.
    let settings = "--preset kalah-standard --set game=kalah:pits=3,seeds=2 --seed 3 --population 6 --depth 1 \
                    --generations 4 --quiet --set openings=random:2,plies=5-9 --set finalist_games=400 \
                    --set measure_every=2 --set measure_openings=5";
    scratch.ayo(&format!("train --out run {settings}")).success();
    let whole = Bytes::of(&scratch.path("run"));
    let state = || scratch.json("inspect run --json")["state"].clone();
    assert_eq!(state(), "complete");
    // After an interruption in the finals: the champion of the last generation, not measured.
    let mut champion: serde_json::Value =
        serde_json::from_str(&scratch.read("run/champion.json")).unwrap();
    champion.as_object_mut().unwrap().remove("strength").expect("a measured champion");
    scratch.write("run/champion.json", champion.to_string());
    assert_eq!(state(), "stopped");
    let listed = scratch.text("runs .");
    assert!(listed.contains("4/4") && listed.contains("ayo champion ./run"), "{listed}");
    scratch.ayo("resume run --quiet").success();
    Bytes::of(&scratch.path("run")).assert_same(&whole);
    // After an interruption before the last measurement.
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
    scratch.ayo(&format!("train --out run {settings} --max-time 1ns")).success();
    refused(scratch.ayo("champion run"), 2, &["no generation yet"]);
    refused(scratch.ayo("champion nowhere"), 1, &["there is no folder nowhere"]);
    let mut training = scratch.start("train --preset daoud2004 --out busy --depth 30 --quiet");
    training.begun();
    refused(scratch.ayo("champion busy"), 1, &["another process is training in busy"]);
}

/// A run whose generations are led by the mean that they were bred from.
const LED_BY_MEANS: &str = "--preset evolution-strategy --seed 3 --population 8 --depth 1 --generations 6 --quiet \
                            --set finalist_games=0 --set measure_openings=1";

/// The fittest members by generation, as the history of a run has them.
fn fittest(scratch: &Scratch, run: &str) -> Vec<Chromosome> {
    let bits = RunFolder::settings(&scratch.path(run)).unwrap().coding().bits();
    let history = scratch.read(&format!("{run}/history.csv"));
    let rows = history.lines().skip(1).map(|row| row.split(',').nth(5).unwrap());
    rows.map(|hex| Chromosome::from_hex(hex, bits).unwrap()).collect()
}

#[test]
fn the_leader_of_a_generation_is_exported_as_it_was_measured() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train --out run {LED_BY_MEANS} --set measure_every=2")).success();
    let settings = RunFolder::settings(&scratch.path("run")).unwrap();
    let exported = |line: &str| eval::read(&scratch.text(line), "").unwrap();
    let fittest = fittest(&scratch, "run");
    let measured = read_strength(&scratch.read("run/strength.csv"), &settings);
    assert_eq!(measured.len(), 4);
    let mut others = 0;
    for it in &measured {
        let line = format!("export run --generation {}", it.generation);
        assert_eq!(exported(&line).values(), settings.coding().weights(&it.chromosome).values());
        let best = &fittest[it.generation as usize - 1];
        let weights = exported(&format!("{line} --fittest"));
        assert_eq!(weights.values(), settings.coding().weights(best).values());
        others += usize::from(*best != it.chromosome);
    }
    assert!(others > 0, "the leaders are not always the fittest");
    let champion = eval::load(&scratch.path("run").display().to_string()).unwrap();
    let of = champion.provenance.as_ref().unwrap().generation;
    let line = format!("export run --generation {of}");
    assert_eq!(exported(&line).values(), champion.values());
    refused(scratch.ayo("export run --fittest"), 2, &["--generation"]);
}

#[test]
fn a_leader_whom_no_file_has_kept_is_not_replaced_by_another() {
    let scratch = Scratch::new();
    let forgetful =
        "--set hall_of_fame=0 --set sparring=0 --set fitness_set=2 --set measure_every=0";
    scratch.ayo(&format!("train --out run {LED_BY_MEANS} {forgetful}")).success();
    let words = ["leader of generation 3", "known are those of 6;", "--fittest"];
    refused(scratch.ayo("export run --generation 3"), 1, &words);
    let weights = eval::read(&scratch.text("export run --generation 3 --fittest"), "").unwrap();
    let settings = RunFolder::settings(&scratch.path("run")).unwrap();
    assert_eq!(weights.values(), settings.coding().weights(&fittest(&scratch, "run")[2]).values());
    // The first generation has no mean: its fittest leads it.
    let first = scratch.text("export run --generation 1");
    assert_eq!(first, scratch.text("export run --generation 1 --fittest"));
}

#[test]
fn eval_shows_the_strength_that_a_weights_file_carries() {
    let scratch = Scratch::new();
    let strength = r#"{"opponent":"greedy","openings":"plies:4","games":2028,"score":0.776,"low":0.758,"high":0.793}"#;
    let mut file: serde_json::Value =
        serde_json::from_str(&scratch.text("export daoud2004-depth5")).unwrap();
    file["strength"] = serde_json::from_str(&format!("[{strength}]")).unwrap();
    scratch.write("strong.json", file.to_string());
    let said = scratch.text("eval --weights strong.json");
    assert!(said.contains("0.776 (0.758 to 0.793) against greedy"), "{said}");
    let found = &scratch.json("eval --weights strong.json --json")["strength"][0];
    assert_eq!((&found["opponent"], &found["score"]), (&"greedy".into(), &0.776.into()));
    assert_eq!(found["score_ci95"], serde_json::json!([0.758, 0.793]));
    let said = scratch.json("eval --weights daoud2004-depth5 --json");
    assert!(said["strength"].is_null(), "{said}");
}

#[test]
fn a_stop_after_the_last_generation_leaves_no_trace() {
    let settings = MEASURED.replace("measure_every=2", "measure_every=1000");
    let scratch = Scratch::new();
    let train = format!("train --preset daoud2004 {settings}");
    scratch.ayo(&format!("{train} --out run --generations 1000000 --max-time 50ms")).success();
    let done = scratch.generation("run");
    scratch.ayo(&format!("resume run --quiet --generations {done}")).success();
    scratch.ayo(&format!("{train} --out whole --generations {done}")).success();
    Bytes::of(&scratch.path("run")).assert_same(&Bytes::of(&scratch.path("whole")));
}

#[test]
fn a_branch_knows_no_measurement_of_later_generations() {
    let scratch = Scratch::new();
    let train = format!("train --preset daoud2004 --out run {MEASURED}");
    scratch.ayo(&format!("{train} --generations 4")).success();
    let fourth = fs::read(scratch.path("run/checkpoint-000004.ayo")).unwrap();
    scratch.ayo("resume run --quiet --generations 12").success();
    // As a process leaves it that is killed after it has written the tables.
    for file in checkpoints(&scratch.path("run")) {
        fs::remove_file(file).unwrap();
    }
    scratch.write("run/checkpoint-000004.ayo", fourth);
    scratch.ayo("resume run --set elite=1 --generations 6 --out branch --quiet").success();
    assert!(measured(&scratch, "branch").iter().all(|&it| it <= 6));
    let champion = eval::load(&scratch.path("branch").display().to_string()).unwrap();
    assert!(champion.provenance.unwrap().generation <= 6);
}
