//! The settings of a run and its optimiser.

mod draft;

use std::iter;
use std::num::NonZeroU64;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mancala::eval::{Feature, FeatureSet, Layer, Perspective, Quiescence, RUNS, Signs, Weights};
use mancala::game::AnyGame;
use mancala::game::ayo::Rules;
use mancala::random::{Purpose, stream};
use mancala::search::{Limits, MAX_DEPTH, Options, Ties};
use mancala::store::sha256;
use rand::Rng;

use crate::optimise::settings::{LearningNeeds, settings};
use crate::optimise::{
    Archipelago, Coding, Digest, Entry, LoadError, MOST_GENERATIONS, Method, Optimiser,
    OptimiserSettings, Saved, Since, Task, entries, ranking_games, require,
};
use crate::run::strength_test::{MeasuredAt, Panel};

pub use crate::run::settings::draft::{
    DEFAULT_PRESET, Draft, SettingError, all_settings, meant_preset, preset_of_game, presets,
    read_toml,
};

/// In progress displays, a generation without games counts as much as this many games.
const WORK_WITHOUT_GAMES: u64 = 1000;

impl PartialEq for Settings {
    fn eq(&self, other: &Self) -> bool {
        self.method.name == other.method.name && self.entries() == other.entries()
    }
}

impl Settings {
    /// Returns all settings, in the order in which they are written to files.
    pub fn entries(&self) -> Vec<Entry> {
        let mut all = entries(KEYS, self);
        all.extend(self.own.entries());
        all.sort_by_key(|entry| entry.place);
        all
    }

    pub fn task(&self) -> Task {
        Task {
            name: format!("{}-{}", self.preset, self.seed),
            seed: self.seed,
            features: self.features.clone(),
            signs: self.signs,
            game: self.game(),
            depth: self.depth,
            nodes: NonZeroU64::new(self.nodes),
            options: self.options(),
            is_branch: !self.parent.is_empty(),
            has_finals: self.has_finals(),
        }
    }

    pub fn limits(&self) -> Limits {
        if self.nodes > 0 { Limits::nodes(self.nodes) } else { Limits::depth(self.depth) }
    }

    pub fn options(&self) -> Options {
        let &Settings { perspective, quiescence, ties, .. } = self;
        Options { perspective, quiescence, ties }
    }

    pub(crate) fn optimiser(&self, saved: Option<Saved>) -> Result<Box<dyn Optimiser>, LoadError> {
        if self.islands == 1 {
            return self.own.start(self.task(), saved);
        }
        let tasks = (0..self.islands).map(|island| self.island(island).task()).collect();
        Ok(Box::new(Archipelago::start(tasks, self.own.clone(), self.migrate, saved)?))
    }

    pub(crate) fn new_optimiser(&self) -> Box<dyn Optimiser> {
        self.optimiser(None).expect("only saved optimisers can be invalid")
    }

    /// Parses settings in the format of [`lines`](Self::lines).
    pub(crate) fn of_lines(lines: &str) -> Result<Settings, SettingError> {
        Draft::from_recorded_table(&read_toml(lines)?)?.finish()
    }

    pub(crate) fn add_layer(&mut self, layer: &[u8]) -> Result<(), String> {
        let layer = Layer::decode(layer).map_err(|error| error.to_string())?;
        let features = self.features.clone().with_layer(Arc::new(layer));
        self.features = features.map_err(|error| error.to_string())?;
        Ok(())
    }

    /// Returns the settings of an island: those of the run, but with another seed, no islands and no measurements.
    pub fn island(&self, index: u32) -> Settings {
        let seed = stream(self.seed, Purpose::Island, 0, index.into()).next_u64() >> 1;
        let Settings { islands, migrate, topology, .. } = Settings::defaults(self.method);
        Settings { seed, islands, migrate, topology, measure_every: 0, ..self.clone() }
    }

