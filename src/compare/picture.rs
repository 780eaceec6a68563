//! Learning curves of a comparison: strength by cost, one line per seed and their mean.

use plotters::prelude::DrawingBackend;

use super::{Budget, ContestantResult, Mean, POINTS, Trial, contestants, read_comparison};
use crate::plot::{
    Area, Axis, Curve, Curves, Drawn, Frame, Header, INNER, Key, Look, MARGIN, MIN_BAND_SEEDS,
    Mark, Picture, Pooled, SCORES, WIDTH, chart, interval, plain, style,
};

const HEIGHT: i32 = 1700;
const GAP: i32 = 48;
pub(crate) struct Results {
    trials: Vec<Trial>,
    budget: Budget,
    notes: String,
}

impl Results {
    pub(crate) fn parse(text: &str) -> Result<Results, String> {
        let read = read_comparison(text).map_err(|error| error.to_string())?.trials;
        let (first, _) = read.first().ok_or("it has no finished search")?;
        let budget: Budget = first.budget.parse().map_err(|_| "its budget is invalid")?;
        let (depth, openings, terms) = (first.depth, &first.openings, &first.terms);
        let notes = format!("{budget} · strength at depth {depth} on {openings} · {terms}");
        if let Some((other, _)) = read.iter().find(|(row, _)| row.budget != first.budget) {
            return Err(format!("it has results for {budget} and {}", other.budget));
        }
        if let Some((other, _)) = read.iter().find(|(row, _)| row.terms != *terms) {
            return Err(format!("it has results for {terms} and {}", other.terms));
        }
        Ok(Results { budget, notes, trials: read.into_iter().map(|(_, trial)| trial).collect() })
    }

    /// Returns a trial's curve, with a logarithmic x axis.
    fn curve(&self, trial: &Trial) -> Curve {
        let x = |cost| f64::log10(f64::max(cost, 1e-3));
        let points = trial.points.iter();
        points.map(|it| (x(self.budget.amount(&it.cost, it.time)), it.mean().0)).collect()
    }
}

struct Entry {
    key: String,
    look: Look,
    /// The curves of all seeds, and their mean with its interval.
    pooled: Pooled,
}

pub(crate) struct Comparison {
    header: Header,
    entries: Vec<Entry>,
    x: Axis,
    y: Axis,
    unit: &'static str,
}

impl Comparison {
    pub(crate) fn new(results: &Results) -> Comparison {
        let standings = contestants(&results.trials);
        let entries = standings.iter().enumerate();
        let entries: Vec<Entry> =
            entries.map(|(index, it)| Entry::new(it, Look::of(index), results)).collect();
        let points = || entries.iter().flat_map(|entry| entry.pooled.singles.iter().flatten());
        let values = entries.iter().flat_map(|entry| entry.pooled.values());
        let what = "thin lines: single seeds · thick line: mean · band: 95 % interval, if five or more seeds";
        Comparison {
            header: Header::new("Strength by budget", &[], &[&results.notes, what], INNER),
            x: Axis::logarithmic(points().map(|point| point.0), 10),
            y: Axis::values(values, 8),
            unit: results.budget.unit(),
            entries,
        }
    }

    fn keys(&self) -> Vec<Key<'_>> {
        let keys = self.entries.iter().map(|it| Key {
            mark: Mark::Series(it.look),
            colour: it.look.colour,
            text: it.key.as_str(),
        });
        keys.collect()
    }

    fn draw_chart<DB: DrawingBackend>(&self, area: &Area<DB>) -> Drawn<DB> {
        let x_title = format!("{} spent", self.unit);
        let frame = Frame {
            x: self.x.clone(),
            y: self.y.clone(),
            x_title: &x_title,
            y_title: "mean score against the panel",
            text: style::LABEL,
        };
        let lines = self.entries.iter().map(|it| (it.look.stroke(style::THICK), it.pooled.clone()));
        let curves = Curves { lines: lines.collect(), ..Curves::default() };
        curves.draw(&mut frame.draw(area)?)
    }
}

impl Entry {
    fn new(standing: &ContestantResult, look: Look, results: &Results) -> Entry {
        let own = |trial: &&Trial| trial.contestant == standing.contestant;
        let trials: Vec<&Trial> = results.trials.iter().filter(own).collect();
        let seeds: Vec<Curve> = trials.iter().map(|trial| results.curve(trial)).collect();
        let (mut mean, mut band) = (Curve::new(), [Curve::new(), Curve::new()]);
        for number in 1..=POINTS {
            let at = trials.iter().zip(&seeds).filter_map(|(trial, curve)| {
                let index = trial.points.iter().position(|point| point.number == number)?;
                Some(curve[index])
            });
            let (x, y): (Vec<f64>, Vec<f64>) = at.unzip();
            if y.is_empty() {
                continue;
            }
            let x = Mean::of(&x).mean;
            let (middle, [low, high]) = interval(&y, &SCORES);
            mean.push((x, middle));
            if y.len() >= MIN_BAND_SEEDS {
                band[0].push((x, low));
                band[1].push((x, high));
            }
        }
        let (name, panel) = (plain(&standing.contestant), &standing.panel);
        let ends = panel.score_ci95.map(|(low, high)| format!(" ({low:.3} to {high:.3})"));
        let key = format!("{name}  {:.3}{}", panel.score, ends.unwrap_or_default());
        let band = Some(band).filter(|[low, _]| low.len() > 1);
        Entry { key, look, pooled: Pooled { mean, band, singles: seeds } }
    }
}

impl Picture for Comparison {
    fn size(&self) -> (u32, u32) {
        let above = self.header.height() + GAP + chart::legend_height(&self.keys(), INNER);
        let height = 2 * MARGIN + above + HEIGHT;
        (WIDTH as u32, (height as u32).next_multiple_of(style::FINENESS))
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let sheet = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let (header, rest) = sheet.split_vertically(self.header.height() + GAP);
        self.header.draw(&header)?;
        self.draw_chart(&chart::legend_above(&rest, &self.keys())?)
    }
}
