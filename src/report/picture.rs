//! Pictures of a report. They are narrow, so that their text is legible on a phone.

use plotters::style::RGBColor;
use plotters::style::text_anchor::{HPos, VPos};

use crate::plot::chart::{self, Mark};
use crate::plot::{Axis, Canvas, Chart, Curve, Stroke, style};

const WIDTH: i32 = 1500;
const CHART: i32 = 860;
const MARGIN: i32 = 12;

/// A series of a chart: a line, and optionally an interval at each point.
pub(super) struct Series {
    pub(super) name: &'static str,
    pub(super) points: Curve,
    pub(super) intervals: Vec<[f64; 2]>,
}

const COLOURS: [RGBColor; 3] = [style::BLUE, style::VERMILLION, style::GREY];

/// Returns a chart of up to three series by generation.
pub(super) fn chart(title: &str, series: Vec<Series>) -> Canvas {
    let mut picture = Canvas::new(WIDTH - 2 * MARGIN);
    let (mut marks, mut keys) = (Vec::new(), Vec::new());
    let points = || series.iter().flat_map(|it| &it.points);
    let ends = [points().next(), points().last()];
    let [first, last] = ends.map(|point| point.map_or(0, |point| point.0 as u32));
    for (Series { name, points, intervals }, colour) in series.into_iter().zip(COLOURS) {
        keys.push(chart::line_key(colour, style::THICK, name));
        let places = points.iter().zip(intervals);
        marks.extend(places.map(|(point, ends)| Mark::interval(colour, point.0, ends)));
        marks.push(Mark::Line(Stroke::whole(colour, style::THIN), points));
    }
    if keys.len() > 1 {
        chart::legend(&keys, &mut picture);
    }
    let chart =
        Chart::new(Axis::generations(first..=last, 6), ["generation", title], marks, &[0.0]);
    let height = CHART - 2 * MARGIN - picture.height;
    chart.draw(&mut picture, height);
    picture.with_margin(MARGIN)
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
    pub(super) fn draw(&self) -> Canvas {
        let mut picture = Canvas::new(WIDTH - 2 * MARGIN);
        let at = |h, v| style::anchored(style::LABEL, style::INK, h, v);
        for step in 0..40 {
            let score = (f64::from(step) + 0.5) / 40.0;
            let x = LEFT + step * 24;
            picture.rectangle([(x, 0), (x + 24, 56)], colour(score));
        }
        for (text, x) in [("loses", 0), ("½", 480), ("wins", 960)] {
            picture.text((LEFT + x, 66), text, at(HPos::Center, VPos::Top));
        }
        let count = self.generations.len();
        let cell = (picture.width - LEFT - style::LABEL) / count.max(1) as i32;
        let length = cell * count as i32;
        for (row, scores) in (0..).zip(&self.scores) {
            for (column, score) in (0..).zip(scores) {
                let Some(score) = *score else { continue };
                let (x, y) = (LEFT + column * cell, LEGEND + row * cell);
                picture.rectangle([(x, y), (x + cell, y + cell)], colour(score));
            }
        }
        picture.text((0, LEGEND - 8), "generation", at(HPos::Left, VPos::Bottom));
        let bottom = LEGEND + length;
        let stride = count.div_ceil(LABELS).max(1);
        for (index, generation) in self.generations.iter().enumerate().step_by(stride) {
            let (label, centre) = (generation.to_string(), index as i32 * cell + cell / 2);
            let row = (LEFT - 16, LEGEND + centre);
            picture.text(row, &label, at(HPos::Right, VPos::Center));
            picture.text((LEFT + centre, bottom + 12), label, at(HPos::Center, VPos::Top));
        }
        let below = (LEFT + length / 2, bottom + 84);
        picture.text(below, "generation of the opponent", at(HPos::Center, VPos::Top));
        picture.height = bottom + BELOW;
        picture.with_margin(MARGIN)
    }
}
