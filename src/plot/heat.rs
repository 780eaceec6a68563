//! Draws the panel of pit values, and heat maps in which blue is positive and orange is negative.

use mancala::eval::{Linear, Weights};
use mancala::game::{Feature, GameKind, Owner, PitCount, ayo::Ayo};
use mancala::search::SearchableGame;
use plotters::style::RGBColor;
use plotters::style::text_anchor::{HPos, VPos};

use super::{Canvas, Entry, Inputs, minus, style};

const STEPS: i32 = 41;
const STEP: i32 = 30;
const LINE: i32 = style::LABEL * 5 / 4;

/// If there are several inputs, appends the name of this input as the heading of its maps.
pub(crate) fn name(inputs: &Inputs, entry: &Entry, picture: &mut Canvas) {
    if inputs.is_overlaid() {
        let name = style::shorten(&entry.name, style::LABEL, picture.width);
        let style = style::text(style::LABEL, entry.stroke.colour);
        picture.text((0, picture.height), name, style);
        picture.height += LINE;
    }
}

/// Converts a fraction to a colour. Zero is white, and the colours saturate at ±1.
pub(crate) fn colour(share: f64) -> RGBColor {
    let full = if share < 0.0 { style::VERMILLION } else { style::BLUE };
    let share = share.abs().min(1.0);
    let mixed = |part: u8| (255.0 - share * (255.0 - f64::from(part))).round() as u8;
    RGBColor(mixed(full.0), mixed(full.1), mixed(full.2))
}

type Centre = (i32, i32);

pub(crate) fn label(picture: &mut Canvas, at: Centre, text: &str, size: i32, colour: RGBColor) {
    picture.text(at, text, style::anchored(size, colour, HPos::Center, VPos::Center));
}

/// Returns the heading of a map's column. The last column stands for `most` or more seeds.
pub(crate) fn seed_count(seeds: i32, most: i32) -> String {
    if seeds == most { format!("{seeds} +") } else { seeds.to_string() }
}

/// Appends a colour scale at `left`, with `text` beside it and `marks` below its left end, middle and right end.
pub(crate) fn legend(picture: &mut Canvas, left: i32, marks: [String; 3], text: &str) {
    let top = picture.height;
    for step in 0..STEPS {
        let share = f64::from(2 * step) / f64::from(STEPS - 1) - 1.0;
        let x = left + step * STEP;
        picture.rectangle([(x, top), (x + STEP, top + LINE)], colour(share));
    }
    let below = style::anchored(style::SMALL, style::INK, HPos::Center, VPos::Top);
    for (place, mark) in [0, STEPS / 2, STEPS - 1].into_iter().zip(marks) {
        picture.text((left + place * STEP + STEP / 2, top + LINE + 8), mark, below.clone());
    }
    let right = left + (STEPS + 1) * STEP;
    let text = style::shorten(text, style::LABEL, picture.width - right);
    picture.text((right, top + LINE / 2), text, style::label(HPos::Left));
    picture.height += LINE + style::SMALL * 2;
}

const CELL: i32 = 120;
const GAP: i32 = 40;
const SMALL: i32 = 40;
const LEFT: i32 = style::LABEL * 2;

/// The value that the weights assign to each number of seeds in each pit. The values are divided by the value of a
/// captured seed if it is positive, and are otherwise shown unchanged.
pub(crate) struct Worth {
    linear: Linear,
    /// The weight of a captured seed if we show values in seeds, or else 1.
    unit: f64,
    in_seeds: bool,
    /// The largest absolute value. We divide by this number, so it is never zero.
    largest: f64,
}

