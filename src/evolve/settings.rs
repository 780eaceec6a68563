//! The settings of a run: presets, names, text forms, validation.

use std::fmt::{self, Display, Write};
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::genome::Encoding;
use crate::eval::{FeatureSet, Signs};
use crate::game::ayo::Rules;
use crate::search::MAX_DEPTH;

/// A number of members, as such or as a share of the population. Text forms: `10`, `20%`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// So many members.
    Count(u32),
    /// So many per hundred members, rounded down.
    Percent(u32),
}

impl Share {
    /// How many members of a `population` that is.
    pub fn of(self, population: u32) -> usize {
        match self {
            Share::Count(count) => count as usize,
            Share::Percent(percent) => population as usize * percent as usize / 100,
        }
    }
}

impl FromStr for Share {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.strip_suffix('%') {
            Some(percent) => {
                percent.parse().ok().filter(|p| *p <= 100).map(Share::Percent).ok_or(())
            }
            None => text.parse().map(Share::Count).map_err(|_| ()),
        }
    }
}

impl Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Share::Count(count) => write!(f, "{count}"),
            Share::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

/// All that a run depends on. Only [`Draft::finish`] makes one, so whoever holds one need not check.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The preset that the settings began from.
    pub(crate) preset: String,
    /// Seed of all random streams.
    pub(crate) seed: u64,
    /// Evaluated populations in all.
    pub(crate) generations: u32,
    /// Members of a population.
    pub(crate) population: u32,
    /// Members drawn each generation as everybody's opponents.
    pub(crate) fitness_set: Share,
    /// Members copied unchanged into the next generation.
    pub(crate) elite: Share,
    /// Probability that a pair is crossed.
    pub(crate) crossover_rate: f64,
    /// Probability that a bit flips.
    pub(crate) mutation_rate: f64,
    /// How genes stand for weights.
    pub(crate) encoding: Encoding,
    /// What is weighed.
    pub(crate) features: FeatureSet,
    /// How weights are read.
    pub(crate) signs: Signs,
    /// The rules that games are played by.
    pub(crate) rules: Rules,
    /// Plies that every move is searched.
    pub(crate) depth: u32,
    /// Generations after which a pairing that was not met again is forgotten.
    pub(crate) pairing_memory: u32,
}

impl Settings {
    /// Members of the fitness set.
    pub fn fitness_set_size(&self) -> usize {
        self.fitness_set.of(self.population)
    }

    /// The fitness of a member who wins every game: two points for each of two games with each
    /// member of the fitness set.
    pub fn best_possible_fitness(&self) -> u64 {
        4 * self.fitness_set_size() as u64
    }

    /// Members of the elite.
    pub fn elite_size(&self) -> usize {
        self.elite.of(self.population)
    }

    /// Bits of a chromosome.
    pub fn chromosome_bits(&self) -> usize {
        self.features.features().len() * self.encoding.bits()
    }

    /// `key = value` lines in TOML with what each means; [`Draft::set`] reads the values back.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        for key in &KEYS {
            let _ = writeln!(text, "{} = {} # {}", key.name, (key.get)(self), key.meaning);
        }
        text
    }

    /// Sixteen hexadecimal digits that stand for all that a run's bytes depend on: every setting but
    /// the name of the preset and how many generations are asked for.
    pub fn hash(&self) -> String {
        let mut hasher = Sha256::new();
        for key in KEYS.iter().filter(|key| key.name != "preset" && key.name != "generations") {
            hasher.update(format!("{} = {}\n", key.name, (key.get)(self)));
        }
        hasher.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// A setting by name.
#[derive(Debug)]
pub struct Key {
    /// Its name in files, in `--set` and in messages.
    pub name: &'static str,
    /// What it means, in a line.
    pub meaning: &'static str,
    /// Its value in TOML.
    pub get: fn(&Settings) -> String,
    set: fn(&mut Settings, &str) -> Result<(), String>,
}

/// A setting that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// No preset of that name.
    #[error("unknown preset \"{0}\": there is {known}", known = PRESETS.join(", "))]
    Preset(String),
    /// No setting of that name.
    #[error("unknown setting \"{0}\": there are {known}", known = names())]
    Unknown(String),
    /// A setting that a whole configuration lacks.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// Text that is no TOML.
    #[error("not TOML in line {line}: {reason}")]
    Toml {
        /// Where, from 1.
        line: usize,
        /// What the parser says.
        reason: String,
    },
    /// A value that the setting cannot take.
    #[error("{key} is {value}: {reason}")]
    Value {
        /// Which setting.
        key: &'static str,
        /// What stands there.
        value: String,
        /// What should.
        reason: String,
    },
}

