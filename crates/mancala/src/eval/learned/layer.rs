//! Hidden layers of a network.

use std::fmt;
use std::hash::{Hash, Hasher};
#[cfg(target_arch = "x86_64")]
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::second::SecondLayer;
use super::taper::Taper;
#[cfg(target_arch = "x86_64")]
use super::vector::Tables;
use crate::game::{
    Encoded, Feature, GameKind, Group, HiddenNeuron, InputKind, MAX_GROUPS, with_type,
};
use crate::store::{Frame, FrameError, sha256};
use crate::text::{Message, Result};

/// The maximum number of units.
pub const MAX_UNITS: usize = HiddenNeuron::MAX as usize;
/// The number of units in a layer must be a multiple of this.
const STEP: usize = 8;
/// The fixed-point representation of 1. Weights are in units of 1/255.
pub const ONE: i32 = 255;
/// The maximum value of a unit.
pub const UNIT_MAX: i32 = HiddenNeuron::MAX_VALUE;

const _: () = assert!(UNIT_MAX == (ONE * ONE) >> 8);

/// The format for one layer with one phase. It must never change, because that would change the hashes of layers.
const PLAIN: Frame = Frame { kind: *b"LAYR", version: 1 };
const PHASED: Frame = Frame { version: 2, ..PLAIN };
/// The file format for a [`Layer`] that contains a [`SecondLayer`].
const DEEP: Frame = Frame { version: 3, ..PLAIN };

/// The hidden layers of a network, whose neurons are features of a position. Neurons of the first layer are called
/// units, and neurons of either layer (the [`SecondLayer`] is optional) are called outputs. For the side to move, the
/// value of unit *u* is `clamp(bias[u] + Σ rows[r][u], 0, 255)² >> 8`, from 0 to [`UNIT_MAX`]. The sum is over the rows
/// *r* of the inputs that are active in the position. Weights are in units of 1/255. A [`Taper`] varies the output
/// weights over the course of a game.
///
/// ```
/// use mancala::eval::Layer;
/// use mancala::game::{Encoded, Game, GameKind, Side, ayo::Ayo};
/// // Eight units. Only the first one has an input: a single seed in my first pit counts as 1/2.
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
    second: Option<SecondLayer>,
    phases: Taper,
    hash: String,
    /// Weights in the layout for vector instructions, if the processor supports them.
    #[cfg(target_arch = "x86_64")]
    pub(super) tables: Option<Arc<Tables>>,
}

impl PartialEq for Layer {
    fn eq(&self, other: &Layer) -> bool {
        self.hash == other.hash
    }
}

impl Eq for Layer {}

