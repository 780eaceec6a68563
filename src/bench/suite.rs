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
