//! Lays out a sheet, which has a header and one or two columns of panels with headings.

use mancala::game::AnyGame;

use super::chart::{Key, Symbol, legend};
use super::heat::{Worth, pits_panel};
use super::panels::{self, joined};
use super::units::{Units, units_panel};
use super::{Canvas, Density, Group, Inputs, What, nothing, strength, style};
use crate::terminal::counted;

/// The width of a one-column sheet before it is scaled down.
const WIDTH: i32 = 3200;
/// The margin on each side of a plot.
pub const MARGIN: i32 = 80;
const GAP: i32 = 72;
/// The width of a column of panels.
pub const INNER: i32 = WIDTH - 2 * MARGIN;
const BETWEEN: i32 = 180;
/// The maximum height of a finished plot in pixels.
const MAX_PIXELS: u32 = 2400;
/// The scale factor of a two-column sheet.
const FINENESS: u32 = 3;
const MAX_KEYS: usize = 24;

fn can_draw(inputs: &Inputs, panel: What) -> bool {
    match panel {
        What::Fitness | What::Diversity | What::Weights => inputs.runs().next().is_some(),
        What::Strength => !strength::results(inputs).is_empty(),
        What::Champion => inputs.champions().next().is_some(),
        What::Agreement => panels::is_feature_shared(inputs),
        What::Pits => inputs.champions().any(|(_, weights)| Worth::of(weights).is_some()),
        What::Units => {
            inputs.champions().any(|(entry, it)| Units::of(entry, it, inputs.density).is_some())
        }
        What::Fit => inputs.iterations().next().is_some(),
        _ => false,
    }
}

/// Returns the reason for drawing only the heading of a panel, or `None` if we draw the panel.
fn absence(inputs: &Inputs, panel: What) -> Option<String> {
    let settings = || inputs.runs().map(|(_, run)| &run.settings);
    if inputs.density == Density::Alone || settings().next().is_none() {
        return None;
    }
    let same = || match inputs.generations().count() {
        1 => format!("one generation so far (generation {})", inputs.generations().start()),
        _ => "the same in every generation".to_owned(),
    };
    let has_data = can_draw(inputs, panel);
    let reason = match panel {
        What::Strength if has_data => return None,
        What::Strength if settings().all(|it| it.measure_every == 0) => {
            "not measured: measure_every is 0"
        }
        What::Strength if inputs.requested.is_some() => {
            "no measurement in this range of generations"
        }
        What::Strength => "no measurement so far",
        What::Champion if !has_data => "no champion so far",
        What::Fit if !has_data && settings().any(|it| it.own.layers().is_some()) => {
            "no features learned so far"
        }
        What::Fit if has_data && inputs.runs().all(|(_, run)| run.iterations.len() < 2) => {
            "one iteration so far"
        }
        What::Diversity if panels::varying_diversity(inputs).is_empty() => return Some(same()),
        What::Weights if !panels::do_weights_vary(inputs) => return Some(same()),
        _ => return None,
    };
    Some(reason.to_owned())
}

/// Returns whether a panel shows individual champions. Such panels can't be drawn for groups of runs.
fn is_of_single_champions(panel: What) -> bool {
    matches!(panel, What::Champion | What::Pits | What::Units)
}

pub(crate) fn sheet(inputs: Inputs, panel: Option<What>) -> anyhow::Result<Canvas> {
    match panel {
        None => Ok(lay_out(inputs)),
        Some(panel) if can_draw(&inputs, panel) => {
            Ok(place(&inputs, &[(panel, draw(&inputs, panel))], &[]))
        }
        Some(panel) => Err(nothing(panel)),
    }
}

