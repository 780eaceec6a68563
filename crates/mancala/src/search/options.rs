//! What else than weights and a budget decides the choice of a search.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use crate::eval::{Perspective, Quiescence, Weights};
use crate::game::{Game, GameKind, Pit};
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

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): a bijection, so no two pits rank alike.
fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// A hash that no version of a library and no machine changes: it decides moves, and so the results of
/// runs.
struct Fixed(u64);

impl Fixed {
    fn add(&mut self, word: u64) {
        self.0 = mixed(self.0.wrapping_add(0x9E37_79B9_7F4A_7C15) ^ word);
    }
}

impl Hasher for Fixed {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.add(byte.into());
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.add(number.into());
    }

    fn write_u16(&mut self, number: u16) {
        self.add(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.add(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.add(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
