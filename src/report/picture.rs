//! Pictures of a report. They are narrow, so that their text is legible on a phone.

use plotters::element::Rectangle;
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, RGBColor};

use crate::plot::{
    ANY, Area, Axis, Curve, Curves, Drawn, Frame, Key, Mark, Picture, Pooled, Stroke, chart, style,
};

const WIDTH: i32 = 1500;
const CHART: i32 = 860;
const MARGIN: i32 = 12;

/// A series of a chart: a line, and optionally an interval at each point.
pub(super) struct Series {
    pub(super) name: &'static str,
    pub(super) points: Curve,
    pub(super) intervals: Vec<[f64; 2]>,
}

/// A chart with up to four series.
pub(super) struct Chart {
    curves: Curves,
    keys: Vec<(&'static str, RGBColor)>,
    x: (Axis, &'static str),
    y: (Axis, &'static str),
}

const COLOURS: [RGBColor; 4] = [style::BLUE, style::VERMILLION, style::GREY, style::SKY];

impl Chart {
    /// Creates a chart with an axis of generations, or of amounts such as hours.
    pub(super) fn new(
        series: Vec<Series>,
        (x_title, is_by_generation): (&'static str, bool),
        y_title: &'static str,
        has_zero: bool,
    ) -> Chart {
        let xs = || series.iter().flat_map(|it| it.points.iter().map(|point| point.0));
        let ends = [xs().fold(f64::INFINITY, f64::min), xs().fold(0.0, f64::max)];
        let x = match is_by_generation {
            true => Axis::generations(ends[0] as u32..=ends[1] as u32, 6),
            false => Axis::amounts([0.0, ends[1]], 5),
        };
        let mut curves = Curves::default();
        let mut keys = Vec::new();
        for (it, colour) in series.into_iter().zip(COLOURS) {
            keys.push((it.name, colour));
            let places = it.points.iter().map(|point| point.0);
            curves.whiskers.extend(places.zip(it.intervals).map(|(x, ends)| (colour, x, ends)));
            let stroke = Stroke::whole(colour, style::THIN);
            curves.lines.push((stroke, Pooled::of(vec![it.points], &ANY)));
        }
        let y = Axis::values(curves.values().chain(has_zero.then_some(0.0)), 5);
        Chart { curves, keys, x: (x, x_title), y: (y, y_title) }
    }
}

impl Picture for Chart {
    fn size(&self) -> (u32, u32) {
        (WIDTH as u32, CHART as u32)
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let area = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let mark = Mark::Line(style::THICK);
        let keys = self.keys.iter().map(|&(text, colour)| Key { mark, colour, text });
        let keys: Vec<Key> = if self.keys.len() > 1 { keys.collect() } else { Vec::new() };
        let rest = chart::legend_above(&area, &keys)?;
        let ((x, x_title), (y, y_title)) = (&self.x, &self.y);
        let frame = Frame { x: x.clone(), y: y.clone(), x_title, y_title, text: style::LABEL };
        self.curves.draw(&mut frame.draw(&rest)?)
    }
}

/// A map of scores from 0 to 1, with a row for each generation and a column for each of its opponents.
pub(super) struct Map {
    /// Labels of the rows, from top to bottom.
    pub(super) rows: Vec<u32>,
    pub(super) columns: Vec<u32>,
    /// The score of each row against each column, where it is known.
    pub(super) scores: Vec<Vec<Option<f64>>>,
}

/// Cells show their score if there are at most this many rows.
const MAX_NUMBERS: usize = 14;
const LEGEND: i32 = 190;
const LEFT: i32 = 260;
const BELOW: i32 = 160;
const LABELS: usize = 10;

/// Colours of the scores 0, ¼, ½, ¾ and 1: cividis, whose lightness grows evenly for all kinds of colour vision.
const CIVIDIS: [[f64; 3]; 5] = [
    [0.0, 34.0, 78.0],
    [67.0, 78.0, 108.0],
    [125.0, 124.0, 120.0],
    [188.0, 175.0, 111.0],
    [254.0, 232.0, 56.0],
];

fn colour(score: f64) -> RGBColor {
    let place = score.clamp(0.0, 1.0) * 4.0;
    let step = (place as usize).min(3);
    let part = |it: usize| {
        let [low, high] = [CIVIDIS[step][it], CIVIDIS[step + 1][it]];
        (low + (high - low) * (place - step as f64)).round() as u8
    };
    RGBColor(part(0), part(1), part(2))
}

/// Returns black or white, which differ from the colours that the page changes in the dark.
fn ink(score: f64) -> RGBColor {
    if score > 0.55 { RGBColor(0, 0, 0) } else { RGBColor(254, 254, 254) }
}

impl Map {
    fn cell(&self) -> i32 {
        (WIDTH - LEFT - 2 * MARGIN - style::LABEL) / self.columns.len().max(1) as i32
    }
}

impl Picture for Map {
    fn size(&self) -> (u32, u32) {
        let height = LEGEND + self.cell() * self.rows.len() as i32 + BELOW + 2 * MARGIN;
        (WIDTH as u32, height as u32)
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let area = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let at = |h, v| style::text(style::LABEL, style::INK).pos(Pos::new(h, v));
        for step in 0..40 {
            let score = (f64::from(step) + 0.5) / 40.0;
            let x = LEFT + step * 24;
            let corners = [(x, 0), (x + 24, 56)];
            area.draw(&Rectangle::new(corners, colour(score).filled()))?;
        }
        for (text, x) in [("loses", 0), ("½", 480), ("wins", 960)] {
            area.draw_text(text, &at(HPos::Center, VPos::Top), (LEFT + x, 66))?;
        }
        let cell = self.cell();
        let centre = |index: usize| index as i32 * cell + cell / 2;
        let has_numbers = self.rows.len().max(self.columns.len()) <= MAX_NUMBERS;
        let size = (cell * 2 / 5).min(style::SMALL);
        for (row, scores) in self.scores.iter().enumerate() {
            for (column, score) in scores.iter().enumerate() {
                let Some(score) = *score else { continue };
                let corner = (LEFT + column as i32 * cell, LEGEND + row as i32 * cell);
                let end = (corner.0 + cell, corner.1 + cell);
                area.draw(&Rectangle::new([corner, end], colour(score).filled()))?;
                if has_numbers {
                    let centred = Pos::new(HPos::Center, VPos::Center);
                    let place = (LEFT + centre(column), LEGEND + centre(row));
                    let number = format!("{:.0}", 100.0 * score);
                    area.draw_text(&number, &style::text(size, ink(score)).pos(centred), place)?;
                }
            }
        }
        area.draw_text("generation", &at(HPos::Left, VPos::Bottom), (0, LEGEND - 8))?;
        let stride = |count: usize| count.div_ceil(LABELS).max(1);
        for (index, row) in self.rows.iter().enumerate().step_by(stride(self.rows.len())) {
            let place = (LEFT - 16, LEGEND + centre(index));
            area.draw_text(&row.to_string(), &at(HPos::Right, VPos::Center), place)?;
        }
        let bottom = LEGEND + cell * self.rows.len() as i32;
        for (index, column) in self.columns.iter().enumerate().step_by(stride(self.columns.len())) {
            let place = (LEFT + centre(index), bottom + 12);
            area.draw_text(&column.to_string(), &at(HPos::Center, VPos::Top), place)?;
        }
        let below = (LEFT + cell * self.columns.len() as i32 / 2, bottom + 84);
        area.draw_text("generation of the opponent", &at(HPos::Center, VPos::Top), below)
    }
}
