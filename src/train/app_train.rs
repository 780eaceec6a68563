//! A training run: its settings from layers, its folder, training with measurements and finals.

mod reporter;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mancala::endgame::Tables;
use mancala::eval::{self, LoadError, Weights};
use mancala::game::{AnyGame, GameKind};
use mancala::store::{self, FileError};

use crate::train::app_stop::heeding;
use crate::train::app_train::reporter::{Reporter, Told, ending};
use evolve::run::{
    BranchError, Draft, End, FolderError, Observer, RUNS, RunFolder, SettingError, Settings,
    Summary, Trainer, Watched, last_population, preset_of_game, read_toml, train,
};

/// What a run is to be, in layers of which later ones win: preset, configuration file, settings.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// The preset to begin with. Without one it is that of the configuration file, or the usual one of the
    /// game.
    pub preset: Option<String>,
    /// A TOML file of settings.
    pub config: Option<PathBuf>,
    /// The game; without one that of the settings.
    pub game: Option<AnyGame>,
    /// Single settings.
    pub settings: Vec<Given>,
    /// A run or weights to begin from.
    pub start_from: Option<String>,
}

/// A setting that was given.
#[derive(Debug, Clone)]
pub struct Given {
    /// What gave it, as errors name it: `--depth` or `--set`.
    pub by: String,
    /// Its name.
    pub key: String,
    /// Its value.
    pub value: String,
}

/// Why there is no such run.
#[derive(Debug, thiserror::Error)]
pub enum NoRun {
    /// There is no such preset.
    #[error(transparent)]
    Preset(SettingError),
    /// The configuration file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The configuration file has something wrong.
    #[error("{}: {error}", path.display())]
    Config {
        /// The file of settings, as in a `run.toml`.
        path: PathBuf,
        /// The key at fault, and why its value is refused.
        error: SettingError,
    },
    /// A setting is wrong.
    #[error("{by}: {error}")]
    Given {
        /// The flag that gave it, as in [`Given::by`].
        by: String,
        /// Why the value is refused.
        error: SettingError,
    },
    /// Settings do not go together.
    #[error(transparent)]
    Settings(#[from] SettingError),
    /// It cannot begin from these weights.
    #[error("{from}: {error}")]
    Founders {
        /// The run or weights as the user named them.
        from: String,
        /// What is wrong.
        error: NoFounders,
    },
}

/// Why a run cannot begin from a run or from weights.
#[derive(Debug, thiserror::Error)]
pub enum NoFounders {
    /// The optimiser begins from nothing but itself.
    #[error("{0} cannot begin from given weights")]
    Optimiser(&'static str),
    /// The run cannot be read.
    #[error(transparent)]
    Run(#[from] BranchError),
    /// The weights cannot be read.
    #[error(transparent)]
    Weights(#[from] LoadError),
    /// They are of another game.
    #[error("these weigh features of {of}, but game is {game}")]
    Game {
        /// The game of the weights.
        of: GameKind,
        /// That of the run.
        game: AnyGame,
    },
    /// No gene stands for any of the features.
    #[error("it weighs nothing that evolves here")]
    Nothing,
    /// The settings do not take them.
    #[error(transparent)]
    Setting(SettingError),
}

/// A run that can begin.
#[derive(Debug, Clone)]
pub struct NewRun {
    draft: Draft,
    settings: Settings,
    seed: Seed,
    /// Features of the weights that it begins from for which no gene stands.
    pub left_out: Vec<&'static str>,
}

/// Where the seed of a run comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seed {
    Given,
    /// The lowest whose folder is free.
    LowestFree,
}

impl Wish {
    /// The run that the layers describe.
    ///
    /// # Errors
    /// At the first setting that is wrong.
    pub fn run(&self) -> Result<NewRun, NoRun> {
        let config = self.config.as_deref().map(read_config).transpose()?.unwrap_or_default();
        let mut draft = self.begin(&config)?;
        if let Some(path) = &self.config {
            let is_setting = |key: &String| !["preset", "version"].contains(&key.as_str());
            let settings = config.clone().into_iter().filter(|(key, _)| is_setting(key)).collect();
            let refused = |error| NoRun::Config { path: path.clone(), error };
            draft.set_all(&settings).map_err(refused)?;
        }
        for Given { by, key, value } in &self.settings {
            let refused = |error| NoRun::Given { by: by.clone(), error };
            draft.set(key, value).map_err(refused)?;
        }
        let left_out = self.begin_from(&mut draft)?;
        let is_seeded =
            config.contains_key("seed") || self.settings.iter().any(|given| given.key == "seed");
        let seed = if is_seeded { Seed::Given } else { Seed::LowestFree };
        let settings = draft.clone().finish()?;
        settings.check_layer()?;
        Ok(NewRun { settings, draft, seed, left_out })
    }

    /// The settings of the preset.
    fn begin(&self, config: &toml::Table) -> Result<Draft, NoRun> {
        match (&self.preset, config.get("preset"), &self.config) {
            (Some(name), ..) => Draft::preset(name).map_err(NoRun::Preset),
            // The values come later.
            (None, Some(name), Some(path)) => {
                let table = [("preset".into(), name.clone())].into_iter().collect();
                Draft::from_table(&table)
                    .map_err(|error| NoRun::Config { path: path.clone(), error })
            }
            _ => Ok(Draft::preset(preset_of_game(&self.game.unwrap_or_default()))?),
        }
    }

    fn begin_from(&self, draft: &mut Draft) -> Result<Vec<&'static str>, NoRun> {
        let Some(from) = &self.start_from else { return Ok(Vec::new()) };
        let settings = draft.clone().finish()?;
        let refused = |error| NoRun::Founders { from: from.clone(), error };
        if !draft.has("founders") {
            return Err(refused(NoFounders::Optimiser(settings.optimiser_name())));
        }
        let (founders, left_out) = founders(from, &settings).map_err(refused)?;
        draft.set("founders", &founders).map_err(|error| refused(NoFounders::Setting(error)))?;
        Ok(left_out)
    }
}

fn read_config(path: &Path) -> Result<toml::Table, NoRun> {
    let text = store::read_document(path)?;
    read_toml(&text).map_err(|error| NoRun::Config { path: path.into(), error })
}

/// The chromosomes of the last population of a run, or of some weights; and the features that get lost.
fn founders(from: &str, settings: &Settings) -> Result<(String, Vec<&'static str>), NoFounders> {
    let path = Path::new(from);
    let weights: Vec<Weights> = match path.join("run.toml").exists() {
        true => last_population(path)?,
        false => vec![eval::load(from)?],
    };
    let (of, game) = (weights[0].features().game(), settings.game());
    if of != game.kind() {
        return Err(NoFounders::Game { of, game });
    }
    let left_out = settings.left_out(&weights[0]).iter().map(|it| it.name()).collect();
    let most = settings.candidates() as usize;
    let chromosomes: Option<Vec<String>> =
        weights.iter().take(most).map(|weights| settings.founder(weights)).collect();
    Ok((chromosomes.ok_or(NoFounders::Nothing)?.join(","), left_out))
}

impl NewRun {
    /// The settings; the seed may yet be another.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The folder that it would get; `None` while the seed is open.
    pub fn folder(&self, wanted: Option<&Path>) -> Option<PathBuf> {
        let usual = || (self.seed == Seed::Given).then(|| usual_folder(&self.settings));
        wanted.map(Path::to_owned).or_else(usual)
    }

