//! The weights and positions that searches are timed with.

use std::sync::Arc;

use arena::player::{PANEL_SIZE, PlayableGame};
use arena::{OpeningsError, Suite};
use mancala::eval::{Compiled, Linear, Weights, compile};
use mancala::game::GameKind;
use mancala::game::ayo::Position;
use mancala::search::{Options, Searcher};

/// The name of the weights that a game is measured with: of ayo the published ones, of another game the
/// last of its panel.
pub fn measured<G: PlayableGame>(game: G) -> &'static str {
    match game.kind() {
        GameKind::Ayo => WEIGHTS,
        _ => G::PANEL[PANEL_SIZE - 1].0,
    }
}

/// The weights of this name.
pub(super) fn weights<G: PlayableGame>(game: G) -> Weights {
    Weights::named(measured(game)).expect("a name of weights")
}

/// The search with them.
pub(super) fn searcher<G: PlayableGame>(game: G) -> Arc<dyn Searcher<G>> {
    G::searcher(&weights(game), Options::of(game.kind()))
}

/// The positions that are searched. Of ayo they are the [file's](positions). Of another game they are
/// drawn, twenty each after four plies and after twelve, in which neither side is far ahead.
///
/// # Errors
/// If the game has too few.
pub fn suite<G: PlayableGame>(game: G) -> Result<Vec<G::Position>, OpeningsError> {
    if game.kind() == GameKind::Ayo {
        let read = |line| game.read_position(line).expect("a test reads the suite");
        return Ok(lines().map(read).collect());
    }
    let drawn = |plies| Suite::Random { count: 20, plies, seed: 1 }.openings(game);
    let [early, late] = [drawn(4)?, drawn(12)?];
    Ok([early.positions(), late.positions()].concat())
}

/// The named weights that everything is measured with.
pub const WEIGHTS: &str = "daoud2004-depth5";

/// Their evaluator.
pub fn evaluator() -> Linear<true> {
    match Weights::named(WEIGHTS).as_ref().map(compile) {
        Some(Compiled::WithThreats(linear)) => linear,
        _ => unreachable!("named weights in which a1 counts"),
    }
}

static SUITE: &str = include_str!("suite.txt");

/// Forty positions, ten each from the opening, from the middle game, with kroo pits, and from the
/// endgame. `suite.txt` holds them; `ayo openings` reads it too.
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

    /// A kind of positions: its name in the file, the plies at which one is taken and what it is like.
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

    /// The first position of a kind after a drawn number of plies in a game that is played by a
    /// shallow search and, one ply in three, at random.
    fn of_game(kind: usize, attempt: u64) -> Option<Position> {
        let (_, plies, is_it) = KINDS[kind].clone();
        let mut dice = stream(2004, Purpose::Opening, 1 << 32 | kind as u64, attempt);
        let from = dice.random_range(plies.start as u32..plies.end as u32) as usize;
        let game = Ayo::default();
        let evaluator = evaluator();
        let first = Side::BOTH[dice.random_range(0..2u32) as usize];
        let mut record = Record::new(game, first);
        while record.plies().len() < plies.end && record.ending().is_none() {
            let position = record.position();
            let moves = game.moves(position);
            if record.plies().len() >= from && moves.len() > 1 && is_it(position) {
                return Some(*position);
            }
            let pit = if record.plies().len() < 6 || dice.random_range(0..3u32) == 0 {
                one_of(moves, &mut dice).unwrap()
            } else {
                unordered(Tree::new(&game, &evaluator), position, 3).unwrap().pit
            };
            record.play(pit).unwrap();
        }
        None
    }

    /// The file as this module draws it.
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
