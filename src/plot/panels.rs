//! Draws the panels that show curves or champions' weights. Each function returns the note for its panel.

use std::collections::HashSet;

use mancala::eval::{Feature, Signs, Weights};
use plotters::style::{Color, RGBAColor};

use super::chart::{GAP, Key, Mark, Symbol, grid, legend, line_key, pooled, stack, values};
use super::{
    ANY, Axis, Canvas, Chart, Curve, Density, Generation, Inputs, Iteration, Pooled, Row, Rows,
    Run, SCORES, Spread, Stroke, champion_features, minus, shown_features, style,
};

pub(crate) fn joined(parts: impl IntoIterator<Item = String>) -> String {
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" · ")
}

fn per_point(inputs: &Inputs) -> String {
    match inputs.block {
        1 => String::new(),
        block => format!("each point is the mean of {block} generations"),
    }
}

pub(crate) fn seed_keys<'a>(
    lines: impl IntoIterator<Item = &'a Pooled>,
    colour: RGBAColor,
    [band, single]: [&str; 2],
) -> Vec<Key> {
    let (mut has_band, mut has_single) = (false, false);
    for pooled in lines {
        has_band |= pooled.band.is_some();
        has_single |= !pooled.singles.is_empty();
    }
    let band = has_band.then(|| (Symbol::Band(colour), band.to_owned()));
    let line = has_single.then(|| line_key(colour, style::HAIR, single));
    band.into_iter().chain(line).collect()
}

/// Draws the best, mean and worst fitness, as fractions of the maximum possible with this number of games.
pub(crate) fn fitness(inputs: &Inputs, picture: &mut Canvas) -> String {
    let (mut marks, means) = inputs.spread(style::THICK, |_| Some(|at: &Generation| at.fitness));
    let best = (|at| at.best) as fn(&Generation) -> f64;
    let ends = [(style::VERMILLION, best), (style::SKY, |at| at.worst)];
    let mean = inputs.colour();
    let [best, worst] = ends.map(|(colour, _)| inputs.colour_of_single(colour));
    let mut keys = vec![
        line_key(best, style::THIN, "best"),
        line_key(mean, style::THICK, "mean"),
        line_key(worst, style::THIN, "worst"),
    ];
    if !inputs.is_grouped {
        keys.push((Symbol::Band(mean), "mean ± 1 standard deviation".into()));
    }
    let texts = ["95 % interval of the mean over seeds", "mean of one seed"];
    keys.extend(seed_keys(means.iter().map(|(_, pooled)| pooled), mean, texts));
    legend(&keys, picture);
    for (colour, figure) in ends {
        let lines = inputs.lines(style::THIN, &ANY, |run| inputs.curve(run, figure)).into_iter();
        let line = |(stroke, pooled): (Stroke, Pooled)| {
            Mark::Line(inputs.coloured(stroke, colour), pooled.mean)
        };
        marks.extend(lines.map(line));
    }
    marks.extend(pooled(means));
    let titles = [inputs.x.title(), "fitness (share of the maximum)"];
    let chart = Chart::new(inputs.x_axis(12), titles, marks, &[]);
    chart.draw(picture, inputs.length(1320, 1000) - picture.height);
    per_point(inputs)
}

