//! Endgame tables: output, rejected input, that no finished layer is lost, and players that use them.

use std::fs;

use ayo::player::build_for;
use mancala::endgame::{BuildPlan, Tables, build as solve, positions, unrank};
use mancala::game::ayo::{Ayo, Position, Rules, SEEDS};
use mancala::game::{Ending, Game, Record, Side, Verdict};
use rand::RngExt;
use serde_json::json;

use crate::support::{Scratch, dice, holds, refuses};

#[test]
fn build_stats_and_verify() {
    let scratch = Scratch::new();
    let said = scratch.text("endgame build --seeds 6 --quiet");
    assert!(said.starts_with("awari up to 6 seeds: 18,564 positions, "), "{said}");
    let mut names: Vec<String> = (0..=6).map(|seeds| format!("awari-{seeds:02}.ayo")).collect();
    names.push("lock".into());
    assert_eq!(scratch.list("tables"), names);
    holds(&scratch.text("endgame build --seeds 6 --quiet"), &["already complete"]);
    let found = scratch.json("endgame stats tables --json");
    let two = json!({ "seeds": 2, "positions": 78, "counts": { "-2": 40, "0": 13, "2": 25 } });
    assert_eq!(found["layers"][2], two);
    assert_eq!((&found["rules"], &found["proven"]), (&json!("awari"), &json!(true)));
    holds(&scratch.text("endgame verify tables --quiet"), &["6 seeds: 12,376 positions\n"]);
    let sampled = scratch.text("endgame verify tables --sample 50 --quiet");
    holds(&sampled, &["6 seeds: 12,376 positions, 50 checked"]);
}

