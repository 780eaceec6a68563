//! What else than weights and a budget decides the choice of a search.

use std::fmt;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

use crate::eval::{Perspective, Quiescence, Weights};
use crate::game::{Fixed, Game, GameKind, Pit, mixed};
use crate::option_words;

/// How a search values leaves and chooses among equals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Options {
    /// From whose view leaves are valued.
    pub perspective: Perspective,
    /// Which leaves are searched on.
    pub quiescence: Quiescence,
    /// Which of several best moves is played.
    pub ties: Ties,
}

/// Which of several best moves is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ties {
    /// The lowest pit.
    #[default]
    Lowest,
    /// The one that comes first in an order of pits that a hash of the position gives, the same on every
    /// machine. Players of nearly equal strength then do not owe their results to the order of pits.
    Hash,
}

impl Options {
    /// The usual ones of a game. In ayo the sides alternate, so a weight means the same to whichever side
    /// has just moved. In kalah a side may have moved several times and may move again, and named weights
    /// lose by the view of the mover: `h1+h2` scores 0.35 to 0.38 with it, searched 4 to 7 plies.
    pub fn of(game: GameKind) -> Options {
        let perspective = Perspective::of(game);
        Options { perspective, ..Options::default() }
    }

    /// The usual ones of the game of some weights, with leaves valued as they were when these were bred.
    pub fn for_weights(weights: &Weights) -> Options {
        let game = weights.features().game();
        let bred = weights.provenance.as_ref().map(|it| (it.perspective(game), it.quiescence()));
        let usual = Options::of(game);
        let (perspective, quiescence) = bred.unwrap_or((usual.perspective, usual.quiescence));
        Options { perspective, quiescence, ..usual }
    }

    /// Those of the first version: leaves from the view of the player at the root, none searched on, the
    /// lowest pit among equals.
    pub const OF_2004: Options =
        Options { perspective: Perspective::Root, quiescence: Quiescence::Off, ties: Ties::Lowest };
}

/// What differs from the usual: `perspective=root ties=hash`.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options { perspective, quiescence, ties } = *self;
        let usual = Options::default();
        let parts = [
            (perspective != usual.perspective).then(|| format!("perspective={perspective}")),
            (quiescence != usual.quiescence).then(|| format!("quiescence={quiescence}")),
            (ties != usual.ties).then(|| format!("ties={ties}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

option_words!(Ties, "lowest or hash", { Lowest: "lowest", Hash: "hash" });

/// The order of pits among moves of equal value in some position.
#[derive(Debug, Clone, Copy)]
pub(super) enum Preference {
    Lowest,
    /// By the hash of the position.
    Hash(u64),
}

impl Preference {
    pub(super) fn new<G: Game>(ties: Ties, position: &G::Position) -> Preference {
        match ties {
            Ties::Lowest => Preference::Lowest,
            Ties::Hash => {
                let mut hasher = Fixed(0);
                position.hash(&mut hasher);
                Preference::Hash(hasher.0)
            }
        }
    }

    /// Whether `pit` is preferred to `other`.
    pub(super) fn prefers(self, pit: Pit, other: Pit) -> bool {
        let rank = |pit: Pit| match self {
            Preference::Lowest => pit.index() as u64,
            Preference::Hash(hash) => mixed(hash ^ (pit.index() as u64 + 1)),
        };
        rank(pit) < rank(other)
    }
}
