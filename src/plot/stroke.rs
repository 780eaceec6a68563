//! Line strokes: colour, width and dashes.

use plotters::style::RGBColor;

use super::style;

/// Lengths of dash and gap in pixels, or `None` for a solid line.
type Pattern = Option<[f64; 2]>;

const PATTERNS: [Pattern; 3] = [None, Some([56.0, 24.0]), Some([14.0, 20.0])];

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

    /// Splits a line through these points into dashes. `place` converts a point to pixels.
    pub(crate) fn parts(
        self,
        points: &[(f64, f64)],
        place: impl Fn((f64, f64)) -> (i32, i32),
    ) -> Vec<Vec<(f64, f64)>> {
        let Some(pattern) = self.pattern.filter(|_| points.len() > 1) else {
            return vec![points.to_vec()];
        };
        let length = |from, to| {
            let (from, to) = (place(from), place(to));
            let (x, y) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
            (x * x + y * y).sqrt()
        };
        dashes(points, length, pattern)
    }
}

fn dashes(
    points: &[(f64, f64)],
    length: impl Fn((f64, f64), (f64, f64)) -> f64,
    pattern: [f64; 2],
) -> Vec<Vec<(f64, f64)>> {
    let mut parts = Vec::new();
    let mut part = vec![points[0]];
    let (mut turn, mut left) = (0, pattern[0]);
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let whole = length(from, to);
        let mut done = 0.0;
        while whole - done > left {
            done += left;
            let share = done / whole;
            let at = (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
            if turn == 0 {
                part.push(at);
                parts.push(std::mem::take(&mut part));
            } else {
                part.push(at);
            }
            turn = 1 - turn;
            left = pattern[turn];
        }
        left -= whole - done;
        if turn == 0 {
            part.push(to);
        }
    }
    if part.len() > 1 {
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_continue_around_corners() {
        let points = [(0.0, 0.0), (3.0, 0.0), (3.0, 5.0)];
        let length =
            |from: (f64, f64), to: (f64, f64)| (to.0 - from.0).abs() + (to.1 - from.1).abs();
        let found = dashes(&points, length, [4.0, 1.0]);
        assert_eq!(found, [vec![(0.0, 0.0), (3.0, 0.0), (3.0, 1.0)], vec![(3.0, 2.0), (3.0, 5.0)]]);
    }

    #[test]
    fn many_series_look_different() {
        let looks: Vec<Look> = (0..3 * style::COLOURS).map(Look::of).collect();
        for (index, look) in looks.iter().enumerate() {
            assert!(!looks[..index].contains(look), "{index}");
        }
    }
}
