//! All layers of a table together.

use std::collections::TryReserveError;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use super::bounds::Bounds;
use super::index::{Rows, rank};
use super::layer::{self, Layer, LayerError, rules_of};
use crate::eval::Certainty;
use crate::game::ayo::{Ayo, PITS, Position, Rules, SEEDS, total};
use crate::game::{Game, Pit, Side};
use crate::store::{FileError, Lock};

/// A move captures at most three seeds from each pit of a row.
pub(crate) const MOST_CAPTURED: u8 = 3 * PITS as u8;

/// The values of every position up to some number of seeds, under one set of rules.
///
/// ```
/// use mancala::endgame::{BuildPlan, Tables, build};
/// use mancala::game::ayo::Rules;
/// let folder = tempfile::tempdir().unwrap();
/// build(&BuildPlan::new(Rules::AWARI, 6, folder.path()).unwrap(), &(), |_| ()).unwrap();
/// let tables = Tables::open(folder.path(), Rules::AWARI).unwrap();
/// assert_eq!(tables.most_seeds(), 6);
/// // South captures both seeds, and North is left with nothing to play.
/// let position = "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S".parse().unwrap();
/// assert_eq!(tables.probe(&position), Some(2));
/// ```
#[derive(Debug)]
pub struct Tables {
    rules: Rules,
    /// By seeds, without a gap; at least one.
    layers: Vec<Layer>,
    /// What is proven where the values are not, if that was found.
    bounds: Option<Bounds>,
}

/// Why there are no tables.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// The folder cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A layer is not as it should be.
    #[error(transparent)]
    Layer(#[from] LayerError),
    /// There is no table in the folder.
    #[error("{} holds no endgame tables", .0.display())]
    None(PathBuf),
    /// There are only tables of other rules.
    #[error("{} holds tables of the rules {found}, not {expected}", path.display())]
    Rules {
        /// The folder.
        path: PathBuf,
        /// The rules whose tables are there.
        found: String,
        /// The rules asked for.
        expected: Rules,
    },
    /// A layer between others is not there.
    #[error(
        "{} is missing, though there are tables of more seeds: remove those, and build makes them again",
        .0.display()
    )]
    Missing(PathBuf),
    /// Another process builds tables in the folder.
    #[error("{} is building tables in {}", who(.holder), path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
        /// The number of the process, if the lock says it.
        holder: Option<u32>,
    },
    /// There is not enough memory for a layer.
    #[error(
        "no memory for the {bytes} bytes that {seeds} seeds take: the layers before it are kept"
    )]
    Memory {
        /// The seeds of the layer.
        seeds: u8,
        /// A value and a counter for each of its positions.
        bytes: u64,
    },
}

impl TablesError {
    /// Another process holds the lock of the folder.
    pub(super) fn busy(folder: &Path) -> TablesError {
        TablesError::Busy { path: folder.to_owned(), holder: Lock::holder(folder) }
    }
}

fn who(holder: &Option<u32>) -> String {
    holder.map_or_else(|| "another process".into(), |id| format!("process {id}"))
}

/// The rules whose tables lie in a folder, in the order of their names.
///
/// # Errors
/// If the folder cannot be read.
pub fn rules_in(folder: &Path) -> Result<Vec<Rules>, TablesError> {
    let entries = fs::read_dir(folder).map_err(FileError::of("read", folder))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let layers = paths.filter(|path| path.extension().is_some_and(|ending| ending == "ayo"));
    let mut rules: Vec<Rules> = layers.filter_map(|path| rules_of(&path)).collect();
    rules.sort_by_key(Rules::to_string);
    rules.dedup();
    Ok(rules)
}

/// The rules and seeds of the layer of a table in a file. Reads all of it.
///
/// # Errors
/// If it is damaged, no layer, or has the name of another.
pub fn examine_layer(path: &Path) -> Result<(Rules, u8), LayerError> {
    layer::examine(path)
}

impl Tables {
    /// Maps the tables of `rules` in a folder, as many layers as there are. Only their heads are looked
    /// at; [`check`](Self::check) finds damaged values.
    ///
    /// # Errors
    /// If there are none or only tables of other rules, if a layer is missing, or if one is not what its
    /// name says.
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

