//! Positions, rules, notation and features of the games. Nothing in here does I/O or depends on random numbers.

mod any;
#[cfg(any(test, feature = "proptest"))]
pub mod arbitrary;
pub mod ayo;
mod family;
mod feature;
mod inputs;
pub mod kalah;
mod key;
mod notation;
mod record;
mod replay;

pub use crate::{with_game, with_type};
pub use any::{AnyGame, GameKind};
pub use family::{HiddenNeuron, Owner, PitCount};
pub use feature::{Definition, Feature, Featured, GameFeature, NamedWeights};
pub use inputs::{Encoded, Group, InputKind, MAX_GROUPS, Material, PAIRED};
pub(crate) use key::Fixed;
pub use key::Key;
pub use key::mix;
pub use notation::{Hole, Notated, Transcript, board};
pub use record::{Ply, Record, line};
pub use replay::{Award, Correction, DecidedAt, PlyError, Replay, ReplayError};

use std::fmt::{self, Debug, Display};
use std::hash::Hash;

use serde::{Deserialize, Serialize};

/// A two-player mancala game of perfect information, played on rows of pits.
///
/// [`moves`](Game::moves) and [`play`](Game::play) don't check whether the game is over, because printed games
/// sometimes continue after their end. Use [`ending`](Game::ending) to check for that. Note that sides don't always
/// alternate (see [`moves_again`](Game::moves_again)).
///
/// Architecture invariant: positions have no history. Only a [`Record`] keeps the history and detects repetitions.
pub trait Game: Copy + Debug + Send + Sync + 'static {
    /// The state of a game without its history, which is only needed to detect repetitions.
    type Position: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static;

    /// Returns the initial position, with `first` to move.
    fn start(&self, first: Side) -> Self::Position;

    /// Returns the side to move.
    fn to_move(&self, position: &Self::Position) -> Side;

    /// Returns whether `mover`, who has just moved to reach `position`, moves again.
    #[inline]
    fn moves_again(&self, mover: Side, position: &Self::Position) -> bool {
        self.to_move(position) == mover
    }

    /// Returns the legal moves.
    fn moves(&self, position: &Self::Position) -> PitSet;

    /// Sows from `pit`, makes any captures and returns the new position. `pit` must be a [legal move](Game::moves).
    fn play(&self, position: &Self::Position, pit: Pit) -> Self::Position;

    /// Returns how the game ended, or `None` if it hasn't. `moves` must be the legal moves in `position`.
    fn ending(&self, position: &Self::Position, moves: PitSet) -> Option<Ending>;

    /// Like [`ending`](Game::ending), for callers that haven't generated the moves yet.
    #[inline]
    fn ended(&self, position: &Self::Position) -> Option<Ending> {
        self.ending(position, self.moves(position))
    }

    /// Returns the moves that a search should try first. Unless the search is selective, this only affects its speed.
    fn promising(&self, _position: &Self::Position) -> PitSet {
        PitSet::default()
    }

    /// Returns the result of a game that ended in `position`.
    fn settle(&self, position: &Self::Position, ending: Ending) -> Settlement;

    /// Returns the number of seeds in the store of `side`.
    fn store(&self, position: &Self::Position, side: Side) -> u16;

    /// Returns the number of seeds in a pit of the side to move.
    fn seeds(&self, position: &Self::Position, pit: Pit) -> u16;

    /// Returns how many seeds sown from `pit` land in the mover's store. All other seeds it gains are captured.
    fn sown_home(&self, _position: &Self::Position, _pit: Pit) -> u16 {
        0
    }

    /// Returns a superset of the moves that capture. The fewer other moves it contains, the faster callers are.
    fn may_capture(&self, position: &Self::Position) -> PitSet {
        self.moves(position)
    }

    /// Returns whether the move from `before` to `after`, which sowed `pit`, captured any seeds.
    #[inline]
    fn captured(&self, before: &Self::Position, pit: Pit, after: &Self::Position) -> bool {
        let mover = self.to_move(before);
        self.store(after, mover) > self.store(before, mover) + self.sown_home(before, pit)
    }

    /// Returns the hashes that identify the position in a transposition table.
    fn key(&self, position: &Self::Position) -> Key;

    /// Explains why `pit` isn't a legal move, in words that can end an error message. Returns `None` if it is legal.
    fn objection(&self, position: &Self::Position, pit: Pit) -> Option<&'static str>;
}