#[test]
fn bad_requests_and_damaged_files_are_refused() {
    let scratch = Scratch::new();
    refuses! { scratch, "2 endgame build --quiet", "
        --seeds 24 --memory 1G => 1.62 GiB | --memory allows only 1.00 GiB
        --seeds 4 --rules no-slam => no-slam | stalemate
    " }
    scratch.write("file", "");
    fs::create_dir(scratch.path("empty")).unwrap();
    scratch.ayo("endgame build --seeds 5 --quiet").success();
    scratch.flip("tables/awari-05.ayo", 1000);
    refuses! { scratch, "1 endgame", "
        stats nowhere => nowhere
        verify empty => no endgame tables in empty
        stats tables => awari-05.ayo is damaged
    " }
    holds(&scratch.ayo("endgame build --seeds 4 --out file --quiet").code(1).stderr(), &["file"]);
    let verified = scratch.ayo("endgame verify tables --quiet").code(1);
    holds(&verified.stderr(), &["awari-05.ayo is damaged"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_build_goes_on_to_the_same_bytes() {
    let scratch = Scratch::new();
    let mut building = scratch.start("endgame build --seeds 15 --threads 1 --quiet --out parts");
    let layer = scratch.path("parts/awari-10.ayo");
    crate::support::wait_until("no layer is solved", || layer.exists());
    let out = building.interrupted("INT");
    holds(&out, &["endgame build --seeds 15 --threads 1 --quiet --out parts"]);
    for (folder, threads) in [("parts", 2), ("whole", 1)] {
        let build = format!("endgame build --seeds 12 --threads {threads} --quiet --out {folder}");
        scratch.ayo(&build).success();
    }
    for seeds in 10..=12 {
        let [parts, whole] =
            ["parts", "whole"].map(|it| scratch.bytes(&format!("{it}/awari-{seeds}.ayo")));
        assert!(parts == whole, "{seeds} seeds");
    }
}

#[test]
fn accuracy_says_how_near_players_are_to_perfect_play() {
    let scratch = Scratch::with_tables("--seeds 6 --out t");
    let asked = "accuracy random greedy minimax:weights=seeds,depth=5,tables=t --tables t \
                 --seeds 3..6 --sample 40 --quiet";
    let found = scratch.json(&format!("{asked} --json --threads 1 -o a.png"));
    assert_eq!(found, scratch.json(&format!("{asked} --json --threads 2")));
    let figure = |index: usize, key: &str| found["players"][index][key].as_f64().unwrap();
    assert!(figure(0, "seeds_lost") > 0.0 && figure(0, "optimal") < 1.0);
    assert_eq!((figure(2, "optimal"), figure(2, "seeds_lost")), (1.0, 0.0));
    for player in 0..3 {
        let parts = found["players"][player]["by_seeds"].as_array().unwrap();
        let positions: f64 = parts.iter().map(|part| part["positions"].as_f64().unwrap()).sum();
        assert!((30.0..=40.0).contains(&positions), "{positions}");
    }
    scratch.write("a.json", found.to_string());
    scratch.ayo("plot a.json -o b.png").success();
    assert_eq!(scratch.bytes("a.png"), scratch.bytes("b.png"));
    holds(&scratch.text(asked), &["40 positions, one per game, 3 to 6 seeds"]);
    refuses! { scratch, "2 accuracy greedy --quiet", "
        --tables t --seeds 2..7 => --seeds | at most 6 seeds, not 7
        --tables t --seeds 1..1 => --sample | only 0 such positions
        --tables t -o picture => picture
    " }
    refuses! { scratch, "1 accuracy greedy --quiet", "
        --tables nowhere => nowhere
        --tables t --rules ayo => awari | not ayo
    " }
}

const WITHIN: u8 = 9;

fn scratch_with_tables() -> (Scratch, Tables, String) {
    let scratch = Scratch::new();
    let folder = scratch.path("tables");
    let plan = BuildPlan::new(Rules::AWARI, WITHIN, &folder).unwrap();
    let tables = solve(&plan, &(), |_| ()).unwrap().unwrap();
    let setting = format!("tables={}", folder.display());
    (scratch, tables, setting)
}

/// Returns a position with these rows and South to move. Its stores are such that South wins by the smallest possible
/// margin if it achieves the table's value, and otherwise doesn't win.
fn narrow(tables: &Tables, seeds: u8, number: u64) -> Option<Position> {
    let rows = unrank(seeds, number);
    let value = tables.value(rows).filter(|&value| value > 0)?;
    // South's store must be just large enough to end up ahead.
    let stored = i32::from(SEEDS - seeds);
    let south = (stored - i32::from(value)).div_euclid(2) + 1;
    let stores = [south, stored - south].map(|store| u8::try_from(store).ok());
    let bytes = rows.map(u64::to_le_bytes);
    let pits = std::array::from_fn(|pit| bytes[pit / 6][pit % 6]);
    let position = Position::new(pits, [stores[0]?, stores[1]?], Side::South).ok()?;
    Ayo { rules: Rules::AWARI }.ended(&position).is_none().then_some(position)
}

#[test]
fn won_positions_are_played_out_to_the_value_whoever_defends() {
    let (_scratch, tables, setting) = scratch_with_tables();
    let game = Ayo { rules: Rules::AWARI };
    let of = |spec: &str| build_for(spec, game).unwrap();
    let mut player = of(&format!("minimax:weights=seeds,depth=3,{setting}"));
    let mut defenders = [of("random:seed=3"), of(&format!("minimax:depth=2,{setting}"))];
    let (mut played, mut repeated, mut dice) = (0, 0, dice(31, 0));
    while played < 200 {
        let seeds = dice.random_range(3..=u32::from(WITHIN)) as u8;
        let Some(position) = narrow(&tables, seeds, dice.random_range(0..positions(seeds))) else {
            continue;
        };
        let mut record = Record::from_position(game, position);
        while record.ending().is_none() {
            let is_south = record.to_move() == Side::South;
            let mover = if is_south { &mut player } else { &mut defenders[played % 2] };
            let pit = mover.choose(&record, &()).unwrap().pit;
            record.play(pit).unwrap();
        }
        // A game may end in a repetition only if the position has a value of zero.
        if record.ending() == Some(Ending::Repetition) {
            assert_eq!(tables.probe(record.position()), Some(0), "{position} {}", record.line());
            repeated += 1;
        }
        let verdict = record.verdict();
        assert_eq!(verdict, Some(Verdict::Won(Side::South)), "{position} {}", record.line());
        played += 1;
    }
    assert!(repeated < played / 5, "{repeated} of {played} end in a circle");
}

#[test]
fn tables_are_known_by_what_they_hold() {
    let (scratch, _, setting) = scratch_with_tables();
    let identity = |setting: &str| {
        build_for(&format!("minimax:{setting},ties=lowest"), Ayo { rules: Rules::AWARI })
            .unwrap()
            .identity()
    };
    // Equal tables in another folder have the same identity, but not if they lack the last layer.
    scratch.shell("cp -r tables elsewhere").success();
    let elsewhere = format!("tables={}", scratch.path("elsewhere").display());
    assert_eq!(identity(&setting), identity(&elsewhere));
    scratch.remove(&format!("elsewhere/awari-{WITHIN:02}.ayo"));
    assert_ne!(identity(&setting), identity(&elsewhere));
    let without = identity("depth=5");
    assert!(!without.contains("tables") && identity(&setting).starts_with(&without), "{without}");
}

#[test]
fn probing_prints_what_the_moves_bring_and_players_refuse_tables_that_cannot_be_used() {
    let (scratch, tables, _) = scratch_with_tables();
    let position = "0-0-0-0-1-2-1-2-0-0-0-0-21-21-S";
    let probe = format!("endgame probe tables --position {position}");
    let found = scratch.json(&format!("{probe} --json"));
    let value = tables.probe(&position.parse().unwrap()).unwrap();
    assert!(found["value"] == value && value < 0);
    let moves = found["moves"].as_object().unwrap();
    assert_eq!(moves.values().map(|value| value.as_i64().unwrap()).max(), Some(value.into()));
    assert!(moves.keys().all(|pit| ["E", "F"].contains(&pit.as_str())), "{moves:?}");
    holds(&scratch.text(&probe), &["rules awari\n"]);
    // A proof comes to the same result as the tables.
    let prove = format!("endgame prove --position {position} --quiet --json");
    assert_eq!(scratch.json(&prove)["outcome"], "loss");
    assert_eq!(scratch.json(&format!("{prove} --tables tables"))["nodes"], 2);
    let start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
    let unknown = scratch.ayo(&format!("endgame prove --position {start} --nodes 500 --quiet"));
    holds(&unknown.code(1).stdout(), &["may win or lose"]);
    refuses! { scratch, "2", "
        endgame prove --position 1-2 => 15 fields
        endgame probe tables --position 1-1-S => --position | 15 fields
        bestmove --player minimax:tables=tables => awari, not ayo
    " }
    refuses! { scratch, "1", "
        endgame probe tables --position 1-1-1-1-1-1-1-1-1-1-1-1-18-18-S => 12 seeds | at most 9
        bestmove --rules awari --player minimax:tables=nowhere => nowhere
    " }
    scratch.flip("tables/awari-05.ayo", 500);
    let line = "bestmove --rules awari --player minimax:tables=tables";
    scratch.refuses("1", &format!("{line} => awari-05.ayo is damaged"));
}