fn names() -> String {
    KEYS.each_ref().map(|key| key.name).join(", ")
}

/// The names of the presets.
pub const PRESETS: [&str; 1] = ["daoud2004"];

/// Settings on their way to being valid.
///
/// ```
/// use ayo::evolve::Draft;
/// let mut draft = Draft::preset("daoud2004").unwrap();
/// draft.set("population", "100").unwrap();
/// let settings = draft.finish().unwrap();
/// assert_eq!(settings.fitness_set_size(), 20);
/// let error = Draft::preset("daoud2004").unwrap().set("depth", "0").unwrap_err();
/// assert_eq!(error.to_string(), "depth is 0: give a whole number from 1 to 100");
/// ```
#[derive(Debug, Clone)]
pub struct Draft(Settings);

impl Draft {
    /// The settings of a preset, seed 1.
    pub fn preset(name: &str) -> Result<Draft, SettingError> {
        match name {
            "daoud2004" => Ok(Draft(daoud2004())),
            _ => Err(SettingError::Preset(name.into())),
        }
    }

    /// The settings of a TOML table: those of the preset that it names, `daoud2004` if it names none,
    /// and the changes that it makes to them.
    pub fn from_table(table: &toml::Table) -> Result<Draft, SettingError> {
        let preset = table.get("preset").map_or("daoud2004".into(), text_of);
        let mut draft = Draft::preset(&preset)?;
        draft.set_all(table)?;
        Ok(draft)
    }

    /// The settings of a table that has to name every one of them.
    pub fn from_whole_table(table: &toml::Table) -> Result<Draft, SettingError> {
        let draft = Draft::from_table(table)?;
        match KEYS.iter().find(|key| !table.contains_key(key.name)) {
            Some(key) => Err(SettingError::Missing(key.name)),
            None => Ok(draft),
        }
    }

    /// Changes every setting of a table.
    pub fn set_all(&mut self, table: &toml::Table) -> Result<(), SettingError> {
        table.iter().try_for_each(|(key, value)| self.set(key, &text_of(value)))
    }

    /// Changes one setting.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        if name == "preset" {
            // A name only: the values that it stood for were set when the draft began.
            return Draft::preset(value).map(|_| self.0.preset = value.into());
        }
        let key = KEYS.iter().find(|key| key.name == name);
        let key = key.ok_or_else(|| SettingError::Unknown(name.into()))?;
        (key.set)(&mut self.0, value).map_err(|reason| SettingError::Value {
            key: key.name,
            value: value.into(),
            reason,
        })
    }

    /// The settings, if they fit together.
    pub fn finish(self) -> Result<Settings, SettingError> {
        let settings = self.0;
        let refuse = |key, value: &dyn Display, reason: String| {
            Err(SettingError::Value { key, value: value.to_string(), reason })
        };
        let population = settings.population;
        if !(1..=population as usize).contains(&settings.fitness_set_size()) {
            let comes_to = match settings.fitness_set {
                Share::Count(_) => String::new(),
                Share::Percent(_) => {
                    let size = settings.fitness_set_size();
                    format!("of a population of {population} that is {size}; ")
                }
            };
            let reason =
                format!("{comes_to}it must come to 1 to {population} members of the population");
            return refuse("fitness_set", &settings.fitness_set, reason);
        }
        if settings.elite_size() > population as usize {
            let reason = format!("the population has only {population} members");
            return refuse("elite", &settings.elite, reason);
        }
        Ok(settings)
    }
}

