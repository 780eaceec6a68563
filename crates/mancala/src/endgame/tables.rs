//! Tables of all layers up to a maximum number of seeds.

use std::collections::TryReserveError;
use std::fmt;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::bounds::Bounds;
use super::index::{Rows, rank};
use super::layer::Layer;
use crate::eval::Certainty;
use crate::game::ayo::{Ayo, PITS, Position, Rules, SEEDS, total};
use crate::game::{Game, Pit, Side};
use crate::store::FileError;
use crate::text::{Message, Result};

/// The maximum number of seeds that a move can capture, i.e. three from each pit in a row.
pub(crate) const MAX_CAPTURE: u8 = 3 * PITS as u8;

/// The values of all positions with up to a given number of seeds. See the example in the [crate](crate) documentation.
#[derive(Debug)]
pub struct Tables {
    rules: Rules,
    /// The layers, indexed by their number of seeds.
    pub(super) layers: Vec<Layer>,
    /// Proven bounds on the values. These are only needed if the values themselves aren't proven.
    bounds: Option<Bounds>,
}

/// Errors from opening or building tables.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    #[error("no endgame tables in {}", .0.display())]
    None(PathBuf),
    #[error("{} contains tables for {found}, not {expected}", path.display())]
    Rules { path: PathBuf, found: String, expected: Rules },
    #[error(transparent)]
    Other(#[from] Message),
}

impl From<FileError> for TablesError {
    fn from(error: FileError) -> TablesError {
        TablesError::Other(error.into())
    }
}

/// Returns the rules for which there are tables in a folder, ordered by name.
pub fn rules_in(folder: &Path) -> Result<Vec<Rules>, TablesError> {
    let entries = fs::read_dir(folder).map_err(FileError::of("read", folder))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let layers = paths.filter(|path| path.extension().is_some_and(|ending| ending == "ayo"));
    let layers = layers.filter_map(|path| Layer::open(&path).ok());
    let mut rules: Vec<Rules> = layers.map(|layer| layer.rules).collect();
    rules.sort_by_key(Rules::to_string);
    rules.dedup();
    Ok(rules)
}

impl Tables {
    /// Memory-maps the layers for `rules` in `folder`. This only checks the headers of the files. To verify the values
    /// as well, use [`check`](Self::check).
    pub fn open(folder: &Path, rules: Rules) -> Result<Tables, TablesError> {
        let found = rules_in(folder)?;
        let tables = Tables::so_far(folder, rules)?;
        match (tables.layers.is_empty(), found.as_slice()) {
            (false, _) => Ok(tables),
            (true, []) => Err(TablesError::None(folder.to_owned())),
            (true, found) => {
                let names: Vec<String> = found.iter().map(Rules::to_string).collect();
                let (path, found) = (folder.to_owned(), names.join(", "));
                Err(TablesError::Rules { path, found, expected: rules })
            }
        }
    }

    /// Like [`open`](Self::open), but the folder may have no layers yet.
    pub(super) fn so_far(folder: &Path, rules: Rules) -> Result<Tables, TablesError> {
        let path = |seeds| folder.join(Layer::file_name(rules, seeds));
        // Look for the largest layer first. If we scanned upwards, a layer added in the meantime could look like a gap.
        let highest = (0..=SEEDS).rev().find(|&seeds| path(seeds).exists());
        let count = highest.map_or(0, |seeds| seeds + 1);
        if let Some(missing) = (0..count).map(path).find(|layer| !layer.exists()) {
            let text = format!(
                "{} is missing, but tables with more seeds exist: delete those and build the tables again",
                missing.display()
            );
            return Err(Message::from(text).into());
        }
        let layers = (0..count).map(|seeds| Layer::open(&path(seeds)));
        Ok(Tables::of(rules, layers.collect::<Result<_, _>>()?))
    }

    pub(super) fn of(rules: Rules, layers: Vec<Layer>) -> Tables {
        Tables { rules, layers, bounds: None }
    }

    /// Returns the folder of the tables, or an empty path if they exist only in memory.
    pub fn folder(&self) -> &Path {
        self.layers.first().and_then(|layer| layer.path.parent()).unwrap_or(Path::new("."))
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the largest number of seeds on the board for which we have tables.
    pub fn max_seeds(&self) -> u8 {
        self.layers.len().saturating_sub(1) as u8
    }

    pub(super) fn len(&self) -> u8 {
        self.layers.len() as u8
    }

    /// Returns whether the values are proven. Unproven values assume that endless play counts as 0.
    pub fn are_proven(&self) -> bool {
        Tables::are_proven_under(self.rules)
    }

    /// Returns whether tables for these rules have proven values.
    pub fn are_proven_under(rules: Rules) -> bool {
        rules == Rules::AWARI
    }

    /// Computes [`Bounds`] unless the values are proven. For 12 seeds, this takes two seconds of CPU time and 10 MiB of
    /// memory, with a peak of 43 MiB.
    pub fn compute_bounds(&mut self) -> Result<(), TryReserveError> {
        if !self.are_proven() {
            self.bounds = Bounds::compute(self.rules, self.max_seeds())?;
        }
        Ok(())
    }

    pub fn bounds(&self) -> Option<&Bounds> {
        self.bounds.as_ref()
    }

    /// Returns a proven range for the seed difference that the side to move can still gain.
    #[inline]
    fn range(&self, rows: Rows) -> Option<RangeInclusive<i8>> {
        match &self.bounds {
            Some(bounds) => bounds.of(rows),
            None => self.value(rows).filter(|_| self.are_proven()).map(|value| value..=value),
        }
    }

    #[inline]
    fn clamped(&self, rows: Rows) -> Option<i8> {
        let value = self.value(rows)?;
        let range = self.range(rows);
        Some(range.map_or(value, |range| value.clamp(*range.start(), *range.end())))
    }

    /// Returns the value of a position, i.e. the seed difference that the side to move can still gain with best play.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<i8> {
        self.value(position.rows())
    }

