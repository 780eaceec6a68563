//! The final weights as bars.

use plotters::element::{PathElement, Rectangle};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBColor};

use super::axis::minus;
use super::chart::{self, Area, Drawn, Key, Mark};
use super::material::{Entry, Material, Shown};
use super::style;
use mancala::eval::{Feature, Weights};

const BAR: i32 = 56;
const GAP: i32 = 40;
const LINE: i32 = style::LABEL * 5 / 4;
const SPACE: i32 = 32;

/// The weight with the sign with which it enters the evaluation.
fn effective(weights: &Weights, feature: Feature) -> Option<f64> {
    let index = weights.features().features().iter().position(|other| *other == feature)?;
    Some(weights.effective()[index].into())
}

/// The features of all champions, or those that weigh the most.
pub(super) fn features(material: &Material) -> Shown {
    let champions = || material.champions().map(|(_, weights)| weights);
    let size = |feature| {
        let values = champions().filter_map(|weights| effective(weights, feature));
        values.fold(0.0, |most: f64, value| most.max(value.abs()))
    };
    Shown::of(champions().map(Weights::features), size)
}

/// A row a feature: its name at the left edge, its meaning, its bars.
struct Layout {
    features: Vec<Feature>,
    /// Each in lines that fit.
    meanings: Vec<Vec<String>>,
    /// Left edge of the meanings.
    meaning: i32,
    /// Height of a row.
    row: i32,
    bars: Bars,
}

/// Where the bars begin and how long they get.
struct Bars {
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
        let values = champions().flat_map(Weights::effective).map(f64::from);
        Layout {
            row: (lines * LINE).max(champions().count() as i32 * BAR) + GAP,
            bars: Bars::new(&values.collect::<Vec<_>>(), left, width),
            features,
            meanings,
            meaning,
        }
    }
}

fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> i32 {
    let widths = texts.map(|text| style::width(text, style::LABEL));
    widths.max().unwrap_or(0)
}

impl Bars {
    /// Fits the bars and the figures beyond their ends between left and right.
    fn new(values: &[f64], left: i32, right: i32) -> Bars {
        let labels: Vec<_> = values.iter().map(|value| label(*value)).collect();
        let figure = widest(labels.iter().map(String::as_str)) + SPACE;
        let low = values.iter().copied().fold(0.0, f64::min);
        let high = values.iter().copied().fold(0.0, f64::max);
        let left = if low < 0.0 { left + figure } else { left };
        let room = f64::from((right - figure - left).max(1));
        let scale = room / (high - low).max(1.0);
        Bars { zero: left - (low * scale) as i32, scale }
    }

    fn end(&self, value: f64) -> i32 {
        self.zero + (value * self.scale) as i32
    }
}

fn label(value: f64) -> String {
    minus(&value.to_string())
}

pub(super) fn height(material: &Material, width: i32) -> i32 {
    let layout = Layout::new(material, width);
    chart::legend_height(&keys(material), width) + layout.features.len() as i32 * layout.row
}

pub(super) fn draw<DB: DrawingBackend>(material: &Material, area: &Area<DB>) -> Drawn<DB> {
    let width = area.dim_in_pixel().0 as i32;
    let keys = keys(material);
    let (top, area) = area.split_vertically(chart::legend_height(&keys, width));
    chart::legend(&top, &keys)?;

    let layout = Layout::new(material, width);
    for (index, feature) in layout.features.iter().enumerate() {
        let middle = index as i32 * layout.row + layout.row / 2;
        describe(&area, &layout, index, middle)?;
        let champions = material.champions();
        let count = material.champions().count() as i32;
        for ((entry, weights), place) in champions.zip(0..) {
            let Some(value) = effective(weights, *feature) else {
                continue;
            };
            let y = middle + (2 * place - count + 1) * BAR / 2;
            let colour = colour(material, entry, value);
            bar(&area, &layout.bars, value, colour, y)?;
        }
    }
    let bottom = layout.features.len() as i32 * layout.row;
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
    area.draw_text(&label(value), &style::centred(side), (x, y))
}

/// One champion's bars are coloured by sign, those of several by champion.
fn colour(material: &Material, entry: &Entry, value: f64) -> RGBColor {
    if material.is_overlaid() {
        entry.colour
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
