//! The sheet: a header, and below it the panels with their headings.

use plotters::prelude::DrawingBackend;

use super::chart::{self, Area, Drawn, Key, Mark};
use super::error::Error;
use super::material::{Entry, Material};
use super::output::Picture;
use super::what::{Panel, What};
use super::{agreement, champion, diversity, fit, fitness, pits, strength, style, units, weights};
use crate::run;
use mancala::eval::{Signs, Weights};
use mancala::game::AnyGame;

pub(super) const WIDTH: i32 = 3200;
pub(super) const MARGIN: i32 = 80;
const GAP: i32 = 72;
pub(super) const INNER: i32 = WIDTH - 2 * MARGIN;
const TITLE: i32 = style::TITLE * 3 / 2;
const HEADING: i32 = style::HEADING * 3 / 2;

/// Panel is to be drawn, laid out.
pub(super) struct Sheet<'a> {
    material: &'a Material,
    panels: Vec<Panel>,
}

/// The panels that were asked for, or all for which the inputs hold something.
pub(super) fn panels(material: &Material, panel: Option<Panel>) -> Result<Vec<Panel>, Error> {
    let Some(panel) = panel else {
        let all = Panel::ALL.into_iter();
        return Ok(all.filter(|panel| can_draw(material, *panel)).collect());
    };
    if can_draw(material, panel) {
        return Ok(vec![panel]);
    }
    Err(Error::Nothing(What::Panel(panel)))
}

fn can_draw(material: &Material, panel: Panel) -> bool {
    match panel {
        Panel::Fitness | Panel::Diversity | Panel::Weights => material.runs().next().is_some(),
        Panel::Strength => material.measurements().next().is_some(),
        Panel::Champion => material.champions().next().is_some(),
        Panel::Agreement => material.champions().nth(1).is_some(),
        Panel::Pits => pits::can_draw(material),
        Panel::Units => units::can_draw(material),
        Panel::Fit => material.epochs().next().is_some(),
    }
}

impl Sheet<'_> {
    pub(super) fn new(material: &Material, panels: Vec<Panel>) -> Sheet<'_> {
        Sheet { material, panels }
    }
}

impl Picture for Sheet<'_> {
    fn size(&self) -> (u32, u32) {
        let panels = self.panels.iter();
        let heights = panels.map(|panel| GAP + HEADING + self.height(*panel));
        let height = MARGIN + self.header_height() + heights.sum::<i32>() + MARGIN;
        (WIDTH as u32, (height as u32).next_multiple_of(style::FINENESS))
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let sheet = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let (header, mut rest) = sheet.split_vertically(self.header_height());
        self.draw_header(&header)?;
        for panel in &self.panels {
            let (_, below) = rest.split_vertically(GAP);
            let (heading, below) = below.split_vertically(HEADING);
            let (area, below) = below.split_vertically(self.height(*panel));
            self.draw_heading(*panel, &heading)?;
            self.draw_panel(*panel, &area)?;
            rest = below;
        }
        Ok(())
    }
}

impl Sheet<'_> {
    fn height(&self, panel: Panel) -> i32 {
        match panel {
            Panel::Fitness => fitness::HEIGHT,
            Panel::Strength => strength::HEIGHT,
            Panel::Agreement => agreement::height(self.material),
            Panel::Diversity => diversity::HEIGHT,
            Panel::Weights => weights::height(self.material),
            Panel::Champion => champion::height(self.material, INNER),
            Panel::Pits => pits::height(self.material),
            Panel::Units => units::height(self.material),
            Panel::Fit => fit::HEIGHT,
        }
    }

    fn draw_panel<DB: DrawingBackend>(&self, panel: Panel, area: &Area<DB>) -> Drawn<DB> {
        match panel {
            Panel::Fitness => fitness::draw(self.material, area),
            Panel::Strength => strength::draw(self.material, area),
            Panel::Agreement => agreement::draw(self.material, area),
            Panel::Diversity => diversity::draw(self.material, area),
            Panel::Weights => weights::draw(self.material, area),
            Panel::Champion => champion::draw(self.material, area),
            Panel::Pits => pits::draw(self.material, area),
            Panel::Units => units::draw(self.material, area),
            Panel::Fit => fit::draw(self.material, area),
        }
    }

    fn draw_heading<DB: DrawingBackend>(&self, panel: Panel, area: &Area<DB>) -> Drawn<DB> {
        let (heading, note) = self.heading(panel);
        pair(area, (heading, style::HEADING), (&note, style::SMALL))
    }

    fn heading(&self, panel: Panel) -> (&'static str, String) {
        match panel {
            Panel::Fitness => ("Fitness", self.per_point("")),
            Panel::Strength => {
                let note = "points a game against opponents outside the run, with 95 % intervals";
                ("Strength", note.to_owned())
            }
            Panel::Agreement => {
                let note = "weights as shares of their length; a dot a champion";
                ("Agreement", joined([note.to_owned(), agreement::features(self.material).note()]))
            }
            Panel::Diversity => {
                let note = "mean Hamming distance of all pairs, and number of distinct chromosomes";
                ("Diversity", self.per_point(note))
            }
            Panel::Weights => {
                let note = "mean ± 1 standard deviation in each generation";
                let few = weights::features(self.material).note();
                ("Weights", joined([self.per_point(note), few]))
            }
            Panel::Champion => {
                let few = champion::features(self.material).note();
                ("Champion", joined([few, self.origin()]))
            }
            Panel::Pits => ("Pits", pits::NOTE.to_owned()),
            Panel::Units => ("Units", joined([units::NOTE.to_owned(), units::few(self.material)])),
            Panel::Fit => ("Fit", fit::NOTE.to_owned()),
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
        let game = Some(settings.game()).filter(|game| *game != AnyGame::default());
        let played = game.map(run::played).unwrap_or_default();
        return joined([made_by(&settings.preset, settings.seed), played, progress]);
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
        let generation = from.generation;
        let fitness =
            from.fitness.map(|fitness| format!(" · fitness {fitness}")).unwrap_or_default();
        let (searched, played) = (from.searched(), &from.played);
        format!("generation {generation}{fitness} · {searched} · {played}")
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
