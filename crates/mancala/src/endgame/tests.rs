//! Tests that tables agree with published values and with forward moves, and that damaged files are rejected.

pub(crate) mod bounds;

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::TempDir;

use super::layer::Layer;
use super::moves::Countable;
use super::verify::position_of;
use super::*;
use crate::game::ayo::Rules;
use crate::game::{Pit, Side};
use crate::store::Frame;

pub(crate) fn built(rules: Rules, seeds: u8) -> (TempDir, Tables) {
    let folder = tempfile::tempdir().unwrap();
    let plan = BuildPlan::new(rules, seeds, folder.path()).unwrap();
    let tables = build(&plan, &(), |_| ()).unwrap().unwrap();
    (folder, tables)
}

/// The counts are from appendix B of Lincke (2002).
#[test]
fn value_counts_are_as_published() {
    let (_folder, tables) = built(Rules::AWARI, 8);
    let of_layer = |(seeds, counts): (u8, Vec<_>)| {
        counts.into_iter().map(move |(value, count)| format!("{seeds},{value},{count}"))
    };
    let found = (0..).zip(census(&tables).unwrap()).flat_map(of_layer);
    let published = include_str!("../../../../tests/data/awari_value_counts.csv");
    let rows = published.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    assert!(found.eq(rows));
}

/// The position is shown in figure 2.1 of Lincke (2002).
#[test]
#[ignore = "solves 86 million positions: half a minute of processor time"]
fn the_published_example() {
    let (_folder, tables) = built(Rules::AWARI, 18);
    let position = "0-0-6-0-3-5-1-2-1-0-0-0-15-15-S".parse().unwrap();
    assert_eq!(tables.probe(&position), Some(-2));
    let moves = tables.moves(&position).unwrap();
    let moves: Vec<_> =
        moves.iter().map(|(pit, value)| (pit.letter(Side::South), *value)).collect();
    assert_eq!(moves, [('E', -2), ('F', -6)]);
}

#[test]
fn ends_of_the_game() {
    let value = |tables: &Tables, position: &str| tables.probe(&position.parse().unwrap());
    let (_one, awari) = built(Rules::AWARI, 6);
    let (_two, ayo) = built(Rules::AYO, 6);
    assert!(awari.are_proven() && !ayo.are_proven());
    // South has no move and no seeds, so both stalemate rules award the seeds to North.
    for tables in [&awari, &ayo] {
        assert_eq!(value(tables, "0-0-0-0-0-0-2-0-0-1-0-0-20-25-S"), Some(-3));
        assert_eq!(value(tables, "0-0-0-0-0-0-2-0-0-1-0-0-20-25-N").map(i8::abs), Some(3));
        assert_eq!(value(tables, "0-0-0-0-0-0-0-0-0-0-0-0-20-28-S"), Some(0));
        assert_eq!(value(tables, "1-1-1-1-1-1-1-0-0-0-0-0-20-21-S"), None);
    }
    // South can't feed North, so it keeps the seeds in its row.
    assert_eq!(value(&ayo, "1-1-0-0-0-0-0-0-0-0-0-0-23-23-S"), Some(2));
    // Under `ayo`, a grand slam captures nothing, so South loses the seeds.
    assert_eq!(value(&awari, "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S"), Some(2));
    assert_eq!(value(&ayo, "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S"), Some(-2));
}

#[test]
fn built_tables_are_verified() {
    for (name, rules) in Rules::PRESETS {
        let folder = tempfile::tempdir().unwrap();
        let Ok(plan) = BuildPlan::new(rules, 7, folder.path()) else {
            assert_eq!(name, "no-slam");
            continue;
        };
        let tables = build(&plan, &(), |_| ()).unwrap().unwrap();
        let mut checked = 0;
        verify(&tables, None, &(), |layer| checked += layer.checked).unwrap();
        assert_eq!(checked, plan.positions(), "{name}");
        let mut undecided = 0;
        verify(&tables, Some(500), &(), |checked| undecided += checked.undecided).unwrap();
        assert_eq!(undecided, 0, "{name}");
    }
}

#[test]
fn a_damaged_layer_is_refused() {
    let (folder, tables) = built(Rules::AWARI, 5);
    drop(tables);
    let path = folder.path().join("awari-04.ayo");
    let good = fs::read(&path).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let opened = Tables::open(folder.path(), Rules::AWARI);
        let checked = opened.and_then(|tables| Ok(census(&tables).map(|_| ())?));
        checked.unwrap_err().to_string()
    };
    let mut damaged = good.clone();
    damaged[200] ^= 4;
    let said = refused(&damaged);
    let plan = BuildPlan::new(Rules::AWARI, 6, folder.path()).unwrap();
    assert_eq!(build(&plan, &(), |_| ()).unwrap_err().to_string(), said);
    let head = &good[24..24 + 39];
    let cut_in_its_head = Frame { kind: *b"ENDG", version: 1 }.header(&[head]);
    let cut_in_its_head = [&cut_in_its_head, head].concat();
    for bytes in [&damaged[..], &good[..good.len() - 1], b"", &cut_in_its_head] {
        let said = refused(bytes);
        assert!(said.contains("awari-04.ayo"), "{said}");
    }
    fs::remove_file(&path).unwrap();
    let said = Tables::open(folder.path(), Rules::AWARI).unwrap_err().to_string();
    assert!(said.contains("awari-04.ayo is missing"), "{said}");
}

