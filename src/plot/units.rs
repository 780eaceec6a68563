//! Heat maps of the hidden neurons in a learned layer: pits by seed count, stores and capturing pits.

use std::sync::Arc;

use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{
    Area, Density, Drawn, Entry, Inputs,
    heat::{self, Maps},
    minus, style,
};
use mancala::eval::{Feature, GameField, Layer, ONE, Taper, Weights};
use mancala::game::{AnyGame, Group, HiddenNeuron, InputKind, Owner};

pub(crate) const NOTE: &str = "value that the seeds in a pit add, compared with an empty pit";

const MAX_UNITS: usize = 16;
const MAX_COMPACT_UNITS: usize = 8;
const COLUMNS: usize = 4;
/// The colour scale is chosen so that this fraction of the cells is not saturated.
const SHORT_OF_FULL: f64 = 0.98;

const SMALL: i32 = 36;
/// Text height for a neuron's output weights, chosen so that those of four phases fit.
const WEIGHTS: i32 = 40;
const ROW: i32 = 40;
const LEFT: i32 = 120;
/// Space between maps, and below each row of maps.
const GAP: i32 = 48;
const TITLE: i32 = style::LABEL * 5 / 4;
/// Space above the rows that belong to one side.
const OWNER: i32 = SMALL * 3 / 2;

/// A layer, and its neurons with the largest weights.
pub(crate) struct Look {
    layer: Arc<Layer>,
    /// The neurons shown, largest weight first.
    units: Vec<Unit>,
    /// Number of neurons that have a weight.
    all: usize,
    groups: Vec<Group>,
    /// Number of pits per side, or the maximum if the board is unknown.
    pits: usize,
    /// The absolute value that is drawn in a saturated colour, in units of the layer's weights.
    full: f64,
}

struct Unit {
    name: &'static str,
    place: usize,
    /// The neuron's largest weight in the evaluation.
    weight: i32,
    /// The neuron's weight in each phase, from a full board to an empty one.
    in_phases: Vec<i32>,
}

impl Look {
    /// Returns an absolute value that few cells exceed, for the end of the colour scale. The maximum would be
    /// unsuitable, because some rare contents have by far the largest weights.
    fn nearly_largest(&self) -> f64 {
        let units = self.units.iter();
        let cells =
            units.flat_map(|unit| self.groups.iter().flat_map(|group| self.cells(unit, group)));
        let mut sizes: Vec<f64> = cells.map(f64::abs).collect();
        sizes.sort_by(f64::total_cmp);
        let place = (sizes.len() as f64 * SHORT_OF_FULL) as usize;
        sizes.get(place).copied().unwrap_or_default()
    }

    /// Returns what the rows of a group contribute to a neuron, compared with the group's first row, which stands for
    /// no seeds or no pits. For a pit or a store, there is one cell per number of seeds. For a set of pits, there is
    /// one cell per pit, for the set that only contains this pit.
    fn cells(&self, unit: &Unit, group: &Group) -> Vec<f64> {
        let weight = |row: u16| {
            let row = usize::from(group.first + row);
            f64::from(self.layer.rows()[row * self.layer.units() + unit.place])
        };
        let more = |row| weight(row) - weight(0);
        match group.kind {
            InputKind::Pit(_) | InputKind::Store => (0..group.rows).map(more).collect(),
            InputKind::Pits(_) => {
                (0..group.rows.ilog2()).take(self.pits).map(|pit| more(1 << pit)).collect()
            }
            // Pairs have too many contents for a line of cells.
            InputKind::Pair(_) => Vec::new(),
        }
    }

    /// Returns the number of possible contents of a pit, which is the width of a map.
    fn contents(&self) -> i32 {
        let pit = self.groups.iter().find(|group| matches!(group.kind, InputKind::Pit(_)));
        pit.map_or(1, |group| group.rows.into())
    }

    fn map_height(&self) -> i32 {
        TITLE + ROW + 2 * OWNER + self.groups.len() as i32 * ROW + GAP
    }
}

fn unit((feature, weight): (&Feature, i32), phases: &Taper) -> Option<Unit> {
    // Skip neurons of a second layer. Their inputs are outputs of the first, which cannot be drawn as maps of pits.
    let unit = HiddenNeuron::try_from(*feature).ok().filter(|unit| !unit.is_second)?;
    let place = usize::from(unit.number) - 1;
    let of_unit = phases.factors().iter().skip(place).step_by(phases.outputs());
    let in_phase = |&factor: &i16| weight * i32::from(factor) / i32::from(Taper::ONE);
    Some(Unit {
        name: feature.name(),
        place,
        weight,
        in_phases: of_unit.rev().map(in_phase).collect(),
    })
}

/// Returns the number of pits per side on the board of the weights, or the maximum if the board is unknown.
fn pits(entry: &Entry, weights: &Weights) -> usize {
    let of_file = || match &weights.provenance.as_ref()?.played {
        GameField::Game(text) => text.parse().ok(),
        GameField::Rules(_) => None,
    };
    match entry.run.as_ref().map(|run| run.settings.game()).or_else(of_file) {
        Some(AnyGame::Kalah(game)) => game.pits(),
        _ => usize::MAX,
    }
}

/// Returns notes about the numbers above the maps and about neurons left out.
pub(crate) fn note(inputs: &Inputs) -> [String; 2] {
    let looks: Vec<Look> = heat::maps(inputs).map(|(_, look)| look).collect();
    let has_phases = looks.iter().any(|look| look.layer.phases().count() > 1);
    let weights = if has_phases { "weights from a full board to an empty one" } else { "" };
    let left_out = looks.iter().find(|look| look.all > look.units.len());
    let few = |look: &Look| format!("the {} largest of {} units", look.units.len(), look.all);
    [weights.into(), left_out.map(few).unwrap_or_default()]
}

