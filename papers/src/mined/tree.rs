//! A decision tree that compares the seeds in single pits with constants, and games between players that use it.

use std::sync::atomic::{AtomicU64, Ordering};

use arena::player::{Choice, Minimax, NoChoice, Player};
use arena::{ContestGame, play_game};
use mancala::endgame::Rows;
use mancala::eval::{Evaluator, Score, Weights};
use mancala::game::ayo::{Ayo, PITS, Position};
use mancala::game::{Game, Record, Side};
use mancala::progress::{Progress, Silent};
use mancala::search::{self, Limits, Options, alpha_beta};
use rayon::prelude::*;

use super::Example;

/// The maximum depth of the tree.
const MAX_DEPTH: u32 = 10;

/// The minimum number of training positions per leaf.
const MIN_POSITIONS: usize = 40;

/// Pits with this many seeds or more are treated the same.
const MAX_SEEDS: u8 = 6;

/// An inner node, or a leaf that holds the mean value of its positions.
pub enum Tree {
    Leaf(f64),
    Split { pit: usize, more_than: u8, no: Box<Tree>, yes: Box<Tree> },
}

/// Returns the seeds in a pit, where the pits of the side to move are numbered first.
fn seeds([mover, other]: Rows, pit: usize) -> u8 {
    let (row, at) = if pit < PITS { (mover, pit) } else { (other, pit - PITS) };
    row.to_le_bytes()[at]
}

/// The count, the sum and the sum of squares of some values.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn less(self, other: Sums) -> Sums {
        Sums {
            count: self.count - other.count,
            sum: self.sum - other.sum,
            squares: self.squares - other.squares,
        }
    }

    /// Returns the sum of squared deviations from the mean.
    fn spread(self) -> f64 {
        if self.count == 0.0 { 0.0 } else { self.squares - self.sum * self.sum / self.count }
    }
}

impl Tree {
    /// Grows a tree greedily.
    pub fn grown(examples: &[Example]) -> Tree {
        let mut all: Vec<&Example> = examples.iter().collect();
        grow(&mut all, MAX_DEPTH)
    }

    /// Returns the value that the tree predicts for the side to move.
    pub fn value(&self, rows: Rows) -> f64 {
        match self {
            Tree::Leaf(mean) => *mean,
            Tree::Split { pit, more_than, no, yes } => {
                if seeds(rows, *pit) > *more_than {
                    yes.value(rows)
                } else {
                    no.value(rows)
                }
            }
        }
    }

    pub fn leaves(&self) -> usize {
        match self {
            Tree::Leaf(_) => 1,
            Tree::Split { no, yes, .. } => no.leaves() + yes.leaves(),
        }
    }
}

fn grow(examples: &mut [&Example], depth: u32) -> Tree {
    let mut all = Sums::default();
    examples.iter().for_each(|example| all.add(example.value));
    let mean = all.sum / all.count.max(1.0);
    let split = if depth == 0 { None } else { best_split(examples, all) };
    let Some((pit, more_than)) = split else { return Tree::Leaf(mean) };
    examples.sort_by_key(|example| seeds(example.rows, pit) > more_than);
    let split = examples.partition_point(|example| seeds(example.rows, pit) <= more_than);
    let (no, yes) = examples.split_at_mut(split);
    let [no, yes] = [no, yes].map(|part| Box::new(grow(part, depth - 1)));
    Tree::Split { pit, more_than, no, yes }
}

/// Returns the split that reduces the spread most, or `None` if no split reduces it.
fn best_split(examples: &[&Example], all: Sums) -> Option<(usize, u8)> {
    let mut best = None;
    let mut least = all.spread() * (1.0 - 1e-9);
    for pit in 0..2 * PITS {
        let mut by_seeds = [Sums::default(); MAX_SEEDS as usize + 1];
        for example in examples {
            by_seeds[usize::from(seeds(example.rows, pit).min(MAX_SEEDS))].add(example.value);
        }
        let mut no = Sums::default();
        for more_than in 0..MAX_SEEDS {
            let here = by_seeds[usize::from(more_than)];
            no = Sums {
                count: no.count + here.count,
                sum: no.sum + here.sum,
                squares: no.squares + here.squares,
            };
            let yes = all.less(no);
            let fits = no.count >= MIN_POSITIONS as f64 && yes.count >= MIN_POSITIONS as f64;
            let spread = no.spread() + yes.spread();
            if fits && spread < least {
                least = spread;
                best = Some((pit, more_than));
            }
        }
    }
    best
}

