//! `ayo report`, and the report at the end of a run.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::learning::LEARNING;
use crate::optimisers::small;
use crate::support::{A_MOMENT, Bytes, LIVELY, Scratch, TINY, holds, refuses};

const MEASURED: &str = "--set measure_every=2 --set measure_openings=2 --set panel=1";
const MAX_SIZE: usize = 600_000;

/// Returns the tags of a page. Panics if the page isn't well-formed XML after its first line.
fn tags(page: &str) -> Vec<String> {
    let body = page.strip_prefix("<!DOCTYPE html>\n").expect("a page of HTML");
    let (mut open, mut tags) = (Vec::<String>::new(), Vec::new());
    let mut pieces = body.split('<');
    assert_eq!(pieces.next(), Some(""));
    for piece in pieces {
        let (tag, text) = piece.split_once('>').unwrap_or_else(|| panic!("<{piece}"));
        let is_css = open.last().is_some_and(|it| it == "style");
        assert!(is_css || !text.contains('>'), "<{piece}");
        for after in piece.split('&').skip(1) {
            let entity = after.split(';').next().unwrap();
            let known = ["amp", "lt", "gt", "quot", "#x27", "#x2f"];
            assert!(is_css || known.contains(&entity), "&{entity} in <{piece}");
        }
        if let Some(comment) = tag.strip_prefix("!--") {
            assert!(comment.ends_with("--"), "<{tag}>");
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "</{name}>");
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
        let name = tag.split([' ', '/', '\n']).next().unwrap().to_owned();
        if !tag.ends_with('/') {
            open.push(name);
        }
        tags.push(tag.to_owned());
    }
    assert!(open.is_empty(), "{open:?} is open");
    tags
}

/// Checks that a page is well-formed and small, loads nothing else, and names neither folders nor this machine.
fn check(page: &str, scratch: &Scratch) {
    assert!(page.len() < MAX_SIZE, "{} bytes", page.len());
    let hostname = fs::read_to_string("/etc/hostname").unwrap_or_default();
    let private = scratch.path("").display().to_string();
    let private = [private.trim_end_matches('/'), env!("CARGO_MANIFEST_DIR"), hostname.trim()];
    for secret in private.into_iter().chain(["/home/", "/tmp/"]) {
        assert!(secret.is_empty() || !page.contains(secret), "{secret}");
    }
    for tag in tags(page) {
        let name = tag.split([' ', '/']).next().unwrap();
        let is_active = "script img iframe object link base form".split(' ').any(|it| it == name);
        assert!(!is_active, "<{tag}>");
        // An attribute's name comes after the closing quote of the previous attribute.
        let attributes = tag.split('"').step_by(2);
        let active = ["on", "href=", "src=", "xlink:"];
        for attribute in attributes {
            assert!(!active.iter().any(|it| attribute.trim_start().starts_with(it)), "<{tag}>");
        }
    }
    assert!(page.contains("default-src 'none'"));
    let [pictures, labels] =
        ["<svg width", "role=\"img\" aria-label=\""].map(|it| page.matches(it).count());
    assert_eq!(pictures, labels);
}

fn report(scratch: &Scratch, line: &str) -> Value {
    scratch.json(&format!("report {line} --quiet --json -o page.html"))
}

#[test]
fn a_run_ends_with_a_report_that_no_file_of_the_run_depends_on() {
    let scratch = Scratch::trained(&format!("{TINY} --generations 6 --report auto"));
    check(&scratch.read("run/report.html"), &scratch);
    let before = Bytes::of(&scratch.path("run"));
    let found = report(&scratch, "run --games-time 20s");
    before.assert_same(&Bytes::of(&scratch.path("run")));
    let run = &found["runs"][0];
    assert_eq!((&run["folder"], &run["generation"]), (&json!("run"), &json!(6)));
    assert!(run["diagnosis"]["ratings"][0]["elo"] == 0.0, "{run}");
    assert_eq!(run["truth"]["missing"], Value::Null);
    check(&scratch.read("page.html"), &scratch);
    // The games are stored, so a second report is the same.
    assert_eq!(report(&scratch, "run --games-time 20s"), found);
    let runs = scratch.json("runs . --json");
    assert_eq!(runs["runs"][0]["report"], "./run/report.html");
    holds(&scratch.text("runs ."), &["report ./run/report.html"]);
    holds(&scratch.text("doctor run"), &["report.html", "nothing is damaged"]);
    scratch.train("other", &format!("{TINY} --generations 6 --report off"));
    assert!(!scratch.path("other/report.html").exists());
    Bytes::of(&scratch.path("other")).assert_same(&before);
}

