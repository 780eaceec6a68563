//! Colours, fonts and text fitting.

use std::sync::Once;

use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, IntoFont, RGBColor, TextStyle, register_font};

/// The Okabe–Ito palette, whose colours can be distinguished by people who are colour-blind.
pub const BLUE: RGBColor = RGBColor(0, 114, 178);
pub const VERMILLION: RGBColor = RGBColor(213, 94, 0);
const GREEN: RGBColor = RGBColor(0, 158, 115);
const PURPLE: RGBColor = RGBColor(204, 121, 167);
pub const ORANGE: RGBColor = RGBColor(230, 159, 0);
pub const SKY: RGBColor = RGBColor(86, 180, 233);
pub const GREY: RGBColor = RGBColor(130, 130, 130);

pub(crate) const PAPER: RGBColor = RGBColor(255, 255, 255);
pub(crate) const INK: RGBColor = RGBColor(40, 40, 40);
pub(crate) const PALE_INK: RGBColor = RGBColor(100, 100, 100);
pub(crate) const GRID: RGBColor = RGBColor(225, 225, 225);

/// Plots are drawn at least this many times larger and then scaled down, because `plotters` rounds
/// the corners of thick lines to whole pixels. All lengths are given before scaling down.
pub const FINENESS: u32 = 2;

/// Text heights. The text is still legible if the sheet is shown at half size.
pub(crate) const TITLE: i32 = 80;
pub(crate) const HEADING: i32 = 68;
pub const LABEL: i32 = 56;
pub(crate) const SMALL: i32 = 52;

pub const HAIR: u32 = 2;
pub const THIN: u32 = 5;
pub(crate) const THICK: u32 = 9;

pub(crate) const COLOURS: usize = 7;

/// Returns the colour of a series. If there are more series than colours, then the colours are repeated in darker
/// shades. We don't use the yellow of the palette, because it's hard to see on white.
pub(crate) fn series(index: usize) -> RGBColor {
    let colours: [RGBColor; COLOURS] = [BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, GREY];
    let colour = colours[index % colours.len()];
    let shade = 0.6f64.powi((index / colours.len()) as i32);
    let [red, green, blue] =
        [colour.0, colour.1, colour.2].map(|part| (f64::from(part) * shade) as u8);
    RGBColor(red, green, blue)
}

/// The fonts for SVG files. Verdana has a similar width and is for viewers that don't have DejaVu Sans.
const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

fn register() {
    static REGISTERED: Once = Once::new();
    let font = include_bytes!("../../assets/DejaVuSans-subset.ttf");
    REGISTERED.call_once(|| {
        let registered = register_font(FAMILY, FontStyle::Normal, font);
        assert!(registered.is_ok(), "the embedded font is damaged");
    });
}

/// Returns a style for text that is anchored at its upper left corner.
pub(crate) fn text(size: i32, colour: impl Color) -> TextStyle<'static> {
    register();
    (FAMILY, size).into_font().color(&colour.to_rgba())
}

pub(crate) fn anchored(size: i32, colour: impl Color, h: HPos, v: VPos) -> TextStyle<'static> {
    text(size, colour).pos(Pos::new(h, v))
}

pub(crate) fn label(side: HPos) -> TextStyle<'static> {
    anchored(LABEL, INK, side, VPos::Center)
}

/// Replaces control characters with spaces, because they would break a line or a plot.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

pub(crate) fn width(text: &str, size: i32) -> i32 {
    let style = self::text(size, INK);
    style.font.box_size(text).map_or(0, |(width, _)| width as i32)
}

pub(crate) fn widest(labels: impl IntoIterator<Item: AsRef<str>>) -> i32 {
    labels.into_iter().map(|label| width(label.as_ref(), LABEL)).max().unwrap_or(0)
}

/// Wraps a specification to at most `most` lines, breaking it at spaces, after punctuation or within long words. If
/// it's too long, then we leave out the middle, because specifications often differ at the end.
pub(crate) fn wrap(text: &str, size: i32, room: i32, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for piece in pieces(text, size, room) {
        let line = lines.pop().unwrap_or_default();
        let longer = format!("{line}{piece}");
        if line.is_empty() || width(longer.trim_end(), size) <= room {
            lines.push(longer);
        } else {
            lines.extend([line, piece]);
        }
    }
    if lines.len() > most {
        lines[0] = shorten(&format!("{}…", lines[0]), size, room);
        lines.drain(1..=lines.len() - most);
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// Splits a string at all possible line breaks. Words that don't fit into a line are split, too.
fn pieces(text: &str, size: i32, room: i32) -> Vec<String> {
    let mut pieces = Vec::new();
    for part in text.split_inclusive([' ', ',', ':', '/', '\\', ';']) {
        let mut piece = String::new();
        for c in part.chars() {
            if !piece.is_empty() && width(&format!("{piece}{c}"), size) > room {
                pieces.push(std::mem::take(&mut piece));
            }
            piece.push(c);
        }
        pieces.push(piece);
    }
    pieces
}

pub(crate) fn shorten(text: &str, size: i32, room: i32) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut short = text.to_owned();
    while short.pop().is_some() && width(&format!("{short}…"), size) > room {}
    short + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_specification_keeps_its_ends() {
        let room = width("minimax:weights=", LABEL);
        let lines = wrap("minimax:weights=seeds,depth=5", LABEL, room, 3);
        assert_eq!(lines, ["minimax:", "weights=seeds,", "depth=5"]);
        let long = format!("minimax:weights={},depth=7", "far/".repeat(90));
        let lines = wrap(&long, LABEL, room, 3);
        assert_eq!((lines.len(), lines[2].ends_with("depth=7")), (3, true));
        assert!(lines[0].ends_with('…') && lines.iter().all(|line| width(line, LABEL) <= room));
        let word = wrap(&"x".repeat(200), LABEL, room, 2);
        assert!(word.len() == 2 && word.iter().all(|line| width(line, LABEL) <= room), "{word:?}");
        assert_eq!(wrap("", LABEL, room, 2), [""]);
    }

    #[test]
    fn the_font_has_every_character_that_is_drawn() {
        let unknown = width("\u{4e00}", LABEL);
        for character in "−±×÷–—“”‘’…·μσ→é½".chars() {
            assert_ne!(width(&character.to_string(), LABEL), unknown, "{character}");
        }
    }
}
