//! Rules of the games: positions, moves, ends, notation. No I/O and no randomness here.

mod any;
#[cfg(any(test, feature = "proptest"))]
pub mod arbitrary;
pub mod ayo;
mod family;
mod feature;
mod inputs;
pub mod kalah;
mod key;
mod notated;
mod perft;
mod record;
mod replay;
mod transcript;

pub use crate::with_game;
pub use any::{AnyGame, GameKind};
pub use family::{Bias, Contents, Families, Holds, Owner, Unit};
pub use feature::{Definition, Feature, Featured, GameFeature, NamedWeights};
pub use inputs::{Encoded, Fullness, Group, MOST_GROUPS, Sees};
pub use key::Key;
pub(crate) use key::{Fixed, mixed};
pub use notated::{Hole, Notated, TextError};
pub use perft::perft;
pub use record::{IllegalMove, Ply, Record, line};
pub use replay::{Award, Decided, Departure, Fit, Mismatch, Replay};
pub use transcript::{FileLineError, Transcript, TranscriptError};

use std::fmt::{self, Debug, Display};
use std::hash::Hash;

use serde::{Deserialize, Serialize};

/// A two-player game of perfect information on rows of pits.
///
/// Sowing and the end of a game are separate: [`moves`](Game::moves) and [`play`](Game::play) go on
/// past a decided position, since printed games do; [`ending`](Game::ending) says that it is decided.
/// Nothing here assumes that the sides alternate: ask [`to_move`](Game::to_move).
///
/// Architecture invariant: a position is judged by itself. Only [`Record`] sees the history of a
/// game, and so only it knows of repetition.
pub trait Game: Copy + Debug + Send + Sync + 'static {
    /// All that legality, evaluation and the end of a game depend on, except repetition.
    type Position: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static;

    /// The position that a game begins from, with `first` to move.
    fn start(&self, first: Side) -> Self::Position;

    /// Whose turn it is.
    fn to_move(&self, position: &Self::Position) -> Side;

    /// The pits that the side to move may sow from.
    fn moves(&self, position: &Self::Position) -> PitSet;

    /// The position after sowing from `pit`, captures included. `pit` must be one of
    /// [`moves`](Game::moves); for another the result is meaningless.
    fn play(&self, position: &Self::Position, pit: Pit) -> Self::Position;

    /// How the game has ended, if it has. `moves` are those of the position.
    fn ending(&self, position: &Self::Position, moves: PitSet) -> Option<Ending>;

    /// How the game has ended, if it has, for callers that have no use for the moves.
    #[inline]
    fn ended(&self, position: &Self::Position) -> Option<Ending> {
        self.ending(position, self.moves(position))
    }

    /// Pits that a search does well to look at first; a matter of speed alone.
    fn promising(&self, _position: &Self::Position) -> PitSet {
        PitSet::default()
    }

    /// What a game that ended in `position` in this way comes to.
    fn settle(&self, position: &Self::Position, ending: Ending) -> Settlement;

    /// The seeds in the store of `side`.
    fn store(&self, position: &Self::Position, side: Side) -> u16;

    /// The seeds in the `pit` of the side to move.
    fn seeds(&self, position: &Self::Position, pit: Pit) -> u16;

    /// The seeds that sowing from `pit` drops into the mover's own store on the way. What else comes into
    /// it with the move is captured. 0 in games whose stores are not sown into.
    fn sown_home(&self, _position: &Self::Position, _pit: Pit) -> u16 {
        0
    }

    /// Legal moves among which are all that capture; a matter of speed alone.
    fn may_capture(&self, position: &Self::Position) -> PitSet {
        self.moves(position)
    }

    /// Whether sowing from `pit`, which led from one position to the other, captured seeds.
    #[inline]
    fn captured(&self, before: &Self::Position, pit: Pit, after: &Self::Position) -> bool {
        let mover = self.to_move(before);
        self.store(after, mover) > self.store(before, mover) + self.sown_home(before, pit)
    }

    /// What the position is known by in a table that does not keep positions whole.
    #[inline]
    fn key(&self, position: &Self::Position) -> Key {
        Key::of(position)
    }

    /// Why `pit` is not a legal move, in words that end a sentence; `None` if it is one.
    fn objection(&self, position: &Self::Position, pit: Pit) -> Option<&'static str>;
}

/// The two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Side {
    /// Owner of the lower row, pits `A` onward.
    South,
    /// Owner of the upper row, pits `a` onward.
    North,
}

impl Side {
    /// Both sides, South first.
    pub const BOTH: [Side; 2] = [Side::South, Side::North];

    /// The opponent.
    #[inline]
    pub fn other(self) -> Side {
        match self {
            Side::South => Side::North,
            Side::North => Side::South,
        }
    }

