//! The picture of an ablation: a bar for each feature, with its interval.

use plotters::prelude::DrawingBackend;
use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::{Ablation, FeatureWorth};
use crate::plot::axis::{Axis, minus};
use crate::plot::chart::{Area, Drawn, RowAxis};
use crate::plot::header::Header;
use crate::plot::output::Picture;
use crate::plot::sheet::{INNER, MARGIN, WIDTH};
use crate::plot::style;
use crate::plot::untrusted::{LARGEST, plain};

const ROW: i32 = 108;
const BAR: i32 = 64;
const GAP: i32 = 40;
const SPACE: i32 = 32;
/// Height of the tick labels and the axis title below the rows.
const FOOT: i32 = style::LABEL * 3;
const MOST_FEATURES: usize = 1000;
/// Of more features, those of the largest absolute worth are drawn.
const MOST_ROWS: usize = 100;

/// Checks that an ablation can be drawn.
fn check(ablation: &Ablation) -> Result<(), String> {
    let count = ablation.features.len();
    if !(1..=MOST_FEATURES).contains(&count) {
        return Err(format!("{count} features cannot be drawn, from 1 to {MOST_FEATURES} can"));
    }
    match ablation.features.iter().find(|worth| !is_possible(worth)) {
        Some(worth) => Err(format!("the figures of {} are not valid", plain(&worth.feature))),
        None => Ok(()),
    }
}

fn is_possible(it: &FeatureWorth) -> bool {
    match (it.elo, it.elo_ci95) {
        (None, None) => true,
        (Some(elo), Some((low, high))) => {
            low <= elo && elo <= high && low >= -LARGEST && high <= LARGEST
        }
        _ => false,
    }
}

fn name(it: &FeatureWorth) -> String {
    plain(&format!("{}: {}", it.feature, it.meaning))
}

fn figure(it: &FeatureWorth) -> String {
    let Some((elo, (low, high))) = it.elo.zip(it.elo_ci95) else {
        return "weighs nothing".into();
    };
    format!("{} ± {:.0}", minus(&format!("{elo:+.0}")), (high - low) / 2.0)
}

/// Returns the features to draw, in the order of the results.
fn drawn(features: &[FeatureWorth]) -> Vec<&FeatureWorth> {
    let size = |it: &FeatureWorth| it.elo.map_or(-1.0, f64::abs);
    let mut order: Vec<usize> = (0..features.len()).collect();
    order.sort_by(|&a, &b| size(&features[b]).total_cmp(&size(&features[a])));
    order.truncate(MOST_ROWS);
    order.sort();
    order.into_iter().map(|index| &features[index]).collect()
}

pub(crate) struct AblationPicture<'a> {
    features: Vec<&'a FeatureWorth>,
    header: Header,
    figures: Vec<String>,
    axis: RowAxis,
    /// The width of the names.
    names: i32,
}

impl AblationPicture<'_> {
    pub(crate) fn new(ablation: &Ablation) -> Result<AblationPicture<'_>, String> {
        check(ablation)?;
        let Ablation { weights, depth, terms, openings, features } = ablation;
        let all = features.len();
        let features = drawn(features);
        let few = match features.len() {
            shown if shown == all => String::new(),
            shown => format!(" · the {shown} of {all} features with the largest absolute worth"),
        };
        let notes = format!(
            "depth {depth} · openings {openings} · {terms} · blue: a positive weight, orange: a negative one{few}"
        );
        let figures: Vec<String> = features.iter().copied().map(figure).collect();
        let names = style::widest(features.iter().copied().map(name)).min(INNER * 9 / 20);
        let ends = features.iter().filter_map(|it| it.elo_ci95).flat_map(<[f64; 2]>::from);
        let axis = Axis::values(ends.chain([0.0]), 8);
        Ok(AblationPicture {
            features,
            header: Header::new(
                "What each feature is worth",
                &[plain(weights)],
                &[&plain(&notes)],
                INNER,
            ),
            names,
            axis: RowAxis {
                axis,
                left: names + 2 * SPACE,
                right: INNER - style::widest(&figures) - 2 * SPACE,
            },
            figures,
        })
    }

    fn bottom(&self) -> i32 {
        self.features.len() as i32 * ROW
    }

    fn draw_row<DB: DrawingBackend>(&self, area: &Area<DB>, index: usize) -> Drawn<DB> {
        let (feature, y) = (self.features[index], index as i32 * ROW + ROW / 2);
        let shown = style::shorten(&name(feature), style::LABEL, self.names);
        area.draw_text(&shown, &style::centred(HPos::Left), (0, y))?;
        area.draw_text(&self.figures[index], &style::centred(HPos::Right), (INNER, y))?;
        let Some((elo, interval)) = feature.elo.zip(feature.elo_ci95) else { return Ok(()) };
        let colour = if feature.weight < 0 { style::VERMILLION } else { style::BLUE };
        self.axis.draw_bar(area, y, elo, BAR / 2, colour.mix(0.6).filled())?;
        self.axis.draw_interval(area, y, interval.into(), style::INK)
    }
}

impl Picture for AblationPicture<'_> {
    fn size(&self) -> (u32, u32) {
        let height = 2 * MARGIN + self.header.height() + GAP + self.bottom() + FOOT;
        (WIDTH as u32, (height as u32).next_multiple_of(style::FINENESS))
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let sheet = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let (header, rest) = sheet.split_vertically(self.header.height() + GAP);
        self.header.draw(&header)?;
        self.axis.draw(
            &rest,
            self.bottom(),
            "Elo lost without the feature, with 95 % intervals",
        )?;
        (0..self.features.len()).try_for_each(|index| self.draw_row(&rest, index))
    }
}
