//! Words that others say: in files of games, as an engine, on the command line.

use super::{EVIL, FOLDER, ayo, run, run_with};
use crate::support::{Scratch, verbs};

#[test]
fn what_a_file_of_games_says() {
    let scratch = Scratch::new();
    let games = "match random:seed=1 greedy --openings plies:1 --quiet --games-out";
    scratch.text(&format!("{games} plain.games"));
    let text = scratch.read("plain.games");
    let evil = EVIL.replace('\n', " ");
    let json = |text: &str| serde_json::to_string(text).unwrap();
    let (opening, moves) = ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "FfE");
    for text in [
        text.replacen("{", &format!("{{{evil}"), 2),
        text.replacen("\"random:seed=1\"", &json(EVIL), 1),
        text.replacen("\"ayo ayo\"", &json(EVIL), 1),
        text.replacen("\"nodes\"", &json(EVIL), 1),
        text.replacen("\"1-0\"", &json(EVIL), 1),
        text.replacen("\"game\":1,", &format!("\"game\":{evil},"), 1),
        format!("{evil}: {opening} {moves} # {evil}\n"),
        format!(
            "one: {opening} {moves} # nodes 0 0; 1-0; 1-0; forfeit by the first player: {evil}\n"
        ),
        format!("one: {evil} {moves}\n"),
        format!("one: {opening} {evil}\n"),
        EVIL.to_owned(),
    ] {
        scratch.write("evil.games", &text);
        for line in ["replay @", "replay @ --json", "replay @ --player greedy"] {
            ayo(&scratch, line, "evil.games");
        }
        ayo(&scratch, &format!("{games} @"), "evil.games");
        run_with(&scratch, &["replay", "-"], &text);
    }
    run_with(&scratch, &["play", "--player", "random:seed=1"], EVIL);
    run_with(
        &scratch,
        &["uci"],
        &format!("{EVIL}\nuci\nsetoption name {EVIL}\nposition {EVIL}\nquit\n"),
    );
    scratch.write("evil.rows", format!("{EVIL}\n1,2\n"));
    ayo(&scratch, "move --player amdf:training=@", "evil.rows");
}

#[cfg(unix)]
#[test]
fn what_an_engine_says() {
    let scratch = Scratch::new();
    let evil = EVIL.replace(['\n', '\r', '\''], "").replace('\\', "\\\\").replace('%', "%%");
    let says = |on_start: &str, on_go: &str| {
        format!(
            "printf '{on_start}\\n'; echo uciok\nwhile read -r line; do case $line in\n\
             isready) echo readyok;; go*) printf '{on_go}\\n';; quit) exit;; esac; done\n"
        )
    };
    let name = format!("id name {evil}");
    for script in [
        says(&name, &format!("bestmove {evil}")),
        says(&name, &format!("info string {evil}\\nbestmove 77")),
        says(&format!("option name {evil} type spin"), "bestmove 1"),
        format!("printf '{evil}\\n'; exit 3"),
        format!("printf '{evil}\\n' >&2; exit 3"),
    ] {
        scratch.write("engine.sh", script);
        for spec in [
            "uci:cmd=\"/bin/sh engine.sh\",timeout=300ms",
            "uci:cmd=\"/bin/sh engine.sh\",timeout=300ms,option.x=1",
        ] {
            run(&scratch, &["move", "--player", spec]);
            for print in ["--json", "--csv", "--quiet"] {
                run(
                    &scratch,
                    &["match", spec, "random", "--openings", "plies:1", "--games", "2", print],
                );
            }
        }
    }
}

#[test]
fn every_verb_is_given_words_that_are_none() {
    let scratch = Scratch::new();
    let help = scratch.text("--help");
    let verbs = verbs(&help);
    assert!(verbs.len() > 20, "{help}");
    let option = format!("--{EVIL}");
    for words in [vec![EVIL], vec![&option], vec!["help", EVIL]] {
        assert!(!run(&scratch, &words).status.success());
    }
    for verb in verbs {
        run(&scratch, &[verb, EVIL]);
        run(&scratch, &[verb, EVIL, EVIL]);
        run(&scratch, &[verb, &option]);
        let help = scratch.text(&format!("{verb} --help"));
        let words = help.split(|c: char| c.is_whitespace() || "[],.;:".contains(c));
        let mut options: Vec<&str> = words.filter(|word| word.starts_with("--")).collect();
        options.sort_unstable();
        options.dedup();
        if verb == "serve" {
            // It serves any folder, to no end.
            options
                .retain(|option| !["--runs", "--matches", "--lan", "--no-open"].contains(option));
        }
        options.retain(|option| !["--help", "--out", "--output"].contains(option));
        for (at, option) in options.into_iter().enumerate() {
            // Both ways to give a value are read by the same code.
            match at % 2 {
                0 => run(&scratch, &[verb, option, EVIL]),
                _ => run(&scratch, &[verb, &format!("{option}={EVIL}")]),
            };
        }
    }
    for key in scratch.text("train --preset standard --dry-run").lines() {
        let Some((key, _)) = key.split_once(" = ") else { continue };
        run(&scratch, &["train", "--dry-run", "--set", &format!("{key}={EVIL}")]);
    }
    for spec in
        ["minimax:weights=", "minimax:tables=", "random:seed=", "uci:cmd=", "rbh:metric=", ""]
    {
        run(&scratch, &["move", "--player", &format!("{spec}{EVIL}")]);
        run(&scratch, &["match", "greedy", &format!("{spec}{FOLDER}"), "--json"]);
    }
}