    /// Creates the folder that is wanted, or else the usual one: that of the lowest seed that is free, if none
    /// was given.
    ///
    /// # Errors
    /// If there is a run in it, or it cannot be created.
    pub fn create(
        &self,
        wanted: Option<&Path>,
        tables: Option<Arc<Tables>>,
    ) -> Result<OpenRun, FolderError> {
        let (folder, settings) = match self.folder(wanted) {
            Some(path) => {
                let folder = RunFolder::create(&path, &self.settings, tables.as_deref())?;
                (folder, self.settings.clone())
            }
            None => self.first_free(tables.as_deref())?,
        };
        Ok(OpenRun { folder, trainer: Trainer::new(settings), tables })
    }

    fn first_free(&self, tables: Option<&Tables>) -> Result<(RunFolder, Settings), FolderError> {
        for seed in 1.. {
            let settings = self.with_seed(seed);
            match RunFolder::create(&usual_folder(&settings), &settings, tables) {
                Ok(folder) => return Ok((folder, settings)),
                Err(
                    FolderError::Occupied(_) | FolderError::Remains { .. } | FolderError::Busy(_),
                ) => {}
                Err(error) => return Err(error),
            }
        }
        unreachable!("seeds do not run out")
    }

    /// The settings with another seed.
    pub(crate) fn with_seed(&self, seed: u64) -> Settings {
        let mut draft = self.draft.clone();
        let set = draft.set("seed", &seed.to_string()).and_then(|()| draft.finish());
        set.expect("settings that were allowed go with any seed")
    }
}

/// Where a run goes if nothing else is said.
pub(crate) fn usual_folder(settings: &Settings) -> PathBuf {
    Path::new(RUNS).join(format!("{}-{}", settings.preset, settings.seed))
}

/// A run whose folder is held, ready to go on.
pub struct OpenRun {
    /// Its folder.
    pub folder: RunFolder,
    /// Where it stands.
    pub trainer: Trainer,
    /// The tables that it goes by.
    pub tables: Option<Arc<Tables>>,
}

/// How training went.
pub struct Trained {
    /// Why it ended, or what went wrong.
    pub end: Result<End, FileError>,
    /// What the folder holds now.
    pub summary: Summary,
}

impl OpenRun {
    /// Trains, measures and chooses the champion, as the settings have it. A [`StopFile`](evolve::run::StopFile) in the folder ends
    /// it as an interruption does, and a [`Status`](evolve::run::Status) there says how far it is.
    ///
    /// # Errors
    /// If the folder cannot be measured in or looked at; what stops training itself is in the result.
    pub fn train(
        mut self,
        watched: &Watched,
        observer: &mut dyn Observer,
    ) -> Result<Trained, FolderError> {
        let path = self.folder.path().to_owned();
        if let Some(tables) = &self.tables {
            self.trainer = self.trainer.taught_by(Arc::clone(tables));
        }
        let mut measuring = self.folder.measuring(&self.trainer, self.tables)?;
        let reporter = Reporter::new(path.clone(), &self.trainer, watched);
        let told = &mut Told { reporter: &reporter, observer };
        let watched = Watched { progress: &reporter, stop: watched.stop };
        let (trainer, folder) = (&mut self.trainer, &mut self.folder);
        let train = || train(trainer, folder, &mut measuring, &watched, told);
        let end = heeding(&path, watched.stop, || reporter.report(), train);
        if self.folder.is_held() {
            reporter.end(ending(&end));
        }
        drop(self.folder);
        Ok(Trained { end, summary: Summary::of(&path)? })
    }
}