impl Hash for Layer {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

/// Errors from building or reading a [`Layer`]. Callers put "the file" or "a layer" in front of the messages.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayerError {
    #[error(transparent)]
    Frame(#[from] FrameError),
    #[error(transparent)]
    Content(#[from] Message),
}

/// The first part of a layer file. Depending on the format, it is followed by phases and a second layer.
#[derive(Serialize, Deserialize)]
struct Saved {
    game: String,
    /// The name and the number of rows of each group.
    groups: Vec<(String, u16)>,
    units: u32,
    rows: Vec<i16>,
    bias: Vec<i16>,
}

fn groups_of(game: GameKind) -> Vec<Group> {
    with_type!(game, G => G::groups())
}

fn is_pair(group: &Group) -> bool {
    matches!(group.kind, InputKind::Pair(_))
}

/// Counts the rows that aren't for pairs of pits. The rows for pairs come last.
fn rows_without_pairs(groups: &[Group]) -> usize {
    groups.iter().filter(|it| !is_pair(it)).map(|it| usize::from(it.rows)).sum()
}

impl Layer {
    /// Creates a layer from row-major weights, in units of 1/255. Returns an error if the number of units isn't a
    /// multiple of 8 from 8 to 256, if the number of weights is wrong, or if a sum could exceed 16 bits.
    pub fn new(game: GameKind, units: usize, rows: Vec<i16>, bias: Vec<i16>) -> Result<Layer> {
        let groups = groups_of(game);
        check_counts(&groups, units, rows.len(), bias.len())?;
        check_sums(&groups, &rows, &bias)?;
        let mut layer = Layer {
            game,
            units,
            rows,
            bias,
            second: None,
            phases: Taper::single(units),
            hash: String::new(),
            #[cfg(target_arch = "x86_64")]
            tables: None,
        };
        layer.hash = sha256(layer.encode());
        #[cfg(target_arch = "x86_64")]
        {
            layer.tables = Tables::new(&layer).map(Arc::new);
        }
        Ok(layer)
    }

    /// Sets the second layer, which must be for the same number of units, and resets the phases to a single phase.
    pub fn with_second_layer(self, second: SecondLayer) -> Result<Layer> {
        check_count("the second layer", second.weights().len(), second.neurons() * self.units)?;
        let phases = Taper::single(self.units + second.neurons());
        Layer { second: Some(second), ..self }.with_phases(phases)
    }

    /// Replaces the phases. Returns an error if they are for a different number of outputs.
    pub fn with_phases(self, phases: Taper) -> Result<Layer> {
        if phases.outputs() != self.outputs() {
            return Err(Taper::wrong_number(phases.factors().len(), self.outputs()));
        }
        let mut layer = Layer { phases, ..self };
        layer.hash = sha256(layer.encode());
        Ok(layer)
    }

    /// Creates a layer from weights that are rounded to 1/255 and clamped to about ±5, so that sums fit in 16 bits.
    /// Returns an error if a weight is not a number, or for the same reasons as [`new`](Self::new).
    pub fn quantised(game: GameKind, units: usize, rows: &[f32], bias: &[f32]) -> Result<Layer> {
        let groups = groups_of(game);
        check_counts(&groups, units, rows.len(), bias.len())?;
        let limit = f64::from(i16::MAX / (groups.len() as i16 + 1));
        if rows.iter().chain(bias).any(|weight| weight.is_nan()) {
            return Err("has a weight that is not a number".into());
        }
        let rounded = |&weight: &f32| {
            let scaled = (f64::from(weight) * f64::from(ONE)).round();
            scaled.clamp(-limit, limit) as i16
        };
        let [rows, bias] = [rows, bias].map(|weights| weights.iter().map(rounded).collect());
        Layer::new(game, units, rows, bias)
    }

    /// Returns the number of inputs for a game, which is the total number of rows in all groups.
    pub fn inputs(game: GameKind) -> usize {
        groups_of(game).iter().map(|group| usize::from(group.rows)).sum()
    }

    /// Returns the groups of inputs, in row order.
    pub fn groups(&self) -> Vec<Group> {
        groups_of(self.game)
    }

    pub fn game(&self) -> GameKind {
        self.game
    }

    pub fn units(&self) -> usize {
        self.units
    }

    pub fn second_layer(&self) -> Option<&SecondLayer> {
        self.second.as_ref()
    }

    /// Returns the total number of units and second-layer neurons.
    pub fn outputs(&self) -> usize {
        self.units + self.second.as_ref().map_or(0, SecondLayer::neurons)
    }

    /// Iterates over the hidden neurons of the layer in output order.
    pub fn neurons(&self) -> impl Iterator<Item = Feature> {
        let all = HiddenNeuron::all(self.game).map(Feature::from);
        all.filter(|&neuron| self.index_of(neuron).is_some())
    }

    /// Returns the output index of a hidden neuron, or `None` for other features and for numbers that are too high.
    pub fn index_of(&self, feature: Feature) -> Option<usize> {
        let Feature::HiddenNeuron(neuron) = feature else { return None };
        let index = usize::from(neuron.number) - 1;
        match neuron.is_second {
            false => Some(index).filter(|&index| index < self.units),
            true => Some(self.units + index).filter(|&index| index < self.outputs()),
        }
    }

    /// Returns the row-major weights, in 1/255.
    pub fn rows(&self) -> &[i16] {
        &self.rows
    }

    /// Returns the bias of each unit, in 1/255.
    pub fn bias(&self) -> &[i16] {
        &self.bias
    }

    pub fn phases(&self) -> &Taper {
        &self.phases
    }

    /// Returns the hex-encoded SHA-256 hash of the encoded layer.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Returns the first eight digits of [`hash`](Self::hash).
    pub fn short_hash(&self) -> &str {
        &self.hash[..8]
    }

    /// Returns the name of the file that stores the layer next to a weights file.
    pub fn file_name(&self) -> String {
        format!("features-{}.ayo", self.short_hash())
    }

    /// Returns the outputs for the side to move, from 0 to [`UNIT_MAX`]. Panics if the position is for another game.
    pub fn values<G: Encoded>(&self, position: &G::Position) -> Vec<i32> {
        assert_eq!(G::KIND, self.game, "the layer is for a different game");
        let mut active = [0; MAX_GROUPS];
        let count = G::active(position, &mut active);
        let mut sums: Vec<i32> = self.bias.iter().map(|&weight| weight.into()).collect();
        for &row in &active[..count] {
            let weights = &self.rows[usize::from(row) * self.units..][..self.units];
            sums.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum += i32::from(weight));
        }
        let mut values: Vec<i32> = sums.into_iter().map(activation).collect();
        if let Some(second) = &self.second {
            values.extend(second.values(&values));
        }
        values
    }

    /// Encodes the layer as a file. If all weights for pairs are 0, we omit them, as in older files.
    pub fn encode(&self) -> Vec<u8> {
        let mut groups = groups_of(self.game);
        let mut rows = &self.rows[..];
        let without_pairs = &rows[..rows_without_pairs(&groups) * self.units];
        if rows[without_pairs.len()..].iter().all(|&weight| weight == 0) {
            groups.retain(|group| !is_pair(group));
            rows = without_pairs;
        }
        let saved = Saved {
            game: self.game.name().into(),
            groups: group_names(&groups),
            units: self.units as u32,
            rows: rows.to_vec(),
            bias: self.bias.clone(),
        };
        let factors = self.phases.factors();
        match (&self.second, self.phases.count()) {
            (Some(second), _) => DEEP.encode(&(saved, factors, second.weights(), second.bias())),
            (None, 1) => PLAIN.encode(&saved),
            (None, _) => PHASED.encode(&(saved, factors)),
        }
    }

    /// Decodes a file encoded by [`encode`](Self::encode).
    pub fn decode(bytes: &[u8]) -> Result<Layer, LayerError> {
        let (saved, factors, second) = match PLAIN.decode(bytes) {
            Err(FrameError::Version { found, .. }) if found == PHASED.version => {
                let (saved, factors): (Saved, Vec<i16>) = PHASED.decode(bytes)?;
                (saved, Some(factors), None)
            }
            Err(FrameError::Version { .. }) => {
                let (saved, factors, weights, bias) = DEEP.decode(bytes)?;
                (saved, Some(factors), Some(SecondLayer::new(weights, bias)?))
            }
            plain => (plain?, None, None),
        };
        let Saved { game, groups, units, mut rows, bias } = saved;
        let kind = GameKind::ALL.into_iter().find(|kind| kind.name() == game);
        let unknown = || Message::from(format!("is a layer for an unknown game, \"{game}\""));
        let kind = kind.ok_or_else(unknown)?;
        let mut known = groups_of(kind);
        if groups != group_names(&known) {
            let (all, without_pairs) = (Layer::inputs(kind), rows_without_pairs(&known));
            known.retain(|group| !is_pair(group));
            if groups != group_names(&known) {
                let reason = format!("is a layer for {kind} with unknown inputs");
                return Err(Message::from(reason).into());
            }
            // We can clamp the number of units here, because `Layer::new` rejects a layer with more units than this.
            let units = (units as usize).min(MAX_UNITS);
            rows.resize(rows.len() + (all - without_pairs) * units, 0);
        }
        // This also checks the number of units, on which the expected number of factors below depends.
        let mut layer = Layer::new(kind, units as usize, rows, bias)?;
        if let Some(second) = second {
            layer = layer.with_second_layer(second)?;
        }
        if let Some(factors) = factors {
            let phases = Taper::new(layer.outputs(), factors)?;
            layer = layer.with_phases(phases)?;
        }
        Ok(layer)
    }
}

#[inline]
pub(super) fn activation(sum: i32) -> i32 {
    let sum = sum.clamp(0, ONE);
    (sum * sum) >> 8
}

fn group_names(groups: &[Group]) -> Vec<(String, u16)> {
    groups.iter().map(|group| (group.name(), group.rows)).collect()
}

fn check_counts(groups: &[Group], units: usize, rows: usize, bias: usize) -> Result<()> {
    if !(STEP..=MAX_UNITS).contains(&units) || !units.is_multiple_of(STEP) {
        return Err(format!("has {units} units, not 8 to {MAX_UNITS} in steps of {STEP}").into());
    }
    let all = groups.iter().map(|group| usize::from(group.rows)).sum::<usize>();
    check_count("rows", rows, all * units)?;
    check_count("the bias", bias, units)
}

pub(super) fn check_count(kind: &str, found: usize, expected: usize) -> Result<()> {
    let error = || format!("has {found} weights of {kind}, not {expected}").into();
    (found == expected).then_some(()).ok_or_else(error)
}

/// Checks that no partial sum of the bias and one row from each group exceeds 16 bits.
fn check_sums(groups: &[Group], rows: &[i16], bias: &[i16]) -> Result<()> {
    let units = bias.len();
    let mut sums: Vec<i32> = bias.iter().map(|weight| i32::from(*weight).abs()).collect();
    for group in groups {
        let (first, count) = (usize::from(group.first), usize::from(group.rows));
        let mut largest = vec![0; units];
        for row in rows[first * units..][..count * units].chunks_exact(units) {
            for (max, &weight) in largest.iter_mut().zip(row) {
                *max = i32::from(weight).abs().max(*max);
            }
        }
        sums.iter_mut().zip(&largest).for_each(|(sum, max)| *sum += max);
    }
    let most = i16::MAX;
    match (1..).zip(sums).find(|(_, sum)| *sum > most.into()) {
        Some((unit, sum)) => {
            Err(format!("has weights of unit {unit} that can add up to {sum}, beyond {most}")
                .into())
        }
        None => Ok(()),
    }
}

impl fmt::Debug for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layer({} {} {})", self.game, self.units, self.short_hash())
    }
}
