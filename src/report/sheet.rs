//! The sheet: a header, and below it the panels with their headings.

use plotters::prelude::DrawingBackend;

use super::chart::{self, Area, Drawn, Key, Mark};
use super::material::{Entry, Material};
use super::{Error, What, champion, diversity, fitness, style, weights};
use crate::eval::{Signs, Weights};

const WIDTH: i32 = 3200;
const MARGIN: i32 = 80;
const GAP: i32 = 72;
const INNER: i32 = WIDTH - 2 * MARGIN;
const TITLE: i32 = style::TITLE * 3 / 2;
const HEADING: i32 = style::HEADING * 3 / 2;

/// What is to be drawn, laid out.
pub(super) struct Sheet<'a> {
    material: &'a Material,
    panels: Vec<What>,
}

/// The panels that were asked for, or all for which the inputs hold something.
pub(super) fn panels(material: &Material, what: Option<What>) -> Result<Vec<What>, Error> {
    let Some(what) = what else {
        let all = What::ALL.into_iter();
        return Ok(all.filter(|what| can_draw(material, *what)).collect());
    };
    if can_draw(material, what) {
        return Ok(vec![what]);
    }
    let needs = match what {
        What::Fitness | What::Diversity | What::Weights => "a run folder",
        What::Champion => "a run folder with a champion.json, or weights",
    };
    Err(Error::Nothing { what, needs })
}

fn can_draw(material: &Material, what: What) -> bool {
    match what {
        What::Fitness | What::Diversity | What::Weights => material.runs().next().is_some(),
        What::Champion => material.champions().next().is_some(),
    }
}

impl Sheet<'_> {
    pub(super) fn new(material: &Material, panels: Vec<What>) -> Sheet<'_> {
        Sheet { material, panels }
    }

    /// Width and height as drawn, a multiple of the picture's.
    pub(super) fn size(&self) -> (u32, u32) {
        let panels = self.panels.iter();
        let heights = panels.map(|what| GAP + HEADING + self.height(*what));
        let height = MARGIN + self.header_height() + heights.sum::<i32>() + MARGIN;
        (WIDTH as u32, (height as u32).next_multiple_of(style::FINENESS))
    }

    pub(super) fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let sheet = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let (header, mut rest) = sheet.split_vertically(self.header_height());
        self.draw_header(&header)?;
        for what in &self.panels {
            let (_, below) = rest.split_vertically(GAP);
            let (heading, below) = below.split_vertically(HEADING);
            let (panel, below) = below.split_vertically(self.height(*what));
            self.draw_heading(*what, &heading)?;
            self.draw_panel(*what, &panel)?;
            rest = below;
        }
        Ok(())
    }

    fn height(&self, what: What) -> i32 {
        match what {
            What::Fitness => fitness::HEIGHT,
            What::Diversity => diversity::HEIGHT,
            What::Weights => weights::height(self.material),
            What::Champion => champion::height(self.material, INNER),
        }
    }

    fn draw_panel<DB: DrawingBackend>(&self, what: What, area: &Area<DB>) -> Drawn<DB> {
        match what {
            What::Fitness => fitness::draw(self.material, area),
            What::Diversity => diversity::draw(self.material, area),
            What::Weights => weights::draw(self.material, area),
            What::Champion => champion::draw(self.material, area),
        }
    }

    fn draw_heading<DB: DrawingBackend>(&self, what: What, area: &Area<DB>) -> Drawn<DB> {
        let (heading, note) = self.heading(what);
        pair(area, (heading, style::HEADING), (&note, style::SMALL))
    }

    fn heading(&self, what: What) -> (&'static str, String) {
        match what {
            What::Fitness => ("Fitness", self.per_point("")),
            What::Diversity => {
                let note = "mean Hamming distance of all pairs, and number of distinct chromosomes";
                ("Diversity", self.per_point(note))
            }
            What::Weights => {
                let note = "mean ± 1 standard deviation in each generation";
                ("Weights", self.per_point(note))
            }
            What::Champion => ("Champion", self.origin()),
        }
    }

    /// The note, and that lines are smoothed if they are.
    fn per_point(&self, note: &str) -> String {
        if self.material.block == 1 {
            return note.to_owned();
        }
        let block = self.material.block;
        let averaged = format!("each point is the mean of {block} generations");
        joined([note.to_owned(), averaged])
    }

    fn origin(&self) -> String {
        match self.material.champions().next() {
            Some((_, weights)) if !self.material.is_overlaid() => origin(weights),
            _ => "weights with their signs".to_owned(),
        }
    }

    fn header_height(&self) -> i32 {
        if self.material.is_overlaid() { chart::legend_height(&self.keys(), INNER) } else { TITLE }
    }

    fn draw_header<DB: DrawingBackend>(&self, area: &Area<DB>) -> Drawn<DB> {
        if self.material.is_overlaid() {
            return chart::legend(area, &self.keys());
        }
        let entry = &self.material.entries[0];
        pair(area, (&entry.name, style::TITLE), (&subtitle(entry), style::LABEL))
    }

    fn keys(&self) -> Vec<Key<'_>> {
        let entries = self.material.entries.iter();
        let keys =
            entries.map(|entry| Key { mark: Mark::Box, colour: entry.colour, text: &entry.name });
        keys.collect()
    }
}

/// Where a run or its champion comes from, and how far the run has got.
fn subtitle(entry: &Entry) -> String {
    if let Some(run) = &entry.run {
        let settings = &run.settings;
        let (reached, all) = (run.generations.len(), settings.generations as usize);
        let progress = match reached {
            _ if reached < all => format!("{reached} of {all} generations so far"),
            1 => "1 generation".to_owned(),
            _ => format!("{reached} generations"),
        };
        return joined([made_by(&settings.preset, settings.seed), progress]);
    }
    let provenance = entry.champion.as_ref().and_then(|weights| weights.provenance.as_ref());
    provenance.map(|from| made_by(&from.preset, from.seed)).unwrap_or_default()
}

fn made_by(preset: &str, seed: u64) -> String {
    format!("preset {preset} · seed {seed}")
}

fn origin(weights: &Weights) -> String {
    let signs = match weights.signs() {
        Signs::Signed => "weights with their signs",
        Signs::Literal => "literal weights",
    };
    let from = weights.provenance.as_ref().map(|from| {
        let (generation, fitness) = (from.generation, from.fitness);
        let (depth, rules) = (from.depth, &from.rules);
        format!("generation {generation} · fitness {fitness} · depth {depth} · rules {rules}")
    });
    joined([signs.to_owned(), from.unwrap_or_default()])
}

fn joined(parts: impl IntoIterator<Item = String>) -> String {
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" · ")
}

/// A large text and a small pale one after it, on one baseline.
fn pair<DB: DrawingBackend>(
    area: &Area<DB>,
    (large, large_size): (&str, i32),
    (small, small_size): (&str, i32),
) -> Drawn<DB> {
    let room = area.dim_in_pixel().0 as i32;
    let large = style::shorten(large, large_size, room);
    area.draw_text(&large, &style::text(large_size, style::INK), (0, 0))?;
    let left = style::width(&large, large_size) + 56;
    let small = style::shorten(small, small_size, room - left);
    let drop = (large_size - small_size) * 2 / 3;
    area.draw_text(&small, &style::text(small_size, style::PALE_INK), (left, drop))
}