    /// Like [`probe`](Self::probe), but for rows without stores.
    #[inline]
    pub fn value(&self, rows: Rows) -> Option<i8> {
        let seeds = rows.map(total).iter().sum::<u8>();
        self.layers.get(usize::from(seeds)).map(|layer| layer.value(rank(rows)))
    }

    /// Returns the final seed difference for `me` under perfect play.
    #[inline]
    pub fn difference(&self, position: &Position, me: Side) -> Option<i32> {
        let value = i32::from(self.probe(position)?);
        let to_come = if position.to_move() == me { value } else { -value };
        let captured = |side| i32::from(position.store(side));
        Some(captured(me) - captured(me.other()) + to_come)
    }

    /// Returns the final seed difference for `me`. If the bounds prove the result, this is the difference that the
    /// winner can guarantee (0 for a draw). Otherwise, it is estimated from the value, clamped to the bounds.
    #[inline]
    pub fn outcome(&self, position: &Position, me: Side) -> Option<(i32, Certainty)> {
        let (rows, mover) = (position.rows(), position.to_move());
        let ahead = i32::from(position.store(mover)) - i32::from(position.store(mover.other()));
        // Try the bounds first. If they are enough to determine the winner, we don't have to read the value.
        let (difference, certainty) = match self.range(rows).and_then(|range| decided(ahead, range))
        {
            Some(difference) => (difference, Certainty::Proven),
            None => (ahead + i32::from(self.clamped(rows)?), Certainty::Heuristic),
        };
        Some((if mover == me { difference } else { -difference }, certainty))
    }

    /// Returns the value of each legal move, including the seeds it captures. Ignores the stores.
    pub fn moves(&self, position: &Position) -> Option<Vec<(Pit, i8)>> {
        let value = |(pit, after, taken)| Some((pit, taken - self.value(after)?));
        self.after_moves(position)?.map(value).collect()
    }

    /// Like [`moves`](Self::moves), but clamps each value to its bounds and also returns whether it's proven.
    pub fn move_bounds(&self, position: &Position) -> Option<Vec<(Pit, i8, Certainty)>> {
        let known = |(pit, after, taken)| {
            let is_proven = self.range(after).is_some_and(|range| range.start() == range.end());
            let certainty = if is_proven { Certainty::Proven } else { Certainty::Heuristic };
            Some((pit, taken - self.clamped(after)?, certainty))
        };
        self.after_moves(position)?.map(known).collect()
    }

    /// Returns the rows and captured seeds after each legal move, or `None` if the position isn't in the tables.
    fn after_moves(&self, position: &Position) -> Option<impl Iterator<Item = (Pit, Rows, i8)>> {
        self.probe(position)?;
        let (game, position, mover) = (Ayo { rules: self.rules }, *position, position.to_move());
        Some(game.moves(&position).map(move |pit| {
            let after = game.play(&position, pit);
            (pit, after.rows(), (after.store(mover) - position.store(mover)) as i8)
        }))
    }

    /// Returns a checksum of all values. It is derived from the checksums in the file headers.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        self.layers.iter().for_each(|layer| hasher.update(&layer.checksum()));
        hasher.finalize()
    }

    /// Verifies the checksums of all layers. Note that this reads all values.
    pub fn check_all(&self) -> Result<()> {
        self.layers.iter().try_for_each(Layer::check)
    }

    /// Verifies the checksum of the layer with `seeds` seeds and of each layer that can be reached from it in one move.
    pub fn check_reached(&self, seeds: u8) -> Result<()> {
        let fewest = usize::from(seeds.saturating_sub(MAX_CAPTURE));
        let mut reached = self.layers.iter().take(usize::from(seeds) + 1).skip(fewest);
        reached.try_for_each(Layer::check)
    }

    /// Verifies the checksum of a layer. Panics if there is no such layer.
    pub fn check(&self, seeds: u8) -> Result<()> {
        self.layers[usize::from(seeds)].check()
    }
}

impl fmt::Display for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tables {} {} {:08x}", self.rules, self.max_seeds(), self.checksum())
    }
}

/// Returns the difference that the winner can guarantee (0 for a draw), or `None` if the bounds don't show who wins.
#[inline]
fn decided(ahead: i32, remaining: RangeInclusive<i8>) -> Option<i32> {
    let [least, most] = [remaining.start(), remaining.end()].map(|&bound| ahead + i32::from(bound));
    let nearest = 0.clamp(least, most);
    (nearest != 0 || least == most).then_some(nearest)
}

/// For each layer, counts the positions with each value, in ascending order of values. Also verifies the checksums.
pub fn census(tables: &Tables) -> Result<Vec<Vec<(i8, u64)>>> {
    const CHUNK: usize = 1 << 20;
    let count = |values: &[u8]| {
        let mut counts = [0; 256];
        values.iter().for_each(|&value| counts[usize::from(value)] += 1);
        counts
    };
    let add = |one: [u64; 256], other: [u64; 256]| std::array::from_fn(|i| one[i] + other[i]);
    let census = tables.layers.iter().map(|layer| {
        layer.check()?;
        let counts = layer.values().par_chunks(CHUNK).map(count).reduce(|| [0; 256], add);
        let named = (i8::MIN..=i8::MAX).map(|value| (value, counts[usize::from(value as u8)]));
        Ok(named.filter(|&(_, count)| count > 0).collect())
    });
    census.collect()
}
