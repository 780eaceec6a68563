//! Heat maps: blue for positive numbers, orange for negative ones.

use plotters::element::Rectangle;
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, RGBColor, TextStyle};

use super::chart::{Area, Drawn};
use super::style;

/// Colours of a legend.
const STEPS: i32 = 41;
const STEP: i32 = 30;
const BAR: i32 = style::LABEL * 5 / 4;

/// Height of a legend.
pub(super) const LEGEND: i32 = BAR + style::SMALL * 2;

/// Returns white for zero, and a saturated colour from a share of 1 or −1.
pub(super) fn colour(share: f64) -> RGBColor {
    let full = if share < 0.0 { style::VERMILLION } else { style::BLUE };
    let share = share.abs().min(1.0);
    let mixed = |part: u8| (255.0 - share * (255.0 - f64::from(part))).round() as u8;
    RGBColor(mixed(full.0), mixed(full.1), mixed(full.2))
}

/// Returns a readable ink on the colour of a share.
pub(super) fn ink(share: f64) -> RGBColor {
    if share.abs() > 0.6 { RGBColor(255, 255, 255) } else { style::INK }
}

/// Returns a style for centred text.
pub(super) fn centred(size: i32, colour: RGBColor) -> TextStyle<'static> {
    style::text(size, colour).pos(Pos::new(HPos::Center, VPos::Center))
}

/// Draws all colours from `left` on, the numbers of both ends and the middle below them, and a text next to them.
pub(super) fn legend<DB: DrawingBackend>(
    area: &Area<DB>,
    left: i32,
    marks: [&str; 3],
    text: &str,
) -> Drawn<DB> {
    for step in 0..STEPS {
        let share = f64::from(2 * step) / f64::from(STEPS - 1) - 1.0;
        let x = left + step * STEP;
        let corners = [(x, 0), (x + STEP, BAR)];
        area.draw(&Rectangle::new(corners, colour(share).filled()))?;
    }
    let below = style::text(style::SMALL, style::INK).pos(Pos::new(HPos::Center, VPos::Top));
    for (place, mark) in [0, STEPS / 2, STEPS - 1].into_iter().zip(marks) {
        area.draw_text(mark, &below, (left + place * STEP + STEP / 2, BAR + 8))?;
    }
    let right = left + (STEPS + 1) * STEP;
    let text = style::shorten(text, style::LABEL, area.dim_in_pixel().0 as i32 - right);
    area.draw_text(&text, &style::centred(HPos::Left), (right, BAR / 2))
}
