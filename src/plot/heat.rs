//! Heat maps: blue for positive numbers, orange for negative ones.

use plotters::element::Rectangle;
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, RGBColor, TextStyle};

use super::{Area, Density, Drawn, Entry, Inputs, style};
use mancala::eval::Weights;

const STEPS: i32 = 41;
const STEP: i32 = 30;
const BAR: i32 = style::LABEL * 5 / 4;

pub(crate) const LEGEND: i32 = BAR + style::SMALL * 2;

const NAME: i32 = style::LABEL * 5 / 4;

pub(crate) trait Maps: Sized {
    /// Creates the maps of `weights`. Returns `None` if they contain nothing to map.
    fn of(entry: &Entry, weights: &Weights, density: Density) -> Option<Self>;
    fn height(&self) -> i32;
    fn draw<DB: DrawingBackend>(&self, area: &Area<DB>) -> Drawn<DB>;
}

pub(crate) fn maps<M: Maps>(inputs: &Inputs) -> impl Iterator<Item = (&Entry, M)> {
    let champions = inputs.champions();
    champions.filter_map(|(entry, it)| Some((entry, M::of(entry, it, inputs.density)?)))
}

pub(crate) fn height<M: Maps>(inputs: &Inputs) -> i32 {
    let name = if inputs.is_overlaid() { NAME } else { 0 };
    maps::<M>(inputs).map(|(_, maps)| name + maps.height()).sum()
}

/// Draws the maps of all champions. If there are several champions, each one's maps are below its name.
pub(crate) fn draw<M: Maps, DB: DrawingBackend>(inputs: &Inputs, area: &Area<DB>) -> Drawn<DB> {
    let mut rest = area.clone();
    for (entry, maps) in maps::<M>(inputs) {
        if inputs.is_overlaid() {
            let name = style::shorten(&entry.name, style::LABEL, rest.dim_in_pixel().0 as i32);
            rest.draw_text(&name, &style::text(style::LABEL, entry.look.colour), (0, 0))?;
            rest = rest.split_vertically(NAME).1;
        }
        let (area, below) = rest.split_vertically(maps.height());
        maps.draw(&area)?;
        rest = below;
    }
    Ok(())
}

pub(crate) fn cell<DB: DrawingBackend>(
    area: &Area<DB>,
    corners: [(i32, i32); 2],
    share: f64,
) -> Drawn<DB> {
    area.draw(&Rectangle::new(corners, colour(share).filled()))
}

/// Returns the colour for a fraction: white for zero, saturated for 1 or more and −1 or less.
fn colour(share: f64) -> RGBColor {
    let full = if share < 0.0 { style::VERMILLION } else { style::BLUE };
    let share = share.abs().min(1.0);
    let mixed = |part: u8| (255.0 - share * (255.0 - f64::from(part))).round() as u8;
    RGBColor(mixed(full.0), mixed(full.1), mixed(full.2))
}

/// Returns a text colour that is readable on the colour for a fraction.
pub(crate) fn ink(share: f64) -> RGBColor {
    if share.abs() > 0.6 { RGBColor(255, 255, 255) } else { style::INK }
}

pub(crate) fn centred(size: i32, colour: RGBColor) -> TextStyle<'static> {
    style::text(size, colour).pos(Pos::new(HPos::Center, VPos::Center))
}

/// Draws the colour scale, starting at `left`. There are numbers below both ends and the middle of it, and a label next
/// to it.
pub(crate) fn legend<DB: DrawingBackend>(
    area: &Area<DB>,
    left: i32,
    marks: [&str; 3],
    text: &str,
) -> Drawn<DB> {
    for step in 0..STEPS {
        let share = f64::from(2 * step) / f64::from(STEPS - 1) - 1.0;
        let x = left + step * STEP;
        cell(area, [(x, 0), (x + STEP, BAR)], share)?;
    }
    let below = style::text(style::SMALL, style::INK).pos(Pos::new(HPos::Center, VPos::Top));
    for (place, mark) in [0, STEPS / 2, STEPS - 1].into_iter().zip(marks) {
        area.draw_text(mark, &below, (left + place * STEP + STEP / 2, BAR + 8))?;
    }
    let right = left + (STEPS + 1) * STEP;
    let text = style::shorten(text, style::LABEL, area.dim_in_pixel().0 as i32 - right);
    area.draw_text(&text, &style::centred(HPos::Left), (right, BAR / 2))
}
