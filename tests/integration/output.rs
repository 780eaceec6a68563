//! Output of the commands: JSON with exactly the documented fields, help, completions, manual pages, closed pipes.

use evolve::run::all_settings;
use serde_json::json;

use crate::support::{Ended, Scratch, TINY, holds, refused, refuses, verbs};

#[test]
fn eval() {
    let scratch = Scratch::new();
    let found = scratch.json("eval --line FfE --weights daoud2004-depth5 --json");
    let names: Vec<String> = (1..=12).map(|n| format!("a{n}")).collect();
    assert_eq!(found["names"], json!(names));
    let published = [-12, -15, 1, 0, -13, 9, 0, 3, -11, 14, 0, -12];
    assert_eq!(found["weights"], json!(published));
    let numbers = |key: &str| -> Vec<i64> {
        found[key].as_array().unwrap().iter().map(|v| v.as_i64().unwrap()).collect()
    };
    let products = numbers("features").into_iter().zip(published).map(|(value, it)| value * it);
    assert_eq!(numbers("products"), products.collect::<Vec<_>>());
    assert_eq!(found["score"], numbers("products").iter().sum::<i64>());
    assert_eq!(scratch.json("eval --line 4S6,4N6,5S5 --weights daoud2004-depth5 --json"), found);
}

#[test]
fn eval_of_another_game() {
    let scratch = Scratch::new();
    let found = scratch.json("eval --game kalah --line CA --weights h1+h3+k9 --json");
    let expected = json!({
        "kind": "evaluation", "features": [-1, 1, 23], "names": ["h1", "h3", "k9"], "score": -25,
        "weights": [1, -1, -1], "products": [-1, -1, -23]
    });
    assert_eq!(found, expected);
    // A one-ply search evaluates the position after its move. C earns another move, so the mover's view applies.
    for weights in ["h1", "h2+h4+k9"] {
        let player = format!("minimax:weights={weights},depth=1");
        let chosen = scratch.json(&format!("bestmove --game kalah --player {player} --json"));
        let left = scratch.json(&format!("eval --game kalah --line C --weights {weights} --json"));
        assert_eq!((&chosen["move"], &chosen["score"]), (&json!("C"), &left["score"]), "{weights}");
    }
    refuses! { scratch, "2 eval --game kalah", "
        --weights seeds => seeds has features for ayo, not for kalah
        --rules awari => --rules awari | ending=emptier
    " }
    scratch.refuses("2 eval", "--weights h1+h2 => h1+h2 has features for kalah");
}

#[test]
fn help_of_every_verb() {
    let scratch = Scratch::new();
    for verb in verbs(&scratch.text("help all")) {
        let help = scratch.text(&format!("{verb} --help"));
        holds(&help, &["Usage: ", &scratch.text(&format!("help {verb}"))]);
    }
    assert!(scratch.text("--version").starts_with("ayo "));
    // Without arguments, the program says how to start. A command with subcommands lists them.
    let said = scratch.run(&[]).code(2);
    holds(&said.stderr(), &["ayo train", "ayo play", "ayo serve", "ayo --help"]);
    assert!(said.stderr().lines().count() < 10, "{said:?}");
    holds(&scratch.run(&["endgame"]).code(2).stderr(), &["build", "Usage: ayo endgame"]);
}

#[test]
fn help_of_the_program_is_short_and_has_topics() {
    let scratch = Scratch::new();
    let narrow = |line: &str| {
        let mut command = scratch.command();
        command.env("COLUMNS", "60").args(line.split(' '));
        Ended::of(command, "").success().stdout()
    };
    let help = narrow("--help");
    let listed = help.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    assert_eq!(listed.filter(|line| !line.starts_with("  -")).count(), 10, "{help}");
    assert_eq!(help, narrow("help"));
    let all = narrow("help all");
    for text in [&help, &all, &narrow("train --help"), &narrow("help settings")] {
        let long = text.lines().find(|line| line.chars().count() > 60 && line.trim().contains(' '));
        assert_eq!(long, None);
    }
    holds(&narrow("help players"), &arena::player::kind_names());
    holds(&narrow("help features"), &["\n  a14 ", "\n  m1=0 ", "\n  daoud2004 ", "\n  k9 "]);
    holds(&narrow("help positions"), &["4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"]);
    let settings = narrow("help settings");
    for entry in all_settings() {
        holds(&settings, &[&format!("\n  {} ", entry.name)]);
    }
    scratch.refuses("2 help", "playes => playes");
}

#[test]
fn plain_boards_are_rows_of_named_pits() {
    let scratch = Scratch::new();
    let row = "South: A 4, B 4, C 4, D 4, E 4, F 4; store 0\n";
    holds(&scratch.text("play --plain --player greedy"), &[row]);
    assert!(!scratch.text("play --player greedy").contains(row));
    let mut dumb = scratch.command();
    dumb.env("TERM", "dumb").args(["play", "--player", "greedy"]);
    holds(&Ended::of(dumb, "quit\n").success().stdout(), &[row]);
}

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
    let train = format!("train --preset daoud2004 --out run {TINY} --generations 8");
    for line in [&train, "resume run --generations 12 --quiet", "runs .", "export run", "--help"] {
        let output = unread(&scratch, line);
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && err.is_empty(), "{line}: {}: {err}", output.status);
    }
    // A run continues even if nobody reads its output.
    assert_eq!(scratch.generation("run"), 12);
}

fn offered(scratch: &Scratch, line: &str) -> Vec<String> {
    let script = "source ./ayo.bash; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); \
                  _ayo \"$1\" \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"; \
                  printf '%s\\n' \"${COMPREPLY[@]}\"";
    let mut bash = scratch.command_of("bash");
    let output =
        bash.args(["--norc", "-c", script, "bash"]).args(line.split(' ')).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(str::to_owned).filter(|line| !line.is_empty());
    // Bash removes duplicate completions.
    lines.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

#[test]
fn bash_completes_verbs_flags_and_names() {
    let scratch = Scratch::new();
    if std::process::Command::new("bash").arg("--version").output().is_err() {
        return;
    }
    scratch.write("ayo.bash", scratch.text("completions bash"));
    for (line, expected) in [
        ("ayo tr", "train"),
        ("ayo train --gen", "--generations"),
        ("ayo train --preset qu", "quick"),
        ("ayo train --rules no", "no-slam"),
        ("ayo train --set mutation_r", "mutation_rate="),
        ("ayo match refer", "reference"),
        ("ayo play --level am", "amateur"),
        ("ayo eval --weights daoud2004-depth5", "daoud2004-depth5"),
        ("ayo endgame bu", "build"),
    ] {
        assert_eq!(offered(&scratch, line), [expected], "{line}");
    }
    // If no name fits, bash falls back to file names, so a run folder can be completed.
    assert!(offered(&scratch, "ayo match populations/").is_empty());
    let zsh = scratch.text("completions zsh");
    holds(&zsh, &[":a -- First player: _ayo_names_or_files minimax "]);
    for script in [zsh, scratch.text("completions fish")] {
        holds(&script, &["daoud2004-depth5", "quick"]);
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let scratch = Scratch::new();
    scratch.text("man pages/man1");
    let pages = scratch.list("pages/man1").join(" ");
    holds(&pages, &["ayo.1", "ayo-train.1", "ayo-endgame-build.1", "ayo-completions.1"]);
    assert_eq!(scratch.text("man"), scratch.read("pages/man1/ayo.1"));
    assert!(scratch.read("pages/man1/ayo-train.1").contains("preset"));
    scratch.write("file", "");
    refused(scratch.ayo("man file/man1"), 1, &["file/man1"]);
}
