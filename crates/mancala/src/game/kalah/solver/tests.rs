//! Compares the solver with a plain search that uses the rules of the game, and with published values.

use std::collections::HashMap;

use super::*;
use crate::game::kalah::{EmptyCapture, Position, RemainingSeeds};
use crate::game::{Game, Side};

fn plain(game: &Kalah, position: &Position, known: &mut HashMap<Position, i32>) -> i32 {
    if let Some(value) = known.get(position) {
        return *value;
    }
    let value = if let Some(ending) = game.ended(position) {
        let [south, north] = game.settle(position, ending).stores.map(i32::from);
        south - north
    } else {
        let values = game.moves(position).map(|pit| game.play(position, pit));
        let values: Vec<i32> = values.map(|next| plain(game, &next, known)).collect();
        let (least, most) = (*values.iter().min().unwrap(), *values.iter().max().unwrap());
        if game.to_move(position) == Side::South { most } else { least }
    };
    known.insert(*position, value);
    value
}

fn solved(game: Kalah, memory: u64) -> ValueBounds {
    Solver::new(game, memory).unwrap().solve(&(), |_| ()).unwrap().unwrap()
}

#[test]
fn values_agree_with_plain_search() {
    for (pits, seeds) in [(1, 1), (1, 5), (1, 24), (2, 1), (2, 5), (3, 2), (4, 1)] {
        for empty in [EmptyCapture::Off, EmptyCapture::On] {
            for remaining_seeds in [RemainingSeeds::Owner, RemainingSeeds::Emptier] {
                let mut game = Kalah::new(pits, seeds).unwrap();
                (game.empty_capture, game.remaining_seeds) = (empty, remaining_seeds);
                let start = game.start(Side::South);
                let expected = plain(&game, &start, &mut HashMap::new());
                assert_eq!(solved(game, 1 << 22).low, expected, "{game}");
            }
        }
    }
}

fn assert_values(game: Kalah, memory: u64, with_empty_capture: i32, without: i32) {
    let with = game.with_empty_capture(EmptyCapture::On);
    assert_eq!(solved(with, memory).low, with_empty_capture, "{game}");
    assert_eq!(solved(game, memory).low, without, "{game}");
}

/// The values with empty capture were published by Irving, Donkers and Uiterwijk (2000).
#[test]
fn published_values() {
    for (pits, seeds, with, without) in [(4, 3, 8, 6), (4, 5, 2, 4), (5, 2, 0, 2), (5, 3, 8, 6)] {
        assert_values(Kalah::new(pits, seeds).unwrap(), 1 << 22, with, without);
    }
}

#[test]
#[ignore = "takes minutes"]
fn values_of_the_default_board() {
    for (seeds, with, without) in [(3, 2, 2), (4, 10, 8)] {
        assert_values(Kalah::new(6, seeds).unwrap(), 1 << 29, with, without);
    }
}

#[test]
fn the_size_of_the_table_does_not_change_the_value() {
    let game = Kalah::new(4, 3).unwrap();
    let [small, large] = [14, 22].map(|bits| solved(game, 1 << bits));
    assert_eq!([small.low, large.low], [6, 6]);
    assert!(small.nodes > large.nodes);
}

#[test]
fn boards_and_memory_are_limited() {
    let refused = |game, memory| Solver::new(game, memory).unwrap_err().to_string();
    assert!(refused(Kalah::new(8, 8).unwrap(), 1 << 30).contains("128 seeds"));
    assert!(refused(Kalah::default(), 1000).contains("1000 bytes"));
    let solver = Solver::new(Kalah::new(8, 7).unwrap(), 1 << 62).unwrap();
    assert!(solver.memory() > 1 << 56 && solver.solve(&(), |_| ()).is_err());
}
