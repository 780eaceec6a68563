//! The layers that a run has learned.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use mancala::eval::Layer;

use super::genome::Chromosome;

/// The layers of a run by the first eight digits of their hash. Layers are added and never changed, so it makes no
/// difference who holds them: all clones of some layers are the same ones.
#[derive(Debug, Clone, Default)]
pub struct Layers(Arc<RwLock<BTreeMap<u32, Arc<Layer>>>>);

/// Whether they are the same ones.
impl PartialEq for Layers {
    fn eq(&self, other: &Layers) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The bits of a candidate that name its layer.
pub(crate) const NAME_BITS: usize = 32;

impl Layers {
    /// Adds a layer, and returns it with what candidates call it.
    pub fn add(&self, layer: Layer) -> (u32, Arc<Layer>) {
        let name = u32::from_str_radix(layer.short_hash(), 16).expect("eight hexadecimal digits");
        let mut layers = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let layer = layers.entry(name).or_insert_with(|| Arc::new(layer));
        (name, Arc::clone(layer))
    }

    /// Adds those of other layers.
    pub fn add_all(&self, others: &Layers) {
        for layer in others.all() {
            self.add((*layer).clone());
        }
    }

    /// The layer of a name, if it is there.
    pub fn get(&self, name: u32) -> Option<Arc<Layer>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&name).cloned()
    }

    /// All of them.
    pub fn all(&self) -> Vec<Arc<Layer>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }
}

/// The candidate that weighs the units of a layer with these weights.
pub(crate) fn of_layer(name: u32, weights: &Chromosome) -> Chromosome {
    let name = (0..NAME_BITS).rev().map(|bit| name >> bit & 1 == 1);
    Chromosome::new(name.chain(weights.bits().iter().copied()).collect())
}

/// The layer of a candidate, and what it weighs its units with.
///
/// # Panics
/// If it names no layer.
pub(crate) fn named(candidate: &Chromosome) -> (u32, Chromosome) {
    let (name, weights) = candidate.bits().split_at(NAME_BITS);
    let name = name.iter().fold(0, |name, &bit| name << 1 | u32::from(bit));
    (name, Chromosome::new(weights.to_vec()))
}