type Figure = (&'static str, fn(&Generation) -> f64);

const DISTINCT: &str = "distinct chromosomes";
const DIVERSITY: [Figure; 2] =
    [("mean distance (bits)", |at| at.hamming), (DISTINCT, |at| at.distinct)];

pub(crate) fn varying_diversity(inputs: &Inputs) -> Vec<Figure> {
    let varies = |figure: &Figure| inputs.runs().any(|(_, run)| run.varies(figure.1));
    DIVERSITY.into_iter().filter(varies).collect()
}

/// Draws a chart for each measure of diversity. Sheets omit measures that never change.
pub(crate) fn diversity(inputs: &Inputs, picture: &mut Canvas) -> String {
    let mut figures = varying_diversity(inputs);
    if inputs.density == Density::Alone || figures.is_empty() {
        figures = DIVERSITY.to_vec();
    }
    let chart = |(title, of): &Figure| {
        let marks = pooled(inputs.lines(style::THIN, &ANY, |run| inputs.curve(run, of)));
        // Include zero in the axis, so that readers can see how close the population is to being uniform.
        Chart::new(inputs.x_axis(12), [inputs.x.title(), title], marks, &[0.0])
    };
    let height = figures.len() as i32 * inputs.length(820, 740);
    stack(figures.iter().map(chart).collect(), picture, height);
    let distance = "mean Hamming distance over all pairs";
    // The note contains the number of distinct chromosomes if it never changes and is the same for all runs.
    let mut counts = inputs.runs().map(|(_, run)| run.generations[0].distinct);
    let first = counts.next().unwrap_or_default();
    let note = match figures.as_slice() {
        [_, _] => format!("{distance}, and number of distinct chromosomes"),
        [(DISTINCT, _)] => "number of distinct chromosomes".into(),
        _ if counts.all(|count| count == first) => format!("{distance}; always {first} distinct"),
        _ => distance.into(),
    };
    joined([note, per_point(inputs)])
}

fn spread(run: &Run, feature: Feature) -> Option<impl Fn(&Generation) -> Spread + use<>> {
    let index = run.settings.features.features().iter().position(|other| *other == feature)?;
    Some(move |at: &Generation| at.weights[index])
}

pub(crate) fn do_weights_vary(inputs: &Inputs) -> bool {
    let varies = |run: &Run| {
        let mut places = 0..run.settings.features.features().len();
        places.any(|place| {
            run.varies(|at| at.weights[place].mean) || run.varies(|at| at.weights[place].sd)
        })
    };
    inputs.runs().any(|(_, run)| varies(run))
}

/// Draws a small chart of each weight over the course of the run. If there are too many weights, we show only those
/// that are largest in the last generation.
pub(crate) fn weights(inputs: &Inputs, picture: &mut Canvas) -> String {
    const COLUMNS: usize = 3;
    let last = |run: &Run, feature| Some(spread(run, feature)?(run.generations.last()?).mean.abs());
    let size = |feature| {
        let sizes = inputs.runs().filter_map(|(_, run)| last(run, feature));
        sizes.fold(0.0, f64::max)
    };
    let sets = inputs.runs().map(|(_, run)| &run.settings.features);
    let (features, left_out) = shown_features(sets, size, inputs.density);
    let marks = |feature: &Feature| {
        let (mut marks, lines) = inputs.spread(style::THIN, |run| spread(run, *feature));
        marks.extend(pooled(lines));
        marks
    };
    let marks: Vec<Vec<Mark>> = features.iter().map(marks).collect();
    // All charts share a scale, so that heights can be compared.
    let y = Axis::values(marks.iter().flat_map(|marks| values(marks)).chain([0.0]), 4);
    let room = picture.width / COLUMNS as i32 - GAP;
    let title = |feature: &Feature| style::wrap(&named(feature), style::SMALL, room, 3);
    let titles: Vec<Vec<String>> = features.iter().map(title).collect();
    let lines = titles.iter().map(Vec::len).max().unwrap_or(1);
    let charts = titles.into_iter().zip(marks).map(|(mut title, marks)| {
        title.resize(lines, String::new());
        let caption = title.into_iter().map(|line| (line, style::INK.into())).collect();
        let chart = Chart::new(inputs.x_axis(5), ["", ""], marks, &[]);
        Chart { y: y.clone(), text: style::SMALL, caption, ..chart }
    });
    grid(&charts.collect::<Vec<_>>(), COLUMNS, picture, inputs.length(620, 500));
    let note = match inputs.is_grouped {
        true => "mean over seeds, with its 95 % interval as a band for five or more seeds",
        false => "mean ± 1 standard deviation in each generation",
    };
    joined([note.into(), per_point(inputs), left_out])
}

fn named(feature: &Feature) -> String {
    format!("{}: {}", feature.name(), feature.meaning())
}

/// Draws two charts with the iteration on the x axis: the losses of the fits, and the scores of the evolved weights.
pub(crate) fn fit(inputs: &Inputs, picture: &mut Canvas) -> String {
    let [first, last] = [inputs.colour_of_single(style::VERMILLION), inputs.colour()];
    let keys = [
        line_key(first, style::THIN, "first epoch of the fit"),
        line_key(last, style::THICK, "last epoch"),
    ];
    legend(&keys, picture);
    let losses = |width, loss: fn(&Iteration) -> f64| {
        let point = |it: &Iteration| (f64::from(it.number), loss(it));
        inputs.lines(width, &ANY, |run| run.iterations.iter().map(point).collect())
    };
    let firsts = losses(style::THIN, |it| it.first_loss).into_iter();
    let firsts = firsts.map(|(it, pooled)| (inputs.coloured(it, style::VERMILLION), pooled));
    let lasts = losses(style::THICK, |it| it.last_loss);
    let losses = pooled(firsts.chain(lasts).collect());
    // We subtract 1, because the match of an iteration is recorded in the next row.
    let scores = |run: &Run| -> Curve {
        let rows = run.iterations.iter();
        rows.filter_map(|it| Some((f64::from(it.number) - 1.0, it.evolved?))).collect()
    };
    let scores = pooled(inputs.lines(style::THICK, &SCORES, scores));
    let numbers = || inputs.iterations().map(|iteration| iteration.number);
    // The first row contains the match of the previous iteration, so the axis starts with that iteration.
    let first = numbers().min().map_or(1, |first| if first > 1 { first - 1 } else { first });
    let x = Axis::counts(numbers().chain([first]).map(f64::from), 12);
    let losses = Chart::new(x.clone(), ["iteration", "loss (nats)"], losses, &[]);
    let scores = Chart::new(x, ["iteration", "evolved v. fitted"], scores, &[0.5]);
    let charts = vec![losses, Chart { level: Some(0.5), ..scores }];
    stack(charts, picture, inputs.length(1640, 1280) - picture.height);
    "labels differ between iterations; evolved weights play against the fitted weights that they started from".into()
}

/// Returns a feature's weight with the sign used in the evaluation, or `None` if there is no such feature.
fn effective(weights: &Weights, feature: Feature) -> Option<f64> {
    let index = weights.features().features().iter().position(|other| *other == feature)?;
    Some(weights.effective()[index].into())
}

fn length(weights: &Weights) -> f64 {
    let effective = weights.effective();
    let squares: f64 = effective.iter().map(|&weight| f64::from(weight) * f64::from(weight)).sum();
    squares.sqrt()
}

/// Returns a signed weight divided by the vector's length, or `None` if it's missing or all weights are zero.
fn share(weights: &Weights, feature: Feature) -> Option<f64> {
    let length = length(weights);
    effective(weights, feature).filter(|_| length > 0.0).map(|weight| weight / length)
}

/// Returns the [`share`] of each feature, or an empty list if all weights are zero.
pub(crate) fn shares(weights: &Weights) -> Vec<(Feature, f64)> {
    let features = weights.features().features().iter();
    features.filter_map(|it| Some((*it, share(weights, *it)?))).collect()
}

pub(crate) fn is_feature_shared(inputs: &Inputs) -> bool {
    let mut seen = HashSet::new();
    let mut features = inputs.champions().flat_map(|(_, it)| it.features().features());
    features.any(|feature| !seen.insert(*feature))
}

/// Draws the weights of several champions side by side, to show how far they agree. If there are too many features, we
/// show only those with the largest normalised weights.
pub(crate) fn agreement(inputs: &Inputs, picture: &mut Canvas) -> String {
    let (features, left_out) = champion_features(inputs, share);
    let row = |feature: Feature| {
        let dot = |(entry, weights): (&super::Entry, _)| {
            Some((entry.stroke.colour, share(weights, feature)?))
        };
        Row {
            name: named(&feature),
            dots: inputs.champions().filter_map(dot).collect(),
            ..Row::default()
        }
    };
    let axis_title = "signed fraction of the weight vector's length";
    let rows = features.into_iter().map(row).collect();
    Rows { rows, axis_title, ..Rows::default() }.draw(picture);
    joined(["weights as shares of their length; one dot per champion".into(), left_out])
}

/// If the lengths of the weight vectors differ by more than this factor, then we divide the weights by the length, so
/// that they can be compared. (Scaling all weights by the same factor doesn't change any move.)
const MAX_LENGTH_RATIO: f64 = 1.25;

/// Draws the weights of champions as bars. If there are too many weights, we show only the largest.
pub(crate) fn champion(inputs: &Inputs, picture: &mut Canvas) -> String {
    let lengths = || inputs.champions().map(|(_, weights)| length(weights));
    let short = lengths().fold(f64::INFINITY, f64::min);
    let are_shares = lengths().fold(0.0, f64::max) > MAX_LENGTH_RATIO * short;
    let value = if are_shares { share } else { effective };
    let (features, left_out) = champion_features(inputs, value);
    // If there is just one champion, colours show the signs of its weights.
    if !inputs.is_overlaid() {
        let signs = [(style::BLUE, "raises the score"), (style::VERMILLION, "lowers the score")];
        legend(&signs.map(|(colour, text)| (Symbol::Box(colour.into()), text.into())), picture);
    }
    let row = |feature: Feature| {
        let bar = |(entry, weights): (&super::Entry, _)| {
            let value = value(weights, feature)?;
            let colour = match inputs.is_overlaid() {
                true => entry.stroke.colour,
                false if value < 0.0 => style::VERMILLION.to_rgba(),
                false => style::BLUE.to_rgba(),
            };
            let label = if are_shares { format!("{value:.2}") } else { value.to_string() };
            Some((colour, value, minus(&label)))
        };
        let bars = inputs.champions().filter_map(bar).collect();
        Row { name: named(&feature), bars, ..Row::default() }
    };
    let rows = features.into_iter().map(row).collect();
    let is_compact = inputs.density == Density::Compact;
    Rows { rows, is_compact, ..Rows::default() }.draw(picture);
    let about = match inputs.champions().next() {
        Some((_, weights)) if !inputs.is_overlaid() => origin(weights),
        _ => "weights with their signs".into(),
    };
    let unit = "each weight as a fraction of the length of its weight vector";
    joined([left_out, about, if are_shares { unit.into() } else { String::new() }])
}

fn origin(weights: &Weights) -> String {
    let signs = match weights.signs() {
        Signs::Signed => "weights with their signs",
        Signs::Literal => "literal weights",
    };
    let from = weights.provenance.as_ref().map(|from| {
        let generation = from.generation;
        let fitness = from.fitness.map(|it| format!(" · fitness {it}")).unwrap_or_default();
        let (searched, played) = (from.searched(), from.played.terms());
        format!("generation {generation}{fitness} · {searched} · {played}")
    });
    joined([signs.to_owned(), from.unwrap_or_default()])
}
