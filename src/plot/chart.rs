//! Charts with axes, legends and headers.

use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{Color, FontTransform, RGBAColor};

use super::canvas::Place;
use super::{Axis, Canvas, Curve, Pooled, Stroke, style};

type Point = (f64, f64);

/// If the points of a line are at least this many pixels apart, then we mark them with dots.
const DOT_DISTANCE: i32 = 48;
const DOT: i32 = 13;
const DIAMOND: i32 = 24;
/// Half the width of the caps on a diamond's error bar.
const CAP: i32 = 40;
const LIGHT: f64 = 0.2;
pub(crate) const GAP: i32 = 48;

/// A chart element.
pub enum Mark {
    /// A line through points, with dots if the points are far apart.
    Line(Stroke, Curve),
    /// The area between two lines that have the same x values.
    Band(RGBAColor, [Curve; 2]),
    /// A vertical line that shows an interval at the given x value.
    Interval(RGBAColor, f64, [f64; 2]),
    /// A dot with the given radius.
    Dot(RGBAColor, i32, Point),
    /// A diamond with an error bar for its interval on the y axis.
    Diamond(RGBAColor, Point, [f64; 2]),
    /// A bar, given by its lower left and upper right corners.
    Bar(RGBAColor, [Point; 2]),
}

impl Mark {
    pub(crate) fn band(colour: impl Color, curves: [Curve; 2]) -> Mark {
        Mark::Band(colour.mix(LIGHT), curves)
    }

    pub(crate) fn interval(colour: impl Color, x: f64, ends: [f64; 2]) -> Mark {
        Mark::Interval(colour.mix(0.6), x, ends)
    }

    pub(crate) fn dot(colour: impl Color, place: Point) -> Mark {
        Mark::Dot(colour.to_rgba(), DOT, place)
    }

    fn values(&self) -> Vec<f64> {
        match self {
            Mark::Line(_, points) => points.iter().map(|point| point.1).collect(),
            Mark::Band(_, ends) => ends.iter().flatten().map(|point| point.1).collect(),
            Mark::Interval(_, _, ends) | Mark::Diamond(_, _, ends) => ends.to_vec(),
            Mark::Dot(_, _, point) => vec![point.1],
            Mark::Bar(_, corners) => corners.iter().map(|point| point.1).collect(),
        }
    }
}

/// Returns the y values of these marks, which the y axis must cover.
pub fn values(marks: &[Mark]) -> impl Iterator<Item = f64> {
    marks.iter().flat_map(Mark::values)
}

/// Converts pooled lines to marks. Means are drawn on top of all intervals and individual curves.
pub(crate) fn pooled(lines: Vec<(Stroke, Pooled)>) -> Vec<Mark> {
    let (mut below, mut means) = (Vec::new(), Vec::new());
    for (stroke, Pooled { mean, band, singles }) in lines {
        below.extend(band.map(|ends| Mark::band(stroke.colour, ends)));
        let faint = stroke.coloured(stroke.colour.mix(0.45)).wide(style::HAIR);
        below.extend(singles.into_iter().map(|single| Mark::Line(faint, single)));
        means.push(Mark::Line(stroke, mean));
    }
    below.extend(means);
    below
}

/// A chart, with titles for the x and y axes. Empty titles take no space.
pub struct Chart {
    pub x: Axis,
    pub y: Axis,
    pub titles: [String; 2],
    /// The font size of titles and labels.
    pub text: i32,
    /// The lines of text above the chart.
    pub caption: Vec<(String, RGBAColor)>,
    /// A y value that is marked with a horizontal line.
    pub level: Option<f64>,
    pub marks: Vec<Mark>,
}

impl Chart {
    /// Creates a chart whose y axis covers the marks and the values in `others`.
    pub fn new(x: Axis, titles: [&str; 2], marks: Vec<Mark>, others: &[f64]) -> Chart {
        let y = Axis::values(values(&marks).chain(others.iter().copied()), 6);
        let (titles, caption) = (titles.map(str::to_owned), Vec::new());
        Chart { x, y, titles, text: style::LABEL, caption, level: None, marks }
    }

    fn indent(&self) -> i32 {
        let labels = self.y.labels();
        let widest = labels.map(|label| style::width(&label, self.text)).max().unwrap_or(0);
        widest + 32 + title_height(&self.titles[1], self.text)
    }

