//! Chromosomes from weights: how a run begins from another run, or from any weights.

use super::breeding::encoded;
use super::choices::Scale;
use super::settings::Setup;
use crate::optimise::genome::Chromosome;
use mancala::eval::{Feature, Signs, Weights};

/// The chromosome of a run that comes nearest to these weights: features that they do not weigh count
/// nothing, a feature without a gene is weighed by its [parts](Feature::parts), and weights beyond what a
/// gene can hold make all of them shorter. `None` if they weigh nothing that evolves.
pub(crate) fn founder(setup: &Setup, weights: &Weights) -> Option<Chromosome> {
    let free: Vec<Feature> = setup.free_features().collect();
    let mut genes = vec![0.0; free.len()];
    for (&feature, &weight) in weights.features().features().iter().zip(&weights.effective()) {
        let whole = || vec![(feature, 1)];
        let parts = if free.contains(&feature) { whole() } else { feature.parts() };
        for (part, factor) in parts {
            let Some(place) = free.iter().position(|it| *it == part) else { continue };
            let sign = match setup.task.signs {
                Signs::Signed => part.sign(),
                Signs::Literal => 1,
            };
            genes[place] += f64::from(weight * factor * sign);
        }
    }
    let most = genes.iter().fold(0.0, |most: f64, gene| most.max(gene.abs()));
    let room = *setup.own.encoding.range().end() as f64;
    let factor = if setup.own.scale == Scale::Free && most > room { room / most } else { 1.0 };
    let genes = genes.into_iter().map(|gene| gene * factor).collect();
    (most > 0.0).then(|| encoded(setup, genes))
}

/// The features that weights weigh and that have no part in such a chromosome.
pub(crate) fn left_out(setup: &Setup, weights: &Weights) -> Vec<Feature> {
    let is_free = |feature: &Feature| setup.free_features().any(|it| it == *feature);
    let has_part = |feature: &Feature| {
        is_free(feature) || feature.parts().iter().any(|(part, _)| is_free(part))
    };
    let weighed = weights.features().features().iter().zip(weights.effective());
    let lost = weighed.filter(|(feature, weight)| *weight != 0 && !has_part(feature));
    lost.map(|(feature, _)| *feature).collect()
}
