//! Random layers for property tests.

use std::sync::Arc;

use proptest::prelude::*;

use super::{Layer, MAX_UNITS, Taper};
use crate::eval::{FeatureSet, Signs, Weights};
use crate::game::arbitrary::numbers;
use crate::game::{Encoded, Feature, HiddenNeuron};

/// Layers of a game with any number of phases. In some of them, units saturate.
pub(crate) fn any_layer_of<G: Encoded>() -> impl Strategy<Value = Layer> {
    (1..=8usize, any::<u64>(), prop_oneof![1..=40i64, 1..=1400i64], 1..=Taper::MAX).prop_map(
        |(eights, seed, size, phases)| {
            let (units, mut below) = (8 * eights, numbers(seed));
            let mut weight = |size: i64| (below(2 * size as u64 + 1) as i64 - size) as i16;
            let rows = (0..G::rows() * units).map(|_| weight(size)).collect();
            let bias = (0..units).map(|_| weight(300)).collect();
            let layer = Layer::new(G::KIND, units, rows, bias).unwrap();
            if phases == 1 {
                return layer;
            }
            let factors = (0..phases * units).map(|_| weight(Taper::ONE.into())).collect();
            layer.with_phases(Taper::new(units, factors).unwrap()).unwrap()
        },
    )
}

/// Weights of units, both small and maximal.
pub(crate) fn any_output() -> impl Strategy<Value = Vec<i16>> {
    let weights = |range| proptest::collection::vec(range, MAX_UNITS);
    prop_oneof![weights(-3..=3i16), weights(-300..=300), weights(-32767..=32767)]
}

/// Weights of some of a layer's units and of some other features.
pub(crate) fn any_weights_of<G: Encoded>() -> impl Strategy<Value = Weights> {
    let others = proptest::sample::subsequence(G::KIND.features(), 0..=4);
    let layer = any_layer_of::<G>().prop_flat_map(|layer| {
        let units: Vec<HiddenNeuron> = HiddenNeuron::all(G::KIND).take(layer.units()).collect();
        (proptest::sample::subsequence(units, 1..=layer.units()).prop_shuffle(), Just(layer))
    });
    (layer, others, any_output(), any::<bool>()).prop_map(
        |((units, layer), others, output, signed)| {
            let units = units.into_iter().map(Feature::from);
            let features = FeatureSet::new(units.chain(others).collect()).unwrap();
            let features = features.with_layer(Arc::new(layer)).unwrap();
            let count = features.features().len();
            let values: Vec<i64> = output.iter().cycle().take(count).map(|&it| it.into()).collect();
            let signs = if signed { Signs::Signed } else { Signs::Literal };
            Weights::new("learned", features, &values, signs).unwrap()
        },
    )
}