/// The score of one seed.
const SEED: i32 = 1000;

/// Evaluates a position as the captured seeds plus the seeds predicted by the tree.
impl Evaluator<Ayo> for Tree {
    fn evaluate(&self, position: &Position, me: Side) -> Score {
        let captured = i32::from(position.store(me)) - i32::from(position.store(me.other()));
        let ahead = (f64::from(SEED) * self.value(position.rows())).round() as i32;
        let mine = if position.to_move() == me { ahead } else { -ahead };
        Score(SEED * captured + mine)
    }
}

/// A player whose search uses the tree as its evaluator.
struct TreePlayer<'a> {
    tree: &'a Tree,
    game: Ayo,
    depth: u32,
}

impl Player<Ayo> for TreePlayer<'_> {
    fn choose(
        &mut self,
        record: &Record<Ayo>,
        progress: &dyn Progress,
    ) -> Result<Choice, NoChoice> {
        let tree = search::Tree::new(&self.game, self.tree);
        let result = alpha_beta(tree, record.position(), self.depth, progress);
        let result = result.ok_or(NoChoice::Stopped)?;
        let (score, depth) = (Some(result.score), Some(result.depth));
        Ok(Choice { pit: result.pit, score, nodes: result.nodes, depth })
    }

    fn identity(&self) -> String {
        format!("a tree, {} plies", self.depth)
    }
}

/// Plays games between the tree and weights at equal depth. Each opening is played twice, and the tree moves first in
/// games with even indices. Returns `None` if interrupted. Progress counts games.
pub fn games(
    tree: &Tree,
    weights: &Weights,
    depth: u32,
    openings: &[Position],
    game: Ayo,
    progress: &dyn Progress,
) -> Option<Vec<ContestGame>> {
    let of = 2 * openings.len();
    let done = AtomicU64::new(0);
    let one = |index: usize| {
        let opening = openings[index / 2];
        let mover = game.to_move(&opening);
        let mut first = TreePlayer { tree, game, depth };
        let mut other = Minimax::<Ayo>::new(weights, Limits::depth(depth), Options::default());
        let is_first = index.is_multiple_of(2);
        let is_south = is_first == (mover == Side::South);
        let mut record = Record::from_position(game, opening);
        let players: [&mut dyn Player<Ayo>; 2] =
            if is_south { [&mut first, &mut other] } else { [&mut other, &mut first] };
        let played = play_game(&mut record, players, &Silent(progress))?;
        progress.advance(done.fetch_add(1, Ordering::Relaxed) + 1, of as u64);
        Some(ContestGame::new(index, of, &record, played))
    };
    (0..of).into_par_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use arena::{Suite, Tally};

    use super::*;

    /// If values depend on only one pit, one split is enough.
    #[test]
    fn the_deciding_pit_is_found() {
        let examples: Vec<Example> = (0..400u64)
            .map(|n| {
                let rows = [n % 5, ((n % 7) << 8) | (n % 3)];
                Example { rows, value: if n % 7 > 2 { 3.0 } else { -1.0 } }
            })
            .collect();
        let tree = Tree::grown(&examples);
        assert_eq!(tree.leaves(), 2);
        for example in &examples {
            assert!((tree.value(example.rows) - example.value).abs() < 1e-9);
        }
    }

    /// A tree without splits counts only captured seeds.
    #[test]
    fn a_single_leaf_plays_like_seeds() {
        let tree = Tree::grown(&[Example { rows: [1, 1], value: 0.0 }]);
        let (game, seeds) = (Ayo::default(), Weights::named("seeds").unwrap());
        let openings = Suite::Plies(4).sample(game, 3, 1).unwrap();
        let games = games(&tree, &seeds, 3, &openings, game, &()).unwrap();
        for pair in games.chunks(2) {
            assert_eq!(pair[0].line, pair[1].line);
            assert_ne!(pair[0].side_of_first, pair[1].side_of_first);
        }
        assert_eq!(Tally::of(&games).pairs.estimate().score, 0.5);
    }
}
