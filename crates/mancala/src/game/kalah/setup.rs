//! Which Kalah is played: the size of the board, and the two rules on which the sources differ.

use std::fmt;
use std::str::FromStr;

use crate::game::Pit;

/// What happens to a last seed in an own empty pit when the pit opposite is empty too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EmptyCapture {
    /// It stays there (Gifford et al. 2008).
    #[default]
    Off,
    /// It is captured alone (Irving, Donkers and Uiterwijk 2000).
    On,
}

/// Who gets the seeds that are on the board when a row is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Leftover {
    /// They belong to the side in whose pits they lie (Irving, Donkers and Uiterwijk 2000).
    #[default]
    Owner,
    /// They go to the side whose pits are empty (Gifford et al. 2008).
    Emptier,
}

/// Kalah on one board under one set of rules.
///
/// Its text form is `kalah`, with what differs from the default behind a colon.
///
/// ```
/// use mancala::game::{Game, Pit, Side, kalah::Kalah};
/// let game: Kalah = "kalah:seeds=3,ending=emptier".parse().unwrap();
/// assert_eq!(game.to_string(), "kalah:seeds=3,ending=emptier");
/// // The third seed of D ends at home: the first player moves again.
/// let after = game.play(&game.start(Side::South), Pit::new(3).unwrap());
/// assert_eq!(after.to_string(), "3-3-3-0-4-4-1-3-3-3-3-3-3-0-1");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kalah {
    pits: u8,
    seeds: u8,
    empty_capture: EmptyCapture,
    leftover: Leftover,
}

/// A text or numbers that describe no Kalah.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KalahError {
    /// Another game.
    #[error("\"{0}\" is not kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier]")]
    Game(String),
    /// An unknown setting.
    #[error("kalah has no setting \"{0}\": there are pits, seeds, empty-capture and ending")]
    Setting(String),
    /// A setting without a value.
    #[error("kalah: {key} needs a value, {wanted}: {key}=…")]
    Bare {
        /// The setting.
        key: &'static str,
        /// What it can be.
        wanted: &'static str,
    },
    /// A setting with an impossible value.
    #[error("kalah: {key} is \"{value}\", not {wanted}")]
    Value {
        /// The setting.
        key: &'static str,
        /// What it was to be.
        value: String,
        /// What it can be.
        wanted: &'static str,
    },
    /// A setting twice.
    #[error("kalah: {0} is set twice")]
    Twice(&'static str),
}

impl Kalah {
    /// Most seeds that a pit can begin with.
    pub const MAX_SEEDS: u8 = 24;

    /// A board of `pits` pits a side with `seeds` seeds each, under the default rules.
    ///
    /// # Errors
    /// If there are not 1 to [`Pit::MAX`] pits and 1 to [`Kalah::MAX_SEEDS`] seeds.
    pub fn new(pits: u8, seeds: u8) -> Result<Kalah, KalahError> {
        let refused =
            |key, value: u8, wanted| KalahError::Value { key, value: value.to_string(), wanted };
        if !(1..=Pit::MAX).contains(&pits) {
            return Err(refused("pits", pits, PITS));
        }
        if !(1..=Kalah::MAX_SEEDS).contains(&seeds) {
            return Err(refused("seeds", seeds, SEEDS));
        }
        Ok(Kalah { pits, seeds, empty_capture: EmptyCapture::Off, leftover: Leftover::Owner })
    }

    /// The game of the report by Gifford et al. (2008): six pits, four seeds, no empty capture, and
    /// the side that empties its row takes what is left.
    pub const KANSAS: Kalah =
        Kalah { pits: 6, seeds: 4, empty_capture: EmptyCapture::Off, leftover: Leftover::Emptier };

    /// The same board with this rule for captures.
    pub fn with_empty_capture(self, empty_capture: EmptyCapture) -> Kalah {
        Kalah { empty_capture, ..self }
    }

    /// The same board with this rule for what is left.
    pub fn with_leftover(self, leftover: Leftover) -> Kalah {
        Kalah { leftover, ..self }
    }

    /// Pits of a side, 1 to 8.
    pub fn pits(&self) -> usize {
        self.pits.into()
    }

    /// Seeds in a pit at the start, 1 to 24.
    pub fn seeds_a_pit(&self) -> u16 {
        self.seeds.into()
    }

    /// Seeds in all.
    pub fn total(&self) -> u16 {
        2 * u16::from(self.pits) * u16::from(self.seeds)
    }

    /// What happens to a last seed opposite an empty pit.
    #[inline]
    pub fn empty_capture(&self) -> EmptyCapture {
        self.empty_capture
    }

    /// Who gets the seeds left at the end.
    #[inline]
    pub fn leftover(&self) -> Leftover {
        self.leftover
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
            let (key, wanted) = known.ok_or_else(|| KalahError::Setting(name.into()))?;
            if value.is_empty() {
                return Err(KalahError::Bare { key, wanted });
            }
            if seen.contains(&key) {
                return Err(KalahError::Twice(key));
            }
            seen.push(key);
            let refused = || KalahError::Value { key, value: value.into(), wanted };
            game.set(key, value).ok_or_else(refused)?;
        }
        Ok(game)
    }
}

/// The settings, and what each can be.
const KEYS: [(&str, &str); 4] = [
    ("pits", PITS),
    ("seeds", SEEDS),
    ("empty-capture", "on or off"),
    ("ending", "owner or emptier"),
];

impl Kalah {
    /// `None` if the setting cannot have this value.
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        let number = |most| {
            let digits = value.bytes().all(|b| b.is_ascii_digit());
            value.parse().ok().filter(|n| digits && (1..=most).contains(n))
        };
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
        let usual = Kalah::default();
        let mut settings = Vec::new();
        if self.pits != usual.pits {
            settings.push(format!("pits={}", self.pits));
        }
        if self.seeds != usual.seeds {
            settings.push(format!("seeds={}", self.seeds));
        }
        if self.empty_capture == EmptyCapture::On {
            settings.push("empty-capture=on".into());
        }
        if self.leftover == Leftover::Emptier {
            settings.push("ending=emptier".into());
        }
        f.write_str("kalah")?;
        if settings.is_empty() { Ok(()) } else { write!(f, ":{}", settings.join(",")) }
    }
}
