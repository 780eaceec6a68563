//! Measured strength: the same regardless of interruptions, and restored if lost.

use ayo::run::{Chromosome, Panel, RunFolder, read_strength};
use mancala::eval::{self, Format, export};
use mancala::game::AnyGame;

use serde_json::json;

use crate::support::{Scratch, column, holds, refused, refuses, undisturbed};

pub const MEASURED: &str = "--seed 3 --population 10 --depth 2 --quiet \
                            --set fitness_set=2 --set hall_of_fame=1 --set mutation_rate=0.03 \
                            --set measure_every=2 --set measure_openings=1";

fn measured(scratch: &Scratch, run: &str) -> Vec<u32> {
    let generations = column(&scratch.read(&format!("{run}/strength.csv")), "generation");
    let mut generations: Vec<u32> = generations.iter().map(|it| it.parse().unwrap()).collect();
    generations.dedup();
    generations
}

/// Returns the last measured generation, after checking that every command shows the strength of the champion.
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
    let shown = format!("  {score:.3} in {of}, {}  ", settings.limits());
    assert!(listed.lines().nth(1).unwrap().contains(&shown), "{listed}");
    assert_eq!(scratch.json(&format!("inspect {run} --json"))["measured"]["generation"], last);
    last
}

#[test]
#[ignore = "slow: ends runs by time, and repeats one"]
fn every_stop_measures_the_last_champion_and_resuming_forgets_it() {
    let settings = MEASURED.replace("measure_every=2", "measure_every=1000");
    let scratch = Scratch::trained(&format!("{settings} --generations 1000000 --max-time 300ms"));
    for _ in 0..3 {
        let done = scratch.generation("run");
        if done > 0 {
            assert_eq!(shown_as_measured(&scratch, "run"), done);
        }
        assert!(measured(&scratch, "run").iter().all(|&it| it == 1 || it == done));
        scratch.resume("--max-time 20ms");
    }
    let mut training = scratch.begin("resume run --quiet");
    assert!(scratch.text("stop run").contains(" stopped after generation "));
    let out = training.ended(130);
    assert_eq!(shown_as_measured(&scratch, "run"), scratch.generation("run"));
    assert!(out.contains(", 14 games against panel 2; next measured in generation "), "{out}");
    // An interrupted run has the same rows as an uninterrupted one, even if a part ends after the last generation.
    let scratch = Scratch::trained(&format!("{settings} --generations 1000000 --max-time 200ms"));
    let done = scratch.generation("run").max(1);
    scratch.resume(&format!("--generations {done}"));
    let end = done + 10;
    for milliseconds in [1, 5, 20] {
        scratch.resume(&format!("--generations {end} --max-time {milliseconds}ms"));
    }
    scratch.resume("");
    scratch.outputs().assert_same(&undisturbed(&format!("{settings} --generations {end}")));
    assert_eq!(measured(&scratch, "run"), [1]);
}

#[test]
fn damaged_records_are_cut_and_measured_again() {
    let settings = format!("{MEASURED} --set panel=1");
    let at_once = undisturbed(&format!("{settings} --generations 14"));
    let scratch = Scratch::trained(&format!("{settings} --generations 12"));
    // We measure the first generation and every second one.
    assert_eq!(measured(&scratch, "run"), [1, 2, 4, 6, 8, 10, 12]);
    let whole = scratch.read("run/strength.csv");
    // Returns a table with a changed row, and that row's line number.
    let changed = |from: &str, to: &[u8]| {
        let (before, after) = whole.split_once(from).unwrap();
        ([before.as_bytes(), to, after.as_bytes()].concat(), Some(before.lines().count() + 1))
    };
    for (damage, line) in [
        changed("\n4,", b"\n5,"),
        // Invalid UTF-8 at the beginning of a row isn't mistaken for the end of the file.
        changed("\n2,", b"\n\xB2,"),
        (whole.as_bytes()[..whole.len() / 2].to_vec(), None),
        (b"nothing of the kind".to_vec(), None),
        (Vec::new(), None),
    ] {
        scratch.remove("run/strength.csv");
        if !damage.is_empty() {
            scratch.write("run/strength.csv", damage);
        }
        let said = scratch.resume("").stderr();
        let named = line.map(|line| format!("ayo: warning: run/strength.csv, line {line} "));
        assert!(named.is_none_or(|named| said.starts_with(&named)), "{line:?}: {said}");
        assert_eq!(scratch.read("run/strength.csv"), whole);
    }
    scratch.write("run/strength.csv", whole.replacen("0.", "7.", 1));
    scratch.resume("--generations 14");
    scratch.outputs().assert_same(&at_once);
}

