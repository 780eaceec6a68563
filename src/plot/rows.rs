//! Pictures with one row per player or feature: a name, an interval on a shared axis, and a figure.

use plotters::element::Circle;
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBColor};

use super::{Area, Axis, Drawn, Header, INNER, MARGIN, Picture, RowAxis, WIDTH, chart, style};

const LINE: i32 = style::LABEL * 5 / 4;
const GAP: i32 = 40;
const SPACE: i32 = 32;
/// Height below the rows for the labels and the title of the axis.
const FOOT: i32 = style::LABEL * 3;
const BAR: i32 = 64;
const DOT: i32 = 17;
const MAX_NAME_LINES: usize = 3;
const MAX_NAME_WIDTH: i32 = INNER * 9 / 20;

/// A value, and its interval if it has one.
pub(crate) type Value = (f64, Option<[f64; 2]>);

pub(crate) struct Row {
    /// The lines of the wrapped name.
    name: Vec<String>,
    figure: String,
    value: Option<Value>,
    /// The colour of the bar, if the value is drawn as a bar. Otherwise, it is drawn as a dot.
    bar: Option<RGBColor>,
}

impl Row {
    pub(crate) fn new(
        name: &str,
        figure: String,
        value: Option<Value>,
        bar: Option<RGBColor>,
    ) -> Row {
        let name = style::wrap_code(name, style::LABEL, MAX_NAME_WIDTH, MAX_NAME_LINES);
        Row { name, figure, value, bar }
    }

    fn height(&self) -> i32 {
        self.name.len() as i32 * LINE + GAP
    }
}

pub(crate) struct Rows {
    pub(crate) header: Header,
    pub(crate) rows: Vec<Row>,
    pub(crate) are_numbered: bool,
    pub(crate) axis_title: &'static str,
}

impl Rows {
    fn height(&self) -> i32 {
        self.rows.iter().map(Row::height).sum()
    }
}

impl Picture for Rows {
    fn size(&self) -> (u32, u32) {
        let height = 2 * MARGIN + self.header.height() + GAP + self.height() + FOOT;
        (WIDTH as u32, (height as u32).next_multiple_of(style::FINENESS))
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let sheet = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let (header, area) = sheet.split_vertically(self.header.height() + GAP);
        self.header.draw(&header)?;
        let number = style::width(&self.rows.len().to_string(), style::LABEL) + SPACE;
        let left = if self.are_numbered { number } else { 0 };
        let values = self.rows.iter().filter_map(|row| row.value);
        let ends = values.flat_map(|(value, interval)| interval.unwrap_or([value; 2]));
        let axis = RowAxis {
            axis: Axis::values(ends.chain([0.0]), 8),
            left: left + style::widest(self.rows.iter().flat_map(|row| &row.name)) + 2 * SPACE,
            right: INNER - style::widest(self.rows.iter().map(|row| &row.figure)) - 2 * SPACE,
        };
        axis.draw(&area, self.height(), self.axis_title)?;
        let label = style::centred(HPos::Left);
        let mut top = 0;
        for (row, number) in self.rows.iter().zip(1..) {
            let y = top + row.height() / 2;
            top += row.height();
            if self.are_numbered {
                area.draw_text(&i32::to_string(&number), &label, (0, y))?;
            }
            let first = y - (row.name.len() as i32 - 1) * LINE / 2;
            chart::draw_lines(&area, &row.name, &label, (left, first), LINE)?;
            area.draw_text(&row.figure, &style::centred(HPos::Right), (INNER, y))?;
            let Some((value, interval)) = row.value else { continue };
            if let Some(colour) = row.bar {
                axis.draw_bar(&area, y, value, BAR / 2, colour.mix(0.6).filled())?;
            }
            let colour = if row.bar.is_some() { style::INK } else { style::BLUE };
            if let Some(interval) = interval {
                axis.draw_interval(&area, y, interval, colour)?;
            }
            if row.bar.is_none() {
                area.draw(&Circle::new((axis.x(value), y), DOT, style::BLUE.filled()))?;
            }
        }
        Ok(())
    }
}
