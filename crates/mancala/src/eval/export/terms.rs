//! What a feature is in source code. The functions stand in the templates beside this file, one for each game and
//! language.

use crate::game::{Feature, ayo, kalah};

/// What is counted, from the view of the player whose pits are `mine`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Term {
    /// What is in a store: 0 is mine.
    Store(usize),
    /// My store less the opponent's.
    Lead,
    /// A function of a template and its arguments.
    Call(&'static str, &'static str),
}

/// How a feature is counted; `None` for one of a family, whose weights are tables.
pub(super) fn term(feature: Feature) -> Option<Term> {
    match feature {
        Feature::Ayo(feature) => Some(of_ayo(feature)),
        Feature::Kalah(feature) => Some(of_kalah(feature)),
        Feature::Bias(_) | Feature::Holds(_) | Feature::Unit(_) => None,
    }
}

fn of_ayo(feature: ayo::Feature) -> Term {
    use ayo::Feature::*;
    match feature {
        TheirThreatsOf2 => Term::Call("threats", "theirs, mine, 2"),
        TheirThreatsOf3 => Term::Call("threats", "theirs, mine, 3"),
        MyThreatsOf2 => Term::Call("threats", "mine, theirs, 2"),
        MyThreatsOf3 => Term::Call("threats", "mine, theirs, 3"),
        TheirReach => Term::Call("reach", "theirs"),
        MyReach => Term::Call("reach", "mine"),
        TheirKroo => Term::Call("holding", "theirs, 13, 48"),
        MyKroo => Term::Call("holding", "mine, 13, 48"),
        TheirSeeds => Term::Store(1),
        MySeeds => Term::Store(0),
        TheirEmpty => Term::Call("holding", "theirs, 0, 0"),
        MyEmpty => Term::Call("holding", "mine, 0, 0"),
        TheirWeak => Term::Call("holding", "theirs, 1, 2"),
        MyWeak => Term::Call("holding", "mine, 1, 2"),
        // No template has it.
        #[cfg(test)]
        MyOdd => Term::Call("odd", "mine"),
    }
}

fn of_kalah(feature: kalah::Feature) -> Term {
    use kalah::Feature::*;
    match feature {
        Lead => Term::Lead,
        MyStore => Term::Store(0),
        TheirStore => Term::Store(1),
        Near => Term::Call("third", "mine, 2"),
        Far => Term::Call("third", "mine, 0"),
        Middle => Term::Call("third", "mine, 1"),
        TheirAgain => Term::Call("again", "theirs"),
        MyAgain => Term::Call("again", "mine"),
        TheirCapture => Term::Call("capture", "theirs, mine"),
        MyCapture => Term::Call("capture", "mine, theirs"),
        TheirReach => Term::Call("reach", "theirs"),
        MyReach => Term::Call("reach", "mine"),
        TheirEmpty => Term::Call("empty", "theirs"),
        MyEmpty => Term::Call("empty", "mine"),
        TheirRow => Term::Call("seeds", "theirs"),
    }
}
