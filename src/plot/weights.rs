//! Weights by generation, with a small chart per weight.

use plotters::prelude::DrawingBackend;

use super::{
    Area, Axis, Curves, Drawn, Frame, Generation, Inputs, Run, Shown, Spread, chart, style,
};
use mancala::eval::Feature;

const COLUMNS: usize = 3;
const LINE: i32 = style::SMALL * 5 / 4;
const GAP: i32 = 48;

/// Returns the features of all runs, or those with the largest weights in the last generation if there are too many.
pub(crate) fn features(inputs: &Inputs) -> Shown {
    let last = |run: &Run, feature| Some(spread(run, feature)?(run.generations.last()?).mean.abs());
    let size = |feature| {
        let sizes = inputs.runs().filter_map(|(_, run)| last(run, feature));
        sizes.fold(0.0, f64::max)
    };
    let sets = inputs.runs().map(|(_, run)| &run.settings.features);
    Shown::of(sets, size, inputs.density)
}

pub(crate) fn is_flat(inputs: &Inputs) -> bool {
    let varies = |run: &Run| {
        let mut places = 0..run.settings.features.features().len();
        places.any(|place| {
            run.varies(|at| at.weights[place].mean) || run.varies(|at| at.weights[place].sd)
        })
    };
    !inputs.runs().any(|(_, run)| varies(run))
}

pub(crate) fn note(inputs: &Inputs) -> &'static str {
    match inputs.is_grouped() {
        true => "mean over seeds, with its 95 % interval as a band for five or more seeds",
        false => "mean ± 1 standard deviation in each generation",
    }
}

pub(crate) fn height(inputs: &Inputs) -> i32 {
    features(inputs).features.len().div_ceil(COLUMNS) as i32 * inputs.length(620, 500)
}

pub(crate) fn draw<DB: DrawingBackend>(inputs: &Inputs, area: &Area<DB>) -> Drawn<DB> {
    let features = features(inputs).features;
    let cells = area.split_evenly((features.len().div_ceil(COLUMNS), COLUMNS));
    // All charts share a scale so that heights are comparable.
    let curves: Vec<Curves> = features
        .iter()
        .map(|feature| Curves::spread(inputs, style::THIN, |run| spread(run, *feature)))
        .collect();
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
        chart::draw_lines(&top, title, &style::text(style::SMALL, style::INK), (0, 0), LINE)?;
        let (x, text) = (inputs.x_axis(5), style::SMALL);
        let frame = Frame { x, y: y.clone(), x_title: "", y_title: "", text };
        curves.draw(&mut frame.draw(&rest)?)?;
    }
    Ok(())
}

/// Returns a function that looks up a feature's weight in a generation of the run.
fn spread(run: &Run, feature: Feature) -> Option<impl Fn(&Generation) -> Spread + use<>> {
    let index = run.settings.features.features().iter().position(|other| *other == feature)?;
    Some(move |at: &Generation| at.weights[index])
}
