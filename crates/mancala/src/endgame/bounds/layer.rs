//! The bounds of one layer, looking backwards.
//!
//! For every v, from the largest down, two steps follow each other until neither finds more positions in which a
//! side is sure of v. Both count, as the solver of the tables does, the moves of a position that lead to such
//! positions.
//!
//! - *Come to.* A side is sure of v where a move of its own leads to a position in which it is, and where all
//!   moves of its opponent do: a least fixpoint.
//! - *Kept in.* So it is in the largest set of positions that would pay it v if repeated, in which it can keep the
//!   opponent or let it out into positions of the first kind only: those without such a move are taken
//!   out of the set until none is left, a greatest fixpoint.
//!
//! What a side is sure of at a larger v it is sure of at a smaller one, so nothing is found twice.

use std::collections::TryReserveError;
use std::mem;
use std::ops::{Range, RangeInclusive};

use super::super::index::{next, positions, rank, unrank};
use super::super::moves::Countable;
use super::super::solver::zeros;
use crate::game::ayo::{Repetition, total};

/// Which side is sure of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Mover,
    Opponent,
}

use Who::{Mover, Opponent};

impl Who {
    const BOTH: [Who; 2] = [Mover, Opponent];

    fn other(self) -> Who {
        match self {
            Mover => Opponent,
            Opponent => Mover,
        }
    }
}

/// A value for each position, by number, for one side and the other.
type ByWho = [Vec<i8>; 2];

/// Less than any value.
const NOTHING: i8 = i8::MIN;
/// More than any value.
const EVERYTHING: i8 = i8::MAX;

/// What each side is sure of in the positions of a layer.
#[derive(Debug)]
pub(super) struct Layer {
    /// The least and the most for the side to move. A search looks up both, so they stand together.
    bounds: Vec<[i8; 2]>,
    /// The step at which the solver found that the opponent of the side to move is sure of its bound.
    steps: Vec<u16>,
}

impl Layer {
    pub(super) fn solve(
        rules: Countable,
        seeds: u8,
        smaller: &[Layer],
    ) -> Result<Layer, TryReserveError> {
        let mut solver = Solver::begin(rules, seeds, smaller)?;
        let most = seeds as i8;
        // Where all seeds are somebody's in the end, a difference is as odd as their number.
        let step = match rules.rules().repetition() {
            Repetition::OwnRows => 2,
            Repetition::Split => 1,
        };
        for bound in (1 - most..=most).rev().step_by(step) {
            solver.settle(bound);
        }
        let Solver { sure: [mover, opponent], steps, .. } = solver;
        let mut bounds: Vec<[i8; 2]> = zeros(mover.len())?;
        for (bounds, sure) in bounds.iter_mut().zip(mover.into_iter().zip(opponent)) {
            *bounds = [sure.0.max(-most), -sure.1.max(-most)];
        }
        Ok(Layer { bounds, steps })
    }

    #[inline]
    pub(super) fn bounds(&self, number: usize) -> RangeInclusive<i8> {
        let [least, most] = self.bounds[number];
        least..=most
    }

    /// How late it was found that the opponent of the side to move is sure of its bound. Where it is sure of the same
    /// bound one turn later, that was found earlier, or at the same step if the position is one of a set that it
    /// keeps the side to move in.
    #[inline]
    pub(super) fn step(&self, number: usize) -> u16 {
        self.steps[number]
    }
}

/// The positions from which a move without a capture leads to each one, by number.
struct Before {
    /// Where those of each position end.
    ends: Vec<u32>,
    numbers: Vec<u32>,
}

