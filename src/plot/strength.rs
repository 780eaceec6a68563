//! Scores against reference opponents by generation, and the final score of the champion.

use std::collections::{BTreeSet, HashSet};

use mancala::eval::{Strength, mean_strength};
use plotters::element::PathElement;
use plotters::prelude::DrawingBackend;
use plotters::style::Color;

use super::{
    Area, Axis, Curves, Density, Drawn, Entry, Frame, Group, Inputs, Key, Look, Mark, Run, SCORES,
    chart, interval, style,
};
use evolve::run::{Measurement, Panel, PastChampion, against_panel};

const COLUMNS: usize = 2;
const LINE: i32 = style::SMALL * 5 / 4;
const GAP: i32 = 48;
const DIAMOND: i32 = 24;
/// Half the width of the caps of a diamond's error bar.
const CAP: i32 = 40;
/// Maximum number of opponents in a picture of this panel. On a crowded sheet, the maximum is [`MAX_SHEET_OPPONENTS`].
const MAX_OPPONENTS: usize = 12;
const MAX_SHEET_OPPONENTS: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Against {
    Panel(Panel),
    Opponent(String),
}

#[derive(Clone, Copy)]
struct Score {
    x: f64,
    score: f64,
    low: f64,
    high: f64,
}

impl Against {
    /// Returns the score from a champion's results, in which the results against the panel come first.
    fn score(&self, x: f64, scores: &[Strength]) -> Option<Score> {
        match self {
            Against::Panel(panel) if *panel != Panel::of(scores) => None,
            Against::Panel(_) => {
                let (score, margin) = mean_strength(against_panel(scores))?;
                let end = |end: f64| end.clamp(0.0, 1.0);
                Some(Score { x, score, low: end(score - margin), high: end(score + margin) })
            }
            Against::Opponent(name) => {
                let it = scores.iter().find(|it| it.opponent == *name)?;
                Some(Score { x, score: it.score, low: it.low, high: it.high })
            }
        }
    }

    /// Returns the chart title: the opponents, and the champions' search limits.
    fn title(&self, inputs: &Inputs) -> [String; 2] {
        let own = || {
            let limits = inputs.runs().map(|(_, run)| run.settings.limits().to_string());
            Vec::from_iter(BTreeSet::from_iter(limits)).join(" or ")
        };
        match self {
            Against::Panel(panel) => {
                let title = format!("mean score against the opponents of panel {panel}");
                [title, format!("champions at {}, as in the progress of a run", own())]
            }
            Against::Opponent(name) => {
                let (player, limits) = match name.split_once(" at ") {
                    Some((player, limits)) => (player, limits.to_owned()),
                    None => (name.as_str(), own()),
                };
                [format!("against {player}"), format!("champions at {limits}")]
            }
        }
    }
}

/// Returns the final measurement of a run's champion and the generation of that champion.
fn last<'a>(entry: &'a Entry, run: &Run) -> Option<(u32, &'a [Strength])> {
    let champion = entry.champion.as_ref().filter(|it| !it.strength.is_empty())?;
    let of = champion.provenance.as_ref().map_or(run.reached, |it| it.generation);
    let is_shown = (run.first..=run.last()).contains(&of);
    is_shown.then_some((of, champion.strength.as_slice()))
}

pub(crate) fn can_draw(inputs: &Inputs) -> bool {
    inputs.runs().any(|(entry, run)| !run.measurements.is_empty() || last(entry, run).is_some())
}

/// Returns the note for the panel. If there is only one measurement, the note says so.
pub(crate) fn note(inputs: &Inputs) -> String {
    let note = "points per game against opponents outside the run, with 95 % intervals";
    let measured = inputs.runs().flat_map(|(entry, run)| {
        let in_the_run = run.measurements.iter().map(|it| it.generation);
        in_the_run.chain(last(entry, run).map(|(generation, _)| generation))
    });
    match measured.collect::<Vec<_>>()[..] {
        [generation] => format!("one measurement so far (generation {generation}) · {note}"),
        _ => note.to_owned(),
    }
}

fn results(inputs: &Inputs) -> impl Iterator<Item = &[Strength]> {
    let measured =
        inputs.runs().flat_map(|(_, run)| &run.measurements).map(|it| it.against.as_slice());
    measured.chain(inputs.runs().filter_map(|(entry, run)| Some(last(entry, run)?.1)))
}

