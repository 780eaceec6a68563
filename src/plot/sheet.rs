//! The sheet: a header, and below it the panels with their headings, in one column or two.

use plotters::prelude::DrawingBackend;

use super::chart::{self, Area, Drawn, Key, Mark};
use super::error::Error;
use super::group::Group;
use super::material::{Density, Material};
use super::output::Picture;
use super::what::{Panel, What};
use super::{
    agreement, champion, columns, diversity, fit, fitness, heading, pits, strength, style, units,
    weights,
};

/// Width of a sheet as drawn.
pub const WIDTH: i32 = 3200;
/// Margin on every side of a sheet.
pub const MARGIN: i32 = 80;
const GAP: i32 = 72;
/// Width of a column.
pub const INNER: i32 = WIDTH - 2 * MARGIN;
/// Between two columns.
const BETWEEN: i32 = 180;
const TITLE: i32 = style::TITLE * 3 / 2;
const HEADING: i32 = style::HEADING * 3 / 2;
const FOOT: i32 = style::SMALL * 2;
/// No sheet is higher than so many pixels of its file.
const MOST_PIXELS: u32 = 2400;
/// How many times its size a sheet of two columns is drawn, and so how small its text gets.
const FINENESS: u32 = 3;
/// A legend of more inputs names the first ones only.
const MOST_KEYS: usize = 24;

/// Panels are to be drawn, laid out.
pub(crate) struct Sheet {
    material: Material,
    columns: Vec<Vec<Panel>>,
    /// Panels of which only the heading is drawn, with the reason.
    absent: Vec<(Panel, String)>,
    /// Panels that there is no room for.
    left_out: Vec<Panel>,
    fineness: u32,
}

fn can_draw(material: &Material, panel: Panel) -> bool {
    match panel {
        Panel::Fitness | Panel::Diversity | Panel::Weights => material.runs().next().is_some(),
        Panel::Strength => strength::can_draw(material),
        Panel::Champion => material.champions().next().is_some(),
        Panel::Agreement => agreement::can_draw(material),
        Panel::Pits => pits::can_draw(material),
        Panel::Units => units::can_draw(material),
        Panel::Fit => material.epochs().next().is_some(),
    }
}

/// Returns the reason if a sheet cannot draw more than the heading of a panel.
fn absence(material: &Material, panel: Panel) -> Option<String> {
    let settings = || material.runs().map(|(_, run)| &run.settings);
    let same = || match material.generations().count() {
        1 => format!("one generation so far (generation {})", material.generations().start()),
        _ => "the same in every generation".to_owned(),
    };
    match panel {
        Panel::Strength if can_draw(material, panel) => None,
        Panel::Strength if settings().all(|it| it.measure_every == 0) => {
            Some("not measured: measure_every is 0".to_owned())
        }
        Panel::Strength if !material.wanted.are_all() => {
            Some("no measurement in the generations that are shown".to_owned())
        }
        Panel::Strength => Some("no measurement so far".to_owned()),
        Panel::Champion if material.champions().next().is_none() => {
            Some("no champion so far".to_owned())
        }
        Panel::Fit if !can_draw(material, panel) => Some("no features learned so far".to_owned()),
        Panel::Fit if fit::is_flat(material) => Some("one epoch so far".to_owned()),
        Panel::Diversity if diversity::is_flat(material) => Some(same()),
        Panel::Weights if weights::is_flat(material) => Some(same()),
        _ => None,
    }
}

/// Whether a sheet of these inputs has a panel even without data for it.
fn is_due(material: &Material, panel: Panel) -> bool {
    let mut runs = material.runs();
    match panel {
        Panel::Strength | Panel::Champion => runs.next().is_some(),
        Panel::Fit => runs.any(|(_, run)| run.settings.layers().is_some()),
        _ => false,
    }
}

/// Whether a panel is of one champion after the other, none of which stands for its group.
fn is_of_single_champions(panel: Panel) -> bool {
    matches!(panel, Panel::Champion | Panel::Pits | Panel::Units)
}

/// The panels of a sheet.
fn panels(material: &Material) -> Vec<Panel> {
    let fits = |panel: &Panel| {
        let is_pooled = material.is_grouped() && material.runs().next().is_some();
        (can_draw(material, *panel) || is_due(material, *panel))
            && !(is_pooled && is_of_single_champions(*panel))
    };
    Panel::ALL.into_iter().filter(fits).collect()
}

impl Sheet {
    /// The panel that was asked for, or all that say something.
    pub(super) fn new(material: Material, panel: Option<Panel>) -> Result<Sheet, Error> {
        let columns = match panel {
            Some(panel) if !can_draw(&material, panel) => {
                return Err(Error::Nothing(What::Panel(panel)));
            }
            Some(panel) => vec![vec![panel]],
            None => Vec::new(),
        };
        let fineness = style::FINENESS;
        let (absent, left_out) = (Vec::new(), Vec::new());
        let mut sheet = Sheet { material, columns, absent, left_out, fineness };
        if panel.is_none() {
            sheet.lay_out();
        }
        Ok(sheet)
    }

