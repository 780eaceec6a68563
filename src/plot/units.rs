//! Draws heat maps of a layer's hidden neurons. A row shows a pit or a store (by seed count), or a set of pits.

use std::sync::Arc;

use mancala::eval::{Feature, Layer, ONE, Taper, Weights};
use mancala::game::{AnyGame, Group, HiddenNeuron, InputKind, Owner};
use plotters::style::text_anchor::{HPos, VPos};

use super::{Canvas, Density, Entry, Inputs, heat, minus, panels::joined, style};

const MAX_UNITS: usize = 16;
const MAX_COMPACT_UNITS: usize = 8;
const COLUMNS: usize = 4;
/// The fraction of cells that the colour scale covers. All other cells are saturated.
const SHORT_OF_FULL: f64 = 0.98;

const SMALL: i32 = 36;
/// The text height of a neuron's output weights. It's small, so that the weights of four phases fit.
const WEIGHTS: i32 = 40;
const ROW: i32 = 40;
const LEFT: i32 = 120;
const GAP: i32 = 48;

/// A learned layer and its neurons with the largest weights.
pub(crate) struct Units {
    layer: Arc<Layer>,
    /// The neurons to show, sorted by absolute weight in descending order.
    units: Vec<Unit>,
    /// The number of neurons that have a weight.
    all: usize,
    groups: Vec<Group>,
    /// The number of pits per side if the weights are for a known Kalah board, or else `usize::MAX` to show all pits.
    pits: usize,
    /// The absolute value at which colours saturate, on the scale of the layer's integer weights.
    full: f64,
}

struct Unit {
    name: &'static str,
    place: usize,
    /// The largest of the neuron's weights in the evaluation.
    weight: i32,
    /// The weight in each phase, from a full board to an empty one.
    in_phases: Vec<i32>,
}

impl Units {
    /// Returns `None` if the weights don't use a layer.
    pub(crate) fn of(entry: &Entry, weights: &Weights, density: Density) -> Option<Units> {
        let layer = Arc::clone(weights.features().layer()?);
        let features = weights.features().features().iter().zip(weights.effective());
        let unit = |it| unit(it, layer.phases());
        let mut units: Vec<Unit> = features.filter_map(unit).collect();
        // The sort is stable, so neurons with equal weights keep their order.
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
        let mut found = Units { layer, units, all, groups, pits, full: 1.0 };
        found.full = found.nearly_largest().max(1.0);
        (all > 0).then_some(found)
    }

    /// Returns the end of the colour scale: an absolute value that few cells exceed. We don't use
    /// the maximum, because some rare pit contents have by far the largest weights.
    fn nearly_largest(&self) -> f64 {
        let units = self.units.iter();
        let cells =
            units.flat_map(|unit| self.groups.iter().flat_map(|group| self.cells(unit, group)));
        let mut sizes: Vec<f64> = cells.map(f64::abs).collect();
        sizes.sort_by(f64::total_cmp);
        let place = (sizes.len() as f64 * SHORT_OF_FULL) as usize;
        sizes.get(place).copied().unwrap_or_default()
    }

