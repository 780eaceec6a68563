//! The file with the results of a study. Matches are saved while the study runs, so that it can resume.

use std::path::{Path, PathBuf};

use mancala::progress::{Part, Progress};
use mancala::store::FileError;
use serde::{Deserialize, Serialize};

use crate::claims::Verdict;
use crate::pairing::{MatchResult, Pairing};
use crate::partial::{PartialResults, StudyError};

/// The result of checking one claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The claim, in the form `PAPER/PLACE`.
    pub claim: String,
    pub ours: String,
    /// How our figure compares with the printed one.
    pub verdict: Verdict,
    /// A remark, or the reason for a difference. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl Finding {
    /// Creates a finding without a note.
    pub fn new(claim: &str, verdict: Verdict, ours: impl Into<String>) -> Finding {
        Finding { claim: claim.into(), ours: ours.into(), verdict, note: String::new() }
    }

    /// Sets the note.
    #[must_use]
    pub fn with_note(self, note: impl Into<String>) -> Finding {
        Finding { note: note.into(), ..self }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StudyMatch {
    /// The players' specifications or names. Results are from the first player's point of view.
    pub players: [String; 2],
    pub rules: String,
    /// The numbers of games won, drawn and lost.
    pub results: [u64; 3],
    /// The mean number of points per game.
    pub score: f64,
    /// The 95 % interval of the score.
    pub score_ci95: (f64, f64),
    /// Each player's mean number of seeds per game.
    pub seeds: [f64; 2],
    /// The mean number of nodes that each player searches per move.
    pub nodes_per_move: [f64; 2],
    /// The mean time that each player takes per move, in microseconds on a busy machine.
    pub microseconds_per_move: [f64; 2],
}

impl StudyMatch {
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// Formats the score as `0.875 (0.860 to 0.890)`.
    pub fn score_text(&self) -> String {
        let (low, high) = self.score_ci95;
        format!("{:.3} ({low:.3} to {high:.3})", self.score)
    }

    /// Returns the verdict on the claim that the first player is stronger.
    pub fn verdict(&self) -> Verdict {
        Verdict::above(self.score_ci95.into(), 0.5)
    }
}

impl From<&MatchResult> for StudyMatch {
    fn from(MatchResult { pairing, tally }: &MatchResult) -> StudyMatch {
        // `StudyMatch` has no field for forfeits, so there must not be any.
        debug_assert!(tally.forfeits.iter().all(|it| it.0 == 0));
        let estimate = tally.pairs.estimate();
        let per_move = |figure: f64, moves: u32| figure / f64::from(moves.max(1));
        let cost = &tally.cost;
        let time = |who: usize| cost[who].time_per_move().map_or(0.0, |it| it.as_secs_f64() * 1e6);
        StudyMatch {
            players: pairing.players.clone(),
            rules: pairing.rules.to_string(),
            results: [tally.wins, tally.draws, tally.losses],
            score: rounded(estimate.score, 4),
            score_ci95: (rounded(estimate.score_ci95.0, 4), rounded(estimate.score_ci95.1, 4)),
            seeds: tally.mean_seeds.map(|seeds| rounded(seeds, 2)),
            nodes_per_move: [0, 1]
                .map(|who| rounded(per_move(cost[who].nodes as f64, cost[who].moves), 1)),
            microseconds_per_move: [0, 1].map(|who| rounded(time(who), 1)),
        }
    }
}

/// Formats scores as `0.992, 0.903, …`. A five in the fourth decimal place is rounded up.
pub fn scores_text(scores: impl IntoIterator<Item = f64>) -> String {
    let texts: Vec<String> = scores.into_iter().map(|it| format!("{:.3}", it + 1e-9)).collect();
    texts.join(", ")
}

/// Rounds a number to the given number of decimal places.
fn rounded(figure: f64, places: i32) -> f64 {
    let unit = 10_f64.powi(places);
    (figure * unit).round() / unit
}

/// The result of a study, stored as `NAME.json` in its folder.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StudyFile {
    pub study: String,
    /// The computing time in seconds.
    pub seconds: f64,
    /// One finding per claim. This is empty until the study is complete.
    pub findings: Vec<Finding>,
    /// The matches that have been played so far.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<StudyMatch>,
}

impl StudyFile {
    /// Creates the file of a study that has not started yet.
    pub fn new(study: &str) -> StudyFile {
        StudyFile { study: study.into(), ..StudyFile::default() }
    }

    /// Returns whether the study is complete.
    pub fn is_complete(&self) -> bool {
        !self.findings.is_empty()
    }
}

/// The findings of a study, or `None` if it was interrupted.
pub type Findings = Result<Option<Vec<Finding>>, StudyError>;

pub type Save<'a> = &'a mut dyn FnMut(&StudyFile) -> Result<(), FileError>;

/// The file of a running study, which is saved after every match.
pub struct Notebook<'a> {
    file: StudyFile,
    folder: PathBuf,
    partial: PartialResults,
    save: Save<'a>,
}

