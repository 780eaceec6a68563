//! Settings of a run and its optimiser.

mod draft;
mod keys;

use std::iter;
use std::num::NonZeroU64;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mancala::eval::{Feature, FeatureSet, RUNS, Signs, Weights};
use mancala::game::AnyGame;
use mancala::game::ayo::Rules;
use mancala::random::{Purpose, stream};
use mancala::search::{Limits, Options};
use mancala::store::sha256;
use rand::Rng;

use crate::optimise::settings::LearningNeeds;
use crate::optimise::{
    Archipelago, Coding, Digest, Entry, Layers, LoadError, Method, Optimiser, OptimiserSettings,
    Saved, SettingRefusal, Since, TableFitness, Task, entries, ranking_games,
};
use crate::run::strength_test::{Conditions, MeasuredAt, Panel};

pub use crate::run::settings::draft::{
    DEFAULT_PRESET, Draft, SettingError, all_settings, meant_preset, preset_of_game, presets,
    read_toml,
};

/// A generation without games counts as this many games in progress displays.
const WORK_WITHOUT_GAMES: u64 = 1000;

impl PartialEq for Settings {
    fn eq(&self, other: &Self) -> bool {
        self.method.name == other.method.name && self.entries() == other.entries()
    }
}

impl Settings {
    /// Returns every setting, in the order used in files.
    pub fn entries(&self) -> Vec<Entry> {
        let mut all = entries(keys::KEYS, self);
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
            options: self.options,
            is_branch: !self.parent.is_empty(),
            has_finals: self.has_finals(),
        }
    }

    pub fn limits(&self) -> Limits {
        self.task().limits(self.depth)
    }

    pub fn conditions(&self) -> Conditions {
        let &Settings { options, measure_at: at, panel, .. } = self;
        Conditions { game: self.game(), limits: self.limits(), options, at, panel }
    }

    pub fn optimiser(&self) -> Box<dyn Optimiser> {
        if self.islands == 1 {
            return self.own.begin(self.task());
        }
        Box::new(Archipelago::new(self.island_tasks(), self.own.clone(), self.migrate))
    }

    /// Restores a saved optimiser.
    ///
    /// # Errors
    /// If the saved state is inconsistent with the settings.
    pub(crate) fn load(&self, saved: Saved) -> Result<Box<dyn Optimiser>, LoadError> {
        if self.islands == 1 {
            return self.own.load(self.task(), saved);
        }
        let (tasks, own) = (self.island_tasks(), self.own.clone());
        Ok(Box::new(Archipelago::load(tasks, own, self.migrate, saved)?))
    }

    pub(crate) fn island_tasks(&self) -> Vec<Task> {
        (0..self.islands).map(|island| self.island(island).task()).collect()
    }

    /// Returns the settings of one island: those of a separate run with another seed and without measurements.
    pub fn island(&self, index: u32) -> Settings {
        let seed = stream(self.seed, Purpose::Island, 0, index.into()).next_u64() >> 1;
        let Settings { islands, migrate, topology, .. } = Settings::of(self.method);
        Settings { seed, islands, migrate, topology, measure_every: 0, ..self.clone() }
    }

    /// Returns the same settings with another seed, for another run.
    pub fn with_seed(&self, seed: u64) -> Settings {
        Settings { seed, own: self.own.for_another_run(), ..self.clone() }
    }

    /// Returns the folder that is used for the run unless the user names another one.
    pub fn default_folder(&self) -> PathBuf {
        Path::new(RUNS).join(format!("{}-{}", self.preset, self.seed))
    }

    /// Returns the layers that candidates refer to, if the run learns its features.
    pub fn layers(&self) -> Option<&Layers> {
        self.own.layers()
    }

    /// Checks that the layer required by the features is loaded.
    ///
    /// # Errors
    /// If the layer is missing. The error includes a hint.
    pub fn check_layer(&self) -> Result<(), SettingError> {
        if self.layer.is_empty() || self.features.layer().is_some() {
            return Ok(());
        }
        let reason = "the layer file is not available: give --features learned:FILE".into();
        Err(SettingRefusal::new("layer", &self.layer, reason).into())
    }

    /// Returns the coding that maps candidates to weights.
    pub fn coding(&self) -> Coding {
        self.own.coding(&self.task())
    }

    /// Returns the cost of learning features.
    pub fn learning_needs(&self) -> LearningNeeds {
        self.own.learning_needs(&self.task(), self.generations)
    }

    pub fn best_possible_fitness(&self, generation: u32) -> u64 {
        self.own.best_possible_fitness(generation)
    }

    pub fn needs_tables(&self) -> bool {
        self.table_fitness().is_some()
    }

    /// Returns the maximum number of games in a generation. Generations are numbered from 1.
    pub fn games_of_generation(&self, generation: u32) -> u64 {
        u64::from(self.islands) * self.own.games_of_step(generation)
            + ranking_games(self.islands, self.migrate, generation)
    }

    /// Returns the maximum number of games in all of these generations together.
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

    /// Returns the generations after `done` that are measured according to the schedule.
    pub fn measured_generations(&self, done: u32) -> impl Iterator<Item = u32> {
        (done + 1..=self.generations).filter(|&generation| self.measures(generation))
    }

    /// Returns whether final games select the champion of a complete run. Otherwise, it is the champion of the last
    /// generation.
    pub fn has_finals(&self) -> bool {
        self.finalist_games > 0
    }

    /// Returns the default time limit of the preset, which does not affect the output of a run.
    pub fn usual_time(&self) -> Option<Duration> {
        crate::optimise::preset(&self.preset).and_then(|(_, preset)| preset.time)
    }

    /// Returns the amount of work in these generations, for progress displays. It is the number of games, except that
    /// each generation without games counts as a constant number.
    pub fn work(&self, generations: RangeInclusive<u32>) -> u64 {
        let work = |generation| match self.games_of_generation(generation) {
            0 => WORK_WITHOUT_GAMES,
            games => games,
        };
        let [first, last] = [work(*generations.start()), work(*generations.end())];
        // The number of games never decreases, so it is constant if it is the same at both ends. Adding up a million
        // generations would take too long.
        match first == last && self.layers().is_none() {
            true => first * generations.count() as u64,
            false => generations.map(work).sum(),
        }
    }

    /// Returns the chromosome closest to the given weights, for an initial population, or `None` if no evolved feature
    /// has a weight.
    ///
    /// ```
    /// use evolve::run::Draft;
    /// use mancala::eval::Weights;
    /// let settings = Draft::preset("daoud2004").unwrap().finish().unwrap();
    /// let published = Weights::named("daoud2004-depth5").unwrap();
    /// assert_eq!(settings.founder(&published).unwrap(), "cf10d903be0c");
    /// ```
    pub fn founder(&self, weights: &Weights) -> Option<String> {
        self.own.founder(&self.task(), weights).map(|founder| founder.to_hex())
    }

    /// Returns the features that have a weight but no gene.
    pub fn left_out(&self, weights: &Weights) -> Vec<Feature> {
        self.own.left_out(&self.task(), weights)
    }

    /// Returns the number of candidates per generation.
    pub fn candidates(&self) -> u32 {
        self.islands * self.own.candidates()
    }

    /// Returns the settings for fitness measured with endgame tables, if the run uses it.
    pub fn table_fitness(&self) -> Option<TableFitness> {
        self.own.table_fitness()
    }

    /// Returns the settings that a branch must not change.
    pub fn taken_over(&self) -> Vec<Entry> {
        let mut entries = self.entries();
        entries.retain(|entry| entry.is_taken_over);
        entries
    }

    /// Returns `key = value` lines in TOML with a comment on each setting. [`Draft::set`] parses the values.
    pub fn to_toml(&self) -> String {
        self.entries().iter().map(Entry::to_toml).collect()
    }

    /// Returns the settings as lines for a checkpoint. They do not include the number of generations, nor late settings
    /// whose value is their original default.
    pub fn lines(&self) -> String {
        let asks = |(it, usual): &(Entry, Entry)| {
            it.name != "generations" && (it.since != Since::Late || it.value != usual.value)
        };
        lines_of(self.paired(&Settings::of(self.method)).filter(asks))
    }

    /// Pairs each setting with the same setting of `other`, which must have the same optimiser.
    fn paired(&self, other: &Settings) -> impl Iterator<Item = (Entry, Entry)> {
        // The names and the order of an optimiser's settings do not depend on their values.
        self.entries().into_iter().zip(other.entries())
    }

    /// Returns sixteen hexadecimal digits that identify everything that affects the output of a run: all settings
    /// except the names of preset and parent and the number of generations.
    ///
    /// Settings that were added later are included only if they differ from their original default, so that older runs
    /// keep their hash.
    pub fn hash(&self) -> String {
        let text = match self.method.digest {
            Digest::Lines => self.digested_lines(),
            Digest::Words(names) => self.digested_words(names),
        };
        digits(&text)
    }

    fn digested_lines(&self) -> String {
        let counts = |(it, usual): &(Entry, Entry)| {
            shapes(it) && (it.since == Since::First || it.value != usual.value)
        };
        lines_of(self.paired(&Settings::of(self.method)).filter(counts))
    }

    fn digested_words(&self, names: &[&str]) -> String {
        // In earlier comparisons, settings that were not specified had the values of the preset, and late settings had
        // their original defaults.
        let preset = Draft::preset(self.method.presets[0].name).expect("a preset").settings;
        let first = Settings::of(self.method).entries();
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

/// The generations that are measured before the first multiple of `measure_every`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Early {
    /// Only the first generation.
    First,
    /// The generations at half of `measure_every`, a quarter and so on, down to the first.
    Halves,
}

