//! The transposition table of a single search.
//!
//! An entry contains the position itself, so positions are never confused. Its value is used only at the same depth, its
//! move for ordering at any depth.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use crate::eval::Score;
use crate::game::Pit;

/// The relation of a stored value to the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    /// The true value is not lower.
    Lower,
    /// The true value is not higher.
    Upper,
}

/// The result of searching a position. Two entries of small positions fill a cache line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<P> {
    position: P,
    /// Plies to an end are counted from the position, not from the root.
    value: Score,
    /// Plies searched below the position.
    depth: u8,
    bound: Bound,
    /// The best move, or the one that caused a cutoff.
    pub(super) best: Option<Pit>,
}

/// Two entries. The first is replaced only by one at least as deep, and then becomes the second. The second is always
/// replaced.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Pair<P>([Option<Entry<P>>; 2]);

pub(super) struct Table<P> {
    pairs: Vec<Pair<P>>,
}

impl<P: Copy + Eq + Hash> Table<P> {
    /// Creates a table with this number of pairs, a power of two.
    pub(super) fn with_pairs(pairs: usize) -> Table<P> {
        Table { pairs: vec![Pair([None; 2]); pairs] }
    }

    /// Grows the table to at least this number of pairs. Tables start small, since clearing a large one takes longer than
    /// a short search.
    pub(super) fn grown_to(self, pairs: usize) -> Table<P> {
        if self.pairs.len() >= pairs {
            return self;
        }
        let mut grown = Table::with_pairs(pairs);
        for entry in self.pairs.into_iter().flat_map(|Pair(pair)| pair).flatten() {
            grown.put(grown.place(&entry.position), entry);
        }
        grown
    }

    /// Returns the index of a position, valid until the table grows.
    #[inline]
    pub(super) fn place(&self, position: &P) -> usize {
        FxBuildHasher.hash_one(position) as usize & (self.pairs.len() - 1)
    }

    #[inline]
    pub(super) fn get(&self, place: usize, position: &P) -> Option<&Entry<P>> {
        let Pair(pair) = &self.pairs[place];
        pair.iter().flatten().find(|entry| entry.position == *position)
    }

    pub(super) fn put(&mut self, place: usize, entry: Entry<P>) {
        let Pair([deep, recent]) = &mut self.pairs[place];
        match deep {
            Some(old) if old.position == entry.position => *deep = Some(entry),
            Some(old) if old.depth > entry.depth => *recent = Some(entry),
            _ => {
                *recent = *deep;
                *deep = Some(entry);
            }
        }
    }
}

/// Returns the table size for a search of `depth` plies. The tree grows about threefold with every ply, the part that is
/// worth storing less.
pub(super) fn pairs_for(depth: u32) -> usize {
    1 << (depth + 2).clamp(8, 19)
}

/// Returns the table size for an iteration after others of `nodes` nodes together. It is smaller for small trees.
pub(super) fn pairs_after(nodes: u64, depth: u32) -> usize {
    let expected = nodes.saturating_mul(2).clamp(1 << 8, 1 << 19) as usize;
    pairs_for(depth).min(expected.next_power_of_two())
}

impl<P> Entry<P> {
    /// Creates the entry of a position `ply` plies below the root.
    pub(super) fn new(
        position: P,
        depth: u32,
        ply: u32,
        value: Score,
        bound: Bound,
        best: Option<Pit>,
    ) -> Entry<P> {
        Entry { position, value: from_here(value, ply), depth: depth as u8, bound, best }
    }

    /// Returns the value of a position `ply` plies below the root for a search of `depth` plies, if the entry suffices
    /// for the window.
    pub(super) fn value(&self, depth: u32, ply: u32, alpha: Score, beta: Score) -> Option<Score> {
        let value = from_root(self.value, ply);
        let suffices = match self.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        (u32::from(self.depth) == depth && suffices).then_some(value)
    }
}

/// Converts an end counted from the root to one counted from a position `ply` plies below it.
pub(super) fn from_here(value: Score, ply: u32) -> Score {
    shift(value, ply as i32)
}

/// The inverse of [`from_here`].
pub(super) fn from_root(value: Score, ply: u32) -> Score {
    shift(value, -(ply as i32))
}

/// Raises a win and lowers a loss, if the score counts plies.
fn shift(value: Score, by: i32) -> Score {
    match value.counts_plies() {
        false => value,
        true if value.0 > 0 => Score(value.0 + by),
        true => Score(value.0 - by),
    }
}
