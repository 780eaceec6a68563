//! A comparison in the terminal and as JSON.

use std::io::Write;
use std::path::Path;

use evolution::player::PANEL_SIZE;
use mancala::game::AnyGame;

use super::super::shell;
use super::super::terminal::shown;
use crate::results::{ComparedContestant, Comparison, MeanScore};
use crate::run::{Budget, panel};

/// What a comparison came to.
pub(super) struct Report<'a> {
    /// The file that keeps the searches.
    pub(super) output: Option<&'a Path>,
    /// Searches that were asked for.
    pub(super) asked: usize,
    pub(super) game: AnyGame,
    pub(super) budget: Budget,
    pub(super) found: &'a Comparison,
}

impl Report<'_> {
    pub(super) fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let Comparison { budget, depth, openings, contestants, searches, .. } = self.found;
        writeln!(out, "{budget} for each search; strength at depth {depth} on {openings}\n")?;
        print_table(contestants, out)?;
        writeln!(out, "\npanel: mean score against all four; ± 95 % interval over the seeds")?;
        for (number, opponent) in (1..).zip(panel(self.game)) {
            writeln!(out, "({number}) {opponent}")?;
        }
        if !self.found.reproducible {
            let why = match self.budget {
                Budget::Time(_) => "Searches are limited by time",
                _ => "How many nodes a preset of train spends depends a little on the threads",
            };
            writeln!(out, "\n{why}: these results cannot be reproduced exactly.")?;
        }
        if let Some(output) = self.output.filter(|_| !searches.is_empty()) {
            writeln!(out, "\nwrote {}", shown(output))?;
        }
        if self.found.interrupted {
            let (all, done, again) = (self.asked, searches.len(), again());
            match self.output {
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
}

fn print_table(contestants: &[ComparedContestant], out: &mut dyn Write) -> anyhow::Result<()> {
    let widest = contestants.iter().map(|it| it.contestant.chars().count()).max().unwrap_or(0);
    let width = widest.max("contestant".len());
    let columns = (1..=PANEL_SIZE).map(|number| format!("{:>16}", format!("({number})")));
    let columns: String = columns.collect();
    writeln!(out, "{:<width$} seeds {:>16}{columns}", "contestant", "panel")?;
    for it in contestants {
        let cells: String = it.opponents.iter().map(|(_, score)| cell(score)).collect();
        let (name, seeds, panel) = (&it.contestant, it.seeds.len(), cell(&it.panel));
        writeln!(out, "{name:<width$} {seeds:>5} {panel}{cells}")?;
    }
    Ok(())
}

fn cell(MeanScore { score, margin95 }: &MeanScore) -> String {
    let margin = margin95.map_or_else(|| " ".repeat(7), |margin| format!(" ±{margin:.3}"));
    format!("{:>16}", format!("{score:.3}{margin}"))
}

/// The command that was typed.
fn again() -> String {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| shell::quoted(&word.to_string_lossy()));
    [shell::program()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}
