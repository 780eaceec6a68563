//! Output with `--json` must match docs/json.schema.json, as far as the JSON Schema keywords in it can express. We
//! check every object that a test reads through `Scratch::json`.

mod validator;

use std::sync::LazyLock;

use serde_json::{Value, json};

use self::validator::{Validator, page};
use crate::support::Scratch;

static SCHEMA: LazyLock<Validator> =
    LazyLock::new(|| Validator::read(env!("CARGO_MANIFEST_DIR"), "docs/json.schema.json"));

pub fn check(printed: &Value) {
    SCHEMA.check(printed);
}

#[test]
fn what_is_not_described_is_found() {
    let perft = json!({ "kind": "perft", "depth": 1, "nodes": 6 });
    check(&perft);
    for (key, value) in [("nodes", json!(-1)), ("more", json!(1)), ("kind", json!("prft"))] {
        let mut changed = perft.clone();
        changed[key] = value;
        let found = SCHEMA.fault(&changed, &SCHEMA.0["$defs"]["perft"], "it");
        assert!(found.is_some_and(|found| found.contains(key)), "{changed}");
    }
}

#[test]
fn the_page_lists_every_kind() {
    SCHEMA.check_page(&page(env!("CARGO_MANIFEST_DIR"), "docs/json.md"));
}

/// No other test reads the objects of these commands.
#[test]
fn every_verb_prints_what_is_described() {
    let scratch = Scratch::new();
    for line in ["perft 2", "openings plies:1", "bestmove --player rbh:plies=2 --explain"] {
        scratch.json(&format!("{line} --json"));
    }
}

#[test]
fn training_prints_an_object_a_line() {
    let scratch = Scratch::new();
    let line = "train --preset daoud2004 --seeds 1..2 --threads 1 --out run --population 6 --depth 1 --generations 2 --quiet \
                --set fitness_set=2 --set measure_every=1 --set measure_openings=1 --set panel=1 --json";
    let events = |line: &str| -> Vec<Value> {
        let said = scratch.ayo(line).success().stdout();
        said.lines().map(|line| serde_json::from_str(line).unwrap()).inspect(check).collect()
    };
    let kinds = |events: &[Value]| -> String {
        let kind = |event: &Value| match &event["part"] {
            Value::String(part) => format!("{part}-"),
            _ => format!("{} ", event["kind"].as_str().unwrap()),
        };
        events.iter().map(kind).collect()
    };
    let run = "begun generation-generation measuring-measured generation-generation measuring-measured trained ";
    let found = events(line);
    assert_eq!(kinds(&found), format!("{run}{run}series "));
    let series = found.last().unwrap();
    assert_eq!(series["runs"].as_array().unwrap().len(), 2);
    let trained = &found[9];
    assert_eq!((&trained["end"], &trained["folder"]), (&"complete".into(), &"run-1".into()));
    assert_eq!(trained["done"]["generations"], 2);
    assert_eq!(series["runs"][0]["score"], found[8]["score"]);
    assert_eq!(kinds(&events(line)), "series ");
    assert_eq!(kinds(&events("resume run-1 --json --quiet")), "trained ");
    let longer = events("resume run-1 --generations 3 --json --quiet");
    assert!(kinds(&longer).starts_with("begun generation-generation "), "{longer:?}");
    assert_eq!(longer[0]["generation"], 2);
}