    /// Appends the chart to a picture.
    pub fn draw(&self, picture: &mut Canvas, height: i32) {
        self.draw_indented(picture, height, self.indent());
    }

    fn draw_indented(&self, picture: &mut Canvas, height: i32, indent: i32) {
        let text = self.text;
        let (line, above) = (text * 5 / 4, picture.height);
        picture.height += height;
        for ((caption, colour), y) in self.caption.iter().zip((above..).step_by(line as usize)) {
            let caption = style::shorten(caption, text, picture.width);
            picture.text((0, y), caption, style::text(text, colour));
        }
        let top = above + self.caption.len() as i32 * line + text / 2;
        let bottom = picture.height - line - title_height(&self.titles[0], text);
        // Leave room for the last label of the x axis, which extends beyond the right end of the axis.
        let (left, right) = (indent, picture.width - text);
        let at = |(x, y): Point| -> Place {
            (self.x.place(x, [left, right]), self.y.place(y, [bottom, top]))
        };
        let label = |h, v| style::anchored(text, style::INK, h, v);
        let (grid, pale) =
            (Stroke::whole(style::GRID, style::HAIR), Stroke::whole(style::PALE_INK, style::HAIR));
        for &tick in &self.x.ticks {
            let x = at((tick, 0.0)).0;
            picture.line([(x, top), (x, bottom)], grid);
            picture.line([(x, bottom), (x, bottom + 10)], pale);
            picture.text((x, bottom + 20), self.x.label(tick), label(HPos::Center, VPos::Top));
        }
        for &tick in &self.y.ticks {
            let y = at((0.0, tick)).1;
            picture.line([(left, y), (right, y)], grid);
            picture.line([(left - 10, y), (left, y)], pale);
            picture.text((left - 20, y), self.y.label(tick), label(HPos::Right, VPos::Center));
        }
        picture.line([(left, top), (left, bottom), (right, bottom)], pale);
        let below = ((left + right) / 2, picture.height);
        picture.text(below, &self.titles[0], label(HPos::Center, VPos::Bottom));
        let rotated = label(HPos::Center, VPos::Top).transform(FontTransform::Rotate270);
        picture.text((0, (top + bottom) / 2), &self.titles[1], rotated);
        if let Some(level) = self.level {
            let y = at((0.0, level)).1;
            picture.line([(left, y), (right, y)], Stroke::whole(style::PALE_INK, style::THIN));
        }
        self.marks.iter().for_each(|mark| draw_mark(mark, picture, at, right - left));
    }
}

fn draw_mark(mark: &Mark, picture: &mut Canvas, at: impl Fn(Point) -> Place, width: i32) {
    let upright = |x, ends: [f64; 2]| ends.map(|end| at((x, end)));
    match mark {
        Mark::Line(stroke, points) => {
            let places: Vec<Place> = points.iter().map(|point| at(*point)).collect();
            let are_far = places.get(1).is_none_or(|next| next.0 - places[0].0 >= DOT_DISTANCE);
            for place in places.iter().filter(|_| are_far) {
                picture.circle(*place, stroke.width as i32 + 3, stroke.colour);
            }
            picture.line(places, *stroke);
        }
        Mark::Band(colour, [low, high]) => match (low.as_slice(), high.as_slice()) {
            // A band over a single point has no width, so we draw a narrow bar instead.
            (&[low], &[high]) => {
                let ((x, bottom), top) = (at(low), at(high).1);
                picture.rectangle([(x - width / 60, top), (x + width / 60, bottom)], *colour);
            }
            _ => {
                let outline = low.iter().chain(high.iter().rev()).map(|point| at(*point));
                picture.polygon(outline.collect::<Vec<_>>(), *colour);
            }
        },
        Mark::Interval(colour, x, ends) => {
            picture.line(upright(*x, *ends), Stroke::whole(*colour, style::THIN));
        }
        Mark::Dot(colour, radius, point) => picture.circle(at(*point), *radius, *colour),
        Mark::Diamond(colour, point, ends) => {
            picture.diamond(at(*point), DIAMOND, *colour);
            let (ends, stroke) = (upright(point.0, *ends), Stroke::whole(*colour, style::THIN));
            picture.line(ends, stroke);
            for (x, y) in ends {
                picture.line([(x - CAP, y), (x + CAP, y)], stroke);
            }
        }
        Mark::Bar(colour, [(left, low), (right, high)]) => {
            picture.rectangle([at((*left, *high)), at((*right, *low))], *colour);
        }
    }
}

