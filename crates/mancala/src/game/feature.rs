//! What can be counted in a position.

use std::fmt::Debug;
use std::hash::Hash;

pub use super::any::Feature;
use super::family::{self, Families, Owner};
use super::{Game, GameKind, Side};

/// What a feature is called and what can be said of its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// The name in users' files, such as `a1`. No two features of any games share one.
    pub name: &'static str,
    /// What is counted, in a few words.
    pub meaning: &'static str,
    /// The sign that the `signed` convention gives the feature: +1 or −1.
    pub sign: i32,
    /// The largest size of a value; in kalah on the usual board.
    pub max: i32,
}

/// The features of one game, as an enum that a macro makes from one table.
pub trait GameFeature<P>: Copy + Debug + Eq + Ord + Hash + Send + Sync + 'static {
    /// All features, in the order of the table.
    const ALL: &'static [Self];

    /// The row of the table.
    fn definition(self) -> &'static Definition;

    /// The features that it is a sum of, each with its factor; empty if it is none.
    fn parts(self) -> &'static [(Self, i32)];

    /// The value in `position` from the view of `me`, whichever side is to move.
    fn value(self, position: &P, me: Side) -> i32;
}

/// A game in whose positions something can be counted.
pub trait Featured: Game {
    /// Its features.
    type Feature: GameFeature<Self::Position> + Into<Feature> + TryFrom<Feature>;

    /// Which game it is.
    const KIND: GameKind;

    /// The families of features that it has besides.
    const FAMILIES: Families;

    /// The sets of features that have a name.
    const SETS: &'static [(&'static str, &'static [Self::Feature])];

    /// The set of features that consists of these, the bias, and what each pit holds, by its name; `None` if the
    /// game has no such.
    const SET_OF_PITS: Option<(&'static str, &'static [Self::Feature])> = None;

    /// The evaluators that have a name.
    const EVALUATORS: &'static [NamedWeights];

    /// The features that count captured seeds.
    const CAPTURED: &'static [Self::Feature];

    /// The seeds in pit number `pit` of `side`, counted from 0 in the order of sowing; 0 beyond its last pit.
    fn held(position: &Self::Position, side: Side, pit: usize) -> u32;
}

/// Weights that have a name, published or made by hand, under the `signed` convention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedWeights {
    /// The name.
    pub name: &'static str,
    /// The set of features: its name, or the names of the features joined by commas.
    pub features: &'static str,
    /// A weight for each feature of the set.
    pub weights: &'static [i64],
}

impl Feature {
    /// The feature with this name, of whichever game.
    ///
    /// ```
    /// use mancala::game::{Feature, GameKind};
    /// assert_eq!(Feature::from_name("a10").map(Feature::game), Some(GameKind::Ayo));
    /// assert_eq!(Feature::from_name("k3").map(Feature::game), Some(GameKind::Kalah));
    /// ```
    pub fn from_name(name: &str) -> Option<Feature> {
        Feature::all().find(|feature| feature.name() == name).or_else(|| family::from_name(name))
    }

    /// The features of all games that something is counted for, those of ayo first: without those of
    /// [families](GameKind::members).
    pub fn all() -> impl Iterator<Item = Feature> {
        GameKind::ALL.into_iter().flat_map(|game| game.features())
    }

    /// `a1` to `a14` in ayo, with `bias`, `m1=0` to `t6=13` and `u1` to `u64`; `h1` to `h6` and `k1` to `k9` in
    /// kalah, with `ku1` to `ku64`.
    pub fn name(self) -> &'static str {
        self.definition().name
    }

    /// What is counted, in a few words.
    pub fn meaning(self) -> &'static str {
        self.definition().meaning
    }

    /// The sign that the `signed` convention gives the feature: +1 or −1.
    ///
    /// Daoud et al. (2004) print a sum of non-negative weights, which taken literally rewards the
    /// opponent's captures. Under these signs their published weights play well.
    pub fn sign(self) -> i32 {
        self.definition().sign
    }

    /// The largest size of a value; in kalah on the usual board.
    pub fn max(self) -> i32 {
        self.definition().max
    }

    /// Whether it is a unit of a learned layer.
    pub fn is_unit(self) -> bool {
        matches!(self, Feature::Unit(_))
    }

    /// The value in `position` from the view of `me`, whichever side is to move. `None` if it is a feature of
    /// another game, or a unit, which needs its layer.
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
            Feature::Bias(_) => Some(1),
            Feature::Holds(holds) => {
                let side = if holds.owner() == Owner::Mine { me } else { me.other() };
                let held = G::held(position, side, holds.pit().into());
                let seeds = holds.seeds().into();
                Some((held == seeds || holds.or_more() && held > seeds).into())
            }
            Feature::Unit(_) => None,
            own => Some(G::Feature::try_from(own).ok()?.value(position, me)),
        }
    }
}

/// Declares the features of a game: the one place that says what a feature is called, what it counts, its
/// sign, its largest value and how it is counted. Everything else follows from it.
///
/// A row is `name: Variant, + or -, 0..=max, "meaning" => value;`, in which `value` is an expression of the
/// three names after `value`: the position, the player whose view it is, and the opponent. `is [(A, 1),
/// (B, -1)]` after it says that the feature is that sum of others.
macro_rules! features {
    (
        $(#[$attribute:meta])*
        pub enum Feature of $position:ty;
        value($at:ident, $me:ident, $you:ident);
        $(
            $(#[cfg($cfg:meta)])?
            $(#[doc = $doc:literal])*
            $name:ident: $variant:ident, $sign:tt, 0..=$max:literal, $meaning:literal
                => $value:expr $(, is $parts:expr)?;
        )+
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Feature {
            $(
                $(#[cfg($cfg)])?
                #[doc = concat!("`", stringify!($name), "`:")]
                $(#[doc = $doc])*
                $variant,
            )+
        }

        const COUNT: usize = [$($(#[cfg($cfg)])? stringify!($name)),+].len();

        const DEFINITIONS: [$crate::game::Definition; COUNT] = [
            $(
                $(#[cfg($cfg)])?
                $crate::game::Definition {
                    name: stringify!($name),
                    meaning: $meaning,
                    sign: features!(@sign $sign),
                    max: $max,
                },
            )+
        ];

        impl Feature {
            /// All features, in the order of their numbers.
            pub const ALL: [Feature; COUNT] = [$($(#[cfg($cfg)])? Feature::$variant),+];

            /// The value in `position` from the view of `me`, whichever side is to move.
            #[inline]
            pub fn value(self, $at: &$position, $me: Side) -> i32 {
                let $you = $me.other();
                match self {
                    $($(#[cfg($cfg)])? Feature::$variant => $value,)+
                }
            }
        }

        impl $crate::game::GameFeature<$position> for Feature {
            const ALL: &'static [Feature] = &Feature::ALL;

            fn definition(self) -> &'static $crate::game::Definition {
                &DEFINITIONS[self as usize]
            }

            fn parts(self) -> &'static [(Feature, i32)] {
                match self {
                    $($(#[cfg($cfg)])? Feature::$variant => features!(@parts $($parts)?),)+
                }
            }

            #[inline]
            fn value(self, position: &$position, me: Side) -> i32 {
                self.value(position, me)
            }
        }
    };
    (@sign +) => { 1 };
    (@sign -) => { -1 };
    (@parts) => { &[] };
    (@parts $parts:expr) => { &$parts };
}
pub(crate) use features;
