//! The settings of kalah: the size of the board and the two rules in which the sources differ.

use std::fmt;
use std::str::FromStr;

use crate::game::Pit;
use crate::game::notation::unsigned;

/// Whether a last seed in an empty pit is captured when the pit opposite is empty too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EmptyCapture {
    /// The seed stays there (Gifford et al. 2008).
    #[default]
    Off,
    /// The seed is captured (Irving, Donkers and Uiterwijk 2000).
    On,
}

/// The side that gets the remaining seeds when a row is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Leftover {
    /// The side in whose pits they are (Irving, Donkers and Uiterwijk 2000).
    #[default]
    Owner,
    /// The side whose pits are empty (Gifford et al. 2008).
    Emptier,
}

/// Kalah on one board under one rule set.
///
/// The text form is `kalah`, followed by a colon and the settings that differ from the default.
///
/// ```
/// use mancala::game::{Game, Pit, Side, kalah::Kalah};
/// let game: Kalah = "kalah:seeds=3,ending=emptier".parse().unwrap();
/// assert_eq!(game.to_string(), "kalah:seeds=3,ending=emptier");
/// // The third seed of D ends in the store, so South moves again.
/// let after = game.play(&game.start(Side::South), Pit::new(3).unwrap());
/// assert_eq!(after.to_string(), "3-3-3-0-4-4-1-3-3-3-3-3-3-0-1");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kalah {
    pits: u8,
    seeds: u8,
    pub(in crate::game) empty_capture: EmptyCapture,
    pub(in crate::game) leftover: Leftover,
}

/// Errors in the settings of kalah.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KalahError {
    #[error("\"{0}\" is not kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier]")]
    Game(String),
    #[error("kalah has no setting \"{0}\": there are pits, seeds, empty-capture and ending")]
    Setting(String),
    #[error("kalah: {key} needs a value, {expected}: {key}=…")]
    Bare { key: &'static str, expected: &'static str },
    #[error("kalah: {key} is \"{value}\", not {expected}")]
    Value { key: &'static str, value: String, expected: &'static str },
    #[error("kalah: {0} is set twice")]
    Twice(&'static str),
}

impl Kalah {
    /// The largest number of seeds in a pit at the start.
    pub const MAX_SEEDS: u8 = 24;

    /// Creates a board with 1 to [`Pit::MAX`] pits per side and 1 to [`Kalah::MAX_SEEDS`] seeds per pit, under the
    /// default rules.
    pub fn new(pits: u8, seeds: u8) -> Result<Kalah, KalahError> {
        let mut game = Kalah::default();
        for (key, value, expected) in [("pits", pits, PITS), ("seeds", seeds, SEEDS)] {
            let value = value.to_string();
            game.set(key, &value).ok_or(KalahError::Value { key, value, expected })?;
        }
        Ok(game)
    }

    /// The game of Gifford et al. (2008).
    pub const KANSAS: Kalah =
        Kalah { pits: 6, seeds: 4, empty_capture: EmptyCapture::Off, leftover: Leftover::Emptier };

    pub fn with_empty_capture(self, empty_capture: EmptyCapture) -> Kalah {
        Kalah { empty_capture, ..self }
    }

    /// Returns the pits of a side, 1 to 8.
    pub fn pits(&self) -> usize {
        self.pits.into()
    }

    /// Returns the seeds in a pit at the start, 1 to 24.
    pub fn seeds_a_pit(&self) -> u16 {
        self.seeds.into()
    }

    /// Returns the number of all seeds.
    pub fn total(&self) -> u16 {
        2 * u16::from(self.pits) * u16::from(self.seeds)
    }
}

const PITS: &str = "a number from 1 to 8";
const SEEDS: &str = "a number from 1 to 24";

impl Default for Kalah {
    fn default() -> Self {
        Kalah { leftover: Leftover::Owner, ..Kalah::KANSAS }
    }
}

impl FromStr for Kalah {
    type Err = KalahError;

    fn from_str(text: &str) -> Result<Self, KalahError> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let mut game = Kalah::default();
        if text == "kalah" {
            return Ok(game);
        }
        if name != "kalah" || settings.split(',').any(str::is_empty) {
            return Err(KalahError::Game(text.into()));
        }
        let mut seen = Vec::new();
        for setting in settings.split(',') {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            let known = KEYS.into_iter().find(|(key, _)| *key == name);
            let (key, expected) = known.ok_or_else(|| KalahError::Setting(name.into()))?;
            if value.is_empty() {
                return Err(KalahError::Bare { key, expected });
            }
            if seen.contains(&key) {
                return Err(KalahError::Twice(key));
            }
            seen.push(key);
            let refused = || KalahError::Value { key, value: value.into(), expected };
            game.set(key, value).ok_or_else(refused)?;
        }
        Ok(game)
    }
}

/// The settings with a description of their values.
const KEYS: [(&str, &str); 4] = [
    ("pits", PITS),
    ("seeds", SEEDS),
    ("empty-capture", "on or off"),
    ("ending", "owner or emptier"),
];

impl Kalah {
    /// Changes a setting. Returns `None` if the value is invalid.
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        let number = |most| unsigned(value).filter(|number| (1..=most).contains(number));
        match (key, value) {
            ("pits", _) => self.pits = number(Pit::MAX)?,
            ("seeds", _) => self.seeds = number(Kalah::MAX_SEEDS)?,
            ("empty-capture", "on") => self.empty_capture = EmptyCapture::On,
            ("empty-capture", "off") => self.empty_capture = EmptyCapture::Off,
            ("ending", "owner") => self.leftover = Leftover::Owner,
            ("ending", "emptier") => self.leftover = Leftover::Emptier,
            _ => return None,
        }
        Some(())
    }
}

impl fmt::Display for Kalah {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Kalah::default();
        let settings = [
            (self.pits != default.pits).then(|| format!("pits={}", self.pits)),
            (self.seeds != default.seeds).then(|| format!("seeds={}", self.seeds)),
            (self.empty_capture == EmptyCapture::On).then(|| "empty-capture=on".into()),
            (self.leftover == Leftover::Emptier).then(|| "ending=emptier".into()),
        ];
        let settings: Vec<String> = settings.into_iter().flatten().collect();
        f.write_str("kalah")?;
        if settings.is_empty() { Ok(()) } else { write!(f, ":{}", settings.join(",")) }
    }
}
