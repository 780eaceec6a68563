//! Plots strength against budget for each contestant, with one line per seed and one for the mean.

use super::{Budget, ContestantResult, Trial, contestants, read_comparison};
use crate::plot::chart::{self, Key, Symbol};
use crate::plot::{
    Axis, Canvas, Chart, Curve, INNER, MARGIN, Pooled, SCORES, Stroke, plain, style,
};

pub(crate) fn picture(text: &str) -> Result<Canvas, String> {
    let read = read_comparison(text).map_err(|error| error.to_string())?.trials;
    let (first, _) = read.first().ok_or("it has no finished search")?;
    let budget: Budget = first.budget.parse().map_err(|_| "its budget is invalid")?;
    let (depth, openings, terms) = (first.depth, &first.strength.openings, &first.terms);
    let notes = format!("{budget} · strength at depth {depth} on {openings} · {terms}");
    if let Some((other, _)) = read.iter().find(|(row, _)| row.budget != first.budget) {
        return Err(format!("it has results for {budget} and {}", other.budget));
    }
    if let Some((other, _)) = read.iter().find(|(row, _)| row.terms != *terms) {
        return Err(format!("it has results for {terms} and {}", other.terms));
    }
    let trials: Vec<Trial> = read.iter().map(|(_, trial)| trial.clone()).collect();
    let standings = contestants(&trials);
    let keys = standings.iter().enumerate().map(|(index, it)| key(it, index));
    let lines = standings.iter().enumerate().map(|(index, it)| {
        let own = |trial: &&Trial| trial.contestant == it.contestant;
        let trials: Vec<&Trial> = trials.iter().filter(own).collect();
        (Stroke::series(index).wide(style::THICK), pooled(&trials, budget))
    });
    let lines: Vec<(Stroke, Pooled)> = lines.collect();
    let points = lines.iter().flat_map(|(_, pooled)| pooled.singles.iter().flatten());
    let x = Axis::logarithmic(points.map(|point| point.0));
    let x_title = match budget {
        Budget::Games(_) => "budget (games)",
        Budget::Nodes(_) => "budget (nodes)",
        Budget::Time(_) => "budget (seconds)",
    };
    let titles = [x_title, "mean score against the panel"];
    let chart = Chart::new(x, titles, chart::pooled(lines), &[]);
    let mut picture = Canvas::new(INNER);
    let what =
        "thin lines: single seeds · thick line: mean · band: 95 % interval, if five or more seeds";
    chart::header("Strength by budget", &[], &[&notes, what], &mut picture);
    chart::legend(&keys.collect::<Vec<_>>(), &mut picture);
    chart.draw(&mut picture, 1700);
    Ok(picture.with_margin(MARGIN))
}

fn key(ContestantResult { contestant, panel, .. }: &ContestantResult, index: usize) -> Key {
    let text = format!("{}  {panel}", plain(contestant));
    (Symbol::Line(Stroke::series(index).wide(2 * style::THICK)), text)
}

/// Returns one curve per seed, their mean, and its confidence interval. The x values are base-10 logarithms.
fn pooled(trials: &[&Trial], budget: Budget) -> Pooled {
    let curve = |trial: &&Trial| -> Curve {
        let points = trial.points.iter();
        points.map(|it| (budget.share(it.number).log10(), it.mean().0)).collect()
    };
    let singles: Vec<Curve> = trials.iter().map(curve).collect();
    Pooled { singles: singles.clone(), ..Pooled::of(singles, &SCORES) }
}
