//! A search for captures, following eq. (4) of Akinyemi, Longe and Olugbara.

use mancala::eval::{Evaluator, Quiescence, Score};
use mancala::game::ayo::{Ayo, Position};
use mancala::game::{Ending, Side};
use mancala::progress::Progress;
use mancala::search::{MoveValues, Options, Tree, move_values};

/// Searches to `depth` ≥ 1 plies and returns the gain of each legal move. This is the number of seeds that the side to
/// move captures minus the number of seeds that its opponent captures, given best play by both. Seeds that are shared
/// out at the end of a game don't count as captured. Returns `None` if `progress` stopped the search.
///
/// The paper subtracts the player's own captures from the opponent's, so the lowest score is the best one there.
///
/// ```
/// use arena::player::gains;
/// let position = "0-4-2-1-3-1-1-1-0-1-0-0-17-17-S".parse().unwrap();
/// let gains = gains(&Default::default(), &position, 4, &()).unwrap().moves;
/// assert_eq!(gains.iter().map(|(_, gain)| gain.0).collect::<Vec<_>>(), [2, 0, 0, 4, 2]);
/// ```
pub fn gains(
    game: &Ayo,
    position: &Position,
    depth: u32,
    progress: &dyn Progress,
) -> Option<MoveValues> {
    let options = Options { quiescence: Quiescence::Off, ..Options::default() };
    let tree = Tree::new(game, &Stores).with_options(options);
    let mut found = move_values(tree, position, depth, progress);
    let Score(lead) = Stores.evaluate(position, position.to_move());
    found.moves.iter_mut().for_each(|(_, value)| value.0 -= lead);
    (!progress.should_stop()).then_some(found)
}

/// An evaluator that counts the seeds that have been captured so far, even at the end of a game.
struct Stores;

impl Evaluator<Ayo> for Stores {
    fn evaluate(&self, position: &Position, me: Side) -> Score {
        Score(i32::from(position.store(me)) - i32::from(position.store(me.other())))
    }

    fn end_value(&self, _: &Ayo, end: &Position, _: Ending, me: Side, _: u32) -> Score {
        self.evaluate(end, me)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{NoChoice, build};
    use mancala::game::{Game, Record};
    use mancala::laws::StopAfter;
    use mancala::laws::prelude::*;

    fn plain(game: &Ayo, position: &Position, depth: u32) -> i32 {
        if depth == 0 || game.ended(position).is_some() {
            return 0;
        }
        let mover = position.to_move();
        let store = |position: &Position| i32::from(game.store(position, mover));
        let gain = |pit| {
            let after = game.play(position, pit);
            store(&after) - store(position) - plain(game, &after, depth - 1)
        };
        game.moves(position).map(gain).max().unwrap_or(0)
    }

    laws! {
        #[test]
        fn pruning_changes_no_gain(position in any_position(), depth in 1u32..=5) {
            let game = Ayo::default();
            prop_assume!(game.ended(&position).is_none());
            for (pit, Score(gain)) in gains(&game, &position, depth, &()).unwrap().moves {
                let after = game.play(&position, pit);
                let side = position.to_move();
                let captured = i32::from(after.store(side)) - i32::from(position.store(side));
                prop_assert_eq!(gain, captured - plain(&game, &after, depth - 1));
            }
        }
    }

    #[test]
    fn players_by_captures_stop_during_a_move() {
        let record = Record::new(Ayo::default(), Side::South);
        for spec in ["rbh:plies=12", "rbh:plies=12,weights=seeds", "amdf:depth=12,training=current"]
        {
            let progress = StopAfter::polls(2);
            let choice = build(spec).unwrap().choose(&record, &progress);
            assert_eq!(choice, Err(NoChoice::Stopped), "{spec}");
            // A complete search of 12 plies would poll more than a hundred times.
            assert!(progress.count() < 20, "{spec}");
        }
    }
}