fn title_height(title: &str, text: i32) -> i32 {
    if title.is_empty() { 0 } else { text * 5 / 4 }
}

/// Appends charts of equal height below each other. They share the title of the x axis.
pub(crate) fn stack(mut charts: Vec<Chart>, picture: &mut Canvas, height: i32) {
    let Some((last, others)) = charts.split_last_mut() else { return };
    others.iter_mut().for_each(|chart| chart.titles[0].clear());
    let title = title_height(&last.titles[0], last.text);
    let each = (height - title) / (others.len() + 1) as i32;
    let indent = charts.iter().map(Chart::indent).max().unwrap_or(0);
    for chart in &charts {
        let height = each + title_height(&chart.titles[0], chart.text);
        chart.draw_indented(picture, height, indent);
    }
}

/// Appends charts in rows of `columns` charts. `height` is the height of a row, including the space below it.
pub fn grid(charts: &[Chart], columns: usize, picture: &mut Canvas, height: i32) {
    for row in charts.chunks(columns) {
        let cell = |chart: &Chart| {
            let mut cell = Canvas::new(picture.width / columns as i32);
            chart.draw(&mut cell, height - GAP);
            cell
        };
        let cells: Vec<Canvas> = row.iter().map(cell).collect();
        picture.append(cells);
        picture.height += GAP;
    }
}

/// A symbol in a legend.
pub enum Symbol {
    Line(Stroke),
    Band(RGBAColor),
    Box(RGBAColor),
    Diamond(RGBAColor),
    Dot(RGBAColor),
    None,
}

/// A legend symbol and its explanation.
pub type Key = (Symbol, String);

pub(crate) fn line_key(colour: impl Color, width: u32, text: &str) -> Key {
    (Symbol::Line(Stroke::whole(colour, width)), text.to_owned())
}

const SYMBOL: i32 = 88;
const KEY_GAP: i32 = 80;

/// Appends a legend, wrapped into rows.
pub fn legend(keys: &[Key], picture: &mut Canvas) {
    let (mut x, row) = (0, style::LABEL * 3 / 2);
    for (symbol, text) in keys {
        let width = SYMBOL + 24 + style::width(text, style::LABEL);
        if x == 0 || x + width > picture.width {
            (x, picture.height) = (0, picture.height + row);
        }
        let y = picture.height - row + style::LABEL * 2 / 3;
        draw_symbol(symbol, picture, (x, y));
        let text = style::shorten(text, style::LABEL, picture.width - x - SYMBOL - 24);
        picture.text((x + SYMBOL + 24, y), text, style::label(HPos::Left));
        x += width + KEY_GAP;
    }
}

fn draw_symbol(symbol: &Symbol, picture: &mut Canvas, (x, y): Place) {
    let (end, middle, half) = (x + SYMBOL, x + SYMBOL / 2, style::LABEL / 2 - 6);
    let corners = [(x, y - half), (end, y + half)];
    match symbol {
        Symbol::Line(stroke) => picture.line([(x, y), (end, y)], *stroke),
        Symbol::Band(colour) => picture.rectangle(corners, colour.mix(LIGHT)),
        Symbol::Box(colour) => picture.rectangle(corners, *colour),
        Symbol::Diamond(colour) => picture.diamond((middle, y), half, *colour),
        Symbol::Dot(colour) => picture.circle((middle, y), half / 2, *colour),
        Symbol::None => {}
    }
}

const MAX_LINES: usize = 4;

/// Appends a title and, below it, wrapped lines of text. Names are darker than notes.
pub fn header(title: &str, names: &[String], notes: &[&str], picture: &mut Canvas) {
    picture.text((0, picture.height), title, style::text(style::TITLE, style::INK));
    picture.height += style::TITLE * 3 / 2;
    let names = names.iter().map(|name| (name.as_str(), style::INK));
    for (text, colour) in names.chain(notes.iter().map(|note| (*note, style::PALE_INK))) {
        for line in style::wrap(text, style::LABEL, picture.width, MAX_LINES) {
            picture.text((0, picture.height), line, style::text(style::LABEL, colour));
            picture.height += style::LABEL * 3 / 2;
        }
    }
    picture.height += 40;
}
