//! Resolves presets, configuration files and flags to the settings of a new run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use evolve::run::{
    Draft, FolderError, Run, SettingError, Settings, last_population, preset_of_game, read_toml,
};
use mancala::endgame::Tables;
use mancala::eval::{self, Layer, Weights};
use mancala::store;

use super::Arguments;
use crate::terminal::usage;

#[derive(Debug, Clone)]
pub(crate) struct NewRun {
    /// The settings. If no seed was given and the default folder already exists, then we use another seed.
    pub(crate) settings: Settings,
    has_given_seed: bool,
    /// The features that have an initial weight, but no gene in this run.
    pub(crate) left_out: Vec<&'static str>,
}

impl Arguments {
    /// Returns the new run. Flags override the configuration file, which overrides the preset. Errors name the source.
    pub(super) fn resolve(&self) -> anyhow::Result<NewRun> {
        let config = match &self.config {
            Some(path) => read_toml(&store::read_document(path)?)
                .map_err(|error| config_error(path, &error))?,
            None => toml::Table::new(),
        };
        let mut draft = self.draft(&config)?;
        if let Some(path) = &self.config {
            let is_setting = |key: &String| !["preset", "version"].contains(&key.as_str());
            let settings = config.clone().into_iter().filter(|(key, _)| is_setting(key)).collect();
            draft.set_all(&settings).map_err(|error| config_error(path, &error))?;
        }
        let overrides = self.overrides()?;
        for (source, key, value) in &overrides {
            draft.set(key, value).map_err(|error| usage(format!("{source}: {error}")))?;
        }
        let left_out = self.set_founders(&mut draft)?;
        let has_given_seed =
            config.contains_key("seed") || overrides.iter().any(|(_, key, _)| key == "seed");
        let settings = draft.finish().map_err(usage)?;
        settings.check_layer().map_err(usage)?;
        Ok(NewRun { settings, has_given_seed, left_out })
    }

    /// Creates a draft from the preset given by `--preset` or the configuration file, or else from the game's default.
    fn draft(&self, config: &toml::Table) -> anyhow::Result<Draft> {
        match (&self.preset, config.get("preset"), &self.config) {
            (Some(name), ..) => {
                Draft::preset(name).map_err(|error| usage(format!("--preset: {error}")))
            }
            // We load only the preset here. The caller applies the file's other settings.
            (None, Some(name), Some(path)) => {
                let table = [("preset".into(), name.clone())].into_iter().collect();
                Draft::from_table(&table).map_err(|error| config_error(path, &error))
            }
            _ => Draft::preset(preset_of_game(&self.game.unwrap_or_default())).map_err(usage),
        }
    }

    /// Sets the initial population according to `--start-from`. Returns the features that have a weight, but no gene.
    fn set_founders(&self, draft: &mut Draft) -> anyhow::Result<Vec<&'static str>> {
        let Some(from) = &self.start_from else { return Ok(Vec::new()) };
        let settings = draft.clone().finish().map_err(usage)?;
        if !settings.entries().iter().any(|entry| entry.name == "founders") {
            let (name, other) = (settings.method.name, preset_of_game(&settings.game()));
            let reason =
                format!("{name} cannot start from given weights, but --preset {other} can");
            return Err(usage(format!("--start-from: {reason}")));
        }
        let (founders, left_out) = founders(from, &settings)?;
        let set = draft.set("founders", &founders);
        set.map_err(|error| usage(format!("--start-from {from}: {error}")))?;
        Ok(left_out)
    }
}

fn config_error(path: &Path, error: &SettingError) -> anyhow::Error {
    usage(format!("{}: {error}", path.display()))
}

/// Returns the chromosomes of a run's last population, or the single chromosome for a set of weights. Also returns the
/// features that have a weight, but no gene in this run.
fn founders(from: &str, settings: &Settings) -> anyhow::Result<(String, Vec<&'static str>)> {
    let path = Path::new(from);
    let weights: Vec<Weights> = match path.join("run.toml").exists() {
        true => last_population(path).with_context(|| format!("--start-from {from}"))?,
        false => {
            let weights = eval::load(from);
            vec![weights.map_err(|error| usage(format!("--start-from: {error}")))?]
        }
    };
    let (of, game) = (weights[0].features().game(), settings.game());
    if of != game.kind() {
        return Err(usage(format!(
            "--start-from {from}: the weights are for {of}, but game is {game}"
        )));
    }
    let most = settings.own.candidates() as usize;
    let founders = weights.iter().take(most).map(|weights| settings.founder(weights));
    let layer = weights[0].features().layer();
    let has_other = layer.is_some_and(|it| !it.hash().starts_with(&settings.layer));
    let none = || {
        let file = |it: &Layer| if path.is_dir() { path.join(it.file_name()) } else { path.into() };
        let advice = layer.map_or(String::new(), |it| {
            format!("; give its layer, too: --features learned:{}", file(it).display())
        });
        usage(format!("--start-from {from}: no weights for the features of this run{advice}"))
    };
    let founders = founders.collect::<Option<Vec<_>>>().filter(|_| !has_other).ok_or_else(none)?;
    let left_out = founders[0].1.iter().map(|it| it.name()).collect();
    let chromosomes: Vec<String> = founders.into_iter().map(|it| it.0).collect();
    Ok((chromosomes.join(","), left_out))
}

impl NewRun {
    /// Returns the run folder, or `None` if it depends on a seed that has not been chosen yet.
    pub(crate) fn folder(&self, out: Option<&Path>) -> Option<PathBuf> {
        let default = || self.has_given_seed.then(|| self.settings.default_folder());
        out.map(Path::to_owned).or_else(default)
    }

    /// Creates the run in the folder `out`, or in its default folder. If neither a folder nor a
    /// seed was given, it gets the lowest seed whose default folder is free.
    pub(crate) fn create(
        &self,
        out: Option<&Path>,
        tables: Option<Arc<Tables>>,
    ) -> Result<Run, FolderError> {
        if let Some(path) = self.folder(out) {
            return Run::create(&path, self.settings.clone(), tables);
        }
        Run::create_with_free_seed(Path::new(""), &self.settings, tables.as_ref())
    }
}