    /// The layers that a folder has so far, possibly none.
    pub(super) fn so_far(folder: &Path, rules: Rules) -> Result<Tables, TablesError> {
        let path = |seeds| folder.join(Layer::file_name(rules, seeds));
        // From the top down: a builder adds layers from the bottom up, so what lies below one that is there was
        // there before it. The other way round its work looks like a gap.
        let highest = (0..=SEEDS).rev().find(|&seeds| path(seeds).exists());
        let count = highest.map_or(0, |seeds| seeds + 1);
        if let Some(missing) = (0..count).map(path).find(|layer| !layer.exists()) {
            return Err(TablesError::Missing(missing));
        }
        let layers = (0..count).map(|seeds| Layer::open(folder, rules, seeds));
        Ok(Tables { rules, layers: layers.collect::<Result<_, _>>()?, bounds: None })
    }

    /// Tables without a layer.
    pub(super) fn none(rules: Rules) -> Tables {
        Tables { rules, layers: Vec::new(), bounds: None }
    }

    /// Adds the next layer.
    pub(super) fn push(&mut self, layer: Layer) {
        self.layers.push(layer);
    }

    /// Their folder. Empty if they are kept in memory alone.
    pub fn folder(&self) -> &Path {
        self.layers.first().and_then(|layer| layer.path().parent()).unwrap_or(Path::new("."))
    }

    /// The rules that the values hold for.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The most seeds that a position in the tables has on the board.
    pub fn most_seeds(&self) -> u8 {
        self.layers.len().saturating_sub(1) as u8
    }

    /// The number of layers, from that of 0 seeds up.
    pub(super) fn len(&self) -> u8 {
        self.layers.len() as u8
    }

    /// Whether the values are proven. Otherwise they assume that play without end is worth nothing, which
    /// the rules do not say.
    pub fn proven(&self) -> bool {
        Tables::proves(self.rules)
    }

    /// Whether the values of tables of these rules are proven.
    pub fn proves(rules: Rules) -> bool {
        rules == Rules::AWARI
    }

