//! Players with endgame tables: perfect play within the tables, and unchanged play otherwise.

use ayo::player::{Player, build_for};
use mancala::endgame::{BuildPlan, Tables, build as solve, positions, unrank};
use mancala::game::ayo::{Ayo, Position, Rules, SEEDS};
use mancala::game::{Ending, Game, Record, Side, Verdict};
use rand::RngExt;

use crate::support::{Scratch, dice};

const WITHIN: u8 = 9;

fn scratch_with_tables(rules: Rules) -> (Scratch, Tables, String) {
    let scratch = Scratch::new();
    let folder = scratch.path("tables");
    let plan = BuildPlan::new(rules, WITHIN, &folder).unwrap();
    let tables = solve(&plan, &(), |_| ()).unwrap().unwrap();
    let setting = format!("tables={}", folder.display());
    (scratch, tables, setting)
}

fn pits(rows: [u64; 2]) -> [u8; 12] {
    let bytes = rows.map(u64::to_le_bytes);
    std::array::from_fn(|i| bytes[i / 6][i % 6])
}

/// Returns a position with these rows, South to move, in which South wins by the smallest possible margin if it
/// achieves the table's value, and does not win otherwise.
fn narrow(tables: &Tables, seeds: u8, number: u64) -> Option<Position> {
    let rows = unrank(seeds, number);
    let value = tables.value(rows).filter(|&value| value > 0)?;
    // South's store is the smallest with which it ends up ahead.
    let stored = i32::from(SEEDS - seeds);
    let south = (stored - i32::from(value)).div_euclid(2) + 1;
    let stores = [south, stored - south].map(|store| u8::try_from(store).ok());
    let position = Position::new(pits(rows), [stores[0]?, stores[1]?], Side::South).ok()?;
    let game = Ayo { rules: tables.rules() };
    game.ended(&position).is_none().then_some(position)
}

#[test]
fn won_positions_are_played_out_to_the_value_whoever_defends() {
    let (_scratch, tables, setting) = scratch_with_tables(Rules::AWARI);
    let game = Ayo { rules: Rules::AWARI };
    let of = |spec: &str| build_for(spec, Ayo { rules: Rules::AWARI }).unwrap();
    let mut player = of(&format!("minimax:weights=seeds,depth=3,{setting}"));
    let mut defenders = [
        of("random:seed=3"),
        of("minimax:weights=seeds,depth=5"),
        of(&format!("minimax:weights=daoud2004-depth5,depth=2,{setting}")),
    ];
    let (mut played, mut repeated, mut dice) = (0, 0, dice(31, 0));
    while played < 400 {
        let seeds = dice.random_range(3..=u32::from(WITHIN)) as u8;
        let Some(position) = narrow(&tables, seeds, dice.random_range(0..positions(seeds))) else {
            continue;
        };
        let defender = &mut defenders[played % 3];
        let mut record = Record::from_position(game, position);
        let mut expected = tables.difference(&position, Side::South).unwrap();
        while record.ending().is_none() {
            let south = record.to_move() == Side::South;
            let mover: &mut dyn Player<Ayo> = if south { &mut *player } else { &mut **defender };
            let pit = mover.choose(&record, &()).unwrap().pit;
            record.play(pit).unwrap();
            let difference = tables.difference(record.position(), Side::South).unwrap();
            assert!(difference >= expected, "{position}: nothing is given away");
            expected = difference;
        }
        let line = record.line();
        // Only play of value zero may end in a repetition.
        if record.ending() == Some(Ending::Repetition) {
            let left = tables.probe(record.position());
            assert_eq!(left, Some(0), "{position} {line}");
            repeated += 1;
        }
        assert_eq!(record.verdict(), Some(Verdict::Won(Side::South)), "{position} {line}");
        played += 1;
    }
    assert!(repeated < played / 5, "{repeated} of {played} end in a circle");
}

#[test]
fn tables_are_known_by_what_they_hold() {
    let (scratch, _, setting) = scratch_with_tables(Rules::AWARI);
    let identity = |setting: &str| {
        build_for(&format!("minimax:{setting}"), Ayo { rules: Rules::AWARI }).unwrap().identity()
    };
    std::fs::create_dir(scratch.path("elsewhere")).unwrap();
    let elsewhere = format!("tables={}", scratch.path("elsewhere").display());
    for seeds in 0..=WITHIN {
        let name = format!("awari-{seeds:02}.ayo");
        scratch.write(&format!("elsewhere/{name}"), scratch.bytes(&format!("tables/{name}")));
        let is_whole = seeds == WITHIN;
        assert!(seeds < 2 || (identity(&setting) == identity(&elsewhere)) == is_whole, "{seeds}");
    }
    let without = identity("depth=5");
    assert!(!without.contains("tables") && identity(&setting).starts_with(&without), "{without}");
}

#[test]
fn players_refuse_tables_that_cannot_be_used() {
    let (scratch, ..) = scratch_with_tables(Rules::AWARI);
    let player = "--player minimax:tables=tables";
    scratch.refuses(2, "bestmove", &[(player, &["awari, not ayo"])]);
    scratch.flip("tables/awari-05.ayo", 500);
    let cases: [(&str, &[&str]); 2] =
        [("--player minimax:tables=nowhere", &["nowhere"]), (player, &["awari-05.ayo is damaged"])];
    scratch.refuses(1, "bestmove --rules awari", &cases);
}

#[test]
fn probing_prints_what_the_moves_bring() {
    let (scratch, tables, _) = scratch_with_tables(Rules::AWARI);
    let position = "0-0-0-0-1-2-1-2-0-0-0-0-21-21-S";
    let probe = format!("endgame probe tables --position {position}");
    let found = scratch.json(&format!("{probe} --json"));
    let value = tables.probe(&position.parse().unwrap()).unwrap();
    assert_eq!(found["value"], value);
    let moves = found["moves"].as_object().unwrap();
    assert_eq!(moves.values().map(|value| value.as_i64().unwrap()).max(), Some(value.into()));
    assert!(moves.keys().all(|pit| ["E", "F"].contains(&pit.as_str())), "{moves:?}");
    let said = scratch.text(&probe);
    assert!(said.starts_with("rules awari\nSouth to move gets "), "{said}");
    let many: &[&str] = &["12 seeds on the board", "at most 9"];
    let probe = "endgame probe tables --position";
    scratch.refuses(1, probe, &[("1-1-1-1-1-1-1-1-1-1-1-1-18-18-S", many)]);
    scratch.refuses(2, probe, &[("1-1-S", &["--position", "15 fields"])]);
}
