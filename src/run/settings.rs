//! The settings of a run: presets, names, text forms, validation.

mod choices;
mod keys;
mod presets;

use std::fmt::{Display, Write};
use std::time::Duration;

use sha2::{Digest, Sha256};

pub use self::choices::{
    Beginnings, Crossover, Fixed, Founders, Merit, Mutation, Scale, Selection, Share, ranking,
};
pub use self::keys::{KEYS, Key};
pub(crate) use self::presets::usual;
pub use self::presets::{DEFAULT_PRESET, PRESETS, preset_of_game};
use crate::optimise::genome::{Chromosome, Encoding};
use crate::run::yardstick::MeasuredOpenings;
use mancala::eval::{Feature, FeatureSet, Signs, Weights};
use mancala::game::ayo::Rules;
use mancala::game::{AnyGame, with_game};

/// The fitness by tables of a member who gives nothing away.
pub(crate) const ALL_KEPT: u64 = 1_000_000;

/// All that a run depends on. Only [`Draft::finish`] makes one, so whoever holds one need not check.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The preset that the settings began from.
    pub(crate) preset: String,
    /// The run that this one branched off from, and where; empty for none.
    pub(crate) parent: String,
    /// Seed of all random streams.
    pub(crate) seed: u64,
    /// Evaluated populations in all.
    pub(crate) generations: u32,
    /// Members of a population.
    pub(crate) population: u32,
    /// Chromosomes that the first population begins from.
    pub(crate) founders: Founders,
    /// What makes a member fit.
    pub(crate) fitness: Merit,
    /// Positions in endgame tables that everybody is asked about, new ones each generation.
    pub(crate) tables_positions: u32,
    /// Plies that a member searches in such a position.
    pub(crate) tables_depth: u32,
    /// Members drawn each generation as everybody's opponents.
    pub(crate) fitness_set: Share,
    /// Champions of the past drawn each generation as everybody's opponents.
    pub(crate) hall_of_fame: u32,
    /// Mutants of past champions that are everybody's opponents, new ones each generation.
    pub(crate) sparring: u32,
    /// Length of the step that makes one, as a share of the scale.
    pub(crate) sparring_step: f64,
    /// Where games begin.
    pub(crate) openings: Beginnings,
    /// Rounds of a generation; after each but the last the lower half of the members plays no more.
    pub(crate) rounds: u32,
    /// Members copied unchanged into the next generation.
    pub(crate) elite: Share,
    /// Who enters the mating pool.
    pub(crate) selection: Selection,
    /// How parents are combined.
    pub(crate) crossover: Crossover,
    /// Probability that a pair is crossed.
    pub(crate) crossover_rate: f64,
    /// Share of the mean before that the mean of a pool keeps.
    pub(crate) inertia: f64,
    /// How an offspring is changed.
    pub(crate) mutation: Mutation,
    /// Probability that a bit flips or a gene takes a step.
    pub(crate) mutation_rate: f64,
    /// Length of a step at the beginning, as a share of the scale.
    pub(crate) step: f64,
    /// Length that steps shrink to, as a share of the scale.
    pub(crate) step_floor: f64,
    /// Generations in which what is above the floor shrinks to a half.
    pub(crate) step_half: u32,
    /// Mean share of bits in which two members differ, below which all but the elite are renewed.
    pub(crate) restart_below: f64,
    /// How genes stand for weights.
    pub(crate) encoding: Encoding,
    /// The length that weights are held to.
    pub(crate) scale: Scale,
    /// What is weighed.
    pub(crate) features: FeatureSet,
    /// Weights that do not evolve.
    pub(crate) fix: Fixed,
    /// How weights are read.
    pub(crate) signs: Signs,
    /// What is played; of ayo the rules stand beside it.
    pub(crate) game: AnyGame,
    /// The rules of ayo that games are played by.
    pub(crate) rules: Rules,
    /// Plies that every move is searched.
    pub(crate) depth: u32,
    /// Generations after which a pairing that was not met again is forgotten.
    pub(crate) pairing_memory: u32,
    /// Generations from one measurement to the next; 0 for none.
    pub(crate) measure_every: u32,
    /// Openings of a measurement.
    pub(crate) measure_openings: u32,
    /// Games in which the last elite and past champions compete to be the champion; 0 for none.
    pub(crate) finalist_games: u32,
}

