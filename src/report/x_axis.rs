//! What runs along the bottom of curves: generations, or what they took.

use super::input::Run;

/// What runs along the bottom of the curves of runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum XAxis {
    /// Numbers of generations.
    #[default]
    Generations,
    /// Games played up to a generation.
    Games,
    /// Positions searched up to a generation.
    Nodes,
    /// Hours that generations took; measurements and final games are not counted.
    Hours,
}

mancala::option_words!(XAxis, "generations, games, nodes or hours", {
    Generations: "generations", Games: "games", Nodes: "nodes", Hours: "hours",
});

impl XAxis {
    /// The title of the axis.
    pub(super) fn title(self) -> &'static str {
        match self {
            XAxis::Generations => "generation",
            XAxis::Games => "games",
            XAxis::Nodes => "nodes",
            XAxis::Hours => "hours",
        }
    }

    /// The axis on which these runs can be compared: games, if they do not play the same number of them in each
    /// generation.
    pub(super) fn usual<'a>(runs: impl Iterator<Item = &'a Run> + Clone) -> XAxis {
        let common = runs.clone().map(|run| run.totals.len()).min().unwrap_or(0);
        let asked = |run: &Run| run.totals[..common].last().map_or(0, |it| it.asked);
        let mut all = runs.map(asked);
        let first = all.next().unwrap_or(0);
        let differ = all.clone().any(|games| games != first);
        match differ && first > 0 && all.all(|games| games > 0) {
            true => XAxis::Games,
            false => XAxis::Generations,
        }
    }

    /// Where the end of a generation of a run lies, as far as that is known. Between two generations it lies on the
    /// line between them.
    pub(super) fn place(self, run: &Run, generation: f64) -> Option<f64> {
        let at = |generation: usize| {
            let totals = run.totals.get(generation.checked_sub(1)?)?;
            match self {
                XAxis::Generations => Some(generation as f64),
                XAxis::Games => Some(totals.games as f64),
                XAxis::Nodes => totals.nodes.map(|nodes| nodes as f64),
                XAxis::Hours => totals.hours,
            }
        };
        let (before, share) = (generation.floor(), generation.fract());
        let left = at(before as usize)?;
        if share == 0.0 {
            Some(left)
        } else {
            Some(left + share * (at(before as usize + 1)? - left))
        }
    }

    /// Why no point of a run can be placed, if that is so.
    pub(super) fn lack(self, run: &Run) -> Option<&'static str> {
        match self {
            XAxis::Games if run.totals.last().is_some_and(|it| it.games == 0) => {
                Some("its generations play no games")
            }
            _ if self.place(run, f64::from(run.first)).is_none() => {
                Some("its cost.csv does not have every generation from the first")
            }
            _ => None,
        }
    }
}
