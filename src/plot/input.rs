//! The inputs of a picture, which are validated here.

use std::path::Path;

use evolve::run::{Measurement, RunFolder, Settings, Totals, changed_lines, read_strength, totals};
use mancala::eval::{self, Layer, LoadError, Weights};
use mancala::store;
use serde::Deserialize;

use super::error::Error;
use super::history::{self, Epoch, Generation};
use super::selection::Generations;

/// An input of a picture.
pub(super) struct Input {
    /// Its name, unless another input has the same name.
    pub(super) name: String,
    pub(super) run: Option<Run>,
    /// The champion; `None` before the first generation of a run.
    pub(super) champion: Option<Weights>,
}

/// A run with at least one generation.
pub(super) struct Run {
    pub(super) settings: Settings,
    /// The shown generations, at least one.
    pub(super) generations: Vec<Generation>,
    /// Number of the first shown generation.
    pub(super) first: u32,
    /// Number of all generations.
    pub(super) reached: u32,
    /// The totals up to the end of each generation.
    pub(super) totals: Vec<Totals>,
    /// Known positions of the generations on the x axis, from the first.
    pub(super) positions: Vec<f64>,
    pub(super) measurements: Vec<Measurement>,
    pub(super) epochs: Vec<Epoch>,
}

impl Run {
    /// Returns the number of the last shown generation.
    pub(super) fn last(&self) -> u32 {
        self.first + self.generations.len() as u32 - 1
    }

    /// Keeps only the given generations of the run at `path`.
    fn cut(&mut self, generations: Generations, path: &Path) -> Result<(), Error> {
        let reached = self.reached;
        let beyond = || {
            let path = path.display();
            Error::Usage(format!(
                "{path}: the run has generations 1 to {reached}, and none of {generations}"
            ))
        };
        let range = generations.of(reached).ok_or_else(beyond)?;
        self.first = *range.start();
        self.generations.truncate(*range.end() as usize);
        self.generations.drain(..*range.start() as usize - 1);
        self.measurements.retain(|it| range.contains(&it.generation));
        self.epochs.retain(|it| range.contains(&it.generation));
        Ok(())
    }

    /// Returns the position of a generation on the x axis; `None` if its cost was not recorded.
    pub(super) fn x(&self, generation: u32) -> Option<f64> {
        self.positions.get(generation.checked_sub(1)? as usize).copied()
    }

    /// Returns whether a number differs between shown generations.
    pub(super) fn varies(&self, figure: impl Fn(&Generation) -> f64) -> bool {
        let mut figures = self.generations.iter().map(figure);
        let first = figures.next();
        figures.any(|it| Some(it) != first)
    }
}

impl Input {
    /// Reads the given generations of a run folder, a file, or a named evaluator.
    pub(super) fn read(path: &Path, generations: Generations) -> Result<Input, Error> {
        if path.is_dir() {
            let mut input = Input::of_folder(path)?;
            if let Some(run) = &mut input.run {
                run.cut(generations, path)?;
            }
            return Ok(input);
        }
        if path.exists() {
            return Input::of_file(path);
        }
        // The champion itself has the name of its run.
        let name = path.to_string_lossy();
        Ok(Input { name: name.clone().into_owned(), ..eval::load(&name)?.into() })
    }

    fn of_folder(folder: &Path) -> Result<Input, Error> {
        let settings = RunFolder::settings(folder)?;
        if let Some(changed) = changed_lines(folder)?.into_iter().next() {
            return Err(changed.into());
        }
        let generations = history::read(&folder.join("history.csv"), &settings.features)?;
        let in_shares = |(generation, number): (Generation, u32)| {
            generation.in_shares_of(settings.best_possible_fitness(number))
        };
        let generations: Vec<_> = generations.into_iter().zip(1..).map(in_shares).collect();
        let text = |name| store::read_text(&folder.join(name)).unwrap_or_default();
        let champion = folder.join("champion.json");
        let champion = champion.exists().then(|| eval::load(&champion.to_string_lossy()));
        Ok(Input {
            name: folder_name(folder),
            run: Some(Run {
                measurements: measurements(folder, &settings)?,
                epochs: history::read_epochs(&folder.join("epochs.csv"))?,
                first: 1,
                reached: generations.len() as u32,
                totals: totals(&text("history.csv"), &text("cost.csv")),
                positions: Vec::new(),
                settings,
                generations,
            }),
            champion: champion.transpose()?,
        })
    }

    fn of_file(path: &Path) -> Result<Input, Error> {
        let text = text(path)?;
        match kind(&text).as_deref() {
            // TOML and CSV files always hold weights.
            Some("weights") | None => Ok(weights(&text, path)?.into()),
            Some(kind) => {
                let drawn = "run folders, weights, matches, tournaments, comparisons, ablations and accuracies";
                let reason = format!("nothing is drawn for kind \"{kind}\", only for {drawn}");
                Err(Error::input(path, reason))
            }
        }
    }
}

fn measurements(folder: &Path, settings: &Settings) -> Result<Vec<Measurement>, Error> {
    let path = folder.join("strength.csv");
    if !path.exists() {
        return Ok(Vec::new());
    }
    // Damage of any kind ends the valid measurements.
    let text = store::read(&path)?;
    Ok(read_strength(&String::from_utf8_lossy(&text), settings))
}

impl From<Weights> for Input {
    fn from(weights: Weights) -> Input {
        Input { name: weights.name.clone(), run: None, champion: Some(weights) }
    }
}

/// Reads the text of a file. A learned layer is an error of its kind.
pub(super) fn text(path: &Path) -> Result<String, Error> {
    let is_layer = || store::read(path).is_ok_and(|bytes| Layer::decode(&bytes).is_ok());
    store::read_document(path).map_err(|error| match is_layer() {
        true => Error::input(
            path,
            "a layer alone has no weights to draw: plot the run folder or the weights that its units are of",
        ),
        false => error.into(),
    })
}

/// Returns the field `kind` of a JSON text.
pub(super) fn kind(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Head {
        kind: String,
    }
    let head: Option<Head> = serde_json::from_str(text).ok();
    head.map(|head| head.kind)
}

/// Reads the weights in a file, even if it has the name of an evaluator.
fn weights(text: &str, path: &Path) -> Result<Weights, LoadError> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = path.parent().unwrap_or(Path::new(""));
    eval::read_beside(text, &name, folder)
        .map_err(|reason| LoadError::Content { path: path.into(), reason })
}

/// Returns the last component of a path, resolving `.` and `..`.
fn folder_name(folder: &Path) -> String {
    let absolute = || Some(folder.canonicalize().ok()?.file_name()?.to_owned());
    let name = folder.file_name().map(ToOwned::to_owned).or_else(absolute);
    name.unwrap_or_else(|| folder.into()).to_string_lossy().into_owned()
}
