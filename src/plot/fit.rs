//! Losses of the fit and scores of the gating matches by epoch.

use plotters::prelude::DrawingBackend;

use super::axis::Axis;
use super::chart::{self, Area, Drawn, Frame, Key, Mark};
use super::input::Run;
use super::material::Material;
use super::pooled::{ANY, Curve, SCORES};
use super::{strength, style};

pub(super) const NOTE: &str =
    "each epoch has labels of its own; duels are against the best champion of earlier epochs";

const FIRST: u32 = style::THIN;
const LAST: u32 = style::THICK;

pub(super) fn height(material: &Material) -> i32 {
    material.length(1640, 1280)
}

/// Returns whether there is only one epoch.
pub(super) fn is_flat(material: &Material) -> bool {
    !material.runs().any(|(_, run)| run.epochs.len() > 1)
}

/// Draws two charts above each other, which share their epochs.
pub(super) fn draw<DB: DrawingBackend>(material: &Material, area: &Area<DB>) -> Drawn<DB> {
    let keys = keys(material);
    let (width, height) = area.dim_in_pixel();
    let legend = chart::legend_height(&keys, width as i32);
    let (top, rest) = area.split_vertically(legend);
    chart::legend(&top, &keys)?;
    let (upper, lower) = (losses(material), duels(material));
    // Both have the same height, but only the lower one has a title below its axis.
    let title = chart::title_height(lower.x_title, lower.text);
    let (above, below) = rest.split_vertically((height as i32 - legend - title) / 2);
    let indent = upper.indent().max(lower.indent());
    draw_losses(material, &upper, indent, &above)?;
    draw_duels(material, &lower, indent, &below)
}

fn draw_losses<DB: DrawingBackend>(
    material: &Material,
    frame: &Frame,
    indent: i32,
    area: &Area<DB>,
) -> Drawn<DB> {
    let mut plot = frame.draw_indented(area, indent)?;
    for (place, width) in [(0, FIRST), (1, LAST)] {
        let curve = |run: &Run| -> Curve {
            run.epochs.iter().map(|it| (f64::from(it.number), it.losses[place])).collect()
        };
        for (look, pooled) in material.pooled(&ANY, curve) {
            let stroke = look.stroke(width);
            let is_other = place == 0 && !material.has_several_curves();
            let stroke = if is_other { stroke.coloured(style::VERMILLION) } else { stroke };
            pooled.draw_behind(&mut plot, stroke)?;
            pooled.draw_mean(&mut plot, stroke)?;
        }
    }
    Ok(())
}

/// Draws the score of each gating match at the epoch of its champion, which is the one before.
fn draw_duels<DB: DrawingBackend>(
    material: &Material,
    frame: &Frame,
    indent: i32,
    area: &Area<DB>,
) -> Drawn<DB> {
    let mut plot = frame.draw_indented(area, indent)?;
    strength::even(&plot)?;
    let curve = |run: &Run| -> Curve {
        let duels = run.epochs.iter();
        duels.filter_map(|it| Some((f64::from(it.number) - 1.0, it.duel?))).collect()
    };
    for (look, pooled) in material.pooled(&SCORES, curve) {
        pooled.draw_behind(&mut plot, look.stroke(LAST))?;
        pooled.draw_mean(&mut plot, look.stroke(LAST))?;
    }
    Ok(())
}

/// A single run has a colour for each line; of several, each has its own.
fn keys(material: &Material) -> [Key<'static>; 2] {
    let (first, last) = if material.has_several_curves() {
        (style::INK, style::INK)
    } else {
        (style::VERMILLION, material.groups[0].look.colour)
    };
    [
        Key { mark: Mark::Line(FIRST), colour: first, text: "first pass of the fit" },
        Key { mark: Mark::Line(LAST), colour: last, text: "last pass" },
    ]
}

fn losses(material: &Material) -> Frame<'static> {
    let all = material.epochs().flat_map(|epoch| epoch.losses);
    frame(material, Axis::values(all, 6), "", "loss (nats)")
}

fn duels(material: &Material) -> Frame<'static> {
    let all = material.epochs().filter_map(|epoch| epoch.duel);
    frame(material, Axis::values(all.chain([0.5]), 6), "epoch", "duel (points a game)")
}

fn frame(
    material: &Material,
    y: Axis,
    x_title: &'static str,
    y_title: &'static str,
) -> Frame<'static> {
    let numbers = || material.epochs().map(|epoch| epoch.number);
    // The gating match of the first shown epoch is drawn at the epoch before.
    let first = numbers().min().map_or(1, |first| if first > 1 { first - 1 } else { first });
    let x = Axis::generations(first..=numbers().max().unwrap_or(first), 12);
    Frame { x, y, x_title, y_title, text: style::LABEL }
}
