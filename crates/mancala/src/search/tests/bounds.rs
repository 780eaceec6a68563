//! Measures how often the result of a game depends on an unproven endgame value.

use rayon::prelude::*;

use crate::endgame::Bounds;
use crate::endgame::tests::bounds::count;
use crate::endgame::tests::built;
use crate::eval::Weights;
use crate::game::ayo::{Ayo, Position, Rules};
use crate::game::{Game, Record, Side};
use crate::random::{Purpose, choose, stream};
use crate::search::{Options, Pruning, SearchableGame};

/// Plays games with random openings. Returns the first position of each game with at most `seeds` seeds, unless the
/// game ends before that. All of these positions come right after a capture.
fn endgames_of_self_play(rules: Rules, seeds: u8, games: u64) -> Vec<Position> {
    let game = Ayo { rules };
    let weights = Weights::named("standard-0.1").unwrap();
    let searcher = Ayo::searcher(&weights, Options::for_weights(&weights));
    let endgame = |number| {
        let mut rng = stream(2, Purpose::Player, 0, number);
        let mut record = Record::new(game, Side::South);
        while record.ending().is_none() {
            let position = *record.position();
            if count(position.rows()) <= seeds {
                return Some(position);
            }
            let pit = match record.plies().len() {
                0..4 => choose(game.moves(&position), &mut rng)?,
                _ => searcher.search(&game, &position, 5, Pruning::AlphaBeta, &())?.pit,
            };
            record.play(pit).unwrap();
        }
        None
    };
    (0..games).into_par_iter().filter_map(endgame).collect()
}

/// For each number of seeds: the number of games (of 2,000 under `ayo`) that get down to it before they end, the number
/// of these whose bounds allow different results, and the number whose table result is outside the bounds.
const COUNTS: [(u8, [usize; 3]); 2] = [(10, [1425, 269, 38]), (12, [1542, 383, 20])];

#[test]
#[ignore = "a measurement of half a minute"]
fn few_games_depend_on_unproven_values() {
    let (_folder, tables) = built(Rules::AYO, 12);
    let bounds = Bounds::compute(Rules::AYO, 12).unwrap().unwrap();
    for (seeds, counts) in COUNTS {
        let positions = endgames_of_self_play(Rules::AYO, seeds, 2000);
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
        assert_eq!(found, counts, "{seeds} seeds");
    }
}
