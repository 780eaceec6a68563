//! Comparison with a plain search over the rules of the game and with published values.

use std::collections::HashMap;

use super::*;
use crate::game::kalah::{EmptyCapture, Leftover, Position};
use crate::game::{Game, Side};

/// Returns South's margin by minimax over the rules of the game.
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
        let best = if game.to_move(position) == Side::South {
            values.iter().max()
        } else {
            values.iter().min()
        };
        *best.unwrap()
    };
    known.insert(*position, value);
    value
}

fn solved(game: Kalah) -> i32 {
    Solver::new(game, 1 << 22).unwrap().solve(&(), |_| ()).unwrap().unwrap().value
}

#[test]
fn the_values_are_those_of_plain_search() {
    for (pits, seeds) in
        [(1, 1), (1, 2), (1, 5), (1, 24), (2, 1), (2, 2), (2, 5), (3, 1), (3, 2), (4, 1)]
    {
        for empty in [EmptyCapture::Off, EmptyCapture::On] {
            for leftover in [Leftover::Owner, Leftover::Emptier] {
                let game = Kalah::new(pits, seeds).unwrap();
                let game = game.with_empty_capture(empty).with_leftover(leftover);
                let start = game.start(Side::South);
                let expected = plain(&game, &start, &mut HashMap::new());
                assert_eq!(solved(game), expected, "{game}");
            }
        }
    }
}

/// Pits, seeds, and the value with and without empty capture. With it they are those of Irving, Donkers
/// and Uiterwijk (2000).
#[test]
fn published_values() {
    for (pits, seeds, with, without) in [(4, 3, 8, 6), (4, 5, 2, 4), (5, 2, 0, 2), (5, 3, 8, 6)] {
        let game = Kalah::new(pits, seeds).unwrap();
        assert_eq!(solved(game.with_empty_capture(EmptyCapture::On)), with, "{game}");
        assert_eq!(solved(game), without, "{game}");
    }
}

/// A minute or two each.
#[test]
#[ignore = "takes minutes"]
fn values_of_the_usual_board() {
    for (seeds, with, without) in [(3, 2, 2), (4, 10, 8)] {
        let game = Kalah::new(6, seeds).unwrap();
        let solved =
            |game| Solver::new(game, 1 << 29).unwrap().solve(&(), |_| ()).unwrap().unwrap().value;
        assert_eq!(solved(game.with_empty_capture(EmptyCapture::On)), with, "{game}");
        assert_eq!(solved(game), without, "{game}");
    }
}

#[test]
fn the_size_of_the_table_changes_no_value() {
    let game = Kalah::new(4, 3).unwrap();
    let found = [14, 16, 22]
        .map(|bits| Solver::new(game, 1 << bits).unwrap().solve(&(), |_| ()).unwrap().unwrap());
    assert_eq!(found.map(|solved| solved.value), [6; 3]);
    assert!(found[0].nodes > found[2].nodes);
}

#[test]
fn what_cannot_be_solved() {
    let said = Solver::new(Kalah::new(8, 8).unwrap(), 1 << 30).unwrap_err().to_string();
    assert_eq!(said, "kalah:pits=8,seeds=8 has 128 seeds, boards with up to 127 can be solved");
    let said = Solver::new(Kalah::default(), 1000).unwrap_err().to_string();
    assert_eq!(said, "1000 bytes of memory is too little: 16384 is the least");
    // As much as this there is nowhere.
    let solver = Solver::new(Kalah::new(8, 7).unwrap(), 1 << 62).unwrap();
    assert!(solver.memory() > 1 << 56 && solver.solve(&(), |_| ()).is_err());
}