const SMALL_GAME: &str = "--preset kalah-standard --seed 3 --population 6 --depth 1 --generations 4 --quiet \
                          --set openings=random:2,plies=5-9 --set finalist_games=400";

#[test]
fn finals_choose_a_champion_whose_strength_is_known() {
    let scratch = Scratch::new();
    let game: AnyGame = "kalah:pits=4,seeds=3".parse().unwrap();
    let rest = "--set game=kalah:pits=4,seeds=3 --set measure_every=0 --set measure_at=depth";
    let said = scratch.train("run", &format!("{SMALL_GAME} {rest}")).stdout();
    let panel = Panel::Second.names(game);
    holds(&said, &panel.iter().map(|it| &**it).collect::<Vec<_>>());
    let champion = eval::load(&scratch.path("run").display().to_string()).unwrap();
    assert_eq!(champion.strength.len(), panel.len());
    assert!(champion.strength.iter().all(|it| it.games == 316 && it.openings == "plies:4"));
    // A player with these weights scores what we measured.
    for (opponent, known) in panel.iter().zip(&champion.strength) {
        let players = format!("minimax:weights=run,depth=1 {opponent}");
        let line = format!("match {players} --game {game} --games 316 --json --quiet");
        let score = scratch.json(&line)["score"].as_f64().unwrap();
        assert!((score - known.score).abs() < 1e-4, "{opponent}: {score} {}", known.score);
    }
    assert!(scratch.text("resume run").contains("is complete"));
    let before = scratch.read("run/champion.json");
    scratch.remove("run/champion.json");
    let found = scratch.json("select run --quiet --json");
    assert_eq!(scratch.read("run/champion.json"), before);
    assert_eq!(found["strength"].as_array().unwrap().len(), champion.strength.len());
    assert!(found["games"].as_u64().unwrap() <= 400);
    scratch.write("run/report.html", "");
    holds(&scratch.text("select run --quiet"), &["removed the old report", " report run\n"]);
    assert_eq!(scratch.read("run/champion.json"), before);
    refuses! { scratch, "2 select run", "
        --games 0 => --games
        --games 3 => --games is 3 | finalists play each other
    " }
    assert_eq!(scratch.read("run/champion.json"), before);
    // Strength is exported with the weights if the format supports it.
    assert_eq!(scratch.json("inspect run --json")["champion"]["strength"], found["strength"]);
    for form in ["json", "toml"] {
        let text = scratch.text(&format!("export run --format {form}"));
        assert_eq!(eval::read(&text, "").unwrap(), champion);
    }
    for format in [Format::Rust, Format::C, Format::Python] {
        assert!(export(&champion, format).contains(&panel[3]));
    }
}

#[test]
fn a_run_is_complete_once_it_is_measured_and_its_champion_chosen() {
    let rest = "--set game=kalah:pits=3,seeds=2 --set measure_every=2 --set measure_openings=5";
    let scratch = Scratch::trained(&format!("{SMALL_GAME} {rest}"));
    let whole = scratch.outputs();
    let state = || scratch.json("inspect run --json")["state"].clone();
    assert_eq!(state(), "complete");
    // After an interruption in the finals, the champion is that of the last generation and hasn't been measured.
    let mut champion = scratch.value("run/champion.json");
    champion.as_object_mut().unwrap().remove("strength").expect("a measured champion");
    scratch.write("run/champion.json", champion.to_string());
    assert_eq!(state(), "stopped");
    holds(&scratch.text("runs ."), &["4/4", "ayo select ./run"]);
    scratch.resume("");
    scratch.outputs().assert_same(&whole);
    let rows = scratch.read("run/strength.csv");
    let kept: Vec<&str> = rows.lines().filter(|row| !row.starts_with("4,")).collect();
    scratch.write("run/strength.csv", kept.join("\n") + "\n");
    assert_eq!(state(), "stopped");
    scratch.resume("");
    assert_eq!(state(), "complete");
    scratch.outputs().assert_same(&whole);
    // If we train longer, the selected champion is replaced, so we keep it in another file.
    let selected = scratch.read("run/champion.json");
    scratch.resume("--generations 5");
    assert_eq!(scratch.read("run/selected-000004.json"), selected);
    holds(&scratch.text("doctor run"), &["nothing is damaged"]);
}

/// A run in which each generation's leader is the mean that its members were sampled from.
const LED_BY_MEANS: &str = "--preset evolution-strategy --seed 3 --population 8 --depth 1 --generations 6 --quiet \
                            --set finalist_games=0 --set measure_openings=1";

fn fittest(scratch: &Scratch) -> Vec<Chromosome> {
    let bits = RunFolder::settings(&scratch.path("run")).unwrap().coding().bits();
    let hex = column(&scratch.read("run/history.csv"), "best_chromosome");
    hex.iter().map(|hex| Chromosome::from_hex(hex, bits).unwrap()).collect()
}

#[test]
fn the_leader_of_a_generation_is_exported_as_it_was_measured() {
    let scratch = Scratch::trained(&format!("{LED_BY_MEANS} --set measure_every=2"));
    let settings = RunFolder::settings(&scratch.path("run")).unwrap();
    let exported = |line: &str| eval::read(&scratch.text(line), "").unwrap();
    let fittest = fittest(&scratch);
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
    refused(scratch.ayo("export run --fittest"), 2, &["--generation"]);
}

#[test]
fn a_leader_whom_no_file_has_kept_is_not_replaced_by_another() {
    let scratch = Scratch::new();
    let forgetful =
        "--set hall_of_fame=0 --set sparring=0 --set fitness_set=2 --set measure_every=0";
    scratch.ayo(&format!("train --out run {LED_BY_MEANS} {forgetful}")).success();
    let words = ["champion of generation 3", "(recorded: 6)", "--fittest"];
    refused(scratch.ayo("export run --generation 3"), 1, &words);
    let weights = eval::read(&scratch.text("export run --generation 3 --fittest"), "").unwrap();
    let settings = RunFolder::settings(&scratch.path("run")).unwrap();
    assert_eq!(weights.values(), settings.coding().weights(&fittest(&scratch)[2]).values());
    // The first generation has no mean, so its fittest member is the leader.
    let first = scratch.text("export run --generation 1");
    assert_eq!(first, scratch.text("export run --generation 1 --fittest"));
}

#[test]
fn eval_shows_the_strength_that_a_weights_file_carries() {
    let scratch = Scratch::new();
    let mut file = scratch.ayo("export daoud2004-depth5").json();
    file["strength"] = json!([{
        "opponent": "greedy", "openings": "plies:4", "games": 2028, "score": 0.776, "low": 0.758, "high": 0.793
    }]);
    scratch.write("strong.json", file.to_string());
    holds(&scratch.text("eval --weights strong.json"), &["0.776 (0.758 to 0.793) against greedy"]);
    let found = &scratch.json("eval --weights strong.json --json")["strength"][0];
    assert_eq!((&found["opponent"], &found["score"]), (&"greedy".into(), &0.776.into()));
    assert_eq!(found["score_ci95"], json!([0.758, 0.793]));
    assert!(scratch.json("eval --weights daoud2004-depth5 --json")["strength"].is_null());
}

#[test]
fn a_branch_knows_no_measurement_of_later_generations() {
    let scratch = Scratch::trained(&format!("{MEASURED} --generations 4 --set panel=1"));
    let fourth = scratch.bytes("run/checkpoint-000004.ayo");
    scratch.resume("--generations 12");
    // Simulate a process that was killed after it had written the tables.
    scratch.remove("run/checkpoint-000012.ayo");
    scratch.write("run/checkpoint-000004.ayo", fourth);
    scratch.ayo("resume run --set elite=1 --generations 6 --out branch --quiet").success();
    assert!(measured(&scratch, "branch").iter().all(|&it| it <= 6));
    let champion = eval::load(&scratch.path("branch").display().to_string()).unwrap();
    assert!(champion.provenance.unwrap().generation <= 6);
}
