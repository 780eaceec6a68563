//! Chromosomes from weights: how a run begins where another one, or somebody's weights, stand.

use crate::optimise::genetic::breeding::encoded;
use crate::optimise::genome::Chromosome;
use crate::run::settings::{Scale, Settings};
use mancala::eval::{Feature, Signs, Weights};

/// The chromosome of a run that comes nearest to these weights: features that they do not weigh count
/// nothing, a feature without a gene is weighed by its [parts](Feature::parts), and weights beyond what a
/// gene can hold make all of them shorter. `None` if they weigh nothing that evolves.
///
/// ```
/// use ayo::run::{Draft, founder};
/// use mancala::eval::Weights;
/// let settings = Draft::preset("daoud2004").unwrap().finish().unwrap();
/// let published = Weights::named("daoud2004-depth5").unwrap();
/// assert_eq!(founder(&settings, &published).unwrap().to_hex(), "cf10d903be0c");
/// ```
pub fn founder(settings: &Settings, weights: &Weights) -> Option<Chromosome> {
    let free: Vec<Feature> = settings.free_features().collect();
    let mut genes = vec![0.0; free.len()];
    for (&feature, &weight) in weights.features().features().iter().zip(&weights.effective()) {
        let whole = || vec![(feature, 1)];
        let parts = if free.contains(&feature) { whole() } else { feature.parts() };
        for (part, factor) in parts {
            let Some(place) = free.iter().position(|it| *it == part) else { continue };
            let sign = match settings.signs {
                Signs::Signed => part.sign(),
                Signs::Literal => 1,
            };
            genes[place] += f64::from(weight * factor * sign);
        }
    }
    let most = genes.iter().fold(0.0, |most: f64, gene| most.max(gene.abs()));
    let room = *settings.encoding.range().end() as f64;
    let factor = if settings.scale == Scale::Free && most > room { room / most } else { 1.0 };
    let genes = genes.into_iter().map(|gene| gene * factor).collect();
    (most > 0.0).then(|| encoded(settings, genes))
}

/// The features that weights weigh and that have no part in such a chromosome.
pub fn left_out(settings: &Settings, weights: &Weights) -> Vec<Feature> {
    let is_free = |feature: &Feature| settings.free_features().any(|it| it == *feature);
    let has_part = |feature: &Feature| {
        is_free(feature) || feature.parts().iter().any(|(part, _)| is_free(part))
    };
    let weighed = weights.features().features().iter().zip(weights.effective());
    let lost = weighed.filter(|(feature, weight)| *weight != 0 && !has_part(feature));
    lost.map(|(feature, _)| *feature).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Draft;

    #[test]
    fn the_lead_is_weighed_by_the_stores() {
        let settings = Draft::preset("kalah-standard").unwrap().finish().unwrap();
        let founder = |name| founder(&settings, &Weights::named(name).unwrap());
        let decoded = |name| settings.decoded(&founder(name).unwrap());
        assert_eq!(decoded("stores"), [0, 1414, -1414, 0, 0, 0]);
        assert_eq!(decoded("stores"), decoded("h2+h3"));
        assert_eq!(decoded("h1+h2")[..4], [0, 1789, -894, 0]);
        assert_eq!(founder("k1+k9"), None);
        let left_out = |name| left_out(&settings, &Weights::named(name).unwrap()).len();
        assert_eq!(["stores", "h1+h2", "k1+k9", "h4+k2"].map(left_out), [0, 0, 2, 1]);
    }
}
