//! What moves win when both sides go for captures alone: eq. (4) of the paper.

use mancala::game::ayo::{Ayo, Position};
use mancala::game::{Game, Pit};

/// More seeds than a player can win.
const INFINITE: i32 = 1000;

/// What each legal move wins the side to move, `depth` ≥ 1 plies deep: seeds that it captures less those
/// that its opponent does along the best line of both. Seeds that are shared out at the end of a game are no
/// captures. The number of positions entered comes with it.
///
/// The paper counts the other way round, its opponent's captures less its own; so its best is the least.
///
/// ```
/// use arena::player::gains;
/// let position = "0-4-2-1-3-1-1-1-0-1-0-0-17-17-S".parse().unwrap();
/// let (gains, _) = gains(&Default::default(), &position, 4);
/// assert_eq!(gains.iter().map(|&(_, gain)| gain).collect::<Vec<_>>(), [2, 0, 0, 4, 2]);
/// ```
pub fn gains(game: &Ayo, position: &Position, depth: u32) -> (Vec<(Pit, i32)>, u64) {
    let mut nodes = 0;
    let gain =
        |pit| (pit, after_move(game, position, pit, depth, [-INFINITE, INFINITE], &mut nodes));
    let gains = game.moves(position).map(gain).collect();
    (gains, nodes)
}

fn after_move(
    game: &Ayo,
    position: &Position,
    pit: Pit,
    depth: u32,
    [alpha, beta]: [i32; 2],
    nodes: &mut u64,
) -> i32 {
    *nodes += 1;
    let mover = position.to_move();
    let after = game.play(position, pit);
    let captured = i32::from(game.store(&after, mover)) - i32::from(game.store(position, mover));
    captured - best(game, &after, depth - 1, [captured - beta, captured - alpha], nodes)
}

fn best(
    game: &Ayo,
    position: &Position,
    depth: u32,
    [alpha, beta]: [i32; 2],
    nodes: &mut u64,
) -> i32 {
    if depth == 0 || game.ended(position).is_some() {
        return 0;
    }
    let mut best = -INFINITE;
    for pit in game.moves(position) {
        let window = [alpha.max(best), beta];
        best = best.max(after_move(game, position, pit, depth, window, nodes));
        if best >= beta {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use mancala::game::arbitrary::any_position;
    use mancala::laws;

    fn plain(game: &Ayo, position: &Position, depth: u32) -> i32 {
        let mover = position.to_move();
        let moves = game.moves(position).map(|pit| {
            let after = game.play(position, pit);
            let store = |position| i32::from(game.store(position, mover));
            store(&after) - store(position) - plain(game, &after, depth - 1)
        });
        let is_over = depth == 0 || game.ended(position).is_some();
        if is_over { 0 } else { moves.max().unwrap_or(0) }
    }

    laws! {
        #[test]
        fn pruning_changes_no_gain(position in any_position(), depth in 1u32..=5) {
            let game = Ayo::default();
            prop_assume!(game.ended(&position).is_none());
            let (gains, _) = gains(&game, &position, depth);
            let best = gains.iter().map(|&(_, gain)| gain).max();
            prop_assert_eq!(best, Some(plain(&game, &position, depth)));
        }
    }
}
