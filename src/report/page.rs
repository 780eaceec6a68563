//! Renders a report as a page, by filling a template with the JSON result and some plots. The page
//! is a single file without scripts or links to other files.
//!
//! Architecture invariant: the template engine escapes all text. Only plots are inserted unescaped.

use mancala::text::escape;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Rest, Serde, Value};
use minijinja::{AutoEscape, Environment, UndefinedBehavior, context, escape_formatter};

use super::gather::duration;
use super::picture::{self, Series, chart};
use super::result::{Report, RunCurves, RunReport};
use crate::plot::{Canvas, Curve, drawn, minus};
use crate::terminal::shell;

const TEMPLATE: &str = include_str!("template.html");

/// The maximum total number of rows in the heat maps, which we divide equally among the runs.
const MAX_MAP: usize = 40;
const MIN_MAP: usize = 8;

pub(super) fn page(report: &Report) -> anyhow::Result<String> {
    let most = (MAX_MAP / report.runs.len()).max(MIN_MAP);
    let runs = report.runs.iter().map(|run| of_run(run, most));
    let runs = runs.collect::<anyhow::Result<Vec<Value>>>()?;
    let agreement = Serde(&report.agreement);
    let values = context! { runs, agreement, version => report.version };
    Ok(environment()?.render_str(TEMPLATE, values)?)
}

fn environment() -> anyhow::Result<Environment<'static>> {
    let mut environment = Environment::new();
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).build()?);
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    // We replace characters that are invisible or change the text direction with visible escapes.
    environment.set_formatter(|out, state, value| match value.as_str() {
        Some(text) if !value.is_safe() => escape_formatter(out, state, &escape(text).into()),
        _ => escape_formatter(out, state, value),
    });
    environment
        .add_filter("fixed", |number: f64, places: usize| minus(&format!("{number:.places$}")));
    environment
        .add_filter("duration", |hours: Option<f64>| hours.map_or("unknown".into(), duration));
    environment.add_function("ayo", |words: Rest<String>| ayo(&words));
    environment.add_function("plot", |folder: &str, what: &str| {
        ayo(&["plot", folder, "--what", what, "-o", &format!("plots/{what}.png")].map(String::from))
    });
    Ok(environment)
}

fn ayo(words: &[String]) -> String {
    format!("ayo {}", shell::typed(words))
}

/// Returns the template values for a run: the JSON result, the plots and the data in these plots.
fn of_run(run: &RunReport, most: usize) -> anyhow::Result<Value> {
    let RunCurves { fitness: [best, mean, worst], measured, champion, hours } = &run.curves;
    let series = |name, points: &Curve| Series { name, points: points.clone(), intervals: vec![] };
    let fitness = vec![series("best", best), series("mean", mean), series("worst", worst)];
    let scores = measured.iter().map(|(at, it)| (*at, it.score, it.score_ci95));
    let strength = Series::with_intervals("champion of a generation", scores);
    let last = champion.as_ref().filter(|it| it.is_final);
    let last = last.map(|it| (it.generation, it.score.score, it.score.score_ci95));
    let (mut ratings, mut map, mut mapped) = (Value::UNDEFINED, Value::UNDEFINED, Vec::new());
    if let Some(diagnosis) = &run.of_games.diagnosis {
        let rated = diagnosis.generations.iter().zip(&diagnosis.ratings);
        let rated = rated.map(|(at, it)| (*at, it.elo, it.elo_ci95));
        let rated = vec![Series::with_intervals("champions", rated)];
        ratings = svg(&chart("Elo", rated, None))?;
        let last = diagnosis.generations.len() - 1;
        let steps = last.min(most - 1);
        mapped.extend((0..=steps).map(|place| place * last / steps));
        map = svg(&picture::map(diagnosis, &mapped))?;
    }
    let pictures = context! {
        fitness => svg(&chart("share of possible fitness", fitness, None))?,
        strength => svg(&chart("points per game", vec![strength], last))?,
        ratings,
        map,
    };
    let ends = |curve: &Curve| [curve.first(), curve.last()].map(|it| it.map_or(0.0, |it| it.1));
    Ok(context! {
        pictures,
        mapped,
        measured => Serde(measured),
        champion => Serde(champion),
        best => ends(best),
        mean => ends(mean),
        hours_by_generation => hours,
        has_learned_features => run.has_learned_features,
        ..Serde(run)
    })
}

/// Renders a plot. To make maps a third smaller, we omit default values and the font (which the style sheet sets).
fn svg(picture: &Canvas) -> anyhow::Result<Value> {
    const NEEDLESS: [&str; 3] =
        [" opacity=\"1\"", " stroke=\"none\"", " font-family=\"DejaVu Sans, Verdana, sans-serif\""];
    let short = NEEDLESS.iter().fold(drawn(picture)?, |drawn, it| drawn.replace(it, ""));
    Ok(Value::from_safe_string(short))
}
