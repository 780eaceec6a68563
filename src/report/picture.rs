//! Draws the plots of a report. They are narrow, so that their text is legible on a phone.

use arena::Diagnosis;
use plotters::style::RGBColor;
use plotters::style::colors::colormaps::{ColorMap, ViridisRGB};

use crate::plot::chart::{self, Mark, Symbol};
use crate::plot::{Axis, Canvas, Chart, Curve, Stroke, style};

const WIDTH: i32 = 1500;
const CHART: i32 = 860;
const MARGIN: i32 = 12;

/// A line in a chart, optionally with an interval at each point.
pub(super) struct Series {
    pub(super) name: &'static str,
    pub(super) points: Curve,
    pub(super) intervals: Vec<[f64; 2]>,
}

impl Series {
    pub(super) fn with_intervals(
        name: &'static str,
        values: impl Iterator<Item = Point>,
    ) -> Series {
        let values = values.map(|(at, it, ends)| ((f64::from(at), it), <[f64; 2]>::from(ends)));
        let (points, intervals) = values.unzip();
        Series { name, points, intervals }
    }
}

const COLOURS: [RGBColor; 3] = [style::BLUE, style::VERMILLION, style::GREY];

/// A generation, a value and the value's confidence interval.
pub(super) type Point = (u32, f64, (f64, f64));

/// Draws a chart of up to three series over the generations, with the final score `last` as a diamond.
pub(super) fn chart(title: &str, series: Vec<Series>, last: Option<Point>) -> Canvas {
    let mut picture = Canvas::new(WIDTH - 2 * MARGIN);
    let (mut marks, mut keys) = (Vec::new(), Vec::new());
    let generations = series.iter().flat_map(|it| &it.points).map(|point| point.0);
    let x = Axis::counts(generations.chain(last.map(|it| f64::from(it.0))), 8);
    for (Series { name, points, intervals }, colour) in series.into_iter().zip(COLOURS) {
        keys.push(chart::line_key(colour, style::THICK, name));
        let places = points.iter().zip(intervals);
        marks.extend(places.map(|(point, ends)| Mark::interval(colour, point.0, ends)));
        marks.push(Mark::Line(Stroke::whole(colour, style::THIN), points));
    }
    if let Some((at, value, ends)) = last {
        let colour = COLOURS[0].into();
        keys.push((Symbol::Diamond(colour), "champion of the run, measured at the end".into()));
        marks.push(Mark::Diamond(colour, (f64::from(at), value), ends.into()));
    }
    if keys.len() > 1 {
        chart::legend(&keys, &mut picture);
    }
    let chart = Chart::new(x, ["generation", title], marks, &[0.0]);
    let height = CHART - 2 * MARGIN - picture.height;
    chart.draw(&mut picture, height);
    picture.with_margin(MARGIN)
}

fn colour(score: f64) -> RGBColor {
    ViridisRGB.get_color(score as f32)
}

/// Returns a heat map of the scores between champions. Rows and columns start with the oldest champion.
pub(super) fn map(diagnosis: &Diagnosis, shown: &[usize]) -> Canvas {
    let mut picture = Canvas::new(WIDTH - 2 * MARGIN);
    let scores = [(1.0, "wins"), (0.5, "½"), (0.0, "loses")];
    let key = |(score, text): (f64, &str)| (Symbol::Box(colour(score).into()), text.to_owned());
    chart::legend(&scores.map(key), &mut picture);
    let generations = shown.iter().map(|it| f64::from(diagnosis.generations[*it]));
    let generations: Vec<f64> = generations.collect();
    // Cell boundaries are half-way between generations.
    let mut edges: Vec<f64> =
        generations.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect();
    let last = generations.len() - 1;
    let (start, end) = (2.0 * generations[0] - edges[0], 2.0 * generations[last] - edges[last - 1]);
    edges.insert(0, start);
    edges.push(end);
    let mut marks = Vec::new();
    for (&champion, row) in shown.iter().zip(edges.windows(2)) {
        for (&opponent, column) in shown.iter().zip(edges.windows(2)) {
            let cell = [(column[0], row[1]), (column[1], row[0])];
            let score = diagnosis.scores[champion][opponent];
            marks.extend(score.map(|it| Mark::Bar(colour(it.score).into(), cell)));
        }
    }
    let titles = ["generation of the opponent", "generation"];
    let mut chart = Chart::new(Axis::counts(generations, 8), titles, marks, &[]);
    chart.x.range = start..end;
    chart.y = chart.x.clone();
    // The oldest champion is at the top.
    chart.y.range = end..start;
    chart.draw(&mut picture, WIDTH);
    picture.with_margin(MARGIN)
}
