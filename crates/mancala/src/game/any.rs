//! Types with a variant for each game.

use std::fmt;
use std::str::FromStr;

use super::ayo::Rules;
use super::family::{self, Bias, Families, Holds, Unit};
use super::feature::{Definition, Featured, GameFeature, NamedWeights};
use super::notation::Notated;
use crate::text::did_you_mean;

/// Runs code with the game of an [`AnyGame`] as its concrete type, so that the code is compiled for each game.
///
/// ```
/// use mancala::game::{AnyGame, Game, Side, with_game};
/// let game: AnyGame = "kalah:seeds=3".parse().unwrap();
/// let moves = with_game!(game, game => game.moves(&game.start(Side::South)).len());
/// assert_eq!(moves, 6);
/// ```
#[macro_export]
macro_rules! with_game {
    // The list of all games with their modules.
    (@games $then:tt $($arguments:tt)*) => {
        $crate::with_game! { @$then [Ayo(ayo), Kalah(kalah)] $($arguments)* }
    };
    (@match [$($Game:ident($module:ident)),+] $any:expr, $game:ident => $code:expr) => {
        match $any {
            $($crate::game::AnyGame::$Game($game) => $code,)+
        }
    };
    (@define [$($games:tt)+]) => { define_games! { $($games)+ } };
    ($any:expr, $game:ident => $code:expr) => {
        $crate::with_game! { @games match $any, $game => $code }
    };
}

macro_rules! define_games {
    ($($Game:ident($module:ident)),+) => {
        $(use super::$module::{self, $Game};)+

        /// A game with its rules. The text form of kalah includes the rules:
        ///
        /// ```
        /// use mancala::game::AnyGame;
        /// let kalah: AnyGame = "kalah:seeds=3".parse().unwrap();
        /// assert_eq!((kalah.name(), kalah.to_string()), ("kalah", "kalah:seeds=3".to_string()));
        /// assert_eq!("ayo".parse(), Ok(AnyGame::default()));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum AnyGame {
            $(
                #[doc = concat!("The game of the module [`", stringify!($module), "`].")]
                $Game($Game),
            )+
        }

        /// A game regardless of its rules.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum GameKind {
            $(
                #[doc = concat!("The game of the module [`", stringify!($module), "`].")]
                $Game,
            )+
        }

        /// A feature of some game.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Feature {
            $(
                #[doc = concat!("A feature of the game of the module [`", stringify!($module), "`].")]
                $Game($module::Feature),
            )+
            Bias(Bias),
            Holds(Holds),
            Unit(Unit),
        }

        impl GameKind {
            pub const ALL: [GameKind; [$(stringify!($Game)),+].len()] = [$(GameKind::$Game),+];

            pub fn name(self) -> &'static str {
                match self {
                    $(GameKind::$Game => $Game::NAME,)+
                }
            }

            /// Returns the text form, for messages.
            fn form(self) -> &'static str {
                match self {
                    $(GameKind::$Game => $Game::FORM,)+
                }
            }

            fn read(self, text: &str) -> Option<Result<AnyGame, String>> {
                match self {
                    $(GameKind::$Game => $Game::read(text).map(|game| Ok(game?.into())),)+
                }
            }

            /// Returns the features in the order of their numbers, without those of the
            /// [`families`](GameKind::families).
            pub fn features(self) -> Vec<Feature> {
                match self {
                    $(GameKind::$Game => $module::Feature::ALL.map(Feature::$Game).to_vec(),)+
                }
            }

            /// Returns the families of features.
            pub fn families(self) -> Families {
                match self {
                    $(GameKind::$Game => $Game::FAMILIES,)+
                }
            }

            /// Returns the named sets of features.
            pub fn feature_sets(self) -> Vec<(&'static str, Vec<Feature>)> {
                match self {
                    $(GameKind::$Game => named_sets::<$Game>(),)+
                }
            }

            /// Returns the named weight vectors.
            pub fn evaluators(self) -> &'static [NamedWeights] {
                match self {
                    $(GameKind::$Game => $Game::EVALUATORS,)+
                }
            }
        }

        impl AnyGame {
            /// Returns the game without its rules.
            pub fn kind(&self) -> GameKind {
                match self {
                    $(AnyGame::$Game(_) => GameKind::$Game,)+
                }
            }
        }

        impl Feature {
            /// Returns the game of the feature.
            pub fn game(self) -> GameKind {
                match self {
                    $(Feature::$Game(_) => GameKind::$Game,)+
                    Feature::Bias(bias) => bias.game,
                    Feature::Holds(holds) => holds.game,
                    Feature::Unit(unit) => unit.game,
                }
            }

            pub(super) fn definition(self) -> &'static Definition {
                match self {
                    $(Feature::$Game(feature) => feature.definition(),)+
                    Feature::Bias(_) | Feature::Holds(_) | Feature::Unit(_) => family::definition(self),
                }
            }

            /// Returns the features that the feature is a sum of, with their factors; empty for most features.
            pub fn parts(self) -> Vec<(Feature, i32)> {
                match self {
                    $(Feature::$Game(feature) => {
                        feature.parts().iter().map(|&(part, factor)| (part.into(), factor)).collect()
                    })+
                    Feature::Bias(_) | Feature::Holds(_) | Feature::Unit(_) => Vec::new(),
                }
            }
        }

        $(
            impl From<$Game> for AnyGame {
                fn from(game: $Game) -> AnyGame {
                    AnyGame::$Game(game)
                }
            }

            impl From<$module::Feature> for Feature {
                fn from(feature: $module::Feature) -> Feature {
                    Feature::$Game(feature)
                }
            }

            impl TryFrom<Feature> for $module::Feature {
                type Error = Feature;

                fn try_from(feature: Feature) -> Result<$module::Feature, Feature> {
                    match feature {
                        Feature::$Game(feature) => Ok(feature),
                        other => Err(other),
                    }
                }
            }
        )+
    };
}

