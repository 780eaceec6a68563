//! The claims of the papers: the list, the studies that settle them, and what the small verbs of these studies print.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{Scratch, refused};

/// The rows of the list by claim, without times.
fn rows(list: &Value) -> BTreeMap<String, Value> {
    let rows = list["rows"].as_array().unwrap().iter().cloned();
    rows.map(|mut row| {
        row["seconds"].take();
        (row["claim"].as_str().unwrap().to_owned(), row)
    })
    .collect()
}

#[test]
fn cheap_studies_find_what_is_kept() {
    let scratch = Scratch::new();
    let kept = rows(&scratch.json("study list --json"));
    assert!(kept.len() > 100, "{}", kept.len());
    assert!(kept.values().all(|row| row["verdict"].is_string()));
    let names = "count matrix strategies questionnaire printed-games";
    let said = scratch.text(&format!("study all {names} --out new --quiet"));
    assert!(said.ends_with("next: ayo study list --results new\n"), "{said}");
    let again = rows(&scratch.json("study list --results new --json"));
    for (claim, row) in &again {
        assert_eq!(row, &kept[claim], "{claim}");
    }
    // What is there is not done again.
    let said = scratch.text(&format!("study all {names} --out new --quiet"));
    assert_eq!(said.matches(" kept\n").count(), 5, "{said}");
}

#[test]
fn a_study_says_what_it_found() {
    let scratch = Scratch::new();
    let said = scratch.text("study all matrix --out new --quiet");
    assert!(said.contains("\n  thesis/theorem-1"), "{said}");
    scratch.json("study questionnaire --json");
    // A whole study is not done again, so that this takes no games.
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/src/study/kept");
    let found = scratch.json(&format!("study daoud --out {kept} --json"));
    assert_eq!(found["study"], "daoud");
}

#[test]
fn a_page_is_made_of_a_folder_of_results() {
    let scratch = Scratch::new();
    scratch.ayo("study all matrix --out new --quiet").success();
    let file = scratch.read("new/matrix.json");
    scratch.write("new/matrix.json", file.replace("the same 36 payoffs", "36 PAYOFFS"));
    assert!(scratch.text("study page --results new").contains("36 PAYOFFS"));
    assert!(!scratch.text("study page").contains("36 PAYOFFS"));
    scratch.write("new/matrix.json", "{}");
    refused(scratch.ayo("study page --results new"), 1, &["matrix.json", "ayo study all"]);
    refused(scratch.ayo("study all chess"), 2, &["chess", "questionnaire"]);
}

#[test]
fn figures_3_11_and_3_12() {
    let scratch = Scratch::new();
    let said = scratch.text("cdg matrix 15");
    assert!(said.ends_with("maximin -2, minimax 0: no saddle point\n"), "{said}");
    assert!(said.contains("\n    0   -2    0    0    0   -2\n    0    0   -2    0    0    0\n"));
    assert!(scratch.text("cdg matrix 15 --legal").ends_with(": a saddle point\n"));
    let found = scratch.json("cdg blocks 16 --json");
    let x: Vec<i64> = serde_json::from_value(found["boards"][0]["x"].clone()).unwrap();
    assert_eq!(x, [1, 1, 4, 4, 5, 3, 7, 1, 3, 5, 7, 9, 11, 13, 15, 17]);
    let laws = scratch.json("cdg propositions 1..30 --json");
    assert!(laws["rows"].as_array().unwrap().iter().all(|row| row["holds"] == true));
    refused(scratch.ayo("cdg matrix"), 2, &["N..M"]);
    refused(scratch.ayo("cdg matrix 22"), 2, &["22 is more than 21"]);
}

#[test]
fn positions_are_counted() {
    let scratch = Scratch::new();
    let found = scratch.json("count --seeds 3 --by-seeds --json");
    let boards: Vec<&str> = found["boards"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["boards"].as_str().unwrap())
        .collect();
    assert_eq!(boards, ["1", "12", "78", "364"]);
    assert_eq!(scratch.json("count --json")["positions"], "13132444545150");
    refused(scratch.ayo("count --pits 200 --seeds 400"), 1, &["128 bits"]);
}

#[test]
fn strategies_are_named() {
    let scratch = Scratch::new();
    scratch.write("game.txt", "blocked: 2-2-2-4-4-4-4-4-4-5-0-1-6-6-S A\n");
    let said = scratch.text("replay game.txt --explain");
    assert!(said.ends_with("    ply move  strategy\n      1    A  blocking\n"), "{said}");
    let found = scratch.json("replay game.txt --explain --player minimax:depth=1 --json");
    assert_eq!(found["games"][0]["strategies"][0]["strategies"][0], "blocking");
    scratch.write("kalah.txt", "C\n");
    refused(scratch.ayo("replay kalah.txt --game kalah --explain"), 2, &["kalah"]);
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
