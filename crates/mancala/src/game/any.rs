//! Enums with a variant for each game, and macros that dispatch on them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::ayo::{self, Ayo, Rules};
use super::family::{HiddenNeuron, MEMBERS, PitCount};
use super::feature::{Definition, Featured, GameFeature, NamedWeights};
use super::kalah::{self, Kalah};
use super::notation::Notated;
use crate::text::did_you_mean;

/// Runs code with the concrete game in an [`AnyGame`]. The code is compiled once for each game.
///
/// ```
/// use mancala::game::{AnyGame, Game, Side, with_game};
/// let game: AnyGame = "kalah:seeds=3".parse().unwrap();
/// let moves = with_game!(game, game => game.moves(&game.start(Side::South)).len());
/// assert_eq!(moves, 6);
/// ```
#[macro_export]
macro_rules! with_game {
    ($any:expr, $game:ident => $code:expr) => {
        match $any {
            $crate::game::AnyGame::Ayo($game) => $code,
            $crate::game::AnyGame::Kalah($game) => $code,
        }
    };
}

/// Runs code with the game type that corresponds to a [`GameKind`].
#[macro_export]
macro_rules! with_type {
    ($kind:expr, $G:ident => $code:expr) => {
        match $kind {
            $crate::game::GameKind::Ayo => {
                type $G = $crate::game::ayo::Ayo;
                $code
            }
            $crate::game::GameKind::Kalah => {
                type $G = $crate::game::kalah::Kalah;
                $code
            }
        }
    };
}

/// A game with its rules. For kalah, the text form includes the rules, as in `kalah:seeds=3`. For ayo, the text form is
/// just the name, because the rules are a separate setting:
///
/// ```
/// use mancala::game::AnyGame;
/// let kalah: AnyGame = "kalah:seeds=3".parse().unwrap();
/// assert_eq!((kalah.name(), kalah.to_string()), ("kalah", "kalah:seeds=3".to_string()));
/// assert_eq!("ayo".parse(), Ok(AnyGame::default()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Fields", try_from = "Fields")]
pub enum AnyGame {
    Ayo(Ayo),
    Kalah(Kalah),
}

/// The fields that describe a game in a file: `rules` for ayo, or `game` (with its rules) for any other game.
#[derive(Serialize, Deserialize)]
struct Fields {
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
}

impl From<AnyGame> for Fields {
    fn from(game: AnyGame) -> Fields {
        match game.description() {
            ("rules", rules) => Fields { rules: Some(rules), game: None },
            (_, game) => Fields { rules: None, game: Some(game) },
        }
    }
}

impl TryFrom<Fields> for AnyGame {
    type Error = String;

    fn try_from(fields: Fields) -> Result<AnyGame, String> {
        let (field, text) = match (fields.rules, fields.game) {
            (Some(rules), None) => ("rules", rules),
            (None, Some(game)) => ("game", game),
            _ => return Err("either rules or game is required".into()),
        };
        AnyGame::described(field, &text).map_err(|reason| format!("{field}: {reason}"))
    }
}

/// A kind of game, regardless of its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GameKind {
    Ayo,
    Kalah,
}

/// A feature of any game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    Ayo(ayo::Feature),
    Kalah(kalah::Feature),
    /// A feature that is always 1. This adds its weight to every evaluation. Only for ayo.
    Bias,
    PitCount(PitCount),
    HiddenNeuron(HiddenNeuron),
}

macro_rules! conversions {
    ($($Enum:ident::$Variant:ident($part:ty)),+ $(,)?) => {$(
        impl From<$part> for $Enum {
            fn from(part: $part) -> $Enum {
                $Enum::$Variant(part)
            }
        }

        impl TryFrom<$Enum> for $part {
            type Error = $Enum;

            fn try_from(whole: $Enum) -> Result<$part, $Enum> {
                match whole {
                    $Enum::$Variant(part) => Ok(part),
                    other => Err(other),
                }
            }
        }
    )+};
}

conversions! {
    AnyGame::Ayo(Ayo), AnyGame::Kalah(Kalah),
    Feature::Ayo(ayo::Feature), Feature::Kalah(kalah::Feature),
    Feature::PitCount(PitCount), Feature::HiddenNeuron(HiddenNeuron),
}

