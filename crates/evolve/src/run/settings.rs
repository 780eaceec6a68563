//! The settings of a run: those of any run, and those of its optimiser.

mod draft;
mod keys;
mod values;

use std::iter;
use std::num::NonZeroU64;
use std::ops::RangeInclusive;
use std::time::Duration;

use sha2::{Digest as _, Sha256};

pub use self::draft::meant_preset;
pub use self::draft::{
    DEFAULT_PRESET, Draft, SettingError, preset_of_game, presets, read_toml, setting_names,
};
use self::values::Early;
pub use self::values::Settings;
use crate::optimise::{
    Branch, Coding, Digest, Entry, Finals, Layers, Optimiser, Origin, Since, TableFitness, Task,
    entries,
};
use crate::run::yardstick::Conditions;
use mancala::eval::{Feature, Weights};
use mancala::game::AnyGame;
use mancala::search::Limits;

/// What a generation without games counts, where every other counts its games.
const WITHOUT_GAMES: u64 = 1000;

impl PartialEq for Settings {
    fn eq(&self, other: &Self) -> bool {
        self.method.name == other.method.name && self.entries() == other.entries()
    }
}

impl Settings {
    /// Every setting by name, in the order in which files list them.
    pub fn entries(&self) -> Vec<Entry> {
        let mut all = entries(&keys::KEYS, self);
        all.extend(self.own.entries());
        all.sort_by_key(|entry| entry.place);
        all
    }

