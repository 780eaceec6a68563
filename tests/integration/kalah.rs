//! Kalah from the command line: perft, exact values, players, matches, training.

use serde_json::json;

use crate::support::{Scratch, holds, refuses};

#[test]
fn perft_of_another_game() {
    let scratch = Scratch::new();
    assert_eq!(scratch.text("perft 4 --game kalah"), "942\n");
    assert_eq!(scratch.text("perft 4 --game ayo --rules awari"), "1014\n");
    let given = "perft 2 --game kalah:pits=2,seeds=1 --position 1-1-0-1-1-0-2";
    assert_eq!(scratch.json(&format!("{given} --json"))["nodes"], 3);
    // C ends in the store, so the same side moves again.
    assert_eq!(scratch.text("perft 1 --game kalah --line CA"), "6\n");
    refuses! { scratch, "2 perft 3", r#"
        --game kalah --line 4S6 => --line | ply 1: "4" is not a move
        --game kalah --position 4-4-4-4-4-4-0-4-4-4-4-4-4-1-1 => total 49, not 48
        --game go => --game | unknown game "go" | kalah[
        --game kalah:pits=9 => --game | pits is "9" | 1 to 8
        --game kalah --rules awari => --rules awari | ending=emptier
    "# }
}

#[test]
fn the_bench_of_kalah() {
    let scratch = Scratch::new();
    let found = scratch.json("bench --game kalah --quick --depth 4 --quiet --json");
    assert_eq!((&found["game"], &found["weights"]), (&json!("kalah"), &json!("h1+h2")));
    assert_eq!(found["signature"][0]["checksum"], "25dfd327");
    // A run must report the same number of games for one generation of the preset.
    let run = "train --game kalah --seed 1 --generations 1 --quiet --set measure_every=0 --set finalist_games=0";
    let games = found["training"]["games"].as_u64().unwrap();
    holds(&scratch.text(run).replace(',', ""), &[&format!(" {games} played")]);
    let games = &found["games"];
    assert_eq!((&games["depth"], &games["games"]["count"]), (&json!(5), &json!(50)));
}

#[test]
fn players_meet_in_kalah() {
    let scratch = Scratch::new();
    let pair = "minimax:weights=h1+h2,depth=4 random:seed=3 --game kalah --openings plies:2";
    let line = format!("match {pair} --quiet --json --games-out games");
    let found = scratch.json(&line);
    // There are six first moves, one of which earns another.
    assert_eq!((found["game"].as_str(), found["games"].as_u64()), (Some("kalah"), Some(70)));
    assert!(found["score"].as_f64().unwrap() > 0.9, "{found}");
    let kept = scratch.read("games");
    holds(&kept, &["\"game\":\"kalah\""]);
    // Every line of the file replays to its result, and repeating the command plays no further games.
    let again = scratch.json(&line);
    assert_eq!((&again["pairs"], &again["mean_plies"]), (&found["pairs"], &found["mean_plies"]));
    assert_eq!(scratch.read("games"), kept);
    scratch.write("found.json", found.to_string());
    scratch.ayo("plot found.json -o pairs.svg").success();
    holds(&scratch.read("pairs.svg"), &["game kalah"]);
    refuses! { scratch, "2", r#"
        match greedy random --openings plies:1 --game kalah:pits=1,seeds=1 => no unfinished position
        bench --quick --quiet --game kalah:pits=1,seeds=1 => --game | openings
        match greedy uci:cmd=x --game kalah => "uci" is an ayo player | such as stores
        bestmove --game kalah --player rbh => "rbh" is an ayo player | choose minimax
        match kansas greedy --game kalah => player kansas | heuristics
        match greedy minimax:weights=seeds --game kalah => weights is "seeds" | for ayo: choose that game
        ablate h1 => h1 has features for kalah, not for ayo
        ablate seeds --game kalah => seeds has features for ayo, not for kalah
    "# }
}

#[test]
fn weights_for_kalah_are_trained() {
    let scratch = Scratch::new();
    let small = "--seed 4 --population 8 --depth 2 --quiet --set openings=random:2,plies=5-9 \
                 --set measure_every=2 --set measure_openings=2 --set finalist_games=200";
    for preset in ["kalah-standard", "kalah-extended"] {
        let board = "--set game=kalah:pits=3,seeds=3 --generations 2";
        scratch.train(preset, &format!("--preset {preset} {small} {board}"));
        let player = format!("--player minimax:weights=./{preset},depth=3");
        assert!(scratch.text(&format!("bestmove --game kalah {player}")).starts_with("move "));
    }
    let board = "--set game=kalah:pits=3,seeds=2 --generations 1";
    let said = scratch.train("board", &format!("--preset kalah-standard {small} {board}")).stdout();
    holds(&said, &["play --player minimax:weights=board,depth=7 --game kalah:pits=3,seeds=2 "]);
    scratch.train("ayo", "--population 6 --depth 1 --generations 1 --quiet");
    scratch.refuses("1 plot -o both.svg", "board ayo => \"board\" is for kalah");
    let champion = scratch.read("kalah-standard/champion.json");
    holds(&champion, &["\"game\":\"kalah:pits=3,seeds=3\"", "\"h6\""]);
    holds(&scratch.read("kalah-standard/run.toml"), &["game = \"kalah:pits=3,seeds=3\""]);
    holds(&scratch.text("export ./kalah-extended --format csv"), &["\nk1,"]);
    refuses! { scratch, "2 train", "
        --preset kalah-standard --features seeds => features is seeds | game is kalah
        --set game=kalah => features | features are for ayo | start from preset kalah-standard
        --preset overnight --game kalah => start from preset kalah-overnight
        --preset kalah-standard --rules awari => rules is awari | applies only to ayo
        --game kalah:pits=1,seeds=6 => openings is random:8 | can start from these openings
        --game kalah --start-from k1+k9 => --start-from k1+k9 | no weights for the features of this run
        --start-from ./kalah-extended => --start-from | kalah | game is ayo
    " }
    for (game, preset) in [("kalah:pits=4,seeds=3", "kalah-standard"), ("ayo", "standard")] {
        let text = scratch.text(&format!("train --game {game} --dry-run"));
        let lines = [format!("preset = \"{preset}\""), format!("game = \"{game}\"")];
        holds(&text, &lines.each_ref().map(|line| &**line));
    }
}

#[test]
fn what_each_feature_is_worth_in_kalah() {
    let scratch = Scratch::new();
    let ablate =
        "ablate h1+h4 --game kalah:seeds=4,ending=emptier --depth 3 --openings plies:2 --quiet";
    let found = scratch.json(&format!("{ablate} --json -o worth.svg"));
    assert_eq!(found["game"], "kalah:ending=emptier");
    assert_eq!(found["features"][0]["feature"], "h1");
    assert!(found["features"][0]["elo_ci95"][0].as_f64().unwrap() > 0.0, "{found}");
    holds(&scratch.read("worth.svg"), &["game kalah:ending=emptier"]);
}

#[test]
fn searches_for_weights_of_kalah_are_compared() {
    let scratch = Scratch::new();
    let quick = "--seeds 1 --budget games=200 --depth 1 --openings 3 --quiet";
    let compare = format!(
        "compare spsa:population=4,openings=1,game=kalah,depth=1 \
         kalah-extended:population=8,depth=1,openings=start {quick}"
    );
    let found = scratch.json(&format!("{compare} -o 1.csv --json"));
    assert_eq!(found["openings"], "3 of plies:4");
    assert_eq!(found["contestants"][0]["opponents"].as_object().unwrap().len(), 4);
    scratch.ayo("plot 1.csv -o drawn.svg").success();
    refuses! { scratch, &format!("2 compare {quick}"), r#"
        spsa:population=4,openings=1,depth=1,game="kalah:seeds=3" -o 1.csv => 1.csv has results for game kalah:
        spsa:openings=1,depth=1 kalah-standard => rules ayo and game kalah | the same game
        spsa:population=4,openings=1,depth=1 -o 1.csv => 1.csv has results for game kalah
    "# }
    let few = "spsa:game=kalah --seeds 1 --budget games=9 --openings 943";
    scratch.refuses("2 compare", &format!("{few} => has only 942"));
}

#[test]
fn exact_values() {
    let scratch = Scratch::new();
    for (arguments, value) in [("5 2", 2), ("5 2 --empty-capture", 0), ("1 2 --memory 16K", -2)] {
        let found = scratch.json(&format!("kalah solve {arguments} --quiet --json"));
        assert_eq!(found["value"], value, "{arguments}");
    }
    holds(&scratch.text("kalah solve 4 3 --memory 1M"), &["1024.00 KiB\nvalue 6"]);
    refuses! { scratch, "2 kalah solve", r#"
        9 4 => pits is "9"
        8 8 => 128 seeds | up to 127
    "# }
}
