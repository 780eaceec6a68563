//! A tree of yes-no questions on atomic features: whether a pit holds more than so many seeds.

use super::example::Example;
use mancala::endgame::Rows;
use mancala::game::ayo::PITS;

/// Questions in a row, at most.
const DEPTH: u32 = 10;

/// Positions that a leaf stands for, at least.
const FEWEST: usize = 40;

/// Most seeds that a question asks about.
const MOST: u8 = 6;

/// A question, or the mean of what is left.
pub(super) enum Tree {
    Leaf(f64),
    Asks { pit: usize, more_than: u8, no: Box<Tree>, yes: Box<Tree> },
}

/// The seeds of a pit: those of the side to move first.
fn seeds([mover, other]: Rows, pit: usize) -> u8 {
    let (row, at) = if pit < PITS { (mover, pit) } else { (other, pit - PITS) };
    row.to_le_bytes()[at]
}

/// Count, sum and sum of squares.
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

    /// The squared differences from the mean.
    fn spread(self) -> f64 {
        if self.count == 0.0 { 0.0 } else { self.squares - self.sum * self.sum / self.count }
    }
}

impl Tree {
    /// The tree that explains most of the values, question by question.
    pub(super) fn grown(examples: &[Example]) -> Tree {
        let mut all: Vec<&Example> = examples.iter().collect();
        grow(&mut all, DEPTH)
    }

    /// What it says of a position.
    pub(super) fn value(&self, rows: Rows) -> f64 {
        match self {
            Tree::Leaf(mean) => *mean,
            Tree::Asks { pit, more_than, no, yes } => {
                if seeds(rows, *pit) > *more_than {
                    yes.value(rows)
                } else {
                    no.value(rows)
                }
            }
        }
    }

    /// How many classes of positions it tells apart.
    pub(super) fn leaves(&self) -> usize {
        match self {
            Tree::Leaf(_) => 1,
            Tree::Asks { no, yes, .. } => no.leaves() + yes.leaves(),
        }
    }
}

fn grow(examples: &mut [&Example], depth: u32) -> Tree {
    let mut all = Sums::default();
    examples.iter().for_each(|it| all.add(it.value));
    let mean = all.sum / all.count.max(1.0);
    let question = if depth == 0 { None } else { best(examples, all) };
    let Some((pit, more_than)) = question else { return Tree::Leaf(mean) };
    examples.sort_by_key(|it| seeds(it.rows, pit) > more_than);
    let split = examples.partition_point(|it| seeds(it.rows, pit) <= more_than);
    let (no, yes) = examples.split_at_mut(split);
    let [no, yes] = [no, yes].map(|part| Box::new(grow(part, depth - 1)));
    Tree::Asks { pit, more_than, no, yes }
}

/// The question whose answers leave the least spread, if it leaves less than there is.
fn best(examples: &[&Example], all: Sums) -> Option<(usize, u8)> {
    let mut found = None;
    let mut least = all.spread() * (1.0 - 1e-9);
    for pit in 0..2 * PITS {
        let mut by_seeds = [Sums::default(); MOST as usize + 1];
        for it in examples {
            by_seeds[usize::from(seeds(it.rows, pit).min(MOST))].add(it.value);
        }
        let mut no = Sums::default();
        for more_than in 0..MOST {
            let here = by_seeds[usize::from(more_than)];
            no = Sums {
                count: no.count + here.count,
                sum: no.sum + here.sum,
                squares: no.squares + here.squares,
            };
            let yes = all.less(no);
            let fits = no.count >= FEWEST as f64 && yes.count >= FEWEST as f64;
            let spread = no.spread() + yes.spread();
            if fits && spread < least {
                least = spread;
                found = Some((pit, more_than));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that one pit decides are found by one question.
    #[test]
    fn what_a_pit_decides_is_found() {
        let examples: Vec<Example> = (0..400u64)
            .map(|n| {
                let rows = [n % 5, ((n % 7) << 8) | (n % 3)];
                Example { rows, value: if n % 7 > 2 { 3.0 } else { -1.0 } }
            })
            .collect();
        let tree = Tree::grown(&examples);
        assert_eq!(tree.leaves(), 2);
        for it in &examples {
            assert!((tree.value(it.rows) - it.value).abs() < 1e-9);
        }
    }
}
