//! Kalah from outside: perft, exact values, players, matches, training.

use serde_json::json;

use crate::support::{Scratch, refused};

#[test]
fn perft_of_another_game() {
    let scratch = Scratch::new();
    assert_eq!(scratch.text("perft 4 --game kalah"), "942\n");
    assert_eq!(scratch.text("perft 4 --game ayo --rules awari"), "1014\n");
    let given = "perft 2 --game kalah:pits=2,seeds=1 --position 1-1-0-1-1-0-2";
    assert_eq!(
        scratch.json(&format!("{given} --json")),
        json!({ "kind": "perft", "depth": 2, "nodes": 3 })
    );
    // C ends in the store: the same side moves again.
    assert_eq!(scratch.text("perft 1 --game kalah --line CA"), "6\n");
    let refusals: [(&str, &[&str]); 16] = [
        ("--game kalah:pits", &["--game", "pits needs a value", "1 to 8"]),
        ("--game kalah:seeds=25", &["--game", "seeds is \"25\"", "1 to 24"]),
        ("--game kalah:,pits=3", &["--game", "\"kalah:,pits=3\" is not kalah["]),
        ("--game kalah --line 4S6", &["--line", "ply 1: \"4\" is not a move"]),
        ("--game kalah --line é", &["--line", "ply 1: \"é\" is not a move"]),
        ("--game kalah --line CFA", &["--line", "ply 3: it is North's turn"]),
        ("--game kalah --position ä-4", &["--position", "15 fields"]),
        (
            "--game kalah --position 4-4-4-4-4-4-0-4-4-4-4-4-4-1-1",
            &["--position", "total 49, not 48"],
        ),
        (
            "--game kalah --position 4-4-4-4-4-4-0-4-4-4-4-4-4-0-3",
            &["--position", "\"3\", not 1 or 2"],
        ),
        ("--game go", &["--game", "unknown game \"go\"", "kalah["]),
        ("--game kalah:pits=9", &["--game", "pits is \"9\"", "1 to 8"]),
        ("--game kalah --rules awari", &["--rules awari", "ending=emptier"]),
        ("--game kalah --line Ca", &["--line", "ply 2: it is South's turn"]),
        ("--game kalah --line CC", &["--line", "the pit is empty"]),
        ("--game kalah --line H", &["--line", "there is no such pit"]),
        ("--game kalah --position 4-4", &["--position", "15 fields"]),
    ];
    for (arguments, words) in refusals {
        refused(scratch.ayo(&format!("perft 3 {arguments}")), 2, words);
    }
}

#[test]
fn the_smallest_and_the_largest_board() {
    let scratch = Scratch::new();
    let [least, most] = ["kalah:pits=1,seeds=1", "kalah:pits=8,seeds=24"];
    assert_eq!(scratch.text(&format!("perft 1 --game {least}")), "1\n");
    assert_eq!(scratch.text(&format!("perft 3 --game {most}")), "512\n");
    let on_least = scratch.ayo(&format!("match greedy random --game {least} --openings plies:1"));
    refused(on_least, 2, &["plies:1 has no opening"]);
    for game in [least, most] {
        let players = "tournament greedy random minimax:weights=h1+k3,depth=2 --openings plies:0";
        let found = scratch.json(&format!("{players} --game {game} --quiet --json"));
        assert_eq!(found["games"], 6, "{found}");
        let found = scratch.text(&format!("move --game {game} --player minimax:depth=4"));
        assert!(found.starts_with("move "), "{found}");
    }
}

