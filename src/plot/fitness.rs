//! Best, mean and worst fitness as shares of the possible fitness, which do not grow with the games of a generation.

use plotters::prelude::DrawingBackend;
use plotters::style::RGBColor;

use super::axis::Axis;
use super::chart::{self, Area, Drawn, Frame, Key, Mark};
use super::history::Generation;
use super::material::Material;
use super::pooled::{ANY, Pooled};
use super::stroke::Look;
use super::style;

const EXTREME: u32 = style::THIN;
const MEAN: u32 = style::THICK;
const BEST: RGBColor = style::VERMILLION;
const WORST: RGBColor = style::SKY;

pub(crate) fn height(material: &Material) -> i32 {
    material.length(1320, 1000)
}

pub(crate) fn draw<DB: DrawingBackend>(material: &Material, area: &Area<DB>) -> Drawn<DB> {
    let curves = Curves::of(material);
    let keys = keys(material, &curves);
    let height = chart::legend_height(&keys, area.dim_in_pixel().0 as i32);
    let (top, rest) = area.split_vertically(height);
    chart::legend(&top, &keys)?;

    let mut plot = curves.frame(material).draw(&rest)?;
    let weight = 1.0 / curves.spreads.len().max(1) as f64;
    for (look, low, high) in &curves.spreads {
        chart::band(&mut plot, &low.mean, &high.mean, look.colour, weight)?;
    }
    for (look, mean) in &curves.means {
        mean.draw_behind(&mut plot, look.stroke(MEAN))?;
    }
    let coloured = |look: &Look, colour| {
        let stroke = look.stroke(EXTREME);
        if material.has_several_curves() { stroke } else { stroke.coloured(colour) }
    };
    for (look, worst) in &curves.worsts {
        worst.draw_mean(&mut plot, coloured(look, WORST))?;
    }
    for ((look, best), (_, mean)) in curves.bests.iter().zip(&curves.means) {
        best.draw_mean(&mut plot, coloured(look, BEST))?;
        mean.draw_mean(&mut plot, look.stroke(MEAN))?;
    }
    Ok(())
}

struct Curves {
    bests: Vec<(Look, Pooled)>,
    worsts: Vec<(Look, Pooled)>,
    means: Vec<(Look, Pooled)>,
    /// A standard deviation below the mean and above it, of runs that are not grouped.
    spreads: Vec<(Look, Pooled, Pooled)>,
}

impl Curves {
    fn of(material: &Material) -> Curves {
        let pooled = |figure: fn(&Generation) -> f64| {
            material.pooled(&ANY, |run| material.curve(run, figure))
        };
        let low = pooled(|at| at.fitness.mean - at.fitness.sd);
        let high = pooled(|at| at.fitness.mean + at.fitness.sd);
        let spreads = low.into_iter().zip(high).map(|((look, low), (_, high))| (look, low, high));
        Curves {
            bests: pooled(|at| at.best),
            worsts: pooled(|at| at.worst),
            means: pooled(|at| at.fitness.mean),
            spreads: spreads.filter(|_| !material.is_grouped()).collect(),
        }
    }

    fn frame(&self, material: &Material) -> Frame<'static> {
        let extremes = self.bests.iter().chain(&self.worsts);
        let extremes = extremes.flat_map(|(_, it)| it.mean.iter().map(|point| point.1));
        let means = self.means.iter().flat_map(|(_, mean)| mean.values());
        let spreads =
            self.spreads.iter().flat_map(|(_, low, high)| low.values().chain(high.values()));
        Frame {
            x: material.x_axis(12),
            y: Axis::values(extremes.chain(means).chain(spreads), 7),
            x_title: material.x.title(),
            y_title: "fitness (share of the possible)",
            text: style::LABEL,
        }
    }
}

/// A single run has a colour for each line; of several, each has its own.
fn keys(material: &Material, curves: &Curves) -> Vec<Key<'static>> {
    let [best, mean, worst] = match material.has_several_curves() {
        true => [style::INK; 3],
        false => [BEST, material.groups[0].look.colour, WORST],
    };
    let mut keys = vec![
        Key { mark: Mark::Line(EXTREME), colour: best, text: "best" },
        Key { mark: Mark::Line(MEAN), colour: mean, text: "mean" },
        Key { mark: Mark::Line(EXTREME), colour: worst, text: "worst" },
    ];
    if !material.is_grouped() {
        keys.push(Key { mark: Mark::Band, colour: mean, text: "mean ± 1 standard deviation" });
        return keys;
    }
    if curves.means.iter().any(|(_, mean)| mean.band.is_some()) {
        let text = "95 % interval of the mean over seeds";
        keys.push(Key { mark: Mark::Band, colour: mean, text });
    }
    if curves.means.iter().any(|(_, mean)| !mean.singles.is_empty()) {
        keys.push(Key { mark: Mark::Line(style::HAIR), colour: mean, text: "mean of one seed" });
    }
    keys
}
