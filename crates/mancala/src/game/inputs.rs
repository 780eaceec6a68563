//! Encodes positions as inputs of learned layers.

use super::{Featured, Owner, Side};

/// The largest number of groups in any game.
pub const MAX_GROUPS: usize = 24;

/// The fraction of all seeds that are still on the board, in 48ths. In ayo, each 48th is one seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material(u8);

impl Material {
    /// The number of parts in a full board.
    pub const PARTS: u8 = 48;
    /// The number of distinct values.
    pub const COUNT: usize = Self::PARTS as usize + 1;

    /// Computes `on_board` as a fraction of `all`, rounded down, or 0 if there are no seeds.
    #[inline]
    pub fn new(on_board: u32, all: u32) -> Material {
        let parts = on_board.min(all) * u32::from(Self::PARTS) / all.max(1);
        Material(parts as u8)
    }

    /// Returns all values, from an empty board to a full one.
    pub fn all() -> impl Iterator<Item = Material> {
        (0..=Self::PARTS).map(Material)
    }

    /// Returns the fraction in 48ths, from 0 to [`PARTS`](Self::PARTS).
    #[inline]
    pub fn parts(self) -> usize {
        self.0.into()
    }
}

/// The quantity encoded by the rows of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InputKind {
    /// The seeds in the pit with this index. Row n is active for n seeds; the last row is also active for more.
    Pit(u8),
    /// The seeds in a store, encoded like those in a pit.
    Store,
    /// The set of pits that have the property described by the string, as a bit mask.
    Pits(&'static str),
    /// The seeds m and n in this pit and the next, both below [`PAIRED`]: row `m + PAIRED · n`.
    Pair(u8),
}

/// The number of different contents of a pit in a [`Pair`](InputKind::Pair).
pub const PAIRED: usize = 12;

/// A group of input rows, at most one of which is active.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    pub owner: Owner,
    pub kind: InputKind,
    /// The number of the first row, counted across all groups.
    pub first: u16,
    pub rows: u16,
}

impl Group {
    /// Returns a readable name, such as `my pit 1`, `their store` or `my pits that make 2`.
    pub fn name(&self) -> String {
        let whose = match self.owner {
            Owner::Mine => "my",
            Owner::Theirs => "their",
        };
        match self.kind {
            InputKind::Pit(pit) => format!("{whose} pit {}", pit + 1),
            InputKind::Store => format!("{whose} store"),
            InputKind::Pits(what) => format!("{whose} pits that {what}"),
            InputKind::Pair(pit) => format!("{whose} pits {} and {}", pit + 1, pit + 2),
        }
    }
}

/// A game whose positions can be encoded as inputs of a learned layer: groups of rows with at most one active row each.
/// The encoding is from the perspective of the side to move, so swapping the sides does not change it.
///
/// The rows are the same for all boards and rules of a game. Pits that a smaller board lacks have no active row.
///
/// ```
/// use mancala::game::{Encoded, Game, MAX_GROUPS, Side, ayo::Ayo};
/// let groups = Ayo::groups();
/// assert_eq!((groups.len(), Ayo::rows()), (24, 1458));
/// let mut rows = [0; MAX_GROUPS];
/// let count = Ayo::active(&Ayo::default().start(Side::South), &mut rows);
/// // Four seeds in my first pit, four in my second …
/// assert_eq!((count, &rows[..2]), (24, &[4, 24 + 4][..]));
/// assert_eq!(groups[12].name(), "my store");
/// ```
pub trait Encoded: Featured {
    fn groups() -> Vec<Group>;

    /// Writes the numbers of the active rows in group order and returns how many there are.
    fn active(position: &Self::Position, rows: &mut [u16; MAX_GROUPS]) -> usize;

    fn material(position: &Self::Position) -> Material;

    fn mover(position: &Self::Position) -> Side;

    fn rows() -> usize {
        Self::groups().iter().map(|group| usize::from(group.rows)).sum()
    }
}

/// Lays out the groups: the pits and stores of both sides, with the given numbers of rows each, two sets of pits per
/// side, and the pairs that start at the given pits.
pub(super) fn groups(
    pits: usize,
    [contents, stored]: [usize; 2],
    sets: [&'static str; 2],
    pairs: &[u8],
) -> Vec<Group> {
    let pits_of = |owner| (0..pits as u8).map(move |pit| (owner, InputKind::Pit(pit), contents));
    let store_of = |owner| (owner, InputKind::Store, stored);
    let sets_of = |owner| sets.map(|set| (owner, InputKind::Pits(set), 1 << pits));
    let groups = Owner::BOTH.into_iter().flat_map(pits_of).chain(Owner::BOTH.map(store_of));
    let pairs_of =
        |owner| pairs.iter().map(move |&it| (owner, InputKind::Pair(it), PAIRED * PAIRED));
    let groups = groups.chain(Owner::BOTH.into_iter().flat_map(sets_of));
    let groups = groups.chain(Owner::BOTH.into_iter().flat_map(pairs_of));
    let place = |first: &mut u16, (owner, kind, rows)| {
        let group = Group { owner, kind, first: *first, rows: rows as u16 };
        *first += group.rows;
        Some(group)
    };
    groups.scan(0, place).collect()
}
