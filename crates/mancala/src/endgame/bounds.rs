//! Proven bounds on position values, for rules under which a repetition isn't always worth 0.
//!
//! A side can force a value v in two ways. The first is to get closer with each move to a capture or an end of the game
//! that is worth v. The second is to reach a set of positions that the opponent can't leave without conceding v, and
//! that are each worth v to this side if they're repeated. No position occurs twice on the way there. Positions from
//! before a capture can't recur either, so if play starts just after a capture, as it does whenever a search enters the
//! tables, then it doesn't matter how the position was reached.

use std::cmp::Reverse;
use std::collections::TryReserveError;
use std::mem;
use std::ops::{Range, RangeInclusive};

use super::index::{Rows, next, positions, rank, unrank};
use super::moves::Countable;
use super::solver::zeros;
use crate::game::Pit;
use crate::game::ayo::{Repetition, Rules, total};

/// The seed differences that each side can force, for all positions with up to a given number of seeds.
///
/// ```
/// use mancala::endgame::Bounds;
/// use mancala::game::ayo::Rules;
/// let bounds = Bounds::compute(Rules::AYO, 3)?.expect("rules that have tables");
/// // One seed in the first pit of each row. Whether the opponent gets both depends on the history.
/// assert_eq!(bounds.of([1, 1]), Some(-2..=0));
/// # Ok::<(), std::collections::TryReserveError>(())
/// ```
#[derive(Debug)]
pub struct Bounds {
    rules: Countable,
    /// The layers, indexed by their number of seeds.
    layers: Vec<Layer>,
}

impl Bounds {
    /// Computes the bounds for up to `seeds` seeds. Returns `None` if the rules don't resolve a stalemate by counting
    /// seeds. This takes 4 bytes per position, plus about 30 bytes per position of the layer being solved.
    pub fn compute(rules: Rules, seeds: u8) -> Result<Option<Bounds>, TryReserveError> {
        let Some(rules) = Countable::new(rules) else { return Ok(None) };
        let mut layers = Vec::new();
        for seeds in 0..=seeds {
            layers.push(Layer::solve(rules, seeds, &layers)?);
        }
        Ok(Some(Bounds { rules, layers }))
    }

    /// Returns bounds on what the mover can still gain with perfect play, or `None` if there are too many seeds.
    #[inline]
    pub fn of(&self, rows: Rows) -> Option<RangeInclusive<i8>> {
        let seeds = rows.map(total).iter().sum::<u8>();
        Some(self.layers.get(usize::from(seeds))?.bounds(rank(rows) as usize))
    }

    /// Returns the move in `among` with the best lower bound, or `None` if the position has too many seeds. All moves
    /// in `among` must be legal. Ties go to the move that realises the bound soonest, and then to the lowest pit.
    ///
    /// A side that always plays these moves achieves its lower bound, because each move either captures or brings the
    /// side closer to a capture or to a set of positions that it can safely repeat.
    pub fn best_move(&self, rows: Rows, among: &[Pit]) -> Option<Pit> {
        self.of(rows)?;
        let successors = self.rules.successors(rows);
        let moves = successors.moves().filter(|(pit, ..)| among.contains(pit));
        let best = moves.max_by_key(|&(pit, after, taken)| {
            let seeds = usize::from(after.map(total).iter().sum::<u8>());
            let (layer, number) = (&self.layers[seeds], rank(after) as usize);
            let step = if taken > 0 { 0 } else { layer.steps[number] };
            (taken as i8 - layer.bounds(number).end(), Reverse(step), Reverse(pit.index()))
        });
        best.map(|(pit, ..)| pit)
    }
}

/// The index of the side that can force a value.
type Who = usize;

const MOVER: Who = 0;
const OPPONENT: Who = 1;

/// A value below all others, for a side that isn't yet known to be able to force any value.
const NONE: i8 = i8::MIN;
const UNLIMITED: i8 = i8::MAX;

/// Bounds for all positions with the same number of seeds, computed by retrograde analysis.
///
/// For each v, starting with the largest, we alternate two steps until neither finds another position in which a side
/// can force v. As in the table solver, both steps count how many moves from a position lead to such positions.
/// - *Propagation*, a least fixpoint: a side can force v if one of its own moves, or every move of its opponent, leads
///   to a position in which it can force v.
/// - *Confinement*, a greatest fixpoint: find the largest set of positions that are worth v to a side if repeated, and
///   that the opponent can only leave for positions in which that side can force v. The side can then also force v in
///   all positions of this set.
///
/// A side that can force a value can also force all smaller values, so each position is found only once per side.
#[derive(Debug)]
struct Layer {
    /// The lower and upper bounds for the side to move. They're adjacent in memory because a search reads both.
    bounds: Vec<[i8; 2]>,
    /// The step of the analysis at which each upper bound was found. While the bound stays the same, nobody captures
    /// and the opponent plays its best moves, the step decreases each turn, or stays the same within a confining set.
    steps: Vec<u16>,
}

