//! Tests of `ayo-papers cdg`. The study `cdg` compares all tables with the printed ones.

use std::fs;

use serde_json::Value;

use crate::support::Scratch;

/// Returns the cells of a table, without its header.
fn table(text: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| line.split(',').map(str::to_owned).collect();
    text.lines().skip(1).map(cells).collect()
}

fn numbers(cells: &[String]) -> Vec<u64> {
    cells.iter().map(|cell| cell.parse().unwrap()).collect()
}

fn list(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
}

fn rows(output: &Value) -> &Vec<Value> {
    output["rows"].as_array().unwrap()
}

/// Returns a board in the format of tables 3.1, 3.5 and 3.6.
fn board(row: &Value) -> Vec<u64> {
    [list(&row["x"]), list(&row["y"])].concat()
}

#[test]
fn tables_3_1_and_3_5_are_the_rows_of_a_play_out() {
    let output = Scratch::new().json("cdg play 21 --json");
    let mut output: Vec<Vec<u64>> = rows(&output).iter().map(board).collect();
    output.reverse();
    let printed =
        |text| -> Vec<Vec<u64>> { table(text).iter().map(|row| numbers(&row[1..])).collect() };
    assert_eq!(printed(include_str!("../../data/printed/thesis/table_3_5.csv")), output);
    // Table 3.1 starts with the first board after a capture.
    assert_eq!(printed(include_str!("../../data/printed/thesis/table_3_1.csv")), output[2..]);
}

#[test]
fn table_3_4_but_for_two_sums() {
    let output = Scratch::new().json("cdg sums 1..50 --json");
    let row = |row: &Value| ["n", "s", "f", "g"].map(|key| row[key].as_u64().unwrap()).to_vec();
    let output: Vec<Vec<u64>> = rows(&output).iter().map(row).collect();
    let mut printed: Vec<Vec<u64>> = table(include_str!("../../data/printed/thesis/table_3_4.csv"))
        .iter()
        .map(|row| numbers(row))
        .collect();
    for (n, is, was) in [(22, 190, 196), (48, 800, 820)] {
        assert_eq!(std::mem::replace(&mut printed[n - 1][1], is), was);
    }
    assert_eq!(output, printed);
}

#[test]
fn conjecture_1_fails_from_57_on() {
    let scratch = Scratch::new();
    let held = scratch.text("cdg conjecture 1..56");
    assert_eq!(held, "conjecture 1 holds for n from 1 to 56\n");
    let output = scratch.json("cdg conjecture 1..100000 --quiet --json");
    assert_eq!(list(&output["checked"]), [1, 100_000]);
    let first = output["counterexamples"].as_array().unwrap();
    assert_eq!(first.len(), 10);
    // Algorithm I must return the same figures.
    let sums = scratch.json("cdg sums 57..70 --json");
    for row in first.iter().filter(|row| row["n"].as_u64().unwrap() <= 70) {
        let n = row["n"].as_u64().unwrap();
        assert_eq!(row["f"], rows(&sums)[n as usize - 57]["f"]);
        assert_ne!(row["f"], row["conjectured"]);
    }
    assert_eq!(first[0]["n"], 57);
}

#[test]
fn json_matches_the_schema() {
    let scratch = Scratch::new();
    for command in ["position 21", "maximal 1..26", "matching 1..21", "matrix 15"] {
        scratch.json(&format!("cdg {command} --json"));
    }
}

#[test]
fn distances_of_a_position_and_of_any_row() {
    let scratch = Scratch::new();
    let position = "cdg distance --position 7-5-3-1-2-2-1-0-0-0-0-0-3-24-N --json";
    let output = scratch.json(position);
    let south = &rows(&output)[0];
    assert_eq!((&south["cdg"], &south["distance"]), (&true.into(), &0.into()));
    let output = scratch.json("cdg distance --vector 1,3,2,0,0,0,0,12 --json");
    assert_eq!(rows(&output)[0]["cdg"], false);
}

#[test]
fn a_board_is_also_printed_as_a_position() {
    let scratch = Scratch::new();
    let said = scratch.text("cdg position 21");
    let position = said.lines().last().unwrap();
    assert_eq!(position, "7-5-3-1-2-2-1-0-0-0-0-0-3-24-N");
    assert!(scratch.text(&format!("cdg distance --position {position}")).contains("a CDG vector"));
    assert!(scratch.text("cdg position 29 --pits 7").contains("Y moves"));
}

#[test]
fn sums_are_drawn_as_png_or_svg() {
    let scratch = Scratch::new();
    scratch.text("cdg sums 1..200 --plot s.svg");
    assert!(scratch.read("s.svg").contains("pits a side, n"));
    scratch.text("cdg sums 7 --plot one.png");
    assert!(fs::read(scratch.path("one.png")).unwrap().starts_with(b"\x89PNG"));
    scratch.refused("cdg sums 1..9 --plot s.gif", 2, &["s.gif"]);
}

#[test]
fn invalid_arguments_are_refused() {
    let scratch = Scratch::new();
    scratch.refused("cdg position 22", 2, &["row 22", "6 pits", "1 to 21"]);
    scratch.refused("cdg play 0", 2, &["row 0"]);
    scratch.refused("cdg sums 9..1", 2, &["9 is above 1"]);
    scratch.refused("cdg maximal 0..4", 2, &["1 or above"]);
    scratch.refused("cdg maximal 1..1001", 2, &["1001 is more than 1000"]);
    scratch.refused("cdg matching x", 2, &["\"x\" is not a number"]);
    scratch.refused("cdg distance", 2, &["--position"]);
}

#[test]
fn figures_3_11_and_3_12() {
    let scratch = Scratch::new();
    let said = scratch.text("cdg matrix 15");
    assert!(said.ends_with("maximin -2, minimax 0: no saddle point\n"), "{said}");
    assert!(said.contains("\n    0   -2    0    0    0   -2\n    0    0   -2    0    0    0\n"));
    assert!(scratch.text("cdg matrix 15 --legal").ends_with(": a saddle point\n"));
    let output = scratch.json("cdg blocks 16 --json");
    let x: Vec<i64> = serde_json::from_value(output["boards"][0]["x"].clone()).unwrap();
    assert_eq!(x, [1, 1, 4, 4, 5, 3, 7, 1, 3, 5, 7, 9, 11, 13, 15, 17]);
    let laws = scratch.json("cdg propositions 1..30 --json");
    assert!(laws["rows"].as_array().unwrap().iter().all(|row| row["holds"] == true));
    scratch.refused("cdg matrix", 2, &["N..M"]);
    scratch.refused("cdg matrix 22", 2, &["22 is more than 21"]);
}
