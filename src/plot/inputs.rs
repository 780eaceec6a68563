//! The runs and weights to plot. Each of them has the same name and colour in every panel.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Result, bail};
use mancala::eval::{Feature, FeatureSet, Weights};
use mancala::game::AnyGame;
use plotters::style::{Color, RGBAColor};

use super::chart::Mark;
use super::{
    ANY, Axis, Curve, Entry, Generation, Group, Iteration, Pooled, Run, Selection, Spread, Stroke,
    XAxis, group, style,
};
use crate::terminal::usage;

const MAX_POINTS: usize = 300;

pub(crate) struct Inputs {
    pub(crate) groups: Vec<Group>,
    /// Whether runs that differ only in their seed share a curve.
    pub(crate) is_grouped: bool,
    /// Each point on a line is the average over this many generations.
    pub(crate) block: usize,
    /// The range of generations that the user asked for, or `None` for all.
    pub(crate) requested: Option<RangeInclusive<u32>>,
    pub(crate) x: XAxis,
    pub(crate) density: Density,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Density {
    /// The panel is the whole plot.
    Alone,
    /// The panel is on a sheet with plenty of space.
    Roomy,
    /// The panel is on a crowded sheet.
    Compact,
}

impl Inputs {
    pub(crate) fn read(paths: &[PathBuf], selection: &Selection) -> Result<Inputs> {
        if paths.is_empty() {
            return Err(usage("no run folder or file given"));
        }
        let requested = selection.generations.clone();
        let read = |path: &PathBuf| Entry::read(path, requested.as_ref());
        let mut entries = paths.iter().map(read).collect::<Result<Vec<_>>>()?;
        if entries.iter().all(|entry| entry.run.is_none()) {
            selection.check_no_runs()?;
        }
        let names: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
        for (entry, path) in entries.iter_mut().zip(paths) {
            if names.iter().filter(|name| **name == entry.name).count() > 1 {
                entry.name = path.display().to_string();
            }
        }
        check_games(&entries)?;
        let mut groups = if selection.is_grouped {
            group::grouped(entries)
        } else {
            name_games(&mut entries);
            let single = |entry: Entry| Group { name: entry.name.clone(), entries: vec![entry] };
            entries.into_iter().map(single).collect()
        };
        for (index, group) in groups.iter_mut().enumerate() {
            group.entries.iter_mut().for_each(|entry| entry.stroke = Stroke::series(index));
        }
        let runs = || groups.iter().flat_map(Group::runs).map(|(_, run)| run);
        let longest = runs().map(|run| run.generations.len()).max().unwrap_or(0);
        let block = longest.div_ceil(MAX_POINTS).max(1);
        let totals: Vec<_> = runs().map(|run| run.totals.as_slice()).collect();
        let x = selection.x.unwrap_or_else(|| XAxis::default_of(&totals));
        groups.iter_mut().try_for_each(|group| place(group, x))?;
        let (is_grouped, density) = (selection.is_grouped, Density::Alone);
        Ok(Inputs { groups, is_grouped, block, requested, x, density })
    }

    /// Returns whether there is more than one input.
    pub(crate) fn is_overlaid(&self) -> bool {
        self.entries().nth(1).is_some()
    }

    /// Returns the legend colour of means: the group's colour, or a neutral colour if there are several groups.
    pub(crate) fn colour(&self) -> RGBAColor {
        self.colour_of_single(self.groups[0].stroke().colour)
    }

    /// Returns the legend colour of a line: `colour`, or a neutral colour if there are several groups.
    pub(crate) fn colour_of_single(&self, colour: impl Color) -> RGBAColor {
        if self.groups.len() == 1 { colour.to_rgba() } else { style::INK.to_rgba() }
    }

    /// Recolours a stroke. If there are several groups, then the stroke keeps the colour of its group instead.
    pub(crate) fn coloured(&self, stroke: Stroke, colour: impl Color) -> Stroke {
        if self.groups.len() == 1 { stroke.coloured(colour) } else { stroke }
    }

