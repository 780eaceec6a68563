//! An epoch: generations that weigh the units of one layer.

use std::sync::Arc;

use mancala::eval::Layer;
use mancala::random::{Purpose, stream};
use rand::Rng;

use super::settings::LearnedSettings;
use crate::optimise::genetic::{Genetic, Setup, founded};
use crate::optimise::layers::named;
use crate::optimise::saved::{LoadError, Memory, Pairings, Saved, SavedStep};
use crate::optimise::step::Evaluated;
use crate::optimise::task::Task;

/// Where a step is in its epoch. Both numbers are from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) epoch: u32,
    pub(super) generation: u32,
}

impl Place {
    /// That of a step, with epochs of so many generations.
    pub(super) fn of(step: u32, length: u32) -> Place {
        let before = step.saturating_sub(1);
        Place { epoch: before / length + 1, generation: before % length + 1 }
    }

    pub(super) fn is_first(self) -> bool {
        self.generation == 1
    }
}

/// The generations of an epoch. Their chromosomes are output weights alone.
#[derive(Debug)]
pub(super) struct Epoch {
    /// What candidates call its layer.
    pub(super) layer: u32,
    pub(super) genetic: Genetic,
}

impl Epoch {
    /// An epoch that begins from the output weights that were fitted with its layer.
    pub(super) fn begun(
        task: &Task,
        own: &LearnedSettings,
        number: u32,
        layer: (u32, Arc<Layer>),
        outputs: &[f32],
    ) -> Epoch {
        let setup = setup(task, own, number, &layer.1);
        let genes = genes(task, outputs);
        Epoch { layer: layer.0, genetic: Genetic::new(founded(setup, genes)) }
    }

    /// An epoch as it was saved after a step, whose candidates are those of the run.
    pub(super) fn load(
        task: &Task,
        own: &LearnedSettings,
        last: &Evaluated,
        layer: u32,
        memory: Pairings,
    ) -> Result<Epoch, LoadError> {
        let place = Place::of(last.generation, own.epoch);
        let missing = || LoadError::Content(format!("layer {layer:08x} is missing"));
        let there = own.layers.get(layer).ok_or_else(missing)?;
        let members = last.members.iter().map(|member| {
            let (name, weights) = named(member);
            if name == layer {
                Ok(weights)
            } else {
                Err(LoadError::Content("members are of several layers".into()))
            }
        });
        let inner = Evaluated {
            generation: place.generation,
            members: members.collect::<Result<_, _>>()?,
            ..last.clone()
        };
        let saved = Saved { last: SavedStep::of(&inner), memory: Memory::Pairings(memory) };
        let genetic = Genetic::load(setup(task, own, place.epoch, &there), saved)?;
        Ok(Epoch { layer, genetic })
    }
}

/// The settings of the generations of an epoch. Every epoch has its own streams of chance.
fn setup(task: &Task, own: &LearnedSettings, epoch: u32, layer: &Arc<Layer>) -> Setup {
    let seed = stream(task.seed, Purpose::Epoch, epoch.into(), 0).next_u64();
    let features = task.features.clone().with_layer(Arc::clone(layer));
    let features = features.expect("a layer with the units of the run");
    Setup::new(Task { seed, features, ..task.clone() }, own.genetic.clone())
}

/// A gene a feature: what was fitted for the units, nothing for all else.
fn genes(task: &Task, outputs: &[f32]) -> Vec<f64> {
    let mut outputs = outputs.iter();
    let gene = |is_unit: bool| if is_unit { outputs.next().copied() } else { None };
    let features = task.features.features().iter();
    features
        .map(|feature| feature.is_unit())
        .map(gene)
        .map(|gene| f64::from(gene.unwrap_or(0.0)))
        .collect()
}
