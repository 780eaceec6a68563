//! Tests of the Kalah study by the University of Kansas.

use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use serde_json::json;

use crate::support::Scratch;

#[test]
fn an_odd_number_of_games_is_refused() {
    Scratch::new().refused("kalah --games 3", 2, &["--games 3", "half"]);
}

#[test]
#[ignore = "half a minute"]
fn the_whole_study() {
    let scratch = Scratch::new();
    let output = scratch.json("kalah --games 20 --lookahead 5 --seed 1 --out found --quiet --json");
    assert_eq!(output["round_robin"], json!({ "rows": 63, "as_printed": 63 }));
    assert_eq!(output["look_ahead"], json!({ "rows": 27, "as_printed": 27 }));
    for figure in ["win", "stones_per_move", "captures_per_move", "go_agains_per_move"] {
        let correlation = &output["random"][figure]["rank_correlation"];
        assert!(correlation.as_f64().unwrap() > 0.7, "{figure}: {correlation}");
    }
    let files = ["charts.png", "kansas.png", "look-ahead.csv", "random.csv", "round-robin.csv"];
    assert_eq!(scratch.list("found"), files);
    assert!(fs::read(scratch.path("found/kansas.png")).unwrap().starts_with(b"\x89PNG"));
    // Each `printed_` column follows ours. Means have six digits, and shares of games won have four.
    let table = scratch.read("found/round-robin.csv");
    let header: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let mut compared = 0;
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        for (at, name) in header.iter().enumerate() {
            let Some(ours) = name.strip_prefix("printed_") else { continue };
            assert_eq!(header[at - 1], ours);
            let Ok(printed) = cells[at].parse::<f64>() else { continue };
            let ours: f64 = cells[at - 1].parse().unwrap();
            let error = if *name == "printed_win" { 0.51e-4 } else { 1e-6 };
            assert!((ours - printed).abs() < error, "{name} of {line}");
            compared += 1;
        }
    }
    assert_eq!(compared, 63 + 19 * 8);
    assert_eq!(scratch.read("found/look-ahead.csv").lines().count(), 1 + 27);
    assert_eq!(scratch.read("found/random.csv").lines().count(), 1 + 64);
}

/// A study that is killed repeatedly never plays a part twice, and still writes the same bytes.
#[test]
#[ignore = "a minute"]
fn a_killed_study_resumes_to_the_same_tables() {
    let scratch = Scratch::new();
    let line = |out: &str| format!("kalah --games 8 --lookahead 2 --quiet --out {out}");
    let tables = |out: &str| -> BTreeMap<String, String> {
        let names = scratch.list(out).into_iter().filter(|name| name.ends_with(".csv"));
        names.map(|name| (name.clone(), scratch.read(&format!("{out}/{name}")))).collect()
    };
    scratch.text(&line("whole"));
    let mut killed = 0;
    for milliseconds in (100..).step_by(400) {
        let mut command = scratch.command(&line("killed"));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        sleep(Duration::from_millis(milliseconds));
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success());
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        killed += 1;
    }
    assert!(killed > 0);
    assert_eq!(tables("killed"), tables("whole"));
    assert!(!scratch.path("killed/kalah-unfinished").exists());
}