/// The algorithm of Daoud, Kharma, Haidar and Popoola, "Ayo, the Awari Player" (CEC 2004).
fn daoud2004() -> Settings {
    Settings {
        preset: "daoud2004".into(),
        seed: 1,
        generations: 100,
        population: 50,
        fitness_set: Share::Percent(20),
        elite: Share::Percent(10),
        crossover_rate: 0.5,
        mutation_rate: 0.001,
        encoding: Encoding::Binary { bits: 4 },
        features: FeatureSet::daoud2004(),
        signs: Signs::Signed,
        rules: Rules::AYO,
        depth: 5,
        pairing_memory: 100,
    }
}

/// Every setting, in the order in which files list them.
pub static KEYS: [Key; 14] = [
    Key {
        name: "preset",
        meaning: "the preset that the settings began from",
        get: |s| quoted(&s.preset),
        set: |_, _| unreachable!("Draft::set handles it"),
    },
    Key {
        name: "seed",
        meaning: "seed of all random streams",
        get: |s| s.seed.to_string(),
        set: |s, v| whole(v, 0..=i64::MAX as u64).map(|n| s.seed = n),
    },
    Key {
        name: "generations",
        meaning: "evaluated populations in all",
        get: |s| s.generations.to_string(),
        set: |s, v| whole(v, 1..=10_000_000).map(|n| s.generations = n as u32),
    },
    Key {
        name: "population",
        meaning: "members of a population",
        get: |s| s.population.to_string(),
        set: |s, v| whole(v, 2..=10_000).map(|n| s.population = n as u32),
    },
    Key {
        name: "fitness_set",
        meaning: "members drawn each generation as everybody's opponents, a count or a percentage",
        get: |s| share_in_toml(s.fitness_set),
        set: |s, v| share(v).map(|n| s.fitness_set = n),
    },
    Key {
        name: "elite",
        meaning: "members copied unchanged, a count or a percentage",
        get: |s| share_in_toml(s.elite),
        set: |s, v| share(v).map(|n| s.elite = n),
    },
    Key {
        name: "crossover_rate",
        meaning: "probability that a pair is crossed at one point",
        get: |s| format!("{:?}", s.crossover_rate),
        set: |s, v| probability(v).map(|p| s.crossover_rate = p),
    },
    Key {
        name: "mutation_rate",
        meaning: "probability that a bit flips",
        get: |s| format!("{:?}", s.mutation_rate),
        set: |s, v| probability(v).map(|p| s.mutation_rate = p),
    },
    Key {
        name: "encoding",
        meaning: "how genes stand for weights",
        get: |s| quoted(s.encoding),
        set: |s, v| parsed(v).map(|e| s.encoding = e),
    },
    Key {
        name: "features",
        meaning: "what is weighed: a set or names joined by commas",
        get: |s| quoted(&s.features),
        set: |s, v| parsed(v).map(|f| s.features = f),
    },
    Key {
        name: "signs",
        meaning: "how weights are read: signed or literal",
        get: |s| quoted(s.signs),
        set: |s, v| parsed(v).map(|signs| s.signs = signs),
    },
    Key {
        name: "rules",
        meaning: "the rules that games are played by",
        get: |s| quoted(s.rules),
        set: |s, v| parsed(v).map(|rules| s.rules = rules),
    },
    Key {
        name: "depth",
        meaning: "plies that every move is searched",
        get: |s| s.depth.to_string(),
        set: |s, v| whole(v, 1..=MAX_DEPTH.into()).map(|n| s.depth = n as u32),
    },
    Key {
        name: "pairing_memory",
        meaning: "generations after which a pairing that was not met again is forgotten",
        get: |s| s.pairing_memory.to_string(),
        set: |s, v| whole(v, 1..=1_000_000).map(|n| s.pairing_memory = n as u32),
    },
];

