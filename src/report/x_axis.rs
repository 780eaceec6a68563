//! The x axis of curves.

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
}
