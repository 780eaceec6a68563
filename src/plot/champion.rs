//! The final weights as bars.

use std::iter;

use plotters::element::{PathElement, Rectangle};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBColor};

use super::agreement::{effective, length, share};
use super::axis::minus;
use super::chart::{self, Area, Drawn, Key, Mark};
use super::material::Entry;
use super::material::{Material, Shown};
use super::style;
use mancala::eval::{Feature, Weights};

const BAR: i32 = 56;
const LINE: i32 = style::LABEL * 5 / 4;
const SPACE: i32 = 32;

/// Maximum ratio of lengths on one axis.
const MAX_LENGTH_RATIO: f64 = 1.25;

/// The unit of bars.
#[derive(Clone, Copy, PartialEq)]
enum Unit {
    /// The weights as they are.
    Weight,
    /// Shares of the length of all weights of the champion, since a common factor changes no move.
    Share,
}

impl Unit {
    fn of(material: &Material) -> Unit {
        let lengths: Vec<f64> = material.champions().map(|(_, weights)| length(weights)).collect();
        let long = lengths.iter().copied().fold(0.0, f64::max);
        let short = lengths.iter().copied().fold(f64::INFINITY, f64::min);
        if long > MAX_LENGTH_RATIO * short { Unit::Share } else { Unit::Weight }
    }

    /// Returns the signed weight in the evaluation.
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

/// Explains the unit, unless bars show the weights themselves.
pub(super) fn note(material: &Material) -> &'static str {
    match Unit::of(material) {
        Unit::Weight => "",
        Unit::Share => "each weight as a share of the length of all that its champion has",
    }
}

/// Returns the features of all champions, or those with the largest weights.
pub(super) fn features(material: &Material) -> Shown {
    let unit = Unit::of(material);
    let champions = || material.champions().map(|(_, weights)| weights);
    let size = |feature| {
        let values = champions().filter_map(|weights| unit.value(weights, feature));
        values.fold(0.0, |most: f64, value| most.max(value.abs()))
    };
    Shown::of(champions().map(Weights::features), size, material.density)
}

/// The layout of rows, one per feature: name, meaning and bars.
struct Layout {
    features: Vec<Feature>,
    /// Meanings in lines that fit.
    meanings: Vec<Vec<String>>,
    /// Left edge of the meanings.
    meaning: i32,
    /// Tops of the rows, and the bottom of the last. A row has space for the champions with its feature.
    tops: Vec<i32>,
    bars: Bars,
}

/// Position and scale of the bars.
struct Bars {
    unit: Unit,
    zero: i32,
    scale: f64,
}

impl Layout {
    fn new(material: &Material, width: i32) -> Layout {
        let champions = || material.champions().map(|(_, weights)| weights);
        let features = features(material).features;
        let meaning = widest(features.iter().map(|feature| feature.name())) + SPACE;
        let meanings: Vec<_> = features
            .iter()
            .map(|feature| style::wrap(feature.meaning(), style::LABEL, width * 2 / 5))
            .collect();
        let lines = meanings.iter().map(Vec::len).max().unwrap_or(1) as i32;
        let left = meaning + widest(meanings.iter().flatten().map(String::as_str)) + SPACE;
        let unit = Unit::of(material);
        let values: Vec<f64> = features
            .iter()
            .flat_map(|it| champions().filter_map(|weights| unit.value(weights, *it)))
            .collect();
        let gap = material.length(40, 24);
        let rows = features.iter().map(|it| {
            let weighed = champions().filter(|weights| unit.value(weights, *it).is_some()).count();
            (lines * LINE).max(weighed as i32 * BAR) + gap
        });
        let ends = rows.scan(0, |end, row| {
            *end += row;
            Some(*end)
        });
        Layout {
            tops: iter::once(0).chain(ends).collect(),
            bars: Bars::new(unit, &values, left, width),
            features,
            meanings,
            meaning,
        }
    }
}

impl Layout {
    fn bottom(&self) -> i32 {
        self.tops.last().copied().unwrap_or(0)
    }
}

fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> i32 {
    let widths = texts.map(|text| style::width(text, style::LABEL));
    widths.max().unwrap_or(0)
}

