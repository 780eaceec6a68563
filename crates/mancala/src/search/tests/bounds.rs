//! How many games of a search depend on what is proven of endgames.

use rayon::prelude::*;

use crate::endgame::Bounds;
use crate::endgame::tests::bounds::count;
use crate::endgame::tests::built;
use crate::eval::Weights;
use crate::game::ayo::{Ayo, Position, Rules};
use crate::game::{Game, Record, Side};
use crate::random::{Purpose, one_of, stream};
use crate::search::{Options, Pruning, SearchableGame};

/// The first positions with so many seeds at most in games of a search with itself, as far as games come to one before
/// they are decided. A capture leads to each. Openings are drawn by chance.
fn come_to(rules: Rules, seeds: u8, games: u64) -> Vec<Position> {
    let game = Ayo { rules };
    let weights = Weights::named("standard-0.1").unwrap();
    let searcher = Ayo::searcher(&weights, Options::for_weights(&weights));
    let come_to = |number| {
        let mut dice = stream(2, Purpose::Player, 0, number);
        let mut record = Record::new(game, Side::South);
        while record.ending().is_none() {
            let position = *record.position();
            if count(position.rows()) <= seeds {
                return Some(position);
            }
            let pit = match record.plies().len() {
                0..4 => one_of(game.moves(&position), &mut dice)?,
                _ => searcher.search(&game, &position, 5, Pruning::AlphaBeta, &())?.pit,
            };
            record.play(pit).unwrap();
        }
        None
    };
    (0..games).into_par_iter().filter_map(come_to).collect()
}

/// Of 2,000 games under `ayo`: those that come to ten seeds, and to twelve, undecided, those of them in which the bounds
/// leave open who wins, and those in which the table names another result than the bounds allow.
const DECIDED: [(u8, [usize; 3]); 2] = [(10, [1425, 269, 38]), (12, [1542, 383, 20])];

#[test]
#[ignore = "measures: half a minute of processor time"]
fn so_often_a_game_is_valued_wrongly() {
    let (_folder, tables) = built(Rules::AYO, 12);
    let bounds = Bounds::find(Rules::AYO, 12).unwrap().unwrap();
    for (seeds, decided) in DECIDED {
        let positions = come_to(Rules::AYO, seeds, 2000);
        let mut found = [positions.len(), 0, 0];
        for position in &positions {
            let (lower, upper) = bounds.of(position.rows()).unwrap().into_inner();
            let ahead = tables.difference(position, position.to_move()).unwrap();
            let value = i32::from(tables.probe(position).unwrap());
            let result = |bound: i8| (ahead - value + i32::from(bound)).signum();
            let (least, most) = (result(lower), result(upper));
            found[1] += usize::from(least < most);
            found[2] += usize::from(!(least..=most).contains(&ahead.signum()));
        }
        assert_eq!(found, decided, "{seeds} seeds");
    }
}