/// One of the two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Side {
    /// The side that owns the lower row, with pits `A`, `B` and so on.
    South,
    /// The side that owns the upper row, with pits `a`, `b` and so on.
    North,
}

impl Side {
    /// Both sides, South first.
    pub const BOTH: [Side; 2] = [Side::South, Side::North];

    #[inline]
    pub fn other(self) -> Side {
        match self {
            Side::South => Side::North,
            Side::North => Side::South,
        }
    }

    /// Returns 0 for South and 1 for North.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
}

impl Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(self, f)
    }
}

/// A pit of the side to move, numbered from 0 in sowing order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pit(u8);

impl Pit {
    /// The maximum number of pits in a row.
    pub const MAX: u8 = 8;

    /// Returns `None` unless `index` is below [`Pit::MAX`].
    #[inline]
    pub fn new(index: u8) -> Option<Pit> {
        (index < Pit::MAX).then_some(Pit(index))
    }

    /// Returns the zero-based index in the row.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the letter of the pit, i.e. `A`, `B`, … for South or `a`, `b`, … for North.
    pub fn letter(self, side: Side) -> char {
        let first = match side {
            Side::South => b'A',
            Side::North => b'a',
        };
        char::from(first + self.0)
    }

    /// Parses a pit letter, which is upper case for South and lower case for North.
    pub fn from_letter(letter: char) -> Option<(Side, Pit)> {
        let (side, first) = match letter {
            'A'..='Z' => (Side::South, 'A'),
            'a'..='z' => (Side::North, 'a'),
            _ => return None,
        };
        Some((side, Pit::new(letter as u8 - first as u8)?))
    }
}

/// A set of pits of the side to move. Iteration yields the pits in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PitSet(u8);

impl PitSet {
    /// Creates a set from a bit mask, in which bit 0 stands for the first pit.
    #[inline]
    pub fn from_bits(bits: u8) -> PitSet {
        PitSet(bits)
    }

    /// Creates a set with a single pit.
    #[inline]
    pub fn of(pit: Pit) -> PitSet {
        PitSet(1 << pit.0)
    }

    /// Returns the set as a bit mask, in which bit 0 stands for the first pit.
    #[inline]
    pub fn bits(self) -> u8 {
        self.0
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    #[inline]
    pub fn contains(self, pit: Pit) -> bool {
        self.0 >> pit.0 & 1 == 1
    }

    /// Returns the pits for which `keep` returns true.
    #[inline]
    pub fn retain(self, keep: impl Fn(Pit) -> bool) -> PitSet {
        let bits = self.filter(|&pit| keep(pit)).fold(0, |bits, pit| bits | 1 << pit.0);
        PitSet(bits)
    }

    /// Iterates over the pits in the order in which a search visits leaves: first those in `first`, then all others.
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

/// Why a game has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// A side has captured more than half of the seeds.
    Majority,
    /// Both sides have captured exactly half of the seeds.
    Even,
    /// The side to move has no legal move.
    NoMove,
    /// The position has occurred before.
    Repetition,
    /// A side has no seeds in its row.
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

/// The winner of a game, or a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    Won(Side),
    Drawn,
}

impl Verdict {
    /// Returns a win for the side with more seeds, or a draw if the stores are equal. `stores[0]` is South's store.
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

/// The result of a finished game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settlement {
    /// The final stores (South's first), including any seeds awarded at the end.
    pub stores: [u16; 2],
    /// The result. It can't always be derived from the stores, because some rules make a stalemate a draw or a loss.
    pub verdict: Verdict,
}

/// Counts the sequences of exactly `depth` legal moves from `position`. This is the standard test for move generators.
/// No moves are counted after the game has ended.
///
/// ```
/// use mancala::game::{Game, Side, ayo::Ayo, perft};
/// let game = Ayo::default();
/// assert_eq!(perft(&game, &game.start(Side::South), 4), 1014);
/// ```
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    let next = |position: &G::Position| {
        let moves = game.moves(position);
        if game.ending(position, moves).is_some() { PitSet::default() } else { moves }
    };
    match depth {
        0 => 1,
        1 => next(position).len() as u64,
        // This arm saves many function calls, because most calls would otherwise be for depth 1.
        2 => next(position).map(|pit| next(&game.play(position, pit)).len() as u64).sum(),
        _ => next(position).map(|pit| perft(game, &game.play(position, pit), depth - 1)).sum(),
    }
}
