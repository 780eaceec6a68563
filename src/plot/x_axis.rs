//! The x axis of curves.

use std::collections::BTreeSet;

use evolve::run::Totals;

/// The x axis of the curves of runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum XAxis {
    /// Numbers of generations.
    #[default]
    Generations,
    /// Games played up to the end of a generation.
    Games,
    /// Positions searched up to the end of a generation.
    Nodes,
    /// Hours up to the end of a generation, without measurements and final games.
    Hours,
}

mancala::option_words!(XAxis, "generations, games, nodes or hours", {
    Generations: "generations", Games: "games", Nodes: "nodes", Hours: "hours",
});

impl XAxis {
    /// Returns the title of the axis.
    pub(super) fn title(self) -> &'static str {
        match self {
            XAxis::Generations => "generation",
            XAxis::Games => "games",
            XAxis::Nodes => "nodes",
            XAxis::Hours => "hours",
        }
    }
    /// Returns the positions of the generations with these totals, from the first as far as they are known. The error
    /// gives the reason if they are missing.
    pub(super) fn positions(self, totals: &[Totals]) -> Result<Vec<f64>, &'static str> {
        let position = |it: &Totals| match self {
            XAxis::Generations => Some(it.generation.into()),
            XAxis::Games => Some(it.games as f64),
            XAxis::Nodes => it.nodes.map(|nodes| nodes as f64),
            XAxis::Hours => it.hours,
        };
        let positions: Vec<f64> = totals.iter().map_while(position).collect();
        match positions.last() {
            None => Err("its cost.csv does not have every generation from the first"),
            Some(0.0) if self == XAxis::Games => Err("its generations play no games"),
            Some(_) => Ok(positions),
        }
    }

    /// Returns the axis on which runs with these totals can be compared: games, if they do not play the same number
    /// in each generation.
    pub(super) fn default_of(runs: &[&[Totals]]) -> XAxis {
        let common = runs.iter().map(|totals| totals.len()).min().unwrap_or(0);
        let asked: BTreeSet<u64> =
            runs.iter().filter_map(|totals| Some(totals[..common].last()?.games_asked)).collect();
        if asked.len() > 1 && !asked.contains(&0) { XAxis::Games } else { XAxis::Generations }
    }
}