impl Layer {
    fn solve(rules: Countable, seeds: u8, smaller: &[Layer]) -> Result<Layer, TryReserveError> {
        let mut solver = Solver::begin(rules, seeds, smaller)?;
        let most = seeds as i8;
        // If every seed ends up with one of the sides, then the difference has the same parity as `seeds`.
        let step = match rules.rules().repetition {
            Repetition::OwnRows => 2,
            Repetition::Split => 1,
        };
        for bound in (1 - most..=most).rev().step_by(step) {
            solver.settle(bound);
        }
        let mut bounds = solver.forced;
        for [mover, opponent] in &mut bounds {
            (*mover, *opponent) = ((*mover).max(-most), -(*opponent).max(-most));
        }
        Ok(Layer { bounds, steps: solver.steps })
    }

    #[inline]
    fn bounds(&self, number: usize) -> RangeInclusive<i8> {
        let [least, most] = self.bounds[number];
        least..=most
    }
}

/// The predecessors of each position by non-capturing moves.
struct Predecessors {
    /// For each position, the index in `numbers` at which its predecessors end.
    ends: Vec<u32>,
    numbers: Vec<u32>,
}

impl Predecessors {
    fn find(rules: Countable, seeds: u8, moves: usize) -> Result<Predecessors, TryReserveError> {
        let (mut ends, mut numbers) = (zeros(positions(seeds) as usize)?, Vec::new());
        numbers.try_reserve_exact(moves)?;
        let mut rows = unrank(seeds, 0);
        for end in &mut ends {
            rules.unmoves(rows, |before| numbers.push(rank(before) as u32));
            *end = numbers.len() as u32;
            rows = next(rows);
        }
        Ok(Predecessors { ends, numbers })
    }

    #[inline]
    fn of(&self, number: u32) -> &[u32] {
        &self.numbers[self.places(number)]
    }

    #[inline]
    fn places(&self, number: u32) -> Range<usize> {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        start as usize..self.ends[number] as usize
    }
}

/// The state of the analysis of one layer. Arrays of length two are indexed by [`Who`].
struct Solver {
    before: Predecessors,
    /// The payoff to the side to move if the position repeats.
    repeated: Vec<i8>,
    /// The value that each side can force if the mover captures or the game is over. The mover chooses the capture, so
    /// this is the mover's best capture for itself and the worst one for the opponent.
    captures: Vec<[i8; 2]>,
    /// The number of non-capturing moves for which it isn't yet proven that the opponent can force the bound.
    open: Vec<u8>,
    /// The highest bound that each side is known to be able to force.
    forced: Vec<[i8; 2]>,
    /// 0 for positions outside a side's confining set, or else 1 plus the number of moves that stay in it.
    confined: Vec<[u8; 2]>,
    steps: Vec<u16>,
    step: u16,
    /// Positions that have been found but not yet propagated.
    waiting: Vec<(Who, u32)>,
}

impl Solver {
    fn begin(rules: Countable, seeds: u8, smaller: &[Layer]) -> Result<Solver, TryReserveError> {
        let size = positions(seeds) as usize;
        let (mut repeated, mut open) = (zeros(size)?, zeros(size)?);
        let (mut captures, mut forced) = (zeros(size)?, zeros(size)?);
        forced.fill([NONE; 2]);
        let (mut rows, mut moves) = (unrank(seeds, 0), 0);
        for number in 0..size {
            let successors = rules.successors(rows);
            let end = rules.settlement(rows);
            let (mut best, mut worst) =
                if successors.is_empty() { (end, -end) } else { (NONE, UNLIMITED) };
            for (_, after, taken) in successors.moves() {
                if taken == 0 {
                    open[number] += 1;
                    continue;
                }
                let bounds = smaller[usize::from(seeds - taken)].bounds(rank(after) as usize);
                best = best.max(taken as i8 - bounds.end());
                worst = worst.min(bounds.start() - taken as i8);
            }
            captures[number] = [best, worst];
            let [mine, theirs] = rows.map(|row| total(row) as i8);
            repeated[number] = match rules.rules().repetition {
                Repetition::OwnRows => mine - theirs,
                Repetition::Split => 0,
            };
            moves += usize::from(open[number]);
            rows = next(rows);
        }
        let before = Predecessors::find(rules, seeds, moves)?;
        let (confined, steps, waiting) = (zeros(size)?, zeros(size)?, Vec::new());
        Ok(Solver { before, repeated, captures, open, forced, confined, steps, step: 0, waiting })
    }

    /// Finds all positions in which a side can force the bound.
    fn settle(&mut self, bound: i8) {
        self.step = 0;
        self.decide_by_captures(bound);
        self.propagate(bound);
        while self.confine(bound) && self.propagate(bound) {}
    }

