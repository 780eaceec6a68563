//! The worth of the seeds in a pit: a map of my pits and one of the opponent's.

use plotters::element::Rectangle;
use plotters::prelude::DrawingBackend;
use plotters::style::Color;

use super::axis::minus;
use super::chart::{Area, Drawn};
use super::material::Entry;
use super::material::Material;
use super::{heat, style};
use mancala::eval::{Compiled, Tabled, Weights, compile};
use mancala::game::{Feature, GameKind, Holds, Owner, ayo::Ayo};
use mancala::search::SearchableGame;

pub(crate) const NOTE: &str =
    "what seeds in a pit are worth to the player whose view it is, more than an empty pit";

const CELL: i32 = 120;
const GAP: i32 = 40;
const SMALL: i32 = 40;
const LINE: i32 = style::LABEL * 5 / 4;
/// Space above and left of a map.
const HEAD: i32 = LINE * 2;
const LEFT: i32 = style::LABEL * 2;

/// The worth of pits by some weights, in seeds or in units of the weights.
struct Worth {
    tabled: Tabled,
    /// The weight of a captured seed, or 1.
    unit: f64,
    in_seeds: bool,
    largest: f64,
}

impl Worth {
    /// Returns `None` if the weights have no features of pit contents.
    fn of(weights: &Weights) -> Option<Worth> {
        let holds = |feature: &Feature| matches!(feature, Feature::Holds(_));
        let features = weights.features();
        if features.game() != GameKind::Ayo || !features.features().iter().any(holds) {
            return None;
        }
        let Compiled::Tabled(tabled) = compile(weights) else { return None };
        let seed = Ayo::seed_value(weights);
        let unit = f64::from(seed.max(1));
        let mut worth = Worth { tabled, unit, in_seeds: seed > 0, largest: 0.0 };
        let all = worth.cells().map(|(owner, pit, seeds)| worth.at(owner, pit, seeds).abs());
        worth.largest = all.fold(0.0, f64::max);
        Some(worth)
    }

    fn cells(&self) -> impl Iterator<Item = (Owner, u8, u8)> + use<> {
        let of_pit = move |owner, pit| (0..=Holds::MOST).map(move |seeds| (owner, pit, seeds));
        let of_owner = move |owner| (0..Holds::PITS).flat_map(move |pit| of_pit(owner, pit));
        Owner::BOTH.into_iter().flat_map(of_owner)
    }

    /// Returns the worth relative to an empty pit, since a constant for all contents does not change the order of moves.
    fn at(&self, owner: Owner, pit: u8, seeds: u8) -> f64 {
        let worth = |seeds| self.tabled.worth(owner, pit.into(), seeds).unwrap_or(0);
        f64::from(worth(seeds) - worth(0)) / self.unit
    }

    fn label(&self, value: f64) -> String {
        let text = if self.in_seeds { format!("{value:.1}") } else { format!("{value:.0}") };
        let zero = text.chars().all(|c| !c.is_ascii_digit() || c == '0');
        minus(if zero { text.trim_start_matches('-') } else { &text })
    }

    /// Returns a value as a share of the largest.
    fn share(&self, value: f64) -> f64 {
        if self.largest > 0.0 { value / self.largest } else { 0.0 }
    }
}

fn drawn(material: &Material) -> Vec<(&Entry, Worth)> {
    let champions = material.champions();
    champions.filter_map(|(entry, weights)| Some((entry, Worth::of(weights)?))).collect()
}

pub(crate) fn can_draw(material: &Material) -> bool {
    !drawn(material).is_empty()
}

/// Returns the height of a block: the two maps of a champion and their legend.
fn block() -> i32 {
    let rows = i32::from(Holds::PITS) * CELL;
    2 * (HEAD + rows + LINE) + heat::LEGEND + GAP
}

pub(crate) fn height(material: &Material) -> i32 {
    let names = if material.is_overlaid() { LINE } else { 0 };
    drawn(material).iter().map(|_| names + block()).sum()
}

pub(crate) fn draw<DB: DrawingBackend>(material: &Material, area: &Area<DB>) -> Drawn<DB> {
    let mut rest = area.clone();
    for (entry, worth) in drawn(material) {
        if material.is_overlaid() {
            let (top, below) = rest.split_vertically(LINE);
            let name = style::shorten(&entry.name, style::LABEL, top.dim_in_pixel().0 as i32);
            top.draw_text(&name, &style::text(style::LABEL, entry.look.colour), (0, 0))?;
            rest = below;
        }
        let (area, below) = rest.split_vertically(block());
        draw_block(&worth, &area)?;
        rest = below;
    }
    Ok(())
}

fn draw_block<DB: DrawingBackend>(worth: &Worth, area: &Area<DB>) -> Drawn<DB> {
    let mut rest = area.clone();
    for owner in Owner::BOTH {
        let height = HEAD + i32::from(Holds::PITS) * CELL + LINE;
        let (map, below) = rest.split_vertically(height);
        draw_map(worth, owner, &map)?;
        rest = below;
    }
    draw_legend(worth, &rest)
}

/// Draws a map with a row per pit and a column per content.
fn draw_map<DB: DrawingBackend>(worth: &Worth, owner: Owner, area: &Area<DB>) -> Drawn<DB> {
    let title = match owner {
        Owner::Mine => "my pits, from the first to the last; seeds in the pit",
        Owner::Theirs => "the opponent's pits, from its first to its last; seeds in the pit",
    };
    area.draw_text(title, &style::text(style::LABEL, style::INK), (0, 0))?;
    let width = cell_width(area);
    for seeds in 0..=Holds::MOST {
        let text = if seeds == Holds::MOST { format!("{seeds} +") } else { seeds.to_string() };
        let x = LEFT + i32::from(seeds) * width + width / 2;
        area.draw_text(&text, &heat::centred(style::SMALL, style::PALE_INK), (x, LINE + LINE / 2))?;
    }
    for (_, pit, seeds) in worth.cells().filter(|(of, ..)| *of == owner) {
        let (x, y) = (LEFT + i32::from(seeds) * width, HEAD + i32::from(pit) * CELL);
        let middle = y + CELL / 2;
        if seeds == 0 {
            let number = (pit + 1).to_string();
            area.draw_text(&number, &heat::centred(style::LABEL, style::INK), (LEFT / 2, middle))?;
        }
        let value = worth.at(owner, pit, seeds);
        let corners = [(x, y), (x + width - 4, y + CELL - 4)];
        area.draw(&Rectangle::new(corners, heat::colour(worth.share(value)).filled()))?;
        let text = style::shorten(&worth.label(value), SMALL, width - 8);
        area.draw_text(
            &text,
            &heat::centred(SMALL, heat::ink(worth.share(value))),
            (x + width / 2, middle),
        )?;
    }
    Ok(())
}

fn cell_width<DB: DrawingBackend>(area: &Area<DB>) -> i32 {
    (area.dim_in_pixel().0 as i32 - LEFT) / (i32::from(Holds::MOST) + 1)
}

/// Draws the colours, and the values at both ends and in the middle.
fn draw_legend<DB: DrawingBackend>(worth: &Worth, area: &Area<DB>) -> Drawn<DB> {
    let text = match worth.in_seeds {
        true => "in captured seeds; blue is good for me, orange bad",
        false => "in units of the weights; blue is good for me, orange bad",
    };
    let [low, middle, high] = [-worth.largest, 0.0, worth.largest].map(|it| worth.label(it));
    heat::legend(area, LEFT, [&low, &middle, &high], text)
}
