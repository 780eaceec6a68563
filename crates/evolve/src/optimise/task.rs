//! The task of an optimiser, and the mapping from its candidates to weights.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::sync::{Arc, PoisonError, RwLock};

use arena::BatchPlayer;
use mancala::eval::{FeatureSet, Layer, MAX_WEIGHT, Signs, Weights};
use mancala::game::AnyGame;
use mancala::search::{Limits, Options};

use super::genome::{Chromosome, ChromosomeError, Encoding};

#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    pub name: String,
    /// The seed of all random streams.
    pub seed: u64,
    pub features: FeatureSet,
    pub signs: Signs,
    pub game: AnyGame,
    pub depth: u32,
    /// The maximum number of nodes per move. If it is set, then it replaces the depth.
    pub nodes: Option<NonZeroU64>,
    pub options: Options,
    /// Whether the run is a branch, which continues from a step of another run.
    pub is_branch: bool,
    /// Whether we select the champion of the run by final games that include past champions.
    pub has_finals: bool,
}

impl Task {
    /// Returns the node limit if the task has one, and a limit of `depth` plies otherwise.
    pub fn limits(&self, depth: u32) -> Limits {
        self.nodes.map_or(Limits::depth(depth), |nodes| Limits::nodes(nodes.get()))
    }
}

/// A mapping from chromosomes to weights.
#[derive(Debug, Clone)]
pub struct Coding {
    task: Task,
    pub encoding: Encoding,
    /// The fixed weight of each feature, or `None` if the feature has a gene.
    fixed: Vec<Option<i64>>,
    /// The layers of learned features, if candidates begin with the name of a layer.
    pub(super) layers: Option<Layers>,
}

impl Coding {
    pub(crate) fn new(task: &Task, encoding: Encoding, fixed: Vec<Option<i64>>) -> Coding {
        Coding { task: task.clone(), encoding, fixed, layers: None }
    }

    /// Splits a candidate into its genes and its layer.
    fn parts(&self, candidate: &Chromosome) -> (Chromosome, Option<Arc<Layer>>) {
        match &self.layers {
            None => (candidate.clone(), None),
            Some(layers) => {
                let (name, genes) = split_layer(candidate);
                (genes, layers.get(name))
            }
        }
    }

    pub fn bits(&self) -> usize {
        let genes = self.fixed.iter().filter(|fixed| fixed.is_none()).count();
        let name = if self.layers.is_some() { NAME_BITS } else { 0 };
        name + genes * self.encoding.bits()
    }

    /// Parses a candidate in the format of [`Chromosome::to_hex`].
    pub fn read(&self, hex: &str) -> Result<Chromosome, ChromosomeError> {
        let candidate = Chromosome::from_hex(hex, self.bits())?;
        let (genes, layer) = self.parts(&candidate);
        if self.layers.is_some() && layer.is_none() {
            return Err(ChromosomeError::Layer(format!("features-{}.ayo", &hex[..8])));
        }
        let is_weight = |gene: &i64| gene.unsigned_abs() <= MAX_WEIGHT as u64;
        if self.encoding.decode(&genes).iter().all(is_weight) {
            Ok(candidate)
        } else {
            Err(ChromosomeError::Weight { text: hex.into() })
        }
    }

    pub(crate) fn checked(&self, stored: &Chromosome) -> Result<Chromosome, ChromosomeError> {
        self.read(&stored.to_hex())
    }

    /// Returns the weights of all features, including fixed ones.
    pub fn decode(&self, candidate: &Chromosome) -> Vec<i64> {
        let (genes, _) = self.parts(candidate);
        let mut genes = self.encoding.decode(&genes).into_iter();
        let gene = |fixed: &Option<i64>| {
            fixed.unwrap_or_else(|| genes.next().expect("a gene for each weight that is not fixed"))
        };
        self.fixed.iter().map(gene).collect()
    }

    pub fn weights(&self, candidate: &Chromosome) -> Weights {
        let values = self.decode(candidate);
        let Task { name, features, signs, .. } = self.task.clone();
        let features = match self.parts(candidate) {
            (_, None) => features,
            (_, Some(layer)) => {
                features.with_layer(layer).expect("a layer with the units of the run")
            }
        };
        Weights::new(name, features, &values, signs).expect("genes are in the range of weights")
    }

    pub(crate) fn player(&self, candidate: &Chromosome, limits: Limits) -> BatchPlayer {
        BatchPlayer::new(&self.weights(candidate), limits, self.task.options)
    }
}

/// The layers of a run. The keys are the first eight digits of their hashes. Clones share the layers.
#[derive(Debug, Clone, Default)]
pub struct Layers(Arc<RwLock<BTreeMap<u32, Arc<Layer>>>>);

impl Layers {
    /// Adds a layer. Returns its name in candidates and the layer itself.
    pub fn add(&self, layer: Layer) -> (u32, Arc<Layer>) {
        let name = u32::from_str_radix(layer.short_hash(), 16).expect("eight hexadecimal digits");
        let mut layers = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let layer = layers.entry(name).or_insert_with(|| Arc::new(layer));
        (name, Arc::clone(layer))
    }

    pub fn get(&self, name: u32) -> Option<Arc<Layer>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&name).cloned()
    }

    pub fn all(&self) -> Vec<Arc<Layer>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }
}

/// The number of bits in the name of a layer. A candidate starts with this name.
const NAME_BITS: usize = 32;

/// Prepends the name of a layer to output weights.
pub(crate) fn join_layer(name: u32, weights: &Chromosome) -> Chromosome {
    let name = (0..NAME_BITS).rev().map(|bit| name >> bit & 1 == 1);
    Chromosome::new(name.chain(weights.bits().iter().copied()).collect())
}

/// Splits a candidate into the name of its layer and the output weights. Panics if there are too few bits for a name.
pub(crate) fn split_layer(candidate: &Chromosome) -> (u32, Chromosome) {
    let (name, weights) = candidate.bits().split_at(NAME_BITS);
    let name = name.iter().fold(0, |name, &bit| name << 1 | u32::from(bit));
    (name, Chromosome::new(weights.to_vec()))
}
