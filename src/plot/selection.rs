//! Plot options: which panels, generations and runs to show, and the x axis.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use clap::{Args, ValueEnum};
use evolve::run::Totals;

use crate::terminal::usage;

/// The options of a plot.
///
/// ```
/// use ayo::plot::Selection;
/// let late = Selection { is_grouped: true, generations: Some(100..=200), ..Selection::default() };
/// assert_eq!(late.what, None);
/// ```
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Plot one panel instead of a sheet of all panels: fitness, strength, diversity, weights, champion, agreement,
    /// pits (the value of seeds in a pit), units (the inputs of each unit of a learned layer) or fit (losses and
    /// matches by iteration). For results: ratings, pairs, comparison, ablation or accuracy
    #[arg(long, hide_possible_values = true)]
    pub what: Option<What>,
    /// Combine runs that differ only in their seed: show their mean and, for five or more seeds, its 95 % interval
    #[arg(long = "group")]
    pub is_grouped: bool,
    /// X axis of the curves: generations, games, nodes or hours [default: games if runs differ in games per generation,
    /// else generations]
    #[arg(long, value_name = "AXIS", hide_possible_values = true)]
    pub x: Option<XAxis>,
    /// Show only these generations: LO..HI, LO.. or ..HI, both ends included
    #[arg(long, value_name = "LO..HI", allow_hyphen_values = true, value_parser = generations)]
    pub generations: Option<RangeInclusive<u32>>,
}

impl Selection {
    pub(crate) fn check_no_runs(&self) -> anyhow::Result<()> {
        let option = match self {
            Selection { is_grouped: true, .. } => "--group",
            Selection { generations: Some(_), .. } => "--generations",
            Selection { x: Some(_), .. } => "--x",
            _ => return Ok(()),
        };
        Err(usage(format!("{option} requires at least one run folder")))
    }
}

/// A picture: one of the panels of a sheet of runs, listed in sheet order, or the picture of a result.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Fitness,
    Fit,
    Strength,
    Diversity,
    Weights,
    Champion,
    Agreement,
    /// The value of the seeds in each pit.
    Pits,
    Units,
    Ratings,
    Pairs,
    Comparison,
    Ablation,
    Accuracy,
}

const PANELS: usize = 9;

/// The name of each plot, and a description of the data that is needed to draw it.
const ALL: [(What, &str, &str); 14] = [
    (What::Fitness, "fitness", "a run folder"),
    (What::Fit, "fit", "a run folder with iterations, as of \"ayo train --preset learned\""),
    (What::Strength, "strength", "a run folder with measurements in the plotted generations"),
    (What::Diversity, "diversity", "a run folder"),
    (What::Weights, "weights", "a run folder"),
    (What::Champion, "champion", "a run folder with a champion.json, or weights"),
    (What::Agreement, "agreement", "two or more champions with a common feature"),
    (What::Pits, "pits", "weights for pit contents, as of \"ayo train --preset pits\""),
    (What::Units, "units", "weights for learned units, as of \"ayo train --preset learned\""),
    (What::Ratings, "ratings", "the output of \"ayo tournament --json\""),
    (What::Pairs, "pairs", "the output of \"ayo match --json\""),
    (What::Comparison, "comparison", "the CSV file of \"ayo compare\""),
    (What::Ablation, "ablation", "the output of \"ayo ablate --json\""),
    (What::Accuracy, "accuracy", "the output of \"ayo accuracy --json\""),
];

// The value of each `What` variant is its index in `ALL`.
const _: () = {
    let mut index = 0;
    while index < ALL.len() {
        assert!(ALL[index].0 as usize == index);
        index += 1;
    }
};

impl What {
    /// Returns the panels of a sheet, in order.
    pub fn panels() -> impl Iterator<Item = What> {
        What::value_variants().iter().copied().take(PANELS)
    }

    pub(crate) fn is_panel(self) -> bool {
        (self as usize) < PANELS
    }

    /// Returns the command-line name.
    pub fn name(self) -> &'static str {
        ALL[self as usize].1
    }

    pub(crate) fn needs(self) -> &'static str {
        ALL[self as usize].2
    }
}

/// Parses a range of generations. A missing end is replaced with 1 or `u32::MAX`.
fn generations(text: &str) -> Result<RangeInclusive<u32>, String> {
    let form = "write LO..HI, LO.. or ..HI, starting at 1, with both ends included";
    let wrong = || format!("invalid range of generations \"{text}\": {form}");
    let (first, last) = text.split_once("..").filter(|_| text != "..").ok_or_else(wrong)?;
    let number = |text: &str, open: u32| match text {
        "" => Ok(open),
        _ => text.parse().map_err(|_| wrong()),
    };
    let range = number(first, 1)?..=number(last, u32::MAX)?;
    if range.is_empty() || range.contains(&0) { Err(wrong()) } else { Ok(range) }
}

#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum XAxis {
    #[default]
    Generations,
    /// Games played by the end of a generation.
    Games,
    /// Positions searched by the end of a generation.
    Nodes,
    /// Hours elapsed by the end of a generation, not counting measurements and final games.
    Hours,
}

impl XAxis {
    pub(crate) fn title(self) -> &'static str {
        match self {
            XAxis::Generations => "generation",
            XAxis::Games => "games",
            XAxis::Nodes => "nodes",
            XAxis::Hours => "hours",
        }
    }

    /// Returns the x positions of the generations with these totals, up to the first unknown position. Fails with the
    /// reason if the axis is not available for this run.
    pub(crate) fn positions(self, totals: &[Totals]) -> Result<Vec<f64>, &'static str> {
        let position = |it: &Totals| match self {
            XAxis::Generations => Some(it.generation.into()),
            XAxis::Games => Some(it.games as f64),
            XAxis::Nodes => it.nodes.map(|nodes| nodes as f64),
            XAxis::Hours => it.hours,
        };
        let positions: Vec<f64> = totals.iter().map_while(position).collect();
        match positions.last() {
            None => Err("its cost.csv lacks some generations"),
            Some(0.0) if self == XAxis::Games => Err("it was trained without games"),
            Some(_) => Ok(positions),
        }
    }

    /// Chooses the x axis for comparing runs with these totals: the number of games if all runs play games, but differ
    /// in their number of games per generation, and the generation otherwise.
    pub(crate) fn default_of(runs: &[&[Totals]]) -> XAxis {
        let common = runs.iter().map(|totals| totals.len()).min().unwrap_or(0);
        let asked: BTreeSet<u64> =
            runs.iter().filter_map(|totals| Some(totals[..common].last()?.games_asked)).collect();
        if asked.len() > 1 && !asked.contains(&0) { XAxis::Games } else { XAxis::Generations }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_open_or_closed() {
        let ranges = ["3..5", "3..", "..5", "7..7"].map(generations);
        assert_eq!(ranges, [3..=5, 3..=u32::MAX, 1..=5, 7..=7].map(Ok));
        for text in ["", "..", "5", "0..4", "5..4", "-1..4", "a..b", "1..2..3", "1...3"] {
            assert!(generations(text).is_err(), "{text}");
        }
    }
}
