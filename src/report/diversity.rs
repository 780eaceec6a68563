//! How different the chromosomes of each generation are.

use plotters::prelude::DrawingBackend;

use super::axis::Axis;
use super::chart::{self, Area, Drawn, Frame};
use super::history::Generation;
use super::material::Material;
use super::style;

pub(super) const HEIGHT: i32 = 1640;

type Figure = fn(&Generation) -> f64;

/// Two charts above each other: the figures share their generations, not a unit.
pub(super) fn draw<DB: DrawingBackend>(material: &Material, area: &Area<DB>) -> Drawn<DB> {
    let figures: [Figure; 2] = [|at| at.hamming, |at| at.distinct];
    let upper = frame(material, "", "mean distance (bits)", figures[0]);
    let lower = frame(material, "generation", "distinct chromosomes", figures[1]);
    // Only the lower one has a title below its axis, yet both are as high.
    let title = chart::title_height(lower.x_title, lower.text);
    let areas = area.split_vertically((HEIGHT - title) / 2);
    let indent = upper.indent().max(lower.indent());
    let frames = [(areas.0, upper), (areas.1, lower)];
    for ((area, frame), figure) in frames.iter().zip(figures) {
        let mut plot = frame.draw_indented(area, indent)?;
        for (entry, run) in material.runs() {
            let curve = material.curve(run, figure);
            chart::line(&mut plot, &curve, entry.colour, style::THIN)?;
        }
    }
    Ok(())
}

fn frame<'a>(material: &Material, x_title: &'a str, y_title: &'a str, figure: Figure) -> Frame<'a> {
    let runs = material.runs();
    let values = runs.flat_map(|(_, run)| run.generations.iter().map(figure));
    Frame {
        x: Axis::generations(material.generations(), 12),
        // From zero: how near the population is to uniform is what matters.
        y: Axis::values(values.chain([0.0]), 5),
        x_title,
        y_title,
        text: style::LABEL,
    }
}
