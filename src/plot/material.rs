//! The inputs of a picture, each with the name and colour it has in every panel.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use super::axis::Axis;
use super::entry::Entry;
use super::epochs::Epoch;
use super::error::Error;
use super::generations::Generations;
use super::group::{self, Group};
use super::history::Generation;
use super::input::{Input, Run};
use super::pooled::{Curve, Pooled};
use super::selection::{Grouping, Selection};
use super::stroke::Look;
use super::x_axis::XAxis;
use evolve::run::Measurement;
use mancala::eval::{Feature, FeatureSet, Weights};
use mancala::game::GameKind;

/// More points than this in one line are noise to the eye.
const MOST_POINTS: usize = 300;

pub(super) struct Material {
    pub(super) entries: Vec<Entry>,
    /// The entries, each in one.
    pub(super) groups: Vec<Group>,
    pub(super) grouping: Grouping,
    /// How many generations each point of a line averages.
    pub(super) block: usize,
    /// The generations that were asked for.
    pub(super) wanted: Generations,
    pub(super) x: XAxis,
    pub(super) density: Density,
}

/// How much room a panel has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Density {
    /// It is the picture.
    Alone,
    /// It stands on a sheet with room for all.
    Roomy,
    /// It stands on a sheet that has to be high anyway.
    Compact,
}

impl Material {
    pub(super) fn read(paths: &[PathBuf], selection: &Selection) -> Result<Material, Error> {
        if paths.is_empty() {
            return Err(Error::NoInput);
        }
        let wanted = selection.generations;
        let inputs = paths.iter().map(|path| Input::read(path, wanted));
        let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
        if inputs.iter().all(|input| input.run.is_none()) {
            selection.check_no_runs()?;
        }
        let mut entries = tell_apart(inputs, paths);
        check_games(&entries)?;
        let (mut entries, groups) = match selection.grouping {
            Grouping::Seeds => group::grouped(entries),
            Grouping::None => {
                tell_terms(&mut entries);
                let groups = group::single(&entries);
                (entries, groups)
            }
        };
        let block = longest(&entries).div_ceil(MOST_POINTS).max(1);
        let totals = entries.iter().filter_map(|entry| Some(entry.run.as_ref()?.totals.as_slice()));
        let totals: Vec<_> = totals.collect();
        let x = selection.x.unwrap_or_else(|| XAxis::default_of(&totals));
        place(&mut entries, &groups, x)?;
        let (grouping, density) = (selection.grouping, Density::Alone);
        Ok(Material { entries, groups, grouping, block, wanted, x, density })
    }

    /// Whether there is more than one input, so that colour tells them apart.
    pub(super) fn is_overlaid(&self) -> bool {
        self.entries.len() > 1
    }

    /// Whether there is more than one curve of everything.
    pub(super) fn has_several_curves(&self) -> bool {
        self.groups.len() > 1
    }

    /// Whether runs of the same settings share their curves.
    pub(super) fn is_grouped(&self) -> bool {
        self.grouping == Grouping::Seeds
    }

    /// One length for a panel that has room, another where room is short.
    pub(super) fn length(&self, roomy: i32, compact: i32) -> i32 {
        if self.density == Density::Compact { compact } else { roomy }
    }

    pub(super) fn runs(&self) -> impl Iterator<Item = (&Entry, &Run)> {
        let entries = self.entries.iter();
        entries.filter_map(|entry| Some((entry, entry.run.as_ref()?)))
    }

    pub(super) fn champions(&self) -> impl Iterator<Item = (&Entry, &Weights)> {
        let entries = self.entries.iter();
        entries.filter_map(|entry| Some((entry, entry.champion.as_ref()?)))
    }

    /// The measurements of all runs.
    pub(super) fn measurements(&self) -> impl Iterator<Item = &Measurement> {
        self.runs().flat_map(|(_, run)| &run.measurements)
    }

    /// The epochs of all runs whose features were learned.
    pub(super) fn epochs(&self) -> impl Iterator<Item = &Epoch> {
        self.runs().flat_map(|(_, run)| &run.epochs)
    }

    /// The generations that are shown of any run.
    pub(super) fn generations(&self) -> RangeInclusive<u32> {
        let first = self.runs().map(|(_, run)| run.first).min().unwrap_or(1);
        first..=self.runs().map(|(_, run)| run.last()).max().unwrap_or(first)
    }

