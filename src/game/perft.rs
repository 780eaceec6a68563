//! Counting lines of play, the standard check of a move generator.

use super::Game;

/// The number of sequences of exactly `depth` legal moves from `position`. A position where a game
/// has ended is counted when it is reached but has no children.
///
/// ```
/// use ayo::game::{Game, Side, ayo::Ayo, perft};
/// let game = Ayo::default();
/// assert_eq!(perft(&game, &game.start(Side::South), 4), 1014);
/// ```
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = game.moves(position);
    if game.ending(position, moves).is_some() {
        return 0;
    }
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.map(|pit| perft(game, &game.play(position, pit), depth - 1)).sum()
}
