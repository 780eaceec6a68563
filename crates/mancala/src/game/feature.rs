//! Features, i.e. numbers that are computed from a position in order to evaluate it.

use std::fmt::Debug;
use std::hash::Hash;

pub use super::any::Feature;
use super::family::{MEMBERS, Owner};
use super::{Game, GameKind, Side};

/// The name and properties of a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// The name used in files, such as `a1`. It is unique across all games.
    pub name: &'static str,
    pub meaning: &'static str,
    /// The sign under the `signed` convention: +1 or −1.
    pub sign: i32,
    /// The largest value (for kalah, on the default board). The smallest value is 0, or −`max` for `h1`.
    pub max: i32,
}

/// A feature of one particular game. The `features!` macro implements this.
pub trait GameFeature<P>: Copy + Debug + Eq + Ord + Hash + Send + Sync + 'static {
    const ALL: &'static [Self];

    fn definition(self) -> &'static Definition;

    /// Returns the value in `position` from the perspective of `me`, regardless of the side to move.
    fn value(self, position: &P, me: Side) -> i32;
}

pub trait Featured: Game {
    type Feature: GameFeature<Self::Position> + Into<Feature> + TryFrom<Feature>;

    const KIND: GameKind;

    const SETS: &'static [(&'static str, &'static [Self::Feature])];

    const EVALUATORS: &'static [NamedWeights];

    /// The features that count the seeds in stores.
    const CAPTURED: &'static [Self::Feature];

    /// Returns how many seeds `side` has in a pit (numbered from 0 in sowing order), or 0 if there is no such pit.
    fn seeds_in_pit(position: &Self::Position, side: Side, pit: usize) -> u32;
}

/// Weights that are available by name, e.g. published or hand-tuned ones. They use the `signed` convention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedWeights {
    pub name: &'static str,
    /// The name of a feature set, or the names of features joined by commas.
    pub features: &'static str,
    pub weights: &'static [i64],
}

impl Feature {
    /// Looks up a feature of any game by name.
    pub fn from_name(name: &str) -> Option<Feature> {
        let members = MEMBERS.keys().copied();
        Feature::all().chain(members).find(|feature| feature.name() == name)
    }

    /// Returns the features of all games, except for members of [families](GameKind::members).
    pub fn all() -> impl Iterator<Item = Feature> {
        GameKind::ALL.into_iter().flat_map(|game| game.features())
    }

    /// Returns the name, such as `a1`, `bias`, `m1=0` or `u1` for ayo, and `h1`, `k1` or `ku1` for kalah.
    pub fn name(self) -> &'static str {
        self.definition().name
    }

    pub fn meaning(self) -> &'static str {
        self.definition().meaning
    }

    /// Returns the sign under the `signed` convention: +1 or −1.
    ///
    /// Daoud et al. (2004) print a sum with non-negative weights. Taken literally, this sum would reward the opponent's
    /// captures. With the signs returned by this function, however, the published weights play well.
    pub fn sign(self) -> i32 {
        self.definition().sign
    }

    /// Returns the largest value of the feature. See [`Definition::max`].
    pub fn max(self) -> i32 {
        self.definition().max
    }

    pub fn is_hidden_neuron(self) -> bool {
        matches!(self, Feature::HiddenNeuron(_))
    }

    /// Returns the value in `position` from the perspective of `me`, regardless of the side to move. Returns `None` for
    /// features of other games, and for hidden neurons, because their values depend on a layer.
    ///
    /// ```
    /// use mancala::game::{Feature, Side, ayo::{self, Ayo}, kalah};
    /// let position = "0-0-0-0-0-1-1-0-0-0-0-0-24-22-S".parse().unwrap();
    /// let seeds = Feature::from(ayo::Feature::MySeeds);
    /// assert_eq!(seeds.value::<Ayo>(&position, Side::North), Some(22));
    /// let store = Feature::from(kalah::Feature::MyStore);
    /// assert_eq!(store.value::<Ayo>(&position, Side::North), None);
    /// ```
    pub fn value<G: Featured>(self, position: &G::Position, me: Side) -> Option<i32> {
        match self {
            _ if self.game() != G::KIND => None,
            Feature::Bias => Some(1),
            Feature::PitCount(holds) => {
                let side = if holds.owner == Owner::Mine { me } else { me.other() };
                let held = G::seeds_in_pit(position, side, holds.pit.into());
                let seeds = holds.seeds.into();
                Some((held == seeds || holds.is_open_ended() && held > seeds).into())
            }
            Feature::HiddenNeuron(_) => None,
            own => Some(G::Feature::try_from(own).ok()?.value(position, me)),
        }
    }
}

/// Declares the features of a game.
///
/// Each row has the form `name: Variant, + or -, 0..=max, "meaning" => value;`. The expression `value` can use the
/// three identifiers given in `value(…)`, i.e. the position, the player and the opponent.
macro_rules! features {
    (
        $(#[$attribute:meta])*
        pub enum Feature of $position:ty;
        value($at:ident, $me:ident, $you:ident);
        $(
            $name:ident: $variant:ident, $sign:tt, 0..=$max:literal, $meaning:literal
                => $value:expr;
        )+
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Feature {
            $(
                #[doc = concat!("`", stringify!($name), "`: ", $meaning, ".")]
                $variant,
            )+
        }

        const COUNT: usize = [$(stringify!($name)),+].len();

        const DEFINITIONS: [$crate::game::Definition; COUNT] = [
            $(
                $crate::game::Definition {
                    name: stringify!($name),
                    meaning: $meaning,
                    sign: features!(@sign $sign),
                    max: $max,
                },
            )+
        ];

        impl Feature {
            /// All features in numerical order.
            pub const ALL: [Feature; COUNT] = [$(Feature::$variant),+];
        }

        impl $crate::game::GameFeature<$position> for Feature {
            const ALL: &'static [Feature] = &Feature::ALL;

            fn definition(self) -> &'static $crate::game::Definition {
                &DEFINITIONS[self as usize]
            }

            #[inline]
            fn value(self, $at: &$position, $me: Side) -> i32 {
                let $you = $me.other();
                match self {
                    $(Feature::$variant => $value,)+
                }
            }
        }
    };
    (@sign +) => { 1 };
    (@sign -) => { -1 };
}
pub(crate) use features;
