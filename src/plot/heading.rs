//! Headings for a sheet and its panels.

use plotters::prelude::DrawingBackend;

use super::{
    Area, Drawn, Entry, Group, Inputs, Panel, agreement, champion, diversity, fit, pits, strength,
    style, units, weights,
};
use mancala::eval::{GameField, Signs, Weights};
use mancala::game::AnyGame;

/// Draws the title of a sheet that shows a single run, group or champion.
pub(crate) fn draw_title<DB: DrawingBackend>(
    inputs: &Inputs,
    group: &Group,
    area: &Area<DB>,
) -> Drawn<DB> {
    let subtitle = match inputs.is_grouped() && inputs.members(group).next().is_some() {
        true => of_group(inputs, group),
        false => of_entry(inputs, &inputs.entries[group.members[0]]),
    };
    pair(area, (&group.name, style::TITLE), (&subtitle, style::LABEL))
}

/// Draws the heading of a panel, with a note that explains its symbols or why it is empty.
pub(crate) fn draw<DB: DrawingBackend>(
    inputs: &Inputs,
    panel: Panel,
    absence: Option<&str>,
    area: &Area<DB>,
) -> Drawn<DB> {
    let (heading, note) = heading(inputs, panel);
    let note = absence.unwrap_or(&note);
    pair(area, (heading, style::HEADING), (note, style::SMALL))
}

fn heading(inputs: &Inputs, panel: Panel) -> (&'static str, String) {
    match panel {
        Panel::Fitness => ("Fitness", per_point(inputs, "")),
        Panel::Strength => ("Strength", strength::note(inputs)),
        Panel::Agreement => {
            let note = "weights as shares of their length; one dot per champion";
            ("Agreement", joined([note.to_owned(), agreement::features(inputs).note()]))
        }
        Panel::Diversity => ("Diversity", per_point(inputs, &diversity::note(inputs))),
        Panel::Weights => {
            let few = weights::features(inputs).note();
            ("Weights", joined([per_point(inputs, weights::note(inputs)), few]))
        }
        Panel::Champion => {
            let (few, unit) = (champion::features(inputs).note(), champion::note(inputs));
            ("Champion", joined([few, of_champions(inputs), unit.to_owned()]))
        }
        Panel::Pits => ("Pits", pits::NOTE.to_owned()),
        Panel::Units => {
            let [weights, few] = units::note(inputs);
            ("Units", joined([units::NOTE.to_owned(), weights, few]))
        }
        Panel::Fit => ("Fit", fit::NOTE.to_owned()),
    }
}

fn per_point(inputs: &Inputs, note: &str) -> String {
    if inputs.block == 1 {
        return note.to_owned();
    }
    let averaged = format!("each point is the mean of {} generations", inputs.block);
    joined([note.to_owned(), averaged])
}

fn of_champions(inputs: &Inputs) -> String {
    match inputs.champions().next() {
        Some((_, weights)) if !inputs.is_overlaid() => origin(weights),
        _ => "weights with their signs".to_owned(),
    }
}

fn of_group(inputs: &Inputs, group: &Group) -> String {
    let reached = || inputs.members(group).map(|(_, run)| run.reached);
    let (least, most) = (reached().min().unwrap_or(0), reached().max().unwrap_or(0));
    let progress = match least == most {
        true => format!("{most} generations"),
        false => format!("{least} to {most} generations; means end with the shortest run"),
    };
    joined([group.seeds(), progress, shown(inputs)])
}

fn of_entry(inputs: &Inputs, entry: &Entry) -> String {
    if let Some(run) = &entry.run {
        let settings = &run.settings;
        let (reached, all) = (run.reached, settings.generations);
        let progress = match reached {
            _ if reached < all => format!("{reached} of {all} generations so far"),
            1 => "1 generation".to_owned(),
            _ => format!("{reached} generations"),
        };
        let game = Some(settings.game()).filter(|game| *game != AnyGame::default());
        let played = game.map(|game| GameField::from(game).to_string()).unwrap_or_default();
        let made_by = made_by(&settings.preset, settings.seed);
        return joined([made_by, played, progress, shown(inputs)]);
    }
    let provenance = entry.champion.as_ref().and_then(|weights| weights.provenance.as_ref());
    provenance.map(|from| made_by(&from.preset, from.seed)).unwrap_or_default()
}

/// Describes the range of generations shown, unless all are shown.
fn shown(inputs: &Inputs) -> String {
    let range = inputs.generations();
    match inputs.requested.are_all() {
        true => String::new(),
        false => format!("generations {} to {} shown", range.start(), range.end()),
    }
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
        let fitness = from.fitness.map(|it| format!(" · fitness {it}")).unwrap_or_default();
        let (searched, played) = (from.searched(), &from.played);
        format!("generation {generation}{fitness} · {searched} · {played}")
    });
    joined([signs.to_owned(), from.unwrap_or_default()])
}

fn joined(parts: impl IntoIterator<Item = String>) -> String {
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" · ")
}

/// Draws a large string followed by a small pale one on the same baseline.
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
