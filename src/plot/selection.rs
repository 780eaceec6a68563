//! Plot options: which panels, generations and runs to show, and the x axis.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::Args;
use evolve::run::Totals;
use mancala::text::did_you_mean;

use crate::terminal::usage;

/// The options of a plot.
///
/// ```
/// use ayo::plot::Selection;
/// let generations = "100..".parse().unwrap();
/// let late = Selection { is_grouped: true, generations, ..Selection::default() };
/// assert_eq!((late.what, late.generations.to_string()), (None, "100..".to_owned()));
/// ```
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Plot one panel instead of a sheet of all panels: fitness, strength, diversity, weights, champion, agreement,
    /// pits (the value of seeds in a pit), units (the inputs of each unit of a learned layer) or fit (losses and matches
    /// by iteration). For results: ratings, pairs, comparison, ablation or
    /// accuracy
    #[arg(long)]
    pub what: Option<What>,
    /// Combine runs that differ only in the seed into one: their mean and, with five or more seeds, its 95 % interval
    #[arg(long = "group")]
    pub is_grouped: bool,
    /// X axis of the curves: generations, games, nodes or hours [default: games if runs differ in games per generation,
    /// else generations]
    #[arg(long, value_name = "AXIS")]
    pub x: Option<XAxis>,
    /// Show only these generations: LO..HI, LO.. or ..HI, both ends included
    #[arg(
        long,
        value_name = "LO..HI",
        allow_hyphen_values = true,
        default_value_t,
        hide_default_value = true
    )]
    pub generations: Generations,
}

impl Selection {
    pub(crate) fn check_no_runs(&self) -> anyhow::Result<()> {
        let option = match self {
            Selection { is_grouped: true, .. } => "--group",
            Selection { generations, .. } if !generations.are_all() => "--generations",
            Selection { x: Some(_), .. } => "--x",
            _ => return Ok(()),
        };
        Err(usage(format!("{option} requires at least one run folder")))
    }
}

/// A picture: a panel of the sheet of runs, in the order of the sheet, or the picture of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The names of pictures, and descriptions of the inputs that they need.
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

impl What {
    /// Returns all pictures, panels first.
    pub fn all() -> impl Iterator<Item = What> {
        ALL.into_iter().map(|(what, ..)| what)
    }

    /// Returns the panels of the sheet, in its order.
    pub fn panels() -> impl Iterator<Item = What> {
        What::all().take(PANELS)
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

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for What {
    type Err = String;

    fn from_str(name: &str) -> Result<What, String> {
        What::all().find(|what| what.name() == name).ok_or_else(|| {
            let names: Vec<&str> = What::all().map(What::name).collect();
            let otherwise = format!("choose one of {}", names.join(", "));
            format!("unknown picture \"{name}\": {}", did_you_mean(name, names, otherwise))
        })
    }
}

/// A range of generations that includes both ends; the default is all generations.
///
/// ```
/// use ayo::plot::Generations;
/// assert_eq!("100..200".parse::<Generations>().unwrap().to_string(), "100..200");
/// assert_eq!("..50".parse::<Generations>().unwrap().to_string(), "..50");
/// assert!("200..100".parse::<Generations>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generations {
    first: u32,
    last: u32,
}

impl Default for Generations {
    fn default() -> Generations {
        Generations { first: 1, last: u32::MAX }
    }
}

impl Generations {
    pub(crate) fn are_all(self) -> bool {
        self == Generations::default()
    }

    /// Returns the selected generations of a run that has reached generation `reached`, or `None` if the
    /// run has not reached any of them.
    pub(crate) fn of(self, reached: u32) -> Option<RangeInclusive<u32>> {
        (self.first <= reached).then(|| self.first..=self.last.min(reached))
    }
}

impl FromStr for Generations {
    type Err = String;

    fn from_str(text: &str) -> Result<Generations, String> {
        let form = "write LO..HI, LO.. or ..HI, starting at 1, with both ends included";
        let wrong = || format!("invalid range of generations \"{text}\": {form}");
        let (first, last) = text.split_once("..").ok_or_else(wrong)?;
        let number = |text: &str, open: u32| match text {
            "" => Ok(open),
            _ => text.parse().map_err(|_| wrong()),
        };
        let all = Generations::default();
        let found = Generations { first: number(first, all.first)?, last: number(last, all.last)? };
        let is_one = text != ".." && 1 <= found.first && found.first <= found.last;
        is_one.then_some(found).ok_or_else(wrong)
    }
}

impl fmt::Display for Generations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first > 1 || self.last == u32::MAX {
            write!(f, "{}", self.first)?;
        }
        f.write_str("..")?;
        if self.last < u32::MAX { write!(f, "{}", self.last) } else { Ok(()) }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum XAxis {
    #[default]
    Generations,
    /// Games played by the end of a generation.
    Games,
    /// Positions searched by the end of a generation.
    Nodes,
    /// Hours elapsed by the end of a generation, without measurements and final games.
    Hours,
}

mancala::option_words!(XAxis, "generations, games, nodes or hours", {
    Generations: "generations", Games: "games", Nodes: "nodes", Hours: "hours",
});

impl XAxis {
    pub(crate) fn title(self) -> &'static str {
        match self {
            XAxis::Generations => "generation",
            XAxis::Games => "games",
            XAxis::Nodes => "nodes",
            XAxis::Hours => "hours",
        }
    }

    /// Returns the x positions of the generations with these totals, up to the first position that is unknown. If not
    /// even the first is known, returns the reason as an error.
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

    /// Returns the axis on which runs with these totals can be compared. These are games if the runs differ in games
    /// per generation, and otherwise generations.
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
        let of = |text: &str| text.parse::<Generations>().ok().and_then(|range| range.of(10));
        let ranges = ["3..5", "3..", "..5", "7..7", "3..50", "11.."].map(of);
        let expected = [3..=5, 3..=10, 1..=5, 7..=7, 3..=10].map(Some);
        assert_eq!((&ranges[..5], &ranges[5]), (&expected[..], &None));
        for text in ["", "..", "5", "0..4", "5..4", "-1..4", "a..b", "1..2..3", "1...3"] {
            assert!(text.parse::<Generations>().is_err(), "{text}");
        }
    }

    #[test]
    fn pictures_are_named() {
        for (place, what) in What::all().enumerate() {
            assert_eq!((what.to_string().parse::<What>().unwrap(), what as usize), (what, place));
        }
        assert!("colour".parse::<What>().is_err());
    }
}
