use super::similarity::Metric;

/// What an RBH player is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Plies that the game tree is deep, from 1. The thesis' rule says 2, its program and the later paper 4.
    pub plies: u32,
    /// How alike rows are.
    pub metric: Metric,
    /// When seeds are given away; never if `None`.
    pub bluffing: Option<Bluffing>,
    /// What decides between feasible moves.
    pub refine: Refinement,
    /// Whether the completely determined game is looked for.
    pub cdg: Switch,
}

/// When an RBH player gives seeds away.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bluffing {
    /// The least similarity of the row to one of a CDG.
    pub threshold: f64,
    /// The most seeds that the move may be worth less than the best: the *tradeoff seed*.
    pub tradeoff: u32,
}

/// What decides between feasible moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refinement {
    /// Protection, then mobility.
    On,
    /// Nothing: the lowest pit is played, as plain minimax does.
    Off,
    /// Chance, the same in the same position. What refinement must beat to be worth its name.
    Chance,
}

/// Something that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// It is there.
    On,
    /// It is left out.
    Off,
}

impl Default for Bluffing {
    /// No source says which figures were used. These are the boldest that we found to cost next to nothing.
    fn default() -> Self {
        Bluffing { threshold: 0.99, tradeoff: 1 }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            plies: 4,
            metric: Metric::Correlation,
            bluffing: Some(Bluffing::default()),
            refine: Refinement::On,
            cdg: Switch::On,
        }
    }
}
