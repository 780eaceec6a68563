//! What is printed with `--json` is what docs/json.schema.json says, as far as the words of JSON Schema go that stand
//! there. Every object that a test gets through `Scratch::json` passes here.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::support::Scratch;

static SCHEMA: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(&page("docs/json.schema.json")).unwrap());

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// Fails unless the object is as described.
pub fn check(printed: &Value) {
    let kind = printed["kind"].as_str().unwrap_or_else(|| panic!("no kind in {printed}"));
    let found = fault(printed, &json!({ "$ref": format!("#/$defs/{kind}") }), kind);
    assert_eq!(found, None, "{printed}");
}

/// What is not as described, and where.
fn fault(value: &Value, schema: &Value, place: &str) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let described = SCHEMA.pointer(&name[1..]);
        let described = described.unwrap_or_else(|| panic!("{place}: nothing describes {name}"));
        return fault(value, described, place);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let faults: Option<Vec<String>> =
            choices.iter().map(|choice| fault(value, choice, place)).collect();
        return faults.map(|faults| faults.join("; or "));
    }
    let is = |kind: &Value| match kind.as_str().unwrap() {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "null" => value.is_null(),
        other => panic!("{place}: type {other}"),
    };
    let is_typed = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(is),
        kind => is(kind),
    };
    let is_one = schema["enum"].as_array().is_none_or(|all| all.contains(value));
    let is_it = schema.get("const").is_none_or(|it| it == value);
    let is_enough = match (schema["minimum"].as_f64(), value.as_f64()) {
        (Some(least), Some(value)) => value >= least,
        _ => true,
    };
    if !(is_typed && is_one && is_it && is_enough) {
        return Some(format!("{place} is {value}"));
    }
    match value {
        Value::Object(fields) => fault_of_fields(fields, schema, place),
        Value::Array(items) => fault_of_items(items, schema, place),
        _ => None,
    }
}

fn fault_of_fields(
    fields: &serde_json::Map<String, Value>,
    schema: &Value,
    place: &str,
) -> Option<String> {
    let required = schema["required"].as_array().into_iter().flatten();
    let lacks = required.map(|it| it.as_str().unwrap()).find(|it| !fields.contains_key(*it));
    if let Some(name) = lacks {
        return Some(format!("{place} lacks {name}"));
    }
    fields.iter().find_map(|(name, value)| {
        let place = format!("{place}/{name}");
        match (&schema["properties"][name], &schema["additionalProperties"]) {
            (Value::Null, Value::Bool(false)) => Some(format!("{place} is not described")),
            (Value::Null, Value::Null) => None,
            (Value::Null, any) => fault(value, any, &place),
            (described, _) => fault(value, described, &place),
        }
    })
}

fn fault_of_items(items: &[Value], schema: &Value, place: &str) -> Option<String> {
    let number = |name: &str| schema[name].as_u64().map(|it| it as usize);
    let is_long = number("minItems").is_none_or(|least| items.len() >= least)
        && number("maxItems").is_none_or(|most| items.len() <= most);
    if !is_long {
        return Some(format!("{place} has {} items", items.len()));
    }
    let described = schema.get("items")?;
    let mut each = items.iter().enumerate();
    each.find_map(|(number, item)| fault(item, described, &format!("{place}/{number}")))
}

#[test]
fn what_is_not_described_is_found() {
    let perft = json!({ "kind": "perft", "depth": 1, "nodes": 6 });
    check(&perft);
    for (change, said) in [
        (json!({ "nodes": -1 }), "nodes is -1"),
        (json!({ "nodes": 1.5 }), "nodes is 1.5"),
        (json!({ "nodes": null }), "nodes is null"),
        (json!({ "more": 1 }), "more is not described"),
        (json!({ "kind": "prft" }), "kind is \"prft\""),
    ] {
        let mut changed = perft.clone();
        changed.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let found = fault(&changed, &SCHEMA["$defs"]["perft"], "it");
        assert!(found.is_some_and(|found| found.contains(said)), "{change}");
    }
    let short = json!({ "kind": "perft" });
    let lacks = Some("it lacks depth".to_owned());
    assert_eq!(fault(&short, &SCHEMA["$defs"]["perft"], "it"), lacks);
    for ends in [json!([0.1]), json!([0.1, 0.2, 0.3]), json!(["a", "b"]), json!(null)] {
        assert!(fault(&ends, &SCHEMA["$defs"]["interval"], "it").is_some(), "{ends}");
    }
}

#[test]
fn the_page_lists_every_kind() {
    let refs = SCHEMA["oneOf"].as_array().unwrap().iter();
    let described: BTreeSet<String> =
        refs.map(|it| it["$ref"].as_str().unwrap().replace("#/$defs/", "")).collect();
    let page = page("docs/json.md");
    let listed = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    assert_eq!(described, listed.map(|(kind, _)| kind.to_owned()).collect());
    for kind in &described {
        let kind_of = &SCHEMA["$defs"][kind]["properties"]["kind"]["const"];
        assert_eq!(kind_of, kind, "{kind}");
    }
}

/// Verbs whose objects no other test asks for, and those of which an object a line is printed.
#[test]
fn every_verb_prints_what_is_described() {
    let scratch = Scratch::new();
    scratch.write("game", "one: 4S6, 4N6, 5S2\n");
    for line in [
        "openings plies:1 --json",
        "perft 2 --json",
        "move --player rbh:plies=2 --explain --json",
        "eval --weights reference --json",
        "eval --weights learned --json",
        "inspect learned --json",
        "tournament random greedy random:seed=2 --openings plies:1 --json --quiet",
        "match random greedy --game kalah --openings plies:1 --json --quiet",
        "replay game --player minimax:depth=1 --json",
        "kalah solve 2 1 --quiet --json",
        "cdg position 5 --json",
        "cdg distance --vector 1,3,2 --json",
    ] {
        scratch.json(line);
    }
    scratch.ayo("book build -o a.ayo --quiet --positions 4 --player minimax:depth=1").success();
    check(&serde_json::from_str(&scratch.text("book export --book a.ayo --format json")).unwrap());
}

#[test]
#[ignore = "a minute"]
fn studies_print_what_is_described() {
    let scratch = Scratch::new();
    for study in ["rbh", "amdf"] {
        scratch.json(&format!("study {study} --player greedy --games 2 --quiet --json"));
    }
}

#[test]
fn training_prints_an_object_a_line() {
    let scratch = Scratch::new();
    let line = "train --preset daoud2004 --seeds 1..2 --threads 1 --out run --population 6 --depth 1 --generations 2 --quiet \
                --set fitness_set=2 --set measure_every=1 --set measure_openings=1 --json";
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
    // What is measured last is what the summary says.
    assert_eq!(series["runs"][0]["score"], found[8]["score"]);
    assert_eq!(kinds(&events(line)), "series ");
    assert_eq!(kinds(&events("resume run-1 --json --quiet")), "trained ");
    let longer = events("resume run-1 --generations 3 --json --quiet");
    assert!(kinds(&longer).starts_with("begun generation-generation "), "{longer:?}");
    assert_eq!(longer[0]["generation"], 2);
}
