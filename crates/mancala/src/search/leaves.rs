//! The positions that a search values.

use std::num::NonZeroU64;
use std::sync::Mutex;

use super::{Options, Tree, alpha_beta};
use crate::eval::{Evaluator, Score};
use crate::game::{Ending, Game, Side};

/// One in so many of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// The distance from one that is taken to the next.
    pub every: NonZeroU64,
    /// How many come before the first that is taken; those beyond [`every`](Self::every) are taken off.
    pub offset: u64,
}

impl Sample {
    /// Whether the one of this number, counted from 0, is taken.
    fn takes(self, number: u64) -> bool {
        number % self.every == self.offset % self.every
    }
}

/// A sample of the positions that [`alpha_beta`] values, `depth` ≥ 1 plies deep, in the order in which it
/// comes to them. Those in which the game has ended or which tables know are not valued.
///
/// From the depth on that deepens and asks again, they are those of all its searches. An evaluator that values
/// leaves together is asked for one at a time here, so this is slower than the search, which it follows move
/// for move.
pub(super) fn leaves<G: Game>(
    game: &G,
    evaluator: &dyn Evaluator<G>,
    options: Options,
    position: &G::Position,
    depth: u32,
    sample: Sample,
) -> Vec<G::Position> {
    let seen = Mutex::new(Seen { count: 0, taken: Vec::new() });
    let watched = Watched { evaluator, sample, seen };
    alpha_beta(Tree::new(game, &watched).with(options), position, depth, &());
    watched.seen.into_inner().expect("nothing panics with it").taken
}

/// An evaluator that keeps some of the positions that it is asked for.
struct Watched<'a, G: Game> {
    evaluator: &'a dyn Evaluator<G>,
    sample: Sample,
    seen: Mutex<Seen<G::Position>>,
}

struct Seen<P> {
    count: u64,
    taken: Vec<P>,
}

impl<G: Game> Evaluator<G> for Watched<'_, G> {
    fn evaluate(&self, position: &G::Position, me: Side) -> Score {
        let mut seen = self.seen.lock().expect("nothing panics with it");
        if self.sample.takes(seen.count) {
            seen.taken.push(*position);
        }
        seen.count += 1;
        self.evaluator.evaluate(position, me)
    }

    fn value_end(&self, game: &G, end: &G::Position, ending: Ending, me: Side, ply: u32) -> Score {
        self.evaluator.value_end(game, end, ending, me, ply)
    }

    fn known(&self, position: &G::Position, me: Side, ply: u32) -> Option<Score> {
        self.evaluator.known(position, me, ply)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::super::tests::any_options;
    use super::*;
    use crate::eval::{Quiescence, Sum, Weights};
    use crate::game::arbitrary::any_position;
    use crate::game::ayo::{Ayo, Position};
    use crate::laws;

    /// The unfinished positions so many plies from one.
    fn at(game: &Ayo, position: &Position, plies: u32) -> HashSet<Position> {
        if game.ended(position).is_some() {
            return HashSet::new();
        }
        match plies {
            0 => [*position].into(),
            _ => {
                let children = game.moves(position).map(|pit| game.play(position, pit));
                children.flat_map(|child| at(game, &child, plies - 1)).collect()
            }
        }
    }

    fn sample(every: u64, offset: u64) -> Sample {
        Sample { every: NonZeroU64::new(every).unwrap(), offset }
    }

    laws! {
        #[test]
        fn leaves_are_what_a_search_enters_last(
            position in any_position(), depth in 1u32..5, every in 1..9u64, offset: u64,
            options in any_options(),
        ) {
            let game = Ayo::default();
            let sum = Sum::<Ayo>::new(&Weights::named("daoud2004-depth5").unwrap());
            let options = Options { quiescence: Quiescence::Off, ..options };
            let found = |sample| leaves(&game, &sum, options, &position, depth, sample);
            let all = found(sample(1, 0));
            let possible = at(&game, &position, depth);
            prop_assert!(all.iter().all(|leaf| possible.contains(leaf)));
            let nodes = alpha_beta(Tree::new(&game, &sum).with(options), &position, depth, &());
            let nodes = nodes.map_or(0, |found| found.nodes);
            prop_assert!(all.len() as u64 <= nodes);
            // All of them one ply deep, except that two moves may lead to one position.
            prop_assert!(depth > 1 || all.len() >= possible.len());
            let some = all.iter().skip((offset % every) as usize).step_by(every as usize);
            prop_assert_eq!(found(sample(every, offset)), some.copied().collect::<Vec<_>>());
        }
    }
}
