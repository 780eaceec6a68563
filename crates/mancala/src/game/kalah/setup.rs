//! The board size of kalah, and the two rules that differ between sources.

use std::fmt;
use std::str::FromStr;

use crate::game::notation::unsigned;
use crate::game::{Notated, Pit};

/// Whether the last seed is captured if it falls into an empty pit whose opposite pit is empty too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EmptyCapture {
    /// The seed stays in the pit (Gifford et al. 2008).
    #[default]
    Off,
    /// The seed is captured (Irving, Donkers and Uiterwijk 2000).
    On,
}

/// Who gets the remaining seeds when a row becomes empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RemainingSeeds {
    /// The side whose pits hold the seeds (Irving, Donkers and Uiterwijk 2000).
    #[default]
    Owner,
    /// The side whose pits are empty (Gifford et al. 2008).
    Emptier,
}

/// Kalah with a particular board and rules.
///
/// The text form is `kalah`, followed by a colon and any settings that differ from the defaults.
///
/// ```
/// use mancala::game::{Game, Pit, Side, kalah::Kalah};
/// let game: Kalah = "kalah:seeds=3,ending=emptier".parse().unwrap();
/// assert_eq!(game.to_string(), "kalah:seeds=3,ending=emptier");
/// // D's third seed ends in the store, so South moves again.
/// let after = game.play(&game.start(Side::South), Pit::new(3).unwrap());
/// assert_eq!(after.to_string(), "3-3-3-0-4-4-1-3-3-3-3-3-3-0-1");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kalah {
    pits: u8,
    seeds: u8,
    pub(in crate::game) empty_capture: EmptyCapture,
    pub(in crate::game) remaining_seeds: RemainingSeeds,
}

impl Kalah {
    /// The text form with all settings, which we show in error messages.
    pub(in crate::game) const FORM: &str =
        "kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier]";

    /// The maximum number of seeds per pit in the initial position.
    pub const MAX_SEEDS: u8 = 24;

    /// Creates a game with default rules, 1 to [`Pit::MAX`] pits per side and 1 to [`Kalah::MAX_SEEDS`] seeds per pit.
    pub fn new(pits: u8, seeds: u8) -> Result<Kalah, String> {
        let mut game = Kalah::default();
        game.set("pits", &pits.to_string())?;
        game.set("seeds", &seeds.to_string())?;
        Ok(game)
    }

    /// The variant studied by Gifford et al. (2008).
    pub const KANSAS: Kalah = Kalah {
        pits: 6,
        seeds: 4,
        empty_capture: EmptyCapture::Off,
        remaining_seeds: RemainingSeeds::Emptier,
    };

    pub fn with_empty_capture(self, empty_capture: EmptyCapture) -> Kalah {
        Kalah { empty_capture, ..self }
    }

    /// Returns the number of pits per side, 1 to 8.
    pub fn pits(&self) -> usize {
        self.pits.into()
    }

    /// Returns the number of seeds per pit in the initial position, 1 to 24.
    pub fn seeds_per_pit(&self) -> u16 {
        self.seeds.into()
    }

    pub fn total(&self) -> u16 {
        2 * u16::from(self.pits) * u16::from(self.seeds)
    }
}

impl Default for Kalah {
    fn default() -> Self {
        Kalah { remaining_seeds: RemainingSeeds::Owner, ..Kalah::KANSAS }
    }
}

impl FromStr for Kalah {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let mut game = Kalah::default();
        if text == Self::NAME {
            return Ok(game);
        }
        if name != Self::NAME || settings.split(',').any(str::is_empty) {
            return Err(format!("\"{text}\" is not {}", Self::FORM));
        }
        let mut seen = Vec::new();
        for setting in settings.split(',') {
            let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
            game.set(key, value)?;
            if seen.contains(&key) {
                return Err(format!("kalah: {key} is set twice"));
            }
            seen.push(key);
        }
        Ok(game)
    }
}

impl Kalah {
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let number = |most| unsigned(value).filter(|number| (1..=most).contains(number));
        let expected = match key {
            "pits" => "a number from 1 to 8",
            "seeds" => "a number from 1 to 24",
            "empty-capture" => "on or off",
            "ending" => "owner or emptier",
            _ => {
                let known = "use pits, seeds, empty-capture or ending";
                return Err(format!("kalah has no setting \"{key}\": {known}"));
            }
        };
        match (key, value, number(Pit::MAX), number(Kalah::MAX_SEEDS)) {
            ("pits", _, Some(pits), _) => self.pits = pits,
            ("seeds", _, _, Some(seeds)) => self.seeds = seeds,
            ("empty-capture", "on", ..) => self.empty_capture = EmptyCapture::On,
            ("empty-capture", "off", ..) => self.empty_capture = EmptyCapture::Off,
            ("ending", "owner", ..) => self.remaining_seeds = RemainingSeeds::Owner,
            ("ending", "emptier", ..) => self.remaining_seeds = RemainingSeeds::Emptier,
            (_, "", ..) => return Err(format!("kalah: {key} needs a value, {expected}: {key}=…")),
            _ => return Err(format!("kalah: {key} is \"{value}\", not {expected}")),
        }
        Ok(())
    }
}

impl fmt::Display for Kalah {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Kalah::default();
        let settings = [
            (self.pits != default.pits).then(|| format!("pits={}", self.pits)),
            (self.seeds != default.seeds).then(|| format!("seeds={}", self.seeds)),
            (self.empty_capture == EmptyCapture::On).then(|| "empty-capture=on".into()),
            (self.remaining_seeds == RemainingSeeds::Emptier).then(|| "ending=emptier".into()),
        ];
        let settings: Vec<String> = settings.into_iter().flatten().collect();
        f.write_str("kalah")?;
        if settings.is_empty() { Ok(()) } else { write!(f, ":{}", settings.join(",")) }
    }
}
