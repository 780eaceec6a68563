//! Endgame tables: what is printed, what is refused, and that nothing is lost.

use std::fs;

use serde_json::json;

use crate::support::{Scratch, refused};

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
        verified.ends_with("6 seeds: 12,376 positions\nawari: all values are right\n"),
        "{verified}"
    );
    let sampled = scratch.text("endgame verify tables --sample 50 --quiet");
    assert!(sampled.contains("6 seeds: 12,376 positions, 50 checked"), "{sampled}");
}

#[test]
fn what_is_not_proven_says_so() {
    let scratch = Scratch::new();
    let said = scratch.text("endgame build --seeds 3 --rules ayo --out t --quiet");
    assert!(said.contains("\nheuristic: "), "{said}");
    assert!(scratch.text("endgame stats t").contains("\nheuristic: "));
    assert_eq!(scratch.json("endgame stats t --json")["proven"], false);
    scratch.ayo("endgame build --seeds 2 --out t --quiet").success();
    refused(scratch.ayo("endgame stats t"), 2, &["several rules", "--rules: awari, ayo"]);
    scratch.ayo("endgame verify t --rules awari --quiet").success();
}

#[test]
fn bad_requests_are_refused() {
    let scratch = Scratch::new();
    let build = |rest: &str| scratch.ayo(&format!("endgame build {rest} --quiet"));
    refused(build("--seeds 49"), 2, &["49", "--seeds"]);
    refused(build("--seeds 24 --memory 1G"), 2, &["1.6 GiB", "--memory allows 1 GiB"]);
    refused(build("--seeds 4 --memory lots"), 2, &["lots", "as in 8G"]);
    refused(build("--seeds 4 --rules no-slam"), 2, &["no-slam", "stalemate"]);
    refused(scratch.ayo("endgame stats nowhere"), 1, &["nowhere"]);
    scratch.write("file", "");
    let into_a_file = build("--seeds 4 --out file");
    assert_eq!(into_a_file.output().status.code(), Some(1));
    fs::create_dir(scratch.path("empty")).unwrap();
    refused(scratch.ayo("endgame verify empty"), 1, &["empty holds no endgame tables"]);
}

#[test]
fn a_damaged_file_is_refused() {
    let scratch = Scratch::new();
    scratch.ayo("endgame build --seeds 5 --quiet").success();
    let path = scratch.path("tables/awari-05.ayo");
    let mut bytes = fs::read(&path).unwrap();
    bytes[1000] ^= 1;
    fs::write(&path, bytes).unwrap();
    refused(scratch.ayo("endgame stats tables"), 1, &["awari-05.ayo is damaged"]);
    let verified = scratch.ayo("endgame verify tables --quiet").code(1);
    let err = verified.stderr();
    assert!(err.contains("awari-05.ayo is damaged"), "{err}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_build_goes_on_to_the_same_bytes() {
    let scratch = Scratch::new();
    let mut building = scratch.start("endgame build --seeds 15 --threads 1 --quiet --out parts");
    let layer = scratch.path("parts/awari-10.ayo");
    while !layer.exists() {
        assert!(!building.has_ended());
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let out = building.interrupted("INT");
    assert!(out.contains("endgame build --seeds 15 --rules awari --out parts"), "{out}");
    scratch.ayo("endgame build --seeds 12 --threads 2 --quiet --out parts").success();
    scratch.ayo("endgame build --seeds 12 --threads 1 --quiet --out whole").success();
    for seeds in 10..=12 {
        let read = |folder| fs::read(scratch.path(&format!("{folder}/awari-{seeds}.ayo"))).unwrap();
        assert!(read("parts") == read("whole"), "{seeds} seeds");
    }
}

#[test]
fn accuracy_says_how_near_players_are_to_perfect_play() {
    let scratch = Scratch::new();
    scratch.ayo("endgame build --seeds 6 --out t --quiet").success();
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
    let said = scratch.text(asked);
    assert!(said.contains("120 positions of as many games, 3 to 6 seeds"), "{said}");
}

#[test]
fn accuracy_refuses_what_it_cannot_measure() {
    let scratch = Scratch::new();
    scratch.ayo("endgame build --seeds 4 --out t --quiet").success();
    let accuracy = |rest: &str| scratch.ayo(&format!("accuracy greedy --quiet {rest}"));
    refused(accuracy("--tables t --seeds 2..5"), 2, &["--seeds", "up to 4 seeds, not 5"]);
    refused(accuracy("--tables t --seeds 5..2"), 2, &["5..2", "LO..HI"]);
    refused(accuracy("--tables t --seeds 1..1"), 2, &["--sample", "to 0 such positions"]);
    refused(accuracy("--tables t --sample 9"), 2, &["9", "--sample"]);
    refused(accuracy("--tables nowhere"), 1, &["nowhere"]);
    refused(accuracy("--tables t --rules ayo"), 1, &["awari", "not ayo"]);
    refused(accuracy("--tables t -o picture"), 2, &["picture"]);
}

#[test]
fn what_is_proven_is_what_tables_say() {
    let scratch = Scratch::new();
    let position = "0-0-0-0-1-2-1-2-0-0-0-0-21-21-S";
    let found = scratch.json(&format!("endgame prove --position {position} --quiet --json"));
    scratch.ayo("endgame build --seeds 6 --out tables --quiet").success();
    let probed = scratch.json(&format!("endgame probe tables --position {position} --json"));
    assert_eq!((&found["outcome"], probed["value"].as_i64().unwrap() < 0), (&"loss".into(), true));
    let helped = format!("endgame prove --position {position} --tables tables --quiet --json");
    assert_eq!(scratch.json(&helped)["nodes"], 2);
    let start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
    let unknown = scratch.ayo(&format!("endgame prove --position {start} --nodes 500 --quiet"));
    assert_eq!(unknown.output().status.code(), Some(1));
    assert!(unknown.stdout().starts_with("South may win or lose"), "{}", unknown.stderr());
    refused(scratch.ayo("endgame prove --position 1-2"), 2, &["15 fields"]);
}