    /// Returns the same settings with a different seed, for use in another run.
    pub fn with_seed(&self, seed: u64) -> Settings {
        Settings { seed, own: self.own.for_another_run(), ..self.clone() }
    }

    /// Returns the run folder that is used if the user does not name one.
    pub fn default_folder(&self) -> PathBuf {
        Path::new(RUNS).join(format!("{}-{}", self.preset, self.seed))
    }

    pub fn check_layer(&self) -> Result<(), SettingError> {
        let reason = "the layer file is not available: give --features learned:FILE";
        let is_there = self.layer.is_empty() || self.features.layer().is_some();
        Ok(require(is_there, "layer", &self.layer, reason)?)
    }

    pub fn coding(&self) -> Coding {
        self.own.coding(&self.task())
    }

    pub fn learning_needs(&self) -> LearningNeeds {
        self.own.learning_needs(&self.task(), self.generations)
    }

    /// Returns the maximum number of games in a generation. Generations are counted from 1.
    pub fn games_of_generation(&self, generation: u32) -> u64 {
        u64::from(self.islands) * self.own.games_of_step(generation)
            + ranking_games(self.islands, self.migrate, generation)
    }

    /// Returns the maximum total number of games in the given generations.
    pub fn games_of_generations(&self, generations: RangeInclusive<u32>) -> u64 {
        generations.map(|generation| self.games_of_generation(generation)).sum()
    }

    pub fn game(&self) -> AnyGame {
        self.game.with_rules(self.rules).unwrap_or(self.game)
    }

    /// Returns whether a measurement is scheduled after the given generation.
    pub fn measures(&self, generation: u32) -> bool {
        let every = self.measure_every;
        let halves = iter::successors(Some(every), |it| Some(it / 2));
        let is_early = match self.measure_early {
            Early::First => generation == 1,
            Early::Halves => {
                generation > 0
                    && halves.take_while(|&it| it >= generation).last() == Some(generation)
            }
        };
        every > 0 && (is_early || generation.is_multiple_of(every))
    }

    /// Returns the generations after `done` in which a measurement is scheduled.
    pub fn measured_generations(&self, done: u32) -> impl Iterator<Item = u32> {
        (done + 1..=self.generations).filter(|&generation| self.measures(generation))
    }

    /// Returns whether final games select the champion. If not, it's the last generation's, or the last to pass a gate.
    pub fn has_finals(&self) -> bool {
        self.finalist_games > 0
    }

    /// Returns the default time limit of the preset.
    pub fn usual_time(&self) -> Option<Duration> {
        crate::optimise::preset(&self.preset).and_then(|(_, preset)| preset.time)
    }

    /// Returns the highest possible fitness in a generation.
    pub fn best_possible_fitness(&self, generation: u32) -> u64 {
        let migrations = generation.saturating_sub(1) / self.migrate;
        self.own.best_possible_fitness(generation, if self.islands > 1 { migrations } else { 0 })
    }

    /// Returns the amount of work for progress displays, usually the number of games (except those that rank islands).
    pub fn work(&self, generations: RangeInclusive<u32>) -> u64 {
        let islands = u64::from(self.islands);
        let work = |generation| match islands * self.own.games_of_step(generation) {
            0 => WORK_WITHOUT_GAMES,
            games => games,
        };
        let [first, last] = [work(*generations.start()), work(*generations.end())];
        // Summing over a million generations is too slow. If no features are learned, then the number of games never
        // decreases from one generation to the next, so it's enough to compare the first and the last generation.
        match first == last && self.own.layers().is_none() {
            true => first * generations.count() as u64,
            false => generations.map(work).sum(),
        }
    }