    /// Finds [`Bounds`] for all positions, unless the values are proven. For 12 seeds that takes two seconds of
    /// processor time and 10 MiB, and 33 MiB more until it is done.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn find_bounds(&mut self) -> Result<(), TryReserveError> {
        if !self.proven() {
            self.bounds = Bounds::find(self.rules, self.most_seeds())?;
        }
        Ok(())
    }

    /// The bounds, if they were found.
    pub fn bounds(&self) -> Option<&Bounds> {
        self.bounds.as_ref()
    }

    /// The least and the most that the side to move comes to, as far as that is proven.
    #[inline]
    fn range(&self, rows: Rows) -> Option<RangeInclusive<i8>> {
        match &self.bounds {
            Some(bounds) => bounds.of(rows),
            None => self.value(rows).filter(|_| self.proven()).map(|value| value..=value),
        }
    }

    /// The value within the bounds.
    #[inline]
    fn likely(&self, rows: Rows) -> Option<i8> {
        let value = self.value(rows)?;
        let range = self.range(rows);
        Some(range.map_or(value, |range| value.clamp(*range.start(), *range.end())))
    }

    /// The best seed difference that the side to move can still reach from here, if the position is in
    /// the tables.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<i8> {
        self.value(position.rows())
    }

    /// As [`probe`](Self::probe), for rows without stores.
    #[inline]
    pub fn value(&self, rows: Rows) -> Option<i8> {
        let seeds = rows.map(total).iter().sum::<u8>();
        self.layers.get(usize::from(seeds)).map(|layer| layer.values()[rank(rows) as usize])
    }

    /// The seed difference, `me` less the opponent, that the game comes to if both sides play perfectly
    /// from here: what is captured already and what is still to come. `None` outside the tables.
    #[inline]
    pub fn difference(&self, position: &Position, me: Side) -> Option<i32> {
        let value = i32::from(self.probe(position)?);
        let to_come = if position.to_move() == me { value } else { -value };
        let captured = |side| i32::from(position.store(side));
        Some(captured(me) - captured(me.other()) + to_come)
    }

    /// What is known of the seed difference, `me` less the opponent, that the game comes to if both sides play
    /// perfectly from here: the least that the winner is sure of, if it is proven who that is, or the difference
    /// that is likely within the bounds. `None` outside the tables.
    #[inline]
    pub fn outcome(&self, position: &Position, me: Side) -> Option<(i32, Certainty)> {
        let (rows, mover) = (position.rows(), position.to_move());
        let ahead = i32::from(position.store(mover)) - i32::from(position.store(mover.other()));
        // Where that is all, one place in memory is looked at.
        let (difference, certainty) = match self.range(rows).and_then(|it| decided(ahead, it)) {
            Some(difference) => (difference, Certainty::Proven),
            None => (ahead + i32::from(self.likely(rows)?), Certainty::Heuristic),
        };
        Some((if mover == me { difference } else { -difference }, certainty))
    }

    /// The value of each legal move for the side to move, its captures included. The best of them is the
    /// value of the position. `None` outside the tables. Stores do not matter, so a game that is decided by
    /// them has moves too.
    ///
    /// ```
    /// use mancala::endgame::{BuildPlan, Tables, build};
    /// use mancala::game::ayo::Rules;
    /// let folder = tempfile::tempdir().unwrap();
    /// let plan = BuildPlan::new(Rules::AWARI, 4, folder.path()).unwrap();
    /// let tables = build(&plan, &(), |_| ()).unwrap().unwrap();
    /// let position = "0-0-0-0-1-1-1-0-0-0-1-0-22-22-S".parse().unwrap();
    /// let moves = tables.moves(&position).unwrap();
    /// let best = moves.iter().map(|&(_, value)| value).max();
    /// assert_eq!(best, tables.probe(&position));
    /// ```
    pub fn moves(&self, position: &Position) -> Option<Vec<(Pit, i8)>> {
        self.probe(position)?;
        let (game, mover) = (Ayo { rules: self.rules }, position.to_move());
        let brought = |pit| {
            let after = game.play(position, pit);
            let taken = after.store(mover) - position.store(mover);
            Some((pit, taken as i8 - self.probe(&after)?))
        };
        game.moves(position).map(brought).collect()
    }

    /// As [`moves`](Self::moves), within the bounds, and whether it is proven.
    pub fn known(&self, position: &Position) -> Option<Vec<(Pit, i8, Certainty)>> {
        let (game, mover) = (Ayo { rules: self.rules }, position.to_move());
        let known = |(pit, _)| {
            let after = game.play(position, pit);
            let (rows, taken) = (after.rows(), after.store(mover) - position.store(mover));
            let is_proven = self.range(rows).is_some_and(|it| it.start() == it.end());
            let certainty = if is_proven { Certainty::Proven } else { Certainty::Heuristic };
            let value = self.likely(rows)?;
            Some((pit, taken as i8 - value, certainty))
        };
        self.moves(position)?.into_iter().map(known).collect()
    }

    /// A checksum over the values of all layers: tables with equal checksums hold equal values. It is made
    /// from the checksums in the headers of the files.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        self.layers.iter().for_each(|layer| hasher.update(&layer.checksum()));
        hasher.finalize()
    }

    /// Checks that no layer has changed since it was written. Reads all of them.
    ///
    /// # Errors
    /// If one did.
    pub fn check_all(&self) -> Result<(), LayerError> {
        self.layers.iter().try_for_each(Layer::check)
    }

    /// Checks that the layers of positions with `seeds` seeds, and those that their moves lead to, have not
    /// changed. Reads all of those layers.
    ///
    /// # Errors
    /// If one did.
    pub fn check_reached(&self, seeds: u8) -> Result<(), LayerError> {
        let fewest = usize::from(seeds.saturating_sub(MOST_CAPTURED));
        let mut reached = self.layers.iter().take(usize::from(seeds) + 1).skip(fewest);
        reached.try_for_each(Layer::check)
    }

    /// Checks that a layer has not changed since it was written. Reads all of it.
    ///
    /// # Errors
    /// If one did.
    ///
    /// # Panics
    /// If there is no such layer.
    pub fn check(&self, seeds: u8) -> Result<(), LayerError> {
        self.layers[usize::from(seeds)].check()
    }

    /// The values of every layer, by seeds.
    pub(super) fn values(&self) -> Vec<&[i8]> {
        self.layers.iter().map(Layer::values).collect()
    }

    pub(super) fn path(&self, seeds: u8) -> &Path {
        self.layers[usize::from(seeds)].path()
    }
}

/// The difference that the winner is sure of, or that of a draw, if one who is so much ahead, with so much to come,
/// knows who wins.
#[inline]
fn decided(ahead: i32, to_come: RangeInclusive<i8>) -> Option<i32> {
    let [least, most] = [to_come.start(), to_come.end()].map(|&it| ahead + i32::from(it));
    let nearest = 0.clamp(least, most);
    (nearest != 0 || least == most).then_some(nearest)
}
