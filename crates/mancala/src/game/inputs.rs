//! Encodes positions as inputs of learned layers.

use super::{Featured, Owner, Side};

/// The maximum number of input groups that a game can have.
pub const MAX_GROUPS: usize = 24;

/// The fraction of the seeds that are still on the board, in 48ths. (In ayo, one 48th is one seed.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material(u8);

impl Material {
    /// The denominator of the fraction. For a full board, it's also the numerator.
    pub const PARTS: u8 = 48;
    pub const COUNT: usize = Self::PARTS as usize + 1;

    /// Divides `on_board` by `all` and rounds down to 48ths. Returns 0 if there are no seeds at all.
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

/// What the input rows of a group represent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InputKind {
    /// The seeds in the pit with this index. Row `n` is active if there are `n` seeds, the last row also for more.
    Pit(u8),
    /// The seeds in a store, encoded in the same way as for a pit.
    Store,
    /// A bit mask of the pits that have the property described by the string.
    Pits(&'static str),
    /// The seeds in this pit and in the next one. Row `m + PAIRED · n` is active for `m` and `n` seeds below [`PAIRED`].
    Pair(u8),
}

/// The number of seed counts that a [`Pair`](InputKind::Pair) distinguishes for each of its pits.
pub const PAIRED: usize = 12;

/// A group of input rows, at most one of which is active.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    pub owner: Owner,
    pub kind: InputKind,
    /// The number of the first row. Rows are numbered consecutively across all groups.
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

/// A game whose positions can be fed to a learned layer. The inputs are rows, divided into groups with at most one
/// active row each. Positions are encoded from the mover's perspective, so swapping the sides makes no difference.
///
/// The rows are the same for all boards and rules of a game. If a board lacks a pit, then no row of that pit is active.
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

    /// Writes the numbers of the active rows to `rows`, in group order, and returns how many there are.
    fn active(position: &Self::Position, rows: &mut [u16; MAX_GROUPS]) -> usize;

    fn material(position: &Self::Position) -> Material;

    fn mover(position: &Self::Position) -> Side;

    fn rows() -> usize {
        Self::groups().iter().map(|group| usize::from(group.rows)).sum()
    }
}

/// Lays out the groups: first the pits of both sides with `contents` rows each, then the stores with `stored` rows
/// each, two sets of pits per side, and finally, for each side, the pairs of pits that start at the pits in `pairs`.
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