    /// Returns the chromosome that is closest to the given weights, for use in an initial population. Also returns the
    /// features that it leaves out although they have a weight. Returns `None` if no evolved feature has a weight.
    ///
    /// ```
    /// use evolve::run::Draft;
    /// use mancala::eval::Weights;
    /// let settings = Draft::preset("daoud2004").unwrap().finish().unwrap();
    /// let published = Weights::named("daoud2004-depth5").unwrap();
    /// assert_eq!(settings.founder(&published).unwrap().0, "cf10d903be0c");
    /// ```
    pub fn founder(&self, weights: &Weights) -> Option<(String, Vec<Feature>)> {
        let (founder, left_out) = self.own.founder(&self.task(), weights)?;
        Some((founder.to_hex(), left_out))
    }

    pub fn candidates(&self) -> u32 {
        self.islands * self.own.candidates()
    }

    /// Returns `key = value` lines in TOML with a comment on each setting. [`Draft::set`] parses the values.
    pub fn to_toml(&self) -> String {
        self.entries().iter().map(Entry::to_toml).collect()
    }

    /// Returns lines for a checkpoint. They omit `generations`, and [`Since::Late`] settings with their first default.
    pub fn lines(&self) -> String {
        let asks = |(it, usual): &(Entry, Entry)| {
            it.name != "generations" && (it.since != Since::Late || it.value != usual.value)
        };
        lines_of(self.paired(&Settings::defaults(self.method)).filter(asks))
    }

    /// Pairs each setting with the same setting of `other`, which must have the same optimiser.
    fn paired(&self, other: &Settings) -> impl Iterator<Item = (Entry, Entry)> {
        self.entries().into_iter().zip(other.entries())
    }

    /// Returns a hash of the settings that determine the output of a run, as 16 hexadecimal digits. Excludes the
    /// preset, the parent, the number of generations, and newer settings that have their original default.
    pub fn hash(&self) -> String {
        let text = match self.method.digest {
            Digest::Lines => {
                let counts = |(it, usual): &(Entry, Entry)| {
                    shapes(it) && (it.since == Since::First || it.value != usual.value)
                };
                lines_of(self.paired(&Settings::defaults(self.method)).filter(counts))
            }
            Digest::Words(names) => self.digested_words(names),
        };
        digits(&text)
    }

    fn digested_words(&self, names: &[&str]) -> String {
        // As in earlier versions, we use the defaults of the preset, but late settings have their original default.
        let preset = Draft::preset(self.method.presets[0].name).expect("a preset").settings;
        let first = Settings::defaults(self.method).entries();
        let usual = |((it, preset), first): ((Entry, Entry), Entry)| match it.since {
            Since::Late => (it, first),
            Since::First | Since::Early => (it, preset),
        };
        let all = self.paired(&preset).zip(first).map(usual);
        let all: Vec<_> = all.filter(|(it, _)| shapes(it)).collect();
        let word = |name: &&str| match *name {
            "game" => {
                let (word, terms) = self.game().description();
                format!(" {word}={terms}")
            }
            name => {
                let (entry, _) = all.iter().find(|(it, _)| it.name == name).expect("a setting");
                format!(" {name}={}", entry.plain())
            }
        };
        let said = |it: &Entry| !names.contains(&it.name) && it.name != "rules";
        let others = all.iter().filter(|(it, usual)| said(it) && it.value != usual.value);
        let others = others.map(|(it, _)| format!(" {}={}", it.name, it.plain()));
        let name = [self.method.name.to_owned()];
        name.into_iter().chain(names.iter().map(word)).chain(others).collect()
    }
}

/// Returns whether the output of a run depends on the setting.
fn shapes(it: &Entry) -> bool {
    !["preset", "parent", "generations"].contains(&it.name)
}

fn lines_of(entries: impl Iterator<Item = (Entry, Entry)>) -> String {
    entries.map(|(it, _)| format!("{} = {}\n", it.name, it.value)).collect()
}

/// Returns sixteen hexadecimal digits that identify `text`.
pub fn digits(text: &str) -> String {
    sha256(text)[..16].into()
}

#[cfg(test)]
mod tests;

/// Which generations are measured before the first multiple of `measure_every`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Early {
    First,
    /// Half of `measure_every`, a quarter of it and so on, down to generation 1.
    Halves,
}

