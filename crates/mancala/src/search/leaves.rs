//! Samples of the positions evaluated by a search.

use std::num::NonZeroU64;
use std::sync::Mutex;

use super::{Tree, alpha_beta};
use crate::eval::{Evaluator, Score};
use crate::game::{Ending, Game, Side};

/// A sample that contains every n-th item of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    pub every: NonZeroU64,
    /// The index of the first item in the sample, modulo [`every`](Self::every).
    pub offset: u64,
}

/// Returns a sample of the positions evaluated by [`alpha_beta`] at `depth` ≥ 1 plies, in search order. Positions in
/// which the game has ended and positions in endgame tables are not evaluated.
///
/// If alpha-beta searches several times, the positions of all its searches are counted. Leaves are evaluated one at a
/// time, so this is slower than the search itself.
pub(super) fn leaves<G: Game>(
    tree: Tree<'_, G, impl Evaluator<G>>,
    position: &G::Position,
    depth: u32,
    sample: Sample,
) -> Vec<G::Position> {
    let Tree { game, evaluator, options } = tree;
    let recorder = Recorder { evaluator, sample, seen: Mutex::default() };
    alpha_beta(Tree::new(game, &recorder).with_options(options), position, depth, &());
    recorder.seen.into_inner().expect("the lock is never poisoned").1
}

/// An evaluator that records a sample of the positions passed to it.
struct Recorder<'a, G: Game> {
    evaluator: &'a dyn Evaluator<G>,
    sample: Sample,
    /// The number of positions evaluated so far, and those that are in the sample.
    seen: Mutex<(u64, Vec<G::Position>)>,
}

impl<G: Game> Evaluator<G> for Recorder<'_, G> {
    fn evaluate(&self, position: &G::Position, me: Side) -> Score {
        let (count, taken) = &mut *self.seen.lock().expect("the lock is never poisoned");
        let Sample { every, offset } = self.sample;
        if *count % every == offset % every {
            taken.push(*position);
        }
        *count += 1;
        self.evaluator.evaluate(position, me)
    }

    fn end_value(&self, game: &G, end: &G::Position, ending: Ending, me: Side, ply: u32) -> Score {
        self.evaluator.end_value(game, end, ending, me, ply)
    }

    fn exact_value(&self, position: &G::Position, me: Side, ply: u32) -> Option<Score> {
        self.evaluator.exact_value(position, me, ply)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::tests::any_options;
    use super::super::{Options, Pruning, SearchableGame};
    use super::*;
    use crate::eval::{Quiescence, Weights};
    use crate::game::ayo::{Ayo, Position};
    use crate::laws::prelude::*;

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
        fn leaves_are_at_the_depth_of_the_search(
            position in any_position(), depth in 1u32..5, every in 1..9u64, offset: u64,
            options in any_options(),
        ) {
            let game = Ayo::default();
            let options = Options { quiescence: Quiescence::Off, ..options };
            let searcher = Ayo::searcher(&Weights::named("daoud2004-depth5").unwrap(), options);
            let found = |sample| searcher.leaves(&game, &position, depth, sample);
            let all = found(sample(1, 0));
            let possible = at(&game, &position, depth);
            prop_assert!(all.iter().all(|leaf| possible.contains(leaf)));
            let nodes = searcher.search(&game, &position, depth, Pruning::AlphaBeta, &());
            let nodes = nodes.map_or(0, |found| found.nodes);
            prop_assert!(all.len() as u64 <= nodes);
            // At depth 1 all leaves are evaluated. Two moves may lead to the same position.
            prop_assert!(depth > 1 || all.len() >= possible.len());
            let some = all.iter().skip((offset % every) as usize).step_by(every as usize);
            prop_assert_eq!(found(sample(every, offset)), some.copied().collect::<Vec<_>>());
        }
    }
}
