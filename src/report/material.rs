//! The inputs of a picture, each with the name and colour it has in every panel.

use std::path::{Path, PathBuf};

use plotters::style::RGBColor;

use super::run::{Champion, Generation, History, RunFiles, Settings};
use super::{Error, style};

/// More points than this in one line are noise to the eye.
const MOST_POINTS: usize = 300;

pub(super) struct Material {
    pub(super) entries: Vec<Entry>,
    /// How many generations each point of a line averages.
    pub(super) block: usize,
}

/// One input.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) colour: RGBColor,
    pub(super) settings: Settings,
    pub(super) history: Option<History>,
    pub(super) champion: Option<Champion>,
}

impl Material {
    pub(super) fn read(inputs: &[PathBuf]) -> Result<Material, Error> {
        if inputs.is_empty() {
            return Err(Error::NoInput);
        }
        let mut entries = inputs
            .iter()
            .enumerate()
            .map(|(index, path)| Entry::read(path, style::series(index)))
            .collect::<Result<Vec<_>, _>>()?;
        tell_apart(&mut entries, inputs);
        let block = longest(&entries).div_ceil(MOST_POINTS).max(1);
        Ok(Material { entries, block })
    }

    /// Whether there is more than one input, so that colour tells them apart.
    pub(super) fn is_overlaid(&self) -> bool {
        self.entries.len() > 1
    }

    pub(super) fn runs(&self) -> impl Iterator<Item = (&Entry, &History)> {
        let entries = self.entries.iter();
        entries.filter_map(|entry| Some((entry, entry.history.as_ref()?)))
    }

    pub(super) fn champions(&self) -> impl Iterator<Item = (&Entry, &Champion)> {
        let entries = self.entries.iter();
        entries.filter_map(|entry| Some((entry, entry.champion.as_ref()?)))
    }

    /// Number of generations of the longest run.
    pub(super) fn generations(&self) -> usize {
        longest(&self.entries)
    }

    /// A figure over the generations, averaged over blocks where there are many.
    pub(super) fn curve(
        &self,
        history: &History,
        figure: impl Fn(&Generation) -> f64,
    ) -> Vec<(f64, f64)> {
        let numbered: Vec<_> = (1..)
            .zip(&history.generations)
            .map(|(number, generation)| (f64::from(number), figure(generation)))
            .collect();
        numbered.chunks(self.block).map(centre).collect()
    }
}

impl Entry {
    fn read(path: &Path, colour: RGBColor) -> Result<Entry, Error> {
        if path.is_dir() {
            let run = RunFiles::read(path)?;
            return Ok(Entry {
                name: run.name,
                colour,
                settings: run.settings,
                history: Some(run.history),
                champion: run.champion,
            });
        }
        let champion = Champion::read(path)?;
        Ok(Entry {
            name: champion.name.clone(),
            colour,
            settings: Settings::default(),
            history: None,
            champion: Some(champion),
        })
    }
}

/// Inputs of the same name are called by their paths.
fn tell_apart(entries: &mut [Entry], inputs: &[PathBuf]) {
    let names: Vec<_> = entries.iter().map(|entry| entry.name.clone()).collect();
    for (entry, path) in entries.iter_mut().zip(inputs) {
        if names.iter().filter(|&name| *name == entry.name).count() > 1 {
            entry.name = path.display().to_string();
        }
    }
}

fn longest(entries: &[Entry]) -> usize {
    let histories = entries.iter().filter_map(|entry| entry.history.as_ref());
    let lengths = histories.map(|history| history.generations.len());
    lengths.max().unwrap_or(0)
}

fn centre(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let sum = |axis: fn(&(f64, f64)) -> f64| points.iter().map(axis).sum::<f64>();
    (sum(|point| point.0) / count, sum(|point| point.1) / count)
}
