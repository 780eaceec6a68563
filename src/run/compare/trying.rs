//! Where the searches of a comparison are done.

use std::ops::ControlFlow;

use super::{Advance, ComparisonTerms, Contestant, NoTrial, Trial, compete};
use mancala::progress::Progress;

/// A search to be done: a contestant and a seed.
pub type Due<'a> = (&'a Contestant, u64);

/// Does searches, here or elsewhere too.
pub trait Trying: Sync {
    /// Does searches, and tells `keep` of each in the order given, until it breaks off. `told` hears how far the
    /// search of a number is.
    ///
    /// # Errors
    /// If the progress stops it, or the budget is too small for one of them.
    fn all(
        &self,
        due: &[Due],
        terms: &ComparisonTerms,
        progress: &dyn Progress,
        told: &(dyn Fn(usize, Advance) + Sync),
        keep: &mut (dyn FnMut(Trial) -> ControlFlow<()> + Send),
    ) -> Result<(), NoTrial>;
}

/// Does one search after the other on the threads of the current rayon pool.
#[derive(Debug, Clone, Copy)]
pub struct Here;

impl Trying for Here {
    fn all(
        &self,
        due: &[Due],
        terms: &ComparisonTerms,
        progress: &dyn Progress,
        told: &(dyn Fn(usize, Advance) + Sync),
        keep: &mut (dyn FnMut(Trial) -> ControlFlow<()> + Send),
    ) -> Result<(), NoTrial> {
        for (number, &(contestant, seed)) in due.iter().enumerate() {
            let told = |advance| told(number, advance);
            if keep(compete(contestant, seed, terms, progress, &told)?).is_break() {
                break;
            }
        }
        Ok(())
    }
}