/// Reads TOML; what is wrong with it is said with the line.
pub fn read_toml(text: &str) -> Result<toml::Table, SettingError> {
    text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        SettingError::Toml { line, reason: error.message().into() }
    })
}

/// A TOML value as it would be typed after `--set key=`.
fn text_of(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn quoted(value: impl Display) -> String {
    toml::Value::String(value.to_string()).to_string()
}

fn share_in_toml(share: Share) -> String {
    match share {
        Share::Count(count) => count.to_string(),
        Share::Percent(_) => quoted(share),
    }
}

fn whole(text: &str, allowed: std::ops::RangeInclusive<u64>) -> Result<u64, String> {
    let (low, high) = (allowed.start(), allowed.end());
    let number = text.parse().ok().filter(|n| allowed.contains(n));
    number.ok_or_else(|| format!("give a whole number from {low} to {high}"))
}

fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|p| (0.0..=1.0).contains(p));
    number.ok_or_else(|| "give a probability from 0 to 1".into())
}

fn share(text: &str) -> Result<Share, String> {
    text.parse().map_err(|()| "give a count or a percentage such as \"20%\"".into())
}

fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_read_back_from_toml() {
        let mut draft = Draft::preset("daoud2004").unwrap();
        for (key, value) in [
            ("seed", "77"),
            ("generations", "3"),
            ("population", "30"),
            ("fitness_set", "7"),
            ("elite", "0%"),
            ("crossover_rate", "1"),
            ("mutation_rate", "0.02"),
            ("encoding", "binary:6"),
            ("features", "a9,a10,a13"),
            ("signs", "literal"),
            ("rules", "no-slam:stalemate=causer-loses"),
            ("depth", "2"),
            ("pairing_memory", "5"),
        ] {
            draft.set(key, value).unwrap();
        }
        let settings = draft.finish().unwrap();
        let table: toml::Table = settings.to_toml().parse().unwrap();
        assert_eq!(table.len(), KEYS.len());
        assert_eq!(Draft::from_table(&table).unwrap().finish().unwrap(), settings);
    }

    #[test]
    fn the_hash_covers_what_the_bytes_depend_on() {
        let settings = |key: &str, value: &str| {
            let mut draft = Draft::preset("daoud2004").unwrap();
            draft.set(key, value).unwrap();
            draft.finish().unwrap().hash()
        };
        let hash = Draft::preset("daoud2004").unwrap().finish().unwrap().hash();
        assert_eq!(settings("generations", "7"), hash);
        assert_ne!(settings("seed", "7"), hash);
        assert_ne!(settings("rules", "awari"), hash);
    }

    #[test]
    fn wrong_settings_are_refused_by_key_and_value() {
        let refused = |key: &str, value: &str, reason: &str| {
            let mut draft = Draft::preset("daoud2004").unwrap();
            let error = draft.set(key, value).and_then(|()| draft.finish().map(drop)).unwrap_err();
            assert!(error.to_string().contains(reason), "{error}");
        };
        refused("populaton", "5", "unknown setting \"populaton\"");
        refused("population", "1", "population is 1: give a whole number from 2");
        refused("population", "-5", "population is -5");
        refused(
            "population",
            "4",
            "fitness_set is 20%: of a population of 4 that is 0; it must come to 1 to 4 members",
        );
        refused("fitness_set", "51", "fitness_set is 51: it must come to 1 to 50");
        refused("fitness_set", "120%", "fitness_set is 120%: give a count");
        refused("elite", "51", "elite is 51: the population has only 50");
        refused("mutation_rate", "NaN", "mutation_rate is NaN: give a probability");
        refused("crossover_rate", "1.1", "crossover_rate is 1.1");
        refused("encoding", "gray:4", "encoding is gray:4: unknown encoding");
        refused("features", "a1,b", "features is a1,b: \"b\" is neither");
        refused("rules", "chess", "rules is chess: unknown rules");
        refused("preset", "deap", "unknown preset \"deap\"");
    }
}
