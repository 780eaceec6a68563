//! Learning curves of a comparison: strength over what was spent, a line a seed and their mean.

use plotters::prelude::DrawingBackend;

use super::axis::Axis;
use super::chart::{self, Area, Drawn, Frame, Key, Mark};
use super::header::Header;
use super::output::Picture;
use super::pooled::{Curve, MIN_BAND_SEEDS, SCORES, interval};
use super::sheet::{INNER, MARGIN, WIDTH};
use super::stroke::Look;
use super::style;
use super::untrusted::plain;
use evolve::run::{
    Budget, ContestantScore, Mean, POINTS, Trial, contestant_scores, read_comparison,
};

const HEIGHT: i32 = 1700;
const GAP: i32 = 48;
/// How strong bands are: several lie over each other.
const BAND: f64 = 0.7;
/// The trials of a file of results.
pub(super) struct Results {
    trials: Vec<Trial>,
    budget: Budget,
    notes: String,
}

impl Results {
    pub(super) fn parse(text: &str) -> Result<Results, String> {
        let read = read_comparison(text).map_err(|error| error.to_string())?.trials;
        let (first, _) = read.first().ok_or("no search in it is finished")?;
        let budget: Budget = first.budget.parse().map_err(|_| "its budget is none")?;
        let (depth, openings, terms) = (first.depth, &first.openings, &first.terms);
        let notes = format!("{budget} · strength at depth {depth} on {openings} · {terms}");
        if let Some((other, _)) = read.iter().find(|(row, _)| row.budget != first.budget) {
            return Err(format!("it has results of {budget} and of {}", other.budget));
        }
        if let Some((other, _)) = read.iter().find(|(row, _)| row.terms != *terms) {
            return Err(format!("it has results by {terms} and by {}", other.terms));
        }
        Ok(Results { budget, notes, trials: read.into_iter().map(|(_, trial)| trial).collect() })
    }

    /// The curve of a trial, the amounts as logarithms.
    fn curve(&self, trial: &Trial) -> Curve {
        let x = |spent| f64::log10(f64::max(spent, 1e-3));
        let points = trial.points.iter();
        points.map(|it| (x(self.budget.amount(&it.spent, it.time)), it.mean().0)).collect()
    }
}

/// A contestant's curves.
struct Entry {
    key: String,
    look: Look,
    seeds: Vec<Curve>,
    /// The mean over the seeds, and its interval where there are several.
    mean: Curve,
    band: [Curve; 2],
}

/// A comparison, laid out.
pub(super) struct Comparison {
    header: Header,
    entries: Vec<Entry>,
    x: Axis,
    y: Axis,
    unit: &'static str,
}

impl Comparison {
    pub(super) fn new(results: &Results) -> Comparison {
        let standings = contestant_scores(&results.trials);
        let entries = standings.iter().enumerate();
        let entries: Vec<Entry> =
            entries.map(|(index, it)| Entry::new(it, Look::of(index), results)).collect();
        let points = || entries.iter().flat_map(|entry| entry.seeds.iter().flatten());
        let bands = entries.iter().flat_map(|entry| entry.band.iter().flatten());
        let what = "a thin line is one seed, a thick line the mean, a band its 95 % interval from five seeds on";
        Comparison {
            header: Header::new("Strength by budget", &[], &[&results.notes, what], INNER),
            x: Axis::logarithmic(points().map(|point| point.0), 10),
            y: Axis::values(points().chain(bands).map(|point| point.1), 8),
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
        let mut plot = frame.draw(area)?;
        for Entry { band: [low, high], look, .. } in &self.entries {
            if low.len() > 1 {
                chart::band(&mut plot, low, high, look.colour, BAND)?;
            }
        }
        for entry in &self.entries {
            for seed in &entry.seeds {
                chart::line(&mut plot, seed, entry.look.stroke(style::HAIR).faint())?;
            }
        }
        for entry in &self.entries {
            chart::line(&mut plot, &entry.mean, entry.look.stroke(style::THICK))?;
        }
        Ok(())
    }

    fn legend_height(&self) -> i32 {
        chart::legend_height(&self.keys(), INNER)
    }
}

impl Entry {
    fn new(standing: &ContestantScore, look: Look, results: &Results) -> Entry {
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
        let ends = panel.interval(SCORES).map(|(low, high)| format!(" ({low:.3} to {high:.3})"));
        let key = format!("{name}  {:.3}{}", panel.mean, ends.unwrap_or_default());
        Entry { key, look, seeds, mean, band }
    }
}

impl Picture for Comparison {
    fn size(&self) -> (u32, u32) {
        let above = self.header.height() + GAP + self.legend_height();
        let height = 2 * MARGIN + above + HEIGHT;
        (WIDTH as u32, (height as u32).next_multiple_of(style::FINENESS))
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let sheet = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let (header, rest) = sheet.split_vertically(self.header.height() + GAP);
        self.header.draw(&header)?;
        let (legend, chart) = rest.split_vertically(self.legend_height());
        chart::legend(&legend, &self.keys())?;
        self.draw_chart(&chart)
    }
}
