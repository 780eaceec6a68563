//! Diversity of the chromosomes of each generation.

use plotters::prelude::DrawingBackend;

use super::axis::Axis;
use super::chart::{Area, Drawn};
use super::curves::{self, Curves};
use super::history::Generation;
use super::plot_input::{Density, PlotInput};
use super::pooled::ANY;
use super::style;

struct Figure {
    title: &'static str,
    of: fn(&Generation) -> f64,
}

const DISTANCE: Figure = Figure { title: "mean distance (bits)", of: |at| at.hamming };
const DISTINCT: Figure = Figure { title: "distinct chromosomes", of: |at| at.distinct };

impl Figure {
    fn is_flat(&self, material: &PlotInput) -> bool {
        !material.runs().any(|(_, run)| run.varies(self.of))
    }
}

/// Returns whether all numbers are the same in every generation.
pub(crate) fn is_flat(material: &PlotInput) -> bool {
    DISTANCE.is_flat(material) && DISTINCT.is_flat(material)
}

/// Returns the numbers that vary if the panel is on a sheet, or all if nothing varies.
fn figures(material: &PlotInput) -> Vec<Figure> {
    let all = material.density == Density::Alone || is_flat(material);
    let figures = [DISTANCE, DISTINCT].into_iter();
    figures.filter(|figure| all || !figure.is_flat(material)).collect()
}

/// Describes the shown numbers, and those left out because they never change.
pub(crate) fn note(material: &PlotInput) -> String {
    let distance = "mean Hamming distance of all pairs";
    let figures = figures(material);
    if figures.len() > 1 {
        return format!("{distance}, and number of distinct chromosomes");
    }
    if figures[0].title == DISTINCT.title {
        return "number of distinct chromosomes".to_owned();
    }
    // The number does not change within a run, but may differ between runs.
    let mut counts = material.runs().map(|(_, run)| run.generations[0].distinct);
    let first = counts.next().unwrap_or_default();
    match counts.all(|count| count == first) {
        true => format!("{distance}; always {first} distinct"),
        false => distance.to_owned(),
    }
}

pub(crate) fn height(material: &PlotInput) -> i32 {
    figures(material).len() as i32 * material.length(820, 740)
}

/// Draws charts above each other, since the numbers share their generations but not a unit.
pub(crate) fn draw<DB: DrawingBackend>(material: &PlotInput, area: &Area<DB>) -> Drawn<DB> {
    let chart = |Figure { title, of }| {
        let lines = material.lines(style::THIN, &ANY, |run| material.curve(run, of));
        let curves = Curves { lines, ..Curves::default() };
        // From zero: how near the population is to uniform is what matters.
        let y = Axis::values(curves.values().chain([0.0]), 5);
        (curves::frame(material, title, y), curves)
    };
    curves::draw_stack(figures(material).into_iter().map(chart).collect(), area)
}