    /// The runs of a group.
    pub(super) fn members(&self, group: &Group) -> impl Iterator<Item = (&Entry, &Run)> {
        let members = group.members.iter().map(|&index| &self.entries[index]);
        members.filter_map(|entry| Some((entry, entry.run.as_ref()?)))
    }

    /// A curve of every group that has one, out of those of its runs.
    pub(super) fn pooled(
        &self,
        range: &RangeInclusive<f64>,
        curve: impl Fn(&Run) -> Curve,
    ) -> Vec<(Look, Pooled)> {
        let pooled = |group: &Group| {
            let curves = self.members(group).map(|(_, run)| curve(run));
            (group.look, Pooled::of(curves.collect(), range))
        };
        let all = self.groups.iter().map(pooled);
        all.filter(|(_, pooled)| pooled.values().next().is_some()).collect()
    }

    /// Returns the x axis for the curves of all runs.
    pub(super) fn x_axis(&self, most_ticks: usize) -> Axis {
        if self.x == XAxis::Generations {
            return Axis::generations(self.generations(), most_ticks);
        }
        let shown = self.runs().map(|(_, run)| (run.first..=run.last()).filter_map(|it| run.x(it)));
        let ends = shown.flatten();
        let start = self.wanted.are_all().then_some(0.0);
        Axis::amounts(ends.chain(start), most_ticks)
    }

    /// A figure over the generations, averaged over blocks where there are many.
    pub(super) fn curve(&self, run: &Run, figure: impl Fn(&Generation) -> f64) -> Curve {
        let generations = (run.first..).zip(&run.generations);
        let numbered: Vec<_> = generations
            .map_while(|(number, generation)| Some((run.x(number)?, figure(generation))))
            .collect();
        numbered.chunks(self.block).map(centre).collect()
    }
}

/// Places the generations of all runs on the x axis. Runs that are drawn as one share the mean of their positions, so
/// that their curves can be pooled. After the end of a run the mean continues with the steps of the others.
fn place(entries: &mut [Entry], groups: &[Group], x: XAxis) -> Result<(), Error> {
    for group in groups {
        let mut all: Vec<Vec<f64>> = Vec::new();
        for entry in group.members.iter().map(|&index| &entries[index]) {
            let Some(run) = &entry.run else { continue };
            let positions = x.positions(&run.totals);
            all.push(positions.map_err(|why| Error::NoPlace(entry.name.clone(), x, why))?);
        }
        let longest = all.iter().map(Vec::len).max().unwrap_or(0);
        let mut position = 0.0;
        let mean = |index: usize| {
            let before = |it: &[f64]| if index == 0 { 0.0 } else { it[index - 1] };
            let steps = || all.iter().filter_map(|it| Some(it.get(index)? - before(it)));
            position += steps().sum::<f64>() / steps().count() as f64;
            position
        };
        let mean: Vec<f64> = (0..longest).map(mean).collect();
        for (&index, positions) in group.members.iter().zip(&all) {
            if let Some(run) = &mut entries[index].run {
                run.positions = mean[..positions.len()].to_vec();
            }
        }
    }
    Ok(())
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
    let played = |entry: &Entry| Some(crate::compare::played(entry.run.as_ref()?.settings.game()));
    let all: Vec<Option<String>> = entries.iter().map(played).collect();
    let different = all.iter().flatten().any(|it| Some(it) != all.iter().flatten().next());
    for (entry, played) in entries.iter_mut().zip(&all).filter(|_| different) {
        if let Some(played) = played {
            entry.name += &format!(", {played}");
        }
    }
}

/// More features than these are too many for one picture.
const MOST_FEATURES: usize = 24;
/// And than these for a panel that is short of room.
const FEW_FEATURES: usize = 15;

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
        density: Density,
    ) -> Shown {
        let most = if density == Density::Compact { FEW_FEATURES } else { MOST_FEATURES };
        let union: BTreeSet<Feature> = sets.flat_map(FeatureSet::features).copied().collect();
        let mut features: Vec<Feature> = union.into_iter().collect();
        let all = features.len();
        if all > most {
            // The sort is stable.
            features.sort_by(|a, b| size(*b).total_cmp(&size(*a)));
            features.truncate(most);
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
        look: Look::of(index),
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
