//! The transposition table for a single search.
//!
//! Entries contain the position itself, so positions are never confused. The value of an entry is only used at the same
//! depth, but its move is used for ordering at any depth.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use super::tree::{Level, Window};
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

/// The result of searching a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// The value for the side to move. Distances to the end of the game are counted from here, not from the root.
    pub(super) value: Score,
    /// The search depth below the position, in plies.
    pub(super) depth: u8,
    pub(super) bound: Bound,
    /// The best move or the one that caused a cutoff, if known.
    pub(super) best: Option<Pit>,
}

/// A pair of entries with their positions. If a new entry is at least as deep as the first, it becomes the first, and
/// the old first becomes the second. Otherwise, it replaces the second. A pair of small positions fills a cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Pair<P>([Option<(P, Entry)>; 2]);

pub(super) struct Table<P> {
    pairs: Vec<Pair<P>>,
}

impl<P: Copy + Eq + Hash> Table<P> {
    /// Creates a table with `pairs` pairs of entries. `pairs` must be a power of two.
    pub(super) fn with_pairs(pairs: usize) -> Table<P> {
        Table { pairs: vec![Pair([None; 2]); pairs] }
    }

    /// Grows the table to at least `pairs` pairs. Tables start small because clearing a large table takes too long.
    pub(super) fn grown_to(self, pairs: usize) -> Table<P> {
        if self.pairs.len() >= pairs {
            return self;
        }
        let mut grown = Table::with_pairs(pairs);
        for (position, entry) in self.pairs.into_iter().flat_map(|Pair(pair)| pair).flatten() {
            grown.put(grown.place(&position), position, entry);
        }
        grown
    }

    /// Returns the index of a position. It remains valid until the table grows.
    #[inline]
    pub(super) fn place(&self, position: &P) -> usize {
        FxBuildHasher.hash_one(position) as usize & (self.pairs.len() - 1)
    }

    #[inline]
    pub(super) fn get(&self, place: usize, position: &P) -> Option<Entry> {
        let Pair(pair) = &self.pairs[place];
        pair.iter().flatten().find(|(other, _)| other == position).map(|&(_, entry)| entry)
    }

    pub(super) fn put(&mut self, place: usize, position: P, entry: Entry) {
        let Pair([deep, recent]) = &mut self.pairs[place];
        match deep {
            Some((other, _)) if *other == position => *deep = Some((position, entry)),
            Some((_, old)) if old.depth > entry.depth => *recent = Some((position, entry)),
            _ => {
                *recent = *deep;
                *deep = Some((position, entry));
            }
        }
    }
}

/// Returns the number of pairs for a search of `depth` plies. This number grows more slowly than the tree, because not
/// all positions are worth storing.
pub(super) fn pairs_for(depth: u32) -> usize {
    1 << (depth + 2).clamp(8, 19)
}

/// Like [`pairs_for`], but returns fewer pairs if the number of nodes visited so far suggests that the tree is small.
pub(super) fn pairs_after(nodes: u64, depth: u32) -> usize {
    let expected = nodes.saturating_mul(2).clamp(1 << 8, 1 << 19) as usize;
    pairs_for(depth).min(expected.next_power_of_two())
}

impl Entry {
    pub(super) fn new(value: Score, bound: Bound, level: Level, best: Option<Pit>) -> Entry {
        Entry { value: shift(value, level.ply as i32), depth: level.depth as u8, bound, best }
    }

    /// Returns the value for a position `ply` plies below the root, or `None` if we must search it with this window.
    #[inline(always)]
    pub(super) fn value(&self, ply: u32, window: Window) -> Option<Score> {
        let value = shift(self.value, -(ply as i32));
        window.is_decided_by(self.bound, value).then_some(value)
    }
}

/// Adds `by` plies to a win, or subtracts them from a loss. Scores without a distance in plies are returned unchanged.
fn shift(value: Score, by: i32) -> Score {
    match value.counts_plies() {
        false => value,
        true if value.0 > 0 => Score(value.0 + by),
        true => Score(value.0 - by),
    }
}