/// Returns the panels of opponents used by the runs. Each gets a chart.
fn panels(inputs: &Inputs) -> BTreeSet<Panel> {
    results(inputs).map(Panel::of).collect()
}

/// Returns the reference opponents, starting with those in the panel. A compact panel of the sheet shows only the first
/// few.
fn opponents(inputs: &Inputs) -> Vec<Against> {
    let mut places: BTreeSet<(usize, &str)> = BTreeSet::new();
    for scores in results(inputs) {
        let names = scores.iter().map(|it| it.opponent.as_str());
        places.extend(names.filter(|name| PastChampion::generation(name).is_none()).enumerate());
    }
    // An opponent may occur at several indices, since the lists of opponents depend on the search depth of a run.
    let mut seen = HashSet::new();
    let names = places.into_iter().map(|(_, name)| name).filter(|name| seen.insert(*name));
    let is_short = inputs.density == Density::Compact;
    let most = if is_short { MAX_SHEET_OPPONENTS } else { MAX_OPPONENTS };
    names.take(most).map(|name| Against::Opponent(name.to_owned())).collect()
}

fn mean_height(inputs: &Inputs) -> i32 {
    inputs.length(900, 840)
}

pub(crate) fn height(inputs: &Inputs, width: i32) -> i32 {
    let rows = opponents(inputs).len().div_ceil(COLUMNS) as i32;
    let means = means(inputs);
    let keys = chart::legend_height(&keys(inputs, &means), width);
    let means = means.len() as i32 * mean_height(inputs);
    keys + GAP / 2 + means + GAP + rows * inputs.length(740, 680)
}

pub(crate) fn draw<DB: DrawingBackend>(inputs: &Inputs, area: &Area<DB>) -> Drawn<DB> {
    let means = means(inputs);
    let rest = chart::legend_above(area, &keys(inputs, &means))?;
    let height = means.len() as i32 * mean_height(inputs);
    let (top, rest) = rest.margin(GAP / 2, 0, 0, 0).split_vertically(height);
    let rest = rest.margin(GAP, 0, 0, 0);
    let all: Vec<Scores> =
        opponents(inputs).into_iter().map(|against| Scores::of(inputs, against)).collect();
    let values = all.iter().chain(&means).flat_map(Scores::values);
    // All charts share a scale so that heights are comparable. The scale always includes equal strength.
    let y = Axis::values(values, 6);
    let title = inputs.x.title();
    for (cell, mean) in top.split_evenly((means.len(), 1)).iter().zip(&means) {
        mean.draw(inputs, cell, y.clone(), [title, "score"])?;
    }
    let rows = all.len().div_ceil(COLUMNS);
    for (index, (cell, scores)) in rest.split_evenly((rows, COLUMNS)).iter().zip(&all).enumerate() {
        let is_last_row = index / COLUMNS + 1 == rows;
        let x_title = if is_last_row { title } else { "" };
        let y_title = if index.is_multiple_of(COLUMNS) { "score" } else { "" };
        scores.draw(inputs, &cell.margin(0, GAP, 0, 0), y.clone(), [x_title, y_title])?;
    }
    Ok(())
}

fn means(inputs: &Inputs) -> Vec<Scores> {
    panels(inputs).into_iter().map(|it| Scores::of(inputs, Against::Panel(it))).collect()
}

struct Scores {
    against: Against,
    /// The scores. A run that is not pooled also has an interval at each score, and a dot for each champion that
    /// passed a gating match.
    curves: Curves,
    diamonds: Vec<(Look, Score)>,
}

impl Scores {
    fn of(inputs: &Inputs, against: Against) -> Scores {
        let measured = |run: &Run| -> Vec<(Score, bool)> {
            let score = |it: &Measurement| {
                let score = against.score(run.x(it.generation)?, &it.against)?;
                Some((score, it.is_champion && it.gate.is_some()))
            };
            run.measurements.iter().filter_map(score).collect()
        };
        let curve = |run: &Run| measured(run).iter().map(|(it, _)| (it.x, it.score)).collect();
        let is_panel = matches!(against, Against::Panel(_));
        let width = if is_panel { style::THICK } else { style::THIN };
        let lines = inputs.lines(width, &SCORES, curve);
        let mut curves = Curves { has_even: true, lines, ..Curves::default() };
        for group in inputs.groups.iter().filter(|group| group.members.len() == 1) {
            let colour = group.look.colour;
            for (it, passed) in inputs.members(group).flat_map(|(_, run)| measured(run)) {
                curves.whiskers.push((colour, it.x, [it.low, it.high]));
                curves.dots.extend(passed.then_some((colour, (it.x, it.score))));
            }
        }
        let diamonds = inputs
            .groups
            .iter()
            .filter_map(|group| Some((group.look, final_score(inputs, group, &against)?)));
        Scores { diamonds: diamonds.collect(), against, curves }
    }