mancala::option_words!(Early, "first or halves", { First: "first", Halves: "halves" });

/// The island that the champion of an island migrates to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topology {
    /// The next island, or the first one after the last.
    Ring,
}

mancala::option_words!(Topology, "ring", { Ring: "ring" });

settings! {
    /// The settings of a run. They are created only by [`Draft::finish`], so they are known to be valid.
    pub Settings(method: &'static Method) {
        // Setting this only changes the recorded name. The values of the preset are set when a draft is created.
        10 preset: String = String::new(), text =
            "preset that the settings are based on";
        20 parent: String = String::new(), text =
            "settings hash and generation of the run that this one was branched from";
        30 seed: u64 = 1, whole(0..=i64::MAX as u64) [first] =
            "random seed";
        40 generations: u32 = 100, whole(1..=MOST_GENERATIONS.into()) =
            "total number of generations (optimiser steps)";
        42 islands: u32 = 1, whole(1..=1000) [taken_over late] =
            "number of populations that evolve separately and exchange champions";
        44 migrate: u32 = 10, whole(1..=100_000) [late] =
            "generations between migrations, in which each island's champion enters the next island";
        46 topology: Topology = Topology::Ring, text [late] =
            "connections between islands: ring";
        290 features: FeatureSet = FeatureSet::daoud2004(), text [taken_over first] =
            "features to weigh: the name of a set, or names separated by commas";
        295 layer: String = String::new(), by(layer_name) [taken_over late] =
            "learned layer of the unit features, as the first digits of its hash; empty for none";
        310 signs: Signs = Signs::Signed, text [taken_over first] =
            "how weights are interpreted: signed or literal";
        320 game: AnyGame = AnyGame::default(), text [late] =
            "game: ayo, or kalah with its rules";
        330 rules: Rules = Rules::AYO, text [first] =
            "rules of ayo";
        340 depth: u32 = 5, whole(1..=MAX_DEPTH.into()) [first] =
            "search depth in plies";
        341 perspective: Perspective = Options::OF_2004.perspective, text [late] =
            "side that leaves are evaluated for: the one that has just moved (mover) or the root player (root)";
        342 quiescence: Quiescence = Options::OF_2004.quiescence, text [late] =
            "quiescence search: none (off) or at leaves with a possible capture (captures)";
        343 ties: Ties = Options::OF_2004.ties, text [late] =
            "choice among equally good moves: the lowest pit (lowest) or by a hash of the position (hash)";
        345 nodes: u64 = 0, whole(0..=1_000_000_000) [late] =
            "node limit per move, used instead of depth; 0 for none";
        360 measure_every: u32 = 0, whole(0..=1_000_000) =
            "generations between strength measurements; 0 for none";
        365 measure_early: Early = Early::First, text [late] =
            "generations measured before measure_every: the first (first), or also measure_every halved repeatedly \
             (halves)";
        370 measure_openings: u32 = 100, whole(1..=1014) =
            "number of plies:4 openings per strength measurement during the run";
        375 measure_at: MeasuredAt = MeasuredAt::Depth, text [late] =
            "search limits for strength measurements: the depth of the run (depth), or also one more ply and a node \
             limit (budgets)";
        376 panel: Panel = Panel::First, number_or_text [late] =
            "version of the reference opponents; 2 adds graded opponents and gating matches";
        380 finalist_games: u32 = 0, whole(0..=100_000_000) =
            "games between the last and past champions to select the run's champion; 0 for none";
    } {
        method: &'static Method = method;
        own: Box<dyn OptimiserSettings> = (method.settings)();
    }
}

fn layer_name(text: &str) -> Result<String, String> {
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    let is_name = text.is_empty() || text.len() == 8 && text.chars().all(is_digit);
    let why = "give features as learned:FILE, which includes the layer";
    is_name.then(|| text.into()).ok_or_else(|| why.into())
}
