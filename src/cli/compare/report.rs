//! A comparison in the terminal and as JSON.

use std::io::Write;

use serde_json::{Value, json};

use super::super::{program, shell};
use super::Arguments;
use crate::player::PANEL_SIZE;
use crate::run::{
    Budget, ComparisonTerms, ContestantScore, Mean, MeasuredOpenings, Point, Trial,
    contestant_scores, panel,
};

/// What a comparison came to.
pub(super) struct Report<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) terms: &'a ComparisonTerms,
    pub(super) trials: &'a [Trial],
    pub(super) finished: bool,
}

impl Report<'_> {
    fn openings(&self) -> String {
        MeasuredOpenings::of(self.terms.game).name(self.terms.openings.into())
    }

    pub(super) fn json(&self) -> Value {
        let mean = |it: &Mean| json!({ "score": it.mean, "margin95": it.margin });
        let standing = |it: &ContestantScore| {
            let opponents = panel(self.terms.game).into_iter().zip(&it.opponents);
            let opponents = opponents.map(|(name, it)| (name, mean(it)));
            json!({
                "contestant": it.contestant,
                "seeds": it.seeds,
                "panel": mean(&it.panel),
                "opponents": opponents.collect::<serde_json::Map<_, _>>(),
            })
        };
        json!({
            "kind": "comparison",
            "budget": self.terms.budget.to_string(),
            "depth": self.terms.depth,
            "openings": self.openings(),
            "reproducible": self.terms.budget.is_reproducible(),
            "contestants": contestant_scores(self.trials).iter().map(standing).collect::<Vec<_>>(),
            "searches": self.trials.iter().map(trial_json).collect::<Vec<_>>(),
            "interrupted": !self.finished,
        })
    }

    pub(super) fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (budget, depth, openings) = (self.terms.budget, self.terms.depth, self.openings());
        writeln!(out, "{budget} for each search; strength at depth {depth} on {openings}\n")?;
        self.print_table(out)?;
        if !budget.is_reproducible() {
            let why = match budget {
                Budget::Time(_) => "Searches are limited by time",
                _ => "How many nodes a preset of train spends depends a little on the threads",
            };
            writeln!(out, "\n{why}: these results cannot be reproduced exactly.")?;
        }
        if let Some(output) = self.arguments.output.as_ref().filter(|_| !self.trials.is_empty()) {
            writeln!(out, "\nwrote {}", output.display())?;
        }
        if !self.finished {
            let all = self.arguments.contestants.len() * self.arguments.seeds.0.len();
            let (done, again) = (self.trials.len(), again());
            match self.arguments.output {
                Some(_) => {
                    writeln!(out, "interrupted after {done} of {all} searches; go on with")?;
                    writeln!(out, "  {again}")?;
                }
                None => writeln!(
                    out,
                    "interrupted after {done} of {all} searches; with -o FILE they would be kept"
                )?,
            }
        }
        Ok(())
    }

    fn print_table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let standings = contestant_scores(self.trials);
        let widest = standings.iter().map(|it| it.contestant.chars().count()).max().unwrap_or(0);
        let width = widest.max("contestant".len());
        let columns = (1..=PANEL_SIZE).map(|number| format!("{:>16}", format!("({number})")));
        let columns: String = columns.collect();
        writeln!(out, "{:<width$} seeds {:>16}{columns}", "contestant", "panel")?;
        for it in &standings {
            let cells: String = it.opponents.iter().map(cell).collect();
            let (name, seeds, panel) = (&it.contestant, it.seeds.len(), cell(&it.panel));
            writeln!(out, "{name:<width$} {seeds:>5} {panel}{cells}")?;
        }
        writeln!(out, "\npanel: mean score against all four; ± 95 % interval over the seeds")?;
        for (number, opponent) in (1..).zip(panel(self.terms.game)) {
            writeln!(out, "({number}) {opponent}")?;
        }
        Ok(())
    }
}

fn cell(mean: &Mean) -> String {
    let margin = mean.margin.map_or_else(|| " ".repeat(7), |margin| format!(" ±{margin:.3}"));
    format!("{:>16}", format!("{:.3}{margin}", mean.mean))
}

fn trial_json(trial: &Trial) -> Value {
    let point = |point: &Point| {
        let (score, margin) = point.mean();
        json!({
            "games": point.spent.games,
            "nodes": point.spent.nodes,
            "seconds": point.time.as_secs_f64(),
            "panel": score,
            "panel_margin95": margin,
            "strength": point.strength,
            "weights": weights_json(&point.weights),
        })
    };
    json!({
        "contestant": trial.contestant,
        "seed": trial.seed,
        "settings": trial.settings,
        "points": trial.points.iter().map(point).collect::<Vec<_>>(),
    })
}

/// The weights by feature.
fn weights_json(shown: &str) -> Value {
    let term = |term: &str| {
        let (name, weight) = term.split_once('=')?;
        Some((name.to_owned(), Value::from(weight.parse::<i64>().ok()?)))
    };
    Value::Object(shown.split(' ').filter_map(term).collect())
}

/// The command that was typed.
fn again() -> String {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| shell::quoted(&word.to_string_lossy()));
    [program()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}
