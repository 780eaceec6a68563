//! Charts of published studies drawn anew: groups of bars, and lines that fall, ours beside the printed.

use plotters::element::{Circle, PathElement, Rectangle};
use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBColor};

use super::axis::Axis;
use super::chart::{self, Area, Drawn, Frame, Key, Mark};
use super::header::Header;
use super::output::Picture;
use super::sheet::{INNER, MARGIN, WIDTH};
use super::style;

const GAP: i32 = 48;
const PANEL: i32 = 1000;
const DOT: i32 = 8;

/// A chart.
pub(super) enum Chart {
    /// As many bars for each place 1, 2, … as there are colours.
    Bars { title: String, groups: Vec<Vec<f64>> },
    /// A printed figure and ours for each place, the largest printed one first.
    Falling { title: String, pairs: Vec<[f64; 2]> },
}

/// Charts in two columns.
pub(super) struct Charts {
    header: Header,
    keys: Vec<(RGBColor, &'static str)>,
    charts: Vec<Chart>,
}

/// The colours of bars, one for each key.
const COLOURS: [RGBColor; 4] = [style::BLUE, style::SKY, style::VERMILLION, style::ORANGE];

impl Charts {
    pub(super) fn new(
        title: &'static str,
        notes: &[&str],
        keys: &[&'static str],
        charts: Vec<Chart>,
    ) -> Charts {
        let header = Header::new(title, &[], notes, INNER);
        Charts { header, keys: COLOURS.into_iter().zip(keys.iter().copied()).collect(), charts }
    }

    fn legend(&self) -> Vec<Key<'_>> {
        let key =
            |&(colour, text): &(RGBColor, &'static str)| Key { mark: Mark::Box, colour, text };
        self.keys.iter().map(key).collect()
    }

    fn rows(&self) -> usize {
        self.charts.len().div_ceil(2)
    }
}

impl Chart {
    fn draw<DB: DrawingBackend>(&self, area: &Area<DB>) -> Drawn<DB> {
        match self {
            Chart::Bars { title, groups } => bars(title, groups, area),
            Chart::Falling { title, pairs } => falling(title, pairs, area),
        }
    }
}

fn bars<DB: DrawingBackend>(title: &str, groups: &[Vec<f64>], area: &Area<DB>) -> Drawn<DB> {
    let places = (1..=groups.len()).map(|place| place as f64);
    let frame = Frame {
        x: Axis::counts(places.clone(), groups.len().min(10)),
        y: Axis::values(groups.iter().flatten().copied().chain([0.0]), 5),
        x_title: title,
        y_title: "",
        text: style::LABEL,
    };
    let plot = frame.draw(area)?;
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

fn falling<DB: DrawingBackend>(title: &str, pairs: &[[f64; 2]], area: &Area<DB>) -> Drawn<DB> {
    let mut pairs = pairs.to_vec();
    pairs.sort_by(|a, b| b[0].total_cmp(&a[0]));
    let points = |which: usize| -> Vec<(f64, f64)> {
        (1..).map(f64::from).zip(pairs.iter().map(|pair| pair[which])).collect()
    };
    let frame = Frame {
        x: Axis::values([1.0, pairs.len() as f64], 8),
        y: Axis::values(pairs.iter().flatten().copied(), 5),
        x_title: title,
        y_title: "",
        text: style::LABEL,
    };
    let plot = frame.draw(area)?;
    let plot = plot.plotting_area();
    // Ours as dots over the printed line, in the colours of the keys.
    plot.draw(&PathElement::new(points(0), COLOURS[1].stroke_width(style::THIN)))?;
    for point in points(1) {
        plot.draw(&Circle::new(point, DOT, COLOURS[0].filled()))?;
    }
    Ok(())
}

impl Picture for Charts {
    fn size(&self) -> (u32, u32) {
        let legend = chart::legend_height(&self.legend(), INNER);
        let height =
            2 * MARGIN + self.header.height() + 2 * GAP + legend + PANEL * self.rows() as i32;
        (WIDTH as u32, (height as u32).next_multiple_of(style::FINENESS))
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let sheet = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let (header, rest) = sheet.split_vertically(self.header.height() + GAP);
        self.header.draw(&header)?;
        let keys = self.legend();
        let (legend, rest) = rest.split_vertically(chart::legend_height(&keys, INNER) + GAP);
        chart::legend(&legend, &keys)?;
        for (it, area) in self.charts.iter().zip(rest.split_evenly((self.rows(), 2))) {
            it.draw(&area)?;
        }
        Ok(())
    }
}
