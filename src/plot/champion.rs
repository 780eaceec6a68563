//! The final weights as bars.

use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBColor};

use super::{
    Area, Axis, Drawn, Entry, Inputs, Key, Mark, RowAxis, Shown,
    agreement::{effective, length, share},
    chart, minus, style,
};
use mancala::eval::{Feature, Weights};

const BAR: i32 = 56;
const LINE: i32 = style::LABEL * 5 / 4;
const SPACE: i32 = 32;

/// If the lengths of the weight vectors differ by more than this factor, each weight is drawn as a fraction of its
/// vector's length.
const MAX_LENGTH_RATIO: f64 = 1.25;

#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Weight,
    /// Each weight is divided by the length of its vector. This makes vectors comparable, since scaling all weights
    /// does not change any move.
    Share,
}

impl Unit {
    fn of(inputs: &Inputs) -> Unit {
        let lengths: Vec<f64> = inputs.champions().map(|(_, weights)| length(weights)).collect();
        let long = lengths.iter().copied().fold(0.0, f64::max);
        let short = lengths.iter().copied().fold(f64::INFINITY, f64::min);
        if long > MAX_LENGTH_RATIO * short { Unit::Share } else { Unit::Weight }
    }

    /// Returns the signed weight in the evaluation, in this unit.
    fn value(self, weights: &Weights, feature: Feature) -> Option<f64> {
        match self {
            Unit::Share => share(weights, feature),
            Unit::Weight => effective(weights, feature),
        }
    }

    fn label(self, value: f64) -> String {
        match self {
            Unit::Weight => minus(&value.to_string()),
            Unit::Share => minus(&format!("{value:.2}")),
        }
    }
}

/// Returns an explanation of the unit, or an empty string for unscaled weights.
pub(crate) fn note(inputs: &Inputs) -> &'static str {
    match Unit::of(inputs) {
        Unit::Weight => "",
        Unit::Share => "each weight as a fraction of the length of its weight vector",
    }
}

/// Returns the features of all champions, or those with the largest weights if there are too many.
pub(crate) fn features(inputs: &Inputs) -> Shown {
    let unit = Unit::of(inputs);
    Shown::of_champions(inputs, |weights, feature| unit.value(weights, feature))
}

/// A feature with its meaning, and a bar for each champion that has it.
struct Row {
    feature: Feature,
    /// The lines of the wrapped meaning.
    meaning: Vec<String>,
    bars: Vec<(RGBColor, f64)>,
}

struct Layout {
    unit: Unit,
    rows: Vec<Row>,
    /// X coordinate of the left edge of the column of meanings.
    meaning: i32,
    /// Minimum height of a row, without the gap.
    least_height: i32,
    gap: i32,
    axis: RowAxis,
}

impl Layout {
    fn new(inputs: &Inputs, width: i32) -> Layout {
        let unit = Unit::of(inputs);
        let row = |&feature: &Feature| {
            let bar = |(entry, weights)| {
                let value = unit.value(weights, feature)?;
                Some((colour(inputs, entry, value), value))
            };
            let meaning = style::wrap(feature.meaning(), style::LABEL, width * 2 / 5);
            Row { feature, meaning, bars: inputs.champions().filter_map(bar).collect() }
        };
        let rows: Vec<Row> = features(inputs).features.iter().map(row).collect();
        let lines = rows.iter().map(|row| row.meaning.len()).max().unwrap_or(1) as i32;
        let meaning = style::widest(rows.iter().map(|row| row.feature.name())) + SPACE;
        let left = meaning + style::widest(rows.iter().flat_map(|row| &row.meaning)) + SPACE;
        // Numbers are drawn at the ends of the bars.
        let values = || rows.iter().flat_map(|row| &row.bars).map(|(_, value)| *value);
        let figure = style::widest(values().map(|value| unit.label(value))) + SPACE;
        let axis = RowAxis {
            axis: Axis::values(values().chain([0.0]), 8),
            left: left + if values().any(|value| value < 0.0) { figure } else { 0 },
            right: width - figure,
        };
        let gap = inputs.length(40, 24);
        Layout { unit, rows, meaning, least_height: lines * LINE, gap, axis }
    }

    /// Returns the height of a row, which must fit a bar for each champion that has the feature.
    fn height(&self, row: &Row) -> i32 {
        self.least_height.max(row.bars.len() as i32 * BAR) + self.gap
    }

    fn bottom(&self) -> i32 {
        self.rows.iter().map(|row| self.height(row)).sum()
    }
}

pub(crate) fn height(inputs: &Inputs, width: i32) -> i32 {
    chart::legend_height(&keys(inputs), width) + Layout::new(inputs, width).bottom()
}

pub(crate) fn draw<DB: DrawingBackend>(inputs: &Inputs, area: &Area<DB>) -> Drawn<DB> {
    let area = chart::legend_above(area, &keys(inputs))?;
    let layout = Layout::new(inputs, area.dim_in_pixel().0 as i32);
    let left = style::centred(HPos::Left);
    let mut top = 0;
    for row in &layout.rows {
        let middle = top + layout.height(row) / 2;
        top += layout.height(row);
        area.draw_text(row.feature.name(), &left, (0, middle))?;
        let first = middle - (row.meaning.len() as i32 - 1) * LINE / 2;
        chart::draw_lines(&area, &row.meaning, &left, (layout.meaning, first), LINE)?;
        let first = middle - (row.bars.len() as i32 - 1) * BAR / 2;
        for (&(colour, value), y) in row.bars.iter().zip((first..).step_by(BAR as usize)) {
            let end = layout.axis.draw_bar(&area, y, value, BAR / 2 - 2, colour.filled())?;
            let is_negative = value < 0.0;
            let side = if is_negative { HPos::Right } else { HPos::Left };
            let x = if is_negative { end - SPACE / 2 } else { end + SPACE / 2 };
            area.draw_text(&layout.unit.label(value), &style::centred(side), (x, y))?;
        }
    }
    layout.axis.draw_zero(&area, layout.bottom())
}

/// Returns the colour of a bar. For a single champion, it shows the sign of the weight; if there are several, it shows
/// the champion.
fn colour(inputs: &Inputs, entry: &Entry, value: f64) -> RGBColor {
    if inputs.is_overlaid() {
        entry.look.colour
    } else if value < 0.0 {
        style::VERMILLION
    } else {
        style::BLUE
    }
}

fn keys(inputs: &Inputs) -> Vec<Key<'static>> {
    if inputs.is_overlaid() {
        return Vec::new();
    }
    let key = |colour, text| Key { mark: Mark::Box, colour, text };
    vec![key(style::BLUE, "raises the score"), key(style::VERMILLION, "lowers the score")]
}
