//! Score against each opponent of the panel over the generations.

use plotters::element::{Circle, PathElement};
use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBColor};

use super::axis::Axis;
use super::chart::{self, Area, Drawn, Frame, Plot};
use super::material::Material;
use super::style;
use crate::player::PANEL_SIZE;
use crate::run::Measurement;
use mancala::eval::Strength;

const ROW: i32 = 880;
const COLUMNS: usize = 2;
const TITLE: i32 = style::SMALL * 3 / 2;
const GAP: i32 = 48;
const DOT: i32 = 11;

/// A cell for each opponent of the panel.
pub(super) const HEIGHT: i32 = PANEL_SIZE.div_ceil(COLUMNS) as i32 * ROW;

/// A chart for each opponent, so that several runs can be laid over each other in it.
pub(super) fn draw<DB: DrawingBackend>(material: &Material, area: &Area<DB>) -> Drawn<DB> {
    let cells = area.split_evenly((PANEL_SIZE.div_ceil(COLUMNS), COLUMNS));
    let ends = material.measurements().flat_map(|(_, all)| {
        all.iter().flat_map(Measurement::panel).flat_map(|it| [it.low, it.high])
    });
    // One scale for all, so that heights can be compared; even strength is always on it.
    let y = Axis::values(ends.chain([0.5]), 6);
    // All inputs are of one game, if by different rules or on different boards, and so have one panel.
    let first = material.measurements().flat_map(|(_, all)| all).next();
    let panel = first.map(Measurement::panel).unwrap_or_default();
    for (index, (cell, opponent)) in cells.iter().zip(panel).enumerate() {
        let cell = cell.margin(0, GAP, 0, 0);
        let (top, rest) = cell.split_vertically(TITLE);
        let room = top.dim_in_pixel().0 as i32;
        let title = style::shorten(&format!("against {}", opponent.opponent), style::SMALL, room);
        top.draw_text(&title, &style::text(style::SMALL, style::INK), (0, 0))?;
        one(material, &rest, index, y.clone())?;
    }
    Ok(())
}

fn one<DB: DrawingBackend>(
    material: &Material,
    area: &Area<DB>,
    opponent: usize,
    y: Axis,
) -> Drawn<DB> {
    let is_last_row = opponent + COLUMNS >= PANEL_SIZE;
    let frame = Frame {
        x: Axis::generations(material.generations(), 6),
        y,
        x_title: if is_last_row { "generation" } else { "" },
        y_title: if opponent.is_multiple_of(COLUMNS) { "score" } else { "" },
        text: style::SMALL,
    };
    let mut plot = frame.draw(area)?;
    even(&plot)?;
    for (entry, measurements) in material.measurements() {
        let found = measurements
            .iter()
            .filter_map(|at| Some((f64::from(at.generation), at.panel().get(opponent)?)));
        curve(&mut plot, &found.collect::<Vec<_>>(), entry.colour)?;
    }
    Ok(())
}

/// The line of players as strong as the opponent.
pub(super) fn even<DB: DrawingBackend>(plot: &Plot<DB>) -> Drawn<DB> {
    let range = plot.x_range();
    let ends = vec![(range.start, 0.5), (range.end, 0.5)];
    let line = PathElement::new(ends, style::PALE_INK.stroke_width(style::THIN));
    plot.plotting_area().draw(&line)
}

/// A line through the scores, each with its interval.
fn curve<DB: DrawingBackend>(
    plot: &mut Plot<DB>,
    points: &[(f64, &Strength)],
    colour: RGBColor,
) -> Drawn<DB> {
    let scores: Vec<(f64, f64)> = points.iter().map(|(x, it)| (*x, it.score)).collect();
    if scores.len() > 1 {
        chart::line(plot, &scores, colour, style::THIN)?;
    }
    for (x, it) in points {
        let whisker = vec![(*x, it.low), (*x, it.high)];
        let whisker = PathElement::new(whisker, colour.mix(0.6).stroke_width(style::THIN));
        plot.plotting_area().draw(&whisker)?;
        plot.plotting_area().draw(&Circle::new((*x, it.score), DOT, colour.filled()))?;
    }
    Ok(())
}