#[test]
fn a_report_is_removed_when_its_run_changes() {
    let board = "--set game=kalah:pits=3,seeds=2 --generations 2";
    let scratch = Scratch::trained(&format!("{} {board}", small("spsa")));
    for command in
        ["resume run --generations 3 --report off --quiet", "select run --games 20 --quiet"]
    {
        scratch.write("run/report.html", "of generation 2");
        scratch.ayo(command).success();
        assert!(!scratch.path("run/report.html").exists(), "{command}");
    }
    scratch.ayo("report run --games-time 100ms").success();
    holds(&scratch.read("run/report.html"), &["The champion scores", "measured at the end"]);
    scratch.write("run/report.html", "of generation 3");
    scratch.ayo("resume run").success();
    assert!(scratch.path("run/report.html").exists());
}

#[test]
fn every_kind_of_run_has_a_report() {
    let scratch = Scratch::new();
    let runs = [
        (
            "kalah",
            "--preset kalah-standard --game kalah:pits=3,seeds=2 --seed 1 --population 6 --depth 1 --generations 4 --quiet --set finalist_games=0 --set measure_every=0",
        ),
        ("learned", &format!("{LEARNING} {MEASURED} --generations 5")),
        ("single", &format!("{TINY} --generations 1")),
    ];
    for (name, arguments) in runs {
        scratch.train(name, arguments);
        let found = report(&scratch, &format!("{name} --games-time 200ms"));
        assert!(found["runs"][0]["headline"].as_str().unwrap().len() > 20, "{found}");
        let page = scratch.read("page.html");
        check(&page, &scratch);
        if name == "kalah" {
            holds(&page, &["There are no endgame tables for kalah."]);
            let [commands, of_kalah] = ["bestmove --position", "weights=kalah --game kalah:"]
                .map(|it| page.matches(it).count());
            assert_eq!(commands, of_kalah);
        }
    }
    let mut training = scratch
        .begin(&format!("train --preset daoud2004 --out stopped {LIVELY} --generations 1000000"));
    std::thread::sleep(A_MOMENT);
    scratch.ayo("stop stopped").success();
    training.ended(130);
    check(&scratch.read("stopped/report.html"), &scratch);
    let found = report(&scratch, "stopped --games-time 200ms");
    let next = &found["runs"][0]["next"][0];
    assert_eq!(next["command"], "ayo resume stopped", "{next}");
    fs::create_dir(scratch.path("elsewhere")).unwrap();
    let absolute = scratch.path("stopped").display().to_string();
    for (typed, shown) in [("../stopped", "../stopped"), (&absolute, "stopped")] {
        let words = ["report", typed, "--games-time", "100ms", "--quiet"];
        let mut command = scratch.command();
        command.current_dir(scratch.path("elsewhere")).args(words);
        assert!(command.output().unwrap().status.success());
        let page = scratch.read("stopped/report.html").replace("&#x2f;", "/");
        holds(&page, &[&format!("ayo resume {shown}<"), &format!("weights={shown},")]);
        assert_eq!(page.contains("in the folder that contains stopped"), shown == "stopped");
        check(&page, &scratch);
    }
}

/// If a champion's layer is lost, the report leaves out the champion.
#[test]
fn a_lost_layer_leaves_the_rest_of_the_report() {
    let scratch = Scratch::trained(&format!("{LEARNING} {MEASURED} --generations 8"));
    let iterations = scratch.read("run/iterations.csv");
    let layer = iterations.lines().nth(1).unwrap().split(',').nth(2).unwrap();
    scratch.remove(&format!("run/features-{layer}.ayo"));
    let found = || report(&scratch, "run --games-time 1s")["runs"][0].clone();
    let run = found();
    holds(&run["findings"].to_string(), &[&format!("features-{layer}.ayo is missing")]);
    assert!(run["diagnosis"]["generations"][0].as_u64() > Some(1), "{run}");
    // The champion can be described even if all past champions are lost.
    scratch.remove("run/strength.csv");
    let run = found();
    assert!(run["diagnosis"].is_null() && run["weights"][0].is_object(), "{run}");
    holds(&run["findings"].to_string(), &["no past champion"]);
}

