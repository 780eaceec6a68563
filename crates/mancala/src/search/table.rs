//! The transposition table of one search.
//!
//! An entry holds the position itself, so two positions are never taken for each other. Its value is
//! used only where as many plies remain; its move may be tried first anywhere.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use crate::eval::Score;
use crate::game::Pit;

/// What a stored value says of the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the true one.
    Exact,
    /// The true one is not lower.
    Lower,
    /// The true one is not higher.
    Upper,
}

/// What is known of a position. Two entries of small positions fill a cache line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<P> {
    position: P,
    /// Ends are counted from the position, not from the root.
    value: Score,
    /// Plies that were searched below it.
    depth: u8,
    bound: Bound,
    /// The move that was best, or cut the search short.
    pub(super) best: Option<Pit>,
}

/// Two entries: the second always gives way, the first only to one as deep, and then it becomes the
/// second.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Pair<P>([Option<Entry<P>>; 2]);

/// The entries by the hash of their position.
pub(super) struct Table<P> {
    pairs: Vec<Pair<P>>,
}

impl<P: Copy + Eq + Hash> Table<P> {
    /// A table of so many pairs, a power of two.
    pub(super) fn with_pairs(pairs: usize) -> Table<P> {
        Table { pairs: vec![Pair([None; 2]); pairs] }
    }

    /// The table with at least so many pairs. Tables start small, since clearing a large one takes longer
    /// than a short search.
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

    /// Where a position belongs, until the table grows.
    #[inline]
    pub(super) fn place(&self, position: &P) -> usize {
        FxBuildHasher.hash_one(position) as usize & (self.pairs.len() - 1)
    }

    /// What is known of the position that belongs there.
    #[inline]
    pub(super) fn get(&self, place: usize, position: &P) -> Option<&Entry<P>> {
        let Pair(pair) = &self.pairs[place];
        pair.iter().flatten().find(|entry| entry.position == *position)
    }

    /// Keeps what was found of the position that belongs there.
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

/// The pairs that a search of `depth` plies is worth. The tree grows about threefold with every ply, the
/// part of it that is worth keeping less.
pub(super) fn pairs_for(depth: u32) -> usize {
    1 << (depth + 2).clamp(8, 19)
}

/// The same after iterations of so many nodes, which show where a tree is thinner than most.
pub(super) fn pairs_after(nodes: u64, depth: u32) -> usize {
    let expected = nodes.saturating_mul(2).clamp(1 << 8, 1 << 19) as usize;
    pairs_for(depth).min(expected.next_power_of_two())
}

impl<P> Entry<P> {
    /// What was found of a position `ply` plies below the root.
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

    /// The value of a position `ply` plies below the root for a search of `depth` plies, if what is
    /// known suffices for the window.
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

/// An end counted from the root, counted from `ply` plies below it.
pub(super) fn from_here(value: Score, ply: u32) -> Score {
    shift(value, ply as i32)
}

/// And back.
pub(super) fn from_root(value: Score, ply: u32) -> Score {
    shift(value, -(ply as i32))
}

/// Moves a win `by` up and a loss `by` down, if plies are counted in it.
fn shift(value: Score, by: i32) -> Score {
    match value.counts_plies() {
        false => value,
        true if value.0 > 0 => Score(value.0 + by),
        true => Score(value.0 - by),
    }
}
