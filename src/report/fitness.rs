//! Best and mean fitness over the generations.

use plotters::prelude::DrawingBackend;

use super::axis::Axis;
use super::chart::{self, Area, Drawn, Frame, Key, Mark};
use super::material::Material;
use super::style;

pub(super) const HEIGHT: i32 = 1320;

const BEST: u32 = style::THIN;
const MEAN: u32 = style::THICK;

pub(super) fn draw<DB: DrawingBackend>(material: &Material, area: &Area<DB>) -> Drawn<DB> {
    let keys = keys(material);
    let height = chart::legend_height(&keys, area.dim_in_pixel().0 as i32);
    let (top, rest) = area.split_vertically(height);
    chart::legend(&top, &keys)?;

    let mut plot = frame(material).draw(&rest)?;
    let weight = 1.0 / material.runs().count() as f64;
    for (entry, run) in material.runs() {
        let low = material.curve(run, |at| at.fitness.mean - at.fitness.sd);
        let high = material.curve(run, |at| at.fitness.mean + at.fitness.sd);
        chart::band(&mut plot, &low, &high, entry.colour, weight)?;
    }
    for (entry, run) in material.runs() {
        let best = material.curve(run, |at| at.best);
        let mean = material.curve(run, |at| at.fitness.mean);
        let colour = if material.is_overlaid() { entry.colour } else { style::VERMILLION };
        chart::line(&mut plot, &best, colour, BEST)?;
        chart::line(&mut plot, &mean, entry.colour, MEAN)?;
    }
    Ok(())
}

/// A single run has a colour for each line; of several, each has its own.
fn keys(material: &Material) -> [Key<'static>; 3] {
    let (best, mean) = if material.is_overlaid() {
        (style::INK, style::INK)
    } else {
        (style::VERMILLION, material.entries[0].colour)
    };
    [
        Key { mark: Mark::Line(BEST), colour: best, text: "best" },
        Key { mark: Mark::Line(MEAN), colour: mean, text: "mean" },
        Key { mark: Mark::Band, colour: mean, text: "mean ± 1 standard deviation" },
    ]
}

fn frame(material: &Material) -> Frame<'static> {
    let values = material.runs().flat_map(|(_, run)| {
        run.generations.iter().flat_map(|at| {
            let fitness = at.fitness;
            [at.best, fitness.mean - fitness.sd, fitness.mean + fitness.sd]
        })
    });
    Frame {
        x: Axis::generations(material.generations(), 12),
        y: Axis::values(values, 7),
        x_title: "generation",
        y_title: "fitness (points)",
        text: style::LABEL,
    }
}