impl Settings {
    /// Members of the fitness set.
    pub fn fitness_set_size(&self) -> usize {
        self.fitness_set.of(self.population)
    }

    /// The most that a member's fitness can be. By games: two points for each of two games with each
    /// opponent from each opening. By tables: a million, for giving nothing away of what is at stake. By
    /// both: twice a hundred for every other member who is worse by both.
    pub fn best_possible_fitness(&self) -> u64 {
        match self.fitness {
            Merit::Tournament => 2 * self.games_of_member(),
            Merit::Tables => ALL_KEPT,
            Merit::Mix(_) => 200 * (u64::from(self.population) - 1),
        }
    }

    /// The most games that a member is asked for in a generation.
    fn games_of_member(&self) -> u64 {
        match self.fitness {
            Merit::Tournament | Merit::Mix(_) => {
                2 * self.openings.count() as u64 * self.opponents() as u64
            }
            Merit::Tables => 0,
        }
    }

    /// Whether nobody can be evaluated without endgame tables.
    pub fn needs_tables(&self) -> bool {
        self.fitness != Merit::Tournament
    }

    /// Opponents of every member.
    fn opponents(&self) -> usize {
        self.fitness_set_size() + self.hall_of_fame as usize + self.sparring as usize
    }

    /// The most games that a generation asks for.
    pub fn games_per_generation(&self) -> u64 {
        u64::from(self.population) * self.games_of_member()
    }

    /// The game that is played, with its rules.
    pub fn game(&self) -> AnyGame {
        self.game.with_rules(self.rules).unwrap_or(self.game)
    }

    /// Members of the elite.
    pub fn elite_size(&self) -> usize {
        self.elite.of(self.population)
    }

    /// Whether finals choose the champion of a complete run; else it is the best of the last generation.
    pub fn has_finals(&self) -> bool {
        self.finalist_games > 0
    }

    /// The features whose weights evolve, a gene each.
    pub fn free_features(&self) -> impl Iterator<Item = Feature> {
        let features = self.features.features().iter().copied();
        features.filter(|feature| self.fix.weight_of(*feature).is_none())
    }

    /// Bits of a chromosome.
    pub fn chromosome_bits(&self) -> usize {
        self.free_features().count() * self.encoding.bits()
    }

    /// The weights that a chromosome stands for, in the order of the features, with the fixed ones.
    pub fn decoded(&self, chromosome: &Chromosome) -> Vec<i64> {
        let mut genes = self.encoding.decode(chromosome).into_iter();
        let weight = |feature: &Feature| {
            let fixed = self.fix.weight_of(*feature);
            fixed
                .unwrap_or_else(|| genes.next().expect("a gene for each feature that is not fixed"))
        };
        self.features.features().iter().map(weight).collect()
    }

    /// The weights of a chromosome as an evaluator.
    pub fn weights(&self, chromosome: &Chromosome) -> Weights {
        let name = format!("{}-{}", self.preset, self.seed);
        Weights::new(name, self.features.clone(), &self.decoded(chromosome), self.signs)
            .expect("genes hold at most 15 bits")
    }

    /// The length that a chromosome's own weights are held to: what the fixed ones leave of the scale.
    pub(crate) fn length_of_genes(&self) -> Option<f64> {
        let Scale::Length(length) = self.scale else { return None };
        let fixed: f64 =
            self.fix.weights().iter().map(|(_, weight)| (weight * weight) as f64).sum();
        Some((f64::from(length) * f64::from(length) - fixed).max(0.0).sqrt())
    }

    /// The mean length of a step of [`Mutation::Gaussian`] in a gene of the generation bred from
    /// `generation`, in weights.
    pub(crate) fn step_after(&self, generation: u32) -> f64 {
        let halvings = f64::from(generation) / f64::from(self.step_half);
        let share = self.step_floor + (self.step - self.step_floor) * libm::exp2(-halvings);
        share * self.unit()
    }

