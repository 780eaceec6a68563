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

const KEPT: &[&str] = &[];
