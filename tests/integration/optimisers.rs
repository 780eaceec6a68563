//! Every optimiser trains like any other: the same bytes whatever happens, and all verbs know its runs.

use std::fs;

use ayo::run::Checkpoint;

use crate::support::{Bytes, Scratch, checkpoints, refused};

const PRESETS: [&str; 3] = ["spsa", "cma-es", "random-search"];

/// A run of moments, with measurements but without finals, which take their time.
fn train(preset: &str) -> String {
    format!(
        "train --preset {preset} --seed 3 --out run --quiet --depth 1 --population 4 --set openings=1 \
         --set measure_every=10 --set measure_openings=1 --set panel=1 --set finalist_games=0"
    )
}

fn whole(preset: &str, arguments: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.ayo(&format!("{} --generations 20 {arguments}", train(preset))).success();
    scratch
}

#[test]
fn a_run_is_the_same_on_any_number_of_threads() {
    for preset in PRESETS {
        let one = Bytes::of(&whole(preset, "--threads 1").path("run"));
        for threads in [2, 3] {
            let more = whole(preset, &format!("--threads {threads}"));
            Bytes::of(&more.path("run")).assert_same(&one);
        }
    }
}

#[test]
fn a_run_in_pieces_is_the_same_as_one_at_once() {
    for preset in PRESETS {
        let at_once = Bytes::of(&whole(preset, "").path("run"));
        let scratch = Scratch::new();
        scratch.ayo(&format!("{} --generations 1", train(preset))).success();
        for (generations, threads) in [(2, 1), (5, 2), (6, 3), (19, 1)] {
            let arguments = format!("--generations {generations} --threads {threads} --quiet");
            scratch.ayo(&format!("resume run {arguments}")).success();
            assert_eq!(scratch.generation("run"), generations);
        }
        for time in ["1ns", "1ms", "4ms"] {
            let arguments = format!("--generations 20 --max-time {time} --quiet");
            scratch.ayo(&format!("resume run {arguments}")).success();
        }
        scratch.ayo("resume run --generations 20 --quiet").success();
        Bytes::of(&scratch.path("run")).assert_same(&at_once);
    }
}

#[cfg(unix)]
#[test]
fn a_run_that_is_killed_goes_on_to_the_same_bytes() {
    use std::time::Duration;

    for preset in PRESETS {
        let scratch = Scratch::new();
        for milliseconds in [3, 40, 90, 20] {
            let line = match scratch.path("run/run.toml").exists() {
                true => "resume run --quiet --generations 1000000".to_owned(),
                false => format!("{} --generations 1000000", train(preset)),
            };
            let mut training = scratch.start(&line);
            training.begun();
            std::thread::sleep(Duration::from_millis(milliseconds));
            training.kill();
            let further = scratch.generation("run") + 3;
            let finish = format!("resume run --quiet --generations {further}");
            scratch.ayo(&finish).success();
        }
        let end = scratch.generation("run");
        let whole = Scratch::new();
        whole.ayo(&format!("{} --generations {end}", train(preset))).success();
        Bytes::of(&scratch.path("run")).assert_same(&Bytes::of(&whole.path("run")));
    }
}

#[test]
fn a_checkpoint_reads_back_and_damage_is_refused() {
    for preset in PRESETS {
        let scratch = whole(preset, "");
        let file = checkpoints(&scratch.path("run")).pop().unwrap();
        let bytes = fs::read(&file).unwrap();
        assert_eq!(Checkpoint::decode(&bytes).unwrap().encode(), bytes);
        for length in 0..bytes.len() {
            assert!(Checkpoint::decode(&bytes[..length]).is_err(), "{length}");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x40;
            assert!(Checkpoint::decode(&damaged).is_err(), "{at}");
        }
        // A checkpoint of another optimiser belongs to another run.
        let other = whole("spsa", "--set measure_every=0");
        if preset != "spsa" {
            let into = other.path("run").join(file.file_name().unwrap());
            fs::write(into, &bytes).unwrap();
            refused(other.ayo("resume run --generations 30"), 1, &["preset was", preset]);
        }
    }
}

#[test]
fn a_measurement_that_was_lost_is_taken_again() {
    for preset in PRESETS {
        let scratch = whole(preset, "");
        let before = Bytes::of(&scratch.path("run"));
        let measured = scratch.read("run/strength.csv");
        scratch.write("run/strength.csv", &measured[..measured.len() / 3]);
        scratch.ayo("resume run --quiet").success();
        Bytes::of(&scratch.path("run")).assert_same(&before);
    }
}

