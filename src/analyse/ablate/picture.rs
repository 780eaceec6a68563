//! Plots an ablation as a bar chart: one bar per feature, with error bars for the 95 % confidence intervals.

use plotters::style::Color;

use super::{Ablation, FeatureWorth};
use crate::plot::{Canvas, Row, Rows, minus, plain, style};

const MOST_FEATURES: usize = 1000;
/// The maximum number of bars. If there are more features, we draw those with the largest absolute Elo differences.
const MOST_ROWS: usize = 100;

pub(crate) fn picture(ablation: &Ablation) -> Result<Canvas, String> {
    let Ablation { weights, depth, game, openings, features } = ablation;
    let count = features.len();
    if !(1..=MOST_FEATURES).contains(&count) {
        return Err(format!("cannot draw {count} features; the limit is 1 to {MOST_FEATURES}"));
    }
    let few = match count {
        ..=MOST_ROWS => String::new(),
        _ => format!(" · the {MOST_ROWS} of {count} features with the largest absolute worth"),
    };
    let terms = game.terms();
    let notes = format!(
        "depth {depth} · openings {openings} · {terms} · blue: positive weight, orange: negative weight{few}"
    );
    let rows = Rows {
        rows: largest(features).into_iter().map(row).collect(),
        axis_title: "Elo lost without the feature, with 95 % intervals",
        ..Rows::default()
    };
    Ok(rows.picture("What each feature is worth", &[plain(weights)], &[&plain(&notes)]))
}

fn row(it: &FeatureWorth) -> Row {
    let figure = match it.elo.zip(it.elo_ci95) {
        None => "zero weight".into(),
        Some((elo, (low, high))) => {
            format!("{} ± {:.0}", minus(&format!("{elo:+.0}")), (high - low) / 2.0)
        }
    };
    let colour = if it.weight < 0 { style::VERMILLION } else { style::BLUE };
    Row {
        name: plain(&format!("{}: {}", it.feature, it.meaning)),
        figure,
        bars: it.elo.map(|elo| (colour.mix(0.6), elo, String::new())).into_iter().collect(),
        interval: it.elo_ci95.map(<[f64; 2]>::from),
        ..Row::default()
    }
}

/// Returns the features with the largest absolute Elo differences, in their original order.
fn largest(features: &[FeatureWorth]) -> Vec<&FeatureWorth> {
    let size = |it: &FeatureWorth| it.elo.map_or(-1.0, f64::abs);
    let mut order: Vec<usize> = (0..features.len()).collect();
    order.sort_by(|&a, &b| size(&features[b]).total_cmp(&size(&features[a])));
    order.truncate(MOST_ROWS);
    order.sort();
    order.into_iter().map(|index| &features[index]).collect()
}
