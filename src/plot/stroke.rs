//! Line strokes: colour, width and dashes.

use plotters::coord::CoordTranslate;
use plotters::drawing::DrawingArea;
use plotters::element::{DashedPathElement, PathElement};
use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBColor};

use super::{Drawn, style};

/// Lengths of dash and gap in pixels, or `None` for a solid line.
type Pattern = Option<[i32; 2]>;

const PATTERNS: [Pattern; 3] = [None, Some([56, 24]), Some([14, 20])];

/// Fraction of the colour in a pale line. The rest is white.
const PALE: f64 = 0.45;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    pub(crate) colour: RGBColor,
    pattern: Pattern,
}

impl Look {
    /// Returns the colour and dashes of a series. When all colours are used up, they are repeated in darker shades with
    /// dashed lines, and then with dotted lines.
    pub(crate) fn of(index: usize) -> Look {
        let pattern = PATTERNS[index / style::COLOURS % PATTERNS.len()];
        Look { colour: style::series(index), pattern }
    }

    pub(crate) fn stroke(self, width: u32) -> Stroke {
        Stroke { colour: self.colour, width, pattern: self.pattern }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    pub(crate) colour: RGBColor,
    pub(crate) width: u32,
    pattern: Pattern,
}

impl Stroke {
    /// Returns a solid stroke.
    pub fn whole(colour: RGBColor, width: u32) -> Stroke {
        Stroke { colour, width, pattern: None }
    }

    pub(crate) fn coloured(self, colour: RGBColor) -> Stroke {
        Stroke { colour, ..self }
    }

    /// Returns a thin pale version of the stroke, for the background.
    pub(crate) fn faint(self) -> Stroke {
        let part = |it: u8| (f64::from(it) * PALE + 255.0 * (1.0 - PALE)) as u8;
        let RGBColor(red, green, blue) = self.colour;
        Stroke { colour: RGBColor(part(red), part(green), part(blue)), width: style::HAIR, ..self }
    }

    /// Draws a line through these points.
    pub(crate) fn draw<DB: DrawingBackend, C: CoordTranslate<From: Clone>>(
        self,
        area: &DrawingArea<DB, C>,
        points: &[C::From],
    ) -> Drawn<DB> {
        let (style, points) = (self.colour.stroke_width(self.width), points.iter().cloned());
        match self.pattern {
            Some([dash, gap]) => area.draw(&DashedPathElement::new(points, dash, gap, style)),
            None => area.draw(&PathElement::new(points.collect::<Vec<_>>(), style)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_series_look_different() {
        let looks: Vec<Look> = (0..3 * style::COLOURS).map(Look::of).collect();
        for (index, look) in looks.iter().enumerate() {
            assert!(!looks[..index].contains(look), "{index}");
        }
    }
}
