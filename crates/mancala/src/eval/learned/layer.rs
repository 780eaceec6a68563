//! A learned layer: units, each a sum over what a position shows, clamped and squared.

use std::fmt;
use std::hash::{Hash, Hasher};
#[cfg(target_arch = "x86_64")]
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::phases::Phases;
#[cfg(target_arch = "x86_64")]
use super::vector::Blocks;
use crate::game::{Encoded, GameKind, Group, MOST_GROUPS, Unit};
use crate::store::{Frame, FrameError};

/// The most units that a layer has.
pub const MOST_UNITS: usize = Unit::MOST as usize;
/// Layers have a multiple of so many units.
const STEP: usize = 8;
/// What stands for 1 in sums: weights are in units of 1/255.
pub const ONE: i32 = 255;
/// The largest value of a unit.
pub const UNIT_MAX: i32 = Unit::LARGEST;

const _: () = assert!(UNIT_MAX == (ONE * ONE) >> 8);

/// A file without phases, as the first version wrote it.
const PLAIN: Frame = Frame { kind: *b"LAYR", version: 1 };
/// A file with phases. Layers of a single phase are kept as ever, so that their hashes stay.
const PHASED: Frame = Frame { version: 2, ..PLAIN };

/// The first layer of a network, whose units are features of a position: seen by the side to move, unit *u*
/// is `clamp(bias[u] + Σ rows[r][u], 0, 255)² >> 8` over the active rows *r* of the game's inputs, 0 to
/// [`UNIT_MAX`]. Weights are in 1/255. Its [`Phases`] say how the output weight of a unit changes in the course of a game.
///
/// ```
/// use mancala::eval::Layer;
/// use mancala::game::{Encoded, Game, GameKind, Side, ayo::Ayo};
/// // Eight units that see nothing but a seed in an own first pit, which is worth a half to the first of them.
/// let mut rows = vec![0; Ayo::rows() * 8];
/// rows[4 * 8] = 128;
/// let layer = Layer::new(GameKind::Ayo, 8, rows, vec![0; 8]).unwrap();
/// let values = layer.values::<Ayo>(&Ayo::default().start(Side::South));
/// assert_eq!(values, [64, 0, 0, 0, 0, 0, 0, 0]);
/// assert_eq!(Layer::decode(&layer.encode()), Ok(layer));
/// ```
#[derive(Clone)]
pub struct Layer {
    game: GameKind,
    units: usize,
    rows: Vec<i16>,
    bias: Vec<i16>,
    phases: Phases,
    hash: String,
    /// The same weights for the processor's vectors, if it has them.
    #[cfg(target_arch = "x86_64")]
    blocks: Option<Arc<Blocks>>,
}

impl PartialEq for Layer {
    fn eq(&self, other: &Layer) -> bool {
        let parts = |it: &Layer| (it.game, it.units);
        parts(self) == parts(other)
            && self.rows == other.rows
            && self.bias == other.bias
            && self.phases == other.phases
    }
}

impl Eq for Layer {}

impl Hash for Layer {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

/// Why numbers or bytes are no layer. A message goes on from "the file" or "a layer".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayerError {
    /// There are too few units, too many, or an odd number.
    #[error("has {0} units, not 8 to {MOST_UNITS} in steps of {STEP}")]
    Units(usize),
    /// There are too few or too many weights.
    #[error("has {found} weights of {what}, not {expected}")]
    Count {
        /// Rows or the bias.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A unit's weights may add up to more than sixteen bits hold.
    #[error("has weights of unit {unit} that come to {sum}, beyond {}", i16::MAX)]
    Sum {
        /// The unit, from 1.
        unit: usize,
        /// The largest sizes of a group each and of the bias, added up.
        sum: i32,
    },
    /// There are not as many factors as some phases have.
    #[error("has {found} factors, not {units} for each of 1 to {most} phases", most = Phases::MOST)]
    Factors {
        /// How many there are.
        found: usize,
        /// Units of the layer.
        units: usize,
    },
    /// There is one phase, and something else than output weights counts in it.
    #[error("has a single phase with factors that are not 1")]
    Single,
    /// A factor is larger than 1.
    #[error("has a factor of unit {unit} that is {factor}, outside -{most} to {most}", most = Phases::WHOLE)]
    Factor {
        /// The unit, from 1.
        unit: usize,
        /// The factor, in 1/256.
        factor: i16,
    },
    /// A weight is no number.
    #[error("has a weight of unit {unit} that is {value}, not a number")]
    Number {
        /// The unit, from 1.
        unit: usize,
        /// The weight.
        value: String,
    },
    /// Damaged bytes, a foreign file or one of another version.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A game that this program does not know.
    #[error("is a layer of \"{0}\", which is no game of this program")]
    Game(String),
    /// The layer sees something else than the game shows.
    #[error("is a layer of {0} with inputs that this program does not have")]
    Inputs(GameKind),
}

/// A layer of fitted weights, and what became of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantised {
    /// The layer.
    pub layer: Layer,
    /// How many weights were too large, and became the largest that is allowed.
    pub clamped: usize,
}