    /// Finds the positions in which a capture or the end of the game is enough to force the bound.
    fn decide_by_captures(&mut self, bound: i8) {
        for number in 0..self.open.len() {
            let [mover, opponent] = self.captures[number];
            if mover >= bound {
                self.record(MOVER, number as u32, bound);
            }
            if self.open[number] == 0 && opponent >= bound {
                self.record(OPPONENT, number as u32, bound);
            }
        }
    }

    /// Records that a side can force the bound. Returns true if this wasn't known before.
    #[inline]
    fn record(&mut self, who: Who, number: u32, bound: i8) -> bool {
        let forced = &mut self.forced[number as usize][who];
        let is_new = *forced == NONE;
        if is_new {
            *forced = bound;
            if who == OPPONENT {
                self.steps[number as usize] = self.step;
            }
            self.waiting.push((who, number));
        }
        is_new
    }

    /// Propagates new positions to their predecessors until none are left. Returns whether any positions were found.
    fn propagate(&mut self, bound: i8) -> bool {
        let mut is_new = false;
        while !self.waiting.is_empty() {
            self.step += 1;
            for (who, number) in mem::take(&mut self.waiting) {
                for place in self.before.places(number) {
                    let before = self.before.numbers[place];
                    let follows = who == OPPONENT || self.closes(before, bound);
                    is_new |= follows && self.record(1 - who, before, bound);
                }
            }
        }
        is_new
    }

    /// Records that one more move lets the opponent force the bound. Returns true if every move now does.
    #[inline]
    fn closes(&mut self, number: u32, bound: i8) -> bool {
        let open = &mut self.open[number as usize];
        *open -= 1;
        *open == 0 && self.captures[number as usize][OPPONENT] >= bound
    }

    /// Finds the positions in which a side can confine its opponent. Returns whether this found any new ones.
    fn confine(&mut self, bound: i8) -> bool {
        self.add_candidates(bound);
        self.remove_leaving();
        self.step += 1;
        for (who, number) in self.all() {
            if self.is_confined(who, number) {
                self.record(who, number, bound);
            }
        }
        !self.waiting.is_empty()
    }

    /// Adds all candidates to the set, and then counts for each of them how many moves stay within the set.
    fn add_candidates(&mut self, bound: i8) {
        for (who, number) in self.all() {
            self.confined[number as usize][who] = self.is_candidate(who, number, bound).into();
        }
        for (who, number) in self.all() {
            if self.is_confined(who, number) {
                for &before in self.before.of(number) {
                    let confined = &mut self.confined[before as usize][1 - who];
                    *confined += u8::from(*confined > 0);
                }
            }
        }
    }

    /// Removes positions in which a side can't keep the game inside the set, until no such positions are left.
    fn remove_leaving(&mut self) {
        let is_left =
            |&(who, number): &_| self.is_confined(who, number) && !self.stays(who, number);
        let mut left: Vec<(Who, u32)> = self.all().filter(is_left).collect();
        left.iter().for_each(|&(who, number)| self.confined[number as usize][who] = 0);
        while let Some((who, number)) = left.pop() {
            let who = 1 - who;
            for place in self.before.places(number) {
                let before = self.before.numbers[place];
                if !self.is_confined(who, before) {
                    continue;
                }
                self.confined[before as usize][who] -= 1;
                if !self.stays(who, before) {
                    self.confined[before as usize][who] = 0;
                    left.push((who, before));
                }
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = (Who, u32)> + use<> {
        let numbers = 0..self.open.len() as u32;
        [MOVER, OPPONENT].into_iter().flat_map(move |who| numbers.clone().map(move |it| (who, it)))
    }

    /// Returns whether `who` might be able to keep the game inside a set of positions that includes this one. We first
    /// put all of these candidates into the set, and then remove those that don't belong to it after all.
    #[inline]
    fn is_candidate(&self, who: Who, number: u32, bound: i8) -> bool {
        let number = number as usize;
        let (repeated, forced) = (self.repeated[number], self.forced[number]);
        let pays = match who {
            MOVER => repeated,
            _ => self.captures[number][OPPONENT].min(-repeated),
        };
        // This side can't reach the bound if the opponent can force a score greater than `-bound`.
        let allowed = -i32::from(forced[1 - who]);
        forced[who] == NONE && pays >= bound && i32::from(bound) <= allowed
    }

    #[inline]
    fn is_confined(&self, who: Who, number: u32) -> bool {
        self.confined[number as usize][who] > 0
    }

    /// Returns whether `who` can keep the game inside the set. When it's `who`'s turn, one move that stays inside is
    /// enough. When it's the opponent's turn, all of the opponent's moves must stay inside.
    #[inline]
    fn stays(&self, who: Who, number: u32) -> bool {
        let number = number as usize;
        let least = if who == MOVER { 1 } else { self.open[number] };
        self.confined[number][who] > least
    }
}
