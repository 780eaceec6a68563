//! Tapered output weights of units.

use super::layer::LayerError;
use crate::game::Fullness;

/// Factors of the output weights of units, which depend on the seeds on the board.
///
/// There is a factor for each unit and phase, in 1/256 and at most 1 in size. The first phase is an empty board, the last
/// one a full board, and the others are equally spaced. Between two phases factors are interpolated linearly. A single
/// phase has only factors of 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phases {
    units: usize,
    /// The factors of all units in the first phase, then those in the second, and so on.
    factors: Vec<i16>,
}

impl Phases {
    /// The representation of 1.
    pub const WHOLE: i16 = 256;
    /// The largest number of phases.
    pub const MOST: usize = 8;

    /// A single phase.
    pub fn single(units: usize) -> Phases {
        Phases { units, factors: vec![Self::WHOLE; units] }
    }

    /// Creates phases from the factors of all units in the first phase, then those in the second, and so on.
    ///
    /// # Errors
    /// If the number of factors is not that of 1 to [`MOST`](Self::MOST) phases, a factor is too large, or a single phase
    /// has a factor other than 1.
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

    pub fn units(&self) -> usize {
        self.units
    }

    /// Returns the number of phases.
    pub fn count(&self) -> usize {
        self.factors.len() / self.units
    }

    pub fn factors(&self) -> &[i16] {
        &self.factors
    }

    /// Multiplies the output weights of the first units by their factors, rounding towards 0. They do not become larger.
    pub fn weights(&self, weights: &[i16], fullness: Fullness) -> Vec<i16> {
        let whole = i64::from(Self::WHOLE) * i64::from(Fullness::PARTS);
        let factor = |unit: usize| -> i64 {
            let part = |(phase, parts): (usize, u8)| {
                i64::from(self.factors[phase * self.units + unit]) * i64::from(parts)
            };
            Self::mixture(self.count(), fullness).map(part).iter().sum()
        };
        let weights = weights.iter().enumerate();
        weights.map(|(unit, &weight)| (i64::from(weight) * factor(unit) / whole) as i16).collect()
    }

    /// Returns the two phases between which a board lies, and their shares of [`Fullness::PARTS`].
    pub fn mixture(phases: usize, fullness: Fullness) -> [(usize, u8); 2] {
        let whole = usize::from(Fullness::PARTS);
        let place = fullness.parts() * (phases - 1);
        let (below, parts) = (place / whole, (place % whole) as u8);
        [(below, Fullness::PARTS - parts), ((below + 1).min(phases - 1), parts)]
    }
}
