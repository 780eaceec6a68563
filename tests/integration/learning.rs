//! Runs that learn their features.

use std::collections::BTreeMap;
use std::fs;

use crate::support::{Scratch, refused};

/// A run whose epochs are of three generations and take a moment.
const LEARNING: &str = "--preset learned --features u1..u8 --seed 4 --population 6 --depth 1 --quiet \
                        --set epoch=3 --set positions=300 --set passes=2 --set duel_openings=4 \
                        --set measure_every=0 --set finalist_games=0";

/// The files of a run that must not differ: all but times, how far it was, checksums by line and who holds it; of its checkpoints the
/// last.
fn left(scratch: &Scratch, run: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(scratch.path(run)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !["cost.csv", "lock", "run.toml", "checksums.csv", "status.json"]
            .contains(&name.as_str())
        {
            files.insert(name, fs::read(path).unwrap());
        }
    }
    let last = files.keys().filter(|name| name.starts_with("checkpoint-")).max().cloned();
    files.retain(|name, _| !name.starts_with("checkpoint-") || Some(name) == last.as_ref());
    files
}

#[test]
fn a_run_that_is_stopped_after_every_generation_learns_the_same() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train {LEARNING} --out whole --generations 8 --threads 2")).success();
    scratch.ayo(&format!("train {LEARNING} --out parts --generations 1 --threads 1")).success();
    for generations in 2..=8 {
        let threads = generations % 2 + 1;
        let line = format!("resume parts --generations {generations} --threads {threads} --quiet");
        scratch.ayo(&line).success();
    }
    let whole = left(&scratch, "whole");
    assert_eq!(whole.keys().filter(|name| name.starts_with("features-")).count(), 3, "{whole:?}");
    assert_eq!(whole, left(&scratch, "parts"));
    let epochs = scratch.read("whole/epochs.csv");
    let rows: Vec<&str> = epochs.lines().skip(1).collect();
    assert_eq!(rows.len(), 3, "{epochs}");
    assert!(
        rows[2].starts_with("7,3,") && !rows[2].ends_with(','),
        "the third epoch has a duel: {epochs}"
    );
    refused(scratch.ayo("resume whole --set epoch=5 --out other"), 2, &["epoch"]);
}

#[test]
fn runs_of_a_series_share_no_layers() {
    let scratch = Scratch::new();
    let learning = LEARNING.replace(" --seed 4", "");
    scratch.ayo(&format!("train {learning} --generations 4 --seeds 4..5 --out series")).success();
    scratch.ayo(&format!("train {learning} --generations 4 --seed 5 --out single")).success();
    assert_eq!(left(&scratch, "series-5"), left(&scratch, "single"));
}

#[test]
fn a_champion_of_learned_features_plays_and_is_shown() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train {LEARNING} --out run --generations 4")).success();
    for line in [
        "move --player minimax:weights=run,depth=3",
        "inspect run",
        "export run --standalone",
        "plot run -o run.png",
        "match minimax:weights=run,depth=1 minimax:weights=seeds,depth=1 --openings plies:2 --quiet",
        "doctor run",
    ] {
        scratch.ayo(line).success();
    }
}

#[test]
fn a_layer_that_is_damaged_or_gone_is_named() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train {LEARNING} --out run --generations 2")).success();
    let layer =
        left(&scratch, "run").into_keys().find(|name| name.starts_with("features-")).unwrap();
    let file = scratch.path(&format!("run/{layer}"));
    let good = fs::read(&file).unwrap();
    let mut bad = good.clone();
    bad[good.len() / 2] ^= 4;
    fs::write(&file, bad).unwrap();
    refused(scratch.ayo("move --player minimax:weights=run,depth=1"), 1, &[&layer, "damaged"]);
    refused(scratch.ayo("resume run --generations 3"), 1, &[&layer]);
    assert!(scratch.ayo("doctor run").stdout().contains(&layer));
    fs::remove_file(&file).unwrap();
    refused(scratch.ayo("resume run --generations 3"), 1, &[&layer]);
    fs::write(&file, good).unwrap();
    scratch.ayo("resume run --generations 3 --quiet").success();
}

#[test]
fn features_that_cannot_be_learned_are_refused() {
    let scratch = Scratch::new();
    for (line, words) in [
        ("train --preset learned --features u1..u7", "8, 16, 24, 32, 48, 64"),
        ("train --preset learned --features u1..u7,u9", "8, 16, 24, 32, 48, 64"),
        ("train --preset learned --features u2..u9", "the first"),
        ("train --preset learned --features u2,u1,u3..u8", "in order"),
        ("train --preset learned --features a9,a10", "8, 16, 24, 32, 48, 64"),
        ("train --features u1..u16", "layer"),
        ("train --preset learned --features u1..u99", "u1..u99"),
        ("train --preset learned --set founders=ff", "founders"),
        ("train --preset learned --set positions=0", "positions"),
    ] {
        refused(scratch.ayo(&format!("{line} --dry-run")), 2, &[words]);
    }
}

