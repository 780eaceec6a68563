//! Heat maps: blue for positive numbers, orange for negative ones.

use plotters::style::RGBColor;
use plotters::style::text_anchor::{HPos, VPos};

use super::{Canvas, Entry, Inputs, style};

const STEPS: i32 = 41;
const STEP: i32 = 30;
const BAR: i32 = style::LABEL * 5 / 4;

/// If there are several champions, appends the name of one above its maps.
pub(crate) fn name(inputs: &Inputs, entry: &Entry, picture: &mut Canvas) {
    if inputs.is_overlaid() {
        let name = style::shorten(&entry.name, style::LABEL, picture.width);
        let style = style::text(style::LABEL, entry.stroke.colour);
        picture.text((0, picture.height), name, style);
        picture.height += BAR;
    }
}

/// Returns the colour for a fraction: white for zero, saturated for 1 or more and −1 or less.
pub(crate) fn colour(share: f64) -> RGBColor {
    let full = if share < 0.0 { style::VERMILLION } else { style::BLUE };
    let share = share.abs().min(1.0);
    let mixed = |part: u8| (255.0 - share * (255.0 - f64::from(part))).round() as u8;
    RGBColor(mixed(full.0), mixed(full.1), mixed(full.2))
}

pub(crate) fn label(
    picture: &mut Canvas,
    centre: (i32, i32),
    text: &str,
    size: i32,
    colour: RGBColor,
) {
    picture.text(centre, text, style::anchored(size, colour, HPos::Center, VPos::Center));
}

/// Writes the number of seeds above a column of a map, whose last column stands for that number or more.
pub(crate) fn seeds(picture: &mut Canvas, centre: (i32, i32), seeds: i32, most: i32, size: i32) {
    let text = if seeds == most { format!("{seeds} +") } else { seeds.to_string() };
    label(picture, centre, &text, size, style::PALE_INK);
}

/// Appends the colour scale, starting at `left`. There are numbers below both ends and the middle of it, and a text next
/// to it.
pub(crate) fn legend(picture: &mut Canvas, left: i32, marks: [String; 3], text: &str) {
    let top = picture.height;
    for step in 0..STEPS {
        let share = f64::from(2 * step) / f64::from(STEPS - 1) - 1.0;
        let x = left + step * STEP;
        picture.rectangle([(x, top), (x + STEP, top + BAR)], colour(share));
    }
    let below = style::anchored(style::SMALL, style::INK, HPos::Center, VPos::Top);
    for (place, mark) in [0, STEPS / 2, STEPS - 1].into_iter().zip(marks) {
        picture.text((left + place * STEP + STEP / 2, top + BAR + 8), mark, below.clone());
    }
    let right = left + (STEPS + 1) * STEP;
    let text = style::shorten(text, style::LABEL, picture.width - right);
    picture.text((right, top + BAR / 2), text, style::label(HPos::Left));
    picture.height += BAR + style::SMALL * 2;
}