/// What a file holds, of a layer with phases together with their factors.
#[derive(Serialize, Deserialize)]
struct Saved {
    game: String,
    /// The name of each group, and its rows.
    groups: Vec<(String, u16)>,
    units: u32,
    rows: Vec<i16>,
    bias: Vec<i16>,
}

fn groups_of(game: GameKind) -> Vec<Group> {
    match game {
        GameKind::Ayo => crate::game::ayo::Ayo::groups(),
        GameKind::Kalah => crate::game::kalah::Kalah::groups(),
    }
}

impl Layer {
    /// The layer of `units` units with these weights in 1/255: `rows` has the units of the first row, then
    /// those of the second; `bias` has one a unit.
    ///
    /// # Errors
    /// If there are not 8, 16, … 64 units or not as many weights as they have, or a sum that a position
    /// could show exceeds sixteen bits.
    pub fn new(
        game: GameKind,
        units: usize,
        rows: Vec<i16>,
        bias: Vec<i16>,
    ) -> Result<Layer, LayerError> {
        let groups = groups_of(game);
        check_counts(&groups, units, rows.len(), bias.len())?;
        check_sums(&groups, &rows, &bias)?;
        let mut layer = Layer {
            game,
            units,
            rows,
            bias,
            phases: Phases::single(units),
            hash: String::new(),
            #[cfg(target_arch = "x86_64")]
            blocks: None,
        };
        layer.hash = hash_of(&layer.encode());
        #[cfg(target_arch = "x86_64")]
        {
            layer.blocks = Blocks::new(&layer).map(Arc::new);
        }
        Ok(layer)
    }

    /// The same layer with phases of a game.
    ///
    /// # Errors
    /// If they are phases of another number of units.
    pub fn with_phases(self, phases: Phases) -> Result<Layer, LayerError> {
        if phases.units() != self.units {
            let found = phases.factors().len();
            return Err(LayerError::Factors { found, units: self.units });
        }
        let mut layer = Layer { phases, ..self };
        layer.hash = hash_of(&layer.encode());
        Ok(layer)
    }

    /// The layer nearest to these weights, in which 1 stands for 1. A weight so large that sums could exceed
    /// sixteen bits becomes the largest that is allowed, more than 5 in size.
    ///
    /// # Errors
    /// As [`new`](Self::new), and if a weight is no number.
    pub fn quantised(
        game: GameKind,
        units: usize,
        rows: &[f32],
        bias: &[f32],
    ) -> Result<Quantised, LayerError> {
        let groups = groups_of(game);
        check_counts(&groups, units, rows.len(), bias.len())?;
        let limit = f64::from(i16::MAX / (groups.len() as i16 + 1));
        let mut clamped = 0;
        let mut nearest = |(index, &weight): (usize, &f32)| {
            if weight.is_nan() {
                let unit = index % units + 1;
                return Err(LayerError::Number { unit, value: weight.to_string() });
            }
            let scaled = (f64::from(weight) * f64::from(ONE)).round();
            clamped += usize::from(scaled.abs() > limit);
            Ok(scaled.clamp(-limit, limit) as i16)
        };
        let rows = rows.iter().enumerate().map(&mut nearest).collect::<Result<_, _>>()?;
        let bias = bias.iter().enumerate().map(&mut nearest).collect::<Result<_, _>>()?;
        let layer = Layer::new(game, units, rows, bias)?;
        Ok(Quantised { layer, clamped })
    }

    /// How many inputs a layer of a game has: the rows of all groups.
    pub fn inputs(game: GameKind) -> usize {
        groups_of(game).iter().map(|group| usize::from(group.rows)).sum()
    }

    /// What its rows stand for, in their order.
    pub fn groups(&self) -> Vec<Group> {
        groups_of(self.game)
    }

    /// The game whose positions it sees.
    pub fn game(&self) -> GameKind {
        self.game
    }

    /// How many units there are.
    pub fn units(&self) -> usize {
        self.units
    }

    /// The weights of the units of one row after another, in 1/255.
    pub fn rows(&self) -> &[i16] {
        &self.rows
    }

    /// A weight for each unit that counts in every position, in 1/255.
    pub fn bias(&self) -> &[i16] {
        &self.bias
    }

    /// How the output weights of units change in the course of a game.
    pub fn phases(&self) -> &Phases {
        &self.phases
    }

    /// The SHA-256 of the encoded layer, 64 hexadecimal digits.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The first eight digits of the hash, for people and file names.
    pub fn short_hash(&self) -> &str {
        &self.hash[..8]
    }

    /// The name of its file beside weights of its units.
    pub fn file_name(&self) -> String {
        format!("features-{}.ayo", self.short_hash())
    }

