//! Output of the commands: JSON with exactly the documented fields, help, and what a closed pipe does.

use serde_json::{Value, json};

use crate::support::{Scratch, TINY, refused};

fn fields(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn perft() {
    let scratch = Scratch::new();
    assert_eq!(
        scratch.text("perft 6 --json"),
        "{\"kind\":\"perft\",\"depth\":6,\"nodes\":27332}\n"
    );
    assert_eq!(scratch.text("perft 6"), "27332\n");
    assert_eq!(scratch.json("perft 0 --json"), json!({ "kind": "perft", "depth": 0, "nodes": 1 }));
    for (rules, nodes) in [("ayo", 1), ("awari", 1), ("wipe-out", 1), ("no-slam", 0)] {
        // There is only F, and it would capture all that the opponent has.
        let position = "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S";
        let found = scratch.json(&format!("perft 1 --json --rules {rules} --position {position}"));
        assert_eq!(found["nodes"], nodes, "{rules}");
    }
}

#[test]
fn eval() {
    let scratch = Scratch::new();
    let found = scratch.json("eval --line FfE --weights daoud2004-depth5 --json");
    assert_eq!(fields(&found), ["kind", "features", "names", "score", "weights", "products"]);
    let names: Vec<String> = (1..=12).map(|n| format!("a{n}")).collect();
    assert_eq!(found["names"], json!(names));
    let published = [-12, -15, 1, 0, -13, 9, 0, 3, -11, 14, 0, -12];
    let values: Vec<i64> =
        found["features"].as_array().unwrap().iter().map(|v| v.as_i64().unwrap()).collect();
    let score: i64 = values.iter().zip(published).map(|(value, weight)| value * weight).sum();
    assert_eq!(found["score"], score);
    assert_eq!(found["weights"], json!(published));
    let products = found["products"].as_array().unwrap();
    assert_eq!(products.iter().map(|it| it.as_i64().unwrap()).sum::<i64>(), score);
    let same = scratch.text("eval --line 4S6,4N6,5S5 --weights daoud2004-depth5 --json");
    assert_eq!(serde_json::from_str::<Value>(&same).unwrap(), found);
}

#[test]
fn eval_of_another_game() {
    let scratch = Scratch::new();
    let found = scratch.json("eval --game kalah --line CA --weights h1+h3+k9 --json");
    assert_eq!(
        found,
        json!({
            "kind": "evaluation", "features": [-1, 1, 23], "names": ["h1", "h3", "k9"], "score": -25,
            "weights": [1, -1, -1], "products": [-1, -1, -23]
        })
    );
    let text = scratch.text("eval --game kalah:pits=2,seeds=1 --position 1-1-1-0-1-0-2");
    assert_eq!(
        text,
        "1-1-1-0-1-0-2, North to move, weights stores\n\
         \x20                                          value   weight   product\n\
         h1   my store less the opponent's             -1        1        -1\n\
         \x20    score                                                       -1\n"
    );
    // A player that looks one ply ahead sees what its move leaves. C earns another move, so the view is its own.
    for weights in ["h1", "h2+h4+k9"] {
        let chosen = scratch
            .json(&format!("move --game kalah --player minimax:weights={weights},depth=1 --json"));
        let left = scratch.json(&format!("eval --game kalah --line C --weights {weights} --json"));
        assert_eq!((&chosen["move"], &chosen["score"]), (&json!("C"), &left["score"]), "{weights}");
    }
    let refusals: [(&str, &[&str]); 4] = [
        ("--weights seeds", &["seeds weighs features of ayo, not of kalah"]),
        ("--rules awari", &["--rules awari", "ending=emptier"]),
        ("--position 4-4", &["'4-4' for --position", "15 fields"]),
        ("--line Ca", &["'Ca' for --line", "ply 2: it is South's turn"]),
    ];
    for (arguments, words) in refusals {
        refused(scratch.ayo(&format!("eval --game kalah {arguments}")), 2, words);
    }
    refused(scratch.ayo("eval --weights h1+h2"), 2, &["h1+h2 weighs features of kalah"]);
}

#[test]
fn moves() {
    let scratch = Scratch::new();
    let minimax = "minimax:weights=daoud2004-depth5,depth=5";
    let found = scratch.json(&format!("move --line FfE --player {minimax} --json"));
    assert_eq!(fields(&found), ["kind", "move", "score", "nodes", "pv"]);
    let pv = found["pv"].as_str().unwrap();
    assert!(pv.starts_with(found["move"].as_str().unwrap()) && pv.len() == 5, "{found}");
    assert!(found["score"].is_i64() && found["nodes"].as_u64().unwrap() > 0, "{found}");
    let plain = scratch.json(&format!("move --line FfE --player plain-{minimax} --json"));
    for field in ["move", "score", "pv"] {
        assert_eq!(plain[field], found[field]);
    }
    // Players that value nothing have no score.
    for player in ["random:seed=7", "greedy"] {
        let found = scratch.json(&format!("move --player {player} --json"));
        assert_eq!(fields(&found), ["kind", "move", "score", "nodes", "pv"]);
        assert_eq!((&found["score"], &found["pv"]), (&Value::Null, &found["move"]));
    }
}

#[test]
fn help_of_every_verb() {
    let scratch = Scratch::new();
    let help = scratch.text("--help");
    let listed = help.lines().skip_while(|line| *line != "Train:");
    let listed: Vec<&str> = listed.take_while(|line| *line != "Options:").collect();
    let (verbs, titles): (Vec<&str>, Vec<&str>) =
        listed.into_iter().filter(|line| !line.is_empty()).partition(|line| line.starts_with(' '));
    assert_eq!(titles, ["Train:", "Judge:", "Play:", "Solve:", "Tools:"]);
    assert!(verbs.iter().all(|line| line.len() <= 80), "{help}");
    let verbs: Vec<&str> =
        verbs.into_iter().filter_map(|line| line.split_whitespace().next()).collect();
    let documented =
        ["train", "resume", "plot", "export", "runs", "inspect", "perft", "eval", "move"];
    for verb in documented {
        assert!(verbs.contains(&verb), "{verb} is missing from {help}");
    }
    for verb in verbs {
        assert!(scratch.text(&format!("{verb} --help")).contains("Usage: "), "{verb}");
        assert!(scratch.text(&format!("help {verb}")).contains("Usage: "), "{verb}");
    }
    assert!(scratch.text("--version").starts_with("ayo "));
}

#[test]
fn the_bare_name_says_where_to_begin() {
    let scratch = Scratch::new();
    let said = scratch.run(&[]).code(2);
    assert_eq!(said.stdout(), "");
    let said = said.stderr();
    for line in ["ayo train --preset quick", "ayo play --level beginner", "ayo serve", "ayo --help"]
    {
        assert!(said.contains(line), "{said}");
    }
    assert!(said.lines().count() < 10 && said.lines().all(|line| line.len() <= 100), "{said}");
    // A command with subcommands lists them.
    let said = scratch.run(&["endgame"]).code(2).stderr();
    assert!(said.contains("build") && said.contains("Usage: ayo endgame"), "{said}");
}

/// Runs the program with a standard output that nobody reads.
fn unread(scratch: &Scratch, line: &str) -> std::process::Output {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = scratch.command();
    command.args(line.split_whitespace()).stdout(writer);
    command.stderr(std::process::Stdio::piped()).spawn().unwrap().wait_with_output().unwrap()
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train --preset daoud2004 --out run {TINY} --generations 30")).success();
    for line in [
        "runs .",
        "runs . --json",
        "inspect run",
        "inspect run/checkpoint-000030.ayo",
        "export run",
        "perft 3",
        "eval",
        "move --player greedy",
        "train --preset daoud2004 --dry-run",
        "resume run",
        "--help",
        "help train",
    ] {
        let output = unread(&scratch, line);
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && err.is_empty(), "{line}: {}: {err}", output.status);
    }
}

#[test]
fn a_run_goes_on_though_nobody_reads_what_it_says() {
    let scratch = Scratch::new();
    let train = format!("train --preset daoud2004 --out run {TINY} --generations 8");
    assert!(unread(&scratch, &train).status.success());
    assert_eq!(scratch.generation("run"), 8);
    assert!(unread(&scratch, "resume run --generations 12 --quiet").status.success());
    assert_eq!(scratch.generation("run"), 12);
}
