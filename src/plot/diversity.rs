//! Diversity of the chromosomes in each generation.

use plotters::prelude::DrawingBackend;

use super::{ANY, Area, Axis, Curves, Density, Drawn, Generation, Inputs, curves, style};

struct Figure {
    title: &'static str,
    of: fn(&Generation) -> f64,
}

const DISTANCE: Figure = Figure { title: "mean distance (bits)", of: |at| at.hamming };
const DISTINCT: Figure = Figure { title: "distinct chromosomes", of: |at| at.distinct };

impl Figure {
    fn is_flat(&self, inputs: &Inputs) -> bool {
        !inputs.runs().any(|(_, run)| run.varies(self.of))
    }
}

pub(crate) fn is_flat(inputs: &Inputs) -> bool {
    DISTANCE.is_flat(inputs) && DISTINCT.is_flat(inputs)
}

/// Returns the figures to draw. On a sheet, a figure that never changes is left out, unless neither of the two changes.
fn figures(inputs: &Inputs) -> Vec<Figure> {
    let all = inputs.density == Density::Alone || is_flat(inputs);
    let figures = [DISTANCE, DISTINCT].into_iter();
    figures.filter(|figure| all || !figure.is_flat(inputs)).collect()
}

/// Describes the figures shown, and those left out because they never change.
pub(crate) fn note(inputs: &Inputs) -> String {
    let distance = "mean Hamming distance of all pairs";
    let figures = figures(inputs);
    if figures.len() > 1 {
        return format!("{distance}, and number of distinct chromosomes");
    }
    if figures[0].title == DISTINCT.title {
        return "number of distinct chromosomes".to_owned();
    }
    // The number is the same in all generations of a run, but may differ between runs.
    let mut counts = inputs.runs().map(|(_, run)| run.generations[0].distinct);
    let first = counts.next().unwrap_or_default();
    match counts.all(|count| count == first) {
        true => format!("{distance}; always {first} distinct"),
        false => distance.to_owned(),
    }
}

pub(crate) fn height(inputs: &Inputs) -> i32 {
    figures(inputs).len() as i32 * inputs.length(820, 740)
}

/// Draws a chart for each figure, one above the other. The figures have the same generations but different units.
pub(crate) fn draw<DB: DrawingBackend>(inputs: &Inputs, area: &Area<DB>) -> Drawn<DB> {
    let chart = |Figure { title, of }| {
        let lines = inputs.lines(style::THIN, &ANY, |run| inputs.curve(run, of));
        let curves = Curves { lines, ..Curves::default() };
        // Start at zero, so that the chart shows how close the population is to uniform.
        let y = Axis::values(curves.values().chain([0.0]), 5);
        (curves::frame(inputs, title, y), curves)
    };
    curves::draw_stack(figures(inputs).into_iter().map(chart).collect(), area)
}