#[test]
fn several_runs_share_a_page() {
    let scratch = Scratch::new();
    for seed in 1..=3 {
        let line = TINY.replace("--seed 3", &format!("--seed {seed}"));
        scratch.train(&format!("run-{seed}"), &format!("{line} --generations 4"));
    }
    refuses! { scratch, "2 report", "
        run-1 run-2 => --output | several runs
        run-1 -o page.txt => --output page.txt | .html
    " }
    let found = report(&scratch, "run-1 run-2 run-3 --games-time 200ms");
    assert_eq!(found["agreement"]["features"][0]["shares"].as_array().unwrap().len(), 3);
    let cosine = found["agreement"]["cosine"].as_f64().unwrap();
    assert!((-1.0..=1.0).contains(&cosine), "{cosine}");
    check(&scratch.read("page.html"), &scratch);
    scratch.ayo("plot run-1 run-2 --group --generations 2..3 -o cut.svg").success();
    holds(&scratch.read("cut.svg"), &["2 seeds", "generations 2 to 3 shown"]);
    let found = report(&scratch, "run-1 run-1 --games-time 200ms");
    assert!((found["agreement"]["cosine"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{found}");
}

#[test]
fn a_hostile_run_injects_nothing() {
    const NAME: &str = "<img src=x onerror=alert(1)>'\"&\u{202e}";
    let scratch = Scratch::tiny(3);
    fs::rename(scratch.path("run"), scratch.path(NAME)).unwrap();
    let file = |name: &str| Path::new(NAME).join(name).display().to_string();
    scratch.remove(&file("checksums.csv"));
    let replace = |name: &str, change: &dyn Fn(Value) -> Value| {
        let changed = change(scratch.value(&file(name)));
        scratch.write(&file(name), changed.to_string());
    };
    replace("champion.json", &|mut champion| {
        champion["name"] = json!("</title><script>alert(2)</script>");
        champion["provenance"]["preset"] = json!("<b onclick=alert(3)>");
        champion["strength"] = json!([{
            "opponent": "<i>{body}{title}</i>", "openings": "<u>", "games": u32::MAX, "score": 0.5, "low": 0.0, "high": 1.0
        }]);
        champion
    });
    let line = ["report", NAME, "--games-time", "200ms", "--quiet", "-o", "page.html"];
    scratch.run(&line).success();
    let page = scratch.read("page.html");
    check(&page, &scratch);
    holds(&page, &["&lt;img src=x onerror=alert(1)&gt;", "&amp;\\u202e"]);
    // Huge numbers may be drawn or rejected, but mustn't lead to a panic.
    let history = scratch.read(&file("history.csv"));
    for number in ["1e14", "1e300", "-7", "NaN", "<b>"] {
        let mut rows: Vec<String> = history.lines().map(str::to_owned).collect();
        let mut fields: Vec<&str> = rows[1].split(',').collect();
        (fields[1], fields[2]) = (number, number);
        rows[1] = fields.join(",");
        scratch.write(&file("history.csv"), rows.join("\n") + "\n");
        let ended = scratch.run(&line);
        let status = ended.output().status.code();
        assert!(status == Some(0) || status == Some(1), "{number}: {status:?}");
        assert!(!ended.stderr().contains("panicked"), "{number}: {}", ended.stderr());
        check(&scratch.read("page.html"), &scratch);
    }
}

/// Spreadsheets treat cells that start with these characters as formulas.
#[test]
fn no_cell_of_a_table_starts_a_formula() {
    let scratch = Scratch::new();
    for start in ["=", "+", "-", "@"] {
        let name = format!("{start}1+1.json");
        scratch.write(&name, r#"{"kind":"weights","features":["a9","a10"],"weights":[-1,1],"signs":"literal","name":"=1+1"}"#);
        for (command, rows) in [("match", 1), ("tournament", 2)] {
            let line = format!("{command} --openings plies:1 --csv --quiet -- {name} greedy");
            let table = scratch.text(&line);
            let mut reader = csv::Reader::from_reader(table.as_bytes());
            let records: Vec<_> = reader.records().map(Result::unwrap).collect();
            assert_eq!(records.len(), rows, "{table}");
            let cells = records.iter().flatten();
            let mut formulas = cells.filter(|cell| {
                cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err()
            });
            assert_eq!(formulas.next(), None, "{table}");
        }
    }
}