#[test]
fn a_layer_that_is_there_is_weighed_by_the_genetic_algorithm() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train {LEARNING} --out run --generations 1")).success();
    let layer =
        left(&scratch, "run").into_keys().find(|name| name.starts_with("features-")).unwrap();
    let tiny =
        "--seed 2 --population 6 --depth 1 --quiet --set finalist_games=0 --set measure_every=0";
    for (name, from) in [("a", "run".to_owned()), ("b", format!("run/{layer}"))] {
        let line = format!("train --features learned:{from} {tiny} --out {name} --generations 3");
        scratch.ayo(&line).success();
    }
    assert_eq!(left(&scratch, "a"), left(&scratch, "b"));
    scratch.ayo("resume a --generations 5 --quiet").success();
    scratch.ayo("move --player minimax:weights=a,depth=2").success();
    scratch.ayo("doctor a").success();
    refused(
        scratch.ayo("train --features learned:seeds --dry-run"),
        2,
        &["seeds", "no learned layer"],
    );
    refused(scratch.ayo("train --config a/run.toml --out c"), 2, &["layer", "learned:FILE"]);
    fs::remove_file(scratch.path(&format!("a/{layer}"))).unwrap();
    refused(scratch.ayo("resume a --generations 6"), 1, &[&layer]);
}

#[test]
fn what_units_look_at_and_how_they_were_fitted_is_drawn() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train {LEARNING} --out run --generations 8")).success();
    let drawn = |line: &str| {
        scratch.ayo(&format!("plot {line} -o picture.svg")).success();
        scratch.read("picture.svg").lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let has = |svg: &[String], text: &str| svg.iter().any(|line| line == text);
    let weights = scratch.json("inspect run/champion.json --json");
    let mut sizes: Vec<i64> = weights["weights"].as_array().unwrap().iter().map(size).collect();
    sizes.sort_by(|a, b| b.cmp(a));
    scratch.ayo("export run --standalone -o alone.json").success();
    for input in ["run", "run/champion.json", "alone.json"] {
        let svg = drawn(&format!("{input} --what units"));
        let texts: Vec<&String> = svg.iter().filter(|line| !line.starts_with('<')).collect();
        // Beside the name of a unit stand its weights.
        let is_unit =
            |text: &str| text.strip_prefix('u').is_some_and(|it| it.parse::<u8>().is_ok());
        let weights = texts.windows(2).filter(|pair| is_unit(pair[0])).map(|pair| &pair[1][..]);
        // Of the weights in all phases the largest is that of the champion.
        let largest = |weights: &str| {
            let sizes = weights.split(", ").map(|it| it.trim_start_matches('−').parse().unwrap());
            sizes.max().unwrap()
        };
        let shown: Vec<i64> = weights.map(largest).collect();
        assert_eq!(shown, sizes, "{input}");
        assert!(has(&svg, "that make 2") && has(&svg, "store"));
    }
    let svg = drawn("run --what fit");
    assert!(has(&svg, "loss (nats)") && has(&svg, "duel (points a game)"));
    let svg = drawn("run");
    assert!(has(&svg, "Fit") && has(&svg, "Units"));
    drawn("run alone.json reference");
    drawn("run run --what fit");
}

fn size(weight: &serde_json::Value) -> i64 {
    weight["weight"].as_i64().unwrap().abs()
}

#[test]
fn what_was_not_learned_has_no_picture_of_it() {
    let scratch = Scratch::new();
    let refusals: [(&str, &[&str]); 3] = [
        ("reference --what units", &["units needs weights", "ayo train --preset learned"]),
        ("reference --what fit", &["fit needs a run folder", "epochs.csv"]),
        ("pits --what units", &["pits"]),
    ];
    for (inputs, words) in refusals {
        let code = if inputs.starts_with("pits") { 2 } else { 1 };
        refused(scratch.ayo(&format!("plot {inputs} -o none.svg")), code, words);
    }
    scratch.ayo(&format!("train {LEARNING} --out run --generations 1")).success();
    let layer =
        left(&scratch, "run").into_keys().find(|name| name.starts_with("features-")).unwrap();
    let line = format!("plot run/{layer} --what units -o none.svg");
    refused(scratch.ayo(&line), 1, &[&layer, "plot the run folder"]);
    let epochs = scratch.read("run/epochs.csv");
    scratch.write("run/epochs.csv", epochs.replacen(",300,", ",300,-", 1));
    refused(scratch.ayo("plot run -o none.svg"), 1, &["epochs.csv, line 2", "first_loss"]);
    fs::remove_file(scratch.path("run/epochs.csv")).unwrap();
    scratch.ayo("plot run -o all.svg").success();
    refused(scratch.ayo("plot run --what fit -o none.svg"), 1, &["fit needs a run folder"]);
    assert!(!scratch.path("none.svg").exists());
}

#[test]
fn kalah_is_learned_too() {
    let scratch = Scratch::new();
    let line = LEARNING.replace(
        "--preset learned --features u1..u8",
        "--preset kalah-learned --features ku1..ku8",
    );
    scratch.ayo(&format!("train {line} --out run --generations 4")).success();
    scratch.ayo("move --game kalah --player minimax:weights=run,depth=3").success();
    scratch.ayo("plot run --what units -o units.svg").success();
    let svg = scratch.read("units.svg");
    // The board has six pits a side, and a layer sees eight.
    assert!(
        svg.contains(">\n6\n<") && !svg.contains(">\n8\n<") && svg.contains("that end at home")
    );
}
