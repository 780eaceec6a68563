//! Weights over the generations, with a small chart for each.

use plotters::prelude::DrawingBackend;

use super::axis::Axis;
use super::chart::{self, Area, Drawn, Frame};
use super::history::{Generation, Spread};
use super::input::Run;
use super::material::{Material, Shown};
use super::pooled::{ANY, Curve, Pooled};
use super::stroke::Look;
use super::style;
use mancala::eval::Feature;

const COLUMNS: usize = 3;
const LINE: i32 = style::SMALL * 5 / 4;
const GAP: i32 = 48;

/// Returns the features of all runs, or those with the largest weights in the last generations.
pub(super) fn features(material: &Material) -> Shown {
    let last = |run: &Run, feature| Some(spread(run, feature)?(run.generations.last()?).mean.abs());
    let size = |feature| {
        let sizes = material.runs().filter_map(|(_, run)| last(run, feature));
        sizes.fold(0.0, f64::max)
    };
    let sets = material.runs().map(|(_, run)| &run.settings.features);
    Shown::of(sets, size, material.density)
}

/// Returns whether all weights are the same in every generation.
pub(super) fn is_flat(material: &Material) -> bool {
    let varies = |run: &Run| {
        let mut places = 0..run.settings.features.features().len();
        places.any(|place| {
            run.varies(|at| at.weights[place].mean) || run.varies(|at| at.weights[place].sd)
        })
    };
    !material.runs().any(|(_, run)| varies(run))
}

/// Explains the bands.
pub(super) fn note(material: &Material) -> &'static str {
    match material.is_grouped() {
        true => "mean over seeds; a band is its 95 % interval, from five seeds on",
        false => "mean ± 1 standard deviation in each generation",
    }
}

pub(super) fn height(material: &Material) -> i32 {
    features(material).features.len().div_ceil(COLUMNS) as i32 * material.length(620, 500)
}

pub(super) fn draw<DB: DrawingBackend>(material: &Material, area: &Area<DB>) -> Drawn<DB> {
    let features = features(material).features;
    let cells = area.split_evenly((features.len().div_ceil(COLUMNS), COLUMNS));
    // One scale for all, so that heights can be compared.
    let curves: Vec<Curves> = features.iter().map(|it| Curves::of(material, *it)).collect();
    let y = Axis::values(curves.iter().flat_map(Curves::values).chain([0.0]), 4);
    let room = area.dim_in_pixel().0 as i32 / COLUMNS as i32 - GAP;
    let titles: Vec<_> = features
        .iter()
        .map(|feature| format!("{}: {}", feature.name(), feature.meaning()))
        .map(|title| style::wrap(&title, style::SMALL, room))
        .collect();
    let lines = titles.iter().map(Vec::len).max().unwrap_or(1) as i32;
    for ((cell, curves), title) in cells.iter().zip(&curves).zip(&titles) {
        let cell = cell.margin(0, GAP, 0, 0);
        let (top, rest) = cell.split_vertically(lines * LINE);
        write(&top, title)?;
        curves.draw(material, &rest, y.clone())?;
    }
    Ok(())
}

fn write<DB: DrawingBackend>(area: &Area<DB>, lines: &[String]) -> Drawn<DB> {
    let style = style::text(style::SMALL, style::INK);
    for (line, y) in lines.iter().zip((0..).step_by(LINE as usize)) {
        area.draw_text(line, &style, (0, y))?;
    }
    Ok(())
}

/// The curves of a feature.
struct Curves {
    means: Vec<(Look, Pooled)>,
    /// A standard deviation below the mean and above it, of runs that are not grouped.
    spreads: Vec<(Look, Pooled, Pooled)>,
}

impl Curves {
    fn of(material: &Material, feature: Feature) -> Curves {
        let pooled = |figure: fn(Spread) -> f64| {
            material.pooled(&ANY, |run| match spread(run, feature) {
                Some(spread) => material.curve(run, |at| figure(spread(at))),
                None => Curve::new(),
            })
        };
        let low = pooled(|spread| spread.mean - spread.sd);
        let high = pooled(|spread| spread.mean + spread.sd);
        let spreads = low.into_iter().zip(high).map(|((look, low), (_, high))| (look, low, high));
        let means = pooled(|spread| spread.mean);
        Curves { means, spreads: spreads.filter(|_| !material.is_grouped()).collect() }
    }

    fn values(&self) -> impl Iterator<Item = f64> {
        let means = self.means.iter().flat_map(|(_, mean)| mean.values());
        let spreads = self.spreads.iter();
        means.chain(spreads.flat_map(|(_, low, high)| low.values().chain(high.values())))
    }

    fn draw<DB: DrawingBackend>(&self, material: &Material, area: &Area<DB>, y: Axis) -> Drawn<DB> {
        let frame =
            Frame { x: material.x_axis(5), y, x_title: "", y_title: "", text: style::SMALL };
        let mut plot = frame.draw(area)?;
        let weight = 1.0 / self.spreads.len().max(1) as f64;
        for (look, low, high) in &self.spreads {
            chart::band(&mut plot, &low.mean, &high.mean, look.colour, weight)?;
        }
        for (look, mean) in &self.means {
            mean.draw_behind(&mut plot, look.stroke(style::THIN))?;
        }
        for (look, mean) in &self.means {
            mean.draw_mean(&mut plot, look.stroke(style::THIN))?;
        }
        Ok(())
    }
}

/// Returns a function that finds the weight of a feature in a generation of a run.
fn spread(run: &Run, feature: Feature) -> Option<impl Fn(&Generation) -> Spread> {
    let index = run.settings.features.features().iter().position(|other| *other == feature)?;
    Some(move |at: &Generation| at.weights[index])
}