#[test]
fn the_bench_of_kalah() {
    let scratch = Scratch::new();
    let found = scratch.json("bench --game kalah --quick --depth 4 --quiet --json");
    assert_eq!((&found["game"], &found["weights"]), (&json!("kalah"), &json!("h1+h2")));
    assert_eq!(found["signature"][0]["checksum"], "25dfd327");
    // One generation of the preset, as a run says it.
    let run = "train --game kalah --seed 1 --generations 1 --out run --quiet --set measure_every=0 --set finalist_games=0";
    let games = found["training"]["games"].as_u64().unwrap();
    let said = scratch.text(run).replace(',', "");
    assert!(said.contains(&format!(" {games} played")), "{games}: {said}");
    assert_eq!(
        (&found["games"]["depth"], &found["games"]["games"]["count"]),
        (&json!(5), &json!(50))
    );
    let small = scratch.ayo("bench --game kalah:pits=1,seeds=1 --quick --quiet");
    refused(small, 2, &["--game", "openings"]);
}

#[test]
fn players_meet_in_kalah() {
    let scratch = Scratch::new();
    let pair = "minimax:weights=h1+h2,depth=4 random:seed=3 --game kalah --openings plies:2";
    let found = scratch.json(&format!("match {pair} --quiet --json --games-out games"));
    // Six first moves, one of which earns another.
    assert_eq!((found["game"].as_str(), found["games"].as_u64()), (Some("kalah"), Some(70)));
    assert!(found["score"].as_f64().unwrap() > 0.9, "{found}");
    let kept = scratch.read("games");
    assert!(kept.contains("\"game\":\"kalah\""), "{kept}");
    // Every line of the file replays to its result; the same command has nothing left to play.
    let again = scratch.json(&format!("match {pair} --quiet --json --games-out games"));
    assert_eq!((&again["pairs"], &again["mean_plies"]), (&found["pairs"], &found["mean_plies"]));
    assert_eq!(scratch.read("games"), kept);
    let plain = "move --game kalah --line CFa --json --player";
    let (one, other) = (
        scratch.json(&format!("{plain} minimax:weights=h1+h4,depth=5")),
        scratch.json(&format!("{plain} plain-minimax:weights=h1+h4,depth=5")),
    );
    assert_eq!((&one["move"], &one["score"]), (&other["move"], &other["score"]));
    let refusals: [(&str, &[&str]); 9] = [
        ("match greedy uci:cmd=x --game kalah", &["\"uci\" is a player of ayo", "such as stores"]),
        ("move --game kalah --player rbh", &["\"rbh\" is a player of ayo", "choose minimax"]),
        ("match greedy minimax:weights=seeds --game kalah", &["weights is \"seeds\"", "kalah"]),
        ("match greedy minimax:weights=h1", &["weights is \"h1\"", "ayo features"]),
        (
            "match greedy minimax:weights=h1+h9 --game kalah",
            &["\"h9\" is not a feature", "k1 to k9"],
        ),
        ("match greedy minimax:weights=h1+h1 --game kalah", &["feature h1 is named twice"]),
        ("match greedy minimax:weights=h8 --game kalah", &["no weights \"h8\"", "in kalah stores"]),
        ("ablate h1", &["h1 has features of kalah, not of ayo"]),
        ("ablate seeds --game kalah", &["seeds has features of ayo, not of kalah"]),
    ];
    for (arguments, words) in refusals {
        refused(scratch.ayo(arguments), 2, words);
    }
}

#[test]
fn players_of_the_report_meet_as_printed() {
    let scratch = Scratch::new();
    let printed = include_str!("../../papers/data/printed/kansas/lookahead.csv");
    let rows = printed.lines().filter(|line| line.starts_with('H'));
    assert_eq!(rows.clone().count(), 27);
    for row in rows {
        let cells: Vec<&str> = row.split(',').collect();
        let heuristics = cells[0].to_lowercase();
        let player = |plies| format!("kansas:heuristics={heuristics},depth={plies}");
        let [one, other] = [cells[1], cells[2]].map(player);
        let wins = [cells[3], cells[4]].map(|win| win.parse::<f64>().unwrap());
        let from_start = "--game kalah:ending=emptier --openings plies:0 --quiet --json";
        let found = scratch.json(&format!("match {one} {other} {from_start}"));
        let share = |what: &str| found[what].as_f64().unwrap() / 2.0;
        assert_eq!([share("wins"), share("losses")], wins, "{row}");
    }
    refused(
        scratch.ayo("match kansas greedy --game kalah"),
        2,
        &["player kansas", "heuristics", "h1+h2"],
    );
}

