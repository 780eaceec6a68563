//! What a study keeps while it is at work, so that it goes on where it stopped.

use std::path::{Path, PathBuf};

use super::error::StudyError;
use super::pairing::{Pairing, Settled};
use super::unfinished::Unfinished;
use crate::results::{Finding, StudyFile, StudyMatch};
use mancala::progress::Progress;
use mancala::store::FileError;

/// The findings of a study; `None` if its progress stopped it.
pub type Findings = Result<Option<Vec<Finding>>, StudyError>;

/// Keeps what a study has come to.
pub type Keep<'a> = &'a mut dyn FnMut(&StudyFile) -> Result<(), FileError>;

/// A study's file, written anew with everything that is added to it.
pub struct Notebook<'a> {
    file: StudyFile,
    folder: PathBuf,
    unfinished: Unfinished,
    keep: Keep<'a>,
}

impl<'a> Notebook<'a> {
    /// A notebook that begins with what a file has. Weights that a study trains, and tables that it builds, go
    /// to a folder.
    pub fn new(file: StudyFile, folder: &Path, keep: Keep<'a>) -> Notebook<'a> {
        let unfinished = Unfinished::below(folder, &file.study);
        Notebook { file, folder: folder.to_owned(), unfinished, keep }
    }

    /// What is kept of a match or a table that is not whole.
    pub fn unfinished(&self) -> &Unfinished {
        &self.unfinished
    }

    /// The same pairing, whose games are kept until the study is whole.
    ///
    /// # Errors
    /// If there can be no folder for them.
    pub fn keeping(&self, pairing: &Pairing) -> Result<Pairing, FileError> {
        let folder = self.unfinished.made()?.map(Path::to_owned);
        Ok(Pairing { folder, ..pairing.clone() })
    }

    /// Keeps what there is of a study that is interrupted.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn pause(&mut self) -> Result<(), FileError> {
        (self.keep)(&self.file)
    }

    /// Where weights and tables go.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The same as [`settle`](Self::settle), the players being kept by other names than their
    /// specifications: those of files depend on where a folder lies.
    ///
    /// # Errors
    /// As of `settle`.
    pub fn settle_as(
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
        let Some(settled) = self.keeping(pairing)?.play(progress)? else { return Ok(None) };
        let played = StudyMatch { players: names, ..StudyMatch::from(&settled) };
        self.add(played.clone())?;
        Ok(Some(played))
    }

    /// A match that was kept.
    pub fn known(&self, players: &[String; 2], rules: &str, games: usize) -> Option<StudyMatch> {
        let is_this = |it: &&StudyMatch| {
            it.players == *players && it.rules == rules && it.games() == games as u64
        };
        self.file.matches.iter().find(is_this).cloned()
    }

    /// What a match comes to, its games played unless they were before. `None` if the progress stopped it; it
    /// counts games.
    ///
    /// # Errors
    /// If a player cannot be had, or the result not be kept.
    pub fn settle(
        &mut self,
        pairing: &Pairing,
        progress: &dyn Progress,
    ) -> Result<Option<StudyMatch>, StudyError> {
        let names = [&*pairing.players[0], &*pairing.players[1]];
        self.settle_as(names, pairing, progress)
    }

    /// Keeps a match.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, played: StudyMatch) -> Result<(), StudyError> {
        self.file.matches.push(played);
        Ok((self.keep)(&self.file)?)
    }

    /// A figure, computed unless it was before. `None` if `compute` has none.
    ///
    /// # Errors
    /// Those of `compute`, or if the figure cannot be kept.
    pub fn figure(
        &mut self,
        name: &str,
        compute: impl FnOnce() -> Result<Option<f64>, StudyError>,
    ) -> Result<Option<f64>, StudyError> {
        if let Some(&known) = self.file.figures.get(name) {
            return Ok(Some(known));
        }
        let Some(figure) = compute()? else { return Ok(None) };
        self.file.figures.insert(name.into(), figure);
        (self.keep)(&self.file)?;
        Ok(Some(figure))
    }

    /// The matches so far.
    pub fn matches(&self) -> &[StudyMatch] {
        &self.file.matches
    }

    /// The file with these findings, which make it whole.
    pub fn finish(self, findings: Vec<Finding>, seconds: f64) -> StudyFile {
        StudyFile { findings, seconds: self.file.seconds + seconds, ..self.file }
    }
}

impl From<&Settled> for StudyMatch {
    fn from(Settled { pairing, tally }: &Settled) -> StudyMatch {
        // Forfeits would be results of another kind.
        debug_assert!(tally.forfeits.iter().all(|it| it.0 == 0));
        let estimate = tally.pairs.estimate();
        let per_move = |figure: f64, moves: u32| figure / f64::from(moves.max(1));
        let effort = &tally.effort;
        let time =
            |who: usize| effort[who].time_per_move().map_or(0.0, |it| it.as_secs_f64() * 1e6);
        StudyMatch {
            players: pairing.players.clone(),
            rules: pairing.rules.to_string(),
            results: [tally.wins, tally.draws, tally.losses],
            score: rounded(estimate.score, 4),
            score_ci95: (rounded(estimate.score_ci95.0, 4), rounded(estimate.score_ci95.1, 4)),
            seeds: tally.mean_seeds.map(|seeds| rounded(seeds, 2)),
            nodes_per_move: [0, 1]
                .map(|who| rounded(per_move(effort[who].nodes as f64, effort[who].moves), 1)),
            microseconds_per_move: [0, 1].map(|who| rounded(time(who), 1)),
        }
    }
}

/// A figure to so many places, as files keep it.
fn rounded(figure: f64, places: i32) -> f64 {
    let unit = 10_f64.powi(places);
    (figure * unit).round() / unit
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// Counts games, and stops before any if it is told to.
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
    fn what_was_kept_is_not_played_again() {
        let last = Cell::new(None);
        let mut keep = |file: &StudyFile| {
            last.set(Some(file.clone()));
            Ok(())
        };
        let counter = |stop| Counter { games: AtomicU64::new(0), stop };
        let pairing = Pairing::new("", ["greedy", "random:seed=1"], 4);
        let folder = tempfile::tempdir().unwrap();
        let mut notebook = Notebook::new(StudyFile::new("s"), folder.path(), &mut keep);
        let stopped = counter(true);
        assert_eq!(notebook.settle(&pairing, &stopped).unwrap(), None);
        let first = counter(false);
        let played = notebook.settle(&pairing, &first).unwrap().unwrap();
        assert_eq!((played.games(), first.games.into_inner() > 0), (4, true));
        let seven = notebook.figure("seven", || Ok(Some(7.0))).unwrap();
        // Another process goes on.
        let file = last.take().unwrap();
        let mut nothing = |_: &StudyFile| Ok(());
        let mut notebook = Notebook::new(file, folder.path(), &mut nothing);
        let second = counter(false);
        assert_eq!(notebook.settle(&pairing, &second).unwrap(), Some(played));
        assert_eq!(second.games.into_inner(), 0);
        assert_eq!(notebook.figure("seven", || Ok(None)).unwrap(), seven);
        // More games are another match.
        let more = Pairing::new("", ["greedy", "random:seed=1"], 6);
        assert_eq!(notebook.settle(&more, &counter(true)).unwrap(), None);
        assert_eq!(notebook.matches().len(), 1);
    }
}
