//! Losses of the fit and scores of the duels, epoch by epoch.

use plotters::prelude::DrawingBackend;

use super::axis::Axis;
use super::chart::{self, Area, Drawn, Frame, Key, Mark};
use super::material::Material;
use super::{strength, style};

pub(super) const NOTE: &str =
    "each epoch has labels of its own; duels are against the best champion of earlier epochs";

pub(super) const HEIGHT: i32 = 1640;

const FIRST: u32 = style::THIN;
const LAST: u32 = style::THICK;

/// Two charts above each other, which share their epochs.
pub(super) fn draw<DB: DrawingBackend>(material: &Material, area: &Area<DB>) -> Drawn<DB> {
    let keys = keys(material);
    let legend = chart::legend_height(&keys, area.dim_in_pixel().0 as i32);
    let (top, rest) = area.split_vertically(legend);
    chart::legend(&top, &keys)?;
    let (upper, lower) = (losses(material), duels(material));
    // Only the lower one has a title below its axis, yet both are as high.
    let title = chart::title_height(lower.x_title, lower.text);
    let (above, below) = rest.split_vertically((HEIGHT - legend - title) / 2);
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
    for (entry, epochs) in material.epochs() {
        let first = if material.is_overlaid() { entry.colour } else { style::VERMILLION };
        for (place, colour, width) in [(0, first, FIRST), (1, entry.colour, LAST)] {
            let points = epochs.iter().map(|it| (f64::from(it.number), it.losses[place]));
            chart::line(&mut plot, &points.collect::<Vec<_>>(), colour, width)?;
        }
    }
    Ok(())
}

/// A duel stands above the epoch whose champion it was about, the one before it was fought.
fn draw_duels<DB: DrawingBackend>(
    material: &Material,
    frame: &Frame,
    indent: i32,
    area: &Area<DB>,
) -> Drawn<DB> {
    let mut plot = frame.draw_indented(area, indent)?;
    strength::even(&plot)?;
    for (entry, epochs) in material.epochs() {
        let fought = epochs.iter().filter_map(|it| Some((f64::from(it.number) - 1.0, it.duel?)));
        let points: Vec<_> = fought.collect();
        if !points.is_empty() {
            chart::line(&mut plot, &points, entry.colour, LAST)?;
        }
    }
    Ok(())
}

/// A single run has a colour for each line; of several, each has its own.
fn keys(material: &Material) -> [Key<'static>; 2] {
    let (first, last) = if material.is_overlaid() {
        (style::INK, style::INK)
    } else {
        (style::VERMILLION, material.entries[0].colour)
    };
    [
        Key { mark: Mark::Line(FIRST), colour: first, text: "first pass of the fit" },
        Key { mark: Mark::Line(LAST), colour: last, text: "last pass" },
    ]
}

fn losses(material: &Material) -> Frame<'static> {
    let all = material.epochs().flat_map(|(_, epochs)| epochs).flat_map(|epoch| epoch.losses);
    frame(material, Axis::values(all, 6), "", "loss (nats)")
}

fn duels(material: &Material) -> Frame<'static> {
    let all = material.epochs().flat_map(|(_, epochs)| epochs).filter_map(|epoch| epoch.duel);
    frame(material, Axis::values(all.chain([0.5]), 6), "epoch", "duel (points a game)")
}

fn frame(
    material: &Material,
    y: Axis,
    x_title: &'static str,
    y_title: &'static str,
) -> Frame<'static> {
    let last = material.epochs().flat_map(|(_, epochs)| epochs).map(|epoch| epoch.number).max();
    let x = Axis::generations(last.unwrap_or(1) as usize, 12);
    Frame { x, y, x_title, y_title, text: style::LABEL }
}