#[test]
fn results_of_kalah_are_drawn() {
    let scratch = Scratch::new();
    for (verb, kind) in [("match", "pairs"), ("tournament", "ratings")] {
        let found = scratch.text(&format!(
            "{verb} greedy random:seed=3 --game kalah --openings plies:1 --quiet --json"
        ));
        scratch.write("found.json", &found);
        scratch.ayo(&format!("plot found.json -o {kind}.svg")).success();
        assert!(scratch.read(&format!("{kind}.svg")).contains("game kalah"), "{verb}");
        scratch.write("found.json", found.replace("\"game\":", "\"played\":"));
        let words = ["found.json", "rules", "game"];
        refused(scratch.ayo("plot found.json -o none.svg"), 1, &words);
    }
}

#[test]
fn a_game_of_kalah_in_the_terminal() {
    let scratch = Scratch::new();
    let play = ["play", "--game", "kalah:pits=3", "--player", "greedy"];
    let said = scratch.run_with(&play, "F\nB\nline\n").success().stdout();
    assert!(
        said.contains("\n          | 4 | 4 | 4 |\n North  0 +---+---+---+  0 South\n"),
        "{said}"
    );
    assert!(said.contains("\"F\" is neither a pit, A-C, nor a command"), "{said}");
    assert!(said.contains("South (you) sows B: 4 seeds, brings 1 home\n"), "{said}");
    drop(scratch);
}

#[test]
fn weights_for_kalah_are_bred_and_a_run_goes_on() {
    let scratch = Scratch::new();
    let small = "--seed 4 --population 8 --depth 2 --quiet --set openings=random:2,plies=5-9 \
                 --set game=kalah:pits=3,seeds=3 \
                 --set measure_every=2 --set measure_openings=2 --set finalist_games=200";
    for preset in ["kalah-standard", "kalah-extended"] {
        let train = format!("train --preset {preset} {small}");
        scratch.ayo(&format!("{train} --generations 6 --threads 2 --out whole-{preset}")).success();
        scratch.ayo(&format!("{train} --generations 3 --threads 1 --out parts-{preset}")).success();
        scratch.ayo(&format!("resume parts-{preset} --generations 6 --quiet")).success();
        for file in ["history.csv", "strength.csv", "champion.json"] {
            let of = |kind| scratch.read(&format!("{kind}-{preset}/{file}"));
            assert_eq!(of("whole"), of("parts"), "{preset} {file}");
        }
        let move_of = format!("move --game kalah --player minimax:weights=whole-{preset},depth=3");
        assert!(scratch.text(&move_of).starts_with("move "));
    }
    let board = "--set game=kalah:pits=3,seeds=2 --generations 1 --out board";
    let said = scratch.text(&format!("train --preset kalah-standard {small} {board}"));
    let next = "play --player minimax:weights=board,depth=7 --game kalah:pits=3,seeds=2\n";
    assert!(said.contains(next), "{said}");
    let champion = scratch.read("whole-kalah-standard/champion.json");
    let played = "\"game\":\"kalah:pits=3,seeds=3\"";
    assert!(champion.contains(played) && champion.contains("\"h6\""), "{champion}");
    let settings = scratch.read("whole-kalah-standard/run.toml");
    assert!(settings.contains("game = \"kalah:pits=3,seeds=3\""), "{settings}");
    assert!(scratch.text("export whole-kalah-extended --format csv").contains("\nk1,"));
    let refusals: [(&str, &[&str]); 8] = [
        ("train --preset kalah-standard --features seeds", &["features is seeds", "game is kalah"]),
        ("train --set game=kalah", &["features", "features of ayo"]),
        ("train --preset kalah-standard --rules awari", &["rules is awari", "only for ayo"]),
        ("train --game kalah:pits=1", &["game is kalah:pits=1", "over within four plies"]),
        ("train --game kalah:pits=1,seeds=6", &["openings is random:8", "can begin so"]),
        ("train --game kalah --start-from k1+k9", &["--start-from k1+k9", "nothing that evolves"]),
        ("train --start-from whole-kalah-extended", &["--start-from", "kalah", "game is ayo"]),
        ("train --game kalah --start-from seeds", &["--start-from seeds", "ayo", "game is kalah"]),
    ];
    for (arguments, words) in refusals {
        refused(scratch.ayo(arguments), 2, words);
    }
}