impl Worth {
    /// Returns `None` if the weights have no features for pit contents.
    pub(crate) fn of(weights: &Weights) -> Option<Worth> {
        let holds = |feature: &Feature| matches!(feature, Feature::PitCount(_));
        let features = weights.features();
        if features.game() != GameKind::Ayo || !features.features().iter().any(holds) {
            return None;
        }
        let linear = Linear::new(weights);
        linear.pit_value(Owner::Mine, 0, 0)?;
        let seed = Ayo::seed_value(weights);
        let unit = f64::from(seed.max(1));
        let mut worth = Worth { linear, unit, in_seeds: seed > 0, largest: 0.0 };
        let rows = Owner::BOTH.into_iter().flat_map(|owner| pits().map(move |pit| (owner, pit)));
        let all = rows.flat_map(|(owner, pit)| seeds().map(move |it| (owner, pit, it)));
        let sizes = all.map(|(owner, pit, seeds)| worth.at(owner, pit, seeds).abs());
        worth.largest = sizes.fold(f64::MIN_POSITIVE, f64::max);
        Some(worth)
    }

    /// Returns the value of the seeds in a pit, relative to an empty pit. Only differences matter, since adding a
    /// constant to all values of a pit doesn't change the best move.
    fn at(&self, owner: Owner, pit: u8, seeds: u8) -> f64 {
        let worth = |seeds| self.linear.pit_value(owner, pit.into(), seeds).unwrap_or(0);
        f64::from(worth(seeds) - worth(0)) / self.unit
    }

    fn label(&self, value: f64) -> String {
        minus(&if self.in_seeds { format!("{value:.1}") } else { format!("{value:.0}") })
    }

    /// Appends a map with a row per pit and a column per seed count.
    fn draw(&self, owner: Owner, picture: &mut Canvas) {
        let title = match owner {
            Owner::Mine => "my pits, first to last; columns: seeds in the pit",
            Owner::Theirs => "the opponent's pits, first to last; columns: seeds in the pit",
        };
        let (top, most) = (picture.height, i32::from(PitCount::MAX));
        picture.text((0, top), title, style::text(style::LABEL, style::INK));
        let width = (picture.width - LEFT) / (most + 1);
        let left = |seeds: u8| LEFT + i32::from(seeds) * width;
        for it in seeds() {
            let centre = (left(it) + width / 2, top + LINE + LINE / 2);
            label(picture, centre, &seed_count(it.into(), most), style::SMALL, style::PALE_INK);
        }
        picture.height += 2 * LINE;
        for pit in pits() {
            let (y, number) = (picture.height, (pit + 1).to_string());
            label(picture, (LEFT / 2, y + CELL / 2), &number, style::LABEL, style::INK);
            for seeds in seeds() {
                let (x, value) = (left(seeds), self.at(owner, pit, seeds));
                let share = value / self.largest;
                picture.rectangle([(x, y), (x + width - 4, y + CELL - 4)], colour(share));
                let text = style::shorten(&self.label(value), SMALL, width - 8);
                let ink = if share.abs() > 0.6 { style::PAPER } else { style::INK };
                label(picture, (x + width / 2, y + CELL / 2), &text, SMALL, ink);
            }
            picture.height += CELL;
        }
        picture.height += LINE;
    }
}

fn pits() -> impl Iterator<Item = u8> {
    0..PitCount::PITS
}

fn seeds() -> impl Iterator<Item = u8> {
    0..=PitCount::MAX
}

pub(crate) fn pits_panel(inputs: &Inputs, picture: &mut Canvas) -> String {
    for (entry, weights) in inputs.champions() {
        let Some(worth) = Worth::of(weights) else { continue };
        name(inputs, entry, picture);
        Owner::BOTH.into_iter().for_each(|owner| worth.draw(owner, picture));
        let unit = if worth.in_seeds { "in captured seeds" } else { "in units of the weights" };
        let marks = [-worth.largest, 0.0, worth.largest].map(|it| worth.label(it));
        let text = format!("{unit}; blue is good for me, orange is bad");
        legend(picture, LEFT, marks, &text);
        picture.height += GAP;
    }
    "value of the seeds in a pit, compared with an empty pit".into()
}
