//! Feature sets.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::Layer;
use crate::game::{Encoded, Feature, GameKind, HiddenNeuron, Side, ayo};
use crate::text::{Message, Result, did_you_mean};

/// A list of distinct features of one game. As text, names of sets and features are joined by commas, and `u1..u16` is
/// a range of hidden neurons. Hidden neurons only have values if there is a layer, which isn't part of the text.
///
/// ```
/// use mancala::eval::FeatureSet;
/// use mancala::game::ayo::Feature;
/// let set: FeatureSet = "a10,a9".parse().unwrap();
/// assert_eq!(set.features(), [Feature::MySeeds.into(), Feature::TheirSeeds.into()]);
/// assert_eq!("daoud2004".parse::<FeatureSet>().unwrap().features().len(), 12);
/// assert_eq!("daoud2004,bias".parse::<FeatureSet>().unwrap().features().len(), 13);
/// let units: FeatureSet = "u1..u16,v1..v8,a9".parse().unwrap();
/// assert_eq!((units.features().len(), units.to_string()), (25, "u1..u16,v1..v8,a9".to_string()));
/// assert!("a1,a1".parse::<FeatureSet>().is_err() && "u1..v8".parse::<FeatureSet>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FeatureSet {
    features: Vec<Feature>,
    layer: Option<Arc<Layer>>,
}

/// Calls `of` for each game and joins the results. All results but the first are prefixed with their game.
pub(super) fn by_game(of: impl Fn(GameKind) -> String) -> String {
    let text = |(index, game): (usize, GameKind)| match index {
        0 => of(game),
        _ => format!("in {game} {}", of(game)),
    };
    let texts: Vec<String> = GameKind::ALL.into_iter().enumerate().map(text).collect();
    texts.join("; ")
}

/// Returns an error that suggests a similar feature or set, or lists all of them.
fn unknown(name: &str) -> Message {
    let known = named().map(|(name, _)| name).chain(feature_names());
    let otherwise = format!("the features are {}; the sets are {}", known_features(), known_sets());
    let hint = did_you_mean(name, known, otherwise);
    format!("\"{name}\" is neither a feature nor a set: {hint}").into()
}

pub(super) fn feature_hint(name: &str) -> String {
    did_you_mean(name, feature_names(), format!("there are {}", known_features()))
}

fn feature_names() -> impl Iterator<Item = &'static str> {
    GameKind::ALL.into_iter().flat_map(GameKind::features).map(Feature::name)
}

/// Lists all features by game, with ranges of numbered names: `a1 to a14, bias, …; in kalah h1 to h6, …, kv1 to kv32`.
fn known_features() -> String {
    by_game(|game| {
        let features = game.features();
        let prefix = |it: &Feature| it.name().trim_end_matches(|c: char| c.is_ascii_digit());
        let series = features.chunk_by(|one, next| prefix(one) == prefix(next));
        let ranges = series.map(<[_]>::to_vec).chain(game.members()).map(|all| match all[..] {
            [first, .., last] => format!("{} to {}", first.name(), last.name()),
            _ => all[0].name().into(),
        });
        ranges.collect::<Vec<_>>().join(", ")
    })
}

fn known_sets() -> String {
    by_game(|game| {
        let names: Vec<&str> = game.feature_sets().into_iter().map(|(name, _)| name).collect();
        names.join(", ")
    })
}

fn named() -> impl Iterator<Item = (&'static str, Vec<Feature>)> {
    GameKind::ALL.into_iter().flat_map(GameKind::feature_sets)
}

impl FeatureSet {
    /// Creates a set of features in this order. Fails if the list is empty, has duplicates, or mixes different games.
    pub fn new(features: Vec<Feature>) -> Result<Self> {
        for (index, feature) in features.iter().enumerate() {
            if features[..index].contains(feature) {
                return Err(format!("feature {} is named twice", feature.name()).into());
            }
            let [first, this] = [features[0], *feature].map(|it| (it.name(), it.game()));
            if first.1 != this.1 {
                let first = format!("feature {} is for {}", first.0, first.1);
                let this = format!("feature {} is for {}", this.0, this.1);
                return Err(format!("{first}, but {this}").into());
            }
        }
        if features.is_empty() {
            return Err("a feature set needs at least one feature".into());
        }
        Ok(FeatureSet { features, layer: None })
    }

