//! All studies by name: what settles the claims of the papers.

use super::notebook::{Findings, Notebook};
use crate::results::StudyFile;
use mancala::progress::Progress;

/// How long a study takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Less than a minute on one core.
    Quick,
    /// Minutes.
    Long,
}

/// Something that settles claims.
pub struct Study {
    /// Its name, and that of its file.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// How long it takes.
    pub cost: Cost,
    /// Does it. The progress counts games, or whatever it is made of.
    pub run: fn(&mut Notebook, &dyn Progress) -> Findings,
}

const fn study(
    name: &'static str,
    about: &'static str,
    cost: Cost,
    run: fn(&mut Notebook, &dyn Progress) -> Findings,
) -> Study {
    Study { name, about, cost, run }
}

/// All of them, the cheap ones first.
pub static STUDIES: &[Study] = &[
    study("count", "positions by seeds, and a worked tree", Cost::Quick, super::count::findings),
    study("cdg", "the tables of chapter 3 of the thesis", Cost::Quick, super::cdg::findings),
    study("matrix", "payoff matrices and saddle points", Cost::Quick, super::cdg::matrix_findings),
    study("strategies", "the strategies of section 3.2", Cost::Quick, super::strategies::findings),
    study("questionnaire", "the usability study", Cost::Quick, super::questionnaire::findings),
    study("printed-games", "two printed games", Cost::Quick, super::printed_games::findings),
    study(
        "kansas-lookahead",
        "Kalah at different look-aheads",
        Cost::Quick,
        super::kansas::look_ahead_findings,
    ),
    study(
        "amdf-clusters",
        "clusters of rows, equations 7 to 14",
        Cost::Quick,
        super::amdf::cluster_findings,
    ),
    study("proofs", "proof-number search beside tables", Cost::Quick, super::proofs::findings),
    study("forcing", "forcing a completely determined game", Cost::Quick, super::forcing::findings),
    study(
        "kansas-round-robin",
        "63 players of Kalah against each other",
        Cost::Long,
        super::kansas::round_robin_findings,
    ),
    study("rbh-metrics", "three metrics of RBH", Cost::Long, super::rbh::metric_findings),
    study("rbh-levels", "RBH against four levels", Cost::Long, super::rbh::level_findings),
    study("amdf", "AMDF against four levels and minimax", Cost::Long, super::amdf::findings),
    study("amdf-tables", "AMDF with classes from tables", Cost::Long, super::amdf::table_findings),
    study(
        "daoud-evolution",
        "generation 1 against generation 100, ten seeds",
        Cost::Long,
        super::daoud_evolution::findings,
    ),
    study("mined", "evaluators mined from tables", Cost::Long, super::mined::findings),
    study(
        "kansas-random",
        "64 players of Kalah against chance",
        Cost::Long,
        super::kansas::random_findings,
    ),
    study(
        "daoud",
        "twelve features at depth 5 and six at depth 7 against three levels",
        Cost::Long,
        super::daoud::findings,
    ),
    study(
        "daoud-master",
        "the same against the last level",
        Cost::Long,
        super::daoud::master_findings,
    ),
];

/// The study of this name.
pub fn study_named(name: &str) -> Option<&'static Study> {
    STUDIES.iter().find(|study| study.name == name)
}

/// The files that studies left, as the repository keeps them.
pub fn kept() -> Vec<StudyFile> {
    let read = |text: &&str| serde_json::from_str(text).expect("a file of ours");
    KEPT.iter().map(read).collect()
}

const KEPT: &[&str] = &[
    include_str!("kept/count.json"),
    include_str!("kept/cdg.json"),
    include_str!("kept/matrix.json"),
    include_str!("kept/strategies.json"),
    include_str!("kept/questionnaire.json"),
    include_str!("kept/printed-games.json"),
    include_str!("kept/kansas-lookahead.json"),
    include_str!("kept/amdf-clusters.json"),
    include_str!("kept/proofs.json"),
    include_str!("kept/kansas-round-robin.json"),
    include_str!("kept/rbh-metrics.json"),
    include_str!("kept/rbh-levels.json"),
    include_str!("kept/amdf.json"),
    include_str!("kept/amdf-tables.json"),
    include_str!("kept/daoud-evolution.json"),
    include_str!("kept/forcing.json"),
    include_str!("kept/mined.json"),
    include_str!("kept/kansas-random.json"),
    include_str!("kept/daoud.json"),
    include_str!("kept/daoud-master.json"),
];