    /// 0 for South, 1 for North.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
}

impl Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::South => "South",
            Side::North => "North",
        })
    }
}

/// A pit of the side to move, counted from 0 in the order of sowing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pit(u8);

impl Pit {
    /// Rows have at most this many pits.
    pub const MAX: u8 = 8;

    /// The pit with this index. `None` from [`Pit::MAX`] on.
    #[inline]
    pub fn new(index: u8) -> Option<Pit> {
        (index < Pit::MAX).then_some(Pit(index))
    }

    /// Position in the row, from 0.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// `A`, `B`, … for South, `a`, `b`, … for North.
    ///
    /// ```
    /// use mancala::game::{Pit, Side};
    /// assert_eq!(Pit::new(5).unwrap().letter(Side::South), 'F');
    /// assert_eq!(Pit::from_letter('a'), Some((Side::North, Pit::new(0).unwrap())));
    /// ```
    pub fn letter(self, side: Side) -> char {
        let first = match side {
            Side::South => b'A',
            Side::North => b'a',
        };
        char::from(first + self.0)
    }

    /// The pit that a letter names, and its side.
    pub fn from_letter(letter: char) -> Option<(Side, Pit)> {
        let (side, first) = match letter {
            'A'..='Z' => (Side::South, 'A'),
            'a'..='z' => (Side::North, 'a'),
            _ => return None,
        };
        Some((side, Pit::new(letter as u8 - first as u8)?))
    }
}

/// A set of pits of the side to move; iterates from the lowest pit up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PitSet(u8);

impl PitSet {
    /// The set with a pit for every set bit, bit 0 being the first pit.
    #[inline]
    pub fn from_bits(bits: u8) -> PitSet {
        PitSet(bits)
    }

    /// Returns the set that contains only `pit`.
    #[inline]
    pub fn of(pit: Pit) -> PitSet {
        PitSet(1 << pit.0)
    }

    /// The set as bits, bit 0 being the first pit.
    #[inline]
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Whether no pit is in the set.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many pits are in the set.
    #[inline]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether `pit` is in the set.
    #[inline]
    pub fn contains(self, pit: Pit) -> bool {
        self.0 >> pit.0 & 1 == 1
    }

    /// The pits of the set that `keep` holds for.
    #[inline]
    pub fn retain(self, keep: impl Fn(Pit) -> bool) -> PitSet {
        let bits = self.filter(|&pit| keep(pit)).fold(0, |bits, pit| bits | 1 << pit.0);
        PitSet(bits)
    }
}

impl PitSet {
    /// Returns the pits in the order in which a search visits leaves: those in `first`, then the rest, each group from
    /// the lowest up.
    #[inline(always)]
    pub fn ordered(self, first: PitSet) -> impl Iterator<Item = Pit> {
        let mut queue = u32::from_le_bytes([self.0 & first.0, self.0 & !first.0, 0, 0]);
        std::iter::from_fn(move || {
            if queue == 0 {
                return None;
            }
            let pit = Pit(queue.trailing_zeros() as u8 % 8);
            queue &= queue - 1;
            Some(pit)
        })
    }
}

impl Iterator for PitSet {
    type Item = Pit;

    #[inline]
    fn next(&mut self) -> Option<Pit> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Pit(lowest))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for PitSet {}

/// How a game ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ending {
    /// A side has more than half of the seeds.
    Majority,
    /// Both sides have half of the seeds.
    Even,
    /// The side to move has no legal move.
    NoMove,
    /// The position occurred before.
    Repetition,
    /// A side has no seeds.
    EmptyRow,
}

impl Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Majority => "more than half of the seeds captured",
            Ending::Even => "half of the seeds each",
            Ending::NoMove => "no legal move",
            Ending::Repetition => "repetition",
            Ending::EmptyRow => "a side has no seeds",
        })
    }
}

/// Who won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// This side won.
    Won(Side),
    /// Neither side won.
    Drawn,
}

impl Verdict {
    /// The sign of the difference of two stores, South's first.
    pub fn by_stores(stores: [u16; 2]) -> Verdict {
        match stores[0].cmp(&stores[1]) {
            std::cmp::Ordering::Greater => Verdict::Won(Side::South),
            std::cmp::Ordering::Less => Verdict::Won(Side::North),
            std::cmp::Ordering::Equal => Verdict::Drawn,
        }
    }
}

impl Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Won(side) => write!(f, "{side} wins"),
            Verdict::Drawn => f.write_str("draw"),
        }
    }
}

/// The result of an ended game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settlement {
    /// Final stores, South's first, with what the end awarded.
    pub stores: [u16; 2],
    /// Who won; not always the sign of the stores' difference (a void game is a draw).
    pub verdict: Verdict,
}
