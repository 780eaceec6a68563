//! Building blocks for panels: frames with a grid, lines, bands and legends.

use std::ops::Range;

use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::prelude::{Cartesian2d, DrawingBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, RGBColor, ShapeStyle, TextStyle};

use super::{Axis, Look, Stroke, style};

pub type Area<DB> = DrawingArea<DB, Shift>;
pub type Drawn<DB, T = ()> = Result<T, DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;
pub type Plot<'a, DB> = ChartContext<'a, DB, Cartesian2d<Axis, Axis>>;
type Point = (f64, f64);

/// Minimum distance in pixels between points drawn as dots.
const DOT_DISTANCE: i32 = 48;
const LIGHT: f64 = 0.2;

/// The axes of a chart with their titles. An empty title takes no space.
pub struct Frame<'a> {
    pub x: Axis,
    pub y: Axis,
    pub x_title: &'a str,
    pub y_title: &'a str,
    pub text: i32,
}

impl Frame<'_> {
    pub(crate) fn indent(&self) -> i32 {
        let widths = self.y.labels().map(|label| style::width(&label, self.text));
        widths.max().unwrap_or(0) + 32 + title_height(self.y_title, self.text)
    }

    /// Draws the frame and returns the plotting area inside it.
    pub fn draw<'a, DB: DrawingBackend>(&self, area: &Area<DB>) -> Drawn<DB, Plot<'a, DB>> {
        self.draw_indented(area, self.indent())
    }

    /// Draws the frame with the given indent, so that stacked frames can be aligned.
    pub(crate) fn draw_indented<'a, DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        indent: i32,
    ) -> Drawn<DB, Plot<'a, DB>> {
        let below = self.text * 5 / 4 + title_height(self.x_title, self.text);
        let mut chart = ChartBuilder::on(area)
            .x_label_area_size(below)
            .y_label_area_size(indent)
            .margin_top(self.text / 2)
            // Leave room for the last label of the x axis, which extends beyond the axis.
            .margin_right(self.text)
            .build_cartesian_2d(self.x.clone(), self.y.clone())?;
        let label = style::text(self.text, style::INK);
        chart
            .configure_mesh()
            .light_line_style(style::GRID.mix(0.0))
            .bold_line_style(style::GRID.stroke_width(style::HAIR))
            .axis_style(style::PALE_INK.stroke_width(style::HAIR))
            .set_all_tick_mark_size(10)
            .label_style(label.clone())
            .axis_desc_style(label)
            .x_desc(self.x_title)
            .y_desc(self.y_title)
            .draw()?;
        Ok(chart)
    }
}

pub(crate) fn title_height(title: &str, text: i32) -> i32 {
    if title.is_empty() { 0 } else { text * 5 / 4 }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        start + (share * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        self.label(*value)
    }
}

pub fn line<DB: DrawingBackend>(
    plot: &mut Plot<DB>,
    points: &[Point],
    stroke: Stroke,
) -> Drawn<DB> {
    stroke.draw(plot.plotting_area(), points)?;
    let column = |index: usize| plot.backend_coord(&points[index]).0;
    if points.len() == 1 || column(1) - column(0) >= DOT_DISTANCE {
        for point in points {
            let dot = Circle::new(*point, stroke.width + 3, stroke.colour.filled());
            plot.plotting_area().draw(&dot)?;
        }
    }
    Ok(())
}

/// Draws a diamond with a white border around a point, given in pixels.
pub(crate) fn diamond<DB: DrawingBackend>(
    area: &Area<DB>,
    (x, y): (i32, i32),
    half: i32,
    colour: RGBColor,
) -> Drawn<DB> {
    let corners = |half| vec![(x - half, y), (x, y - half), (x + half, y), (x, y + half)];
    area.draw(&Polygon::new(corners(half + 6), style::PAPER.filled()))?;
    area.draw(&Polygon::new(corners(half), colour.filled()))
}

/// Fills the area between two lines that have the same x values.
pub(crate) fn band<DB: DrawingBackend>(
    plot: &mut Plot<DB>,
    low: &[Point],
    high: &[Point],
    colour: RGBColor,
    weight: f64,
) -> Drawn<DB> {
    let fill = colour.mix(LIGHT * weight).filled();
    if let ([low], [high]) = (low, high) {
        // A single point has no width, so draw a bar that covers a small part of the axis.
        let range = plot.x_range();
        let half = (range.end - range.start) / 60.0;
        let bar = Rectangle::new([(low.0 - half, low.1), (high.0 + half, high.1)], fill);
        return plot.plotting_area().draw(&bar);
    }
    let outline: Vec<_> = low.iter().chain(high.iter().rev()).copied().collect();
    plot.plotting_area().draw(&Polygon::new(outline, fill))
}

pub(crate) fn draw_lines<DB: DrawingBackend>(
    area: &Area<DB>,
    lines: &[String],
    style: &TextStyle,
    (x, y): (i32, i32),
    step: i32,
) -> Drawn<DB> {
    let mut lines = lines.iter().zip((y..).step_by(step as usize));
    lines.try_for_each(|(line, y)| area.draw_text(line, style, (x, y)))
}

pub struct Key<'a> {
    pub mark: Mark,
    pub colour: RGBColor,
    pub text: &'a str,
}

#[derive(Clone, Copy)]
pub enum Mark {
    Line(u32),
    /// The line style of a series.
    Series(Look),
    Band,
    Box,
    Diamond,
    Dot,
    None,
}

const MARK_WIDTH: i32 = 88;
/// Line width of a series in a legend, even if the series is plotted as bars or dots.
const SERIES: u32 = 2 * style::THICK;
const MARK_GAP: i32 = 24;
const KEY_GAP: i32 = 80;

