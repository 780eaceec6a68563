//! The weights and positions of the measured searches.

use std::sync::Arc;

use arena::player::{PANEL_SIZE, PlayableGame};
use arena::{OpeningsError, Suite};
use mancala::eval::{FastEvaluator, Linear, Weights, fast_evaluator};
use mancala::game::GameKind;
use mancala::game::ayo::Position;
use mancala::search::{Options, Searcher};

/// Returns the name of the weights: the published ones for ayo, otherwise those of the last opponent in the
/// game's panel.
pub(super) fn weights_name<G: PlayableGame>(game: G) -> &'static str {
    match game.kind() {
        GameKind::Ayo => WEIGHTS,
        _ => G::PANEL[PANEL_SIZE - 1].0,
    }
}

pub(super) fn weights<G: PlayableGame>(game: G) -> Weights {
    Weights::named(weights_name(game)).expect("the name of built-in weights")
}

pub(super) fn searcher<G: PlayableGame>(game: G) -> Arc<dyn Searcher<G>> {
    G::searcher(&weights(game), Options::of(game.kind()))
}

/// Returns the positions to search: those of [`suite.txt`](positions) for ayo, otherwise
/// twenty random positions after four plies and twenty after twelve.
///
/// # Errors
/// If the game has too few such positions.
pub(super) fn suite<G: PlayableGame>(game: G) -> Result<Vec<G::Position>, OpeningsError> {
    if game.kind() == GameKind::Ayo {
        let read = |line| game.read_position(line).expect("the suite is valid");
        return Ok(lines().map(read).collect());
    }
    let drawn = |plies| Suite::Random { count: 20, plies, seed: 1 }.openings(game);
    let [early, late] = [drawn(4)?, drawn(12)?];
    Ok([early.positions(), late.positions()].concat())
}

const WEIGHTS: &str = "daoud2004-depth5";

/// Returns the evaluator of the weights for ayo.
pub fn evaluator() -> Linear<true> {
    match Weights::named(WEIGHTS).as_ref().map(fast_evaluator) {
        Some(FastEvaluator::WithThreats(linear)) => linear,
        _ => unreachable!("named weights in which a1 counts"),
    }
}

static SUITE: &str = include_str!("suite.txt");

/// Returns the forty positions of `suite.txt`: ten each from the opening, the middle game, games with a kroo
/// (a pit with more than twelve seeds), and the endgame. `ayo openings` can read the file too.
pub fn positions() -> Vec<Position> {
    lines().map(|line| line.parse().expect("the suite is valid")).collect()
}

fn lines() -> impl Iterator<Item = &'static str> {
    SUITE.lines().filter(|line| !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::game::ayo::{Ayo, PITS, SEEDS};
    use mancala::game::{Game, Side};

    type Condition = fn(u8, u8) -> bool;

    /// The kinds of positions in the order of the file, each with its heading and a condition.
    const KINDS: [(&str, Condition); 4] = [
        ("# opening", |in_pits, _| in_pits >= 42),
        ("# middle game", |in_pits, largest| (20..38).contains(&in_pits) && largest <= 12),
        ("# kroo", |in_pits, largest| in_pits >= 24 && largest > 12),
        ("# endgame", |in_pits, _| (6..15).contains(&in_pits)),
    ];

    #[test]
    fn the_suite_has_ten_positions_of_each_kind_in_which_games_continue() {
        let game = Ayo::default();
        for (heading, is_of_kind) in KINDS {
            let lines = SUITE.lines().skip_while(|line| *line != heading).skip(1);
            let positions: Vec<Position> = lines.map_while(|line| line.parse().ok()).collect();
            assert_eq!(positions.len(), 10, "{heading}");
            for position in positions {
                let in_pits =
                    SEEDS - Side::BOTH.map(|side| position.store(side)).iter().sum::<u8>();
                let largest = Side::BOTH.iter().flat_map(|&side| position.row(side)).max().unwrap();
                assert!(is_of_kind(in_pits, largest), "{heading} {position}");
                let moves = game.moves(&position);
                assert!((2..=PITS).contains(&moves.len()), "{position}");
                assert_eq!(game.ending(&position, moves), None, "{position}");
            }
        }
        assert_eq!(positions().len(), 40);
    }
}
