//! Whole searches of a comparison, shared out.

use std::ops::ControlFlow;
use std::time::Duration;

use super::coordinator::Coordinator;
use super::digest::trial_of;
use super::trained::{NO_FILES, names_a_file};
use super::wire::Piece;
use super::work::{Work, alone};
use crate::run::{
    Advance, COMPARISON_HEADER, ComparisonTerms, Contestant, Due, NoTrial, Trial, Trying,
    comparison_rows, compete,
};
use mancala::progress::Progress;

/// How long a search is taken for. Its games renew the lease.
const EXPECTED: Duration = Duration::from_secs(2);

/// Does the search of a task on this thread alone, so that a worker does as many at a time as it has threads.
///
/// # Errors
/// A sentence, if there is no such search.
pub(super) fn searched(piece: &Piece, progress: &dyn Progress) -> Result<Option<Vec<u8>>, String> {
    let Piece::Search { contestant, seed, budget, depth, openings } = piece else {
        return Err("the task is no search".into());
    };
    if names_a_file(contestant) {
        return Err(NO_FILES.into());
    }
    let contestant: Contestant = contestant.parse().map_err(|it| format!("{it}"))?;
    let budget = budget.parse().map_err(|it| format!("{it}"))?;
    let terms =
        ComparisonTerms { game: contestant.game(), budget, depth: *depth, openings: *openings };
    match tried(&contestant, *seed, &terms, progress, &|_| ()) {
        Ok(trial) => Ok(Some(comparison_rows(&trial, &terms, COMPARISON_HEADER).into_bytes())),
        Err(NoTrial::Stopped) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

fn tried(
    contestant: &Contestant,
    seed: u64,
    terms: &ComparisonTerms,
    progress: &dyn Progress,
    told: &(dyn Fn(Advance) + Sync),
) -> Result<Trial, NoTrial> {
    alone(|| compete(contestant, seed, terms, progress, &|advance| told(advance)))
}

/// Searches that are done here, as many at a time as there are threads, and by workers.
#[derive(Debug)]
pub struct SharedTrials<'a>(pub &'a Coordinator);

struct Searches<'a> {
    due: &'a [Due<'a>],
    terms: &'a ComparisonTerms,
    told: &'a (dyn Fn(usize, Advance) + Sync),
}

impl Work for Searches<'_> {
    type Error = NoTrial;

    fn pieces(&self) -> usize {
        self.due.len()
    }

    fn ground(&self) -> Vec<u8> {
        Vec::new()
    }

    fn is_shared(&self) -> bool {
        // Tables and files do not travel, and seconds differ from machine to machine.
        let travels = |it: &Contestant| it.teacher().is_none() && !names_a_file(&it.to_string());
        self.terms.budget.is_reproducible() && self.due.iter().all(|(it, _)| travels(it))
    }

    fn piece(&self, number: usize) -> Piece {
        let (contestant, seed) = self.due[number];
        let &ComparisonTerms { budget, depth, openings, .. } = self.terms;
        Piece::Search {
            contestant: contestant.to_string(),
            seed,
            budget: budget.to_string(),
            depth,
            openings,
        }
    }

    fn weight(&self, _: usize) -> u64 {
        1
    }

    fn act(&self, number: usize, progress: &dyn Progress) -> Result<Option<Vec<u8>>, NoTrial> {
        let (contestant, seed) = self.due[number];
        let told = |advance| (self.told)(number, advance);
        match tried(contestant, seed, self.terms, progress, &told) {
            Ok(trial) => {
                Ok(Some(comparison_rows(&trial, self.terms, COMPARISON_HEADER).into_bytes()))
            }
            Err(NoTrial::Stopped) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Trying for SharedTrials<'_> {
    fn all(
        &self,
        due: &[Due],
        terms: &ComparisonTerms,
        progress: &dyn Progress,
        told: &(dyn Fn(usize, Advance) + Sync),
        keep: &mut (dyn FnMut(Trial) -> ControlFlow<()> + Send),
    ) -> Result<(), NoTrial> {
        let work = Searches { due, terms, told };
        let mut follow = |answer: &[u8]| match trial_of(answer) {
            Some(trial) => keep(trial),
            None => ControlFlow::Continue(()),
        };
        // A bar of searches is not one of games.
        let all =
            self.0.share(&work, EXPECTED, &mancala::progress::Muted(progress), &mut follow)?;
        all.map(drop).ok_or(NoTrial::Stopped)
    }
}
