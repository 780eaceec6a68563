//! Tests of the papers' claims and of the studies that check them.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{SCHEMA, Scratch, output};
use crate::validator::page;

/// Returns the rows of the list, keyed by claim and without times.
fn rows(list: &Value) -> BTreeMap<String, Value> {
    let rows = list["rows"].as_array().unwrap().iter().cloned();
    rows.map(|mut row| {
        row["seconds"].take();
        (row["claim"].as_str().unwrap().to_owned(), row)
    })
    .collect()
}

#[test]
fn quick_studies_reproduce_the_built_in_results() {
    let scratch = Scratch::new();
    let built_in = rows(&scratch.json("list --json"));
    assert!(built_in.len() > 100, "{}", built_in.len());
    assert!(built_in.values().all(|row| row["verdict"].is_string()));
    let names = "count cdg matrix strategies questionnaire printed-games rbh-moves kansas-lookahead trees \
                 prototype";
    let said = scratch.text(&format!("all {names} --out new --quiet"));
    assert!(said.ends_with("next: ayo-papers list --results new\n"), "{said}");
    let again = rows(&scratch.json("list --results new --json"));
    for (claim, row) in &again {
        assert_eq!(row, &built_in[claim], "{claim}");
    }
    // Complete studies are not repeated.
    let said = scratch.text(&format!("all {names} --out new --quiet"));
    assert_eq!(said.matches(" complete\n").count(), 10, "{said}");
}

#[test]
fn findings_are_printed() {
    let scratch = Scratch::new();
    let said = scratch.text("all matrix --out new --quiet");
    assert!(said.contains("\n  thesis/theorem-1"), "{said}");
    scratch.json("questionnaire --json");
    // The study is complete, so no games are played.
    let results = concat!(env!("CARGO_MANIFEST_DIR"), "/data/results");
    let output = scratch.json(&format!("daoud --out {results} --json"));
    assert_eq!(output["study"], "daoud");
}

#[test]
fn the_page_shows_the_results_of_a_folder() {
    let scratch = Scratch::new();
    scratch.text("all matrix --out new --quiet");
    let file = scratch.read("new/matrix.json");
    scratch.write("new/matrix.json", file.replace("the same 36 payoffs", "36 PAYOFFS"));
    assert!(scratch.text("page --results new").contains("36 PAYOFFS"));
    assert!(!scratch.text("page").contains("36 PAYOFFS"));
    scratch.write("new/matrix.json", "{}");
    scratch.refused("page --results new", 1, &["matrix.json", "ayo-papers all"]);
    scratch.refused("all chess", 2, &["chess", "questionnaire"]);
}

#[test]
fn readings_are_compared_with_the_printed_moves() {
    let said = Scratch::new().text("rbh --moves");
    let first = said.lines().nth(3).unwrap();
    let numbers: Vec<&str> = first.split_whitespace().take(2).collect();
    assert_eq!(numbers, ["32", "9"], "{said}");
}

#[test]
fn positions_are_counted() {
    let scratch = Scratch::new();
    let output = scratch.json("count --seeds 3 --by-seeds --json");
    let boards: Vec<&str> = output["boards"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["boards"].as_str().unwrap())
        .collect();
    assert_eq!(boards, ["1", "12", "78", "364"]);
    assert_eq!(scratch.json("count --json")["positions"], "13132444545150");
    scratch.refused("count --pits 200 --seeds 400", 1, &["128 bits"]);
}

#[test]
fn misspelt_studies_are_suggested() {
    Scratch::new().refused("all daoud-titel", 2, &["did you mean \"daoud-title\"?"]);
}

#[test]
fn invalid_players_are_refused_before_a_game() {
    let scratch = Scratch::new();
    scratch.refused("rbh --player unknown", 2, &["unknown player \"unknown\""]);
    scratch.refused("amdf --player amdf:depth=0", 2, &["depth is \"0\""]);
    scratch.refused("rbh --games 1", 2, &["--games"]);
}

/// Control characters in names must not reach the terminal, which `output` checks.
#[test]
fn names_are_escaped() {
    let scratch = Scratch::new();
    let name = "q\u{1b}]0;x\u{7}\u{9b}2J\r\u{202e}\nFORGED";
    for line in [
        "@",
        "all @",
        "all matrix --quiet --out @",
        "all matrix --quiet --out @",
        "list --results @",
        "cdg sums 1..9 --plot @.svg",
        "amdf rows self-play:2 -o @.csv",
        "amdf rows @",
        "amdf --player @",
        "kalah --quiet --out @/matrix.json",
        "count --@",
    ] {
        let mut command = scratch.command("");
        command.args(line.split(' ').map(|word| word.replace('@', name)));
        let output = output(command);
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8(printed).unwrap();
        assert!(!printed.lines().any(|line| line.starts_with("FORGED")), "{line}: {printed}");
    }
}

#[test]
fn the_readme_lists_every_kind_of_json() {
    let readme = page(env!("CARGO_MANIFEST_DIR"), "README.md");
    SCHEMA.check_page(readme.split_once("\n## JSON\n").unwrap().1);
}

#[test]
#[ignore = "a minute"]
fn matches_print_what_the_schema_describes() {
    let scratch = Scratch::new();
    for study in ["rbh", "amdf"] {
        scratch.json(&format!("{study} --player greedy --games 2 --quiet --json"));
    }
}
