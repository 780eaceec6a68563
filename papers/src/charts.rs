//! Sheets of charts, drawn with the plotting module of `ayo`.

use std::path::Path;

use ayo::plot::kit::{
    self, Axis, BLUE, Canvas, GREY, HAIR, INNER, MARGIN, Mark, ORANGE, SKY, Stroke, Symbol, THIN,
    VERMILLION, grid, header, legend, write,
};
use plotters::style::RGBColor;

/// The colours of the bars in a group, in legend order.
const COLOURS: [RGBColor; 4] = [BLUE, SKY, VERMILLION, ORANGE];

pub enum Chart {
    /// Groups of bars at x = 1, 2, …
    Bars { title: String, groups: Vec<Vec<f64>> },
    /// Pairs of a printed value and ours, sorted by the printed value.
    Sorted { title: String, pairs: Vec<[f64; 2]> },
    /// Our values (y) against the printed values (x).
    Dots { title: String, dots: Vec<Dot> },
    /// A line that converges to 1.
    Limit { x_title: String, y_title: String, points: Vec<(f64, f64)> },
}

/// A printed value, and our value with its 95 % interval.
pub struct Dot {
    pub printed: f64,
    pub ours: f64,
    pub interval: [f64; 2],
}

/// A sheet of charts arranged in rows below a header.
pub struct Sheet {
    pub title: &'static str,
    pub notes: &'static [&'static str],
    /// The entries of the legend.
    pub keys: &'static [&'static str],
    /// The number of charts per row.
    pub columns: usize,
    /// The height of each chart, and the height of the gaps below the header and the legend.
    pub sizes: [i32; 2],
    pub charts: Vec<Chart>,
}

impl Sheet {
    /// Draws the sheet to a file whose name ends in `.png` or `.svg`.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let [height, gap] = self.sizes;
        let mut picture = Canvas::new(INNER);
        header(self.title, &[], self.notes, &mut picture);
        picture.height += gap;
        let key =
            |(colour, text): (RGBColor, &&str)| (Symbol::Box(colour.into()), text.to_string());
        let keys: Vec<_> = COLOURS.into_iter().zip(self.keys).map(key).collect();
        if !keys.is_empty() {
            legend(&keys, &mut picture);
            picture.height += gap;
        }
        let charts: Vec<_> = self.charts.iter().map(Chart::chart).collect();
        grid(&charts, self.columns, &mut picture, height);
        write(&picture.with_margin(MARGIN), path)
    }
}

impl Chart {
    fn chart(&self) -> kit::Chart {
        match self {
            Chart::Bars { title, groups } => bars(title, groups),
            Chart::Sorted { title, pairs } => sorted(title, pairs),
            Chart::Dots { title, dots } => scatter(title, dots),
            Chart::Limit { x_title, y_title, points } => limit([x_title, y_title], points),
        }
    }
}

fn bars(title: &str, groups: &[Vec<f64>]) -> kit::Chart {
    let places = (1..=groups.len()).map(|place| place as f64);
    let mut marks = Vec::new();
    for (place, group) in places.clone().zip(groups) {
        let width = 0.8 / group.len() as f64;
        for ((at, height), colour) in (0..).map(f64::from).zip(group).zip(COLOURS) {
            let left = place - 0.4 + at * width;
            marks.push(Mark::Bar(colour.into(), [(left, 0.0), (left + 0.9 * width, *height)]));
        }
    }
    let x = Axis::counts(places, groups.len().min(10));
    kit::Chart::new(x, [title, ""], marks, &[0.0])
}

/// Draws a line through the printed values, and dots for our values.
fn sorted(title: &str, pairs: &[[f64; 2]]) -> kit::Chart {
    let mut pairs = pairs.to_vec();
    pairs.sort_by(|a, b| b[0].total_cmp(&a[0]));
    let points = |which: usize| -> Vec<(f64, f64)> {
        (1..).map(f64::from).zip(pairs.iter().map(|pair| pair[which])).collect()
    };
    let mut marks = vec![Mark::Line(Stroke::whole(COLOURS[1], THIN), points(0))];
    marks.extend(points(1).into_iter().map(|point| Mark::Dot(COLOURS[0].into(), 8, point)));
    let x = Axis::values([1.0, pairs.len() as f64], 8);
    kit::Chart::new(x, [title, ""], marks, &[])
}

fn scatter(title: &str, dots: &[Dot]) -> kit::Chart {
    let ends = |dot: &Dot| [dot.printed, dot.interval[0], dot.interval[1]];
    let axis = Axis::values(dots.iter().flat_map(ends), 6);
    let ends = [axis.range.start, axis.range.end].map(|end| (end, end));
    let mut marks = vec![Mark::Line(Stroke::whole(GREY, HAIR), ends.to_vec())];
    marks.extend(dots.iter().map(|dot| Mark::Interval(SKY.into(), dot.printed, dot.interval)));
    marks.extend(dots.iter().map(|dot| Mark::Dot(BLUE.into(), 9, (dot.printed, dot.ours))));
    kit::Chart { y: axis.clone(), ..kit::Chart::new(axis, [title, ""], marks, &[]) }
}

fn limit(titles: [&str; 2], points: &[(f64, f64)]) -> kit::Chart {
    // The axis starts at zero, so that its length isn't zero even for a single point.
    let x = Axis::values(points.iter().map(|&(x, _)| x).chain([0.0]), 10);
    let last = points.iter().map(|&(x, _)| x).fold(0.0, f64::max);
    let marks = vec![
        Mark::Line(Stroke::whole(GREY, HAIR), vec![(0.0, 1.0), (last, 1.0)]),
        Mark::Line(Stroke::whole(BLUE, THIN), points.to_vec()),
    ];
    kit::Chart::new(x, titles, marks, &[])
}
