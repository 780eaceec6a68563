//! The claims of the five papers: an entry for each table, figure and numbered claim, in `papers/data/claims`.

use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// Prefix of the names of its claims.
    pub name: String,
    /// Authors, title, year.
    pub title: String,
    /// The parts of the paper that could be read, and those that could not.
    pub at_hand: String,
    /// Claims in the order of the paper.
    #[serde(rename = "claim")]
    pub claims: Vec<Claim>,
}

/// A table, a figure or a claim.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Claim {
    /// Name within the paper.
    pub id: String,
    /// The table, figure or section.
    pub place: String,
    /// The page, where the scan has page numbers.
    pub page: Option<u16>,
    /// The printed figure or sentence.
    pub printed: String,
    /// The command that shows our figure.
    pub command: Option<String>,
    /// Whether the printed figure comes from outside the scans.
    #[serde(default)]
    pub outside: bool,
    #[serde(flatten)]
    pub basis: Basis,
}

/// The basis of a verdict.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Basis {
    /// The name of a [study](crate::studies::STUDIES).
    Study { study: String },
    /// A verdict that needs no computation, with its reason.
    Fixed { verdict: Verdict, why: String },
}

/// The comparison of our figure with the printed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every figure is equal.
    Exact,
    /// The difference is within the statistical error.
    WithinError,
    /// The figures differ; the note gives the reason, as far as it is known.
    Differs,
    /// The opponent of the paper is no longer available, so we play against one of ours.
    NoOpponent,
    /// The figure is not legible in the scan.
    Lost,
    /// Other parts of the paper show that another figure was meant.
    Misprint,
    /// The paper asks a question and prints no answer.
    Open,
}

impl Verdict {
    /// All verdicts, best first.
    pub const ALL: [Verdict; 7] = [
        Verdict::Exact,
        Verdict::WithinError,
        Verdict::Misprint,
        Verdict::Differs,
        Verdict::NoOpponent,
        Verdict::Open,
        Verdict::Lost,
    ];

    /// Returns [`Exact`](Verdict::Exact) if `equal`, otherwise [`Differs`](Verdict::Differs).
    pub fn exact_if(equal: bool) -> Verdict {
        if equal { Verdict::Exact } else { Verdict::Differs }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Exact => "exact",
            Verdict::WithinError => "within error",
            Verdict::Differs => "differs",
            Verdict::NoOpponent => "no opponent",
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
    /// Returns the name of a claim as `PAPER/ID`.
    pub fn full_name(&self, claim: &Claim) -> String {
        format!("{}/{}", self.name, claim.id)
    }

    /// Returns the name with a capital letter.
    pub fn heading(&self) -> String {
        let mut letters = self.name.chars();
        letters.next().map(|it| it.to_uppercase().chain(letters).collect()).unwrap_or_default()
    }
}

impl Claim {
    /// Returns the name of the study that checks the claim, if there is one.
    pub fn study(&self) -> Option<&str> {
        match &self.basis {
            Basis::Study { study } => Some(study),
            Basis::Fixed { .. } => None,
        }
    }
}