    pub(crate) fn length(&self, roomy: i32, compact: i32) -> i32 {
        if self.density == Density::Compact { compact } else { roomy }
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.groups.iter().flat_map(|group| &group.entries)
    }

    pub(crate) fn runs(&self) -> impl Iterator<Item = (&Entry, &Run)> {
        self.groups.iter().flat_map(Group::runs)
    }

    pub(crate) fn champions(&self) -> impl Iterator<Item = (&Entry, &Weights)> {
        self.entries().filter_map(|entry| Some((entry, entry.champion.as_ref()?)))
    }

    pub(crate) fn iterations(&self) -> impl Iterator<Item = &Iteration> {
        self.runs().flat_map(|(_, run)| &run.iterations)
    }

    pub(crate) fn generations(&self) -> RangeInclusive<u32> {
        let first = self.runs().map(|(_, run)| run.first).min().unwrap_or(1);
        first..=self.runs().map(|(_, run)| run.last()).max().unwrap_or(first)
    }

    pub(crate) fn lines(
        &self,
        width: u32,
        range: &RangeInclusive<f64>,
        curve: impl Fn(&Run) -> Curve,
    ) -> Vec<(Stroke, Pooled)> {
        let pooled = |group: &Group| {
            let curves = group.runs().map(|(_, run)| curve(run));
            (group.stroke().wide(width), Pooled::of(curves.collect(), range))
        };
        let all = self.groups.iter().map(pooled);
        all.filter(|(_, it)| !it.mean.is_empty() || !it.singles.is_empty()).collect()
    }

    /// Returns lines with the population mean of a quantity in each generation. Unless runs are grouped, also returns
    /// bands of ± 1 standard deviation around the lines.
    pub(crate) fn spread<F: Fn(&Generation) -> Spread>(
        &self,
        width: u32,
        figure: impl Fn(&Run) -> Option<F>,
    ) -> (Vec<Mark>, Vec<(Stroke, Pooled)>) {
        let curve = |run: &Run, deviations: f64| match figure(run) {
            Some(figure) => self.curve(run, |at| {
                let Spread { mean, sd } = figure(at);
                mean + deviations * sd
            }),
            None => Curve::new(),
        };
        let runs = self.runs().filter(|_| !self.is_grouped);
        let bands =
            runs.map(|(entry, run)| (entry.stroke.colour, [-1.0, 1.0].map(|it| curve(run, it))));
        let bands: Vec<_> = bands.filter(|(_, [low, _])| !low.is_empty()).collect();
        let opacity = 1.0 / bands.len().max(1) as f64;
        let bands = bands.into_iter().map(|(it, ends)| Mark::band(it.mix(opacity), ends));
        (bands.collect(), self.lines(width, &ANY, |run| curve(run, 0.0)))
    }

    pub(crate) fn x_axis(&self, most_ticks: usize) -> Axis {
        if self.x == XAxis::Generations {
            let generations = self.generations();
            return Axis::counts(
                [*generations.start(), *generations.end()].map(f64::from),
                most_ticks,
            );
        }
        let shown = self.runs().map(|(_, run)| (run.first..=run.last()).filter_map(|it| run.x(it)));
        let ends = shown.flatten();
        let start = self.requested.is_none().then_some(0.0);
        Axis::values(ends.chain(start), most_ticks)
    }

