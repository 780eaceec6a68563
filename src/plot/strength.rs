//! Draws the scores of champions against the reference opponents: over the course of a run, and at its end.

use std::collections::{BTreeSet, HashSet};

use evolve::run::{Measurement, Panel, against_panel, past_generation};
use mancala::eval::{Strength, mean_strength};
use plotters::style::RGBAColor;

use super::chart::{GAP, Key, Mark, Symbol, grid, legend, line_key, pooled, values};
use super::{
    Axis, Canvas, Chart, Density, Entry, Group, Inputs, Pooled, Run, SCORES, interval,
    panels::seed_keys, style,
};

const COLUMNS: usize = 2;
/// The maximum number of opponents. Crowded sheets show at most [`MAX_SHEET_OPPONENTS`].
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
    interval: [f64; 2],
}

impl Against {
    /// Computes a champion's score. In `scores`, the results against the panel of opponents must come first.
    fn score(&self, x: f64, scores: &[Strength]) -> Option<Score> {
        match self {
            Against::Panel(panel) if *panel != Panel::of(scores) => None,
            Against::Panel(_) => {
                let (score, margin) = mean_strength(against_panel(scores))?;
                let interval = [score - margin, score + margin].map(|end| end.clamp(0.0, 1.0));
                Some(Score { x, score, interval })
            }
            Against::Opponent(name) => {
                let it = scores.iter().find(|it| it.opponent == *name)?;
                Some(Score { x, score: it.score, interval: [it.low, it.high] })
            }
        }
    }

    /// Returns two lines for the chart's title: the opponents, and the champions' search limits.
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

/// Returns the generation of a run's champion, and the champion's results in the measurement at the end of the run.
fn last<'a>(entry: &'a Entry, run: &Run) -> Option<(u32, &'a [Strength])> {
    let champion = entry.champion.as_ref().filter(|it| !it.strength.is_empty())?;
    let of = champion.provenance.as_ref().map_or(run.reached, |it| it.generation);
    let is_shown = (run.first..=run.last()).contains(&of);
    is_shown.then_some((of, champion.strength.as_slice()))
}

/// Returns the results of all measurements, together with the generation of each measurement.
pub(crate) fn results(inputs: &Inputs) -> Vec<(u32, &[Strength])> {
    let measured = inputs.runs().flat_map(|(_, run)| &run.measurements);
    let measured = measured.map(|it| (it.generation, it.against.as_slice()));
    measured.chain(inputs.runs().filter_map(|(entry, run)| last(entry, run))).collect()
}

/// Returns the opponents to show, starting with the members of the panel. A compact sheet shows only a few.
fn opponents(inputs: &Inputs) -> Vec<Against> {
    let mut places: BTreeSet<(usize, &str)> = BTreeSet::new();
    for (_, scores) in results(inputs) {
        let names = scores.iter().map(|it| it.opponent.as_str());
        places.extend(names.filter(|name| past_generation(name).is_none()).enumerate());
    }
    // The list of opponents depends on a run's search depth, so an opponent may occur at several indices.
    let mut seen = HashSet::new();
    let names = places.into_iter().map(|(_, name)| name).filter(|name| seen.insert(*name));
    let is_short = inputs.density == Density::Compact;
    let most = if is_short { MAX_SHEET_OPPONENTS } else { MAX_OPPONENTS };
    names.take(most).map(|name| Against::Opponent(name.to_owned())).collect()
}

