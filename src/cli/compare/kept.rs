//! The files that a comparison leaves, and what is in them of one before.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::super::usage;
use crate::run::{
    COMPARISON_HEADER, ComparisonTerms, Contestant, Point, Row, Trial, comparison_rows, played,
    read_comparison,
};
use mancala::store::Log;

/// The files that a comparison leaves.
pub(super) struct Files {
    pub(super) table: PathBuf,
    pub(super) picture: Option<PathBuf>,
}

impl Files {
    pub(super) fn of(output: &Path) -> anyhow::Result<Files> {
        let ending = output.extension().unwrap_or_default().to_ascii_lowercase();
        match ending.to_str() {
            Some("csv") => Ok(Files { table: output.into(), picture: None }),
            Some("png" | "svg") => {
                Ok(Files { table: output.with_extension("csv"), picture: Some(output.into()) })
            }
            _ => Err(usage(format!("--output {}: end it in .png, .svg or .csv", output.display()))),
        }
    }
}

/// The finished trials of a file, and the file itself if there is one.
pub(super) struct Kept {
    path: PathBuf,
    log: Option<Log>,
    trials: Vec<(Row, Trial)>,
}

impl Kept {
    pub(super) fn open(table: Option<&Path>) -> anyhow::Result<Kept> {
        let Some(path) = table else {
            return Ok(Kept { path: PathBuf::new(), log: None, trials: Vec::new() });
        };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            let cannot = || format!("cannot create {}", folder.display());
            std::fs::create_dir_all(folder).with_context(cannot)?;
        }
        let mut log = Log::open(path)?
            .ok_or_else(|| anyhow!("{}: another process writes to it", path.display()))?;
        let text = log.text()?;
        let mut trials = Vec::new();
        if COMPARISON_HEADER.starts_with(&text) {
            log.cut(0)?;
            log.append(COMPARISON_HEADER)?;
        } else {
            let (read, good) = read_comparison(&text)
                .ok_or_else(|| anyhow!("{} holds no comparison", path.display()))?;
            log.cut(good as u64)?;
            trials = read;
        }
        Ok(Kept { path: path.into(), log: Some(log), trials })
    }

    /// The trial of a contestant with a seed, if it is there.
    pub(super) fn find(&self, contestant: &Contestant, seed: u64) -> anyhow::Result<Option<Trial>> {
        let of_this = |trial: &Trial| trial.contestant == contestant.name() && trial.seed == seed;
        let Some((_, trial)) = self.trials.iter().find(|(_, trial)| of_this(trial)) else {
            return Ok(None);
        };
        if trial.settings != contestant.settings(seed) {
            return Err(usage(format!(
                "{} has {contestant} with other settings than it has now: give another --output",
                self.path.display()
            )));
        }
        Ok(Some(trial.clone()))
    }

    /// Whether all results of the file can stand beside new ones.
    pub(super) fn check(&self, terms: &ComparisonTerms) -> anyhow::Result<()> {
        self.trials.iter().try_for_each(|(row, trial)| self.check_trial(row, trial, terms))
    }

    fn check_trial(&self, row: &Row, trial: &Trial, terms: &ComparisonTerms) -> anyhow::Result<()> {
        let (budget, openings) = (terms.budget.to_string(), u64::from(terms.openings));
        let games = |point: &Point| point.strength.first().map_or(0, |it| it.games);
        let other_openings = trial.points.iter().any(|point| games(point) != 2 * openings);
        let what = match () {
            () if row.terms != played(terms.game) => row.terms.clone(),
            () if row.budget != budget => format!("--budget {}", row.budget),
            () if row.depth != terms.depth => format!("--depth {}", row.depth),
            () if other_openings => format!("other --openings, {}", row.openings),
            () => return Ok(()),
        };
        let path = self.path.display();
        Err(usage(format!("{path} has results of {what}: say the same, or give another --output")))
    }

    pub(super) fn add(&mut self, trial: &Trial, terms: &ComparisonTerms) -> anyhow::Result<()> {
        if let Some(log) = &mut self.log {
            log.append(&comparison_rows(trial, terms))?;
        }
        Ok(())
    }
}
