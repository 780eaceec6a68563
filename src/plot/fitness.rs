//! Best, mean and worst fitness as fractions of the maximum, which do not depend on the number of games per generation.

use plotters::prelude::DrawingBackend;
use plotters::style::RGBColor;

use super::{
    ANY, Area, Axis, Curves, Drawn, Generation, Inputs, Key, Mark, Pooled, chart, curves, style,
};

const EXTREME: u32 = style::THIN;
const MEAN: u32 = style::THICK;
const BEST: RGBColor = style::VERMILLION;
const WORST: RGBColor = style::SKY;

pub(crate) fn height(inputs: &Inputs) -> i32 {
    inputs.length(1320, 1000)
}

pub(crate) fn draw<DB: DrawingBackend>(inputs: &Inputs, area: &Area<DB>) -> Drawn<DB> {
    let mut curves = Curves::spread(inputs, MEAN, |_| Some(|at: &Generation| at.fitness));
    let rest = chart::legend_above(area, &keys(inputs, &curves))?;
    for (colour, figure) in
        [(BEST, (|at| at.best) as fn(&Generation) -> f64), (WORST, |at| at.worst)]
    {
        let lines = inputs.lines(EXTREME, &ANY, |run| inputs.curve(run, figure)).into_iter();
        // Draw only the means. For a single run, each line has a different colour. If there are several runs, each run
        // has a different colour.
        let lines = lines.map(|(stroke, Pooled { mean, .. })| {
            let is_single = !inputs.has_several_curves();
            let stroke = if is_single { stroke.coloured(colour) } else { stroke };
            (stroke, Pooled { mean, ..Pooled::default() })
        });
        curves.lines.splice(0..0, lines);
    }
    let y = Axis::values(curves.values(), 7);
    let frame = curves::frame(inputs, "fitness (share of the maximum)", y);
    curves.draw(&mut frame.draw(&rest)?)
}

fn keys(inputs: &Inputs, means: &Curves) -> Vec<Key<'static>> {
    let [best, mean, worst] = match inputs.has_several_curves() {
        true => [style::INK; 3],
        false => [BEST, inputs.groups[0].look.colour, WORST],
    };
    let mut keys = vec![
        Key { mark: Mark::Line(EXTREME), colour: best, text: "best" },
        Key { mark: Mark::Line(MEAN), colour: mean, text: "mean" },
        Key { mark: Mark::Line(EXTREME), colour: worst, text: "worst" },
    ];
    let band = |text| Key { mark: Mark::Band, colour: mean, text };
    if !inputs.is_grouped() {
        keys.push(band("mean ± 1 standard deviation"));
    }
    if means.lines.iter().any(|(_, mean)| mean.band.is_some()) {
        keys.push(band("95 % interval of the mean over seeds"));
    }
    if means.lines.iter().any(|(_, mean)| !mean.singles.is_empty()) {
        keys.push(Key { mark: Mark::Line(style::HAIR), colour: mean, text: "mean of one seed" });
    }
    keys
}