impl Before {
    fn find(rules: Countable, seeds: u8, moves: usize) -> Result<Before, TryReserveError> {
        let (mut ends, mut numbers) = (zeros(positions(seeds) as usize)?, Vec::new());
        numbers.try_reserve_exact(moves)?;
        let mut rows = unrank(seeds, 0);
        for end in &mut ends {
            rules.unmoves(rows, |before| numbers.push(rank(before) as u32));
            *end = numbers.len() as u32;
            rows = next(rows);
        }
        Ok(Before { ends, numbers })
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

struct Solver {
    before: Before,
    /// What a repetition pays the side to move.
    repeated: Vec<i8>,
    /// What the captures, or the end of the game, make a side sure of: the best one of its own, the worst one of
    /// its opponent's.
    captures: ByWho,
    /// Moves without a capture after which the opponent is not yet sure of the bound.
    open: Vec<u8>,
    /// The largest bound found so far that a side is sure of.
    sure: ByWho,
    /// 0 for positions outside the set in which a side may be kept, and for the others one more than the moves that
    /// stay in it.
    kept: [Vec<u8>; 2],
    /// The step at which it was found that the opponent of the side to move is sure of its bound.
    steps: Vec<u16>,
    /// The present step.
    step: u16,
    /// Positions found at it, and not yet looked at backwards.
    waiting: Vec<(Who, u32)>,
}

impl Solver {
    /// Looks at every position forwards.
    fn begin(rules: Countable, seeds: u8, smaller: &[Layer]) -> Result<Solver, TryReserveError> {
        let size = positions(seeds) as usize;
        let (mut repeated, mut open) = (zeros(size)?, zeros(size)?);
        let (mut captures, mut sure) = ([zeros(size)?, zeros(size)?], [zeros(size)?, zeros(size)?]);
        sure.iter_mut().for_each(|sure| sure.fill(NOTHING));
        let (mut rows, mut moves) = (unrank(seeds, 0), 0);
        for number in 0..size {
            let outlook = rules.outlook(rows);
            let end = rules.settlement(rows);
            let (mut best, mut worst) =
                if outlook.is_over() { (end, -end) } else { (NOTHING, EVERYTHING) };
            for (after, taken) in outlook.moves() {
                if taken == 0 {
                    open[number] += 1;
                    continue;
                }
                let after_it = smaller[usize::from(seeds - taken)].bounds(rank(after) as usize);
                best = best.max(taken as i8 - after_it.end());
                worst = worst.min(after_it.start() - taken as i8);
            }
            captures[Mover as usize][number] = best;
            captures[Opponent as usize][number] = worst;
            let [mine, theirs] = rows.map(|row| total(row) as i8);
            repeated[number] = match rules.rules().repetition() {
                Repetition::OwnRows => mine - theirs,
                Repetition::Split => 0,
            };
            moves += usize::from(open[number]);
            rows = next(rows);
        }
        let before = Before::find(rules, seeds, moves)?;
        let (kept, steps, waiting) = ([zeros(size)?, zeros(size)?], zeros(size)?, Vec::new());
        Ok(Solver { before, repeated, captures, open, sure, kept, steps, step: 0, waiting })
    }

    /// Finds all positions in which a side is sure of the bound.
    fn settle(&mut self, bound: i8) {
        self.step = 0;
        self.capture(bound);
        self.come_to(bound);
        while self.keep_in(bound) && self.come_to(bound) {}
    }

    /// Finds what captures and ends make a side sure of, where no move is left that is neither.
    fn capture(&mut self, bound: i8) {
        for number in 0..self.open.len() {
            if self.captures[Mover as usize][number] >= bound {
                self.find(Mover, number as u32, bound);
            }
            if self.open[number] == 0 && self.captures[Opponent as usize][number] >= bound {
                self.find(Opponent, number as u32, bound);
            }
        }
    }

    /// Returns whether that was not known.
    #[inline]
    fn find(&mut self, who: Who, number: u32, bound: i8) -> bool {
        let sure = &mut self.sure[who as usize][number as usize];
        let is_new = *sure == NOTHING;
        if is_new {
            *sure = bound;
            if who == Opponent {
                self.steps[number as usize] = self.step;
            }
            self.waiting.push((who, number));
        }
        is_new
    }

    /// Looks backwards from the positions that wait, until nothing follows any more. Returns whether anything did.
    fn come_to(&mut self, bound: i8) -> bool {
        let mut came = false;
        while !self.waiting.is_empty() {
            self.step += 1;
            for (who, number) in mem::take(&mut self.waiting) {
                for place in self.before.places(number) {
                    let before = self.before.numbers[place];
                    let follows = who == Opponent || self.closes(before, bound);
                    came |= follows && self.find(who.other(), before, bound);
                }
            }
        }
        came
    }

    /// Counts one more move of a position after which the opponent is sure of the bound. Returns whether it then is
    /// before the move too.
    #[inline]
    fn closes(&mut self, number: u32, bound: i8) -> bool {
        let open = &mut self.open[number as usize];
        *open -= 1;
        *open == 0 && self.captures[Opponent as usize][number as usize] >= bound
    }

    /// Finds the positions that a side can keep its opponent in. Returns whether there are any.
    fn keep_in(&mut self, bound: i8) -> bool {
        self.suppose(bound);
        self.take_out();
        self.step += 1;
        for (who, number) in self.all() {
            if self.is_kept(who, number) {
                self.find(who, number, bound);
            }
        }
        !self.waiting.is_empty()
    }

    /// Begins with all positions that may be in the set, and counts the moves of each that stay in it.
    fn suppose(&mut self, bound: i8) {
        for (who, number) in self.all() {
            self.kept[who as usize][number as usize] = self.may_keep(who, number, bound).into();
        }
        for (who, number) in self.all() {
            if self.is_kept(who, number) {
                for &before in self.before.of(number) {
                    let kept = &mut self.kept[who.other() as usize][before as usize];
                    *kept += u8::from(*kept > 0);
                }
            }
        }
    }

    /// Takes the positions out of the set that it is left from, until none is.
    fn take_out(&mut self) {
        let is_left = |&(who, number): &_| self.is_kept(who, number) && !self.stays(who, number);
        let mut left: Vec<(Who, u32)> = self.all().filter(is_left).collect();
        left.iter().for_each(|&(who, number)| self.kept[who as usize][number as usize] = 0);
        while let Some((who, number)) = left.pop() {
            let who = who.other();
            for place in self.before.places(number) {
                let before = self.before.numbers[place];
                if !self.is_kept(who, before) {
                    continue;
                }
                self.kept[who as usize][before as usize] -= 1;
                if !self.stays(who, before) {
                    self.kept[who as usize][before as usize] = 0;
                    left.push((who, before));
                }
            }
        }
    }

    /// All positions, seen by either side.
    fn all(&self) -> impl Iterator<Item = (Who, u32)> + use<> {
        let numbers = 0..self.open.len() as u32;
        Who::BOTH.into_iter().flat_map(move |who| numbers.clone().map(move |number| (who, number)))
    }

    /// Whether a side might be sure of the bound here by keeping the opponent in a set.
    #[inline]
    fn may_keep(&self, who: Who, number: u32, bound: i8) -> bool {
        let of = |values: &ByWho, who: Who| values[who as usize][number as usize];
        let repeated = self.repeated[number as usize];
        let (pays, captures) = match who {
            Mover => (repeated, EVERYTHING),
            Opponent => (-repeated, of(&self.captures, Opponent)),
        };
        // If the other side is sure of more than the bound leaves it, this one is not.
        let allowed = -i32::from(of(&self.sure, who.other()));
        of(&self.sure, who) == NOTHING && pays.min(captures) >= bound && i32::from(bound) <= allowed
    }

    #[inline]
    fn is_kept(&self, who: Who, number: u32) -> bool {
        self.kept[who as usize][number as usize] > 0
    }

    /// Whether a position of the set has moves that stay in it, as many as it must.
    #[inline]
    fn stays(&self, who: Who, number: u32) -> bool {
        let number = number as usize;
        let least = match who {
            Mover => 1,
            Opponent => self.open[number],
        };
        self.kept[who as usize][number] > least
    }
}
