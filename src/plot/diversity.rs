//! Diversity of the chromosomes of each generation.

use plotters::prelude::DrawingBackend;

use super::axis::Axis;
use super::chart::{self, Area, Drawn, Frame};
use super::history::Generation;
use super::material::{Density, Material};
use super::pooled::{ANY, Pooled};
use super::stroke::Look;
use super::style;

struct Figure {
    title: &'static str,
    of: fn(&Generation) -> f64,
}

const FIGURES: [Figure; 2] = [
    Figure { title: "mean distance (bits)", of: |at| at.hamming },
    Figure { title: "distinct chromosomes", of: |at| at.distinct },
];

impl Figure {
    fn is_flat(&self, material: &Material) -> bool {
        !material.runs().any(|(_, run)| run.varies(self.of))
    }
}

/// Returns whether all numbers are the same in every generation.
pub(super) fn is_flat(material: &Material) -> bool {
    FIGURES.iter().all(|figure| figure.is_flat(material))
}

/// Returns the numbers that vary if the panel is on a sheet, or all if nothing varies.
fn figures(material: &Material) -> Vec<&'static Figure> {
    let all = material.density == Density::Alone || is_flat(material);
    FIGURES.iter().filter(|figure| all || !figure.is_flat(material)).collect()
}

/// Describes the shown numbers, and those left out because they never change.
pub(super) fn note(material: &Material) -> String {
    let distance = "mean Hamming distance of all pairs";
    let is_shown =
        |place: usize| figures(material).iter().any(|it| it.title == FIGURES[place].title);
    match [is_shown(0), is_shown(1)] {
        [true, true] => format!("{distance}, and number of distinct chromosomes"),
        [true, false] => match constant(material, &FIGURES[1]) {
            Some(count) => format!("{distance}; always {count} distinct"),
            None => distance.to_owned(),
        },
        _ => "number of distinct chromosomes".to_owned(),
    }
}

/// Returns the number if it is the same in all generations of all runs.
fn constant(material: &Material, figure: &Figure) -> Option<f64> {
    let mut firsts = material.runs().map(|(_, run)| (figure.of)(&run.generations[0]));
    let first = firsts.next()?;
    (figure.is_flat(material) && firsts.all(|it| it == first)).then_some(first)
}

pub(super) fn height(material: &Material) -> i32 {
    figures(material).len() as i32 * material.length(820, 740)
}

/// Draws charts above each other, since the numbers share their generations but not a unit.
pub(super) fn draw<DB: DrawingBackend>(material: &Material, area: &Area<DB>) -> Drawn<DB> {
    let figures = figures(material);
    let curves: Vec<Vec<(Look, Pooled)>> = figures
        .iter()
        .map(|figure| material.pooled(&ANY, |run| material.curve(run, figure.of)))
        .collect();
    let last = figures.len() - 1;
    let frames: Vec<Frame> = figures
        .iter()
        .zip(&curves)
        .enumerate()
        .map(|(index, (figure, curves))| {
            frame(
                material,
                figure.title,
                if index == last { material.x.title() } else { "" },
                curves,
            )
        })
        .collect();
    // All charts have the same height, but only the last one has a title below its axis.
    let title = chart::title_height(frames[last].x_title, frames[last].text);
    let each = (area.dim_in_pixel().1 as i32 - title) / frames.len() as i32;
    let indent = frames.iter().map(Frame::indent).max().unwrap_or(0);
    let mut rest = area.clone();
    for (index, (frame, curves)) in frames.iter().zip(&curves).enumerate() {
        let (own, below) = rest.split_vertically(each + if index == last { title } else { 0 });
        let mut plot = frame.draw_indented(&own, indent)?;
        for (look, pooled) in curves {
            pooled.draw_behind(&mut plot, look.stroke(style::THIN))?;
        }
        for (look, pooled) in curves {
            pooled.draw_mean(&mut plot, look.stroke(style::THIN))?;
        }
        rest = below;
    }
    Ok(())
}

fn frame(
    material: &Material,
    y_title: &'static str,
    x_title: &'static str,
    curves: &[(Look, Pooled)],
) -> Frame<'static> {
    let values = curves.iter().flat_map(|(_, pooled)| pooled.values());
    Frame {
        x: material.x_axis(12),
        // From zero: how near the population is to uniform is what matters.
        y: Axis::values(values.chain([0.0]), 5),
        x_title,
        y_title,
        text: style::LABEL,
    }
}