/// Arranges the entries of a legend in rows of the given width. Returns their positions and the total height.
fn flow(keys: &[Key], room: i32) -> (Vec<(i32, i32)>, i32) {
    if keys.is_empty() {
        return (Vec::new(), 0);
    }
    let row = style::LABEL * 3 / 2;
    let (mut x, mut y) = (0, 0);
    let mut places = Vec::new();
    for key in keys {
        let width = MARK_WIDTH + MARK_GAP + style::width(key.text, style::LABEL);
        if x > 0 && x + width > room {
            (x, y) = (0, y + row);
        }
        places.push((x, y));
        x += width + KEY_GAP;
    }
    (places, y + row)
}

pub fn legend_height(keys: &[Key], room: i32) -> i32 {
    flow(keys, room).1
}

/// Draws a legend with its entries in rows, starting at the top left corner.
pub fn legend<DB: DrawingBackend>(area: &Area<DB>, keys: &[Key]) -> Drawn<DB> {
    let room = area.dim_in_pixel().0 as i32;
    for (key, (x, y)) in keys.iter().zip(flow(keys, room).0) {
        let middle = y + style::LABEL * 2 / 3;
        mark(area, key, (x, middle))?;
        let left = x + MARK_WIDTH + MARK_GAP;
        let text = style::shorten(key.text, style::LABEL, room - left);
        area.draw_text(&text, &style::centred(HPos::Left), (left, middle))?;
    }
    Ok(())
}

pub(crate) fn legend_above<DB: DrawingBackend>(
    area: &Area<DB>,
    keys: &[Key],
) -> Drawn<DB, Area<DB>> {
    let height = legend_height(keys, area.dim_in_pixel().0 as i32);
    let (top, rest) = area.split_vertically(height);
    legend(&top, keys)?;
    Ok(rest)
}

fn mark<DB: DrawingBackend>(area: &Area<DB>, key: &Key, (x, y): (i32, i32)) -> Drawn<DB> {
    let (end, half) = (x + MARK_WIDTH, style::LABEL / 2 - 6);
    let block = |fill| Rectangle::new([(x, y - half), (end, y + half)], fill);
    match key.mark {
        Mark::Line(width) => {
            area.draw(&PathElement::new(vec![(x, y), (end, y)], key.colour.stroke_width(width)))
        }
        Mark::Series(look) => look.stroke(SERIES).draw(area, &[(x, y), (end, y)]),
        Mark::None => Ok(()),
        Mark::Diamond => diamond(area, (x + MARK_WIDTH / 2, y), half, key.colour),
        Mark::Dot => {
            area.draw(&Circle::new((x + MARK_WIDTH / 2, y), half / 2, key.colour.filled()))
        }
        Mark::Band => area.draw(&block(key.colour.mix(LIGHT).filled())),
        Mark::Box => area.draw(&block(key.colour.filled())),
    }
}

/// A horizontal axis that several rows of intervals or bars share. It is drawn below them.
pub(crate) struct RowAxis {
    pub(crate) axis: Axis,
    /// X coordinates of both ends, in pixels.
    pub(crate) left: i32,
    pub(crate) right: i32,
}

impl RowAxis {
    pub(crate) fn x(&self, value: f64) -> i32 {
        self.axis.map(&value, (self.left, self.right))
    }

    /// Draws a grid from the top to `bottom` with a line at zero, and the labels and the title below it.
    pub(crate) fn draw<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        bottom: i32,
        title: &str,
    ) -> Drawn<DB> {
        let below = style::text(style::LABEL, style::INK).pos(Pos::new(HPos::Center, VPos::Top));
        let mut free = i32::MIN;
        for &tick in &self.axis.ticks {
            let (x, label) = (self.x(tick), self.axis.label(tick));
            let line = vec![(x, 0), (x, bottom)];
            area.draw(&PathElement::new(line, style::GRID.stroke_width(style::HAIR)))?;
            let half = style::width(&label, style::LABEL) / 2;
            // Long names leave little room for the axis, so skip labels that would overlap.
            if x - half > free {
                area.draw_text(&label, &below, (x, bottom + style::LABEL / 4))?;
                free = x + half + 16;
            }
        }
        self.draw_zero(area, bottom)?;
        let middle = (self.left + self.right) / 2;
        area.draw_text(title, &below, (middle, bottom + style::LABEL * 3 / 2))
    }

    pub(crate) fn draw_zero<DB: DrawingBackend>(&self, area: &Area<DB>, bottom: i32) -> Drawn<DB> {
        let ends = vec![(self.x(0.0), 0), (self.x(0.0), bottom)];
        area.draw(&PathElement::new(ends, style::PALE_INK.stroke_width(style::THIN)))
    }

    /// Draws a bar from zero to a value. Returns the position of its end.
    pub(crate) fn draw_bar<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        y: i32,
        value: f64,
        half: i32,
        fill: ShapeStyle,
    ) -> Drawn<DB, i32> {
        let (zero, end) = (self.x(0.0), self.x(value));
        let corners = [(zero.min(end), y - half), (zero.max(end), y + half)];
        area.draw(&Rectangle::new(corners, fill))?;
        Ok(end)
    }

    pub(crate) fn draw_interval<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        y: i32,
        interval: [f64; 2],
        colour: RGBColor,
    ) -> Drawn<DB> {
        const CAP: i32 = 16;
        let [low, high] = interval.map(|end| self.x(end));
        let line = |points| PathElement::new(points, colour.stroke_width(style::THIN));
        area.draw(&line(vec![(low, y), (high, y)]))?;
        [low, high]
            .into_iter()
            .try_for_each(|end| area.draw(&line(vec![(end, y - CAP), (end, y + CAP)])))
    }
}