#[test]
fn a_run_of_kalah_knows_how_strong_it_is() {
    let scratch = Scratch::new();
    let small = "--population 8 --depth 2 --quiet --set openings=random:2,plies=5-9 \
                 --set measure_every=2 --set measure_openings=3 --set finalist_games=200";
    let said = scratch
        .text(&format!("train --game kalah:pits=3,seeds=3 {small} --generations 4 --out run"));
    let panel = ayo::run::Panel::Second.names("kalah".parse().unwrap());
    for opponent in &panel {
        assert!(said.contains(opponent), "{said}");
    }
    assert!(said.contains("in 60 games each, openings 30 of plies:4"), "{said}");
    let before = scratch.read("run/champion.json");
    let found = scratch.json("champion run --quiet --json");
    assert_eq!(scratch.read("run/champion.json"), before);
    assert_eq!(found["strength"][3]["opponent"], panel[3]);
    scratch.ayo("plot run --what strength -o strength.svg").success();
    assert!(scratch.read("strength.svg").contains("against minimax:weights=stores,depth=8"));
    scratch
        .ayo("train --preset daoud2004 --population 6 --depth 1 --generations 1 --quiet --out ayo")
        .success();
    refused(
        scratch.ayo("plot run ayo -o both.svg"),
        1,
        &["\"run\" is of kalah and \"ayo\" of ayo", "one game"],
    );
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
    assert!(scratch.read("worth.svg").contains("game kalah:ending=emptier"));
    assert!(scratch.text(ablate).contains("game kalah:ending=emptier\n"));
}

#[test]
fn searches_for_weights_of_kalah_are_compared() {
    let scratch = Scratch::new();
    let quick = "--seeds 1 --budget games=200 --depth 1 --openings 3 --quiet";
    let compare = format!(
        "compare spsa:population=4,openings=1,game=kalah,depth=1 \
         kalah-extended:population=8,depth=1,openings=start {quick}"
    );
    for threads in [1, 2] {
        scratch.ayo(&format!("{compare} --threads {threads} -o {threads}.csv")).success();
    }
    let scores = |name: &str| -> Vec<String> {
        let text = scratch.read(name);
        // Nodes may differ, and so the checksum in the end.
        let rows = text.lines().filter_map(|row| row.rsplit_once(','));
        rows.map(|(row, _)| row[row.find("plies:4").unwrap_or(0)..].to_owned()).collect()
    };
    assert_eq!(scores("1.csv"), scores("2.csv"));
    let found = scratch.json(&format!("{compare} -o 1.csv --json"));
    assert_eq!(found["openings"], "3 of plies:4");
    assert_eq!(found["contestants"][0]["opponents"].as_object().unwrap().len(), 4);
    scratch.ayo("plot 1.csv -o drawn.svg").success();
    let of_ayo = "compare spsa:population=4,openings=1,depth=1";
    let board = "compare spsa:population=4,openings=1,depth=1,game=\"kalah:seeds=3\"";
    let refusals: [(String, &[&str]); 6] = [
        (format!("{board} {quick} -o 1.csv"), &["1.csv has results of game kalah:"]),
        (
            format!("compare spsa:depth=1,game=\"kalah:pits=1\" {quick}"),
            &["game is kalah:pits=1: every game is over within four plies"],
        ),
        (format!("{of_ayo} kalah-standard {quick}"), &["rules ayo and game kalah", "one game"]),
        (format!("{of_ayo} {quick} -o 1.csv"), &["1.csv has results of game kalah"]),
        (format!("compare spsa:game=kalah,rules=awari {quick}"), &["awari is only for ayo"]),
        ("compare spsa:game=kalah --seeds 1 --budget games=9 --openings 943".into(), &["has 942"]),
    ];
    for (arguments, words) in refusals {
        refused(scratch.ayo(&arguments), 2, words);
    }
    refused(
        scratch.ayo(&format!("compare spsa:features=kansas {quick}")),
        2,
        &["features is kansas", "features of kalah, but game is ayo"],
    );
}

