use mancala::game::Pit;

/// The reasons for a choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Reasons {
    /// The legal moves, pits going up.
    pub moves: Vec<Candidate>,
    /// The move.
    pub choice: Pit,
    /// What decided.
    pub rule: Rule,
    /// Positions looked at.
    pub nodes: u64,
}

/// A legal move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The pit.
    pub pit: Pit,
    /// Seeds in it.
    pub seeds: u16,
    /// Seeds that it captures at once, the *move gain*.
    pub captured: u8,
    /// Its worth, more being better: captures, the player's own less the opponent's, or the score by weights.
    pub worth: i32,
    /// Whether no move is worth more.
    pub feasible: bool,
    /// How alike the row that it leaves is to one of a CDG.
    pub similarity: f64,
}

/// What decided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// The position is a CDG and is played out.
    PlayedOut,
    /// A move that gives so much away leaves a row that is as alike to a CDG as is asked for.
    Bluff {
        /// What it is worth less than the best.
        given: i32,
    },
    /// One move is feasible.
    Single,
    /// Near a CDG: the feasible move that leaves the row most alike to one.
    Nearest,
    /// The end of the feasible moves can be captured from.
    Unprotected,
    /// Most legal moves after the best reply.
    Mobility {
        /// How many.
        moves: usize,
    },
    /// Refinement is left out: the lowest feasible pit.
    Lowest,
    /// Refinement is left to chance.
    Chance,
}

/// What the worth of moves is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Valued {
    BySeeds,
    ByWeights,
}
