//! Ayo positions.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use super::sowing::{PITS, ROW, SEEDS, total};
use crate::game::notation::{read_seeds, row};
use crate::game::{Hole, Key, Side};
use crate::text::{Message, Result};

/// A position consists of twelve pits, two stores and the side to move. The total number of seeds is always 48.
///
/// We use the text form of Oware engines with a UCI-like protocol: the pits `A`–`F` and `a`–`f`, South's store, North's
/// store and the side to move, joined by `-`.
///
/// ```
/// use mancala::game::{Side, ayo::Position};
/// let position: Position = "0-1-0-1-0-12-0-1-1-2-3-1-14-12-S".parse().unwrap();
/// assert_eq!(position.row(Side::South), [0, 1, 0, 1, 0, 12]);
/// assert_eq!(position.store(Side::North), 12);
/// let error = "4-4-4-4-4-4-4-4-4-4-4-4-0-1-S".parse::<Position>().unwrap_err();
/// assert_eq!(error.to_string(), "the seeds total 49, not 48");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The row, store and side index of the player to move, packed into a word. Every move swaps `mover` and `other`.
    pub(super) mover: u64,
    pub(super) other: u64,
}

/// The bit offset of the store in the word of a side. The six bytes below hold the pits (see [`super::sowing`]).
pub(super) const STORE: u32 = 48;
/// The bit offset of the side's index (0 for South, 1 for North) in the word of a side.
const OWNER: u32 = 56;

#[inline(always)]
pub(super) fn store_of(half: u64) -> u8 {
    (half >> STORE) as u8
}

impl Position {
    /// Returns the initial position, with four seeds in every pit.
    pub fn start(first: Side) -> Position {
        Position::from_rows([0x0404_0404_0404; 2], [0; 2], first)
    }

    /// Creates a position from South's pits and then North's, in sowing order. Fails if the seeds don't add up to 48.
    #[inline]
    pub fn new(pits: [u8; 2 * PITS], stores: [u8; 2], to_move: Side) -> Result<Self> {
        let sum: u32 = pits.iter().chain(&stores).map(|&n| u32::from(n)).sum();
        if sum != u32::from(SEEDS) {
            return Err(format!("the seeds total {sum}, not {SEEDS}").into());
        }
        let word = |row: &[u8]| row.iter().rev().fold(0, |word, &n| word << 8 | u64::from(n));
        let (south, north) = pits.split_at(PITS);
        Ok(Position::from_rows([word(south), word(north)], stores, to_move))
    }

    #[inline]
    fn from_rows(rows: [u64; 2], stores: [u8; 2], to_move: Side) -> Position {
        let half = |side: Side| {
            let i = side.index();
            rows[i] | u64::from(stores[i]) << STORE | (i as u64) << OWNER
        };
        Position { mover: half(to_move), other: half(to_move.other()) }
    }

    #[inline(always)]
    fn half(&self, side: Side) -> u64 {
        if self.to_move() == side { self.mover } else { self.other }
    }

    pub fn row(&self, side: Side) -> [u8; PITS] {
        let bytes = self.half(side).to_le_bytes();
        std::array::from_fn(|i| bytes[i])
    }

    #[inline]
    pub fn store(&self, side: Side) -> u8 {
        store_of(self.half(side))
    }

    #[inline]
    pub(crate) fn stores(&self) -> [u8; 2] {
        Side::BOTH.map(|side| self.store(side))
    }

    pub fn seeds_in_row(&self, side: Side) -> u8 {
        total(self.half(side))
    }

    /// Returns the stores of the side to move and of its opponent.
    #[inline]
    pub(crate) fn stored(&self) -> [u8; 2] {
        [store_of(self.mover), store_of(self.other)]
    }

    #[inline]
    pub fn to_move(&self) -> Side {
        if self.mover >> OWNER == 0 { Side::South } else { Side::North }
    }

    /// Returns the same position with the other side to move.
    #[must_use]
    pub fn passed(&self) -> Position {
        Position { mover: self.other, other: self.mover }
    }

    /// Multiplies the words of the two sides. The high half of the product depends on both words. If two positions
    /// differ in only one word, their low halves differ too, because neither factor has many trailing zeros.
    #[inline(always)]
    fn product(&self) -> [u64; 2] {
        let product = u128::from(self.mover ^ 0x9E37_79B9_7F4A_7C15)
            * u128::from(self.other ^ 0xD1B5_4A32_D192_ED03);
        [(product >> 64) as u64, product as u64]
    }

    /// `check` is the low half of the product. `place` also depends on the high half, so the hashes are independent.
    #[inline(always)]
    pub(super) fn key(&self) -> Key {
        let [high, low] = self.product();
        Key { place: (high ^ low).wrapping_mul(0x9E37_79B9_7F4A_7C15), check: low }
    }

    /// Returns the rows of the side to move and of its opponent, each as a word with one byte per pit.
    #[inline]
    pub fn rows(&self) -> [u64; 2] {
        [self.mover & ROW, self.other & ROW]
    }

    /// Returns the row of a side as a word with one byte per pit.
    #[inline]
    pub fn row_word(&self, side: Side) -> u64 {
        self.half(side) & ROW
    }
}

impl Hash for Position {
    /// We mix the bits here so that callers can use a fast but weak hasher.
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [high, low] = self.product();
        state.write_u64(high ^ low);
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = Side::BOTH.map(|side| self.row(side));
        for seeds in rows.as_flattened().iter().chain(&self.stores()) {
            write!(f, "{seeds}-")?;
        }
        f.write_str(match self.to_move() {
            Side::South => "S",
            Side::North => "N",
        })
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

impl FromStr for Position {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self> {
        let holes = Side::BOTH.into_iter().flat_map(|side| row(side, PITS));
        let holes = holes.chain(Side::BOTH.map(Hole::Store));
        let fields = "has 15 fields joined by \"-\" (12 pits, 2 stores, side to move)";
        let (seeds, to_move) = read_seeds(text, holes, SEEDS.into(), ["S", "N"], fields)?;
        let pits = std::array::from_fn(|pit| seeds[pit] as u8);
        Position::new(pits, [seeds[12] as u8, seeds[13] as u8], to_move)
    }
}