impl GameKind {
    pub const ALL: [GameKind; 2] = [GameKind::Ayo, GameKind::Kalah];

    pub fn name(self) -> &'static str {
        with_type!(self, G => G::NAME)
    }

    /// Returns the features in numerical order, except for members of [families](GameKind::members).
    pub fn features(self) -> Vec<Feature> {
        with_type!(self, G => <G as Featured>::Feature::ALL.iter().map(|&it| it.into()).collect())
    }

    pub fn feature_sets(self) -> Vec<(&'static str, Vec<Feature>)> {
        let mut sets: Vec<(_, Vec<Feature>)> = with_type!(self, G => {
            let set = |(name, features): &(_, &[<G as Featured>::Feature])| {
                (*name, features.iter().map(|&feature| feature.into()).collect())
            };
            G::SETS.iter().map(set).collect()
        });
        if self == GameKind::Ayo {
            let daoud = ayo::DAOUD.into_iter().map(Feature::from);
            let holds = PitCount::all().map(Feature::from);
            sets.push(("pits", daoud.chain([Feature::Bias]).chain(holds).collect()));
        }
        sets
    }

    pub fn evaluators(self) -> &'static [NamedWeights] {
        with_type!(self, G => G::EVALUATORS)
    }
}

impl Feature {
    pub fn game(self) -> GameKind {
        match self {
            Feature::Ayo(_) | Feature::Bias | Feature::PitCount(_) => GameKind::Ayo,
            Feature::Kalah(_) => GameKind::Kalah,
            Feature::HiddenNeuron(unit) => unit.game,
        }
    }

    pub(super) fn definition(self) -> &'static Definition {
        match self {
            Feature::Ayo(feature) => feature.definition(),
            Feature::Kalah(feature) => feature.definition(),
            _ => &MEMBERS[&self],
        }
    }

    /// If this feature is a linear combination of others (e.g. `h1` = `h2` − `h3`), returns them and their factors.
    pub fn parts(self) -> Vec<(Feature, i32)> {
        let Feature::Kalah(feature) = self else { return Vec::new() };
        feature.parts().iter().map(|&(part, factor)| (part.into(), factor)).collect()
    }
}

impl AnyGame {
    pub fn kind(&self) -> GameKind {
        match self {
            AnyGame::Ayo(_) => GameKind::Ayo,
            AnyGame::Kalah(_) => GameKind::Kalah,
        }
    }

    pub fn name(&self) -> &'static str {
        self.kind().name()
    }

    /// Returns a key and a value that describe the game and its rules, such as `rules: awari` or `game: kalah`.
    pub fn description(&self) -> (&'static str, String) {
        with_game!(self, game => game.description())
    }

    /// Returns the [description](Self::description) as text, such as `rules awari` or `game kalah`.
    pub fn terms(&self) -> String {
        let (word, text) = self.description();
        format!("{word} {text}")
    }

    /// Creates a game from its [description](Self::description).
    pub fn described(word: &str, text: &str) -> Result<AnyGame, String> {
        match word {
            "rules" => AnyGame::default().with_rules(text.parse()?),
            "game" => text.parse(),
            _ => Err(format!("its game is given as \"{word}\", not \"rules\" or \"game\"")),
        }
    }

    /// Replaces the rules of an ayo game. Fails for other games.
    pub fn with_rules(self, rules: Rules) -> Result<AnyGame, String> {
        match self {
            AnyGame::Ayo(_) => Ok(AnyGame::Ayo(Ayo { rules })),
            other => Err(format!(
                "{rules} applies only to ayo; give the rules of {} with the game, as in kalah:ending=emptier",
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
        match text.split(':').next().unwrap_or(text) {
            Ayo::NAME if text == Ayo::NAME => Ok(AnyGame::default()),
            Kalah::NAME => text.parse().map(AnyGame::Kalah),
            name => {
                let otherwise = format!("choose {} or {}", Ayo::NAME, Kalah::FORM);
                let hint = did_you_mean(name, GameKind::ALL.map(GameKind::name), otherwise);
                Err(format!("unknown game \"{text}\": {hint}"))
            }
        }
    }
}

impl fmt::Display for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyGame::Ayo(_) => f.write_str(Ayo::NAME),
            AnyGame::Kalah(game) => game.fmt(f),
        }
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
