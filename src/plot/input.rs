//! One input of a picture.
//!
//! Everything is checked here, once: what these types hold can be drawn without another look.

use std::path::Path;

use serde::Deserialize;

use super::epochs::{self, Epoch};
use super::error::Error;
use super::generations::Generations;
use super::history::{self, Generation};
use evolve::run::{Measurement, RunFolder, Settings, Totals, changed_lines, read_strength, totals};
use mancala::eval::{self, Layer, LoadError, Weights};
use mancala::store;

/// What an input holds.
pub(super) struct Input {
    /// What it is called unless another has the same name.
    pub(super) name: String,
    pub(super) run: Option<Run>,
    /// A run has none before its first generation is on disk.
    pub(super) champion: Option<Weights>,
}

/// A run with at least one generation.
pub(super) struct Run {
    pub(super) settings: Settings,
    /// Those that are shown, one at least.
    pub(super) generations: Vec<Generation>,
    /// Number of the first of them.
    pub(super) first: u32,
    /// How many generations the run has, shown or not.
    pub(super) reached: u32,
    /// The totals up to the end of each of them.
    pub(super) totals: Vec<Totals>,
    /// The positions of its generations on the x axis, from the first as far as they are known.
    pub(super) positions: Vec<f64>,
    /// None, if strength was not measured.
    pub(super) measurements: Vec<Measurement>,
    /// None, if its features were not learned.
    pub(super) epochs: Vec<Epoch>,
}

impl Run {
    /// Number of the last generation that is shown.
    pub(super) fn last(&self) -> u32 {
        self.first + self.generations.len() as u32 - 1
    }

    /// Keeps what falls into these generations; the path is the run's.
    fn cut(&mut self, wanted: Generations, path: &Path) -> Result<(), Error> {
        let reached = self.reached;
        let beyond = || Error::Beyond { path: path.into(), reached, wanted };
        let range = wanted.of(reached).ok_or_else(beyond)?;
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

    /// Whether a figure is not the same in all generations that are shown.
    pub(super) fn varies(&self, figure: impl Fn(&Generation) -> f64) -> bool {
        let mut figures = self.generations.iter().map(figure);
        let first = figures.next();
        figures.any(|it| Some(it) != first)
    }
}

impl Input {
    /// Reads a run folder, of which these generations are kept, a file, or else the evaluator of that name.
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
        // The name that was asked for: the champion behind it has that of its run.
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
                epochs: epochs::read(&folder.join("epochs.csv"))?,
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
            // TOML and CSV hold nothing but weights.
            Some("weights") | None => Ok(weights(&text, path)?.into()),
            Some(kind) => Err(Error::Kind { path: path.into(), kind: kind.into() }),
        }
    }
}

fn measurements(folder: &Path, settings: &Settings) -> Result<Vec<Measurement>, Error> {
    let path = folder.join("strength.csv");
    if !path.exists() {
        return Ok(Vec::new());
    }
    // What is damaged ends what is good, whatever it is damaged by.
    let text = store::read(&path)?;
    Ok(read_strength(&String::from_utf8_lossy(&text), settings))
}

impl From<Weights> for Input {
    fn from(weights: Weights) -> Input {
        Input { name: weights.name.clone(), run: None, champion: Some(weights) }
    }
}

/// The text of a file. A learned layer has none.
pub(super) fn text(path: &Path) -> Result<String, Error> {
    let is_layer = || store::read(path).is_ok_and(|bytes| Layer::decode(&bytes).is_ok());
    store::read_document(path).map_err(|error| match is_layer() {
        true => Error::Layer(path.into()),
        false => error.into(),
    })
}

/// What a JSON text says that it holds.
pub(super) fn kind(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Head {
        kind: String,
    }
    let head: Option<Head> = serde_json::from_str(text).ok();
    head.map(|head| head.kind)
}

/// The weights in a file, whose name could also be that of an evaluator.
fn weights(text: &str, path: &Path) -> Result<Weights, LoadError> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = path.parent().unwrap_or(Path::new(""));
    eval::read_beside(text, &name, folder)
        .map_err(|reason| LoadError::Content { path: path.into(), reason })
}

/// The last component, also of `.`, `..` and the like.
fn folder_name(folder: &Path) -> String {
    let absolute = || Some(folder.canonicalize().ok()?.file_name()?.to_owned());
    let name = folder.file_name().map(ToOwned::to_owned).or_else(absolute);
    name.unwrap_or_else(|| folder.into()).to_string_lossy().into_owned()
}