    /// Attaches the layer with the hidden neurons. Fails if the layer is for a different game or has too few neurons.
    pub fn with_layer(self, layer: Arc<Layer>) -> Result<FeatureSet> {
        let (first, game) = (self.features[0].name(), self.game());
        if layer.game() != game {
            return Err(format!(
                "the layer is for {}, but feature {first} is for {game}",
                layer.game()
            )
            .into());
        }
        let beyond = self.units().find(|&neuron| layer.index_of(neuron).is_none());
        if let Some(neuron) = beyond {
            let (name, units, second) =
                (neuron.name(), layer.units(), layer.outputs() - layer.units());
            let neurons = format!("{units} units and {second} second-layer neurons");
            return Err(format!("feature {name} is beyond the {neurons} of the layer").into());
        }
        Ok(FeatureSet { layer: Some(layer), ..self })
    }

    pub fn layer(&self) -> Option<&Arc<Layer>> {
        self.layer.as_ref()
    }

    /// Returns the features that are hidden neurons.
    pub fn units(&self) -> impl Iterator<Item = Feature> {
        self.features.iter().copied().filter(|it| it.is_hidden_neuron())
    }

    /// Returns the feature values for `me`. If `me` isn't to move, the values of hidden neurons are negated. Panics if
    /// the features are for a different game, or if there are hidden neurons but no layer.
    pub fn values<G: Encoded>(&self, position: &G::Position, me: Side) -> Vec<i32> {
        let outputs = self.layer.as_ref().map_or_else(Vec::new, |it| it.values::<G>(position));
        let sign = if G::mover(position) == me { 1 } else { -1 };
        let value = |&it: &Feature| match self.layer.as_ref().and_then(|layer| layer.index_of(it)) {
            Some(index) => sign * outputs[index],
            None => it.value::<G>(position, me).expect("a feature of this game with a value"),
        };
        self.features.iter().map(value).collect()
    }

    /// Returns the twelve features of Daoud et al. (2004).
    pub fn daoud2004() -> FeatureSet {
        FeatureSet { features: ayo::DAOUD.map(Feature::from).to_vec(), layer: None }
    }

    pub fn game(&self) -> GameKind {
        self.features[0].game()
    }

    pub fn features(&self) -> &[Feature] {
        &self.features
    }
}

impl FromStr for FeatureSet {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self> {
        let parts = text.split(',').map(|part| parse_part(part.trim()));
        FeatureSet::new(parts.collect::<Result<Vec<_>>>()?.concat())
    }
}

/// Parses the name of a set, a feature, or a range of hidden neurons such as `u1..u16`.
fn parse_part(text: &str) -> Result<Vec<Feature>> {
    if let Some((_, features)) = named().find(|(name, _)| *name == text) {
        return Ok(features);
    }
    let feature = |name: &str| Feature::from_name(name).ok_or_else(|| unknown(text));
    let Some((first, last)) = text.split_once("..") else { return Ok(vec![feature(text)?]) };
    let layer = |neuron: HiddenNeuron| (neuron.game, neuron.is_second);
    match (feature(first)?, feature(last)?) {
        (Feature::HiddenNeuron(a), Feature::HiddenNeuron(b)) if layer(a) == layer(b) => {
            let neurons = HiddenNeuron::all(a.game).filter(|it| (a..=b).contains(it));
            Ok(neurons.map(Feature::from).collect())
        }
        _ => Err(unknown(text)),
    }
}

impl fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = named().find(|(_, features)| *features == self.features) {
            return f.write_str(name);
        }
        let follows = |one: &Feature, next: &Feature| match (one, next) {
            (Feature::HiddenNeuron(one), Feature::HiddenNeuron(next)) => {
                one.is_second == next.is_second && one.number + 1 == next.number
            }
            _ => false,
        };
        let series = self.features.chunk_by(follows).map(|series| match series {
            [first, _, .., last] => format!("{}..{}", first.name(), last.name()),
            _ => series.iter().map(|it| it.name()).collect::<Vec<_>>().join(","),
        });
        f.write_str(&series.collect::<Vec<_>>().join(","))
    }
}
