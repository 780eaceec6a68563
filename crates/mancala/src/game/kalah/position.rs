//! Kalah positions.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::row::Row;
use super::{EmptyCapture, Kalah, Slot};
use crate::game::notation::{read_seeds, row, wrong_length};
use crate::game::{Hole, Key, Pit, PitSet, Side};
use crate::text::Result;

/// The number of pits in the longest possible row. Shorter rows are padded with empty pits.
const ROOM: usize = Pit::MAX as usize;

/// Two rows of pits, two stores and the side to move.
///
/// The text form lists South's pits in sowing order, South's store, North's pits, North's store, and the side to move
/// (1 for South, 2 for North), joined by `-`.
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

impl Kalah {
    pub fn position(&self, text: &str) -> Result<Position> {
        let pits = self.pits();
        let half = |side| row(side, pits).chain([Hole::Store(side)]);
        let fields = format_args!(
            "of {self} has {} fields joined by \"-\" \
             (first player's pits and store, second player's pits and store, side to move)",
            2 * pits + 3
        );
        let holes = Side::BOTH.into_iter().flat_map(half);
        let (seeds, to_move) = read_seeds(text, holes, self.total(), ["1", "2"], fields)?;
        let (south, north) = seeds.split_at(pits + 1);
        let stores = [south[pits], north[pits]];
        self.position_from(&[&south[..pits], &north[..pits], &stores].concat(), to_move)
    }

    /// Creates a position from the seeds in South's pits, in North's pits and in both stores.
    pub(super) fn position_from(
        &self,
        seeds: &[impl Copy + Into<u16>],
        to_move: Side,
    ) -> Result<Position> {
        let pits = self.pits();
        if seeds.len() != 2 * pits + 2 {
            return Err(wrong_length(seeds.len(), pits));
        }
        let found: u32 = seeds.iter().map(|&seeds| u32::from(seeds.into())).sum();
        if found != u32::from(self.total()) {
            let total = self.total();
            return Err(format!("the seeds total {found}, not {total} as in {self}").into());
        }
        let row = |first: usize| {
            let mut row = [0; ROOM];
            let seeds = seeds[first..].iter().map(|&seeds| seeds.into());
            row[..pits].iter_mut().zip(seeds).for_each(|(pit, seeds)| *pit = seeds);
            Row::new(row)
        };
        let rows = [row(0), row(pits)];
        let stores = [seeds[2 * pits].into(), seeds[2 * pits + 1].into()];
        Ok(Position { rows, stores, pits: pits as u8, to_move })
    }
}

impl Position {
    pub(super) fn start(game: &Kalah, first: Side) -> Position {
        let mut row = [0; ROOM];
        row[..game.pits()].fill(game.seeds_per_pit());
        let (rows, pits) = ([Row::new(row); 2], game.pits() as u8);
        Position { rows, stores: [0; 2], pits, to_move: first }
    }

    /// Returns a side's pits in sowing order. From index [`pits`](Self::pits) on, the pits don't exist and are empty.
    #[inline]
    pub fn row(&self, side: Side) -> [u16; ROOM] {
        self.rows[side.index()].pits()
    }

    #[inline]
    pub fn pits(&self) -> usize {
        self.pits.into()
    }

    #[inline]
    pub fn store(&self, side: Side) -> u16 {
        self.stores[side.index()]
    }

    #[inline]
    pub fn seeds_in_row(&self, side: Side) -> u16 {
        self.seeds_from(side, 0)
    }

    /// Returns the number of seeds in a side's pits from `pit` on.
    #[inline]
    pub fn seeds_from(&self, side: Side, pit: usize) -> u16 {
        self.rows[side.index()].from(pit).total()
    }

    /// Returns the numbers of seeds in the far, middle and near thirds of a row. The outer ones are rounded down.
    #[inline]
    pub fn thirds(&self, side: Side) -> [u16; 3] {
        let third = self.pits() / 3;
        let behind = |pit| self.seeds_from(side, pit);
        let (all, rest, near) = (behind(0), behind(third), behind(self.pits() - third));
        [all - rest, rest - near, near]
    }

    #[inline]
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    #[inline]
    pub(super) fn is_bare(&self, side: Side) -> bool {
        self.rows[side.index()] == Row::EMPTY
    }

    #[inline]
    pub fn occupied(&self, side: Side) -> PitSet {
        self.rows[side.index()].occupied()
    }

    /// Returns the pits from which a side's last seed lands in its own store, possibly after several laps.
    #[inline]
    pub fn ending_in_store(&self, side: Side) -> PitSet {
        let (row, pits) = (&self.rows[side.index()], self.pits());
        self.occupied(side)
            .retain(|pit| row.get(pit.index()) % slots(pits) == (pits - pit.index()) as u16)
    }

    /// Sows the seeds from a pit into all holes except the opponent's store. Returns where the last seed landed.
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
        // We number the holes in this order: the mover's pits and store, the opponent's pits, the mover's pits again.
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

    /// If the last seed fell into an empty `pit`, captures it and the seeds opposite, provided that the rules allow it.
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

/// If a move of at most one lap ends in an empty pit of the mover, returns that pit, and the number of seeds that the
/// move sows into the pit opposite it.
#[inline]
pub(super) fn last_in_empty_pit(
    row: &[u16; ROOM],
    pits: usize,
    from: usize,
) -> Option<(usize, i32)> {
    let seeds = usize::from(row[from]);
    let (lap, end) = (2 * pits + 1, from + seeds);
    let (last, sown) = match () {
        () if seeds == 0 || seeds > lap => return None,
        () if end < pits => (end, 0),
        () if end >= lap => (end - lap, 1),
        () => return None,
    };
    // The last seed of a full lap falls into the origin pit, which has just been emptied.
    (last == from || row[last] == 0).then_some((last, sown))
}

/// Returns how many holes a side sows into (all except the opponent's store).
#[inline(always)]
fn slots(pits: usize) -> u16 {
    2 * pits as u16 + 1
}

impl Position {
    #[inline]
    fn stores_and_side(&self) -> u64 {
        let [south, north] = self.stores.map(u64::from);
        south << 17 | north << 1 | self.to_move.index() as u64
    }

    #[inline]
    fn mixed(&self, mut mixed: u64, factor: u64) -> u64 {
        for word in self.rows.iter().flat_map(Row::words) {
            mixed = (mixed ^ word).wrapping_mul(factor);
            mixed ^= mixed >> 32;
        }
        mixed
    }

    #[inline]
    pub(super) fn key(&self) -> Key {
        // Without the factor, a difference in the rows and one in the stores could cancel out, making the hashes equal.
        let stores = self.stores_and_side();
        let [place, check] = [0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03]
            .map(|factor: u64| self.mixed(stores.wrapping_mul(factor), factor));
        Key { place, check }
    }
}

impl Hash for Position {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Ties between moves are broken by this hash, so changing it would change recorded runs.
        state.write_u64(self.mixed(self.stores_and_side(), 0x9E37_79B9_7F4A_7C15));
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
