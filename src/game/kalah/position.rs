//! A position: two rows of pits, a store each, the side to move.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::{EmptyCapture, Kalah, Slot};
use crate::game::{Pit, PitSet, Side};

/// Room for the longest row. Pits that a board does not have stay empty.
const ROOM: usize = Pit::MAX as usize;

/// A position of the game on some board.
///
/// Its text form is that of OpenSpiel-like lists: the pits of the first player in the order of sowing,
/// his store, those of the second, his store, and who is to move, 1 or 2, joined by `-`. The first
/// player is [`Side::South`].
///
/// ```
/// use ayo::game::kalah::Kalah;
/// let game = Kalah::default();
/// let position = game.position("4-4-0-5-5-5-1-4-4-4-4-4-4-0-1").unwrap();
/// assert_eq!(position.to_string(), "4-4-0-5-5-5-1-4-4-4-4-4-4-0-1");
/// let error = game.position("4-4-0-5-5-5-2-4-4-4-4-4-4-0-1").unwrap_err();
/// assert_eq!(error.to_string(), "the seeds total 49, not 48 as in kalah");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    rows: [[u16; ROOM]; 2],
    stores: [u16; 2],
    pits: u8,
    pub(super) to_move: Side,
}

/// Text or numbers that are no position of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// Too many fields, or too few.
    #[error(
        "a position of {game} has {wanted} fields joined by \"-\" \
         (pits and store of the first player, those of the second, side to move), not {found}"
    )]
    Fields {
        /// The game.
        game: Kalah,
        /// How many there should be.
        wanted: usize,
        /// How many there are.
        found: usize,
    },
    /// A field that is no number of seeds.
    #[error("{field} is \"{value}\", not a number of seeds from 0 to {most}")]
    Number {
        /// Which field.
        field: String,
        /// Its text.
        value: String,
        /// All seeds of the game.
        most: u16,
    },
    /// Seeds lost or added.
    #[error("the seeds total {found}, not {} as in {game}", game.total())]
    Total {
        /// The game.
        game: Kalah,
        /// Their sum.
        found: u32,
    },
    /// Neither 1 nor 2.
    #[error("the side to move is \"{0}\", not 1 or 2")]
    Side(String),
}

impl Kalah {
    /// The position of this game that a text describes.
    ///
    /// # Errors
    /// If it has another number of pits or of seeds, or is no position at all.
    pub fn position(&self, text: &str) -> Result<Position, PositionError> {
        let fields: Vec<&str> = text.trim().split('-').collect();
        let (wanted, found) = (2 * self.pits() + 3, fields.len());
        if found != wanted {
            return Err(PositionError::Fields { game: *self, wanted, found });
        }
        let (side, numbers) = fields.split_last().expect("three fields or more");
        let mut position = Position::empty(self.pits());
        for (index, text) in numbers.iter().enumerate() {
            let (side, at) = (index / (self.pits() + 1), index % (self.pits() + 1));
            let seeds = self.number(Side::BOTH[side], at, text)?;
            match position.rows[side][..self.pits()].get_mut(at) {
                Some(pit) => *pit = seeds,
                None => position.stores[side] = seeds,
            }
        }
        let total = position.rows.as_flattened().iter().chain(&position.stores);
        let found = total.map(|&seeds| u32::from(seeds)).sum();
        if found != u32::from(self.total()) {
            return Err(PositionError::Total { game: *self, found });
        }
        position.to_move = match *side {
            "1" => Side::South,
            "2" => Side::North,
            other => return Err(PositionError::Side(other.into())),
        };
        Ok(position)
    }

    fn number(&self, side: Side, at: usize, text: &str) -> Result<u16, PositionError> {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        match text.parse() {
            Ok(seeds) if digits && seeds <= self.total() => Ok(seeds),
            _ => Err(PositionError::Number {
                field: match Pit::new(at as u8).filter(|_| at < self.pits()) {
                    Some(pit) => format!("pit {}", pit.letter(side)),
                    None => format!("{side}'s store"),
                },
                value: text.into(),
                most: self.total(),
            }),
        }
    }
}

impl Position {
    fn empty(pits: usize) -> Position {
        Position { rows: [[0; ROOM]; 2], stores: [0; 2], pits: pits as u8, to_move: Side::South }
    }

