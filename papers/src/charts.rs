//! Sheets of charts, drawn with the plotting module of `ayo`.

use std::path::Path;

use ayo::plot::kit::{
    Area, Axis, BLUE, Drawn, FINENESS, Frame, GREY, HAIR, Header, INNER, Key, LABEL, MARGIN, Mark,
    ORANGE, Picture, SKY, Stroke, THIN, Target, VERMILLION, WIDTH, legend, legend_height, line,
};
use plotters::element::{Circle, PathElement, Rectangle};
use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBColor};

/// Bar colours within a group, in legend order.
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
    /// Legend entries.
    pub keys: &'static [&'static str],
    /// Number of charts per row.
    pub columns: usize,
    /// Height of each chart, and the gap below the header.
    pub sizes: [i32; 2],
    pub charts: Vec<Chart>,
}

impl Sheet {
    /// Draws the sheet to a file whose name ends in `.png` or `.svg`.
    pub fn write(&self, path: &Path) -> Result<(), ayo::plot::Error> {
        Target::new(path)?.replace(self)
    }

    fn header(&self) -> Header {
        Header::new(self.title, &[], self.notes, INNER)
    }

    fn legend(&self) -> Vec<Key<'_>> {
        let key = |(colour, &text)| Key { mark: Mark::Box, colour, text };
        COLOURS.into_iter().zip(self.keys).map(key).collect()
    }

    fn rows(&self) -> usize {
        self.charts.len().div_ceil(self.columns)
    }

    /// Returns the height of the legend, including the gap below it.
    fn legend_height(&self) -> i32 {
        match legend_height(&self.legend(), INNER) {
            0 => 0,
            height => height + self.sizes[1],
        }
    }
}

impl Picture for Sheet {
    fn size(&self) -> (u32, u32) {
        let [chart, gap] = self.sizes;
        let top = 2 * MARGIN + self.header().height() + gap + self.legend_height();
        let height = top + chart * self.rows() as i32;
        (WIDTH as u32, (height as u32).next_multiple_of(FINENESS))
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let sheet = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let header = self.header();
        let (top, rest) = sheet.split_vertically(header.height() + self.sizes[1]);
        header.draw(&top)?;
        let (top, rest) = rest.split_vertically(self.legend_height());
        legend(&top, &self.legend())?;
        for (chart, area) in self.charts.iter().zip(rest.split_evenly((self.rows(), self.columns)))
        {
            chart.draw(&area)?;
        }
        Ok(())
    }
}

impl Chart {
    fn draw<DB: DrawingBackend>(&self, area: &Area<DB>) -> Drawn<DB> {
        match self {
            Chart::Bars { title, groups } => bars(title, groups, area),
            Chart::Sorted { title, pairs } => sorted(title, pairs, area),
            Chart::Dots { title, dots } => scatter(title, dots, area),
            Chart::Limit { x_title, y_title, points } => limit([x_title, y_title], points, area),
        }
    }
}

fn frame(title: &str, x: Axis, y: Axis) -> Frame<'_> {
    Frame { x, y, x_title: title, y_title: "", text: LABEL }
}

fn bars<DB: DrawingBackend>(title: &str, groups: &[Vec<f64>], area: &Area<DB>) -> Drawn<DB> {
    let places = (1..=groups.len()).map(|place| place as f64);
    let x = Axis::counts(places.clone(), groups.len().min(10));
    let y = Axis::values(groups.iter().flatten().copied().chain([0.0]), 5);
    let plot = frame(title, x, y).draw(area)?;
    let plot = plot.plotting_area();
    for (place, group) in places.zip(groups) {
        let width = 0.8 / group.len() as f64;
        for ((at, height), colour) in (0..).map(f64::from).zip(group).zip(COLOURS) {
            let left = place - 0.4 + at * width;
            let bar = [(left, 0.0), (left + 0.9 * width, *height)];
            plot.draw(&Rectangle::new(bar, colour.filled()))?;
        }
    }
    Ok(())
}

/// Draws a line through the printed values, and dots for our values.
fn sorted<DB: DrawingBackend>(title: &str, pairs: &[[f64; 2]], area: &Area<DB>) -> Drawn<DB> {
    let mut pairs = pairs.to_vec();
    pairs.sort_by(|a, b| b[0].total_cmp(&a[0]));
    let points = |which: usize| -> Vec<(f64, f64)> {
        (1..).map(f64::from).zip(pairs.iter().map(|pair| pair[which])).collect()
    };
    let x = Axis::values([1.0, pairs.len() as f64], 8);
    let y = Axis::values(pairs.iter().flatten().copied(), 5);
    let plot = frame(title, x, y).draw(area)?;
    let plot = plot.plotting_area();
    plot.draw(&PathElement::new(points(0), COLOURS[1].stroke_width(THIN)))?;
    for point in points(1) {
        plot.draw(&Circle::new(point, 8, COLOURS[0].filled()))?;
    }
    Ok(())
}

fn scatter<DB: DrawingBackend>(title: &str, dots: &[Dot], area: &Area<DB>) -> Drawn<DB> {
    let values = |dot: &Dot| [dot.printed, dot.interval[0], dot.interval[1]];
    let axis = Axis::values(dots.iter().flat_map(values), 6);
    let (low, high) = (axis.range.start, axis.range.end);
    let plot = frame(title, axis.clone(), axis).draw(area)?;
    let plot = plot.plotting_area();
    let bar = |ends: [(f64, f64); 2], colour: RGBColor, width| {
        plot.draw(&PathElement::new(ends.to_vec(), colour.stroke_width(width)))
    };
    bar([(low, low), (high, high)], GREY, HAIR)?;
    for &Dot { printed, interval: [low, high], .. } in dots {
        bar([(printed, low), (printed, high)], SKY, THIN)?;
    }
    for &Dot { printed, ours, .. } in dots {
        plot.draw(&Circle::new((printed, ours), 9, BLUE.filled()))?;
    }
    Ok(())
}

fn limit<DB: DrawingBackend>(
    [x_title, y_title]: [&str; 2],
    points: &[(f64, f64)],
    area: &Area<DB>,
) -> Drawn<DB> {
    // The axis starts at zero, so that it has a nonzero length even for a single point.
    let x = Axis::values(points.iter().map(|&(x, _)| x).chain([0.0]), 10);
    let y = Axis::values(points.iter().map(|&(_, y)| y).chain([1.0]), 6);
    let mut plot = Frame { x, y, x_title, y_title, text: LABEL }.draw(area)?;
    let last = points.iter().map(|&(x, _)| x).fold(0.0, f64::max);
    line(&mut plot, &[(0.0, 1.0), (last, 1.0)], Stroke::whole(GREY, HAIR))?;
    line(&mut plot, points, Stroke::whole(BLUE, THIN))
}
