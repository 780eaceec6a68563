//! The claims of the five papers, with an entry in `papers/data/claims` for each table, figure and numbered claim.

use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// The prefix of the names of the paper's claims.
    pub name: String,
    /// The authors, title and year.
    pub title: String,
    /// Which parts of the paper could be read, and which could not.
    pub at_hand: String,
    /// The paper's claims, in order.
    #[serde(rename = "claim")]
    pub claims: Vec<Claim>,
}

/// A table, figure or claim in a paper.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Claim {
    /// The name of the claim within its paper.
    pub id: String,
    /// The table, figure or section that contains the claim.
    pub place: String,
    /// The page, if the scan has page numbers.
    pub page: Option<u16>,
    /// The figure or sentence as printed.
    pub printed: String,
    /// The command that shows our figure.
    pub command: Option<String>,
    /// Whether the printed figure comes from a source other than the scans.
    #[serde(default)]
    pub outside: bool,
    #[serde(flatten)]
    pub basis: Basis,
}

/// What a verdict is based on.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Basis {
    /// The name of a [study](crate::studies::STUDIES).
    Study { study: String },
    /// A verdict that needs no computation, and the reason for it.
    Fixed { verdict: Verdict, why: String },
}

/// The result of comparing our figure with the printed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// All figures are equal.
    Exact,
    /// The claim has no figure, and our computation confirms it. For a match, the 95 % interval is on the claimed side.
    Holds,
    /// The figures agree within the statistical error.
    WithinError,
    /// The figures differ, or our computation contradicts the claim.
    Differs,
    /// The experiment needs people, machines or programs of the time, or we used its result to select the ladder.
    Unrepeatable,
    /// The figure is not legible in the scan.
    Lost,
    /// Another part of the same source, or another source about the same program, contradicts the figure or the claim.
    Misprint,
    /// The paper gives no figure to compare, or our evidence is inconclusive.
    Open,
}

impl Verdict {
    /// All verdicts, from best to worst.
    pub const ALL: [Verdict; 8] = [
        Verdict::Exact,
        Verdict::Holds,
        Verdict::WithinError,
        Verdict::Misprint,
        Verdict::Differs,
        Verdict::Open,
        Verdict::Unrepeatable,
        Verdict::Lost,
    ];

    /// Returns [`Exact`](Verdict::Exact) if `equal` is true, and otherwise [`Differs`](Verdict::Differs).
    pub fn exact_if(equal: bool) -> Verdict {
        if equal { Verdict::Exact } else { Verdict::Differs }
    }

    /// Returns [`Holds`](Verdict::Holds) if a claim is true, and otherwise [`Differs`](Verdict::Differs).
    pub fn holds_if(is_true: bool) -> Verdict {
        if is_true { Verdict::Holds } else { Verdict::Differs }
    }

    /// Returns the verdict on the claim that a figure with this 95 % interval is above a limit.
    pub fn above([low, high]: [f64; 2], limit: f64) -> Verdict {
        if low <= limit && limit <= high { Verdict::Open } else { Verdict::holds_if(low > limit) }
    }

    /// Returns the verdict on a claim with several parts, each of which holds, differs or is open.
    pub fn all(parts: &[Verdict]) -> Verdict {
        let other = [Verdict::Differs, Verdict::Open].into_iter().find(|it| parts.contains(it));
        other.unwrap_or(Verdict::Holds)
    }

    /// Returns the verdict on several figures, of which `disagree` disagree at the 95 % level. This is
    /// [`Differs`](Verdict::Differs) if the probability that at least so many disagree by chance is 1 % or less.
    pub fn of_several(figures: usize, disagree: usize) -> Verdict {
        // By chance, each figure disagrees with a probability of 5 %, so the number of figures that disagree is
        // binomially distributed.
        let (mut probability, mut fewer) = (0.95_f64.powi(figures as i32), 0.0);
        for n in 0..disagree {
            fewer += probability;
            probability *= (figures - n) as f64 / (n + 1) as f64 * (0.05 / 0.95);
        }
        if 1.0 - fewer > 0.01 { Verdict::WithinError } else { Verdict::Differs }
    }

    /// Returns [`Misprint`](Verdict::Misprint) if a source contradicts itself, or else [`Differs`](Verdict::Differs).
    pub fn misprint_if(contradicts: bool) -> Verdict {
        if contradicts { Verdict::Misprint } else { Verdict::Differs }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Exact => "exact",
            Verdict::Holds => "holds",
            Verdict::WithinError => "within error",
            Verdict::Differs => "differs",
            Verdict::Unrepeatable => "not repeatable",
            Verdict::Lost => "lost in scan",
            Verdict::Misprint => "misprint",
            Verdict::Open => "open question",
        })
    }
}

const FILES: [&str; 5] = [
    include_str!("../data/claims/daoud.toml"),
    include_str!("../data/claims/thesis.toml"),
    include_str!("../data/claims/rbh.toml"),
    include_str!("../data/claims/amdf.toml"),
    include_str!("../data/claims/kansas.toml"),
];

pub fn papers() -> Vec<Paper> {
    FILES.map(|text| toml::from_str(text).expect("a file of claims")).into()
}

impl Paper {
    /// Returns the full name of a claim, `PAPER/ID`.
    pub fn full_name(&self, claim: &Claim) -> String {
        format!("{}/{}", self.name, claim.id)
    }

    /// Returns the paper's name with its first letter capitalised.
    pub fn heading(&self) -> String {
        let mut letters = self.name.chars();
        letters.next().map(|it| it.to_uppercase().chain(letters).collect()).unwrap_or_default()
    }
}

impl Claim {
    /// Returns the name of the study that checks the claim, if any.
    pub fn study(&self) -> Option<&str> {
        match &self.basis {
            Basis::Study { study } => Some(study),
            Basis::Fixed { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict::{self, Differs, Holds, Open, WithinError};

    #[test]
    fn several_figures_follow_the_binomial_distribution() {
        let within = |(figures, beyond)| Verdict::of_several(figures, beyond) == WithinError;
        assert_eq!([(64, 3), (64, 8), (64, 12), (5, 5)].map(within), [true, true, false, false]);
    }

    #[test]
    fn a_part_that_differs_outweighs_an_open_one() {
        let parts = [[0.51, 0.6], [0.4, 0.6], [0.4, 0.49]].map(|it| Verdict::above(it, 0.5));
        assert_eq!(parts, [Holds, Open, Differs]);
        assert_eq!([1, 2, 3].map(|count| Verdict::all(&parts[..count])), parts);
    }
}
