//! Evaluators as a search wants them: nothing to look up, nothing to dispatch on.

use std::fmt;

use super::feature::Feature;
use super::score::Score;
#[cfg(target_arch = "x86_64")]
use super::vector::Lanes;
use super::weights::Weights;
use crate::game::ayo::{Ayo, PITS, Position, last_pit_holds};
use crate::game::{Ending, Game, Pit, PitSet, Side};

/// Values a position for one player, whoever is to move there.
///
/// It need not be antisymmetric: what is good for me by so much need not be as bad for the opponent.
pub trait Evaluator<G: Game>: Sync {
    /// The value of `position` for `me`; below half of [`Score::WIN`] in size.
    fn evaluate(&self, position: &G::Position, me: Side) -> Score;

    /// The value for `me` of a game that ended in `end`, `ply` plies from the root: won or lost, unless
    /// an evaluator knows nothing of that.
    #[inline(always)]
    fn value_end(&self, game: &G, end: &G::Position, ending: Ending, me: Side, ply: u32) -> Score {
        Score::of_end(game.settle(end, ending).verdict, me, ply)
    }

    /// What is known of a position in which the game goes on, `ply` plies from the root, so that a search
    /// need not go on from there. Nothing, unless an evaluator has tables.
    #[inline(always)]
    fn known(&self, _position: &G::Position, _me: Side, _ply: u32) -> Option<Score> {
        None
    }

    /// The last loop of a search, for evaluators that can do better than one leaf at a time. The game
    /// goes on in `position`.
    fn best_leaf(&self, game: &G, position: &G::Position, leaves: &Leaves) -> BestLeaf {
        best_leaf(self, game, position, leaves)
    }
}

/// The leaves below a node.
#[derive(Debug, Clone, Copy)]
pub struct Leaves {
    /// The moves that lead to them: all of the node's.
    pub moves: PitSet,
    /// The move that is likely to be the best.
    pub first: Option<Pit>,
    /// The player at the root of the search, who values them.
    pub me: Side,
    /// Their distance from the root in plies.
    pub ply: u32,
    /// A value up to this one is as good as any lower one.
    pub alpha: Score,
    /// A value from this one on is as good as any higher one.
    pub beta: Score,
}

/// What was found among the leaves below a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestLeaf {
    /// The best value, or one that is beyond the window.
    pub value: Score,
    /// The move that cut the loop short, if one did.
    pub cutting: Option<Pit>,
    /// Leaves that were entered.
    pub entered: u64,
}

/// The loop over leaves, one at a time.
#[inline(always)]
pub(crate) fn best_leaf<G: Game, E: Evaluator<G> + ?Sized>(
    evaluator: &E,
    game: &G,
    position: &G::Position,
    leaves: &Leaves,
) -> BestLeaf {
    let &Leaves { moves, first, me, ply, alpha, beta } = leaves;
    let maximises = game.to_move(position) == me;
    let mut best = if maximises { Score::LOWEST } else { Score::HIGHEST };
    let mut entered = 0;
    // To find the promising ones would cost more than they save so near the end.
    for pit in moves.ordered(first, PitSet::default()) {
        let leaf = game.play(position, pit);
        entered += 1;
        let value = match game.ended(&leaf) {
            Some(ending) => evaluator.value_end(game, &leaf, ending, me, ply),
            None => {
                evaluator.known(&leaf, me, ply).unwrap_or_else(|| evaluator.evaluate(&leaf, me))
            }
        };
        best = if maximises { best.max(value) } else { best.min(value) };
        if if maximises { best >= beta } else { best <= alpha } {
            return BestLeaf { value: best, cutting: Some(pit), entered };
        }
    }
    BestLeaf { value: best, cutting: None, entered }
}

/// A weighted sum over all features, those outside its set weighing nothing. `THREATS` says whether
/// any of a1–a4 counts: they cost more than all the others together.
#[derive(Debug, Clone)]
pub struct Linear<const THREATS: bool> {
    weights: [i32; Feature::ALL.len()],
    #[cfg(target_arch = "x86_64")]
    lanes: Option<Lanes>,
}

