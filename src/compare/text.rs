//! Text output of a comparison.

use std::io::Write;
use std::path::Path;

use arena::player::PANEL_SIZE;
use evolve::run::Panel;

use super::result::interval;
use super::{Budget, Comparison, ComparisonTerms, ContestantResult, Difference};
use crate::terminal::{counted, shell, shown};

/// Prints a comparison. `asked` is the number of requested searches and `output` is the results file.
pub(crate) fn print(
    found: &Comparison,
    asked: usize,
    terms: &ComparisonTerms,
    output: Option<&Path>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let Comparison { budget, depth, openings, contestants, searches, .. } = found;
    writeln!(out, "{budget} for each search; strength at depth {depth} on {openings}\n")?;
    print_table(contestants, out)?;
    writeln!(out, "\npanel: mean score against all four opponents, with 95 % interval over seeds")?;
    for (number, opponent) in (1..).zip(Panel::First.names(terms.game)) {
        writeln!(out, "({number}) {opponent}")?;
    }
    print_differences(found, out)?;
    if !found.reproducible {
        let why = match terms.budget {
            Budget::Time(_) => "Searches have a time limit",
            _ => {
                "The number of nodes of a training preset depends slightly on the number of threads"
            }
        };
        writeln!(out, "\n{why}, so these results cannot be reproduced exactly.")?;
    }
    if let Some(output) = output.filter(|_| !searches.is_empty()) {
        writeln!(out, "\nwrote {}", shown(output))?;
    }
    if found.interrupted {
        let (all, done, again) = (asked, searches.len(), shell::again());
        match output {
            Some(_) => {
                writeln!(out, "interrupted after {done} of {all} searches; resume with")?;
                writeln!(out, "  {again}")?;
            }
            None => writeln!(
                out,
                "interrupted after {done} of {all} searches; use -o FILE to save them"
            )?,
        }
    }
    Ok(())
}

fn print_table(contestants: &[ContestantResult], out: &mut dyn Write) -> anyhow::Result<()> {
    let widest = contestants.iter().map(|it| it.contestant.chars().count()).max().unwrap_or(0);
    let width = widest.max("contestant".len());
    let columns = (1..=PANEL_SIZE).map(|number| format!("{:>7}", format!("({number})")));
    let columns: String = columns.collect();
    writeln!(out, "{:<width$} seeds  {:<22}{columns}", "contestant", "panel")?;
    for it in contestants {
        let cells: String =
            it.opponents.iter().map(|(_, it)| format!("{:>7.3}", it.score)).collect();
        let (name, seeds, panel) = (&it.contestant, it.seeds.len(), it.panel.to_string());
        writeln!(out, "{name:<width$} {seeds:>5}  {panel:<22}{cells}")?;
    }
    Ok(())
}

/// Prints all pairwise differences or, if there are many contestants, only the differences from the best contestant.
fn print_differences(found: &Comparison, out: &mut dyn Write) -> anyhow::Result<()> {
    const FEW: usize = 4;
    let best = found.contestants.first().map(|it| &it.contestant);
    let is_shown = |it: &&Difference| found.contestants.len() <= FEW || Some(&it.a) == best;
    let shown: Vec<&Difference> = found.differences.iter().filter(is_shown).collect();
    if shown.is_empty() {
        return Ok(());
    }
    writeln!(out, "\ndifference on the same seeds, with 95 % interval")?;
    for Difference { a, b, seeds, difference, difference_ci95 } in shown {
        let seeds = counted(*seeds as u64, "seed");
        let interval = interval(*difference_ci95);
        writeln!(out, "  {difference:+.3}{interval}  {a} minus {b}, {seeds}")?;
    }
    Ok(())
}
