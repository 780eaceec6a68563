//! What an optimiser is to find weights for, whichever optimiser it is.

use std::num::NonZeroU64;
use std::sync::Arc;

use mancala::eval::{FeatureSet, Layer, MAX_WEIGHT, Signs, Weights};
use mancala::game::AnyGame;
use mancala::search::{Limits, Options};

use super::genome::{Chromosome, ChromosomeError, Encoding};
use super::layers::{Layers, NAME_BITS, named};
use arena::Contender;

/// All that optimisers have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// What the weights are called.
    pub name: String,
    /// Seed of all random streams.
    pub seed: u64,
    /// What is weighed.
    pub features: FeatureSet,
    /// How weights are read.
    pub signs: Signs,
    /// What is played, with its rules.
    pub game: AnyGame,
    /// Plies that every move is searched.
    pub depth: u32,
    /// Positions that a move may enter instead, if they are the limit.
    pub nodes: Option<NonZeroU64>,
    /// How searches value leaves and choose among equals.
    pub options: Options,
    /// Whether it begins at its first step.
    pub origin: Origin,
    /// What becomes of the champions of the past once the run is complete.
    pub finals: Finals,
}

impl Task {
    /// What a move may be searched where so many plies would be.
    pub fn limits(&self, depth: u32) -> Limits {
        match self.nodes {
            Some(nodes) => Limits { nodes: Some(nodes.get()), ..Limits::default() },
            None => Limits::depth(depth),
        }
    }
}

/// Where a run begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// At its first step.
    New,
    /// Where another run stands that it branched off from.
    Branch,
}

/// Whether final games choose a run's champion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finals {
    /// They do, and champions of the past take part.
    Played,
    /// The best of the last step is the champion.
    None,
}

/// How the bits of a candidate stand for weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Coding {
    name: String,
    encoding: Encoding,
    features: FeatureSet,
    signs: Signs,
    options: Options,
    /// The weights that have no gene, by the place of their feature.
    fixed: Vec<Option<i64>>,
    /// The layers, one of which the first bits of each candidate name; if they do.
    layers: Option<Layers>,
}

impl Coding {
    /// A gene for each feature whose weight is not fixed.
    pub(crate) fn new(task: &Task, encoding: Encoding, fixed: Vec<Option<i64>>) -> Coding {
        let &Task { ref name, ref features, signs, options, .. } = task;
        let (name, features) = (name.clone(), features.clone());
        Coding { name, encoding, features, signs, options, fixed, layers: None }
    }

    /// The same with candidates that each name one of these layers.
    pub(crate) fn of_layers(self, layers: Layers) -> Coding {
        Coding { layers: Some(layers), ..self }
    }

    /// The genes of a candidate, and the layer that it names.
    fn parts(&self, candidate: &Chromosome) -> (Chromosome, Option<Arc<Layer>>) {
        match &self.layers {
            None => (candidate.clone(), None),
            Some(layers) => {
                let (name, genes) = named(candidate);
                (genes, layers.get(name))
            }
        }
    }

    /// What candidates weigh.
    pub fn features(&self) -> &FeatureSet {
        &self.features
    }

    /// How bits stand for genes.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Bits of a candidate.
    pub fn bits(&self) -> usize {
        let genes = self.fixed.iter().filter(|fixed| fixed.is_none()).count();
        let name = if self.layers.is_some() { NAME_BITS } else { 0 };
        name + genes * self.encoding.bits()
    }

    /// Reads a candidate as [`Chromosome::to_hex`] writes it.
    ///
    /// # Errors
    /// If the text is of another length, one of its genes is larger than any weight, or it names a layer that is
    /// not there.
    pub fn read(&self, hex: &str) -> Result<Chromosome, ChromosomeError> {
        let candidate = Chromosome::from_hex(hex, self.bits())?;
        let (genes, layer) = self.parts(&candidate);
        if self.layers.is_some() && layer.is_none() {
            return Err(ChromosomeError::Layer { text: hex.into() });
        }
        let is_weight = |gene: &i64| gene.unsigned_abs() <= MAX_WEIGHT as u64;
        if self.encoding.decode(&genes).iter().all(is_weight) {
            Ok(candidate)
        } else {
            Err(ChromosomeError::Weight { text: hex.into() })
        }
    }

    /// The weights that a candidate stands for, in the order of the features, with the fixed ones.
    pub fn decode(&self, candidate: &Chromosome) -> Vec<i64> {
        let (genes, _) = self.parts(candidate);
        let mut genes = self.encoding.decode(&genes).into_iter();
        let gene = |fixed: &Option<i64>| {
            fixed.unwrap_or_else(|| genes.next().expect("a gene for each weight that is not fixed"))
        };
        self.fixed.iter().map(gene).collect()
    }

    /// The weights of a candidate as an evaluator.
    pub fn weights(&self, candidate: &Chromosome) -> Weights {
        let values = self.decode(candidate);
        let features = match self.parts(candidate) {
            (_, None) => self.features.clone(),
            (_, Some(layer)) => {
                self.features.clone().with_layer(layer).expect("a layer with the units of the run")
            }
        };
        Weights::new(self.name.clone(), features, &values, self.signs)
            .expect("genes hold no more than weights do")
    }

    /// The player that searches within limits with the weights of a candidate.
    pub(crate) fn contender(&self, candidate: &Chromosome, limits: Limits) -> Contender {
        Contender::new(&self.weights(candidate), limits, self.options)
    }
}
