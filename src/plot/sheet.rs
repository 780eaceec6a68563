//! The sheet: a header, and panels with headings in one or two columns.

use plotters::prelude::DrawingBackend;

use super::{
    Area, Density, Drawn, Error, Group, Inputs, Key, Mark, Panel, Picture, What, agreement,
    champion, chart, diversity, fit, fitness, heading, heat, pits::Worth, strength, style,
    units::Look, weights,
};

/// Width of a sheet with one column, before it is scaled down.
pub const WIDTH: i32 = 3200;
pub const MARGIN: i32 = 80;
const GAP: i32 = 72;
pub const INNER: i32 = WIDTH - 2 * MARGIN;
const BETWEEN: i32 = 180;
const TITLE: i32 = style::TITLE * 3 / 2;
const HEADING: i32 = style::HEADING * 3 / 2;
const FOOT: i32 = style::SMALL * 2;
/// Maximum height of the output in pixels.
const MAX_PIXELS: u32 = 2400;
const FINENESS: u32 = 3;
const MAX_KEYS: usize = 24;

/// A sheet with its panels laid out.
pub(crate) struct Sheet {
    inputs: Inputs,
    columns: Vec<Vec<Panel>>,
    left_out: Vec<Panel>,
    fineness: u32,
}

fn can_draw(inputs: &Inputs, panel: Panel) -> bool {
    match panel {
        Panel::Fitness | Panel::Diversity | Panel::Weights => inputs.runs().next().is_some(),
        Panel::Strength => strength::can_draw(inputs),
        Panel::Champion => inputs.champions().next().is_some(),
        Panel::Agreement => agreement::can_draw(inputs),
        Panel::Pits => heat::maps::<Worth>(inputs).next().is_some(),
        Panel::Units => heat::maps::<Look>(inputs).next().is_some(),
        Panel::Fit => inputs.iterations().next().is_some(),
    }
}

/// Returns the reason why a panel on a sheet of several panels is reduced to its heading, or `None` if it is not.
fn absence(inputs: &Inputs, panel: Panel) -> Option<String> {
    let settings = || inputs.runs().map(|(_, run)| &run.settings);
    let same = || match inputs.generations().count() {
        1 => format!("one generation so far (generation {})", inputs.generations().start()),
        _ => "the same in every generation".to_owned(),
    };
    match panel {
        _ if inputs.density == Density::Alone => None,
        Panel::Strength if can_draw(inputs, panel) => None,
        Panel::Strength if settings().all(|it| it.measure_every == 0) => {
            Some("not measured: measure_every is 0".to_owned())
        }
        Panel::Strength if !inputs.requested.are_all() => {
            Some("no measurement in this range of generations".to_owned())
        }
        Panel::Strength => Some("no measurement so far".to_owned()),
        Panel::Champion if inputs.champions().next().is_none() => {
            Some("no champion so far".to_owned())
        }
        Panel::Fit if !can_draw(inputs, panel) => Some("no features learned so far".to_owned()),
        Panel::Fit if fit::is_flat(inputs) => Some("one iteration so far".to_owned()),
        Panel::Diversity if diversity::is_flat(inputs) => Some(same()),
        Panel::Weights if weights::is_flat(inputs) => Some(same()),
        _ => None,
    }
}

/// Returns whether a panel gets a heading on the sheet if there is no data for it.
fn is_due(inputs: &Inputs, panel: Panel) -> bool {
    let mut runs = inputs.runs();
    match panel {
        Panel::Strength | Panel::Champion => runs.next().is_some(),
        Panel::Fit => runs.any(|(_, run)| run.settings.layers().is_some()),
        _ => false,
    }
}

/// Returns whether a panel shows individual champions, which do not represent a group of runs.
fn is_of_single_champions(panel: Panel) -> bool {
    matches!(panel, Panel::Champion | Panel::Pits | Panel::Units)
}

fn panels(inputs: &Inputs) -> Vec<Panel> {
    let fits = |panel: &Panel| {
        let is_pooled = inputs.is_grouped() && inputs.runs().next().is_some();
        (can_draw(inputs, *panel) || is_due(inputs, *panel))
            && !(is_pooled && is_of_single_champions(*panel))
    };
    Panel::ALL.into_iter().filter(fits).collect()
}

