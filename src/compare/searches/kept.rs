//! The file that a comparison leaves, and what is in it of one before.

use std::path::{Path, PathBuf};

use evolve::run::{
    COMPARISON_HEADER, ComparisonError, ComparisonTerms, Contestant, Point, Row, Searched, Trial,
    WrongLine, comparison_header, comparison_rows, played, read_comparison,
};
use mancala::store::{self, FileError, Log};

/// Why a file of searches does not serve.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Its lock is held.
    #[error("{}: another process writes to it", .0.display())]
    Busy(PathBuf),
    /// It has another header: nothing in it is touched.
    #[error("{} holds no comparison", .0.display())]
    NoComparison(PathBuf),
    /// A line of it is not what a comparison writes.
    #[error("{}, {reason}", path.display())]
    Damaged {
        /// The CSV file that searches are kept in.
        path: PathBuf,
        /// Which line, and what is wrong with it.
        reason: WrongLine,
    },
    /// A contestant of the same name has changed since.
    #[error("{} has {contestant} with other settings than it has now", path.display())]
    OtherSettings {
        /// The file whose searches cannot be continued.
        path: PathBuf,
        /// Its name on the command line, the same for both settings.
        contestant: String,
    },
    /// Its results cannot stand beside new ones.
    #[error("{} has results of a comparison on other terms", path.display())]
    OtherTerms {
        /// The file of the comparison before.
        path: PathBuf,
        /// What it has instead.
        difference: Difference,
    },
}

impl KeptError {
    fn content(path: &Path, error: ComparisonError) -> KeptError {
        let path = path.to_owned();
        match error {
            ComparisonError::Other => KeptError::NoComparison(path),
            ComparisonError::Line(reason) => KeptError::Damaged { path, reason },
        }
    }
}

/// A term in which a file of searches differs, as it is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The game and its rules.
    Game(String),
    /// What a search may spend.
    Budget(String),
    /// Plies that weights are searched when they are measured.
    Depth(u32),
    /// The suite or sample that measurements begin from.
    Openings(String),
}

/// The finished trials of a file, and the file itself if there is one.
pub struct Kept {
    path: PathBuf,
    log: Option<Log>,
    /// The first line, which says whether rows have checksums.
    header: &'static str,
    trials: Vec<(Row, Trial)>,
}

impl Kept {
    /// Opens the file of a comparison on these terms, or begins it. Without a path nothing is kept.
    ///
    /// # Errors
    /// If it cannot be had, or its results cannot stand beside new ones.
    pub fn open(table: Option<&Path>, terms: &ComparisonTerms) -> Result<Kept, KeptError> {
        let Some(path) = table else {
            return Ok(Kept {
                path: PathBuf::new(),
                log: None,
                header: COMPARISON_HEADER,
                trials: Vec::new(),
            });
        };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            store::create_folder(folder)?;
        }
        let mut log = Log::open(path)?.ok_or_else(|| KeptError::Busy(path.into()))?;
        let text = log.text()?;
        let found = if COMPARISON_HEADER.starts_with(&text) {
            Searched::default()
        } else {
            read_comparison(&text).map_err(|error| KeptError::content(path, error))?
        };
        let header = comparison_header(&text).unwrap_or(COMPARISON_HEADER);
        let mut kept = Kept { path: path.into(), log: None, header, trials: found.trials };
        kept.check(terms)?;
        if let Some(row) = &found.unfinished {
            kept.check_terms(row, terms)?;
        }
        // Only now: a file that does not serve stays as it is.
        log.cut(found.good as u64)?;
        if found.good == 0 {
            log.append(COMPARISON_HEADER)?;
        }
        kept.log = Some(log);
        Ok(kept)
    }

    /// The trial of a contestant with a seed, if it is there.
    pub(crate) fn find(
        &self,
        contestant: &Contestant,
        seed: u64,
    ) -> Result<Option<Trial>, KeptError> {
        let of_this = |trial: &Trial| trial.contestant == contestant.name() && trial.seed == seed;
        let Some((_, trial)) = self.trials.iter().find(|(_, trial)| of_this(trial)) else {
            return Ok(None);
        };
        if trial.settings != contestant.settings(seed) {
            let (path, contestant) = (self.path.clone(), contestant.to_string());
            return Err(KeptError::OtherSettings { path, contestant });
        }
        Ok(Some(trial.clone()))
    }

    /// Whether all results of the file can stand beside new ones.
    fn check(&self, terms: &ComparisonTerms) -> Result<(), KeptError> {
        self.trials.iter().try_for_each(|(row, trial)| self.check_trial(row, trial, terms))
    }

    fn check_trial(
        &self,
        row: &Row,
        trial: &Trial,
        terms: &ComparisonTerms,
    ) -> Result<(), KeptError> {
        self.check_terms(row, terms)?;
        let openings = u64::from(terms.openings);
        let games = |point: &Point| point.strength.first().map_or(0, |it| it.games);
        match trial.points.iter().all(|point| games(point) == 2 * openings) {
            true => Ok(()),
            false => Err(self.other_terms(Difference::Openings(row.openings.clone()))),
        }
    }

    fn check_terms(&self, row: &Row, terms: &ComparisonTerms) -> Result<(), KeptError> {
        let difference = match () {
            () if row.terms != played(terms.game) => Difference::Game(row.terms.clone()),
            () if row.budget != terms.budget.to_string() => Difference::Budget(row.budget.clone()),
            () if row.depth != terms.depth => Difference::Depth(row.depth),
            () => return Ok(()),
        };
        Err(self.other_terms(difference))
    }

    fn other_terms(&self, difference: Difference) -> KeptError {
        KeptError::OtherTerms { path: self.path.clone(), difference }
    }

    pub(crate) fn add(&mut self, trial: &Trial, terms: &ComparisonTerms) -> Result<(), FileError> {
        if let Some(log) = &mut self.log {
            log.append(&comparison_rows(trial, terms, self.header))?;
        }
        Ok(())
    }
}