impl Bars {
    /// Fits the bars, and the numbers at their ends, between left and right.
    fn new(unit: Unit, values: &[f64], left: i32, right: i32) -> Bars {
        let labels: Vec<_> = values.iter().map(|value| unit.label(*value)).collect();
        let figure = widest(labels.iter().map(String::as_str)) + SPACE;
        let low = values.iter().copied().fold(0.0, f64::min);
        let high = values.iter().copied().fold(0.0, f64::max);
        let left = if low < 0.0 { left + figure } else { left };
        let room = f64::from((right - figure - left).max(1));
        let least = if unit == Unit::Weight { 1.0 } else { 1e-3 };
        let scale = room / (high - low).max(least);
        Bars { unit, zero: left - (low * scale) as i32, scale }
    }

    fn end(&self, value: f64) -> i32 {
        self.zero + (value * self.scale) as i32
    }
}

pub(super) fn height(material: &Material, width: i32) -> i32 {
    let layout = Layout::new(material, width);
    chart::legend_height(&keys(material), width) + layout.bottom()
}

pub(super) fn draw<DB: DrawingBackend>(material: &Material, area: &Area<DB>) -> Drawn<DB> {
    let width = area.dim_in_pixel().0 as i32;
    let keys = keys(material);
    let (top, area) = area.split_vertically(chart::legend_height(&keys, width));
    chart::legend(&top, &keys)?;

    let layout = Layout::new(material, width);
    for (index, feature) in layout.features.iter().enumerate() {
        let middle = i32::midpoint(layout.tops[index], layout.tops[index + 1]);
        describe(&area, &layout, index, middle)?;
        let weighed = |(entry, weights)| Some((entry, layout.bars.unit.value(weights, *feature)?));
        let bars: Vec<_> = material.champions().filter_map(weighed).collect();
        let count = bars.len() as i32;
        for ((entry, value), place) in bars.into_iter().zip(0..) {
            let y = middle + (2 * place - count + 1) * BAR / 2;
            let colour = colour(material, entry, value);
            bar(&area, &layout.bars, value, colour, y)?;
        }
    }
    let bottom = layout.bottom();
    let zero = layout.bars.zero;
    let axis = PathElement::new(
        vec![(zero, 0), (zero, bottom)],
        style::PALE_INK.stroke_width(style::HAIR),
    );
    area.draw(&axis)
}

fn describe<DB: DrawingBackend>(
    area: &Area<DB>,
    layout: &Layout,
    index: usize,
    middle: i32,
) -> Drawn<DB> {
    let left = style::centred(HPos::Left);
    area.draw_text(layout.features[index].name(), &left, (0, middle))?;
    let lines = &layout.meanings[index];
    let first = middle - (lines.len() as i32 - 1) * LINE / 2;
    for (line, y) in lines.iter().zip((first..).step_by(LINE as usize)) {
        area.draw_text(line, &left, (layout.meaning, y))?;
    }
    Ok(())
}

fn bar<DB: DrawingBackend>(
    area: &Area<DB>,
    bars: &Bars,
    value: f64,
    colour: RGBColor,
    y: i32,
) -> Drawn<DB> {
    let half = BAR / 2 - 2;
    let end = bars.end(value);
    let corners = [(bars.zero.min(end), y - half), (bars.zero.max(end), y + half)];
    area.draw(&Rectangle::new(corners, colour.filled()))?;
    let (side, x) =
        if value < 0.0 { (HPos::Right, end - SPACE / 2) } else { (HPos::Left, end + SPACE / 2) };
    area.draw_text(&bars.unit.label(value), &style::centred(side), (x, y))
}

/// Returns the colour of a bar: by sign for one champion, by champion for several.
fn colour(material: &Material, entry: &Entry, value: f64) -> RGBColor {
    if material.is_overlaid() {
        entry.look.colour
    } else if value < 0.0 {
        style::VERMILLION
    } else {
        style::BLUE
    }
}

fn keys(material: &Material) -> Vec<Key<'static>> {
    if material.is_overlaid() {
        return Vec::new();
    }
    let key = |colour, text| Key { mark: Mark::Box, colour, text };
    vec![key(style::BLUE, "raises the score"), key(style::VERMILLION, "lowers the score")]
}
