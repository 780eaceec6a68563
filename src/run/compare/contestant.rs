//! Who takes part in a comparison: `NAME[:key=value,…]`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::optimise::baseline::{Algorithm, Optimiser, Plan, PlanError};
use crate::player::{Spec, SpecError};
use crate::run::settings::{Draft, Merit, PRESETS, SettingError, Settings};
use crate::run::trainer::Trainer;
use mancala::endgame::Tables;
use mancala::game::AnyGame;
use mancala::game::ayo::Rules;

/// A preset of the genetic algorithm or a baseline, with changed settings.
///
/// ```
/// use ayo::run::Contestant;
/// let contestant: Contestant = "cma-es:population=24,depth=3".parse().unwrap();
/// assert_eq!(contestant.name(), "cma-es:population=24,depth=3");
/// let error = "cma-es:depth=0".parse::<Contestant>().unwrap_err();
/// assert_eq!(error.to_string(), "contestant cma-es: depth is 0: give a whole number from 1 to 100");
/// ```
#[derive(Debug, Clone)]
pub struct Contestant {
    name: String,
    recipe: Recipe,
    /// Those that it learns from.
    tables: Option<Arc<Tables>>,
}

#[derive(Debug, Clone, PartialEq)]
enum Recipe {
    Genetic(Box<Settings>),
    Baseline(Plan),
}

/// Text that names no contestant.
#[derive(Debug, thiserror::Error)]
pub enum ContestantError {
    /// Neither a preset nor a baseline.
    #[error("unknown contestant \"{0}\": there are {known}", known = known())]
    Unknown(String),
    /// Not of the form `NAME:key=value,…`.
    #[error(
        "contestant \"{0}\": write it as NAME:key=value,…, each key once, and put a value with a comma or = in double quotes"
    )]
    Form(String),
    /// The seed is not the contestant's.
    #[error("contestant {0}: its seeds are those of --seeds")]
    Seed(String),
    /// A setting of a preset.
    #[error("contestant {0}: {1}")]
    Setting(String, SettingError),
    /// A setting of a baseline.
    #[error("contestant {0}: {1}")]
    Plan(String, PlanError),
}

fn known() -> String {
    let baselines = Algorithm::ALL.map(Algorithm::name);
    PRESETS.iter().chain(&baselines).copied().collect::<Vec<_>>().join(", ")
}

impl Contestant {
    /// What the user called it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it plays to train.
    pub fn game(&self) -> AnyGame {
        match &self.recipe {
            Recipe::Genetic(settings) => settings.game(),
            Recipe::Baseline(plan) => plan.game(),
        }
    }

    /// Its fitness and the rules of the tables, if it needs endgame tables.
    pub fn teacher(&self) -> Option<(Merit, Rules)> {
        match &self.recipe {
            Recipe::Genetic(settings) if settings.needs_tables() => {
                Some((settings.fitness, settings.rules))
            }
            Recipe::Genetic(_) | Recipe::Baseline(_) => None,
        }
    }

    /// The same contestant, who learns from these tables if it needs any.
    #[must_use]
    pub fn taught_by(self, tables: Arc<Tables>) -> Self {
        let tables = self.teacher().map(|_| tables);
        Contestant { tables, ..self }
    }

    /// The tables that it learns from.
    pub fn tables(&self) -> Option<&Tables> {
        self.tables.as_deref()
    }

    /// Its search with a seed, which has not begun.
    ///
    /// # Panics
    /// When it begins, if it needs tables and was not given any.
    pub fn optimiser(&self, seed: u64) -> Box<dyn Optimiser> {
        match &self.recipe {
            Recipe::Genetic(_) => {
                let trainer = Trainer::new(self.seeded(seed));
                Box::new(match &self.tables {
                    Some(tables) => trainer.taught_by(Arc::clone(tables)),
                    None => trainer,
                })
            }
            Recipe::Baseline(plan) => plan.clone().with_seed(seed).optimiser(),
        }
    }

    /// Sixteen hexadecimal digits that stand for all that its search with a seed depends on.
    pub fn settings(&self, seed: u64) -> String {
        match &self.recipe {
            Recipe::Genetic(_) => match &self.tables {
                None => self.seeded(seed).hash(),
                Some(tables) => {
                    digest(&format!("{} by {:08x}", self.seeded(seed).hash(), tables.checksum()))
                }
            },
            Recipe::Baseline(plan) => digest(&plan.clone().with_seed(seed).to_string()),
        }
    }

    fn seeded(&self, seed: u64) -> Settings {
        match &self.recipe {
            Recipe::Genetic(settings) => Settings { seed, ..(**settings).clone() },
            Recipe::Baseline(_) => unreachable!("a baseline has a plan"),
        }
    }
}

/// Sixteen hexadecimal digits for a text.
fn digest(text: &str) -> String {
    Sha256::digest(text)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn genetic(spec: &Spec) -> Result<Recipe, ContestantError> {
    let refused = |error| ContestantError::Setting(spec.kind.clone(), error);
    let mut draft = Draft::preset(&spec.kind).map_err(refused)?;
    for (key, value) in &spec.options {
        draft.set(key, value).map_err(refused)?;
    }
    Ok(Recipe::Genetic(Box::new(draft.finish().map_err(refused)?)))
}

fn baseline(algorithm: Algorithm, spec: &Spec) -> Result<Recipe, ContestantError> {
    let mut plan = Plan::new(algorithm);
    // What features there are to choose from follows from the game.
    let (game, others): (Vec<_>, Vec<_>) =
        spec.options.iter().partition(|(key, _)| key.as_str() == "game");
    for (key, value) in game.into_iter().chain(others) {
        plan.set(key, value).map_err(|error| ContestantError::Plan(spec.kind.clone(), error))?;
    }
    Ok(Recipe::Baseline(plan))
}

impl FromStr for Contestant {
    type Err = ContestantError;

    fn from_str(text: &str) -> Result<Self, ContestantError> {
        let spec: Spec = text.parse().map_err(|_: SpecError| ContestantError::Form(text.into()))?;
        if spec.text("seed").is_some() {
            return Err(ContestantError::Seed(spec.kind));
        }
        if spec.text("preset").is_some() {
            return Err(ContestantError::Form(text.into()));
        }
        let algorithm = Algorithm::ALL.into_iter().find(|it| it.name() == spec.kind);
        let recipe = match algorithm {
            Some(algorithm) => baseline(algorithm, &spec)?,
            None if PRESETS.contains(&spec.kind.as_str()) => genetic(&spec)?,
            None => return Err(ContestantError::Unknown(spec.kind)),
        };
        Ok(Contestant { name: text.into(), recipe, tables: None })
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name)
    }
}