    /// Returns how much each row of a group contributes to a neuron, compared with the first row (no seeds or no pits).
    /// A pit or a store has one cell per number of seeds. A set of pits has one cell per pit, with the value of the set
    /// that contains only that pit.
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
            // A pair of pits has too many possible contents to fit into a row of cells.
            InputKind::Pair(_) => Vec::new(),
        }
    }

    /// Returns the number of possible contents of a pit, which is the width of a map in cells.
    fn contents(&self) -> i32 {
        let pit = self.groups.iter().find(|group| matches!(group.kind, InputKind::Pit(_)));
        pit.map_or(1, |group| group.rows.into())
    }

    fn map(&self, unit: &Unit, width: i32) -> Canvas {
        let mut map = Canvas::new(width);
        map.text((0, 0), unit.name, style::text(style::LABEL, style::INK));
        let weights = unit.in_phases.iter().map(|weight| minus(&weight.to_string()));
        let weights = weights.collect::<Vec<_>>().join(", ");
        let left = LEFT.max(style::width(unit.name, style::LABEL) + GAP / 2);
        let weights = style::shorten(&weights, WEIGHTS, width - left - GAP / 4);
        let text = style::text(WEIGHTS, style::INK);
        map.text((left, (style::LABEL - WEIGHTS) / 2), weights, text);
        map.height = style::LABEL * 5 / 4;
        let contents = self.contents();
        let cell = (width - LEFT - GAP) / contents;
        let most = contents - 1;
        for seeds in (0..most - 3).step_by(6).chain([most]) {
            let centre = (LEFT + seeds * cell + cell / 2, map.height + ROW / 2);
            let count = heat::seed_count(seeds, most);
            heat::label(&mut map, centre, &count, SMALL, style::PALE_INK);
        }
        map.height += ROW;
        for owner in Owner::BOTH {
            let whose = match owner {
                Owner::Mine => "my pits",
                Owner::Theirs => "the opponent's pits",
            };
            let place = (LEFT, map.height + 10);
            map.text(place, whose, style::text(SMALL, style::PALE_INK));
            map.height += SMALL * 3 / 2;
            for group in self.groups.iter().filter(|group| group.owner == owner) {
                self.draw_group(unit, group, cell * contents, &mut map);
            }
        }
        map.height += GAP;
        map
    }

    /// Appends a group's cells and its label, which is on the right if there is a cell per pit.
    fn draw_group(&self, unit: &Unit, group: &Group, width: i32, map: &mut Canvas) {
        let cells = self.cells(unit, group);
        let is_set = matches!(group.kind, InputKind::Pits(_));
        let whole = if is_set { self.contents() } else { cells.len() as i32 };
        let edge = |place: usize| LEFT + place as i32 * width / whole;
        let y = map.height;
        for (place, value) in cells.iter().enumerate() {
            let corners = [(edge(place), y), (edge(place + 1), y + ROW - 2)];
            map.rectangle(corners, heat::colour(value / self.full));
        }
        let (text, side, x) = match group.kind {
            InputKind::Pit(pit) => ((pit + 1).to_string(), HPos::Right, LEFT - 16),
            InputKind::Store => ("store".to_owned(), HPos::Right, LEFT - 16),
            InputKind::Pits(what) => (format!("that {what}"), HPos::Left, edge(cells.len()) + 16),
            InputKind::Pair(_) => return,
        };
        let style = style::anchored(SMALL, style::PALE_INK, side, VPos::Center);
        map.text((x, y + ROW / 2), text, style);
        map.height += ROW;
    }
}

fn unit((feature, weight): (&Feature, i32), phases: &Taper) -> Option<Unit> {
    // We can't draw neurons of the second layer, because their inputs are the outputs of the first layer, not pits.
    let unit = HiddenNeuron::try_from(*feature).ok().filter(|unit| !unit.is_second)?;
    let place = usize::from(unit.number) - 1;
    let of_unit = phases.factors().iter().skip(place).step_by(phases.outputs());
    let in_phase = |&factor: &i16| weight * i32::from(factor) / i32::from(Taper::ONE);
    let in_phases = of_unit.rev().map(in_phase).collect();
    Some(Unit { name: feature.name(), place, weight, in_phases })
}

fn pits(entry: &Entry, weights: &Weights) -> usize {
    let of_file = || Some(weights.provenance.as_ref()?.played);
    match entry.run.as_ref().map(|run| run.settings.game()).or_else(of_file) {
        Some(AnyGame::Kalah(game)) => game.pits(),
        _ => usize::MAX,
    }
}

/// Appends the maps of all champions. Returns a note for the heading that explains the numbers above the maps and, if
/// neurons were left out, says so.
pub(crate) fn units_panel(inputs: &Inputs, picture: &mut Canvas) -> String {
    let (mut weights_note, mut left_out) = (String::new(), String::new());
    for (entry, weights) in inputs.champions() {
        let Some(found) = Units::of(entry, weights, inputs.density) else { continue };
        heat::name(inputs, entry, picture);
        let width = picture.width / COLUMNS as i32;
        for row in found.units.chunks(COLUMNS) {
            picture.append(row.iter().map(|unit| found.map(unit, width)));
        }
        let share = found.full / f64::from(ONE);
        let marks = [-share, 0.0, share].map(|it| minus(&format!("{it:.2}")));
        let text = "of its range: blue turns the unit up, orange down";
        heat::legend(picture, LEFT, marks, text);
        picture.height += GAP;
        if found.layer.phases().count() > 1 {
            weights_note = "weights from a full to an empty board".into();
        }
        if left_out.is_empty() && found.all > found.units.len() {
            left_out = format!("the {} largest of {} units", found.units.len(), found.all);
        }
    }
    let note = "value of the seeds in a pit, compared with an empty one".into();
    joined([note, weights_note, left_out])
}