/// Another process may be adding layers, smallest first, while we open a folder.
#[test]
fn a_growing_folder_has_no_gap() {
    let (folder, _) = built(Rules::AWARI, 9);
    let name = |seeds| Layer::file_name(Rules::AWARI, seeds);
    let layers: Vec<_> = (0..10).map(|seeds| folder.path().join(name(seeds))).collect();
    for _ in 0..60 {
        let growing = tempfile::tempdir().unwrap();
        let done = AtomicU64::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for layer in &layers {
                    fs::hard_link(layer, growing.path().join(layer.file_name().unwrap())).unwrap();
                }
                done.store(1, Ordering::Release);
            });
            while done.load(Ordering::Acquire) == 0 {
                Tables::so_far(growing.path(), Rules::AWARI).unwrap();
            }
        });
        assert_eq!(Tables::so_far(growing.path(), Rules::AWARI).unwrap().len(), 10);
    }
    fs::remove_file(&layers[4]).unwrap();
    let refused = Tables::so_far(folder.path(), Rules::AWARI);
    let error = refused.unwrap_err().to_string();
    assert!(error.starts_with(&format!("{} is missing", layers[4].display())), "{error}");
}

#[test]
fn tables_of_other_rules_are_refused() {
    let (folder, _tables) = built(Rules::AWARI, 3);
    let refused = |rules, part: &str| {
        let said = Tables::open(folder.path(), rules).unwrap_err().to_string();
        assert!(said.contains(part), "{said}");
    };
    refused(Rules::AYO, "awari, not ayo");
    let path = |name: &str| folder.path().join(name);
    fs::copy(path("awari-00.ayo"), path("ayo-00.ayo")).unwrap();
    refused(Rules::AYO, "ayo-00.ayo is a table for awari with 0 seeds");
    fs::remove_file(path("ayo-00.ayo")).unwrap();
    fs::copy(path("awari-02.ayo"), path("awari-01.ayo")).unwrap();
    refused(Rules::AWARI, "awari-01.ayo is a table for awari with 2 seeds");
}

/// All values in this layer agree with the values of their moves, but endless play would be needed to realise some.
#[test]
fn values_that_only_support_each_other_are_found() {
    let (folder, tables) = built(Rules::AWARI, 2);
    let rules = Countable::new(Rules::AWARI).unwrap();
    let signed = |layer: &Layer| layer.values().iter().map(|&value| value as i8).collect();
    let smaller: Vec<Vec<i8>> = tables.layers.iter().map(signed).collect();
    drop(tables);
    let mut values = smaller[2].clone();
    // In this cycle of positions, two single seeds chase each other around the board.
    let mut rows = [1, 1];
    for ply in 0..12 {
        values[rank(rows) as usize] = [1, -1][ply % 2];
        rows = rules.successors(rows).moves().next().unwrap().1;
    }
    assert_eq!(rows, [1, 1]);
    // Adjust the values of all other positions until each one is consistent with the values of its successors.
    while let Some(better) = better_values(rules, &values, &smaller) {
        values = better;
    }
    assert_ne!(values, smaller[2]);
    let values: Vec<u8> = values.into_iter().map(|value| value as u8).collect();
    Layer::write(folder.path(), Rules::AWARI, 2, &values).unwrap();
    let tables = Tables::open(folder.path(), Rules::AWARI).unwrap();
    let error = verify(&tables, None, &(), |_| ()).unwrap_err().to_string();
    assert!(error.contains("is not reached in finitely many plies"), "{error}");
    // Verification of a sample relies on a limited search, so it doesn't detect the error, but it does count the
    // positions whose values it couldn't verify.
    let mut undecided = 0;
    verify(&tables, Some(70), &(), |layer| undecided += layer.undecided).unwrap();
    assert!(undecided > 0);
}

/// Returns the value of each position's best move, given the values of all positions, or `None` if nothing changes.
fn better_values(rules: Countable, values: &[i8], smaller: &[Vec<i8>]) -> Option<Vec<i8>> {
    let seeds = (0..).find(|&seeds| positions(seeds) == values.len() as u64)?;
    let brought = |(_, after, taken): (Pit, Rows, u8)| match taken {
        0 => -values[rank(after) as usize],
        _ => taken as i8 - smaller[usize::from(seeds - taken)][rank(after) as usize],
    };
    let best = |number| {
        let rows = unrank(seeds, number);
        let best = rules.successors(rows).moves().map(brought).max();
        best.unwrap_or_else(|| rules.settlement(rows))
    };
    let better: Vec<i8> = (0..positions(seeds)).map(best).collect();
    (better != values).then_some(better)
}
