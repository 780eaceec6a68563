//! Counting lines of play, the standard check of a move generator.

use super::{Game, PitSet};

/// The number of sequences of exactly `depth` legal moves from `position`. A position where a game
/// has ended is counted when it is reached but has no children.
///
/// ```
/// use mancala::game::{Game, Side, ayo::Ayo, perft};
/// let game = Ayo::default();
/// assert_eq!(perft(&game, &game.start(Side::South), 4), 1014);
/// ```
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => next(game, position).len() as u64,
        // Most of all positions are two plies above the last: these are not worth a call each.
        2 => {
            next(game, position).map(|pit| next(game, &game.play(position, pit)).len() as u64).sum()
        }
        _ => {
            next(game, position).map(|pit| perft(game, &game.play(position, pit), depth - 1)).sum()
        }
    }
}

/// The moves by which a game goes on.
#[inline(always)]
fn next<G: Game>(game: &G, position: &G::Position) -> PitSet {
    let moves = game.moves(position);
    if game.ending(position, moves).is_some() { PitSet::default() } else { moves }
}
