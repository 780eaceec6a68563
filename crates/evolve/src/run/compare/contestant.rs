//! What takes part in a comparison: `NAME[:key=value,…]`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::optimise::TableFitness;
use arena::player::{Spec, SpecError};
use mancala::endgame::Tables;
use mancala::game::AnyGame;
use mancala::game::ayo::Rules;

use crate::run::settings::{Draft, SettingError, Settings, digits, meant_preset, presets};
use crate::run::trainer::Trainer;

/// A preset with changed settings.
///
/// ```
/// use evolve::run::Contestant;
/// let contestant: Contestant = "cma-es:population=24,depth=3".parse().unwrap();
/// assert_eq!(contestant.name(), "cma-es:population=24,depth=3");
/// let error = "cma-es:depth=0".parse::<Contestant>().unwrap_err();
/// assert_eq!(error.to_string(), "contestant cma-es: depth is 0: give a whole number from 1 to 100");
/// ```
#[derive(Debug, Clone)]
pub struct Contestant {
    name: String,
    settings: Settings,
    /// Those that it learns from.
    tables: Option<Arc<Tables>>,
}

/// Text that names no contestant.
#[derive(Debug, thiserror::Error)]
pub enum ContestantError {
    /// No preset.
    #[error("unknown contestant \"{0}\": {hint}", hint = meant_preset(.0))]
    Unknown(String),
    /// Not of the form `NAME:key=value,…`.
    #[error(
        "contestant \"{0}\": write it as NAME:key=value,…, each key once, and put a value with a comma or = in double quotes"
    )]
    Form(String),
    /// The seed is not the contestant's.
    #[error("contestant {0}: its seeds are those of --seeds")]
    Seed(String),
    /// One of its settings.
    #[error("contestant {0}: {1}")]
    Setting(String, SettingError),
}

impl Contestant {
    /// What the user called it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it plays to train.
    pub fn game(&self) -> AnyGame {
        self.settings.game()
    }

    /// What it learns from endgame tables and the rules of these, if it needs any.
    pub fn teacher(&self) -> Option<(TableFitness, Rules)> {
        Some((self.settings.own.table_fitness()?, self.settings.rules))
    }

    /// The same contestant, taught by these tables if it needs any.
    #[must_use]
    pub fn taught_by(self, tables: Arc<Tables>) -> Self {
        let tables = self.teacher().map(|_| tables);
        Contestant { tables, ..self }
    }

    /// The tables that it learns from.
    pub fn tables(&self) -> Option<&Tables> {
        self.tables.as_deref()
    }

    /// Its run with a seed, which has not begun.
    ///
    /// # Panics
    /// When it begins, if it needs tables and was not given any.
    pub fn trainer(&self, seed: u64) -> Trainer {
        let trainer = Trainer::new(self.seeded(seed));
        match &self.tables {
            Some(tables) => trainer.taught_by(Arc::clone(tables)),
            None => trainer,
        }
    }

    /// Sixteen hexadecimal digits that stand for all that its run with a seed depends on.
    pub fn settings(&self, seed: u64) -> String {
        let hash = self.seeded(seed).hash();
        match &self.tables {
            None => hash,
            Some(tables) => digits(&format!("{hash} by {:08x}", tables.checksum())),
        }
    }

    fn seeded(&self, seed: u64) -> Settings {
        Settings { seed, ..self.settings.clone() }
    }
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
        if !presets().any(|name| name == spec.kind) {
            return Err(ContestantError::Unknown(spec.kind));
        }
        let refused = |error| ContestantError::Setting(spec.kind.clone(), error);
        let mut draft = Draft::preset(&spec.kind).map_err(refused)?;
        for (key, value) in &spec.options {
            draft.set(key, value).map_err(refused)?;
        }
        let settings = draft.finish().map_err(refused)?;
        Ok(Contestant { name: text.into(), settings, tables: None })
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name)
    }
}