/// The weights of a run as a comparison writes them.
fn exported(scratch: &Scratch, arguments: &str) -> String {
    let found = scratch.json(&format!("inspect {arguments} --json"));
    let weights = found["champion"]["weights"].as_array().unwrap();
    let shown = weights
        .iter()
        .filter(|it| it["effective"] != 0)
        .map(|it| format!("{}={}", it["feature"].as_str().unwrap(), it["effective"]));
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_comparison_finds_what_training_finds() {
    let tiny = "population=4,depth=1";
    let rest = ["openings=1"; 3];
    let contestants = PRESETS.iter().zip(rest).map(|(name, rest)| format!("{name}:{tiny},{rest}"));
    let genetic = "daoud2004:population=8,depth=1,fitness_set=2,mutation_rate=0.1".to_owned();
    for contestant in contestants.chain([genetic]) {
        let scratch = Scratch::new();
        scratch
            .ayo(&format!(
                "compare {contestant} --seeds 3 --budget games=150 --depth 1 --openings 1 --quiet -o it.csv"
            ))
            .success();
        let table = scratch.read("it.csv");
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        let last = rows.records().last().unwrap().unwrap();
        let (spent, weights) = (last[8].parse::<u64>().unwrap(), last[17].to_owned());
        let (preset, changes) = contestant.split_once(':').unwrap();
        let set: String = changes.split(',').map(|it| format!(" --set {it}")).collect();
        let line = format!("train --preset {preset} --seed 3 --out run --quiet {set}");
        // As many generations as the search made steps.
        let (mut generations, mut games) = (0, 0);
        scratch
            .ayo(&format!("{line} --generations 100 --set finalist_games=0 --set measure_every=0"))
            .success();
        for row in csv::Reader::from_reader(scratch.read("run/history.csv").as_bytes()).records() {
            let played: u64 = row.unwrap()[9].parse().unwrap();
            if games + played > spent {
                break;
            }
            (generations, games) = (generations + 1, games + played);
        }
        assert_eq!(games, spent);
        scratch.ayo(&format!("export run --generation {generations} -o best.json")).success();
        let found = scratch.json("inspect best.json --json");
        let shown = found["weights"].as_array().unwrap().iter().filter(|it| it["effective"] != 0);
        let shown =
            shown.map(|it| format!("{}={}", it["feature"].as_str().unwrap(), it["effective"]));
        assert_eq!(shown.collect::<Vec<_>>().join(" "), weights, "{contestant}");
    }
}

/// The champion of a small game, which meets the panel in few games.
#[test]
fn finals_choose_a_champion() {
    for preset in PRESETS {
        let board = "--set game=kalah:pits=3,seeds=2 --set measure_every=0";
        let scratch = Scratch::new();
        scratch.ayo(&format!("{} --generations 6 {board}", train(preset))).success();
        let found = scratch.json("champion run --games 500 --quiet --json");
        assert!(found["games"].as_u64().unwrap() > 0, "{found}");
        let champion = scratch.read("run/champion.json");
        assert!(champion.contains("\"strength\""), "{champion}");
    }
}

#[test]
fn all_verbs_know_the_runs() {
    for preset in PRESETS {
        let scratch = whole(preset, "");
        let champion = exported(&scratch, "run");
        assert!(champion.contains('='), "{champion}");
        for what in ["", "--what fitness", "--what diversity", "--what weights", "--what strength"]
        {
            scratch.ayo(&format!("plot run {what} -o it.svg")).success();
        }
        let listed = scratch.json("runs . --json");
        assert_eq!(listed["runs"][0]["state"], "complete");
        let file = checkpoints(&scratch.path("run")).pop().unwrap();
        let found = scratch.json(&format!("inspect {} --json", file.display()));
        assert_eq!(found["settings"]["preset"], preset);
        scratch.ayo("export run --generation 7").success();
        let said = refused(scratch.ayo("export run --generation 7 --fittest"), 1, &["--fittest"]);
        assert!(said.contains("only the leader is recorded"), "{said}");
        scratch.ayo("resume run --set depth=2 --out branch --generations 22 --quiet").success();
        assert_eq!(scratch.generation("branch"), 22);
        let fixed = "resume run --set length=300 --out other --generations 22";
        refused(scratch.ayo(fixed), 2, &["--set: length shapes", "begin a new run instead"]);
        scratch.ayo("train --preset daoud2004 --start-from run --dry-run").success();
        let dry = scratch.ayo(&format!("train --preset {preset} --dry-run")).success().stdout();
        assert!(dry.contains("length = 400 # ") && !dry.contains("crossover"), "{dry}");
        let refusals = [
            ("--start-from seeds", "cannot begin from given weights"),
            ("--fix a9=3", "unknown setting \"fix\", a setting of another optimiser, not of "),
            ("--fitness tables", "unknown setting \"fitness\""),
            ("--population 3", "population is 3"),
        ];
        for (arguments, words) in refusals {
            refused(scratch.ayo(&format!("train --preset {preset} {arguments}")), 2, &[words]);
        }
    }
}
