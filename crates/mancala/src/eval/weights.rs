//! Feature weights and built-in weights.

use std::sync::Arc;

use super::Layer;
use super::provenance::{GateTest, Provenance, Strength};
use super::set::FeatureSet;
use crate::game::{Encoded, Feature, GameKind, NamedWeights};
use crate::option_words;
use crate::text::Result;

/// The largest absolute value of a weight. It keeps ayo evaluations below half of [`Score::WIN`](super::Score::WIN): a
/// pit counts in at most four features (threat, reach, size and number of seeds), the stores share 48 seeds, and there
/// may be a bias, so the sum is at most 97 × 32,767. On large kalah boards, a [`Sum`](super::Sum) is clamped.
pub const MAX_WEIGHT: i32 = i16::MAX as i32;

/// The sign convention of weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Signs {
    /// Each weight is multiplied by the conventional sign of its feature.
    #[default]
    Signed,
    /// Weights are used as they are, as in the sum printed by Daoud et al. (2004).
    Literal,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    pub name: String,
    /// The training run that produced the weights.
    pub provenance: Option<Provenance>,
    /// The measured scores, with one score per opponent.
    pub strength: Vec<Strength>,
    /// Gating matches (sequential tests) that the weights won to become the champion of their run.
    pub gates: Vec<GateTest>,
    features: FeatureSet,
    values: Vec<i32>,
    signs: Signs,
}

/// Returns the error message for a hidden neuron in weights without a layer.
pub fn missing_layer_message(neuron: &str) -> String {
    format!("{neuron} is a neuron of a learned layer, but no layer is given")
}

impl Weights {
    /// Creates weights. Returns an error if there isn't exactly one value per feature, if a value exceeds
    /// [`MAX_WEIGHT`], or if there are hidden neurons but no layer.
    pub fn new(
        name: impl Into<String>,
        features: FeatureSet,
        values: &[i64],
        signs: Signs,
    ) -> Result<Self> {
        if values.len() != features.features().len() {
            let (weights, features) = (values.len(), features.features().len());
            return Err(format!("there are {weights} weights for {features} features").into());
        }
        if let Some(unit) = features.units().next().filter(|_| features.layer().is_none()) {
            return Err(missing_layer_message(unit.name()).into());
        }
        let checked = |(feature, &value): (&Feature, &i64)| {
            let error =
                || format!("the weight of {} is {value}, outside -32767 to 32767", feature.name());
            let is_valid = value.unsigned_abs() <= MAX_WEIGHT as u64;
            is_valid.then_some(value as i32).ok_or_else(error)
        };
        let values =
            features.features().iter().zip(values).map(checked).collect::<Result<_, _>>()?;
        let name = name.into();
        let (strength, gates) = (Vec::new(), Vec::new());
        Ok(Weights { name, provenance: None, strength, gates, features, values, signs })
    }

    /// Looks up weights by name. The name can be [`REFERENCE`], [`LEARNED`], [`LEARNED_0_2`], [`STANDARD_0_2`], one of
    /// the names in [`GameKind::evaluators`], or feature names joined by `+`.
    ///
    /// ```
    /// use mancala::eval::Weights;
    /// let published = Weights::named("daoud2004-depth5").unwrap();
    /// assert_eq!(published.values()[..4], [12, 15, 1, 0]);
    /// assert_eq!(published.effective()[..4], [-12, -15, 1, 0]);
    /// ```
    pub fn named(name: &str) -> Option<Weights> {
        if let Some((_, file)) = CHAMPIONS.iter().find(|(champion, _)| *champion == name) {
            let weights = super::read(file, name).expect("the compiled-in champions are valid");
            // The files contain the names of the runs that trained them, which users may give to runs of their own.
            return Some(Weights { name: name.into(), ..weights });
        }
        let mut named = GameKind::ALL.into_iter().flat_map(GameKind::evaluators);
        let Some(NamedWeights { features, weights, .. }) = named.find(|it| it.name == name) else {
            return Weights::sum(name);
        };
        let features = features.parse().expect("a named set");
        Some(Weights::new(name, features, weights, Signs::Signed).expect("one weight per feature"))
    }

