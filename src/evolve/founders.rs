//! Chromosomes from weights: how a run begins where another one, or somebody's weights, stand.

use super::breeding::encoded;
use super::genome::Chromosome;
use super::settings::{Scale, Settings};
use crate::eval::{Signs, Weights};

/// The chromosome of a run that comes nearest to these weights: features that they do not weigh count
/// nothing, and weights beyond what a gene can hold make all of them shorter.
///
/// ```
/// use ayo::{eval::Weights, evolve::{Draft, founder}};
/// let settings = Draft::preset("daoud2004").unwrap().finish().unwrap();
/// let published = Weights::named("daoud2004-depth5").unwrap();
/// assert_eq!(founder(&settings, &published).to_hex(), "cf10d903be0c");
/// ```
pub fn founder(settings: &Settings, weights: &Weights) -> Chromosome {
    let effective = weights.effective();
    let weighed = weights.features().features().iter().zip(&effective);
    let weighed: Vec<_> = weighed.collect();
    let gene = |feature: crate::eval::Feature| {
        let weight = weighed.iter().find(|(other, _)| **other == feature).map_or(0, |(_, w)| **w);
        match settings.signs {
            Signs::Signed => f64::from(weight * feature.sign()),
            Signs::Literal => f64::from(weight),
        }
    };
    let genes: Vec<f64> = settings.free_features().map(gene).collect();
    let most = genes.iter().fold(0.0, |most: f64, gene| most.max(gene.abs()));
    let room = *settings.encoding.range().end() as f64;
    let factor = if settings.scale == Scale::Free && most > room { room / most } else { 1.0 };
    encoded(settings, genes.into_iter().map(|gene| gene * factor).collect())
}
