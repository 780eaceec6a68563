//! Random layers for property tests.

use std::sync::Arc;

use super::{Layer, MAX_UNITS, SecondLayer, Taper};
use crate::eval::{FeatureSet, Signs, Weights};
use crate::game::arbitrary::numbers;
use crate::game::{Encoded, Feature, HiddenNeuron};
use crate::laws::prelude::*;

/// Generates layers of any size and with any number of phases. In some of them, neurons saturate.
pub(crate) fn any_layer_of<G: Encoded>() -> impl Strategy<Value = Layer> {
    // Most layers are small, because generating, checking and hashing a large layer takes long.
    let eights =
        prop_oneof![12 => 1..=2usize, 2 => 3..=8usize, 1 => 9..=16usize, 1 => 17..=MAX_UNITS / 8];
    let neurons = proptest::sample::select(vec![0, 0, 0, 8, 16, 32]);
    let sizes = (prop_oneof![1..=40i64, 1..=1300i64], prop_oneof![1..=127i64, Just(0)]);
    (eights, neurons, any::<u64>(), sizes, 1..=Taper::MAX).prop_map(
        |(eights, neurons, seed, (size, second), phases)| {
            let (units, mut below) = (8 * eights, numbers(seed));
            let mut weight = |size: i64| below(2 * size as u64 + 1) as i64 - size;
            let rows = (0..G::rows() * units).map(|_| weight(size) as i16).collect();
            let bias = (0..units).map(|_| weight(300) as i16).collect();
            let mut layer = Layer::new(G::KIND, units, rows, bias).unwrap();
            if neurons > 0 {
                let weights = (0..neurons * units).map(|_| match second {
                    // All non-zero weights are as large as possible.
                    0 => (127 * weight(1).signum()) as i8,
                    size => weight(size) as i8,
                });
                let weights = weights.collect();
                let bias = (0..neurons).map(|_| weight(second * second * 80) as i32).collect();
                let second = SecondLayer::new(weights, bias).unwrap();
                layer = layer.with_second_layer(second).unwrap();
            }
            if phases == 1 {
                return layer;
            }
            let outputs = layer.outputs();
            let factors = (0..phases * outputs).map(|_| weight(Taper::ONE.into()) as i16);
            layer.with_phases(Taper::new(outputs, factors.collect()).unwrap()).unwrap()
        },
    )
}

/// Generates enough output weights for any layer. Some sets only have small weights, others only the largest ones.
pub(crate) fn any_output() -> impl Strategy<Value = Vec<i16>> {
    let most = MAX_UNITS + usize::from(HiddenNeuron::MAX_SECOND);
    let weights = |range| proptest::collection::vec(range, most);
    prop_oneof![
        weights(-3..=3i16),
        weights(-300..=300),
        weights(-32767..=32767),
        prop_oneof![Just(-32767i16), Just(32767)].prop_map(move |weight| vec![weight; most]),
    ]
}

/// Generates weights for some of a layer's neurons and for some other features.
pub(crate) fn any_weights_of<G: Encoded>() -> impl Strategy<Value = Weights> {
    let others = proptest::sample::subsequence(G::KIND.features(), 0..=4);
    let layer = any_layer_of::<G>().prop_flat_map(|layer| {
        let neurons: Vec<Feature> = layer.neurons().collect();
        (proptest::sample::subsequence(neurons, 1..=layer.outputs()).prop_shuffle(), Just(layer))
    });
    (layer, others, any_output(), any::<bool>()).prop_map(
        |((units, layer), others, output, signed)| {
            let features = FeatureSet::new([units, others].concat()).unwrap();
            let features = features.with_layer(Arc::new(layer)).unwrap();
            let count = features.features().len();
            let values: Vec<i64> = output.iter().cycle().take(count).map(|&it| it.into()).collect();
            let signs = if signed { Signs::Signed } else { Signs::Literal };
            Weights::new("learned", features, &values, signs).unwrap()
        },
    )
}