impl Sheet {
    /// Lays out the requested panel, or all panels with data.
    pub(crate) fn new(inputs: Inputs, panel: Option<Panel>) -> Result<Sheet, Error> {
        let columns = match panel {
            Some(panel) if !can_draw(&inputs, panel) => {
                return Err(Error::Nothing(What::Panel(panel)));
            }
            Some(panel) => vec![vec![panel]],
            None => Vec::new(),
        };
        let fineness = style::FINENESS;
        let mut sheet = Sheet { inputs, columns, left_out: Vec::new(), fineness };
        if panel.is_none() {
            sheet.lay_out();
        }
        Ok(sheet)
    }

    /// Tries a roomy layout, then a compact one, then drops panels, tallest first.
    fn lay_out(&mut self) {
        let mut panels = panels(&self.inputs);
        self.inputs.density = Density::Roomy;
        loop {
            self.place(&panels);
            if self.least_fineness() <= self.fineness {
                return;
            }
            if self.inputs.density == Density::Roomy {
                self.inputs.density = Density::Compact;
            } else if let Some(panel) = self.highest_of_champions(&panels) {
                panels.retain(|it| *it != panel);
                self.left_out.push(panel);
            } else {
                break;
            }
        }
        self.fineness = self.least_fineness();
    }

    fn place(&mut self, panels: &[Panel]) {
        self.columns = match panels {
            [_] => vec![panels.to_vec()],
            _ => {
                let heights: Vec<i32> = panels.iter().map(|it| self.height_on_sheet(*it)).collect();
                split(panels, &heights).into()
            }
        };
        self.fineness = match self.columns.len() {
            1 => style::FINENESS.max(self.least_fineness()),
            _ => FINENESS,
        };
    }

    /// Returns the smallest scale factor that keeps the sheet within the maximum height.
    fn least_fineness(&self) -> u32 {
        (self.total_height() as u32).div_ceil(MAX_PIXELS)
    }

    /// Returns the tallest of the panels whose heights grow with the number of champions. Returns `None` if it is the
    /// only panel.
    fn highest_of_champions(&self, panels: &[Panel]) -> Option<Panel> {
        let grows = |panel: &&Panel| is_of_single_champions(**panel) || **panel == Panel::Agreement;
        let highest = panels.iter().filter(grows).max_by_key(|panel| self.height(**panel));
        highest.filter(|_| panels.len() > 1).copied()
    }

    fn height_on_sheet(&self, panel: Panel) -> i32 {
        GAP + HEADING + self.height(panel)
    }

    fn inner_width(&self) -> i32 {
        let count = self.columns.len() as i32;
        count * INNER + (count - 1) * BETWEEN
    }

    fn total_height(&self) -> i32 {
        let column = |panels: &Vec<Panel>| -> i32 {
            panels.iter().map(|panel| self.height_on_sheet(*panel)).sum()
        };
        let highest = self.columns.iter().map(column).max().unwrap_or(0);
        let foot = if self.left_out.is_empty() { 0 } else { FOOT };
        2 * MARGIN + self.header_height() + highest + foot
    }
}

impl Picture for Sheet {
    fn size(&self) -> (u32, u32) {
        let (width, height) = (self.inner_width() + 2 * MARGIN, self.total_height());
        let whole = |length: i32| (length as u32).next_multiple_of(self.fineness);
        // Round the height down to stay within its limit. This only reduces the margin at the bottom.
        (whole(width), height as u32 / self.fineness * self.fineness)
    }

    fn fineness(&self) -> u32 {
        self.fineness
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let sheet = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let (header, rest) = sheet.split_vertically(self.header_height());
        self.draw_header(&header)?;
        for (panels, place) in self.columns.iter().zip(0..) {
            let left = place * (INNER + BETWEEN);
            let (_, column) = rest.split_horizontally(left);
            let (mut column, _) = column.split_horizontally(INNER);
            for panel in panels {
                let (_, below) = column.split_vertically(GAP);
                let (heading, below) = below.split_vertically(HEADING);
                let (area, below) = below.split_vertically(self.height(*panel));
                let absence = absence(&self.inputs, *panel);
                heading::draw(&self.inputs, *panel, absence.as_deref(), &heading)?;
                if absence.is_none() {
                    self.draw_panel(*panel, &area)?;
                }
                column = below;
            }
        }
        self.draw_foot(&rest)
    }
}

