//! Contestants that search at equal budgets with the same seeds, and what is kept of their searches.

mod kept;

use std::path::Path;

pub use self::kept::{Difference, Kept, KeptError};

use crate::results::{Comparison, Completion};
use crate::train::tables;
use evolve::run::{
    Advance, Budget, ComparisonTerms, Contestant, MeasuredOpenings, NoTrial, Trial, compete, played,
};
use mancala::game::AnyGame;
use mancala::progress::Progress;
use mancala::store::FileError;

/// Contestants that can be compared: different ones of one game.
pub struct Field {
    contestants: Vec<Contestant>,
    game: AnyGame,
    budget: Budget,
}

/// Why contestants cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum NoField {
    /// A contestant that would meet itself.
    #[error("contestant {0} is named twice")]
    Twice(String),
    /// Strengths in different games, or by different rules, say nothing of each other.
    #[error("contestants differ in what they play, {0} and {1}: compare those of one game")]
    SeveralGames(String, String),
    /// The budget is one of games, but this contestant plays none.
    #[error("{0} learns from positions, which are no games; give nodes=N or time=T")]
    PlaysNoGames(String),
    /// A contestant needs tables for this fitness, but none were named.
    #[error("contestant {contestant}: fitness is {fitness}, which needs endgame tables")]
    NoTables {
        /// The contestant.
        contestant: String,
        /// Its fitness.
        fitness: String,
    },
    /// The tables cannot be had.
    #[error("{0}")]
    Tables(anyhow::Error),
    /// No contestant would look at the tables.
    #[error("no contestant has fitness=tables or fitness=mix")]
    UselessTables,
}

/// Why strength cannot be measured on so many openings.
#[derive(Debug, thiserror::Error)]
pub enum NoOpenings {
    /// The game is over too soon.
    #[error("every game of {0} is over within four plies")]
    TooShort(AnyGame),
    /// There are not as many.
    #[error("plies:4 of {game} has {all} openings, not {asked}")]
    OutOfRange {
        /// Openings asked for.
        asked: u32,
        /// The game.
        game: AnyGame,
        /// Openings that there are.
        all: u32,
    },
}

impl Field {
    /// The field of these contestants; those that learn from tables learn from those in the folder.
    ///
    /// # Errors
    /// If they cannot be compared.
    pub fn new(
        contestants: &[Contestant],
        budget: Budget,
        tables: Option<&Path>,
    ) -> Result<Field, NoField> {
        for (index, contestant) in contestants.iter().enumerate() {
            if contestants[..index].iter().any(|it| it.name() == contestant.name()) {
                return Err(NoField::Twice(contestant.to_string()));
            }
        }
        let game = one_game(contestants)?;
        let taught = contestants.iter().map(|it| taught(it, budget, tables));
        let contestants: Vec<Contestant> = taught.collect::<Result<_, _>>()?;
        if tables.is_some() && contestants.iter().all(|it| it.teacher().is_none()) {
            return Err(NoField::UselessTables);
        }
        Ok(Field { contestants, game, budget })
    }

    /// The contestants, those that learn from tables with the tables.
    pub fn contestants(&self) -> &[Contestant] {
        &self.contestants
    }

    /// What their strength is measured by: at this depth on so many openings, or on all.
    ///
    /// # Errors
    /// If the game has not as many.
    pub fn terms(&self, depth: u32, openings: Option<u32>) -> Result<ComparisonTerms, NoOpenings> {
        let (game, budget) = (self.game, self.budget);
        let all = MeasuredOpenings::of(game).all();
        match openings.unwrap_or(all) {
            openings if (1..=all).contains(&openings) => {
                Ok(ComparisonTerms { game, budget, depth, openings })
            }
            _ if all == 0 => Err(NoOpenings::TooShort(game)),
            asked => Err(NoOpenings::OutOfRange { asked, game, all }),
        }
    }
}

fn one_game(contestants: &[Contestant]) -> Result<AnyGame, NoField> {
    let game = contestants[0].game();
    match contestants.iter().map(Contestant::game).find(|other| *other != game) {
        None => Ok(game),
        Some(other) => Err(NoField::SeveralGames(played(game), played(other))),
    }
}

/// The contestant with the tables that it learns from, if it does.
fn taught(
    contestant: &Contestant,
    budget: Budget,
    folder: Option<&Path>,
) -> Result<Contestant, NoField> {
    let Some((it, rules)) = contestant.teacher() else {
        return Ok(contestant.clone());
    };
    let name = contestant.to_string();
    if let Budget::Games(_) = budget {
        return Err(NoField::PlaysNoGames(name));
    }
    let fitness = it.fitness.to_string();
    let folder = folder.ok_or(NoField::NoTables { contestant: name, fitness })?;
    Ok(contestant.clone().taught_by(tables::open(folder, rules).map_err(NoField::Tables)?))
}

/// The searches of a comparison: those found in its file, and those to come.
pub struct Searches<'a> {
    terms: &'a ComparisonTerms,
    kept: Kept,
    found: Vec<Trial>,
    due: Vec<(&'a Contestant, u64)>,
}

/// What ends a comparison before its time.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// A search that the budget is too small for.
    #[error(transparent)]
    Search(NoTrial),
    /// A search that cannot be kept.
    #[error(transparent)]
    File(#[from] FileError),
}

/// How far a comparison is.
#[derive(Debug, Clone, Copy)]
pub struct ComparisonProgress<'a> {
    /// The contestant that searches.
    pub contestant: &'a Contestant,
    /// The seed of the search.
    pub seed: u64,
    /// Searches that were finished before it.
    pub done: usize,
    /// How far the search is.
    pub advance: Advance,
}

impl<'a> Searches<'a> {
    /// The searches of a field with these seeds, less those that were kept.
    ///
    /// # Errors
    /// If a contestant was kept with other settings.
    pub fn new(
        field: &'a Field,
        seeds: &[u64],
        terms: &'a ComparisonTerms,
        kept: Kept,
    ) -> Result<Self, KeptError> {
        let (mut found, mut due) = (Vec::new(), Vec::new());
        // Seed by seed, so that an interrupted comparison has something of every contestant.
        for &seed in seeds {
            for contestant in &field.contestants {
                match kept.find(contestant, seed)? {
                    Some(trial) => found.push(trial),
                    None => due.push((contestant, seed)),
                }
            }
        }
        Ok(Searches { terms, kept, found, due })
    }

    /// How many are to come.
    pub fn due(&self) -> usize {
        self.due.len()
    }

    /// Runs the remaining searches one after the other on the threads of the current rayon pool, and saves each.
    /// The progress may stop them.
    ///
    /// # Errors
    /// If the budget is too small for a search, or its result cannot be saved.
    pub fn run(
        mut self,
        progress: &dyn Progress,
        follow: &(dyn Fn(ComparisonProgress) + Sync),
    ) -> Result<Comparison, Trouble> {
        let mut completion = Completion::Finished;
        for (done, &(contestant, seed)) in self.due.iter().enumerate() {
            let told = |advance| follow(ComparisonProgress { contestant, seed, done, advance });
            match compete(contestant, seed, self.terms, progress, &told) {
                Ok(trial) => {
                    self.kept.add(&trial, self.terms)?;
                    self.found.push(trial);
                }
                Err(NoTrial::Stopped) => {
                    completion = Completion::Interrupted;
                    break;
                }
                Err(error) => return Err(Trouble::Search(error)),
            }
        }
        Ok(Comparison::of(self.terms, &self.found, completion))
    }
}
