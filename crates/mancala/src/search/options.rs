//! Search options that can change which move is chosen.

use std::fmt;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

use crate::eval::{Perspective, Quiescence, Weights};
use crate::game::{Fixed, Game, GameKind, Pit, mix};
use crate::option_words;

/// How leaves are evaluated and how a search chooses between equally good moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Options {
    pub perspective: Perspective,
    pub quiescence: Quiescence,
    pub ties: Ties,
}

/// How a search chooses between equally good moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ties {
    #[default]
    Lowest,
    /// Takes the first pit in an order given by a hash of the position, so that results don't depend on pit numbers.
    Hash,
}

impl Options {
    /// Returns the default options. In ayo, we evaluate leaves for the side that has just moved. This is worse in
    /// kalah, where a side may move again: with this perspective, `h1+h2` scores 0.35 to 0.38 against itself with the
    /// root perspective (at depths 4 to 7).
    pub fn of(game: GameKind) -> Options {
        let perspective = Perspective::of(game);
        Options { perspective, ..Options::default() }
    }

    /// Returns the options with which `weights` were trained and measured, or the game's defaults if unknown.
    pub fn for_weights(weights: &Weights) -> Options {
        let game = weights.features().game();
        weights.provenance.as_ref().map_or(Options::of(game), |trained| Options {
            perspective: trained.perspective(game),
            quiescence: trained.quiescence(),
            ties: trained.ties.unwrap_or_default(),
        })
    }

    /// The options used by Daoud et al. (2004) and by version 0.1.
    pub const OF_2004: Options =
        Options { perspective: Perspective::Root, quiescence: Quiescence::Off, ties: Ties::Lowest };
}

/// Prints the options that differ from the defaults, such as `perspective=root ties=hash`.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options { perspective, quiescence, ties } = *self;
        let default = Options::default();
        let parts = [
            (perspective != default.perspective).then(|| format!("perspective={perspective}")),
            (quiescence != default.quiescence).then(|| format!("quiescence={quiescence}")),
            (ties != default.ties).then(|| format!("ties={ties}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

option_words!(Ties, "lowest or hash", { Lowest: "lowest", Hash: "hash" });

/// Chooses between equally good moves, either by a hash of the position or by taking the lowest pit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Preference(Option<u64>);

impl Preference {
    pub(super) fn new<G: Game>(ties: Ties, position: &G::Position) -> Preference {
        Preference((ties == Ties::Hash).then(|| {
            let mut hasher = Fixed(0);
            position.hash(&mut hasher);
            hasher.0
        }))
    }

    pub(super) fn prefers(self, pit: Pit, other: Pit) -> bool {
        let rank = |pit: Pit| match self.0 {
            None => pit.index() as u64,
            Some(hash) => mix(hash ^ (pit.index() as u64 + 1)),
        };
        rank(pit) < rank(other)
    }
}