mancala::option_words!(Early, "first or halves", { First: "first", Halves: "halves" });

/// The islands that receive the champion of an island.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topology {
    /// The next island, and after the last one the first.
    Ring,
}

mancala::option_words!(Topology, "ring", { Ring: "ring" });

/// The settings of a run. They are created only by [`Draft::finish`], so they are known to be valid.
#[derive(Debug, Clone)]
pub struct Settings {
    pub preset: String,
    /// The parent run and generation if this is a branch, otherwise empty.
    pub parent: String,
    /// Seed for all random streams.
    pub seed: u64,
    /// Number of generations. Each is a step of the optimiser.
    pub generations: u32,
    /// Number of separate populations.
    pub islands: u32,
    /// Number of generations between migrations.
    pub migrate: u32,
    pub topology: Topology,
    pub features: FeatureSet,
    /// The first digits of the hash of the features' layer. Empty if there is no layer, or if the run learns its
    /// layers.
    pub layer: String,
    /// How the signs of weights are interpreted.
    pub signs: Signs,
    /// The game. The rules of ayo are stored separately.
    pub game: AnyGame,
    pub rules: Rules,
    /// Search depth in plies.
    pub depth: u32,
    /// Nodes per move, replacing the depth; 0 to use the depth.
    pub nodes: u64,
    pub options: Options,
    /// Number of generations between measurements; 0 for no measurements.
    pub measure_every: u32,
    /// Which generations are measured before the first multiple of `measure_every`.
    pub measure_early: Early,
    pub measure_openings: u32,
    pub measure_at: MeasuredAt,
    pub panel: Panel,
    /// Maximum number of final games, which select the champion; 0 for no finals.
    pub finalist_games: u32,
    pub method: &'static Method,
    pub own: Box<dyn OptimiserSettings>,
}

impl Settings {
    /// Returns the default settings of a method.
    fn of(method: &'static Method) -> Settings {
        Settings {
            preset: String::new(),
            parent: String::new(),
            seed: 1,
            generations: 100,
            islands: 1,
            migrate: 10,
            topology: Topology::Ring,
            features: FeatureSet::daoud2004(),
            layer: String::new(),
            signs: Signs::Signed,
            game: AnyGame::default(),
            rules: Rules::AYO,
            depth: 5,
            nodes: 0,
            options: Options::OF_2004,
            measure_every: 0,
            measure_early: Early::First,
            measure_openings: 100,
            measure_at: MeasuredAt::Depth,
            panel: Panel::First,
            finalist_games: 0,
            method,
            own: (method.settings)(),
        }
    }
}
