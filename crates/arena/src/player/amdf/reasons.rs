use super::classes::{Class, Nearness, Row};
use mancala::game::Pit;

/// The reasons for a choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Reasons {
    /// What each legal move wins, in captured seeds.
    pub gains: Vec<(Pit, i32)>,
    /// The feasible moves, pits going up.
    pub feasible: Vec<Strategy>,
    /// The move.
    pub choice: Pit,
    /// What decided.
    pub rule: Rule,
}

/// A feasible move and the row that it leaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strategy {
    /// The pit.
    pub pit: Pit,
    /// The mover's row after it.
    pub row: Row,
    /// Its own class by the rule of Tchoukaillon.
    pub class: Class,
    /// How near the row is to the classes, where both have rows.
    pub nearness: Option<Nearness>,
}

/// What decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Only one move captures most.
    Single,
    /// The largest D.
    Distance,
    /// A class has no rows: the lowest of the feasible moves.
    EmptyClass,
}