impl<const THREATS: bool> Linear<THREATS> {
    fn new(weights: [i32; Feature::ALL.len()]) -> Self {
        Linear {
            #[cfg(target_arch = "x86_64")]
            lanes: Lanes::new(&weights),
            weights,
        }
    }
}

/// The evaluator of some weights, in the form that computes no more than they need.
#[derive(Debug, Clone)]
pub enum Compiled {
    /// Some of a1–a4 count.
    WithThreats(Linear<true>),
    /// None of them does.
    WithoutThreats(Linear<false>),
}

/// Prepares weights for searching.
pub fn compile(weights: &Weights) -> Compiled {
    let mut dense = [0; Feature::ALL.len()];
    for (feature, weight) in weights.features().features().iter().zip(weights.effective()) {
        if let Some(index) = feature.index() {
            dense[index] = weight;
        }
    }
    if dense[..4] == [0; 4] {
        Compiled::WithoutThreats(Linear::new(dense))
    } else {
        Compiled::WithThreats(Linear::new(dense))
    }
}

/// The effective weights that are not zero.
impl<const THREATS: bool> fmt::Display for Linear<THREATS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weighed = Feature::ALL.iter().zip(self.weights).filter(|(_, weight)| *weight != 0);
        let terms: Vec<String> =
            weighed.map(|(f, weight)| format!("{}={weight}", f.name())).collect();
        f.write_str(&terms.join(","))
    }
}

impl<const THREATS: bool> Evaluator<Ayo> for Linear<THREATS> {
    #[inline]
    fn evaluate(&self, position: &Position, me: Side) -> Score {
        let you = me.other();
        let w = &self.weights;
        let (mine, theirs) = (position.row_word(me), position.row_word(you));
        let pits = |index: usize, count: fn(u64) -> i32| {
            w[index] * count(theirs) + w[index + 1] * count(mine)
        };
        let mut sum = pits(4, reaching)
            + pits(6, kroo)
            + w[8] * i32::from(position.store(you))
            + w[9] * i32::from(position.store(me))
            + pits(10, empty)
            + pits(12, weak);
        if THREATS {
            sum += threats(theirs, mine, w[0], w[1]) + threats(mine, theirs, w[2], w[3]);
        }
        Score(sum)
    }

    #[inline]
    fn best_leaf(&self, game: &Ayo, position: &Position, leaves: &Leaves) -> BestLeaf {
        #[cfg(target_arch = "x86_64")]
        if let Some(lanes) = &self.lanes
            && let Some(found) = lanes.best_leaf(game, position, leaves)
        {
            return found;
        }
        best_leaf(self, game, position, leaves)
    }
}

/// One in every byte of a row. Rows hold at most 48 in a byte, so adding up to 79 to each byte sets
/// its high bit exactly when the byte reaches a bound and never carries.
const ONES: u64 = 0x0101_0101_0101;

#[inline]
fn at_least(row: u64, complements: u64) -> i32 {
    ((row + complements) & (0x80 * ONES)).count_ones() as i32
}

/// Pits whose seeds reach the other row: pit `i` needs `6 − i`.
#[inline]
fn reaching(row: u64) -> i32 {
    at_least(row, 0x80 * ONES - 0x0102_0304_0506)
}

#[inline]
fn kroo(row: u64) -> i32 {
    at_least(row, (0x80 - 13) * ONES)
}

#[inline]
fn empty(row: u64) -> i32 {
    PITS as i32 - at_least(row, 0x7F * ONES)
}

#[inline]
fn weak(row: u64) -> i32 {
    at_least(row, 0x7F * ONES) - at_least(row, (0x80 - 3) * ONES)
}

/// `two` for every pit of `from` whose last seed brings a pit of `to` to two, `three` for three.
#[inline]
fn threats(from: u64, to: u64, two: i32, three: i32) -> i32 {
    let worth = |pit| match last_pit_holds(from, to, pit) {
        2 => two,
        3 => three,
        _ => 0,
    };
    (0..PITS).map(worth).sum()
}