with_game! { @games define }

fn named_sets<G: Featured>() -> Vec<(&'static str, Vec<Feature>)> {
    let set = |&(name, features): &(&'static str, &[G::Feature])| {
        (name, features.iter().map(|&feature| feature.into()).collect())
    };
    let with_pits = |of| {
        let (name, mut features): (_, Vec<_>) = set(of);
        features.extend(Bias::of(G::KIND).map(Feature::from));
        features.extend(Holds::all(G::KIND).map(Feature::from));
        (name, features)
    };
    G::SETS.iter().map(set).chain(G::SET_OF_PITS.iter().map(with_pits)).collect()
}

impl AnyGame {
    /// Returns `ayo` or `kalah`.
    pub fn name(&self) -> &'static str {
        self.kind().name()
    }

    /// Returns the key and the value that describe the game with its rules: `rules: awari`, `game: kalah`.
    pub fn terms(&self) -> (&'static str, String) {
        with_game!(self, game => game.terms())
    }

    /// Replaces the rules of ayo. Fails for other games.
    pub fn with_rules(self, rules: Rules) -> Result<AnyGame, String> {
        match self {
            AnyGame::Ayo(_) => Ok(AnyGame::Ayo(Ayo { rules })),
            other => Err(format!(
                "{rules} is only for ayo; give the rules of {} with the game, as in kalah:ending=emptier",
                other.name()
            )),
        }
    }
}

impl Default for AnyGame {
    fn default() -> Self {
        AnyGame::Ayo(Ayo::default())
    }
}

impl FromStr for AnyGame {
    type Err = String;

    fn from_str(text: &str) -> Result<AnyGame, String> {
        let unknown = || {
            let forms: Vec<&str> = GameKind::ALL.into_iter().map(GameKind::form).collect();
            let name = text.split(':').next().unwrap_or(text);
            let choose = format!("choose {}", forms.join(" or "));
            let hint = did_you_mean(name, GameKind::ALL.map(GameKind::name), choose);
            Err(format!("unknown game \"{text}\": {hint}"))
        };
        GameKind::ALL.into_iter().find_map(|game| game.read(text)).unwrap_or_else(unknown)
    }
}

impl fmt::Display for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&with_game!(self, game => game.text()))
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
