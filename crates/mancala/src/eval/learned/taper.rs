//! Output weights that vary with the number of seeds on the board.

use crate::game::Material;
use crate::text::{Message, Result};

/// Scale factors for a layer's output weights, depending on the number of seeds on the board.
///
/// Each output (a unit or a second-layer neuron) has one factor per phase, in units of 1/256 and at most 1 in absolute
/// value. The first phase applies to an empty board, the last to a full board, and the others are evenly spaced in
/// between. Factors are interpolated linearly between phases. If there is only one phase, all its factors are 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taper {
    outputs: usize,
    /// The factors in phase-major order, i.e. the factors of all outputs in the first phase come first.
    factors: Vec<i16>,
}

impl Taper {
    /// The fixed-point representation of 1.
    pub const ONE: i16 = 256;
    /// The maximum number of phases.
    pub const MAX: usize = 8;

    /// Creates a taper with only one phase, so that the output weights don't vary.
    pub fn single(outputs: usize) -> Taper {
        Taper { outputs, factors: vec![Self::ONE; outputs] }
    }

    /// Creates a taper from phase-major factors. There must be 1 to [`MAX`](Self::MAX) phases, with a factor from −1 to
    /// 1 for each output. If there is only one phase, all factors must be 1.
    pub fn new(outputs: usize, factors: Vec<i16>) -> Result<Taper> {
        let found = factors.len();
        let is_whole = outputs > 0 && found.is_multiple_of(outputs);
        if !is_whole || !(1..=Self::MAX).contains(&(found / outputs)) {
            return Err(Taper::wrong_number(found, outputs));
        }
        let phases = Taper { outputs, factors };
        if phases.count() == 1 && phases != Taper::single(outputs) {
            return Err("has a single phase with factors that are not 1".into());
        }
        let most = Self::ONE;
        match phases.factors.iter().find(|factor| !(-most..=most).contains(*factor)) {
            Some(factor) => {
                Err(format!("has the factor {factor}, outside -{most} to {most}").into())
            }
            None => Ok(phases),
        }
    }

    pub(super) fn wrong_number(found: usize, outputs: usize) -> Message {
        let most = Self::MAX;
        format!("has {found} factors, not {outputs} for each of 1 to {most} phases").into()
    }

    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Returns the number of phases.
    pub fn count(&self) -> usize {
        self.factors.len() / self.outputs
    }

    pub fn factors(&self) -> &[i16] {
        &self.factors
    }

    /// Multiplies the weights of the first outputs by their factors for `material`, rounding towards 0.
    pub fn weights(&self, weights: &[i16], material: Material) -> Vec<i16> {
        let whole = i64::from(Self::ONE) * i64::from(Material::PARTS);
        let factor = |output: usize| -> i64 {
            let part = |(phase, parts): (usize, u8)| {
                i64::from(self.factors[phase * self.outputs + output]) * i64::from(parts)
            };
            Self::interpolation(self.count(), material).map(part).iter().sum()
        };
        let weights = weights.iter().enumerate();
        weights
            .map(|(output, &weight)| (i64::from(weight) * factor(output) / whole) as i16)
            .collect()
    }

    /// Returns the two phases that are closest to `material`, and the weight of each phase in 48ths.
    pub fn interpolation(phases: usize, material: Material) -> [(usize, u8); 2] {
        let whole = usize::from(Material::PARTS);
        let place = material.parts() * (phases - 1);
        let (below, parts) = (place / whole, (place % whole) as u8);
        [(below, Material::PARTS - parts), ((below + 1).min(phases - 1), parts)]
    }
}
