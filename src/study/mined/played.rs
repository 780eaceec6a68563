//! Games of a tree, which no specification names.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::tree::Tree;
use evolution::arena::{End, Finished, Openings, play_game};
use evolution::player::{Choice, Minimax, NoChoice, Player};
use mancala::eval::{Evaluator, Score, Weights};
use mancala::game::ayo::{Ayo, Position};
use mancala::game::{Game, Record, Side};
use mancala::progress::{Muted, Progress};
use mancala::search::{self, Limits, Options, alpha_beta};

/// What a seed is worth.
const SEED: i32 = 1000;

/// The seeds that are captured, and those that the tree says will be.
impl Evaluator<Ayo> for Tree {
    fn evaluate(&self, position: &Position, me: Side) -> Score {
        let captured = i32::from(position.store(me)) - i32::from(position.store(me.other()));
        let ahead = (f64::from(SEED) * self.value(position.rows())).round() as i32;
        let mine = if position.to_move() == me { ahead } else { -ahead };
        Score(SEED * captured + mine)
    }
}

/// A search with a tree at its leaves.
struct Climber<'a> {
    tree: &'a Tree,
    game: Ayo,
    depth: u32,
}

impl Player<Ayo> for Climber<'_> {
    fn choose(
        &mut self,
        record: &Record<Ayo>,
        progress: &dyn Progress,
    ) -> Result<Choice, NoChoice> {
        let tree = search::Tree::new(&self.game, self.tree);
        let found = alpha_beta(tree, record.position(), self.depth, progress);
        let found = found.ok_or(NoChoice::Stopped)?;
        let (score, depth) = (Some(found.score), Some(found.depth));
        Ok(Choice { pit: found.pit, score, nodes: found.nodes, depth })
    }

    fn identity(&self) -> String {
        format!("a tree, {} plies", self.depth)
    }
}

/// The games of the tree against weights at equal depth, from each opening twice, the tree first in the even ones.
/// `None` if the progress stopped them, which counts games.
pub(super) fn games(
    tree: &Tree,
    weights: &Weights,
    depth: u32,
    openings: &Openings,
    game: Ayo,
    progress: &dyn Progress,
) -> Option<Vec<Finished>> {
    let of = 2 * openings.positions().len();
    let done = AtomicU64::new(0);
    let one = |index: usize| {
        let opening = openings.positions()[index / 2];
        let mover = game.to_move(&opening);
        let mut climber = Climber { tree, game, depth };
        let mut other = Minimax::<Ayo>::new(weights, Limits::depth(depth), Options::default());
        let is_first = index.is_multiple_of(2);
        let is_south = is_first == (mover == Side::South);
        let mut record = Record::from_position(game, opening);
        let players: [&mut dyn Player<Ayo>; 2] =
            if is_south { [&mut climber, &mut other] } else { [&mut other, &mut climber] };
        let played = play_game(&mut record, players, &Muted(progress))?;
        progress.advance(done.fetch_add(1, Ordering::Relaxed) + 1, of as u64);
        let [south, north] = played.effort;
        debug_assert!(matches!(played.end, End::Rules(_)));
        Some(Finished {
            index,
            pairing: 0,
            opening: opening.to_string(),
            mover,
            line: record.line(),
            end: played.end,
            settlement: played.settlement,
            effort: if is_south { [south, north] } else { [north, south] },
        })
    };
    (0..of).into_par_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::super::example::Example;
    use super::*;
    use evolution::arena::{Suite, Tally};

    /// A tree that knows nothing counts seeds, and plays just as the weights that do.
    #[test]
    fn a_tree_without_questions_plays_as_seeds_do() {
        let tree = Tree::grown(&[Example { rows: [1, 1], value: 0.0 }]);
        let (game, seeds) = (Ayo::default(), Weights::named("seeds").unwrap());
        let openings = Suite::Plies(4).openings(game).unwrap().sample(3, 1);
        let games = games(&tree, &seeds, 3, &openings, game, &()).unwrap();
        for pair in games.chunks(2) {
            assert_eq!(pair[0].line, pair[1].line);
            assert_ne!(pair[0].side_of_first(), pair[1].side_of_first());
        }
        assert_eq!(Tally::of(&games).pairs.estimate().score, 0.5);
    }
}
