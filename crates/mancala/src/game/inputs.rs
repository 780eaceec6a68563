//! What a learned layer sees of a position.

use super::{Featured, Owner, Side};

/// No game has more groups than this.
pub const MOST_GROUPS: usize = 24;

/// How much of all seeds is still on the board, in 48ths: in ayo, each is a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fullness(u8);

impl Fullness {
    /// Parts of a full board.
    pub const PARTS: u8 = 48;
    /// How many different ones there are.
    pub const COUNT: usize = Self::PARTS as usize + 1;

    /// That of a board with so many of all seeds, rounded down; of no seeds at all it is empty.
    #[inline]
    pub fn new(on_board: u32, all: u32) -> Fullness {
        let parts = on_board.min(all) * u32::from(Self::PARTS) / all.max(1);
        Fullness(parts as u8)
    }

    /// From an empty board to a full one.
    pub fn all() -> impl Iterator<Item = Fullness> {
        (0..=Self::PARTS).map(Fullness)
    }

    /// The 48ths that are on the board.
    #[inline]
    pub fn parts(self) -> usize {
        self.0.into()
    }
}

/// What the rows of a group stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sees {
    /// A pit, counted from 0 in the order of sowing: row n is active if it holds n seeds, the last row
    /// also if it holds more.
    Pit(u8),
    /// A store: row n is active if it holds n seeds, the last row also if it holds more.
    Store,
    /// Which pits have a property, in a few words: bit p of the row's number stands for pit p.
    Pits(&'static str),
}

/// Rows of which at most one is active in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// Owner pit, store or moves they are about.
    pub owner: Owner,
    /// What they stand for.
    pub sees: Sees,
    /// The number of its first row among those of all groups.
    pub first: u16,
    /// How many rows it has.
    pub rows: u16,
}

impl Group {
    /// What the group is called: `my pit 1`, `their store`, `my pits that make 2`.
    pub fn name(&self) -> String {
        let whose = match self.owner {
            Owner::Mine => "my",
            Owner::Theirs => "their",
        };
        match self.sees {
            Sees::Pit(pit) => format!("{whose} pit {}", pit + 1),
            Sees::Store => format!("{whose} store"),
            Sees::Pits(what) => format!("{whose} pits that {what}"),
        }
    }
}

/// A game whose positions are inputs of learned layers: groups of rows, at most one of each active. They are
/// seen by the side to move, so a position and the one with the sides exchanged are the same inputs.
///
/// The inputs are the same on every board and under all rules of a game. Pits that a board does not have
/// have no active row.
///
/// ```
/// use mancala::game::{Encoded, Game, MOST_GROUPS, Side, ayo::Ayo};
/// let groups = Ayo::groups();
/// assert_eq!((groups.len(), Ayo::rows()), (18, 594));
/// let mut rows = [0; MOST_GROUPS];
/// let count = Ayo::active(&Ayo::default().start(Side::South), &mut rows);
/// // Four seeds in my first pit, four in my second …
/// assert_eq!((count, &rows[..2]), (18, &[4, 24 + 4][..]));
/// assert_eq!(groups[12].name(), "my store");
/// ```
pub trait Encoded: Featured {
    /// The groups in the order of their rows.
    fn groups() -> Vec<Group>;

    /// Writes the numbers of the active rows, one of a group at most, in the order of the groups, and says
    /// how many there are.
    fn active(position: &Self::Position, rows: &mut [u16; MOST_GROUPS]) -> usize;

    /// How full the board is.
    fn fullness(position: &Self::Position) -> Fullness;

    /// The side to move.
    fn mover(position: &Self::Position) -> Side;

    /// How many rows there are in all.
    fn rows() -> usize {
        Self::groups().iter().map(|group| usize::from(group.rows)).sum()
    }
}

/// Groups one behind the other.
pub(super) fn in_order(groups: impl IntoIterator<Item = (Owner, Sees, u16)>) -> Vec<Group> {
    let place = |first: &mut u16, (owner, sees, rows)| {
        let group = Group { owner, sees, first: *first, rows };
        *first += rows;
        Some(group)
    };
    groups.into_iter().scan(0, place).collect()
}