    pub(crate) fn curve(&self, run: &Run, figure: impl Fn(&Generation) -> f64) -> Curve {
        let generations = (run.first..).zip(&run.generations);
        let numbered: Vec<_> = generations
            .map_while(|(number, generation)| Some((run.x(number)?, figure(generation))))
            .collect();
        averaged(&numbered, self.block)
    }
}

/// Assigns x positions to the generations of the runs in a group. All runs use the mean position of each generation, so
/// that their curves can be pooled. Once a run has ended, the mean advances by the mean step of the other runs.
fn place(group: &mut Group, x: XAxis) -> Result<()> {
    let positions = |(entry, run): (&Entry, &Run)| {
        x.positions(&run.totals).map_err(|why| {
            let (name, axes) = (&entry.name, "generations, games, nodes or hours");
            usage(format!(
                "{name}: {why}, so --x {} is not available; choose one of {axes}",
                x.title()
            ))
        })
    };
    let all = group.runs().map(positions).collect::<Result<Vec<Vec<f64>>>>()?;
    let longest = all.iter().map(Vec::len).max().unwrap_or(0);
    let mut position = 0.0;
    let mean = |index: usize| {
        let before = |it: &[f64]| if index == 0 { 0.0 } else { it[index - 1] };
        let steps = || all.iter().filter_map(|it| Some(it.get(index)? - before(it)));
        position += steps().sum::<f64>() / steps().count() as f64;
        position
    };
    let mean: Vec<f64> = (0..longest).map(mean).collect();
    let runs = group.entries.iter_mut().filter_map(|entry| entry.run.as_mut());
    for (run, positions) in runs.zip(&all) {
        run.positions = mean[..positions.len()].to_vec();
    }
    Ok(())
}

/// Checks that all inputs are for the same game, because different games have different features and opponents.
fn check_games(entries: &[Entry]) -> Result<()> {
    let mut games = entries.iter().filter_map(|entry| Some((&entry.name, entry.game()?.name())));
    let Some((one, of)) = games.next() else { return Ok(()) };
    if let Some((other, of_other)) = games.find(|(_, game)| *game != of) {
        bail!(
            "\"{one}\" is for {of} and \"{other}\" for {of_other}: all runs must have the same game"
        );
    }
    Ok(())
}

/// If the runs are for different games, appends the game of each run to its name.
fn name_games(entries: &mut [Entry]) {
    let played = |entry: &Entry| Some(entry.run.as_ref()?.settings.game());
    let all: Vec<Option<AnyGame>> = entries.iter().map(played).collect();
    let different = all.iter().flatten().any(|it| Some(it) != all.iter().flatten().next());
    for (entry, played) in entries.iter_mut().zip(&all).filter(|_| different) {
        if let Some(played) = played {
            entry.name += &format!(", {}", played.terms());
        }
    }
}

const MAX_FEATURES: usize = 24;
const MAX_COMPACT_FEATURES: usize = 15;

/// Returns the features of all sets, sorted by number, and a note. If there are too many features, we keep those with
/// the largest `size`, and the note says so. Otherwise, the note is empty.
pub(crate) fn shown_features<'a>(
    sets: impl Iterator<Item = &'a FeatureSet>,
    size: impl Fn(Feature) -> f64,
    density: Density,
) -> (Vec<Feature>, String) {
    let most = if density == Density::Compact { MAX_COMPACT_FEATURES } else { MAX_FEATURES };
    let union: BTreeSet<Feature> = sets.flat_map(FeatureSet::features).copied().collect();
    let mut features: Vec<Feature> = union.into_iter().collect();
    let all = features.len();
    if all <= most {
        return (features, String::new());
    }
    // The sort is stable, so features of equal size keep their order.
    features.sort_by(|a, b| size(*b).total_cmp(&size(*a)));
    features.truncate(most);
    features.sort();
    (features, format!("the {most} largest of {all} weights"))
}

/// Returns the features of all champions. If there are too many, keeps those with the largest absolute weights.
pub(crate) fn champion_features(
    inputs: &Inputs,
    value: impl Fn(&Weights, Feature) -> Option<f64>,
) -> (Vec<Feature>, String) {
    let champions = || inputs.champions().map(|(_, weights)| weights);
    let size = |feature| {
        let values = champions().filter_map(|weights| value(weights, feature));
        values.map(f64::abs).fold(0.0, f64::max)
    };
    shown_features(champions().map(Weights::features), size, inputs.density)
}

/// Replaces each block of `block` points with the mean of these points.
pub(crate) fn averaged(points: &[(f64, f64)], block: usize) -> Curve {
    let mean = |points: &[(f64, f64)]| {
        let count = points.len() as f64;
        let sum = |axis: fn(&(f64, f64)) -> f64| points.iter().map(axis).sum::<f64>();
        (sum(|point| point.0) / count, sum(|point| point.1) / count)
    };
    points.chunks(block).map(mean).collect()
}
