//! Endgame tables: output, rejected input, and that no finished layer is lost.

use std::fs;

use serde_json::json;

use crate::support::{Scratch, holds};

#[test]
fn build_stats_and_verify() {
    let scratch = Scratch::new();
    let said = scratch.text("endgame build --seeds 6 --quiet");
    assert!(said.starts_with("awari up to 6 seeds: 18,564 positions, "), "{said}");
    assert!(said.contains("tables complete in "), "{said}");
    let mut names: Vec<String> = (0..=6).map(|seeds| format!("awari-{seeds:02}.ayo")).collect();
    names.push("lock".into());
    assert_eq!(scratch.list("tables"), names);
    let again = scratch.text("endgame build --seeds 6 --quiet");
    assert!(again.ends_with("tables is already complete and undamaged\n"), "{again}");
    let found = scratch.json("endgame stats tables --json");
    let two = json!({ "seeds": 2, "positions": 78, "counts": { "-2": 40, "0": 13, "2": 25 } });
    assert_eq!(found["layers"][2], two);
    assert_eq!((&found["rules"], &found["proven"]), (&json!("awari"), &json!(true)));
    let verified = scratch.text("endgame verify tables --quiet");
    assert!(
        verified.ends_with("6 seeds: 12,376 positions\nawari: all values are correct\n"),
        "{verified}"
    );
    holds(
        &scratch.text("endgame verify tables --sample 50 --quiet"),
        &["6 seeds: 12,376 positions, 50 checked"],
    );
}

#[test]
fn what_is_not_proven_says_so() {
    let scratch = Scratch::new();
    let said = scratch.text("endgame build --seeds 3 --rules ayo --out t --quiet");
    holds(&said, &["\nheuristic: "]);
    holds(&scratch.text("endgame stats t"), &["\nheuristic: "]);
    assert_eq!(scratch.json("endgame stats t --json")["proven"], false);
    scratch.ayo("endgame build --seeds 2 --out t --quiet").success();
    scratch.refuses(2, "endgame stats", &[("t", &["several rule sets", "--rules: awari, ayo"])]);
    scratch.ayo("endgame verify t --rules awari --quiet").success();
}

#[test]
fn bad_requests_and_damaged_files_are_refused() {
    let scratch = Scratch::new();
    let cases: [(&str, &[&str]); 2] = [
        ("--seeds 24 --memory 1G", &["1.6 GiB", "--memory allows only 1 GiB"]),
        ("--seeds 4 --rules no-slam", &["no-slam", "stalemate"]),
    ];
    scratch.refuses(2, "endgame build --quiet", &cases);
    scratch.write("file", "");
    scratch.ayo("endgame build --seeds 4 --out file").code(1);
    fs::create_dir(scratch.path("empty")).unwrap();
    scratch.ayo("endgame build --seeds 5 --quiet").success();
    scratch.flip("tables/awari-05.ayo", 1000);
    let cases: [(&str, &[&str]); 4] = [
        ("stats nowhere", &["nowhere"]),
        ("verify empty", &["no endgame tables in empty"]),
        ("stats tables", &["awari-05.ayo is damaged"]),
        ("verify tables --quiet", &["awari-05.ayo is damaged"]),
    ];
    for (line, words) in cases {
        holds(&scratch.ayo(&format!("endgame {line}")).code(1).stderr(), words);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_build_goes_on_to_the_same_bytes() {
    let scratch = Scratch::new();
    let mut building = scratch.start("endgame build --seeds 15 --threads 1 --quiet --out parts");
    let layer = scratch.path("parts/awari-10.ayo");
    crate::support::wait_until("no layer is solved", || layer.exists());
    let out = building.interrupted("INT");
    holds(&out, &["endgame build --seeds 15 --rules awari --out parts"]);
    for (folder, threads) in [("parts", 2), ("whole", 1)] {
        let build = format!("endgame build --seeds 12 --threads {threads} --quiet --out {folder}");
        scratch.ayo(&build).success();
    }
    for seeds in 10..=12 {
        let [parts, whole] =
            ["parts", "whole"].map(|it| scratch.bytes(&format!("{it}/awari-{seeds}.ayo")));
        assert!(parts == whole, "{seeds} seeds");
    }
}

#[test]
fn accuracy_says_how_near_players_are_to_perfect_play() {
    let scratch = Scratch::with_tables("--seeds 6 --out t");
    let asked = "accuracy random greedy minimax:weights=seeds,depth=5,tables=t --tables t \
                 --seeds 3..6 --sample 120 --quiet";
    let found = scratch.json(&format!("{asked} --json --threads 1 -o a.png"));
    assert_eq!(found, scratch.json(&format!("{asked} --json --threads 2")));
    let figure = |index: usize, key: &str| found["players"][index][key].as_f64().unwrap();
    assert!(figure(0, "seeds_lost") > 0.0 && figure(0, "optimal") < 1.0);
    assert_eq!((figure(2, "optimal"), figure(2, "seeds_lost")), (1.0, 0.0));
    for player in 0..3 {
        let parts = found["players"][player]["by_seeds"].as_array().unwrap();
        let positions: f64 = parts.iter().map(|part| part["positions"].as_f64().unwrap()).sum();
        assert!((90.0..=120.0).contains(&positions), "{positions}");
    }
    scratch.write("a.json", found.to_string());
    scratch.ayo("plot a.json -o b.png").success();
    assert_eq!(scratch.bytes("a.png"), scratch.bytes("b.png"));
    holds(&scratch.text(asked), &["120 positions, one per game, 3 to 6 seeds"]);
}

#[test]
fn accuracy_refuses_what_it_cannot_measure() {
    let scratch = Scratch::with_tables("--seeds 4 --out t");
    let cases: [(&str, &[&str]); 3] = [
        ("--tables t --seeds 2..5", &["--seeds", "at most 4 seeds, not 5"]),
        ("--tables t --seeds 1..1", &["--sample", "only 0 such positions"]),
        ("--tables t -o picture", &["picture"]),
    ];
    scratch.refuses(2, "accuracy greedy --quiet", &cases);
    let cases: [(&str, &[&str]); 2] =
        [("--tables nowhere", &["nowhere"]), ("--tables t --rules ayo", &["awari", "not ayo"])];
    scratch.refuses(1, "accuracy greedy --quiet", &cases);
}

#[test]
fn what_is_proven_is_what_tables_say() {
    let scratch = Scratch::new();
    let position = "0-0-0-0-1-2-1-2-0-0-0-0-21-21-S";
    let prove = format!("endgame prove --position {position} --quiet --json");
    scratch.ayo("endgame build --seeds 6 --out tables --quiet").success();
    let probed = scratch.json(&format!("endgame probe tables --position {position} --json"));
    assert!(probed["value"].as_i64().unwrap() < 0, "{probed}");
    assert_eq!(scratch.json(&prove)["outcome"], "loss");
    assert_eq!(scratch.json(&format!("{prove} --tables tables"))["nodes"], 2);
    let start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
    let line = format!("endgame prove --position {start} --nodes 500 --quiet");
    let unknown = scratch.ayo(&line).code(1).stdout();
    assert!(unknown.starts_with("South may win or lose"), "{unknown}");
    scratch.refuses(2, "endgame prove", &[("--position 1-2", &["15 fields"])]);
}
