//! Each weight over the generations, in a little chart of its own.

use plotters::prelude::DrawingBackend;

use super::axis::Axis;
use super::chart::{self, Area, Drawn, Frame};
use super::history::{Generation, Spread};
use super::input::Run;
use super::material::{Material, Shown};
use super::style;
use mancala::eval::Feature;

const COLUMNS: usize = 3;
const ROW: i32 = 620;
const LINE: i32 = style::SMALL * 5 / 4;
const GAP: i32 = 48;

/// The features of all runs, or those that weigh the most in the last generations.
pub(super) fn features(material: &Material) -> Shown {
    let last = |run: &Run, feature| Some(spread(run, feature)?(run.generations.last()?).mean.abs());
    let size = |feature| {
        let sizes = material.runs().filter_map(|(_, run)| last(run, feature));
        sizes.fold(0.0, f64::max)
    };
    Shown::of(material.runs().map(|(_, run)| &run.settings.features), size)
}

pub(super) fn height(material: &Material) -> i32 {
    features(material).features.len().div_ceil(COLUMNS) as i32 * ROW
}

pub(super) fn draw<DB: DrawingBackend>(material: &Material, area: &Area<DB>) -> Drawn<DB> {
    let features = features(material).features;
    let cells = area.split_evenly((features.len().div_ceil(COLUMNS), COLUMNS));
    // One scale for all, so that heights can be compared.
    let y = Axis::values(values(material).chain([0.0]), 4);
    let room = area.dim_in_pixel().0 as i32 / COLUMNS as i32 - GAP;
    let titles: Vec<_> = features
        .iter()
        .map(|feature| format!("{}: {}", feature.name(), feature.meaning()))
        .map(|title| style::wrap(&title, style::SMALL, room))
        .collect();
    let lines = titles.iter().map(Vec::len).max().unwrap_or(1) as i32;
    for ((cell, feature), title) in cells.iter().zip(features).zip(&titles) {
        let cell = cell.margin(0, GAP, 0, 0);
        let (top, rest) = cell.split_vertically(lines * LINE);
        write(&top, title)?;
        one(material, &rest, feature, y.clone())?;
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

fn one<DB: DrawingBackend>(
    material: &Material,
    area: &Area<DB>,
    feature: Feature,
    y: Axis,
) -> Drawn<DB> {
    let frame = Frame {
        x: Axis::generations(material.generations(), 5),
        y,
        x_title: "",
        y_title: "",
        text: style::SMALL,
    };
    let mut plot = frame.draw(area)?;
    let weight = 1.0 / material.runs().count() as f64;
    for (entry, run) in material.runs() {
        let Some(spread) = spread(run, feature) else {
            continue;
        };
        let curve = |figure: fn(Spread) -> f64| material.curve(run, |at| figure(spread(at)));
        let low = curve(|spread| spread.mean - spread.sd);
        let high = curve(|spread| spread.mean + spread.sd);
        chart::band(&mut plot, &low, &high, entry.colour, weight)?;
        chart::line(&mut plot, &curve(|spread| spread.mean), entry.colour, style::THIN)?;
    }
    Ok(())
}

/// Where a feature's weights stand in the generations of this run.
fn spread(run: &Run, feature: Feature) -> Option<impl Fn(&Generation) -> Spread> {
    let index = run.settings.features.features().iter().position(|other| *other == feature)?;
    Some(move |at: &Generation| at.weights[index])
}

fn values(material: &Material) -> impl Iterator<Item = f64> {
    let generations = material.runs().flat_map(|(_, run)| &run.generations);
    let spreads = generations.flat_map(|at| &at.weights);
    spreads.flat_map(|spread| [spread.mean - spread.sd, spread.mean + spread.sd])
}
