//! The inputs of a picture, each with the name and colour it has in every panel.

use std::collections::BTreeSet;
use std::path::PathBuf;

use plotters::style::RGBColor;

use super::epochs::Epoch;
use super::error::Error;
use super::history::Generation;
use super::input::{Input, Run};
use super::style;
use crate::run::{self, Measurement};
use mancala::eval::{Feature, FeatureSet, Weights};
use mancala::game::GameKind;

/// More points than this in one line are noise to the eye.
const MOST_POINTS: usize = 300;

pub(super) struct Material {
    pub(super) entries: Vec<Entry>,
    /// How many generations each point of a line averages.
    pub(super) block: usize,
}

/// One input, told apart from the others.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) colour: RGBColor,
    pub(super) run: Option<Run>,
    pub(super) champion: Option<Weights>,
}

impl Material {
    pub(super) fn read(paths: &[PathBuf]) -> Result<Material, Error> {
        if paths.is_empty() {
            return Err(Error::NoInput);
        }
        let inputs = paths.iter().map(|path| Input::read(path)).collect::<Result<Vec<_>, _>>()?;
        let mut entries = tell_apart(inputs, paths);
        check_games(&entries)?;
        tell_terms(&mut entries);
        let block = longest(&entries).div_ceil(MOST_POINTS).max(1);
        Ok(Material { entries, block })
    }

    /// Whether there is more than one input, so that colour tells them apart.
    pub(super) fn is_overlaid(&self) -> bool {
        self.entries.len() > 1
    }

    pub(super) fn runs(&self) -> impl Iterator<Item = (&Entry, &Run)> {
        let entries = self.entries.iter();
        entries.filter_map(|entry| Some((entry, entry.run.as_ref()?)))
    }

    pub(super) fn champions(&self) -> impl Iterator<Item = (&Entry, &Weights)> {
        let entries = self.entries.iter();
        entries.filter_map(|entry| Some((entry, entry.champion.as_ref()?)))
    }

    /// The runs of which something was measured, with the measurements.
    pub(super) fn measurements(&self) -> impl Iterator<Item = (&Entry, &[Measurement])> {
        let measured = self.runs().map(|(entry, run)| (entry, run.measurements.as_slice()));
        measured.filter(|(_, measurements)| !measurements.is_empty())
    }

    /// The runs whose features were learned, with the epochs in which they were.
    pub(super) fn epochs(&self) -> impl Iterator<Item = (&Entry, &[Epoch])> {
        let epochs = self.runs().map(|(entry, run)| (entry, run.epochs.as_slice()));
        epochs.filter(|(_, epochs)| !epochs.is_empty())
    }

    /// Number of generations of the longest run.
    pub(super) fn generations(&self) -> usize {
        longest(&self.entries)
    }

    /// A figure over the generations, averaged over blocks where there are many.
    pub(super) fn curve(&self, run: &Run, figure: impl Fn(&Generation) -> f64) -> Vec<(f64, f64)> {
        let numbered: Vec<_> = (1..)
            .zip(&run.generations)
            .map(|(number, generation)| (f64::from(number), figure(generation)))
            .collect();
        numbered.chunks(self.block).map(centre).collect()
    }
}

/// Runs of different games have neither features nor opponents in common.
fn check_games(entries: &[Entry]) -> Result<(), Error> {
    let games: Vec<(&Entry, GameKind)> =
        entries.iter().filter_map(|entry| Some((entry, entry.game()?))).collect();
    let named = |(entry, game): &(&Entry, GameKind)| (entry.name.clone(), game.name());
    match games.iter().find(|(_, game)| *game != games[0].1) {
        Some(other) => Err(Error::Games([named(&games[0]), named(other)])),
        None => Ok(()),
    }
}

/// Says of each run what is played in it, if that is not the same in all.
fn tell_terms(entries: &mut [Entry]) {
    let played = |entry: &Entry| Some(run::played(entry.run.as_ref()?.settings.game()));
    let all: Vec<Option<String>> = entries.iter().map(played).collect();
    let different = all.iter().flatten().any(|it| Some(it) != all.iter().flatten().next());
    for (entry, played) in entries.iter_mut().zip(&all).filter(|_| different) {
        if let Some(played) = played {
            entry.name += &format!(", {played}");
        }
    }
}

impl Entry {
    /// The game that it is of.
    fn game(&self) -> Option<GameKind> {
        let of_run = self.run.as_ref().map(|run| run.settings.features.game());
        of_run.or_else(|| Some(self.champion.as_ref()?.features().game()))
    }
}

/// More features than these are too many for one picture.
const MOST_FEATURES: usize = 24;

/// The features that a panel shows.
pub(super) struct Shown {
    /// In the order of their numbers.
    pub(super) features: Vec<Feature>,
    /// Features that there are.
    all: usize,
}

impl Shown {
    /// The features of all sets, each once; of too many those of the largest size.
    pub(super) fn of<'a>(
        sets: impl Iterator<Item = &'a FeatureSet>,
        size: impl Fn(Feature) -> f64,
    ) -> Shown {
        let union: BTreeSet<Feature> = sets.flat_map(FeatureSet::features).copied().collect();
        let mut features: Vec<Feature> = union.into_iter().collect();
        let all = features.len();
        if all > MOST_FEATURES {
            // The sort is stable.
            features.sort_by(|a, b| size(*b).total_cmp(&size(*a)));
            features.truncate(MOST_FEATURES);
            features.sort();
        }
        Shown { features, all }
    }

    /// That some are left out; nothing if none are.
    pub(super) fn note(&self) -> String {
        let (shown, all) = (self.features.len(), self.all);
        if shown == all { String::new() } else { format!("the {shown} largest of {all} weights") }
    }
}

/// Gives each input a colour; those of the same name are called by their paths.
fn tell_apart(inputs: Vec<Input>, paths: &[PathBuf]) -> Vec<Entry> {
    let names: Vec<_> = inputs.iter().map(|input| input.name.clone()).collect();
    let is_unique = |name: &String| names.iter().filter(|&other| other == name).count() == 1;
    let entry = |(index, (input, path)): (usize, (Input, &PathBuf))| Entry {
        name: if is_unique(&input.name) { input.name } else { path.display().to_string() },
        colour: style::series(index),
        run: input.run,
        champion: input.champion,
    };
    inputs.into_iter().zip(paths).enumerate().map(entry).collect()
}

fn longest(entries: &[Entry]) -> usize {
    let runs = entries.iter().filter_map(|entry| entry.run.as_ref());
    runs.map(|run| run.generations.len()).max().unwrap_or(0)
}

fn centre(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let sum = |axis: fn(&(f64, f64)) -> f64| points.iter().map(axis).sum::<f64>();
    (sum(|point| point.0) / count, sum(|point| point.1) / count)
}
