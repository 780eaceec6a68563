//! The weights and positions of the measured searches.

use std::sync::Arc;

use arena::player::{PANEL_SIZE, PlayableGame};
use arena::{OpeningsError, Suite};
use mancala::eval::{Compiled, Linear, Weights, compile};
use mancala::game::GameKind;
use mancala::game::ayo::Position;
use mancala::search::{Options, Searcher};

/// Returns the name of the weights: the published ones for ayo, the last of its panel for another game.
pub(super) fn weights_name<G: PlayableGame>(game: G) -> &'static str {
    match game.kind() {
        GameKind::Ayo => WEIGHTS,
        _ => G::PANEL[PANEL_SIZE - 1].0,
    }
}

pub(super) fn weights<G: PlayableGame>(game: G) -> Weights {
    Weights::named(weights_name(game)).expect("a name of weights")
}

pub(super) fn searcher<G: PlayableGame>(game: G) -> Arc<dyn Searcher<G>> {
    G::searcher(&weights(game), Options::of(game.kind()))
}

/// Returns the positions to search: those of the [file](positions) for ayo, for another game twenty random
/// positions after four plies and twenty after twelve.
///
/// # Errors
/// If the game has too few.
pub(super) fn suite<G: PlayableGame>(game: G) -> Result<Vec<G::Position>, OpeningsError> {
    if game.kind() == GameKind::Ayo {
        let read = |line| game.read_position(line).expect("a test reads the suite");
        return Ok(lines().map(read).collect());
    }
    let drawn = |plies| Suite::Random { count: 20, plies, seed: 1 }.openings(game);
    let [early, late] = [drawn(4)?, drawn(12)?];
    Ok([early.positions(), late.positions()].concat())
}

/// The weights for ayo.
const WEIGHTS: &str = "daoud2004-depth5";

/// Returns the evaluator of the weights for ayo.
pub fn evaluator() -> Linear<true> {
    match Weights::named(WEIGHTS).as_ref().map(compile) {
        Some(Compiled::WithThreats(linear)) => linear,
        _ => unreachable!("named weights in which a1 counts"),
    }
}

static SUITE: &str = include_str!("suite.txt");

/// Returns the forty positions of `suite.txt`: ten each from the opening, from the middle game, with kroo
/// pits, and from the endgame. `ayo openings` can read the file too.
pub fn positions() -> Vec<Position> {
    lines().map(|line| line.parse().expect("a test reads the suite")).collect()
}

fn lines() -> impl Iterator<Item = &'static str> {
    SUITE.lines().filter(|line| !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use rand::RngExt;

    use super::*;
    use mancala::game::ayo::{Ayo, PITS, SEEDS};
    use mancala::game::{Game, Record, Side};
    use mancala::random::{Purpose, one_of, stream};
    use mancala::search::{Tree, unordered};

    const EACH: usize = 10;

    /// A kind of positions: its name in the file, its plies and a condition.
    type Kind = (&'static str, std::ops::Range<usize>, fn(&Position) -> bool);

    const KINDS: [Kind; 4] = [
        ("opening", 4..13, |p| in_pits(p) >= 42),
        ("middle game", 16..60, |p| (20..38).contains(&in_pits(p)) && largest(p) <= 12),
        ("kroo", 16..90, |p| in_pits(p) >= 24 && largest(p) > 12),
        ("endgame", 30..150, |p| (6..15).contains(&in_pits(p))),
    ];

    fn in_pits(position: &Position) -> u8 {
        SEEDS - position.store(Side::South) - position.store(Side::North)
    }

    fn largest(position: &Position) -> u8 {
        Side::BOTH.iter().flat_map(|&side| position.row(side)).max().unwrap()
    }

    /// Returns the first position of a kind after a random number of plies, in a game of a shallow search
    /// that plays one ply in three at random.
    fn of_game(kind: usize, attempt: u64) -> Option<Position> {
        let (_, plies, is_kind) = KINDS[kind].clone();
        let mut rng = stream(2004, Purpose::Opening, 1 << 32 | kind as u64, attempt);
        let from = rng.random_range(plies.start as u32..plies.end as u32) as usize;
        let game = Ayo::default();
        let evaluator = evaluator();
        let first = Side::BOTH[rng.random_range(0..2u32) as usize];
        let mut record = Record::new(game, first);
        while record.plies().len() < plies.end && record.ending().is_none() {
            let position = record.position();
            let moves = game.moves(position);
            if record.plies().len() >= from && moves.len() > 1 && is_kind(position) {
                return Some(*position);
            }
            let pit = if record.plies().len() < 6 || rng.random_range(0..3u32) == 0 {
                one_of(moves, &mut rng).unwrap()
            } else {
                unordered(Tree::new(&game, &evaluator), position, 3).unwrap().pit
            };
            record.play(pit).unwrap();
        }
        None
    }

    fn drawn() -> String {
        let mut text = String::from(
            "# Positions that `ayo bench` searches, drawn by the tests of src/bench/suite.rs: from games\n\
             # of a search of three plies in which every third ply or so is random.\n",
        );
        let mut found = Vec::new();
        for (kind, (name, ..)) in KINDS.iter().enumerate() {
            writeln!(text, "# {name}").unwrap();
            let all = found.len() + EACH;
            for attempt in 0.. {
                let fresh = of_game(kind, attempt).filter(|position| !found.contains(position));
                if let Some(position) = fresh {
                    writeln!(text, "{position}").unwrap();
                    found.push(position);
                }
                if found.len() == all {
                    break;
                }
            }
        }
        text
    }

    #[test]
    fn the_suite_is_as_it_was_drawn() {
        let drawn = drawn();
        assert!(SUITE == drawn, "suite.txt should be\n{drawn}");
    }

    #[test]
    fn games_go_on_in_every_position() {
        let game = Ayo::default();
        let positions = positions();
        assert_eq!(positions.len(), KINDS.len() * EACH);
        for position in positions {
            let moves = game.moves(&position);
            assert!((2..=PITS).contains(&moves.len()), "{position}");
            assert_eq!(game.ending(&position, moves), None, "{position}");
        }
    }
}
