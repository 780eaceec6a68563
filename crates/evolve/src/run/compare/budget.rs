//! What a search may spend.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::{POINTS, Spent};

/// An amount of one thing. Text forms: `games=100000`, `nodes=50000000`, `time=60s`.
///
/// ```
/// use evolve::run::Budget;
/// let budget: Budget = "games=1000".parse().unwrap();
/// assert_eq!(budget, Budget::Games(1000));
/// assert!(budget.is_reproducible());
/// assert!("games=0".parse::<Budget>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// Games played.
    Games(u64),
    /// Positions searched.
    Nodes(u64),
    /// Time on the clock.
    Time(Duration),
}

/// Text that is no budget.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is not a budget: write games=N, nodes=N or time=T, as in games=100000 or time=60s"
)]
pub struct BudgetError(String);

impl Budget {
    /// How much of what the budget counts has been spent, in games, nodes or seconds.
    pub fn amount(&self, spent: &Spent, time: Duration) -> f64 {
        match self {
            Budget::Games(_) => spent.games as f64,
            Budget::Nodes(_) => spent.nodes as f64,
            Budget::Time(_) => time.as_secs_f64(),
        }
    }

    /// So much of it is spent at a measurement; all at the last.
    pub fn share(&self, number: u32) -> f64 {
        let all = match *self {
            Budget::Games(all) | Budget::Nodes(all) => all as f64,
            Budget::Time(all) => all.as_secs_f64(),
        };
        all / f64::from(1 << (POINTS - number))
    }

    /// The time, if that is what it counts.
    pub fn time(&self) -> Option<Duration> {
        match self {
            Budget::Time(time) => Some(*time),
            Budget::Games(_) | Budget::Nodes(_) => None,
        }
    }

    /// What it counts.
    pub fn unit(&self) -> &'static str {
        match self {
            Budget::Games(_) => "games",
            Budget::Nodes(_) => "nodes",
            Budget::Time(_) => "seconds",
        }
    }

    /// Whether the same command finds the same again, on any machine and any number of threads. Where
    /// players recall moves, how many searches that saves differs a little with the threads.
    pub fn is_reproducible(&self) -> bool {
        matches!(self, Budget::Games(_))
    }
}

impl FromStr for Budget {
    type Err = BudgetError;

    fn from_str(text: &str) -> Result<Self, BudgetError> {
        let refused = || BudgetError(text.into());
        let number = |value: &str| value.parse().ok().filter(|number| *number > 0);
        let budget = match text.split_once('=').ok_or_else(refused)? {
            ("games", value) => number(value).map(Budget::Games),
            ("nodes", value) => number(value).map(Budget::Nodes),
            ("time", value) => humantime::parse_duration(value)
                .ok()
                .filter(|time| !time.is_zero())
                .map(Budget::Time),
            _ => None,
        };
        budget.ok_or_else(refused)
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Games(games) => write!(f, "games={games}"),
            Budget::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Budget::Time(time) => {
                // "1m 5s" would be two words.
                let time = humantime::format_duration(*time).to_string();
                write!(f, "time={}", time.replace(' ', ""))
            }
        }
    }
}
