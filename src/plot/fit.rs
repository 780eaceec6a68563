//! Fit losses and the scores of evolved weights by iteration.

use plotters::prelude::DrawingBackend;

use super::{
    ANY, Area, Axis, Curve, Curves, Drawn, Frame, Inputs, Iteration, Key, Mark, Run, SCORES, chart,
    curves, style,
};

pub(crate) const NOTE: &str = "labels differ between iterations; evolved weights play against the fitted weights that they started from";

const FIRST: u32 = style::THIN;
const LAST: u32 = style::THICK;

pub(crate) fn height(inputs: &Inputs) -> i32 {
    inputs.length(1640, 1280)
}

/// Returns whether no run has more than one iteration.
pub(crate) fn is_flat(inputs: &Inputs) -> bool {
    !inputs.runs().any(|(_, run)| run.iterations.len() > 1)
}

/// Draws two charts one above the other with the same iterations.
pub(crate) fn draw<DB: DrawingBackend>(inputs: &Inputs, area: &Area<DB>) -> Drawn<DB> {
    // For a single run, each line has a different colour. If there are several runs, each run has a different colour.
    let (first, last) = match inputs.has_several_curves() {
        true => (style::INK, style::INK),
        false => (style::VERMILLION, inputs.groups[0].look.colour),
    };
    let keys = [
        Key { mark: Mark::Line(FIRST), colour: first, text: "first epoch of the fit" },
        Key { mark: Mark::Line(LAST), colour: last, text: "last epoch" },
    ];
    let rest = chart::legend_above(area, &keys)?;
    let losses = |width, loss: fn(&Iteration) -> f64| {
        let point = |it: &Iteration| (f64::from(it.number), loss(it));
        inputs.lines(width, &ANY, |run| run.iterations.iter().map(point).collect())
    };
    let firsts = losses(FIRST, |it| it.first_loss).into_iter().map(|(stroke, pooled)| {
        let is_single = !inputs.has_several_curves();
        (if is_single { stroke.coloured(first) } else { stroke }, pooled)
    });
    let losses = Curves {
        lines: firsts.chain(losses(LAST, |it| it.last_loss)).collect(),
        ..Curves::default()
    };
    // Subtract 1, since the match of an iteration is recorded with the next iteration.
    let scores = |run: &Run| -> Curve {
        let rows = run.iterations.iter();
        rows.filter_map(|it| Some((f64::from(it.number) - 1.0, it.evolved?))).collect()
    };
    let lines = inputs.lines(LAST, &SCORES, scores);
    let scores = Curves { has_even: true, lines, ..Curves::default() };
    let numbers = || inputs.iterations().map(|iteration| iteration.number);
    // Include the iteration before the first one, since its match is recorded with the first one.
    let first = numbers().min().map_or(1, |first| if first > 1 { first - 1 } else { first });
    let x = Axis::generations(first..=numbers().max().unwrap_or(first), 12);
    let chart = |y_title, curves: Curves| {
        let y = Axis::values(curves.values(), 6);
        (Frame { x: x.clone(), y, x_title: "iteration", y_title, text: style::LABEL }, curves)
    };
    let charts = vec![chart("loss (nats)", losses), chart("evolved v. fitted", scores)];
    curves::draw_stack(charts, &rest)
}
