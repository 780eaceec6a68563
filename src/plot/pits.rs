//! The value of seeds in a pit: one map of my pits and one of the opponent's.

use plotters::prelude::DrawingBackend;

use super::{
    Area, Density, Drawn, Entry,
    heat::{self, Maps},
    minus, style,
};
use mancala::eval::{FastEvaluator, PitTables, Weights, fast_evaluator};
use mancala::game::{Feature, GameKind, Owner, PitCount, ayo::Ayo};
use mancala::search::SearchableGame;

pub(crate) const NOTE: &str = "value of the seeds in a pit, compared with an empty pit";

const CELL: i32 = 120;
const GAP: i32 = 40;
const SMALL: i32 = 40;
const LINE: i32 = style::LABEL * 5 / 4;
/// Space above a map, and to the left of it.
const HEAD: i32 = LINE * 2;
const LEFT: i32 = style::LABEL * 2;

/// The values that some weights assign to pits by the number of seeds in them. They are shown in captured seeds or in
/// the unit of the weights.
pub(crate) struct Worth {
    tabled: PitTables,
    /// The weight of a captured seed if values are shown in seeds, otherwise 1.
    unit: f64,
    in_seeds: bool,
    /// The largest absolute value, never zero.
    largest: f64,
}

impl Worth {
    fn cells(&self) -> impl Iterator<Item = (Owner, u8, u8)> + use<> {
        let of_pit = move |owner, pit| (0..=PitCount::MAX).map(move |seeds| (owner, pit, seeds));
        let of_owner = move |owner| (0..PitCount::PITS).flat_map(move |pit| of_pit(owner, pit));
        Owner::BOTH.into_iter().flat_map(of_owner)
    }

    /// Returns the value of a pit, relative to the same pit without seeds. Only differences matter: adding a constant
    /// to the values of all contents would not change which move is best.
    fn at(&self, owner: Owner, pit: u8, seeds: u8) -> f64 {
        let worth = |seeds| self.tabled.value(owner, pit.into(), seeds).unwrap_or(0);
        f64::from(worth(seeds) - worth(0)) / self.unit
    }

    fn label(&self, value: f64) -> String {
        minus(&if self.in_seeds { format!("{value:.1}") } else { format!("{value:.0}") })
    }

    fn map_height(&self) -> i32 {
        HEAD + i32::from(PitCount::PITS) * CELL + LINE
    }

    /// Draws a map with one row per pit and one column per seed count.
    fn draw_map<DB: DrawingBackend>(&self, owner: Owner, area: &Area<DB>) -> Drawn<DB> {
        let title = match owner {
            Owner::Mine => "my pits, from the first to the last; seeds in the pit",
            Owner::Theirs => "the opponent's pits, from its first to its last; seeds in the pit",
        };
        area.draw_text(title, &style::text(style::LABEL, style::INK), (0, 0))?;
        let most = PitCount::MAX;
        let width = (area.dim_in_pixel().0 as i32 - LEFT) / (i32::from(most) + 1);
        for (_, pit, seeds) in self.cells().filter(|(of, ..)| *of == owner) {
            let (x, y) = (LEFT + i32::from(seeds) * width, HEAD + i32::from(pit) * CELL);
            let centre = (x + width / 2, y + CELL / 2);
            if pit == 0 {
                let text = if seeds == most { format!("{seeds} +") } else { seeds.to_string() };
                let style = heat::centred(style::SMALL, style::PALE_INK);
                area.draw_text(&text, &style, (centre.0, LINE + LINE / 2))?;
            }
            if seeds == 0 {
                let style = heat::centred(style::LABEL, style::INK);
                area.draw_text(&(pit + 1).to_string(), &style, (LEFT / 2, centre.1))?;
            }
            let value = self.at(owner, pit, seeds);
            let share = value / self.largest;
            heat::cell(area, [(x, y), (x + width - 4, y + CELL - 4)], share)?;
            let text = style::shorten(&self.label(value), SMALL, width - 8);
            area.draw_text(&text, &heat::centred(SMALL, heat::ink(share)), centre)?;
        }
        Ok(())
    }
}

impl Maps for Worth {
    fn of(_: &Entry, weights: &Weights, _: Density) -> Option<Worth> {
        let holds = |feature: &Feature| matches!(feature, Feature::PitCount(_));
        let features = weights.features();
        if features.game() != GameKind::Ayo || !features.features().iter().any(holds) {
            return None;
        }
        let FastEvaluator::PitTables(tabled) = fast_evaluator(weights) else { return None };
        let seed = Ayo::seed_value(weights);
        let unit = f64::from(seed.max(1));
        let mut worth = Worth { tabled, unit, in_seeds: seed > 0, largest: 0.0 };
        let all = worth.cells().map(|(owner, pit, seeds)| worth.at(owner, pit, seeds).abs());
        worth.largest = all.fold(f64::MIN_POSITIVE, f64::max);
        Some(worth)
    }

    fn height(&self) -> i32 {
        2 * self.map_height() + heat::LEGEND + GAP
    }

    fn draw<DB: DrawingBackend>(&self, area: &Area<DB>) -> Drawn<DB> {
        let mut rest = area.clone();
        for owner in Owner::BOTH {
            let (map, below) = rest.split_vertically(self.map_height());
            self.draw_map(owner, &map)?;
            rest = below;
        }
        let text = match self.in_seeds {
            true => "in captured seeds; blue is good for me, orange is bad",
            false => "in units of the weights; blue is good for me, orange is bad",
        };
        let [low, middle, high] = [-self.largest, 0.0, self.largest].map(|it| self.label(it));
        heat::legend(&rest, LEFT, [&low, &middle, &high], text)
    }
}