    /// Returns the names of the built-in weights for all games.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let of_games = GameKind::ALL.into_iter().flat_map(GameKind::evaluators);
        CHAMPIONS.iter().map(|(name, _)| *name).chain(of_games.map(|it| it.name))
    }

    /// Parses feature names joined by `+`. Each feature gets a weight of 1.
    fn sum(text: &str) -> Option<Weights> {
        let features: FeatureSet = text.replace('+', ",").parse().ok()?;
        let joined: Vec<&str> = features.features().iter().map(|it| it.name()).collect();
        let ones = vec![1; joined.len()];
        let weights = || Weights::new(text, features.clone(), &ones, Signs::Signed).ok();
        (joined.join("+") == text).then(weights).flatten()
    }

    pub fn features(&self) -> &FeatureSet {
        &self.features
    }

    /// Returns the weights in feature order, without applying the sign convention.
    pub fn values(&self) -> &[i32] {
        &self.values
    }

    pub fn signs(&self) -> Signs {
        self.signs
    }

    /// Sets the sign convention. If it changes, the measured strength is dropped because it no longer applies.
    pub fn with_signs(self, signs: Signs) -> Weights {
        let strength = if signs == self.signs { self.strength } else { Vec::new() };
        Weights { signs, strength, ..self }
    }

    /// Returns the layer and the weights of its hidden neurons, or `None` if there is no layer or all weights are 0.
    pub(crate) fn units(&self) -> Option<(&Arc<Layer>, Vec<i16>)> {
        let layer = self.features.layer()?;
        let mut units = vec![0; layer.outputs()];
        for (&feature, weight) in self.features.features().iter().zip(self.effective()) {
            if let Some(index) = layer.index_of(feature) {
                units[index] = weight as i16;
            }
        }
        units.iter().any(|&weight| weight != 0).then_some((layer, units))
    }

    /// Returns the signed weights for a position. Only the weights of hidden neurons depend on the position. Panics if
    /// the position is for a different game.
    pub fn effective_in<G: Encoded>(&self, position: &G::Position) -> Vec<i32> {
        assert_eq!(G::KIND, self.features.game(), "the weights are for a different game");
        let mut effective = self.effective();
        let Some((layer, units)) = self.units() else { return effective };
        let units = layer.phases().weights(&units, G::material(position));
        for (weight, &feature) in effective.iter_mut().zip(self.features.features()) {
            if let Some(index) = layer.index_of(feature) {
                *weight = i32::from(units[index]);
            }
        }
        effective
    }

    /// Returns the signed weight of each feature. Hidden neurons may have smaller weights at some stages of a game.
    pub fn effective(&self) -> Vec<i32> {
        let sign = |feature: &Feature| match self.signs {
            Signs::Signed => feature.sign(),
            Signs::Literal => 1,
        };
        let features = self.features.features().iter();
        features.zip(&self.values).map(|(feature, value)| sign(feature) * value).collect()
    }
}

/// The champion of the run in `populations/reference`, which uses the twelve features of Daoud et al. (2004).
pub const REFERENCE: &str = "reference";

/// The champion of the run in `populations/learned`, which uses learned features. These are our strongest weights.
pub const LEARNED: &str = "learned";

/// An earlier version of [`LEARNED`], trained for six minutes. We keep it as a fixed opponent to measure strength.
pub const LEARNED_0_2: &str = "learned-0.2";

/// The [`REFERENCE`] weights of version 0.2, the champion of the evolution strategy after two million games.
pub const STANDARD_0_2: &str = "standard-0.2";

const CHAMPIONS: [(&str, &str); 4] = [
    (LEARNED, include_str!("learned.json")),
    (REFERENCE, include_str!("reference.json")),
    (LEARNED_0_2, include_str!("learned-0.2.json")),
    (STANDARD_0_2, include_str!("standard-0.2.json")),
];

option_words!(Signs, "signed or literal", { Signed: "signed", Literal: "literal" });