    /// What steps are shares of: the scale, or half of what a gene can hold.
    pub(crate) fn unit(&self) -> f64 {
        match self.scale {
            Scale::Length(length) => f64::from(length),
            Scale::Free => (self.encoding.range().end() + 1) as f64,
        }
    }

    /// How long a run goes on if nobody says; its bytes do not depend on it.
    pub fn usual_time(&self) -> Option<Duration> {
        (self.preset == "overnight").then_some(Duration::from_secs(8 * 60 * 60))
    }

    /// `key = value` lines in TOML with what each means; [`Draft::set`] reads the values back.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        for key in &KEYS {
            let _ = writeln!(text, "{} = {} # {}", key.name, (key.get)(self), key.meaning);
        }
        text
    }

    /// The lines of all but how many generations are asked for, and without late settings that ask for
    /// nothing new: what a checkpoint holds.
    pub(crate) fn lines(&self) -> String {
        let first_trainer = presets::preset("daoud2004").expect("a preset");
        let asks = |key: &&Key| !key.is_late() || (key.get)(self) != (key.get)(&first_trainer);
        let keys = KEYS.iter().filter(|key| key.name != "generations").filter(asks);
        keys.map(|key| format!("{} = {}\n", key.name, (key.get)(self))).collect()
    }

    /// Sixteen hexadecimal digits that stand for all that a run's bytes depend on: every setting but
    /// the names of the preset and the parent and how many generations are asked for.
    ///
    /// A setting that came after the first ones counts only where it asks for something new, so that
    /// the trainers of old keep their hash.
    pub fn hash(&self) -> String {
        let first_trainer = presets::preset("daoud2004").expect("a preset");
        let mut hasher = Sha256::new();
        for key in KEYS.iter().filter(|key| key.shapes_the_run()) {
            let value = (key.get)(self);
            if key.is_original() || value != (key.get)(&first_trainer) {
                hasher.update(format!("{} = {value}\n", key.name));
            }
        }
        hasher.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }
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
    KEYS.iter().map(|key| key.name).collect::<Vec<_>>().join(", ")
}

/// Settings on their way to being valid.
///
/// ```
/// use ayo::run::Draft;
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
        presets::preset(name).map(Draft).ok_or_else(|| SettingError::Preset(name.into()))
    }

    /// The settings of a TOML table: those of the preset that it names, `standard` if it names none,
    /// and the changes that it makes to them.
    pub fn from_table(table: &toml::Table) -> Result<Draft, SettingError> {
        let preset = table.get("preset").map_or(DEFAULT_PRESET.into(), text_of);
        let mut draft = Draft::preset(&preset)?;
        draft.set_all(table)?;
        Ok(draft)
    }

    /// The settings of a table that has to name every one of them that runs have had from early on.
    pub fn from_whole_table(table: &toml::Table) -> Result<Draft, SettingError> {
        let draft = Draft::from_table(table)?;
        match KEYS.iter().find(|key| !key.is_late() && !table.contains_key(key.name)) {
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
        let check = [
            check_game(&settings),
            check_fitness_set(&settings),
            check_elite(&settings),
            check_selection(&settings),
            check_genes(&settings),
            check_steps(&settings),
            check_founders(&settings),
        ];
        check.into_iter().collect::<Result<(), SettingError>>()?;
        Ok(settings)
    }
}

fn refuse(key: &'static str, value: &dyn Display, reason: String) -> Result<(), SettingError> {
    Err(SettingError::Value { key, value: value.to_string(), reason })
}