/// Tries a roomy layout, and then a compact one. If the sheet is still too tall, we leave out panels whose height
/// depends on the number of champions, starting with the tallest.
fn lay_out(mut inputs: Inputs) -> Canvas {
    let is_pooled = inputs.is_grouped && inputs.runs().next().is_some();
    inputs.density = Density::Roomy;
    let fits = |panel: &What| {
        (can_draw(&inputs, *panel) || absence(&inputs, *panel).is_some())
            && !(is_pooled && is_of_single_champions(*panel))
    };
    let shown: Vec<What> = What::panels().filter(fits).collect();
    let draw_all = |inputs: &Inputs| -> Vec<(What, Canvas)> {
        shown.iter().map(|panel| (*panel, draw(inputs, *panel))).collect()
    };
    let (mut drawn, mut left_out) = (draw_all(&inputs), Vec::new());
    loop {
        let mut sheet = place(&inputs, &drawn, &left_out);
        let least_fineness = least_fineness(&sheet);
        if least_fineness <= sheet.fineness {
            return sheet;
        }
        if inputs.density == Density::Roomy {
            inputs.density = Density::Compact;
            drawn = draw_all(&inputs);
            continue;
        }
        let grows = |panel| is_of_single_champions(panel) || panel == What::Agreement;
        let growing = drawn.iter().enumerate().filter(|(_, (panel, _))| grows(*panel));
        match growing.max_by_key(|(_, (_, panel))| panel.height) {
            Some((index, _)) if drawn.len() > 1 => left_out.push(drawn.remove(index).0),
            _ => {
                sheet.fineness = least_fineness;
                return sheet;
            }
        }
    }
}

/// Returns the smallest scale factor at which the sheet doesn't exceed the maximum height.
fn least_fineness(sheet: &Canvas) -> u32 {
    (sheet.height as u32).div_ceil(MAX_PIXELS)
}

/// Draws a panel with its heading and a note. The note explains the symbols, or the reason for leaving the panel empty.
fn draw(inputs: &Inputs, panel: What) -> Canvas {
    let mut body = Canvas::new(INNER);
    let note = absence(inputs, panel).unwrap_or_else(|| match panel {
        What::Fitness => panels::fitness(inputs, &mut body),
        What::Strength => strength::strength(inputs, &mut body),
        What::Agreement => panels::agreement(inputs, &mut body),
        What::Diversity => panels::diversity(inputs, &mut body),
        What::Weights => panels::weights(inputs, &mut body),
        What::Champion => panels::champion(inputs, &mut body),
        What::Pits => pits_panel(inputs, &mut body),
        What::Units => units_panel(inputs, &mut body),
        What::Fit => panels::fit(inputs, &mut body),
        _ => String::new(),
    });
    let mut picture = Canvas::new(INNER);
    picture.height = GAP;
    let heading = panel.name()[..1].to_uppercase() + &panel.name()[1..];
    pair(&mut picture, (&heading, style::HEADING), (&note, style::SMALL));
    picture.append([body]);
    picture
}

/// Places panels in one or two columns below the title or the legend.
fn place(inputs: &Inputs, panels: &[(What, Canvas)], left_out: &[What]) -> Canvas {
    let drawn: Vec<&Canvas> = panels.iter().map(|(_, canvas)| canvas).collect();
    let columns = match drawn.as_slice() {
        [_] => vec![drawn],
        _ => {
            let heights: Vec<i32> = drawn.iter().map(|it| it.height).collect();
            split(&drawn, &heights).into()
        }
    };
    let count = columns.len() as i32;
    let mut sheet = Canvas::new(count * INNER + (count - 1) * BETWEEN);
    match inputs.groups.as_slice() {
        [group] => {
            let subtitle = subtitle(inputs, group);
            pair(&mut sheet, (&group.name, style::TITLE), (&subtitle, style::LABEL));
        }
        _ => legend(&keys(inputs), &mut sheet),
    }
    let columns = columns.into_iter().map(|panels| {
        let mut column = Canvas::new(INNER + BETWEEN);
        panels.into_iter().for_each(|panel| column.append([panel.clone()]));
        column
    });
    sheet.append(columns.collect::<Vec<_>>());
    if !left_out.is_empty() {
        let names: Vec<&str> = left_out.iter().map(|panel| panel.name()).collect();
        let text = format!("No room for {}: use --what to draw it separately.", names.join(", "));
        sheet.height += style::SMALL;
        let place = (0, sheet.height - style::SMALL / 4);
        sheet.text(place, text, style::text(style::SMALL, style::PALE_INK));
        sheet.height += style::SMALL;
    }
    let mut sheet = sheet.with_margin(MARGIN);
    sheet.fineness = match count {
        1 if inputs.density != Density::Alone => style::FINENESS.max(least_fineness(&sheet)),
        1 => style::FINENESS,
        _ => FINENESS,
    };
    sheet
}