    pub(super) fn start(game: &Kalah, first: Side) -> Position {
        let mut position = Position { to_move: first, ..Position::empty(game.pits()) };
        for row in &mut position.rows {
            row[..game.pits()].fill(game.seeds_a_pit());
        }
        position
    }

    /// The pits of a side in the order of sowing.
    #[inline]
    pub fn row(&self, side: Side) -> &[u16] {
        &self.rows[side.index()][..usize::from(self.pits)]
    }

    /// The seeds that a side has at home.
    #[inline]
    pub fn store(&self, side: Side) -> u16 {
        self.stores[side.index()]
    }

    /// The seeds in a side's pits.
    #[inline]
    pub fn seeds_in_row(&self, side: Side) -> u16 {
        self.rows[side.index()].iter().sum()
    }

    /// The side to move.
    #[inline]
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// Whether a side's pits are all empty.
    #[inline]
    pub(super) fn is_bare(&self, side: Side) -> bool {
        self.rows[side.index()] == [0; ROOM]
    }

    /// The pits of a side that hold seeds.
    #[inline]
    pub fn occupied(&self, side: Side) -> PitSet {
        self.pits_where(side, |_, seeds| seeds > 0)
    }

    /// The pits of a side whose last seed ends at home, on the first lap or a later one.
    #[inline]
    pub fn reaching_home(&self, side: Side) -> PitSet {
        let pits = usize::from(self.pits);
        self.pits_where(side, |pit, seeds| {
            pit < pits && usize::from(seeds) % (2 * pits + 1) == pits - pit
        })
    }

    #[inline(always)]
    fn pits_where(&self, side: Side, holds: impl Fn(usize, u16) -> bool) -> PitSet {
        let row = self.rows[side.index()].iter().enumerate();
        PitSet::from_bits(
            row.fold(0, |bits, (pit, &seeds)| bits | u8::from(holds(pit, seeds)) << pit),
        )
    }

    /// Sows from a pit of the side to move, over its own store and past the other, the pit of origin
    /// not skipped, and says where the last seed fell.
    #[inline]
    pub(super) fn sow(&mut self, pit: Pit) -> Slot {
        let (pits, mover) = (usize::from(self.pits), self.to_move);
        let (me, you) = (mover.index(), mover.other().index());
        let mut left = std::mem::take(&mut self.rows[me][pit.index()]);
        let mut from = pit.index() + 1;
        loop {
            let own = from.min(pits)..pits;
            let stop = own.end.min(own.start + usize::from(left));
            for seeds in &mut self.rows[me][own.start..stop] {
                *seeds += 1;
            }
            left -= (stop - own.start) as u16;
            if left == 0 {
                return Slot::Own(stop - 1);
            }
            self.stores[me] += 1;
            left -= 1;
            if left == 0 {
                return Slot::Home;
            }
            let stop = pits.min(usize::from(left));
            for seeds in &mut self.rows[you][..stop] {
                *seeds += 1;
            }
            left -= stop as u16;
            if left == 0 {
                return Slot::Theirs;
            }
            from = 0;
        }
    }

    /// Takes home the last seed in `pit` of the side to move with those opposite, if the pit was empty
    /// before and the rules have it so.
    #[inline]
    pub(super) fn capture(&mut self, pit: usize, empty: EmptyCapture) {
        let me = self.to_move.index();
        let opposite = usize::from(self.pits) - 1 - pit;
        let taken = self.rows[1 - me][opposite];
        if self.rows[me][pit] == 1 && (taken > 0 || empty == EmptyCapture::On) {
            self.stores[me] += 1 + taken;
            self.rows[me][pit] = 0;
            self.rows[1 - me][opposite] = 0;
        }
    }
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let word = |row: &[u16]| row.iter().fold(0, |word, &n| word << 16 | u64::from(n));
        let mut mixed = 0xCBF2_9CE4_8422_2325 ^ self.to_move.index() as u64;
        for half in self.rows.as_flattened().chunks_exact(4).chain([&self.stores[..]]) {
            mixed = (mixed.rotate_left(29) ^ word(half)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        state.write_u64(mixed ^ mixed >> 32);
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for side in Side::BOTH {
            for seeds in self.row(side).iter().chain([&self.stores[side.index()]]) {
                write!(f, "{seeds}-")?;
            }
        }
        f.write_str(match self.to_move {
            Side::South => "1",
            Side::North => "2",
        })
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}
