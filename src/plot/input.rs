//! Reads and validates the files to plot.

use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::{Result, anyhow};
use evolve::run::{
    Measurement, RecordedTable, RunFolder, STRENGTH, Settings, Totals, argument, damaged_lines,
    read_strength, totals,
};
use mancala::eval::{self, Layer, LoadError, Weights};
use mancala::game::GameKind;
use mancala::store;
use serde_json::Value;

use super::{Generation, Iteration, Stroke, history, invalid};
use crate::analyse::eval::load_weights;
use crate::terminal::{shell, usage};

pub(crate) struct Entry {
    pub(crate) name: String,
    /// The style of the entry's lines. All entries of a group have the same style.
    pub(crate) stroke: Stroke,
    pub(crate) run: Option<Run>,
    /// The champion, or `None` before the first generation of a run.
    pub(crate) champion: Option<Weights>,
}

/// A run with at least one generation.
pub(crate) struct Run {
    pub(crate) settings: Settings,
    /// The generations to plot. There is at least one.
    pub(crate) generations: Vec<Generation>,
    pub(crate) first: u32,
    /// The number of generations that the run has finished.
    pub(crate) reached: u32,
    /// The cumulative totals at the end of each generation.
    pub(crate) totals: Vec<Totals>,
    /// The x position of each generation, up to the first position that is unknown.
    pub(crate) positions: Vec<f64>,
    pub(crate) measurements: Vec<Measurement>,
    pub(crate) iterations: Vec<Iteration>,
}

impl Run {
    pub(crate) fn last(&self) -> u32 {
        self.first + self.generations.len() as u32 - 1
    }

    /// Drops all but the given generations. `path` is only used in the error message.
    fn cut(&mut self, range: &RangeInclusive<u32>, path: &Path) -> Result<()> {
        let (first, reached) = (*range.start(), self.reached);
        if first > reached {
            let path = path.display();
            return Err(usage(format!(
                "{path} has only {reached} generations, so generation {first} does not exist"
            )));
        }
        self.first = first;
        self.generations.truncate(*range.end() as usize);
        self.generations.drain(..first as usize - 1);
        self.measurements.retain(|it| range.contains(&it.generation));
        self.iterations.retain(|it| range.contains(&it.generation));
        Ok(())
    }

    /// Returns a generation's position on the x axis, or `None` if its cost wasn't recorded.
    pub(crate) fn x(&self, generation: u32) -> Option<f64> {
        self.positions.get(generation.checked_sub(1)? as usize).copied()
    }

    pub(crate) fn varies(&self, figure: impl Fn(&Generation) -> f64) -> bool {
        let mut figures = self.generations.iter().map(figure);
        let first = figures.next();
        figures.any(|it| Some(it) != first)
    }
}

impl Entry {
    /// Reads a run folder, a weights file or a named evaluator. `generations` restricts which part of a run is read.
    pub(crate) fn read(path: &Path, generations: Option<&RangeInclusive<u32>>) -> Result<Entry> {
        if path.is_dir() {
            let mut entry = Entry::of_folder(path)?;
            if let (Some(run), Some(range)) = (&mut entry.run, generations) {
                run.cut(range, path)?;
            }
            return Ok(entry);
        }
        let name = path.to_string_lossy().into_owned();
        let (name, weights) = if path.exists() {
            let weights = weights_in(path)?;
            (weights.name.clone(), weights)
        } else {
            // We show the name that the user gave, because weights are named after their run.
            let weights = load_weights(&name)?;
            (name, weights)
        };
        Ok(Entry { name, stroke: Stroke::series(0), run: None, champion: Some(weights) })
    }

    pub(crate) fn game(&self) -> Option<GameKind> {
        let of_run = self.run.as_ref().map(|run| run.settings.features.game());
        of_run.or_else(|| Some(self.champion.as_ref()?.features().game()))
    }

    fn of_folder(folder: &Path) -> Result<Entry> {
        let settings = RunFolder::settings(folder)?;
        if let Some(damaged) = damaged_lines(folder)?.into_iter().next() {
            let doctor = shell::command(&["doctor", &argument(folder)]);
            return Err(anyhow!("{damaged}; \"{doctor}\" shows what can be recovered"));
        }
        let generations = history::read(&folder.join("history.csv"), &settings.features)?;
        let in_shares = |(generation, number): (Generation, u32)| {
            generation.in_shares_of(settings.best_possible_fitness(number))
        };
        let generations: Vec<_> = generations.into_iter().zip(1..).map(in_shares).collect();
        let text = |name| store::read_text(&folder.join(name)).unwrap_or_default();
        let champion = folder.join("champion.json");
        let champion = champion.exists().then(|| eval::load(&champion.to_string_lossy()));
        let strength = RecordedTable::read(folder, STRENGTH)?;
        Ok(Entry {
            name: folder_name(folder),
            stroke: Stroke::series(0),
            run: Some(Run {
                measurements: read_strength(strength.verified(), &settings),
                iterations: history::read_iterations(&folder.join("iterations.csv"))?,
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
}

/// Reads weights from a file, even if there is also an evaluator with that name.
fn weights_in(path: &Path) -> Result<Weights> {
    let text = text(path)?;
    // Only JSON files have a kind. TOML and CSV files always contain weights.
    if let Some(kind) = kind(&text).filter(|kind| kind != "weights") {
        let drawn =
            "run folders, weights, matches, tournaments, comparisons, ablations and accuracies";
        return Err(invalid(path, format!("cannot draw kind \"{kind}\", only {drawn}")));
    }
    let weights = eval::read_file(&text, path);
    Ok(weights.map_err(|reason| LoadError::Content { path: path.into(), reason })?)
}

/// Reads a text file. If it is a learned layer, the error explains what to do.
pub(crate) fn text(path: &Path) -> Result<String> {
    let is_layer = || store::read(path).is_ok_and(|bytes| Layer::decode(&bytes).is_ok());
    store::read_document(path).map_err(|error| match is_layer() {
        true => invalid(path, "a layer has no weights to draw: plot the run folder"),
        false => error.into(),
    })
}

pub(crate) fn kind(text: &str) -> Option<String> {
    let content: Value = serde_json::from_str(text).ok()?;
    content["kind"].as_str().map(str::to_owned)
}

/// Returns the name of a folder. Paths such as `.` and `..` are resolved first.
pub(crate) fn folder_name(folder: &Path) -> String {
    let absolute = || Some(folder.canonicalize().ok()?.file_name()?.to_owned());
    let name = folder.file_name().map(ToOwned::to_owned).or_else(absolute);
    name.unwrap_or_else(|| folder.into()).to_string_lossy().into_owned()
}