/// Returns the name and symbol of each curve. For a group, the name includes the number of seeds.
fn keys(inputs: &Inputs) -> Vec<Key> {
    let groups = &inputs.groups;
    let key = |group: &Group| {
        let text = match inputs.is_grouped {
            true => format!("{} · {}", group.name, group.seeds()),
            false => group.name.clone(),
        };
        (Symbol::Line(group.stroke().wide(2 * style::THICK)), text)
    };
    let mut keys: Vec<Key> = groups.iter().take(MAX_KEYS).map(key).collect();
    if groups.len() > MAX_KEYS {
        keys.push((Symbol::None, format!("and {} more", groups.len() - MAX_KEYS)));
    }
    keys
}

/// Describes a sheet that shows a single run, group or champion.
fn subtitle(inputs: &Inputs, group: &Group) -> String {
    let range = inputs.generations();
    let shown = match inputs.requested {
        None => String::new(),
        Some(_) => format!("generations {} to {} shown", range.start(), range.end()),
    };
    if inputs.is_grouped && group.runs().next().is_some() {
        let reached = || group.runs().map(|(_, run)| run.reached);
        let (least, most) = (reached().min().unwrap_or(0), reached().max().unwrap_or(0));
        let progress = match least == most {
            true => counted(most.into(), "generation"),
            false => format!("{least} to {most} generations; means end with the shortest run"),
        };
        return joined([group.seeds(), progress, shown]);
    }
    let made_by = |preset: &str, seed: u64| format!("preset {preset} · seed {seed}");
    let entry = &group.entries[0];
    if let Some(run) = &entry.run {
        let settings = &run.settings;
        let (reached, all) = (run.reached, settings.generations);
        let progress = match reached < all {
            true => format!("{reached} of {all} generations so far"),
            false => counted(reached.into(), "generation"),
        };
        let game = Some(settings.game()).filter(|game| *game != AnyGame::default());
        let played = game.map(|game| game.terms()).unwrap_or_default();
        return joined([made_by(&settings.preset, settings.seed), played, progress, shown]);
    }
    let provenance = entry.champion.as_ref().and_then(|weights| weights.provenance.as_ref());
    provenance.map(|from| made_by(&from.preset, from.seed)).unwrap_or_default()
}

/// Appends a large string, followed by a small pale string on the same baseline.
fn pair(picture: &mut Canvas, (large, large_size): (&str, i32), (small, small_size): (&str, i32)) {
    let (room, top) = (picture.width, picture.height);
    let large = style::shorten(large, large_size, room);
    let left = style::width(&large, large_size) + 56;
    picture.text((0, top), large, style::text(large_size, style::INK));
    let small = style::shorten(small, small_size, room - left);
    let drop = (large_size - small_size) * 2 / 3;
    picture.text((left, top + drop), small, style::text(small_size, style::PALE_INK));
    picture.height += large_size * 3 / 2;
}

/// Splits panels into two columns such that the taller column is as short as possible. Panels stay in order, and the
/// first one is always on the left.
pub(crate) fn split<T: Copy>(panels: &[T], heights: &[i32]) -> [Vec<T>; 2] {
    // We try all arrangements, each as a bit mask. A set bit puts a panel in the right column. The first one is 0.
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
