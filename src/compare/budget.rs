//! The budget of a search for weights, which limits the number of games, the number of nodes or the time.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::{Cost, POINTS};

/// A limit on the games, nodes or time that a search may use, e.g. `games=100`, `nodes=5000` or `time=60s`.
///
/// ```
/// use ayo::compare::Budget;
/// let budget: Budget = "games=1000".parse().unwrap();
/// assert_eq!(budget, Budget::Games(1000));
/// assert!("games=0".parse::<Budget>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    Games(u64),
    Nodes(u64),
    Time(Duration),
}

impl Budget {
    /// Returns the part of `cost` that this budget limits: the number of games, the number of nodes or the seconds.
    pub fn amount(&self, cost: &Cost) -> f64 {
        match self {
            Budget::Games(_) => cost.games as f64,
            Budget::Nodes(_) => cost.nodes as f64,
            Budget::Time(_) => cost.seconds,
        }
    }

    /// Returns how much of the budget may be spent before measurement `number`, in games, nodes or seconds. Before the
    /// last measurement, the whole budget may be spent.
    pub fn share(&self, number: u32) -> f64 {
        let all = match *self {
            Budget::Games(all) | Budget::Nodes(all) => all as f64,
            Budget::Time(all) => all.as_secs_f64(),
        };
        all / f64::from(1 << (POINTS - number))
    }

    /// Returns the time limit, or `None` if the budget is in games or nodes.
    pub fn time(&self) -> Option<Duration> {
        if let Budget::Time(time) = self { Some(*time) } else { None }
    }
}

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let forms = "write games=N, nodes=N or time=T, as in games=100000 or time=60s";
        let refused = || format!("\"{text}\" is not a budget: {forms}");
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
                // The text must not contain spaces, so we write "1m5s" instead of "1m 5s".
                let time = humantime::format_duration(*time).to_string();
                write!(f, "time={}", time.replace(' ', ""))
            }
        }
    }
}
