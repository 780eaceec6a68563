//! Agreement of the weights of several champions.

use std::collections::HashSet;

use plotters::element::{Circle, PathElement};
use plotters::prelude::DrawingBackend;
use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::axis::Axis;
use super::chart::{Area, Drawn};
use super::material::{Material, Shown};
use super::style;
use mancala::eval::{Feature, Weights};

const ROW: i32 = 112;
const FOOT: i32 = style::LABEL * 3;
const SPACE: i32 = 32;
const DOT: i32 = 19;

/// Returns the signed weight in the evaluation; `None` without this feature.
pub(super) fn effective(weights: &Weights, feature: Feature) -> Option<f64> {
    let index = weights.features().features().iter().position(|other| *other == feature)?;
    Some(weights.effective()[index].into())
}

/// Returns the length of the vector of all weights.
pub(super) fn length(weights: &Weights) -> f64 {
    let effective = weights.effective();
    let squares: f64 = effective.iter().map(|&weight| f64::from(weight) * f64::from(weight)).sum();
    squares.sqrt()
}

/// Returns the signed weight as a share of the length of all weights; `None` without this feature, or if all weights are
/// zero.
pub(super) fn share(weights: &Weights, feature: Feature) -> Option<f64> {
    let length = length(weights);
    effective(weights, feature).filter(|_| length > 0.0).map(|weight| weight / length)
}

/// Returns whether two champions have a common feature.
pub(super) fn can_draw(material: &Material) -> bool {
    let mut seen = HashSet::new();
    let mut features = material.champions().flat_map(|(_, it)| it.features().features());
    features.any(|feature| !seen.insert(*feature))
}

/// Returns the features of all champions, or those with the largest shares.
pub(super) fn features(material: &Material) -> Shown {
    let champions = || material.champions().map(|(_, weights)| weights);
    let size = |feature| {
        let shares = champions().filter_map(|weights| share(weights, feature));
        shares.fold(0.0, |most: f64, share| most.max(share.abs()))
    };
    Shown::of(champions().map(Weights::features), size, material.density)
}

pub(super) fn height(material: &Material) -> i32 {
    features(material).features.len() as i32 * ROW + FOOT
}

/// Draws one row per feature, and one dot per champion.
pub(super) fn draw<DB: DrawingBackend>(material: &Material, area: &Area<DB>) -> Drawn<DB> {
    let width = area.dim_in_pixel().0 as i32;
    let features = features(material).features;
    let names: Vec<String> = features
        .iter()
        .map(|feature| format!("{}: {}", feature.name(), feature.meaning()))
        .map(|name| style::shorten(&name, style::LABEL, width * 2 / 5))
        .collect();
    let left = names.iter().map(|name| style::width(name, style::LABEL)).max().unwrap_or(0);
    let scale = Scale::new(material, &features, left + 2 * SPACE, width - 2 * SPACE);
    let bottom = features.len() as i32 * ROW;
    scale.draw(area, bottom)?;
    for ((feature, name), row) in features.iter().zip(&names).zip(0..) {
        let y = row * ROW + ROW / 2;
        area.draw_text(name, &style::centred(HPos::Left), (0, y))?;
        let shares = material
            .champions()
            .filter_map(|(entry, weights)| Some((entry.look.colour, share(weights, *feature)?)));
        let shares: Vec<_> = shares.collect();
        let ends = |pick: fn(f64, f64) -> f64| shares.iter().map(|(_, it)| *it).reduce(pick);
        if let (Some(low), Some(high)) = (ends(f64::min), ends(f64::max)) {
            let spread = vec![(scale.x(low), y), (scale.x(high), y)];
            let line = PathElement::new(spread, style::GREY.stroke_width(style::THIN));
            area.draw(&line)?;
        }
        for (colour, it) in shares {
            area.draw(&Circle::new((scale.x(it), y), DOT, colour.mix(0.8).filled()))?;
        }
    }
    Ok(())
}

/// The scale of the shares.
struct Scale {
    axis: Axis,
    left: i32,
    right: i32,
}

impl Scale {
    fn new(material: &Material, features: &[Feature], left: i32, right: i32) -> Scale {
        let of = |weights| features.iter().filter_map(move |feature| share(weights, *feature));
        let shares: Vec<f64> = material.champions().flat_map(|(_, weights)| of(weights)).collect();
        Scale { axis: Axis::values(shares.into_iter().chain([0.0]), 8), left, right }
    }

    fn x(&self, value: f64) -> i32 {
        let range = &self.axis.range;
        let share = (value - range.start) / (range.end - range.start);
        self.left + (share * f64::from(self.right - self.left)).round() as i32
    }

    fn draw<DB: DrawingBackend>(&self, area: &Area<DB>, bottom: i32) -> Drawn<DB> {
        for &tick in &self.axis.ticks {
            let x = self.x(tick);
            let colour = if tick == 0.0 { style::PALE_INK } else { style::GRID };
            let line =
                PathElement::new(vec![(x, 0), (x, bottom)], colour.stroke_width(style::HAIR));
            area.draw(&line)?;
            let label = style::centred(HPos::Center);
            area.draw_text(&self.axis.label(tick), &label, (x, bottom + style::LABEL * 3 / 4))?;
        }
        let middle = (self.left + self.right) / 2;
        let title = "share of the length of all weights, with the sign";
        area.draw_text(title, &style::centred(HPos::Center), (middle, bottom + style::LABEL * 2))
    }
}
