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

/// A chart of up to three series by generation.
pub(super) struct Chart {
    pub(super) series: Vec<Series>,
    pub(super) title: &'static str,
}

const COLOURS: [RGBColor; 3] = [style::BLUE, style::VERMILLION, style::GREY];

impl Picture for Chart {
    fn size(&self) -> (u32, u32) {
        (WIDTH as u32, CHART as u32)
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let area = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let (mut curves, mut keys) = (Curves::default(), Vec::new());
        for (it, colour) in self.series.iter().zip(COLOURS) {
            keys.push(Key { mark: Mark::Line(style::THICK), colour, text: it.name });
            let places = it.points.iter().map(|point| point.0);
            curves.whiskers.extend(places.zip(&it.intervals).map(|(x, ends)| (colour, x, *ends)));
            let stroke = Stroke::whole(colour, style::THIN);
            curves.lines.push((stroke, Pooled::of(vec![it.points.clone()], &ANY)));
        }
        let rest = chart::legend_above(&area, if keys.len() > 1 { &keys } else { &[] })?;
        let points = || self.series.iter().flat_map(|it| &it.points);
        let (first, last) = (points().next(), points().last());
        let ends = [first, last].map(|point| point.map_or(0, |point| point.0 as u32));
        let frame = Frame {
            x: Axis::generations(ends[0]..=ends[1], 6),
            y: Axis::values(curves.values().chain([0.0]), 5),
            x_title: "generation",
            y_title: self.title,
            text: style::LABEL,
        };
        curves.draw(&mut frame.draw(&rest)?)
    }
}

/// A map of scores from 0 to 1, with a row and a column for each of some generations.
pub(super) struct Map {
    pub(super) generations: Vec<u32>,
    /// The score of each row against each column, where it is known.
    pub(super) scores: Vec<Vec<Option<f64>>>,
}

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

impl Map {
    fn cell(&self) -> i32 {
        (WIDTH - LEFT - 2 * MARGIN - style::LABEL) / self.generations.len().max(1) as i32
    }
}

impl Picture for Map {
    fn size(&self) -> (u32, u32) {
        let height = LEGEND + self.cell() * self.generations.len() as i32 + BELOW + 2 * MARGIN;
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
        let (cell, length) = (self.cell(), self.cell() * self.generations.len() as i32);
        for (row, scores) in (0..).zip(&self.scores) {
            for (column, score) in (0..).zip(scores) {
                let Some(score) = *score else { continue };
                let (x, y) = (LEFT + column * cell, LEGEND + row * cell);
                let corners = [(x, y), (x + cell, y + cell)];
                area.draw(&Rectangle::new(corners, colour(score).filled()))?;
            }
        }
        area.draw_text("generation", &at(HPos::Left, VPos::Bottom), (0, LEGEND - 8))?;
        let bottom = LEGEND + length;
        let stride = self.generations.len().div_ceil(LABELS).max(1);
        for (index, generation) in self.generations.iter().enumerate().step_by(stride) {
            let (label, centre) = (generation.to_string(), index as i32 * cell + cell / 2);
            let (row, column) = ((LEFT - 16, LEGEND + centre), (LEFT + centre, bottom + 12));
            area.draw_text(&label, &at(HPos::Right, VPos::Center), row)?;
            area.draw_text(&label, &at(HPos::Center, VPos::Top), column)?;
        }
        let below = (LEFT + length / 2, bottom + 84);
        area.draw_text("generation of the opponent", &at(HPos::Center, VPos::Top), below)
    }
}