    /// What the optimiser is to find weights for.
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
            origin: if self.parent.is_empty() { Origin::New } else { Origin::Branch },
            finals: if self.has_finals() { Finals::Played } else { Finals::None },
        }
    }

    /// What a move may be searched.
    pub fn limits(&self) -> Limits {
        self.task().limits(self.depth)
    }

    /// How its champions are measured.
    pub fn conditions(&self) -> Conditions {
        let &Settings { options, measure_at: at, panel, .. } = self;
        Conditions { game: self.game(), limits: self.limits(), options, at, panel }
    }

    /// The optimiser, which has not begun.
    pub fn optimiser(&self) -> Box<dyn Optimiser> {
        self.own.begin(self.task())
    }

    /// The layers that candidates name, in a run that learns its features.
    pub fn layers(&self) -> Option<&Layers> {
        self.own.layers()
    }

    /// Whether the layer that they name is at hand.
    ///
    /// # Errors
    /// If not, with how to give it.
    pub fn check_layer(&self) -> Result<(), SettingError> {
        if self.layer.is_empty() || self.features.layer().is_some() {
            return Ok(());
        }
        let reason = "its file is not at hand: give --features learned:FILE".into();
        Err(SettingError::Value { key: "layer", value: self.layer.clone(), reason })
    }

    /// How candidates stand for weights.
    pub fn coding(&self) -> Coding {
        self.own.coding(&self.task())
    }

    /// The name of the optimiser.
    pub fn optimiser_name(&self) -> &'static str {
        self.method.name
    }

    /// The most that a candidate's fitness can be in a generation.
    pub fn best_possible_fitness(&self, generation: u32) -> u64 {
        self.own.best_possible_fitness(generation)
    }

    /// Generations of the run.
    pub fn generations(&self) -> u32 {
        self.generations
    }

    /// Whether no candidate can be evaluated without endgame tables.
    pub fn needs_tables(&self) -> bool {
        self.table_fitness().is_some()
    }

    /// The most games that a generation asks for; the first is number 1.
    pub fn games_of_generation(&self, generation: u32) -> u64 {
        self.own.games_of_step(generation)
    }

    /// The most games that these generations ask for together.
    pub fn games_of_generations(&self, generations: RangeInclusive<u32>) -> u64 {
        generations.map(|generation| self.games_of_generation(generation)).sum()
    }

    /// The game that is played, with its rules.
    pub fn game(&self) -> AnyGame {
        self.game.with_rules(self.rules).unwrap_or(self.game)
    }

    /// Whether the schedule has a measurement after a generation.
    pub fn measures(&self, generation: u32) -> bool {
        let every = self.measure_every;
        let mut halves = iter::successors(Some(every), |it| Some(it / 2)).take_while(|&it| it > 0);
        let is_early = match self.measure_early {
            Early::First => generation == 1,
            Early::Halves => halves.any(|it| it == generation),
        };
        every > 0 && (is_early || generation.is_multiple_of(every))
    }

    /// Whether finals choose the champion of a complete run; else it is the best of the last generation.
    pub fn has_finals(&self) -> bool {
        self.finalist_games > 0
    }

    /// How long a run goes on if no time is given; its bytes do not depend on it.
    pub fn usual_time(&self) -> Option<Duration> {
        crate::optimise::preset(&self.preset).and_then(|(_, preset)| preset.time)
    }

    /// How much work generations are, for telling how far a run is: their games, and a constant for each that
    /// plays none.
    pub fn work(&self, generations: RangeInclusive<u32>) -> u64 {
        let work = |generation| match self.games_of_generation(generation) {
            0 => WITHOUT_GAMES,
            games => games,
        };
        let [first, last] = [work(*generations.start()), work(*generations.end())];
        // Games of a generation never become fewer. A million generations are a while to add up.
        match first == last && self.layers().is_none() {
            true => first * generations.count() as u64,
            false => generations.map(work).sum(),
        }
    }

    /// The text of the chromosome that comes nearest to these weights, to begin from; `None` if they
    /// weigh nothing that evolves.
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

    /// The features that weights weigh and that no gene stands for.
    pub fn left_out(&self, weights: &Weights) -> Vec<Feature> {
        self.own.left_out(&self.task(), weights)
    }

    /// Candidates that are tried in a generation.
    pub fn candidates(&self) -> u32 {
        self.own.candidates()
    }

    /// What candidates learn from endgame tables, if they do.
    pub fn table_fitness(&self) -> Option<TableFitness> {
        self.own.table_fitness()
    }

    /// The settings that a branch has to take over as they are, with their values.
    pub fn taken_over(&self) -> Vec<Entry> {
        let mut entries = self.entries();
        entries.retain(|entry| entry.branch == Branch::TakesOver);
        entries
    }

    /// `key = value` lines in TOML with what each means; [`Draft::set`] reads the values back.
    pub fn to_toml(&self) -> String {
        let line = |it: &Entry| format!("{} = {} # {}\n", it.name, it.value, it.meaning);
        self.entries().iter().map(line).collect()
    }

    /// The lines of all but how many generations are asked for, and without late settings that ask for
    /// nothing new: what a checkpoint holds.
    pub fn lines(&self) -> String {
        let asks = |(it, usual): &(Entry, Entry)| {
            it.name != "generations" && (it.since != Since::Late || it.value != usual.value)
        };
        lines_of(self.beside(&Settings::of(self.method)).filter(asks))
    }

    /// Every setting beside the same setting of other settings for the same optimiser.
    fn beside(&self, usual: &Settings) -> impl Iterator<Item = (Entry, Entry)> {
        // An optimiser has the same settings in the same order, whatever their values.
        self.entries().into_iter().zip(usual.entries())
    }

    /// Sixteen hexadecimal digits that stand for all that a run's bytes depend on: every setting but
    /// the names of the preset and the parent and how many generations are asked for.
    ///
    /// A setting that came after the first ones counts only where it asks for something new, so that
    /// the trainers of old keep their hash.
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
        lines_of(self.beside(&Settings::of(self.method)).filter(counts))
    }

    fn digested_words(&self, names: &[&str]) -> String {
        // A comparison had the preset's value of what it did not name, but of late settings the first.
        let preset = Draft::preset(self.method.presets[0].name).expect("a preset").settings;
        let first = Settings::of(self.method).entries();
        let usual = |((it, preset), first): ((Entry, Entry), Entry)| match it.since {
            Since::Late => (it, first),
            Since::First | Since::Early => (it, preset),
        };
        let all = self.beside(&preset).zip(first).map(usual);
        let all: Vec<_> = all.filter(|(it, _)| shapes(it)).collect();
        let word = |name: &&str| match *name {
            "game" => {
                let (word, terms) = self.game().terms();
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

/// Whether the bytes of a run depend on a setting: on all but names and the number of generations.
fn shapes(it: &Entry) -> bool {
    !["preset", "parent", "generations"].contains(&it.name)
}

fn lines_of(entries: impl Iterator<Item = (Entry, Entry)>) -> String {
    entries.map(|(it, _)| format!("{} = {}\n", it.name, it.value)).collect()
}

/// Sixteen hexadecimal digits for a text.
pub fn digits(text: &str) -> String {
    Sha256::digest(text)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