#[test]
fn exact_values() {
    let scratch = Scratch::new();
    let solve = |arguments: &str| {
        scratch.json(&format!("kalah solve {arguments} --quiet --json"))["value"].clone()
    };
    assert_eq!(solve("5 2"), 2);
    assert_eq!(solve("5 2 --empty-capture"), 0);
    assert_eq!(solve("1 2 --memory 16K"), -2);
    let said = scratch.text("kalah solve 4 3 --memory 1M");
    assert!(
        said.starts_with("kalah:pits=4,seeds=3: a table of 1 MiB\nvalue 6: the first"),
        "{said}"
    );
    refused(scratch.ayo("kalah solve 9 4"), 2, &["pits is \"9\""]);
    refused(scratch.ayo("kalah solve 6 25"), 2, &["seeds is \"25\""]);
    refused(scratch.ayo("kalah solve 8 8"), 2, &["128 seeds", "up to 127"]);
    refused(scratch.ayo("kalah solve 6 4 --memory 1K"), 2, &["1024 bytes", "16384"]);
}

#[test]
fn a_game_without_a_preset_is_trained_by_its_own() {
    let scratch = Scratch::new();
    let text = scratch.text("train --game kalah:pits=4,seeds=3 --dry-run");
    assert!(text.contains("preset = \"kalah-standard\""), "{text}");
    assert!(text.contains("game = \"kalah:pits=4,seeds=3\""), "{text}");
    let text = scratch.text("train --game ayo --dry-run");
    assert!(text.contains("preset = \"standard\""), "{text}");
}

#[test]
fn verbs_of_one_game_say_which() {
    let scratch = Scratch::new();
    let [ayo, kalah] = ["this is about ayo alone", "this is about kalah alone"];
    let verbs = [
        ("uci", ayo),
        ("accuracy random", ayo),
        ("endgame stats x", ayo),
        ("kalah solve 3 3", kalah),
        ("inspect x", "say themselves which game they are of"),
    ];
    for (verb, why) in verbs {
        let run = scratch.ayo(&format!("{verb} --game kalah")).code(2);
        let said = run.stderr();
        assert!(said.starts_with("ayo: there is no --game here: "), "{said}");
        assert!(said.ends_with(&format!("{why}\n")) && said.lines().count() == 1, "{said}");
    }
}

#[test]
fn a_table_that_cannot_be_had_is_a_sentence() {
    let scratch = Scratch::new();
    // More than any address has room for.
    let solving = scratch.ayo("kalah solve 8 7 --memory 1000000T --quiet --json");
    refused(solving, 1, &["MiB", "reduce --memory"]);
}

#[test]
fn a_player_that_fears_the_other_store_alone_judges_games() {
    let scratch = Scratch::new();
    scratch.write("game", "one: CFa\n");
    let judged = |player: &str| {
        let found =
            scratch.json(&format!("replay game --game kalah --player {player},depth=4 --json"));
        found["games"][0]["moves"].clone()
    };
    // Nobody wins within four plies, so that both players see the same there.
    let found = judged("kansas:heuristics=h3");
    assert_eq!(found.as_array().map(Vec::len), Some(3), "{found}");
    assert_eq!(found, judged("minimax:weights=h3"));
}
