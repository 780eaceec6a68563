//! Players that give reasons, and levels.

use ayo::player::amdf::Training;
use mancala::game::ayo::Rules;

use crate::support::{Scratch, TINY, refused};

const FIGURE_4_2: &str = "0-4-2-1-3-1-1-1-0-1-0-0-17-17-S";

#[test]
fn rbh_explains_figure_4_2_as_the_thesis_values_it() {
    let said = Scratch::new().text(&format!("move --player rbh --position {FIGURE_4_2} --explain"));
    let values: Vec<(&str, &str)> = said
        .lines()
        .skip(2)
        .take(5)
        .map(|line| {
            let cells: Vec<&str> = line.split_whitespace().collect();
            (cells[0], cells[3])
        })
        .collect();
    // With the sign that every player here has: the thesis prints -2, 0, 0, -4 and -2.
    assert_eq!(values, [("B", "2"), ("C", "0"), ("D", "0"), ("E", "4"), ("F", "2")]);
    assert!(said.starts_with("game value 4 4 plies ahead"), "{said}");
    assert!(said.contains("E: no other move is feasible\nmove E  score 4"), "{said}");
}

#[test]
fn explanations_are_in_json_and_empty_for_players_that_have_none() {
    let scratch = Scratch::new();
    for (player, some) in [("rbh", true), ("amdf", true), ("greedy", false)] {
        let found = scratch.json(&format!("move --player {player} --explain --json"));
        assert_eq!(!found["explanation"].as_array().unwrap().is_empty(), some, "{player}");
    }
}

#[test]
fn amdf_learns_from_a_file_of_rows() {
    let scratch = Scratch::new();
    let rows = Training::of_games(20, Rules::default());
    scratch.write("rows.csv", rows.to_csv());
    // The classes depend on the rows alone.
    let explain = |training: &str| {
        let line = format!("move --player amdf:depth=2,training={training} --explain");
        let origin = |line: &&str| line.starts_with("classes:");
        let text = scratch.text(&line);
        text.lines().filter(|line| !origin(line)).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(explain("rows.csv"), explain("self-play:20"));
    refused(
        scratch.ayo("move --player amdf:training=self-play:0"),
        2,
        &["training", "self-play:0"],
    );
    refused(scratch.ayo("move --player amdf:training=no/such"), 2, &["no/such"]);
}

#[test]
fn a_level_is_a_player_in_every_verb() {
    let scratch = Scratch::new();
    assert!(scratch.text("play --level beginner").contains("the computer is beginner"));
    let found = scratch.json("match amateur initiation --games 20 --json");
    assert!(found["score"].as_f64().unwrap() > 0.9, "{found}");
    refused(scratch.ayo("play --level master"), 2, &["master", "grandmaster"]);
    refused(scratch.ayo("play --level amateur --player rbh"), 2, &["cannot be used with"]);
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
    let found =
        scratch.json("match runs/a mine.toml --games 2 --games-out games.txt --quiet --json");
    let full = ["minimax:weights=runs/a,depth=5", "minimax:weights=mine.toml,depth=5"];
    assert_eq!([&found["a"], &found["b"]], full);
    let games = scratch.read("games.txt");
    assert!(full.iter().all(|it| games.contains(it)), "{games}");
    // The same players, written differently.
    let same =
        format!("match {} {} --games 2 --games-out games.txt --quiet --json", full[0], full[1]);
    assert_eq!(scratch.json(&same)["score"], found["score"]);
    let by = |player: &str| scratch.text(&format!("move --line FfE --player {player}"));
    assert_eq!(by("reference"), by("minimax:weights=reference,depth=5"));
    assert_eq!(by("seeds:depth=2"), by("minimax:weights=seeds,depth=2"));
    let rated = scratch.json("tournament seeds greedy initiation --games 2 --quiet --json");
    let names: Vec<&str> = rated["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["player"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"minimax:weights=seeds,depth=5"), "{rated}");
    scratch.write("moves.txt", "FfE\n");
    let judged = scratch.json("replay moves.txt --player seeds --json");
    assert!(judged.to_string().contains("minimax:weights=seeds,depth=5"), "{judged}");
    refused(
        scratch.ayo("tournament seeds minimax:weights=seeds,depth=5 greedy"),
        2,
        &["player minimax:weights=seeds,depth=5 is named twice"],
    );
    refused(scratch.ayo("match runs greedy"), 1, &["player minimax: runs: no champion.json"]);
    refused(
        scratch.ayo("match runs/b greedy"),
        2,
        &["unknown player \"runs/b\"", "no such file or folder"],
    );
    refused(scratch.ayo("match stores greedy"), 2, &["not weights of ayo features"]);
}

#[test]
fn kalah_has_levels_too() {
    let scratch = Scratch::new();
    let found = scratch.json("match beginner initiation --game kalah --games 40 --quiet --json");
    assert!(found["score"].as_f64().unwrap() > 0.7, "{found}");
    let input = scratch.ayo("play --game kalah --level amateur --side north");
    assert!(input.success().stdout().contains("the computer is amateur"));
}

#[test]
fn a_game_with_a_person_is_kept_and_replayed() {
    let scratch = Scratch::new();
    for (terms, game) in
        [("--rules awari", "game 1: 2 plies"), ("--game kalah:seeds=3", "game 1: ")]
    {
        let play = format!("play --level beginner {terms}");
        let play: Vec<&str> = play.split(' ').collect();
        let said = scratch.run_with(&play, "payoff\nF\nsave g.txt\n").success().stdout();
        assert!(
            said.contains(" seeds\n") && said.contains("replay g.txt --player grandmaster"),
            "{said}"
        );
        let replayed = scratch.text(
            "replay g.txt --player seeds:depth=2"
                .replace("seeds:", if terms.contains("kalah") { "stores:" } else { "seeds:" })
                .as_str(),
        );
        assert!(replayed.contains(game) && replayed.contains("as printed"), "{replayed}");
        scratch.remove("g.txt");
    }
}