    fn values(&self) -> impl Iterator<Item = f64> {
        self.curves.values().chain(self.diamonds.iter().flat_map(|(_, it)| [it.low, it.high]))
    }

    fn draw<DB: DrawingBackend>(
        &self,
        inputs: &Inputs,
        area: &Area<DB>,
        y: Axis,
        [x_title, y_title]: [&str; 2],
    ) -> Drawn<DB> {
        let (top, rest) = area.split_vertically(2 * LINE);
        let room = top.dim_in_pixel().0 as i32;
        let lines = self.against.title(inputs).into_iter().zip([style::INK, style::PALE_INK]);
        for ((line, colour), top_of_line) in lines.zip([0, LINE]) {
            let line = style::shorten(&line, style::SMALL, room);
            top.draw_text(&line, &style::text(style::SMALL, colour), (0, top_of_line))?;
        }
        let most_ticks = if matches!(self.against, Against::Panel(_)) { 12 } else { 6 };
        let x = inputs.x_axis(most_ticks);
        let frame = Frame { x, y, x_title, y_title, text: style::SMALL };
        let mut plot = frame.draw(&rest)?;
        self.curves.draw(&mut plot)?;
        for (look, score) in &self.diamonds {
            let (left, top) = rest.get_base_pixel();
            let place = |y| {
                let at = plot.backend_coord(&(score.x, y));
                (at.0 - left, at.1 - top)
            };
            chart::diamond(&rest, place(score.score), DIAMOND, look.colour)?;
            let ends = [score.low, score.high].map(place);
            let caps = ends.map(|(x, y)| vec![(x - CAP, y), (x + CAP, y)]);
            for line in caps.into_iter().chain([ends.to_vec()]) {
                rest.draw(&PathElement::new(line, look.colour.stroke_width(style::THIN)))?;
            }
        }
        Ok(())
    }
}

/// Returns the final score of the champions in a group, if all were measured. A single score is plotted at its
/// generation. The mean of several scores is plotted at the last generation, with its interval.
fn final_score(inputs: &Inputs, group: &Group, against: &Against) -> Option<Score> {
    let of = |(entry, run): (&Entry, &Run)| {
        let (generation, scores) = last(entry, run)?;
        against.score(run.x(generation)?, scores)
    };
    let found: Vec<Score> = inputs.members(group).map(of).collect::<Option<_>>()?;
    match found.as_slice() {
        [] => None,
        [one] => Some(*one),
        several => {
            let mut scores: Vec<f64> = several.iter().map(|it| it.score).collect();
            // Sort the scores, because the sum of floating-point numbers depends on their order.
            scores.sort_by(f64::total_cmp);
            let (score, [low, high]) = interval(&scores, &SCORES);
            let ends = inputs.members(group).filter_map(|(_, run)| run.x(run.last()));
            Some(Score { x: ends.reduce(f64::max)?, score, low, high })
        }
    }
}

fn keys(inputs: &Inputs, means: &[Scores]) -> Vec<Key<'static>> {
    let colour = match inputs.groups.as_slice() {
        [one] => one.look.colour,
        _ => style::INK,
    };
    let is_grouped = inputs.is_grouped();
    let text = if is_grouped { "mean over seeds" } else { "champion of a generation" };
    let lines = || means.iter().flat_map(|scores| &scores.curves.lines);
    let keys = [
        (true, Mark::Line(style::THICK), text),
        (lines().any(|(_, it)| it.band.is_some()), Mark::Band, "its 95 % interval"),
        (lines().any(|(_, it)| !it.singles.is_empty()), Mark::Line(style::HAIR), "one seed"),
        (means.iter().any(|it| !it.curves.dots.is_empty()), Mark::Dot, "passed the gate"),
        (
            means.iter().any(|it| !it.diamonds.is_empty()),
            Mark::Diamond,
            "the run's champion, measured at the end",
        ),
    ];
    let keys = keys.into_iter().filter(|(is_shown, ..)| *is_shown);
    keys.map(|(_, mark, text)| Key { mark, colour, text }).collect()
}
