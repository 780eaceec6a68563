//! What the five papers claim, one entry for each table, figure and numbered claim, as data files.

use serde::Deserialize;

use crate::results::Verdict;

/// A paper and what it claims.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// The name that its claims begin with.
    pub name: String,
    /// Authors, title, year.
    pub title: String,
    /// What of it is at hand, and what is not.
    pub at_hand: String,
    /// Its claims, in its order.
    #[serde(rename = "claim")]
    pub claims: Vec<Claim>,
}

/// A table, a figure or a claim.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Claim {
    /// Its name within the paper.
    pub id: String,
    /// Where it stands: the table, the figure or the section.
    pub place: String,
    /// The page, where the scan has page numbers.
    pub page: Option<u16>,
    /// What is printed, or what it says.
    pub printed: String,
    /// The command that shows ours.
    pub command: Option<String>,
    /// Whether the printed figure comes from outside the scans.
    #[serde(default)]
    pub outside: bool,
    /// Who settles it.
    #[serde(flatten)]
    pub settled: Settled,
}

/// What settles a claim.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Settled {
    /// A [study](super::STUDIES), by its name.
    By {
        /// The name.
        study: String,
    },
    /// Nothing has to be computed.
    At {
        /// The verdict.
        verdict: Verdict,
        /// Why.
        why: String,
    },
}

const FILES: [&str; 5] = [
    include_str!("claims/daoud.toml"),
    include_str!("claims/thesis.toml"),
    include_str!("claims/rbh.toml"),
    include_str!("claims/amdf.toml"),
    include_str!("claims/kansas.toml"),
];

/// The five papers.
pub fn papers() -> Vec<Paper> {
    FILES.map(|text| toml::from_str(text).expect("a file of claims")).into()
}

impl Paper {
    /// The name of one of its claims among those of all papers.
    pub fn full_name(&self, claim: &Claim) -> String {
        format!("{}/{}", self.name, claim.id)
    }
}

impl Claim {
    /// The study that settles it, if one does.
    pub fn study(&self) -> Option<&str> {
        match &self.settled {
            Settled::By { study } => Some(study),
            Settled::At { .. } => None,
        }
    }
}
