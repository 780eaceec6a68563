//! What the baseline optimisers can be told.

use std::fmt;
use std::str::FromStr;

use super::cma_es::CmaEs;
use super::random_search::RandomSearch;
use super::spsa::Spsa;
use super::{Optimiser, Point, Search, norm};
use crate::run::settings::usual;
use mancala::eval::{FeatureSet, MAX_WEIGHT, Signs, Weights};
use mancala::game::AnyGame;
use mancala::search::MAX_DEPTH;

/// A way to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// Weights at random; the winner of a knockout meets the best so far.
    RandomSearch,
    /// Covariance matrix adaptation (N. Hansen and A. Ostermeier, Evolutionary Computation 9 (2001)).
    CmaEs,
    /// Simultaneous perturbation (J. C. Spall, IEEE Transactions on Automatic Control 37 (1992)), as
    /// testing frameworks tune engines: `w + δ` plays `w − δ`, and `w` goes towards the winner.
    Spsa,
}

impl Algorithm {
    /// All.
    pub const ALL: [Algorithm; 3] = [Algorithm::RandomSearch, Algorithm::CmaEs, Algorithm::Spsa];

    /// Its name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::RandomSearch => "random-search",
            Algorithm::CmaEs => "cma-es",
            Algorithm::Spsa => "spsa",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A search that can be begun.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    pub(crate) algorithm: Algorithm,
    /// Seed of all random streams.
    pub(crate) seed: u64,
    /// What is weighed.
    pub(crate) features: FeatureSet,
    /// The length that all weights together are held at.
    pub(crate) length: u32,
    /// What is played.
    pub(crate) game: AnyGame,
    /// Plies that every move is searched.
    pub(crate) depth: u32,
    /// Openings of every meeting of a step.
    pub(crate) openings: u32,
    /// What is tried in a step: challengers, offspring or perturbations.
    pub(crate) population: u32,
}

/// A setting that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// No setting of that name.
    #[error(
        "unknown setting \"{0}\": there are depth, features, game, length, openings, population, rules"
    )]
    Unknown(String),
    /// A value that the setting cannot take.
    #[error("{key} is {value}: {reason}")]
    Value {
        /// Which setting.
        key: String,
        /// What stands there.
        value: String,
        /// What should.
        reason: String,
    },
}

impl Plan {
    /// The usual settings of an algorithm, seed 1.
    pub fn new(algorithm: Algorithm) -> Plan {
        let (openings, population) = match algorithm {
            Algorithm::RandomSearch => (10, 8),
            Algorithm::CmaEs => (4, 16),
            Algorithm::Spsa => (4, 8),
        };
        Plan {
            algorithm,
            seed: 1,
            features: FeatureSet::daoud2004(),
            length: 400,
            game: AnyGame::default(),
            depth: 5,
            openings,
            population,
        }
    }

    /// Changes one setting.
    ///
    /// # Errors
    /// If there is none of that name, or it cannot have that value.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), PlanError> {
        let refuse =
            |reason: String| PlanError::Value { key: key.into(), value: value.into(), reason };
        let number = |low: u32, high: u32| {
            let number = value.parse().ok().filter(|number| (low..=high).contains(number));
            number.ok_or_else(|| refuse(format!("give a whole number from {low} to {high}")))
        };
        match key {
            "depth" => self.depth = number(1, MAX_DEPTH)?,
            "length" => self.length = number(1, MAX_WEIGHT as u32)?,
            "openings" => self.openings = number(1, 1000)?,
            "population" => self.population = number(4, 1000)?,
            "game" => *self = self.clone().of_game(parsed(value).map_err(refuse)?),
            "rules" => {
                let rules = parsed(value).map_err(refuse)?;
                self.game = self.game.with_rules(rules).map_err(refuse)?;
            }
            "features" => {
                let features: FeatureSet = parsed(value).map_err(refuse)?;
                let (of, game) = (features.game(), self.game);
                if of != game.kind() {
                    return Err(refuse(format!("these are features of {of}, but game is {game}")));
                }
                self.features = features;
            }
            _ => return Err(PlanError::Unknown(key.into())),
        }
        Ok(())
    }

    /// The same with another seed.
    pub fn with_seed(self, seed: u64) -> Plan {
        Plan { seed, ..self }
    }

    /// The same of another game, with the features and the depth of its usual preset.
    fn of_game(self, game: AnyGame) -> Plan {
        let usual = usual(&game);
        Plan { features: usual.features, depth: usual.depth, game, ..self }
    }

    /// What is played.
    pub fn game(&self) -> AnyGame {
        self.game
    }

    /// The search that it describes, which has not begun.
    pub fn optimiser(&self) -> Box<dyn Optimiser> {
        match self.algorithm {
            Algorithm::RandomSearch => Box::new(Search::new(RandomSearch::new(self), self)),
            Algorithm::CmaEs => Box::new(Search::new(CmaEs::new(self), self)),
            Algorithm::Spsa => Box::new(Search::new(Spsa::new(self), self)),
        }
    }

    /// The weights of a point: whole numbers of the plan's length, rounding aside.
    pub(crate) fn weights(&self, point: &Point) -> Weights {
        let Plan { algorithm, seed, ref features, length, .. } = *self;
        let size = norm(point);
        let factor = if size > 0.0 { f64::from(length) / size } else { 0.0 };
        let values: Vec<i64> = point.iter().map(|it| (it * factor).round() as i64).collect();
        Weights::new(format!("{algorithm}-{seed}"), features.clone(), &values, Signs::Literal)
            .expect("no weight is larger than the length of all")
    }

    pub(crate) fn dimensions(&self) -> usize {
        self.features.features().len()
    }
}

fn parsed<T: FromStr<Err: fmt::Display>>(value: &str) -> Result<T, String> {
    value.parse().map_err(|error: T::Err| error.to_string())
}

/// All that a search depends on.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Plan { algorithm, seed, features, length, game, depth, openings, population } = self;
        let (word, terms) = game.terms();
        write!(f, "{algorithm} seed={seed} features={features} length={length} {word}={terms} ")?;
        write!(f, "depth={depth} openings={openings} population={population}")
    }
}
