//! Contestants in a comparison, which are written as `NAME[:key=value,…]`.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use arena::player::Spec;
use evolve::run::{Draft, SettingError, Settings, Trainer, digits, meant_preset, presets};
use mancala::endgame::Tables;

/// A preset, optionally with changed settings.
///
/// ```
/// use ayo::compare::Contestant;
/// let contestant: Contestant = "cma-es:population=24,depth=3".parse().unwrap();
/// assert_eq!(contestant.name, "cma-es:population=24,depth=3");
/// let error = "cma-es:depth=0".parse::<Contestant>().unwrap_err();
/// assert_eq!(error, "contestant cma-es: depth is 0: give a whole number from 1 to 100");
/// ```
#[derive(Debug, Clone)]
pub struct Contestant {
    pub name: String,
    pub settings: Settings,
    /// The endgame tables used for the contestant's fitness. This is `None` if they aren't needed or aren't open yet.
    pub tables: Option<Arc<Tables>>,
}

impl Contestant {
    /// Creates a trainer with this seed. Its first step panics if the fitness needs endgame tables that aren't open.
    pub fn trainer(&self, seed: u64) -> Trainer {
        Trainer::new(self.seeded(seed)).taught_by(self.tables.clone())
    }

    /// Returns a hash of everything that affects a run with this seed.
    pub fn hash(&self, seed: u64) -> String {
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
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = "write NAME:key=value,… with each key once, and double quotes around values that contain a comma \
                    or =";
        let wrong_form = || format!("contestant \"{text}\": {form}");
        let spec: Spec = text.parse().map_err(|_| wrong_form())?;
        let name = &spec.kind;
        if spec.text("seed").is_some() {
            return Err(format!("contestant {name}: set seeds with --seeds"));
        }
        if spec.text("preset").is_some() {
            return Err(wrong_form());
        }
        if !presets().any(|preset| preset == name) {
            if Path::new(name).is_dir() {
                return Err(format!("{name} is a folder: compare runs with \"match\" or \"plot\""));
            }
            return Err(format!("unknown contestant \"{name}\": {}", meant_preset(name)));
        }
        let refused = |error: SettingError| format!("contestant {name}: {error}");
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