/// Appends a chart for each panel of opponents, and one for each opponent. Returns a note that
/// explains the intervals and says if there is only one measurement.
pub(crate) fn strength(inputs: &Inputs, picture: &mut Canvas) -> String {
    let panels: BTreeSet<Panel> = results(inputs).iter().map(|(_, it)| Panel::of(it)).collect();
    let means = panels.into_iter().map(|it| Scores::of(inputs, Against::Panel(it)));
    let means: Vec<Scores> = means.collect();
    let opponents = opponents(inputs).into_iter().map(|it| Scores::of(inputs, it));
    let opponents: Vec<Scores> = opponents.collect();
    legend(&keys(inputs, &means), picture);
    picture.height += GAP / 2;
    // All charts share a scale, which includes ½ (equal strength), so that heights can be compared.
    let all = means.iter().chain(&opponents).flat_map(|scores| values(&scores.marks));
    let y = Axis::values(all.chain([0.5]), 6);
    let mut rows = |all: Vec<Scores>, columns, height| {
        let last_row = all.len().saturating_sub(1) / columns * columns;
        let charts = all.into_iter().enumerate().map(|(index, scores)| {
            let [title, limits] = scores.against.title(inputs);
            let x_title = if index >= last_row { inputs.x.title() } else { "" };
            let y_title = if index % columns == 0 { "score" } else { "" };
            let x = inputs.x_axis(12 / columns);
            let chart = Chart::new(x, [x_title, y_title], scores.marks, &[]);
            let caption = vec![(title, style::INK.into()), (limits, style::PALE_INK.into())];
            Chart { y: y.clone(), text: style::SMALL, caption, level: Some(0.5), ..chart }
        });
        grid(&charts.collect::<Vec<_>>(), columns, picture, height);
    };
    rows(means, 1, inputs.length(948, 888));
    rows(opponents, COLUMNS, inputs.length(740, 680));
    let note = "points per game against opponents outside the run, with 95 % intervals";
    match results(inputs)[..] {
        [(generation, _)] => format!("one measurement so far (generation {generation}) · {note}"),
        _ => note.to_owned(),
    }
}

struct Scores {
    against: Against,
    /// Lines that show scores. A run that isn't pooled also has an interval at each score, and a dot for each champion
    /// that passed a gating match (against its predecessor). Diamonds show scores measured at the end of a run.
    marks: Vec<Mark>,
    /// The pooled scores, which determine whether the legend explains intervals and single seeds.
    lines: Vec<Pooled>,
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
        let (mut marks, mut dots) = (Vec::new(), Vec::new());
        for group in inputs.groups.iter().filter(|group| group.entries.len() == 1) {
            let colour = group.stroke().colour;
            for (it, passed) in group.runs().flat_map(|(_, run)| measured(run)) {
                marks.push(Mark::interval(colour, it.x, it.interval));
                dots.extend(passed.then(|| Mark::dot(colour, (it.x, it.score))));
            }
        }
        marks.extend(pooled(lines.clone()));
        marks.extend(dots);
        marks.extend(inputs.groups.iter().filter_map(|group| {
            let Score { x, score, interval } = final_score(group, &against)?;
            Some(Mark::Diamond(group.stroke().colour, (x, score), interval))
        }));
        Scores { against, marks, lines: lines.into_iter().map(|(_, pooled)| pooled).collect() }
    }
}

/// Returns the mean final score in a group with its confidence interval, or `None` unless all champions were measured.
/// The mean is plotted at the end of the longest run. A single score is plotted at the champion's generation.
fn final_score(group: &Group, against: &Against) -> Option<Score> {
    let of = |(entry, run): (&Entry, &Run)| {
        let (generation, scores) = last(entry, run)?;
        against.score(run.x(generation)?, scores)
    };
    let found: Vec<Score> = group.runs().map(of).collect::<Option<_>>()?;
    if let [] | [_] = found[..] {
        return found.into_iter().next();
    }
    let mut scores: Vec<f64> = found.iter().map(|it| it.score).collect();
    // We sort first, because floating-point sums depend on the order of addition.
    scores.sort_by(f64::total_cmp);
    let (score, interval) = interval(&scores, &SCORES);
    let ends = group.runs().filter_map(|(_, run)| run.x(run.last()));
    Some(Score { x: ends.reduce(f64::max)?, score, interval })
}

fn keys(inputs: &Inputs, means: &[Scores]) -> Vec<Key> {
    let colour = inputs.colour();
    let text = if inputs.is_grouped { "mean over seeds" } else { "champion of a generation" };
    let mut keys = vec![line_key(colour, style::THICK, text)];
    let lines = means.iter().flat_map(|scores| &scores.lines);
    keys.extend(seed_keys(lines, colour, ["its 95 % interval", "one seed"]));
    let has = |is_it: fn(&Mark) -> bool| means.iter().any(|scores| scores.marks.iter().any(is_it));
    let mut add = |is_shown: bool, symbol: fn(RGBAColor) -> Symbol, text: &str| {
        keys.extend(is_shown.then(|| (symbol(colour), text.to_owned())));
    };
    add(has(|it| matches!(it, Mark::Dot(..))), Symbol::Dot, "passed the gate");
    let text = "the run's champion, measured at the end";
    add(has(|it| matches!(it, Mark::Diamond(..))), Symbol::Diamond, text);
    keys
}
