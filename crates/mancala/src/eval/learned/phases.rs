//! Phases of a game: what a unit is worth changes as seeds leave the board.

use super::layer::LayerError;
use crate::game::Fullness;

/// What the output weight of each unit is multiplied by in the course of a game.
///
/// A factor is given for each unit and phase, in 1/256 and no larger than 1 in size. The first phase is an empty board,
/// the last a full one, and the others lie in between at equal distances. Between two phases a factor changes by equal
/// steps. In a single phase all factors are 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phases {
    units: usize,
    /// Those of all units in the first phase, then those in the second.
    factors: Vec<i16>,
}

impl Phases {
    /// What stands for 1 in factors.
    pub const WHOLE: i16 = 256;
    /// The most phases that there are.
    pub const MOST: usize = 8;

    /// A single phase.
    pub fn single(units: usize) -> Phases {
        Phases { units, factors: vec![Self::WHOLE; units] }
    }

    /// The phases with these factors: those of all units in the first phase, then those in the second.
    ///
    /// # Errors
    /// If there are more than [`MOST`](Self::MOST), or one that is not all 1; if factors are missing, or one is too large.
    pub fn new(units: usize, factors: Vec<i16>) -> Result<Phases, LayerError> {
        let found = factors.len();
        let is_whole = units > 0 && found.is_multiple_of(units);
        if !is_whole || !(1..=Self::MOST).contains(&(found / units)) {
            return Err(LayerError::Factors { found, units });
        }
        let phases = Phases { units, factors };
        if phases.count() == 1 && phases != Phases::single(units) {
            return Err(LayerError::Single);
        }
        let too_large = |factor: &i16| factor.unsigned_abs() > Self::WHOLE.unsigned_abs();
        match phases.factors.iter().position(too_large) {
            Some(place) => {
                Err(LayerError::Factor { unit: place % units + 1, factor: phases.factors[place] })
            }
            None => Ok(phases),
        }
    }

    /// Units that there are factors for.
    pub fn units(&self) -> usize {
        self.units
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.factors.len() / self.units
    }

    /// The factors of all units in the first phase, then those in the second.
    pub fn factors(&self) -> &[i16] {
        &self.factors
    }

    /// What the output weights of the first units come to on a board as full as this, rounded towards 0. They are no
    /// larger than they were.
    pub fn weights(&self, weights: &[i16], fullness: Fullness) -> Vec<i16> {
        let whole = i64::from(Self::WHOLE) * i64::from(Fullness::PARTS);
        let factor = |unit: usize| -> i64 {
            let part = |(phase, parts): (usize, u8)| {
                i64::from(self.factors[phase * self.units + unit]) * i64::from(parts)
            };
            Self::mixture(self.count(), fullness).map(part).iter().sum()
        };
        let weighed = weights.iter().enumerate();
        weighed.map(|(unit, &weight)| (i64::from(weight) * factor(unit) / whole) as i16).collect()
    }

    /// The two phases, of so many, that a board lies between, and how many parts of [`Fullness::PARTS`] each counts.
    pub fn mixture(phases: usize, fullness: Fullness) -> [(usize, u8); 2] {
        let whole = usize::from(Fullness::PARTS);
        let place = fullness.parts() * (phases - 1);
        let (below, parts) = (place / whole, (place % whole) as u8);
        [(below, Fullness::PARTS - parts), ((below + 1).min(phases - 1), parts)]
    }
}