impl Maps for Look {
    fn of(entry: &Entry, weights: &Weights, density: Density) -> Option<Look> {
        let layer = Arc::clone(weights.features().layer()?);
        let features = weights.features().features().iter().zip(weights.effective());
        let unit = |it| unit(it, layer.phases());
        let mut units: Vec<Unit> = features.filter_map(unit).collect();
        // The sort is stable, so neurons of equal weight keep their order.
        units.sort_by_key(|unit| std::cmp::Reverse(unit.weight.unsigned_abs()));
        let all = units.len();
        units.truncate(if density == Density::Compact { MAX_COMPACT_UNITS } else { MAX_UNITS });
        let pits = pits(entry, weights);
        let is_there = |group: &Group| match group.kind {
            InputKind::Pit(pit) => usize::from(pit) < pits,
            InputKind::Store | InputKind::Pits(_) => true,
            InputKind::Pair(_) => false,
        };
        let groups = layer.groups().into_iter().filter(is_there).collect();
        let mut look = Look { layer, units, all, groups, pits, full: 1.0 };
        look.full = look.nearly_largest().max(1.0);
        (all > 0).then_some(look)
    }

    fn height(&self) -> i32 {
        self.units.len().div_ceil(COLUMNS) as i32 * self.map_height() + heat::LEGEND + GAP
    }

    fn draw<DB: DrawingBackend>(&self, area: &Area<DB>) -> Drawn<DB> {
        let rows = self.units.len().div_ceil(COLUMNS);
        let (maps, legend) = area.split_vertically(rows as i32 * self.map_height());
        for (cell, unit) in maps.split_evenly((rows, COLUMNS)).iter().zip(&self.units) {
            draw_unit(self, unit, cell)?;
        }
        let share = self.full / f64::from(ONE);
        let [low, middle, high] = [-share, 0.0, share].map(|it| minus(&format!("{it:.2}")));
        let text = "of its range: blue turns the unit up, orange down";
        heat::legend(&legend, LEFT, [&low, &middle, &high], text)
    }
}

fn draw_unit<DB: DrawingBackend>(look: &Look, unit: &Unit, area: &Area<DB>) -> Drawn<DB> {
    let weights = unit.in_phases.iter().map(|weight| minus(&weight.to_string()));
    let weights = weights.collect::<Vec<_>>().join(", ");
    area.draw_text(unit.name, &style::text(style::LABEL, style::INK), (0, 0))?;
    let room = area.dim_in_pixel().0 as i32 - LEFT - GAP / 4;
    let weights = style::shorten(&weights, WEIGHTS, room);
    area.draw_text(
        &weights,
        &style::text(WEIGHTS, style::INK),
        (LEFT, (style::LABEL - WEIGHTS) / 2),
    )?;
    let width = (area.dim_in_pixel().0 as i32 - LEFT - GAP) / look.contents() * look.contents();
    draw_contents(look, width, area)?;
    let mut y = TITLE + ROW;
    for owner in Owner::BOTH {
        let whose = match owner {
            Owner::Mine => "my pits",
            Owner::Theirs => "the opponent's pits",
        };
        area.draw_text(whose, &style::text(SMALL, style::PALE_INK), (LEFT, y + 10))?;
        y += OWNER;
        for group in look.groups.iter().filter(|group| group.owner == owner) {
            draw_group(look, unit, group, (y, width), area)?;
            y += ROW;
        }
    }
    Ok(())
}

/// Draws the numbers of seeds above every sixth column and above the last one.
fn draw_contents<DB: DrawingBackend>(look: &Look, width: i32, area: &Area<DB>) -> Drawn<DB> {
    let most = look.contents() - 1;
    for seeds in (0..most - 3).step_by(6).chain([most]) {
        let text = if seeds == most { format!("{seeds} +") } else { seeds.to_string() };
        let x = LEFT + (2 * seeds + 1) * width / (2 * (most + 1));
        area.draw_text(&text, &heat::centred(SMALL, style::PALE_INK), (x, TITLE + ROW / 2))?;
    }
    Ok(())
}

/// Draws the cells of a group in one row, and the label of the row. If there is one cell per pit, the label is to the
/// right of the cells.
fn draw_group<DB: DrawingBackend>(
    look: &Look,
    unit: &Unit,
    group: &Group,
    (y, width): (i32, i32),
    area: &Area<DB>,
) -> Drawn<DB> {
    let cells = look.cells(unit, group);
    let whole =
        if matches!(group.kind, InputKind::Pits(_)) { look.contents() } else { cells.len() as i32 };
    let edge = |place: usize| LEFT + place as i32 * width / whole;
    for (place, value) in cells.iter().enumerate() {
        let corners = [(edge(place), y), (edge(place + 1), y + ROW - 2)];
        heat::cell(area, corners, value / look.full)?;
    }
    let side = |side| style::text(SMALL, style::PALE_INK).pos(Pos::new(side, VPos::Center));
    let middle = y + ROW / 2;
    let (text, side, x) = match group.kind {
        InputKind::Pit(pit) => ((pit + 1).to_string(), side(HPos::Right), LEFT - 16),
        InputKind::Store => ("store".to_owned(), side(HPos::Right), LEFT - 16),
        InputKind::Pits(what) => (format!("that {what}"), side(HPos::Left), edge(cells.len()) + 16),
        InputKind::Pair(_) => return Ok(()),
    };
    area.draw_text(&text, &side, (x, middle))
}
