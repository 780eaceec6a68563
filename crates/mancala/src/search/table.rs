//! The transposition table used within a single search.
//!
//! An entry contains the position itself, so positions are never confused. The value of an entry is only used at the
//! same depth, but its move is used for ordering at any depth.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use super::tree::Window;
use crate::eval::Score;
use crate::game::Pit;

/// Whether a stored value is exact or only a bound on the true value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    /// The true value is at least the stored value.
    Lower,
    /// The true value is at most the stored value.
    Upper,
}

/// The result of searching a position. For small positions, two entries fill a cache line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<P> {
    position: P,
    /// Distances to the end of the game are counted in plies from this position, not from the root.
    value: Score,
    /// The search depth below the position, in plies.
    depth: u8,
    bound: Bound,
    /// The best move, or the move that caused a cutoff.
    pub(super) best: Option<Pit>,
}

/// A pair of entries. A new one that is at least as deep moves the first to the second, otherwise replaces the second.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Pair<P>([Option<Entry<P>>; 2]);

pub(super) struct Table<P> {
    pairs: Vec<Pair<P>>,
}

impl<P: Copy + Eq + Hash> Table<P> {
    /// Creates a table with `pairs` pairs of entries, which must be a power of two.
    pub(super) fn with_pairs(pairs: usize) -> Table<P> {
        Table { pairs: vec![Pair([None; 2]); pairs] }
    }

    /// Grows the table to at least `pairs` pairs. Clearing a large table takes longer than a short search.
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

    /// Returns the index of a position, which remains valid until the table grows.
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

/// Returns the number of pairs for a search of `depth` plies. It grows more slowly than the tree, which is not all
/// worth storing.
pub(super) fn pairs_for(depth: u32) -> usize {
    1 << (depth + 2).clamp(8, 19)
}

/// Like [`pairs_for`], but returns fewer pairs if the tree is small, judging by the number of nodes visited so far.
pub(super) fn pairs_after(nodes: u64, depth: u32) -> usize {
    let expected = nodes.saturating_mul(2).clamp(1 << 8, 1 << 19) as usize;
    pairs_for(depth).min(expected.next_power_of_two())
}

impl<P> Entry<P> {
    /// Creates the entry for a position `ply` plies below the root.
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

    /// Returns the value for a position `ply` plies below the root, if the entry suffices for this depth and window.
    pub(super) fn value(&self, depth: u32, ply: u32, window: Window) -> Option<Score> {
        let value = from_root(self.value, ply);
        let suffices = window.is_decided_by(self.bound, value);
        (u32::from(self.depth) == depth && suffices).then_some(value)
    }
}

/// Converts a distance to the end counted from the root into one counted from a position `ply` plies below it.
pub(super) fn from_here(value: Score, ply: u32) -> Score {
    shift(value, ply as i32)
}

/// Converts a distance to the end counted from a position `ply` plies below the root into one counted from the root.
pub(super) fn from_root(value: Score, ply: u32) -> Score {
    shift(value, -(ply as i32))
}

/// Raises a win or lowers a loss by `by`. Scores that do not include a distance in plies are unchanged.
fn shift(value: Score, by: i32) -> Score {
    match value.counts_plies() {
        false => value,
        true if value.0 > 0 => Score(value.0 + by),
        true => Score(value.0 - by),
    }
}
