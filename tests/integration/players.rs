//! Players that explain their moves, and levels of play.

use ayo::player::amdf::Training;
use mancala::game::ayo::Rules;

use crate::support::{Scratch, TINY, holds, refuses};

const FIGURE_4_2: &str = "0-4-2-1-3-1-1-1-0-1-0-0-17-17-S";

#[test]
fn rbh_explains_figure_4_2_as_the_thesis_values_it() {
    let scratch = Scratch::new();
    let said = scratch.text(&format!("bestmove --player rbh --position {FIGURE_4_2} --explain"));
    let cells = said.lines().skip(2).take(5).map(|line| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        (cells[0], cells[3])
    });
    // Signs follow our convention for players. (The thesis prints -2, 0, 0, -4 and -2.)
    let values = [("B", "2"), ("C", "0"), ("D", "0"), ("E", "4"), ("F", "2")];
    assert_eq!(cells.collect::<Vec<_>>(), values);
    assert!(said.starts_with("game value 4, 4 plies ahead"), "{said}");
    assert!(said.contains("E: no other move is feasible\nmove E  score 4"), "{said}");
    for (player, explains) in [("rbh", true), ("amdf", true), ("greedy", false)] {
        let found = scratch.json(&format!("bestmove --player {player} --explain --json"));
        assert_eq!(!found["explanation"].as_array().unwrap().is_empty(), explains, "{player}");
    }
}

#[test]
fn amdf_learns_from_a_file_of_rows() {
    let scratch = Scratch::new();
    scratch.write("rows.csv", Training::of_games(20, Rules::default()).to_csv());
    // The classes depend only on the rows.
    let [from_file, from_games] = ["rows.csv", "self-play:20"].map(|training| {
        let line = format!("bestmove --player amdf:depth=2,training={training} --explain");
        let text = scratch.text(&line);
        let lines = text.lines().filter(|line| !line.starts_with("classes:"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    });
    assert_eq!(from_file, from_games);
}

#[test]
fn levels_are_players_in_every_verb_and_game() {
    let scratch = Scratch::new();
    holds(&scratch.text("play --level beginner"), &["the computer is beginner"]);
    let hint = |words: &[&str]| scratch.run_with(words, "hint\n").stdout().contains("hint: F\n");
    assert!(hint(&["play"]) && hint(&["play", "--level", "beginner"]));
    let kalah = scratch.text("play --game kalah --level amateur --side north");
    holds(&kalah, &["the computer is amateur"]);
    for (line, least) in [
        ("match amateur initiation --games 20 --quiet --json", 0.9),
        ("match beginner initiation --game kalah --games 40 --quiet --json", 0.7),
    ] {
        let found = scratch.json(line);
        assert!(found["score"].as_f64().unwrap() > least, "{found}");
    }
    refuses! { scratch, "2 play --level", "
        master => master | grandmaster
        amateur --player rbh => cannot be used with
    " }
}

#[test]
fn refinement_beats_chance_at_equal_depth() {
    let found = Scratch::new()
        .json("match rbh:bluff=off,cdg=off rbh:bluff=off,cdg=off,refine=chance --games 200 --json");
    assert!(found["score_ci95"][0].as_f64().unwrap() > 0.5, "{found}");
}

#[test]
fn weights_alone_are_players_in_every_verb() {
    let scratch = Scratch::new();
    scratch.train("runs/a", &format!("{TINY} --generations 2"));
    scratch.ayo("export seeds --format toml -o mine.toml").success();
    let rest = "--games 2 --games-out games.txt --quiet --json";
    let found = scratch.json(&format!("match runs/a mine.toml {rest}"));
    let full = ["minimax:weights=runs/a,depth=5", "minimax:weights=mine.toml,depth=5"];
    assert_eq!([&found["a"], &found["b"]], full);
    holds(&scratch.read("games.txt"), &full);
    let by = |player: &str| scratch.text(&format!("bestmove --line FfE --player {player}"));
    assert_eq!(by("seeds:depth=2"), by("minimax:weights=seeds,depth=2"));
    let seeds = "minimax:weights=seeds,depth=5";
    let rated = scratch.json("tournament seeds greedy initiation --games 2 --quiet --json");
    let mut players = rated["players"].as_array().unwrap().iter();
    assert!(players.any(|it| it["player"] == seeds), "{rated}");
    scratch.write("moves.txt", "FfE\n");
    holds(&scratch.json("analyse moves.txt --player seeds --json").to_string(), &[seeds]);
}

#[test]
fn a_game_with_a_person_is_kept_and_replayed() {
    let scratch = Scratch::new();
    for (terms, judge, game) in [
        ("--rules awari", "seeds", "game 1: 2 plies"),
        ("--game kalah:seeds=3", "stores", "game 1: "),
    ] {
        let play = format!("play --player minimax:weights={judge},depth=2 {terms}");
        let play: Vec<&str> = play.split(' ').collect();
        let said = scratch.run_with(&play, "payoff\nF\nsave g.txt\n").success().stdout();
        holds(&said, &[" seeds\n", "analyse g.txt --player grandmaster"]);
        let replayed = scratch.text(&format!("analyse g.txt --player {judge}:depth=2"));
        holds(&replayed, &[game, "verified", " lost seeds\n", " 0.0\n"]);
        scratch.remove("g.txt");
    }
}
