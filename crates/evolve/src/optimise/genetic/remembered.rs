//! What a tournament remembers, as checkpoints keep it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::settings::Setup;
use super::tournament::{MOST_CHAMPIONS, Remembered, Tournament};
use crate::optimise::ask::Champion;
use crate::optimise::genome::{Chromosome, ChromosomeError};
use crate::optimise::saved::Pairings;

/// What no tournament remembers.
#[derive(Debug, thiserror::Error)]
pub(super) enum MemoryError {
    #[error(transparent)]
    Chromosome(#[from] ChromosomeError),
    #[error("a remembered game names a chromosome that is not there")]
    Index,
    #[error("a remembered game has {0} points")]
    Points(u8),
    #[error("a remembered game or champion is of generation {0}, which has not been")]
    Generation(u32),
    #[error("a hall of fame of {0} champions is too large")]
    Hall(usize),
    #[error("the hall of fame is not in the order of the generations")]
    Order,
}

impl Tournament {
    pub(super) fn remembered(&self) -> Pairings {
        let both = self.results.keys().flat_map(|(first, second)| [first, second]);
        let distinct: FxHashSet<&Chromosome> = both.collect();
        let mut distinct: Vec<&Chromosome> = distinct.into_iter().collect();
        distinct.sort_unstable();
        let place: FxHashMap<_, u32> = distinct.iter().copied().zip(0..).collect();
        let results = self.results.iter().map(|((first, second), result)| {
            (place[first], place[second], result.points, result.generation)
        });
        let mut results: Vec<_> = results.collect();
        results.sort_unstable();
        let champion = |champion: &Champion| (champion.generation, champion.chromosome.to_hex());
        Pairings {
            chromosomes: distinct.iter().map(|c| c.to_hex()).collect(),
            results,
            hall: self.hall.iter().map(champion).collect(),
        }
    }

    /// The tournament that remembered this after `generation`.
    pub(super) fn restore(
        setup: Setup,
        memory: Pairings,
        generation: u32,
    ) -> Result<Self, MemoryError> {
        let bits = setup.chromosome_bits();
        let read = |hex: &String| Chromosome::from_hex(hex, bits);
        let chromosomes: Vec<_> = memory.chromosomes.iter().map(read).collect::<Result<_, _>>()?;
        let at = |index: u32| chromosomes.get(index as usize).ok_or(MemoryError::Index);
        let has_been = |of: u32| {
            if (1..=generation).contains(&of) { Ok(of) } else { Err(MemoryError::Generation(of)) }
        };
        let mut tournament = Tournament::new(setup);
        for (first, second, points, asked) in memory.results {
            if points > 2 {
                return Err(MemoryError::Points(points));
            }
            let key = (at(first)?.clone(), at(second)?.clone());
            let remembered = Remembered { points, generation: has_been(asked)? };
            tournament.results.insert(key, remembered);
        }
        if memory.hall.len() > MOST_CHAMPIONS {
            return Err(MemoryError::Hall(memory.hall.len()));
        }
        if !memory.hall.is_sorted_by(|(one, _), (next, _)| one < next) {
            return Err(MemoryError::Order);
        }
        for (of, hex) in &memory.hall {
            let (generation, chromosome) = (has_been(*of)?, read(hex)?);
            tournament.hall.push(Champion { generation, chromosome });
        }
        Ok(tournament)
    }
}