fn check_game(settings: &Settings) -> Result<(), SettingError> {
    let (game, of) = (settings.game.kind(), settings.features.game());
    if of != game {
        let reason = format!("these are features of {of}, but game is {}", settings.game);
        return refuse("features", &settings.features, reason);
    }
    if settings.game == AnyGame::default() {
        return Ok(());
    }
    if MeasuredOpenings::of(settings.game).all() == 0 {
        let reason = "every game is over within four plies, so there is nothing to learn".into();
        return refuse("game", &settings.game, reason);
    }
    let drawn =
        with_game!(settings.game, game => settings.openings.draw(game, settings.seed, 1).len());
    if drawn == 0 {
        let reason = format!("no game of {} can begin so", settings.game);
        return refuse("openings", &settings.openings, reason);
    }
    let of_ayo = format!("game is {}, and this is for ayo alone", settings.game);
    if settings.rules != Rules::default() {
        return refuse("rules", &settings.rules, of_ayo);
    }
    if settings.needs_tables() {
        return refuse("fitness", &settings.fitness, of_ayo);
    }
    Ok(())
}

fn check_fitness_set(settings: &Settings) -> Result<(), SettingError> {
    let (population, size) = (settings.population, settings.fitness_set_size());
    let least = usize::from(settings.hall_of_fame + settings.sparring == 0);
    if (least..=population as usize).contains(&size) {
        return Ok(());
    }
    let comes_to = match settings.fitness_set {
        Share::Count(_) => String::new(),
        Share::Percent(_) => format!("of a population of {population} that is {size}; "),
    };
    let reason =
        format!("{comes_to}it must come to {least} to {population} members of the population");
    refuse("fitness_set", &settings.fitness_set, reason)
}

fn check_elite(settings: &Settings) -> Result<(), SettingError> {
    let population = settings.population;
    if settings.elite_size() > population as usize {
        let reason = format!("the population has only {population} members");
        return refuse("elite", &settings.elite, reason);
    }
    Ok(())
}

fn check_selection(settings: &Settings) -> Result<(), SettingError> {
    let population = settings.population;
    match settings.selection {
        Selection::Truncation(share)
            if !(1..=population as usize).contains(&share.of(population)) =>
        {
            let reason = format!("it must keep 1 to {population} members of the population");
            refuse("selection", &settings.selection, reason)
        }
        Selection::Proportional
        | Selection::Rank
        | Selection::Tournament(_)
        | Selection::Truncation(_) => Ok(()),
    }
}

fn check_genes(settings: &Settings) -> Result<(), SettingError> {
    let features = settings.features.features();
    for (feature, _) in settings.fix.weights() {
        if !features.contains(feature) {
            let reason =
                format!("{} is not among the features {}", feature.name(), settings.features);
            return refuse("fix", &settings.fix, reason);
        }
    }
    let range = settings.encoding.range();
    if let Some((feature, weight)) = settings.fix.weights().iter().find(|(_, w)| !range.contains(w))
    {
        let reason = format!(
            "{} is {weight}, but genes of encoding {} hold {} to {}{}",
            feature.name(),
            settings.encoding,
            range.start(),
            range.end(),
            match settings.signs {
                Signs::Signed => ", and signs = signed gives each the sign of its feature",
                Signs::Literal => "",
            }
        );
        return refuse("fix", &settings.fix, reason);
    }
    if settings.free_features().next().is_none() {
        return refuse("fix", &settings.fix, "no feature is left to evolve".into());
    }
    if settings.length_of_genes() == Some(0.0) {
        let reason =
            format!("the fixed weights alone are as long as the scale of {}", settings.scale);
        return refuse("fix", &settings.fix, reason);
    }
    Ok(())
}

fn check_steps(settings: &Settings) -> Result<(), SettingError> {
    if settings.step_floor > settings.step {
        let reason = format!("it must not be longer than step, which is {:?}", settings.step);
        return refuse("step_floor", &settings.step_floor, reason);
    }
    Ok(())
}

fn check_founders(settings: &Settings) -> Result<(), SettingError> {
    let bits = settings.chromosome_bits();
    for hex in &settings.founders.0 {
        if let Err(error) = Chromosome::from_hex(hex, bits) {
            return refuse("founders", &settings.founders, error.to_string());
        }
    }
    if settings.founders.0.len() > settings.population as usize {
        let reason = format!("the population has only {} members", settings.population);
        return refuse("founders", &settings.founders, reason);
    }
    Ok(())
}

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

#[cfg(test)]
mod tests;
