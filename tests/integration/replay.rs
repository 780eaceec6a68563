//! Recorded and handwritten games of kalah, verified and analysed.

use serde_json::{Value, json};

use crate::support::{Scratch, holds, refuses};

/// Returns the final stores of each game that the match recorded. The smaller store comes first.
fn results(file: &str) -> Vec<[u64; 2]> {
    let games = file.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    games.map(|game| sorted([0, 1].map(|it| game["stores"][it].as_u64().unwrap()))).collect()
}

fn sorted(mut stores: [u64; 2]) -> [u64; 2] {
    stores.sort_unstable();
    stores
}

#[test]
fn a_game_of_a_file_of_games_needs_no_line_end() {
    let scratch = Scratch::new();
    scratch.text("match random greedy --openings plies:1 --quiet --games-out a.games");
    let text = scratch.read("a.games");
    scratch.write("one", text.lines().nth(1).unwrap());
    assert_eq!(scratch.json("analyse one --json")["games"].as_array().unwrap().len(), 1);
    scratch.write("cut", &text[..text.len() - 9]);
    let games = text.lines().count() - 2;
    assert_eq!(scratch.json("analyse cut --json")["games"].as_array().unwrap().len(), games);
}

#[test]
fn kept_games_replay() {
    let scratch = Scratch::new();
    let board = "kalah:pits=4,seeds=3,empty-capture=on,ending=emptier";
    let pair = "minimax:weights=h1+h2,depth=3 random:seed=3 --openings plies:1";
    scratch.text(&format!("match {pair} --game {board} --quiet --games-out games"));
    let file = scratch.read("games");
    let found = scratch.json("analyse games --json");
    let games = found["games"].as_array().unwrap();
    assert_eq!(games.len(), 8);
    for (game, result) in games.iter().zip(results(&file)) {
        assert_eq!((&game["ok"], &game["departure"]), (&json!(true), &Value::Null), "{game}");
        assert_eq!(game["decided"]["ply"], game["plies"], "{game}");
        assert_eq!(game["decided"]["by"], "empty-row", "{game}");
        let settled = [0, 1].map(|side| game["settled"][side].as_u64().unwrap());
        assert_eq!(sorted(settled), result, "{game}");
        let larger = if settled[0] > settled[1] { "South" } else { "North" };
        let (winner, verdict) = match settled[0] == settled[1] {
            true => (Value::Null, "draw".to_owned()),
            false => (json!(larger), format!("{larger} wins")),
        };
        assert_eq!((&game["decided"]["winner"], &game["verdict"]), (&winner, &json!(verdict)));
    }
    let said = scratch.text(&format!("analyse games --game {board}"));
    assert!(said.ends_with("8 of 8 games replay\n"), "{said}");
    let (_, lines) = file.split_once('\n').unwrap();
    scratch.write("lines", lines);
    scratch.write("odd", file.replacen("kalah:pits=4", "go", 1));
    refuses! { scratch, "1 analyse", r#"
        lines => lines: line 1: | 15 fields
        odd => odd: line 1: unknown game "go
    "# }
    assert_eq!(scratch.json(&format!("analyse lines --json --game {board}")), found);
    // A record with an additional move no longer matches its result.
    let third = file.lines().nth(3).unwrap();
    let game: Value = serde_json::from_str(third).unwrap();
    let moves = game["line"].as_str().unwrap();
    let out_of_turn = third.replacen(moves, &format!("{moves}A"), 1);
    scratch.write("longer", file.replace(third, &out_of_turn));
    let said = scratch.ayo("analyse longer").code(1).stdout();
    let place = format!("ply {}: printed as A, but the game is over", moves.len() + 1);
    holds(&said, &[&place, "7 of 8 games replay\n"]);
    scratch.text("match greedy random:seed=3 --openings plies:1 --quiet --games-out ayo");
    scratch.text("analyse ayo --game ayo");
    refuses! { scratch, "2 analyse", r#"
        games --game ayo => --game ayo: the games in games are kalah:pits=4,seeds=3
        games --game kalah => --game kalah: the games in games are kalah:pits=4,seeds=3
        games --rules awari => --rules awari | ending=emptier
        games --player minimax:weights=seeds => weights is "seeds" | kalah
        ayo --game kalah => --game kalah: the games in ayo are ayo
    "# }
}

#[test]
fn every_way_to_leave_a_game_of_kalah_is_named() {
    let scratch = Scratch::new();
    for (text, ply, printed, reason) in [
        ("CAF", 3, "F", "it is North's turn"),
        ("Ca", 2, "a", "it is South's turn"),
        ("0-0-0-0-0-1-23-0-0-0-0-1-0-23-1 Ff", 2, "f", "the game is over (a side has no seeds)"),
    ] {
        scratch.write("game", format!("one: {text} # a note\n"));
        let said = scratch.ayo("analyse game --game kalah").code(1).stdout();
        holds(&said, &[&format!("  ply {ply}: printed as {printed}, but {reason}\n")]);
        let found = scratch.ayo("analyse game --game kalah --json").code(1).json();
        let departure = &found["games"][0]["departure"];
        assert_eq!((&departure["ply"], &departure["reason"]), (&json!(ply), &json!(reason)));
        assert_eq!(departure["fits"], json!([]));
    }
    scratch.write("game", "# nothing");
    scratch.refuses("1 analyse game", "--game kalah => game contains no games");
    // This is a draw, because North's last seed counts for North.
    let line = ["analyse", "-", "--game", "kalah:pits=1,seeds=1"];
    let said = scratch.run_with(&line, "A\n").success().stdout();
    holds(&said, &["all verified\n", "ply 1: draw, 1-1 ", "0-1-1-0-1\n"]);
}

#[test]
fn moves_of_kalah_are_judged() {
    let scratch = Scratch::new();
    scratch.write("game", "CAf\n");
    let judge = "analyse game --game kalah --player minimax:weights=h1,depth=1";
    let found = scratch.json(&format!("{judge} --json"));
    // The threshold equals the value of three seeds in the store.
    assert_eq!(found["blunder"], 3);
    let moves = found["games"][0]["moves"].as_array().unwrap();
    let expected = [("South", "C", 1), ("South", "A", 1), ("North", "f", 0)];
    for (mark, (side, pit, score)) in moves.iter().zip(expected) {
        assert!(mark["side"] == side && mark["move"] == pit && mark["score"] == score, "{mark}");
    }
    // After C, pit F would bring a seed home, but A doesn't.
    let lost = moves.iter().map(|mark| mark["lost"].as_i64().unwrap()).collect::<Vec<_>>();
    assert_eq!((lost.len(), &lost[..2]), (3, &[0, 1][..]));
    let said = scratch.text(&format!("{judge} --blunder 1"));
    let mut marked = said.lines().filter(|line| line.ends_with("  blunder"));
    assert!(marked.any(|line| line.trim_start().starts_with("2    A ")), "{said}");
    // A player may choose moves without evaluating them.
    let found = scratch.json("analyse game --game kalah --player random --json");
    let mark = &found["games"][0]["moves"][0];
    assert!(mark["choice"].is_string() && mark["score"].is_null() && mark["lost"].is_null());
    assert!(found["blunder"].is_null() && mark["blunder"] == false, "{found}");
    scratch.text("analyse game --game kalah --player random");
}

#[test]
fn strategies_are_named() {
    let scratch = Scratch::new();
    scratch.write("game.txt", "blocked: 2-2-2-4-4-4-4-4-4-5-0-1-6-6-S A\n");
    let said = scratch.text("analyse game.txt --explain");
    assert!(said.ends_with("    ply move  strategy\n      1    A  blocking\n"), "{said}");
    let found = scratch.json("analyse game.txt --explain --player minimax:depth=1 --json");
    assert_eq!(found["games"][0]["strategies"][0]["strategies"][0], "blocking");
    scratch.write("kalah.txt", "C\n");
    scratch.refuses("2 analyse kalah.txt", "--game kalah --explain => kalah");
}