    /// Roomy if that is not too high, else compact, else without the panels that need the most room.
    fn lay_out(&mut self) {
        let mut panels = panels(&self.material);
        let absent = panels.iter().filter_map(|&it| Some((it, absence(&self.material, it)?)));
        self.absent = absent.collect();
        for density in [Density::Roomy, Density::Compact] {
            self.material.density = density;
            self.place(&panels);
            if self.fits() {
                return;
            }
        }
        while let Some(panel) = self.highest_of_champions(&panels) {
            panels.retain(|it| *it != panel);
            self.left_out.push(panel);
            self.place(&panels);
            if self.fits() {
                return;
            }
        }
        self.fineness = self.least_fineness();
    }

    fn place(&mut self, panels: &[Panel]) {
        self.columns = match panels {
            [_] => vec![panels.to_vec()],
            _ => {
                let heights: Vec<i32> = panels.iter().map(|it| self.height_on_sheet(*it)).collect();
                columns::split(panels, &heights).into()
            }
        };
        self.fineness = match self.columns.len() {
            1 => style::FINENESS.max(self.least_fineness()),
            _ => FINENESS,
        };
    }

    fn fits(&self) -> bool {
        self.least_fineness() <= self.fineness
    }

    /// At which the sheet is not too high.
    fn least_fineness(&self) -> u32 {
        (self.total_height() as u32).div_ceil(MOST_PIXELS)
    }

    /// The highest panel that grows with the number of champions, if others stay.
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
        2 * MARGIN + self.header_height() + highest + self.foot_height()
    }
}

impl Picture for Sheet {
    fn size(&self) -> (u32, u32) {
        let (width, height) = (self.inner_width() + 2 * MARGIN, self.total_height());
        let whole = |length: i32| (length as u32).next_multiple_of(self.fineness);
        // Rounded down, since the height has a limit; the margin has room for that.
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
                let absence = self.absence(*panel);
                heading::draw(&self.material, *panel, absence, &heading)?;
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
    fn absence(&self, panel: Panel) -> Option<&str> {
        self.absent.iter().find(|(absent, _)| *absent == panel).map(|(_, why)| why.as_str())
    }

    fn height(&self, panel: Panel) -> i32 {
        match panel {
            _ if self.absence(panel).is_some() => 0,
            Panel::Fitness => fitness::height(&self.material),
            Panel::Strength => strength::height(&self.material, INNER),
            Panel::Agreement => agreement::height(&self.material),
            Panel::Diversity => diversity::height(&self.material),
            Panel::Weights => weights::height(&self.material),
            Panel::Champion => champion::height(&self.material, INNER),
            Panel::Pits => pits::height(&self.material),
            Panel::Units => units::height(&self.material),
            Panel::Fit => fit::height(&self.material),
        }
    }

    fn draw_panel<DB: DrawingBackend>(&self, panel: Panel, area: &Area<DB>) -> Drawn<DB> {
        match panel {
            Panel::Fitness => fitness::draw(&self.material, area),
            Panel::Strength => strength::draw(&self.material, area),
            Panel::Agreement => agreement::draw(&self.material, area),
            Panel::Diversity => diversity::draw(&self.material, area),
            Panel::Weights => weights::draw(&self.material, area),
            Panel::Champion => champion::draw(&self.material, area),
            Panel::Pits => pits::draw(&self.material, area),
            Panel::Units => units::draw(&self.material, area),
            Panel::Fit => fit::draw(&self.material, area),
        }
    }

    fn header_height(&self) -> i32 {
        match self.material.groups.as_slice() {
            [_] => TITLE,
            _ => chart::legend_height(&keys(&self.names()), self.inner_width()),
        }
    }

    fn draw_header<DB: DrawingBackend>(&self, area: &Area<DB>) -> Drawn<DB> {
        match self.material.groups.as_slice() {
            [group] => heading::draw_title(&self.material, group, area),
            _ => chart::legend(area, &keys(&self.names())),
        }
    }

    /// Name and look of each curve, with the number of its seeds where there can be several.
    fn names(&self) -> Vec<(String, Mark)> {
        let groups = &self.material.groups;
        let name = |group: &Group| {
            let text = match self.material.is_grouped() {
                true => format!("{} · {}", group.name, group.seeds()),
                false => group.name.clone(),
            };
            (text, Mark::Series(group.look))
        };
        let mut names: Vec<(String, Mark)> = groups.iter().take(MOST_KEYS).map(name).collect();
        if groups.len() > MOST_KEYS {
            names.push((format!("and {} more", groups.len() - MOST_KEYS), Mark::None));
        }
        names
    }

    fn foot_height(&self) -> i32 {
        if self.left_out.is_empty() { 0 } else { FOOT }
    }

    /// Says what there is no room for.
    fn draw_foot<DB: DrawingBackend>(&self, area: &Area<DB>) -> Drawn<DB> {
        if self.left_out.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = self.left_out.iter().map(|it| What::Panel(*it).name()).collect();
        let text = format!("No room for {}: --what draws it alone.", names.join(", "));
        let bottom = area.dim_in_pixel().1 as i32 - style::SMALL * 5 / 4;
        area.draw_text(&text, &style::text(style::SMALL, style::PALE_INK), (0, bottom))
    }
}

fn keys(names: &[(String, Mark)]) -> Vec<Key<'_>> {
    names.iter().map(|(text, mark)| Key { mark: *mark, colour: style::INK, text }).collect()
}