    /// The value of each unit, 0 to [`UNIT_MAX`], in a position from the view of the side to move.
    ///
    /// # Panics
    /// If it is a layer of another game.
    pub fn values<G: Encoded>(&self, position: &G::Position) -> Vec<i32> {
        assert_eq!(G::KIND, self.game, "a layer sees positions of its own game");
        let mut active = [0; MOST_GROUPS];
        let count = G::active(position, &mut active);
        let mut sums: Vec<i32> = self.bias.iter().map(|&weight| weight.into()).collect();
        for &row in &active[..count] {
            let weights = &self.rows[usize::from(row) * self.units..][..self.units];
            sums.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum += i32::from(weight));
        }
        sums.into_iter().map(activation).collect()
    }

    /// The weights for the processor's vectors, if it has them.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn blocks(&self) -> Option<&Arc<Blocks>> {
        self.blocks.as_ref()
    }

    /// The bytes of a file with the layer.
    pub fn encode(&self) -> Vec<u8> {
        let saved = Saved {
            game: self.game.name().into(),
            groups: named(&groups_of(self.game)),
            units: self.units as u32,
            rows: self.rows.clone(),
            bias: self.bias.clone(),
        };
        match self.phases.count() {
            1 => PLAIN.encode(&saved),
            _ => PHASED.encode(&(saved, self.phases.factors())),
        }
    }

    /// The layer of a file's bytes.
    ///
    /// # Errors
    /// Unless they are what [`encode`](Self::encode) wrote, to the last bit. The message goes on from the
    /// name of the file.
    pub fn decode(bytes: &[u8]) -> Result<Layer, LayerError> {
        let (Saved { game, groups, units, rows, bias }, factors) = match PLAIN.decode(bytes) {
            Err(FrameError::Version { .. }) => {
                let (saved, factors): (Saved, Vec<i16>) = PHASED.decode(bytes)?;
                (saved, Some(factors))
            }
            plain => (plain?, None),
        };
        let kind = GameKind::ALL.into_iter().find(|kind| kind.name() == game);
        let kind = kind.ok_or(LayerError::Game(game))?;
        if groups != named(&groups_of(kind)) {
            return Err(LayerError::Inputs(kind));
        }
        let units = units as usize;
        // Refuses numbers of units that are none, before anything is made for each of them.
        let layer = Layer::new(kind, units, rows, bias)?;
        match factors {
            Some(factors) => layer.with_phases(Phases::new(units, factors)?),
            None => Ok(layer),
        }
    }
}

/// `clamp(sum, 0, 255)² >> 8`.
#[inline]
pub(super) fn activation(sum: i32) -> i32 {
    let sum = sum.clamp(0, ONE);
    (sum * sum) >> 8
}

fn named(groups: &[Group]) -> Vec<(String, u16)> {
    groups.iter().map(|group| (group.name(), group.rows)).collect()
}

fn hash_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn check_counts(
    groups: &[Group],
    units: usize,
    rows: usize,
    bias: usize,
) -> Result<(), LayerError> {
    if !(STEP..=MOST_UNITS).contains(&units) || !units.is_multiple_of(STEP) {
        return Err(LayerError::Units(units));
    }
    let all = groups.iter().map(|group| usize::from(group.rows)).sum::<usize>();
    for (what, found, expected) in [("rows", rows, all * units), ("the bias", bias, units)] {
        if found != expected {
            return Err(LayerError::Count { what, found, expected });
        }
    }
    Ok(())
}

/// Checks that no sum of a bias and a row of each group, nor a part of it, exceeds sixteen bits.
fn check_sums(groups: &[Group], rows: &[i16], bias: &[i16]) -> Result<(), LayerError> {
    let units = bias.len();
    let mut sums: Vec<i32> = bias.iter().map(|weight| i32::from(*weight).abs()).collect();
    for group in groups {
        let (first, count) = (usize::from(group.first), usize::from(group.rows));
        let mut largest = vec![0; units];
        for row in rows[first * units..][..count * units].chunks_exact(units) {
            for (most, &weight) in largest.iter_mut().zip(row) {
                *most = i32::from(weight).abs().max(*most);
            }
        }
        sums.iter_mut().zip(&largest).for_each(|(sum, most)| *sum += most);
    }
    match sums.iter().position(|&sum| sum > i16::MAX.into()) {
        Some(unit) => Err(LayerError::Sum { unit: unit + 1, sum: sums[unit] }),
        None => Ok(()),
    }
}

/// Without the weights, which are many.
impl fmt::Debug for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layer({} {} {})", self.game, self.units, self.short_hash())
    }
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;

    /// A file with these groups and no weights.
    pub(crate) fn saved(game: &str, groups: Vec<(String, u16)>) -> Vec<u8> {
        PLAIN.encode(&Saved { game: game.into(), groups, units: 8, rows: vec![], bias: vec![] })
    }
}
