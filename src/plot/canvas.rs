//! Represents plots as lists of shapes.
//!
//! A [`Canvas`] has a fixed width. New content is appended at the bottom, so the canvas grows downwards.

use plotters::style::{Color, RGBAColor, TextStyle};

use super::style;

/// Coordinates in pixels.
pub type Place = (i32, i32);

/// A picture, represented as a list of shapes. It has a fixed width, but grows in height when content is appended.
#[derive(Clone)]
pub struct Canvas {
    pub width: i32,
    pub height: i32,
    /// The supersampling factor. The plot is drawn this many times larger and then scaled down.
    pub fineness: u32,
    pub(super) shapes: Vec<Shape>,
}

#[derive(Clone)]
pub(super) struct Shape {
    pub(super) points: Vec<Place>,
    pub(super) form: Form,
}

#[derive(Clone)]
pub(super) enum Form {
    Line(Stroke),
    Polygon(RGBAColor),
    Rectangle(RGBAColor),
    Circle(i32, RGBAColor),
    Text(String, Box<TextStyle<'static>>),
}

impl Canvas {
    /// Creates an empty canvas.
    pub fn new(width: i32) -> Canvas {
        Canvas { width, height: 0, fineness: style::FINENESS, shapes: Vec::new() }
    }

    fn add(&mut self, points: Vec<Place>, form: Form) {
        self.shapes.push(Shape { points, form });
    }

    /// Draws a line through points.
    pub fn line(&mut self, points: impl Into<Vec<Place>>, stroke: Stroke) {
        self.add(points.into(), Form::Line(stroke));
    }

    /// Fills the polygon with these corners.
    pub fn polygon(&mut self, points: impl Into<Vec<Place>>, fill: impl Color) {
        self.add(points.into(), Form::Polygon(fill.to_rgba()));
    }

    /// Fills the rectangle between the upper left and the lower right corner.
    pub fn rectangle(&mut self, corners: [Place; 2], fill: impl Color) {
        self.add(corners.into(), Form::Rectangle(fill.to_rgba()));
    }

    /// Fills a circle around a point.
    pub fn circle(&mut self, centre: Place, radius: i32, fill: impl Color) {
        self.add(vec![centre], Form::Circle(radius, fill.to_rgba()));
    }

    /// Fills a diamond with a white border.
    pub(crate) fn diamond(&mut self, (x, y): Place, half: i32, fill: impl Color) {
        let corners = |half| [(x - half, y), (x, y - half), (x + half, y), (x, y + half)];
        self.polygon(corners(half + 6), style::PAPER);
        self.polygon(corners(half), fill);
    }

    /// Draws text. Its upper left corner is at `place`, unless the style sets a different anchor.
    pub fn text(&mut self, place: Place, text: impl Into<String>, style: TextStyle<'static>) {
        let text = text.into();
        if !text.is_empty() {
            self.add(vec![place], Form::Text(text, Box::new(style)));
        }
    }

    fn paste(&mut self, other: Canvas, (left, top): Place) {
        for mut shape in other.shapes {
            shape.points.iter_mut().for_each(|(x, y)| (*x, *y) = (*x + left, *y + top));
            self.shapes.push(shape);
        }
    }

    /// Appends other canvases side by side.
    pub fn append(&mut self, row: impl IntoIterator<Item = Canvas>) {
        let (mut left, mut height) = (0, 0);
        for canvas in row {
            height = height.max(canvas.height);
            let next = left + canvas.width;
            self.paste(canvas, (left, self.height));
            left = next;
        }
        self.height += height;
    }

    /// Adds a margin on all sides.
    pub fn with_margin(self, margin: i32) -> Canvas {
        let (width, height) = (self.width + 2 * margin, self.height + 2 * margin);
        let mut framed = Canvas { width, height, fineness: self.fineness, shapes: Vec::new() };
        framed.paste(self, (margin, margin));
        framed
    }
}

/// The lengths of dashes and gaps in pixels, or `None` for a solid line.
type Pattern = Option<[i32; 2]>;

const PATTERNS: [Pattern; 3] = [None, Some([56, 24]), Some([14, 20])];

/// The colour, width and dashes of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    pub(crate) colour: RGBAColor,
    pub(crate) width: u32,
    pub(super) pattern: Pattern,
}

impl Stroke {
    /// Returns a solid stroke of this colour and width.
    pub fn whole(colour: impl Color, width: u32) -> Stroke {
        Stroke { colour: colour.to_rgba(), width, pattern: None }
    }

    /// Returns the stroke of a series. If there are more series than colours, the colours are
    /// repeated in darker shades, first with dashed and then with dotted lines.
    pub(crate) fn series(index: usize) -> Stroke {
        let pattern = PATTERNS[index / style::COLOURS % PATTERNS.len()];
        Stroke { pattern, ..Stroke::whole(style::series(index), style::THIN) }
    }

    pub(crate) fn wide(self, width: u32) -> Stroke {
        Stroke { width, ..self }
    }

    pub(crate) fn coloured(self, colour: impl Color) -> Stroke {
        Stroke { colour: colour.to_rgba(), ..self }
    }
}
