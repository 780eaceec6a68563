//! The curves in a chart: means with their intervals or spreads, and single values with intervals.

use plotters::element::{Circle, PathElement};
use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBColor};

use super::{
    ANY, Area, Axis, Curve, Drawn, Frame, Generation, Inputs, Plot, Pooled, Run, Spread, Stroke,
    chart, style,
};

const DOT: i32 = 13;

/// The contents of a chart in drawing order, except that all means are drawn above all bands.
#[derive(Default)]
pub(crate) struct Curves {
    /// Whether to draw a line that marks equal strength.
    pub(crate) has_even: bool,
    pub(crate) spreads: Vec<(RGBColor, [Curve; 2])>,
    pub(crate) lines: Vec<(Stroke, Pooled)>,
    /// Vertical intervals, each at a position on the x axis.
    pub(crate) whiskers: Vec<(RGBColor, f64, [f64; 2])>,
    pub(crate) dots: Vec<(RGBColor, (f64, f64))>,
}

impl Curves {
    /// Returns curves of the population mean by generation. Unless runs are grouped, each has a band of ± 1 standard
    /// deviation.
    pub(crate) fn spread<F: Fn(&Generation) -> Spread>(
        inputs: &Inputs,
        width: u32,
        figure: impl Fn(&Run) -> Option<F>,
    ) -> Curves {
        let curve = |run: &Run, deviations: f64| match figure(run) {
            Some(figure) => inputs.curve(run, |at| {
                let Spread { mean, sd } = figure(at);
                mean + deviations * sd
            }),
            None => Curve::new(),
        };
        let runs = inputs.runs().filter(|_| !inputs.is_grouped());
        let spreads =
            runs.map(|(entry, run)| (entry.look.colour, [-1.0, 1.0].map(|it| curve(run, it))));
        Curves {
            spreads: spreads.filter(|(_, [low, _])| !low.is_empty()).collect(),
            lines: inputs.lines(width, &ANY, |run| curve(run, 0.0)),
            ..Curves::default()
        }
    }

    /// Returns all values that will be drawn.
    pub(crate) fn values(&self) -> impl Iterator<Item = f64> {
        let spreads = self.spreads.iter().flat_map(|(_, ends)| ends.iter().flatten());
        let lines = self.lines.iter().flat_map(|(_, pooled)| pooled.values());
        let whiskers = self.whiskers.iter().flat_map(|(_, _, ends)| *ends);
        let even = self.has_even.then_some(0.5);
        spreads.map(|point| point.1).chain(lines).chain(whiskers).chain(even)
    }

    pub(crate) fn draw<DB: DrawingBackend>(&self, plot: &mut Plot<DB>) -> Drawn<DB> {
        let straight = |ends: [(f64, f64); 2], style| PathElement::new(ends.to_vec(), style);
        if self.has_even {
            let range = plot.x_range();
            let ends = [(range.start, 0.5), (range.end, 0.5)];
            let line = straight(ends, style::PALE_INK.stroke_width(style::THIN));
            plot.plotting_area().draw(&line)?;
        }
        let weight = 1.0 / self.spreads.len().max(1) as f64;
        for (colour, [low, high]) in &self.spreads {
            chart::band(plot, low, high, *colour, weight)?;
        }
        for (stroke, pooled) in &self.lines {
            if let Some([low, high]) = pooled.band.as_ref().filter(|[low, _]| !low.is_empty()) {
                chart::band(plot, low, high, stroke.colour, 1.0)?;
            }
            for single in &pooled.singles {
                chart::line(plot, single, stroke.faint())?;
            }
        }
        for &(colour, x, [low, high]) in &self.whiskers {
            let style = colour.mix(0.6).stroke_width(style::THIN);
            plot.plotting_area().draw(&straight([(x, low), (x, high)], style))?;
        }
        for (stroke, pooled) in self.lines.iter().filter(|(_, pooled)| !pooled.mean.is_empty()) {
            chart::line(plot, &pooled.mean, *stroke)?;
        }
        for &(colour, place) in &self.dots {
            plot.plotting_area().draw(&Circle::new(place, DOT, colour.filled()))?;
        }
        Ok(())
    }
}

/// Returns a chart frame whose x axis covers all runs.
pub(crate) fn frame<'a>(inputs: &Inputs, y_title: &'a str, y: Axis) -> Frame<'a> {
    let x_title = inputs.x.title();
    Frame { x: inputs.x_axis(12), y, x_title, y_title, text: style::LABEL }
}

/// Draws charts of equal height one above the other. They share the x axis, whose title is below the last chart.
pub(crate) fn draw_stack<DB: DrawingBackend>(
    mut charts: Vec<(Frame, Curves)>,
    area: &Area<DB>,
) -> Drawn<DB> {
    let Some(last) = charts.len().checked_sub(1) else { return Ok(()) };
    charts[..last].iter_mut().for_each(|(frame, _)| frame.x_title = "");
    let title = chart::title_height(charts[last].0.x_title, charts[last].0.text);
    let each = (area.dim_in_pixel().1 as i32 - title) / charts.len() as i32;
    let indent = charts.iter().map(|(frame, _)| frame.indent()).max().unwrap_or(0);
    let mut rest = area.clone();
    for (frame, curves) in &charts {
        let (own, below) =
            rest.split_vertically(each + chart::title_height(frame.x_title, frame.text));
        curves.draw(&mut frame.draw_indented(&own, indent)?)?;
        rest = below;
    }
    Ok(())
}