impl Sheet {
    fn height(&self, panel: Panel) -> i32 {
        match panel {
            _ if absence(&self.inputs, panel).is_some() => 0,
            Panel::Fitness => fitness::height(&self.inputs),
            Panel::Strength => strength::height(&self.inputs, INNER),
            Panel::Agreement => agreement::height(&self.inputs),
            Panel::Diversity => diversity::height(&self.inputs),
            Panel::Weights => weights::height(&self.inputs),
            Panel::Champion => champion::height(&self.inputs, INNER),
            Panel::Pits => heat::height::<Worth>(&self.inputs),
            Panel::Units => heat::height::<Look>(&self.inputs),
            Panel::Fit => fit::height(&self.inputs),
        }
    }

    fn draw_panel<DB: DrawingBackend>(&self, panel: Panel, area: &Area<DB>) -> Drawn<DB> {
        match panel {
            Panel::Fitness => fitness::draw(&self.inputs, area),
            Panel::Strength => strength::draw(&self.inputs, area),
            Panel::Agreement => agreement::draw(&self.inputs, area),
            Panel::Diversity => diversity::draw(&self.inputs, area),
            Panel::Weights => weights::draw(&self.inputs, area),
            Panel::Champion => champion::draw(&self.inputs, area),
            Panel::Pits => heat::draw::<Worth, DB>(&self.inputs, area),
            Panel::Units => heat::draw::<Look, DB>(&self.inputs, area),
            Panel::Fit => fit::draw(&self.inputs, area),
        }
    }

    fn header_height(&self) -> i32 {
        match self.inputs.groups.as_slice() {
            [_] => TITLE,
            _ => chart::legend_height(&keys(&self.names()), self.inner_width()),
        }
    }

    fn draw_header<DB: DrawingBackend>(&self, area: &Area<DB>) -> Drawn<DB> {
        match self.inputs.groups.as_slice() {
            [group] => heading::draw_title(&self.inputs, group, area),
            _ => chart::legend(area, &keys(&self.names())),
        }
    }

    /// Returns the name of each curve and its symbol in the legend. The names of groups include the number of seeds.
    fn names(&self) -> Vec<(String, Mark)> {
        let groups = &self.inputs.groups;
        let name = |group: &Group| {
            let text = match self.inputs.is_grouped() {
                true => format!("{} · {}", group.name, group.seeds()),
                false => group.name.clone(),
            };
            (text, Mark::Series(group.look))
        };
        let mut names: Vec<(String, Mark)> = groups.iter().take(MAX_KEYS).map(name).collect();
        if groups.len() > MAX_KEYS {
            names.push((format!("and {} more", groups.len() - MAX_KEYS), Mark::None));
        }
        names
    }

    fn draw_foot<DB: DrawingBackend>(&self, area: &Area<DB>) -> Drawn<DB> {
        if self.left_out.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = self.left_out.iter().map(|it| What::Panel(*it).name()).collect();
        let text = format!("No room for {}: use --what to draw it separately.", names.join(", "));
        let bottom = area.dim_in_pixel().1 as i32 - style::SMALL * 5 / 4;
        area.draw_text(&text, &style::text(style::SMALL, style::PALE_INK), (0, bottom))
    }
}

fn keys(names: &[(String, Mark)]) -> Vec<Key<'_>> {
    names.iter().map(|(text, mark)| Key { mark: *mark, colour: style::INK, text }).collect()
}

/// Splits panels into two columns, keeping their order, so that the taller column is as short as possible. The first
/// panel is always in the left column.
pub(crate) fn split<T: Copy>(panels: &[T], heights: &[i32]) -> [Vec<T>; 2] {
    // Each arrangement is a bit mask, in which a set bit puts a panel into the right column. The first bit is never
    // set.
    let places = |right: u32, column: u32| {
        (0..panels.len()).filter(move |place| right >> place & 1 == column)
    };
    let higher = |right: &u32| {
        let height = |column| places(*right, column).map(|place| heights[place]).sum::<i32>();
        height(0).max(height(1))
    };
    let right = (0..1 << panels.len()).step_by(2).min_by_key(higher).unwrap_or(0);
    [0, 1].map(|column| places(right, column).map(|place| panels[place]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_even_as_possible() {
        assert_eq!(split(&['a', 'b', 'c', 'd'], &[3, 5, 1, 1]), [vec!['a', 'c', 'd'], vec!['b']]);
        assert_eq!(split(&['a', 'b'], &[1, 9]), [vec!['a'], vec!['b']]);
        assert_eq!(split(&[0; 9], &[1; 9]).map(|column| column.len()), [5, 4]);
    }
}
