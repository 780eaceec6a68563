//! Agreement between the weights of several champions.

use std::collections::HashSet;

use plotters::element::{Circle, PathElement};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBColor};

use super::{Area, Axis, Drawn, Entry, Inputs, RowAxis, Shown, style};
use mancala::eval::{Feature, Weights};

const ROW: i32 = 112;
const FOOT: i32 = style::LABEL * 3;
const SPACE: i32 = 32;
const DOT: i32 = 19;

/// Returns the signed weight in the evaluation, or `None` if the weights lack this feature.
pub(crate) fn effective(weights: &Weights, feature: Feature) -> Option<f64> {
    let index = weights.features().features().iter().position(|other| *other == feature)?;
    Some(weights.effective()[index].into())
}

pub(crate) fn length(weights: &Weights) -> f64 {
    let effective = weights.effective();
    let squares: f64 = effective.iter().map(|&weight| f64::from(weight) * f64::from(weight)).sum();
    squares.sqrt()
}

/// Returns the signed weight divided by the length of the weight vector, or `None` if the feature is missing or all
/// weights are zero.
pub(crate) fn share(weights: &Weights, feature: Feature) -> Option<f64> {
    let length = length(weights);
    effective(weights, feature).filter(|_| length > 0.0).map(|weight| weight / length)
}

/// Returns the [`share`] of each feature. The result is empty if all weights are zero.
pub(crate) fn shares(weights: &Weights) -> Vec<(Feature, f64)> {
    let features = weights.features().features().iter();
    features.filter_map(|it| Some((*it, share(weights, *it)?))).collect()
}

/// Returns whether at least two champions share a feature.
pub(crate) fn can_draw(inputs: &Inputs) -> bool {
    let mut seen = HashSet::new();
    let mut features = inputs.champions().flat_map(|(_, it)| it.features().features());
    features.any(|feature| !seen.insert(*feature))
}

/// Returns the features of all champions, or those with the largest shares if there are too many.
pub(crate) fn features(inputs: &Inputs) -> Shown {
    Shown::of_champions(inputs, share)
}

pub(crate) fn height(inputs: &Inputs) -> i32 {
    features(inputs).features.len() as i32 * ROW + FOOT
}

pub(crate) fn draw<DB: DrawingBackend>(inputs: &Inputs, area: &Area<DB>) -> Drawn<DB> {
    let width = area.dim_in_pixel().0 as i32;
    let features = features(inputs).features;
    let names = features.iter().map(|it| format!("{}: {}", it.name(), it.meaning()));
    let names: Vec<String> =
        names.map(|name| style::shorten(&name, style::LABEL, width * 2 / 5)).collect();
    let shares = |feature: &Feature| -> Vec<(RGBColor, f64)> {
        let champions = inputs.champions();
        let share =
            |(entry, weights): (&Entry, _)| Some((entry.look.colour, share(weights, *feature)?));
        champions.filter_map(share).collect()
    };
    let all = features.iter().flat_map(shares).map(|(_, share)| share);
    let axis = RowAxis {
        axis: Axis::values(all.chain([0.0]), 8),
        left: style::widest(&names) + 2 * SPACE,
        right: width - 2 * SPACE,
    };
    let title = "signed fraction of the weight vector's length";
    axis.draw(area, features.len() as i32 * ROW, title)?;
    for ((feature, name), y) in features.iter().zip(&names).zip((ROW / 2..).step_by(ROW as usize)) {
        area.draw_text(name, &style::centred(HPos::Left), (0, y))?;
        let dots = shares(feature).into_iter().map(|(colour, it)| (colour, (axis.x(it), y)));
        let dots: Vec<_> = dots.collect();
        let places = || dots.iter().map(|(_, place)| *place);
        if let Some((low, high)) = places().min().zip(places().max()) {
            let line = PathElement::new(vec![low, high], style::GREY.stroke_width(style::THIN));
            area.draw(&line)?;
        }
        for (colour, place) in dots {
            area.draw(&Circle::new(place, DOT, colour.mix(0.8).filled()))?;
        }
    }
    Ok(())
}
