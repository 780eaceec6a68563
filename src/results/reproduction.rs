//! What papers claim, and what came of doing it again.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// What doing a claim again came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every figure is the printed one.
    Exact,
    /// The printed figure is as near as chance lets it be.
    WithinError,
    /// Ours is another; the note says why, as far as that is known.
    Differs,
    /// Our own opponent stands in for one that nobody can meet any more.
    NoOpponent,
    /// The scan has lost the figure.
    Lost,
    /// The paper itself shows that something else was meant.
    Misprint,
    /// The paper asks and prints no answer.
    Open,
}

impl Verdict {
    /// All, the best first.
    pub const ALL: [Verdict; 7] = [
        Verdict::Exact,
        Verdict::WithinError,
        Verdict::Misprint,
        Verdict::Differs,
        Verdict::NoOpponent,
        Verdict::Open,
        Verdict::Lost,
    ];
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Exact => "exact",
            Verdict::WithinError => "within error",
            Verdict::Differs => "differs",
            Verdict::NoOpponent => "opponent no longer obtainable",
            Verdict::Lost => "lost in the scan",
            Verdict::Misprint => "misprint",
            Verdict::Open => "open in the paper",
        })
    }
}

/// What came of one claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The claim, as `PAPER/PLACE`.
    pub claim: String,
    /// Our figure.
    pub ours: String,
    /// What it is beside the printed one.
    pub verdict: Verdict,
    /// Why it differs, or what to know about it; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl Finding {
    /// A finding that needs no words.
    pub fn new(claim: &str, verdict: Verdict, ours: impl Into<String>) -> Finding {
        Finding { claim: claim.into(), ours: ours.into(), verdict, note: String::new() }
    }

    /// The same with a note.
    #[must_use]
    pub fn noting(self, note: impl Into<String>) -> Finding {
        Finding { note: note.into(), ..self }
    }
}

/// Two players that met, for the study that asked for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StudyMatch {
    /// Their specifications. The figures are the first one's.
    pub players: [String; 2],
    /// The rules.
    pub rules: String,
    /// Games won, drawn and lost.
    pub results: [u64; 3],
    /// Points a game.
    pub score: f64,
    /// The 95 % interval of that.
    pub score_ci95: (f64, f64),
    /// Seeds a game of each player.
    pub seeds: [f64; 2],
    /// Positions that each player looked at for a move.
    pub nodes_per_move: [f64; 2],
    /// Microseconds that each player took for a move; those of a busy machine.
    pub microseconds_per_move: [f64; 2],
}

impl StudyMatch {
    /// Games played.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// `0.875 (0.860 to 0.890)`.
    pub fn scored(&self) -> String {
        let (low, high) = self.score_ci95;
        format!("{:.3} ({low:.3} to {high:.3})", self.score)
    }
}

/// What a study left behind: the file `NAME.json` of its folder.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StudyFile {
    /// The name of the study.
    pub study: String,
    /// Processor-bound seconds that it took, as long as it was at work.
    pub seconds: f64,
    /// One for each of its claims, once it is whole.
    pub findings: Vec<Finding>,
    /// Matches, as they were played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<StudyMatch>,
    /// Other figures, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<String, f64>,
}

impl StudyFile {
    /// A study that has not begun.
    pub fn new(study: &str) -> StudyFile {
        StudyFile { study: study.into(), ..StudyFile::default() }
    }

    /// Whether it came to its end.
    pub fn is_whole(&self) -> bool {
        !self.findings.is_empty()
    }
}
