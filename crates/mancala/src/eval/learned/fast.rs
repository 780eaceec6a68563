//! How units of a game are computed fast.

use std::fmt::Debug;

use super::layer::Layer;
use crate::eval::{BestLeaf, Evaluator, Leaves};
use crate::game::Encoded;
use crate::game::ayo::Ayo;
use crate::game::kalah::Kalah;

/// A game that layers of it can be evaluated in, by vectors where the processor has them.
pub trait Inferred: Encoded {
    /// What computes units fast.
    type Fast: Fast<Self>;
}

/// A layer and the weights of its units, prepared for the processor.
pub trait Fast<G: Encoded>: Clone + Debug + Send + Sync + Sized {
    /// `None` if this processor has no such vectors.
    fn new(layer: &Layer, weights: &[i16]) -> Option<Self>;

    /// The weighted sum of the units for the side to move.
    fn sum(&self, position: &G::Position) -> i32;

    /// The loop over leaves, if there is one faster than the plain one here.
    fn best_leaf<C: Evaluator<G>>(
        &self,
        _counted: &C,
        _game: &G,
        _position: &G::Position,
        _leaves: Leaves,
        _nodes: &mut u64,
    ) -> Option<BestLeaf> {
        None
    }
}

#[cfg(target_arch = "x86_64")]
mod vectors {
    use super::*;
    use crate::eval::learned::vector::{OfAyo, OfRows};

    impl Inferred for Ayo {
        type Fast = OfAyo;
    }

    impl Inferred for Kalah {
        type Fast = OfRows;
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod plain {
    use super::*;

    impl Inferred for Ayo {
        type Fast = Never;
    }

    impl Inferred for Kalah {
        type Fast = Never;
    }

    /// No vectors.
    #[derive(Debug, Clone, Copy)]
    pub enum Never {}

    impl<G: Encoded> Fast<G> for Never {
        fn new(_: &Layer, _: &[i16]) -> Option<Never> {
            None
        }

        fn sum(&self, _: &G::Position) -> i32 {
            match *self {}
        }
    }
}
