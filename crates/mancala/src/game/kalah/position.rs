//! A position: two rows of pits, a store each, the side to move.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::row::Row;
use super::{EmptyCapture, Kalah, Slot};
use crate::game::{Key, Pit, PitSet, Side};

/// Room for the longest row. Pits that a board does not have stay empty.
const ROOM: usize = Pit::MAX as usize;

/// A position of the game on some board.
///
/// Its text form has the pits of the first player in the order of sowing, its store, the pits and the store
/// of the second player, and the side to move, 1 or 2, joined by `-`. The first
/// player is [`Side::South`].
///
/// ```
/// use mancala::game::kalah::Kalah;
/// let game = Kalah::default();
/// let position = game.position("4-4-0-5-5-5-1-4-4-4-4-4-4-0-1").unwrap();
/// assert_eq!(position.to_string(), "4-4-0-5-5-5-1-4-4-4-4-4-4-0-1");
/// let error = game.position("4-4-0-5-5-5-2-4-4-4-4-4-4-0-1").unwrap_err();
/// assert_eq!(error.to_string(), "the seeds total 49, not 48 as in kalah");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    rows: [Row; 2],
    stores: [u16; 2],
    pits: u8,
    pub(super) to_move: Side,
}

/// Why a text or numbers are no position of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// There are too many fields, or too few.
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
    /// A field is no number of seeds.
    #[error("{field} is \"{value}\", not a number of seeds from 0 to {most}")]
    Number {
        /// Which field.
        field: String,
        /// Its text.
        value: String,
        /// All seeds of the game.
        most: u16,
    },
    /// The seeds do not total those of the game.
    #[error("the seeds total {found}, not {} as in {game}", game.total())]
    Total {
        /// The game.
        game: Kalah,
        /// Their sum.
        found: u32,
    },
    /// The side to move is neither 1 nor 2.
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
        let mut rows = [[0; ROOM]; 2];
        let mut stores = [0; 2];
        for (index, text) in numbers.iter().enumerate() {
            let (side, at) = (index / (self.pits() + 1), index % (self.pits() + 1));
            let seeds = self.number(Side::BOTH[side], at, text)?;
            match rows[side][..self.pits()].get_mut(at) {
                Some(pit) => *pit = seeds,
                None => stores[side] = seeds,
            }
        }
        let total = rows.as_flattened().iter().chain(&stores);
        let found = total.map(|&seeds| u32::from(seeds)).sum();
        if found != u32::from(self.total()) {
            return Err(PositionError::Total { game: *self, found });
        }
        let to_move = match *side {
            "1" => Side::South,
            "2" => Side::North,
            other => return Err(PositionError::Side(other.into())),
        };
        Ok(Position { rows: rows.map(Row::new), stores, pits: self.pits() as u8, to_move })
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
    pub(super) fn start(game: &Kalah, first: Side) -> Position {
        let mut row = [0; ROOM];
        row[..game.pits()].fill(game.seeds_a_pit());
        Position {
            rows: [Row::new(row); 2],
            stores: [0; 2],
            pits: game.pits() as u8,
            to_move: first,
        }
    }

    /// The pits of a side in the order of sowing; those behind [`pits`](Self::pits) are empty.
    #[inline]
    pub fn row(&self, side: Side) -> [u16; ROOM] {
        self.rows[side.index()].pits()
    }

    /// Pits of a side.
    #[inline]
    pub fn pits(&self) -> usize {
        self.pits.into()
    }

    /// The seeds that a side has at home.
    #[inline]
    pub fn store(&self, side: Side) -> u16 {
        self.stores[side.index()]
    }

    /// The seeds in a side's pits.
    #[inline]
    pub fn seeds_in_row(&self, side: Side) -> u16 {
        self.seeds_behind(side, 0)
    }

    /// The seeds in a side's pits from one on.
    #[inline]
    pub fn seeds_behind(&self, side: Side, pit: usize) -> u16 {
        self.rows[side.index()].from(pit).total()
    }

    /// The seeds in the thirds of a side's pits that are farthest from home and nearest to it, with those
    /// between the two in the middle. A third is rounded down, to no pit on boards with one or two.
    ///
    /// ```
    /// use mancala::game::{Game, Side, kalah::Kalah};
    /// let thirds = |pits| Kalah::new(pits, 1).unwrap().start(Side::South).thirds(Side::South);
    /// assert_eq!([6, 5, 2].map(thirds), [[2, 2, 2], [1, 3, 1], [0, 2, 0]]);
    /// ```
    #[inline]
    pub fn thirds(&self, side: Side) -> [u16; 3] {
        let third = self.pits() / 3;
        let behind = |pit| self.seeds_behind(side, pit);
        let (all, rest, near) = (behind(0), behind(third), behind(self.pits() - third));
        [all - rest, rest - near, near]
    }

    /// The side to move.
    #[inline]
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// Whether a side's pits are all empty.
    #[inline]
    pub(super) fn is_bare(&self, side: Side) -> bool {
        self.rows[side.index()] == Row::EMPTY
    }

    /// The pits of a side that hold seeds.
    #[inline]
    pub fn occupied(&self, side: Side) -> PitSet {
        self.rows[side.index()].occupied()
    }

    /// The pits of a side whose last seed ends at home, on the first lap or a later one.
    #[inline]
    pub fn reaching_home(&self, side: Side) -> PitSet {
        let (row, pits) = (&self.rows[side.index()], self.pits());
        self.occupied(side)
            .retain(|pit| row.get(pit.index()) % slots(pits) == (pits - pit.index()) as u16)
    }

    /// Sows from a pit of the side to move, over its own store and past the other, the pit of origin
    /// not skipped, and says where the last seed fell.
    #[inline]
    pub(super) fn sow(&mut self, pit: Pit) -> Slot {
        let (pits, mover) = (self.pits(), self.to_move);
        let [me, you] = [mover, mover.other()].map(Side::index);
        let seeds = self.rows[me].take(pit.index());
        let (laps, rest) = (seeds / slots(pits), usize::from(seeds % slots(pits)));
        if laps > 0 {
            self.rows[me].add(0..pits, laps);
            self.rows[you].add(0..pits, laps);
            self.stores[me] += laps;
        }
        // Slots counted from the mover's first pit: its pits, its home, the other pits, its pits again.
        let end = pit.index() + 1 + rest;
        self.rows[me].add(pit.index() + 1..end.min(pits), 1);
        if end <= pits {
            return Slot::Own(end - 1);
        }
        self.stores[me] += 1;
        if end == pits + 1 {
            return Slot::Home;
        }
        self.rows[you].add(0..pits.min(end - pits - 1), 1);
        if end <= 2 * pits + 1 {
            return Slot::Theirs;
        }
        self.rows[me].add(0..end - 2 * pits - 1, 1);
        Slot::Own(end - 2 * pits - 2)
    }

    /// Takes home the last seed in `pit` of the side to move with those opposite, if the pit was empty
    /// before and the rules have it so.
    #[inline]
    pub(super) fn capture(&mut self, pit: usize, empty: EmptyCapture) {
        let me = self.to_move.index();
        if self.rows[me].get(pit) != 1 {
            return;
        }
        let opposite = self.pits() - 1 - pit;
        let taken = self.rows[1 - me].get(opposite);
        if taken > 0 || empty == EmptyCapture::On {
            self.stores[me] += 1 + taken;
            self.rows[me].take(pit);
            self.rows[1 - me].take(opposite);
        }
    }
}

/// Slots that a side sows round: all but the other side's home.
#[inline(always)]
fn slots(pits: usize) -> u16 {
    2 * pits as u16 + 1
}

impl Position {
    /// All of the position, mixed by this factor.
    #[inline]
    fn mixed(&self, factor: u64) -> u64 {
        let [south, north] = self.stores.map(u64::from);
        let mut mixed = south << 17 | north << 1 | self.to_move.index() as u64;
        for word in self.rows.iter().flat_map(Row::words) {
            mixed = (mixed ^ word).wrapping_mul(factor);
            mixed ^= mixed >> 32;
        }
        mixed
    }

    #[inline]
    pub(super) fn key(&self) -> Key {
        let [place, check] =
            [0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03].map(|it| self.mixed(it));
        Key { place, check }
    }
}

impl Hash for Position {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.mixed(0x9E37_79B9_7F4A_7C15));
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for side in Side::BOTH {
            for seeds in self.row(side)[..self.pits()].iter().chain([&self.stores[side.index()]]) {
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