impl<'a> Notebook<'a> {
    /// Creates a notebook that continues the study in `file`. Weights and endgame tables are stored in `folder`.
    pub fn new(file: StudyFile, folder: &Path, save: Save<'a>) -> Notebook<'a> {
        let partial = PartialResults::below(folder, &file.study);
        Notebook { file, folder: folder.to_owned(), partial, save }
    }

    /// Returns the saved parts of incomplete matches and tables.
    pub fn partial(&self) -> &PartialResults {
        &self.partial
    }

    /// Returns the folder that stores weights and tables.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Saves the file. This is called when the study is interrupted.
    pub fn pause(&mut self) -> Result<(), FileError> {
        (self.save)(&self.file)
    }

    /// Returns a copy of the pairing whose games are saved in a folder until the study is complete.
    pub fn saving(&self, pairing: &Pairing) -> Result<Pairing, FileError> {
        let folder = Some(self.partial.create()?.to_owned());
        Ok(Pairing { folder, ..pairing.clone() })
    }

    /// Plays a match, or returns the result from the file if it's there. Returns `None` if interrupted. Progress counts
    /// games.
    pub fn play(
        &mut self,
        pairing: &Pairing,
        progress: &dyn Progress,
    ) -> Result<Option<StudyMatch>, StudyError> {
        let names = [&*pairing.players[0], &*pairing.players[1]];
        self.play_as(names, pairing, progress)
    }

    /// Like [`play`](Self::play), but records the players under these names. We need names because a specification that
    /// contains a path depends on the folder.
    pub fn play_as(
        &mut self,
        names: [&str; 2],
        pairing: &Pairing,
        progress: &dyn Progress,
    ) -> Result<Option<StudyMatch>, StudyError> {
        let names = names.map(str::to_owned);
        let rules = pairing.rules.to_string();
        if let Some(known) = self.known(&names, &rules, pairing.games) {
            return Ok(Some(known));
        }
        let Some(result) = self.saving(pairing)?.play(progress)? else { return Ok(None) };
        let played = StudyMatch { players: names, ..StudyMatch::from(&result) };
        self.add(played.clone())?;
        Ok(Some(played))
    }

    /// Plays several matches in order, as in [`play`](Self::play).
    pub fn play_all(
        &mut self,
        pairings: &[Pairing],
        progress: &dyn Progress,
    ) -> Result<Option<Vec<StudyMatch>>, StudyError> {
        let of = pairings.iter().map(|pairing| pairing.games as u64).sum();
        let (mut results, mut before) = (Vec::new(), 0);
        for pairing in pairings {
            let part = Part { whole: progress, before, of };
            let Some(played) = self.play(pairing, &part)? else { return Ok(None) };
            before += pairing.games as u64;
            results.push(played);
        }
        Ok(Some(results))
    }

    /// Looks up a match in the file.
    pub fn known(&self, players: &[String; 2], rules: &str, games: usize) -> Option<StudyMatch> {
        let is_this = |it: &&StudyMatch| {
            it.players == *players && it.rules == rules && it.games() == games as u64
        };
        self.file.matches.iter().find(is_this).cloned()
    }

    /// Adds a match and saves the file.
    pub fn add(&mut self, played: StudyMatch) -> Result<(), StudyError> {
        self.file.matches.push(played);
        Ok((self.save)(&self.file)?)
    }

    /// Returns the completed file.
    pub fn finish(self, findings: Vec<Finding>, seconds: f64) -> StudyFile {
        StudyFile { findings, seconds: self.file.seconds + seconds, ..self.file }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// A [`Progress`] that counts games, or stops the match before the first game.
    struct Counter {
        games: AtomicU64,
        stop: bool,
    }

    impl Progress for Counter {
        fn advance(&self, _done: u64, _of: u64) {
            self.games.fetch_add(1, Ordering::Relaxed);
        }

        fn should_stop(&self) -> bool {
            self.stop
        }
    }

    #[test]
    fn saved_matches_are_not_played_again() {
        let last = Cell::new(None);
        let mut save = |file: &StudyFile| {
            last.set(Some(file.clone()));
            Ok(())
        };
        let counter = |stop| Counter { games: AtomicU64::new(0), stop };
        let pairing = Pairing::new("", ["greedy", "random:seed=1"], 4);
        let folder = tempfile::tempdir().unwrap();
        let mut notebook = Notebook::new(StudyFile::new("s"), folder.path(), &mut save);
        let stopped = counter(true);
        assert_eq!(notebook.play(&pairing, &stopped).unwrap(), None);
        let first = counter(false);
        let played = notebook.play(&pairing, &first).unwrap().unwrap();
        assert_eq!((played.games(), first.games.into_inner() > 0), (4, true));
        // Simulate another process that continues from the file.
        let file = last.take().unwrap();
        let mut nothing = |_: &StudyFile| Ok(());
        let mut notebook = Notebook::new(file, folder.path(), &mut nothing);
        let second = counter(false);
        assert_eq!(notebook.play(&pairing, &second).unwrap(), Some(played));
        assert_eq!(second.games.into_inner(), 0);
        // A match with more games is a different match.
        let more = Pairing::new("", ["greedy", "random:seed=1"], 6);
        assert_eq!(notebook.play(&more, &counter(true)).unwrap(), None);
        assert_eq!(notebook.file.matches.len(), 1);
    }
}
