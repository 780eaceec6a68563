//! A board packed into two words with one byte per pit, from the perspective of the side to move.

use crate::game::kalah::{EmptyCapture, Kalah, RemainingSeeds};

/// The rows of both players, with the first pit in sowing order in the lowest byte. A pit holds at most 127 seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) mover: u64,
    pub(super) other: u64,
}

pub(super) enum Next {
    /// The game has ended. The number is what the remaining seeds add to the mover's margin.
    End(i32),
    Again(Board),
    /// The opponent is to move. The board is from the opponent's perspective.
    Turn(Board),
}

impl Board {
    pub(super) const EMPTY: Board = Board { mover: 0, other: 0 };

    pub(super) fn start(game: &Kalah) -> Board {
        let seeds = u64::from(game.seeds_per_pit());
        let row = (0..game.pits()).fold(0, |row, _| row << 8 | seeds);
        Board { mover: row, other: row }
    }

    #[inline(always)]
    pub(super) fn seeds(self) -> i32 {
        total(self.mover) + total(self.other)
    }

    #[inline(always)]
    pub(super) fn occupied(self) -> impl DoubleEndedIterator<Item = usize> {
        (0..8).filter(move |pit| byte(self.mover, *pit) > 0)
    }
}

#[inline(always)]
fn byte(row: u64, pit: usize) -> u8 {
    (row >> (8 * pit)) as u8
}

#[inline(always)]
fn total(row: u64) -> i32 {
    (row.wrapping_mul(0x0101_0101_0101_0101) >> 56) as i32
}

#[derive(Clone, Copy, Default)]
struct Sowing {
    mover: u64,
    other: u64,
    home: u8,
    /// The hole where the last seed lands, counted from the mover's first pit.
    last: u8,
}

pub(super) struct Sowings {
    pits: usize,
    rules: (EmptyCapture, RemainingSeeds),
    table: Vec<[Sowing; 128]>,
}

impl Sowings {
    pub(super) fn new(game: &Kalah) -> Sowings {
        let pits = game.pits();
        let of_pit = |pit| std::array::from_fn(|seeds| sowing(pits, pit, seeds));
        let table = (0..pits).map(of_pit).collect();
        Sowings { pits, rules: (game.empty_capture, game.remaining_seeds), table }
    }

    /// Plays a move from a non-empty pit. Returns the mover's gain in seeds and what comes next.
    #[inline(always)]
    pub(super) fn play(&self, board: Board, pit: usize) -> (i32, Next) {
        let sown = &self.table[pit][usize::from(byte(board.mover, pit))];
        let mut mover = (board.mover & !(0xFF << (8 * pit))) + sown.mover;
        let mut other = board.other + sown.other;
        let mut gain = i32::from(sown.home);
        let last = usize::from(sown.last);
        if last < self.pits && byte(mover, last) == 1 {
            let opposite = self.pits - 1 - last;
            let taken = byte(other, opposite);
            if taken > 0 || self.rules.0 == EmptyCapture::On {
                gain += 1 + i32::from(taken);
                mover &= !(0xFF << (8 * last));
                other &= !(0xFF << (8 * opposite));
            }
        }
        let next = if mover == 0 || other == 0 {
            let owned = total(mover) - total(other);
            Next::End(if self.rules.1 == RemainingSeeds::Owner { owned } else { -owned })
        } else if last == self.pits {
            Next::Again(Board { mover, other })
        } else {
            Next::Turn(Board { mover: other, other: mover })
        };
        (gain, next)
    }
}

fn sowing(pits: usize, pit: usize, seeds: usize) -> Sowing {
    let mut sown = Sowing::default();
    let mut at = pit;
    for _ in 0..seeds {
        at = (at + 1) % (2 * pits + 1);
        match at {
            _ if at < pits => sown.mover += 1 << (8 * at),
            _ if at == pits => sown.home += 1,
            _ => sown.other += 1 << (8 * (at - pits - 1)),
        }
    }
    sown.last = at as u8;
    sown
}
