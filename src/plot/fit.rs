//! Fit losses and gating match scores by epoch.

use plotters::prelude::DrawingBackend;

use super::axis::Axis;
use super::chart::{self, Area, Drawn, Frame, Key, Mark};
use super::curves::{self, Curves};
use super::history::Epoch;
use super::input::Run;
use super::inputs::Inputs;
use super::pooled::{ANY, Curve, SCORES};
use super::style;

pub(crate) const NOTE: &str =
    "labels differ between epochs; duels are against the best champion of earlier epochs";

const FIRST: u32 = style::THIN;
const LAST: u32 = style::THICK;

pub(crate) fn height(inputs: &Inputs) -> i32 {
    inputs.length(1640, 1280)
}

/// Returns whether no run has more than one epoch.
pub(crate) fn is_flat(inputs: &Inputs) -> bool {
    !inputs.runs().any(|(_, run)| run.epochs.len() > 1)
}

/// Draws two charts one above the other with the same epochs.
pub(crate) fn draw<DB: DrawingBackend>(inputs: &Inputs, area: &Area<DB>) -> Drawn<DB> {
    // For a single run, each line has its own colour; with several runs, each run has its own.
    let (first, last) = match inputs.has_several_curves() {
        true => (style::INK, style::INK),
        false => (style::VERMILLION, inputs.groups[0].look.colour),
    };
    let keys = [
        Key { mark: Mark::Line(FIRST), colour: first, text: "first pass of the fit" },
        Key { mark: Mark::Line(LAST), colour: last, text: "last pass" },
    ];
    let rest = chart::legend_above(area, &keys)?;
    let losses = |width, loss: fn(&Epoch) -> f64| {
        let point = |it: &Epoch| (f64::from(it.number), loss(it));
        inputs.lines(width, &ANY, |run| run.epochs.iter().map(point).collect())
    };
    let firsts = losses(FIRST, |it| it.first_loss).into_iter().map(|(stroke, pooled)| {
        let is_single = !inputs.has_several_curves();
        (if is_single { stroke.coloured(first) } else { stroke }, pooled)
    });
    let losses = Curves {
        lines: firsts.chain(losses(LAST, |it| it.last_loss)).collect(),
        ..Curves::default()
    };
    // A gating match is plotted at its champion's epoch, which is the previous one.
    let duels = |run: &Run| -> Curve {
        let duels = run.epochs.iter();
        duels.filter_map(|it| Some((f64::from(it.number) - 1.0, it.duel?))).collect()
    };
    let lines = inputs.lines(LAST, &SCORES, duels);
    let duels = Curves { has_even: true, lines, ..Curves::default() };
    let numbers = || inputs.epochs().map(|epoch| epoch.number);
    // The gating match of the first epoch shown is plotted at the epoch before it.
    let first = numbers().min().map_or(1, |first| if first > 1 { first - 1 } else { first });
    let x = Axis::generations(first..=numbers().max().unwrap_or(first), 12);
    let chart = |y_title, curves: Curves| {
        let y = Axis::values(curves.values(), 6);
        (Frame { x: x.clone(), y, x_title: "epoch", y_title, text: style::LABEL }, curves)
    };
    let charts = vec![chart("loss (nats)", losses), chart("duel (points a game)", duels)];
    curves::draw_stack(charts, &rest)
}
