//! The settings of a run: those of any run, and those of its optimiser.

mod draft;
mod keys;

use std::time::Duration;

use sha2::{Digest as _, Sha256};

pub use self::draft::{DEFAULT_PRESET, Draft, SettingError, preset_of_game, presets, read_toml};
use crate::optimise::{
    Branch, Coding, Digest, Entry, Finals, Method, Optimiser, OptimiserSettings, Origin, Since,
    TableFitness, Task, entries,
};
use mancala::eval::{Feature, FeatureSet, Signs, Weights};
use mancala::game::AnyGame;
use mancala::game::ayo::Rules;

/// All that a run depends on. Only [`Draft::finish`] makes one, so that nothing after it need check them.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The preset that the settings began from.
    pub(crate) preset: String,
    /// The run that this one branched off from, and where; empty for none.
    pub(crate) parent: String,
    /// Seed of all random streams.
    pub(crate) seed: u64,
    /// Steps of the optimiser in all.
    pub(crate) generations: u32,
    /// What is weighed.
    pub(crate) features: FeatureSet,
    /// How weights are read.
    pub(crate) signs: Signs,
    /// What is played; of ayo the rules stand beside it.
    pub(crate) game: AnyGame,
    /// The rules of ayo that games are played by.
    pub(crate) rules: Rules,
    /// Plies that every move is searched.
    pub(crate) depth: u32,
    /// Generations from one measurement to the next; 0 for none.
    pub(crate) measure_every: u32,
    /// Openings of a measurement.
    pub(crate) measure_openings: u32,
    /// Games in which the last and past champions compete to be the champion; 0 for none.
    pub(crate) finalist_games: u32,
    /// What searches.
    pub(crate) method: &'static Method,
    /// Its own settings.
    pub(crate) own: Box<dyn OptimiserSettings>,
}

impl PartialEq for Settings {
    fn eq(&self, other: &Self) -> bool {
        self.method.name == other.method.name && self.entries() == other.entries()
    }
}

impl Settings {
    /// Those of a method as long as nothing is set.
    fn of(method: &'static Method) -> Settings {
        Settings {
            preset: String::new(),
            parent: String::new(),
            seed: 1,
            generations: 100,
            features: FeatureSet::daoud2004(),
            signs: Signs::Signed,
            game: AnyGame::default(),
            rules: Rules::AYO,
            depth: 5,
            measure_every: 0,
            measure_openings: 100,
            finalist_games: 0,
            method,
            own: (method.settings)(),
        }
    }

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
            origin: if self.parent.is_empty() { Origin::New } else { Origin::Branch },
            finals: if self.has_finals() { Finals::Played } else { Finals::None },
        }
    }

    /// The optimiser, which has not begun.
    pub fn optimiser(&self) -> Box<dyn Optimiser> {
        self.own.begin(self.task())
    }

    /// How candidates stand for weights.
    pub fn coding(&self) -> Coding {
        self.own.coding(&self.task())
    }

    /// The name of the optimiser.
    pub fn optimiser_name(&self) -> &'static str {
        self.method.name
    }

    /// The most that a candidate's fitness can be.
    pub fn best_possible_fitness(&self) -> u64 {
        self.own.best_possible_fitness()
    }

    /// Whether no candidate can be evaluated without endgame tables.
    pub fn needs_tables(&self) -> bool {
        self.table_fitness().is_some()
    }

    /// The most games that a generation asks for.
    pub fn games_per_generation(&self) -> u64 {
        self.own.games_per_step()
    }

    /// The game that is played, with its rules.
    pub fn game(&self) -> AnyGame {
        self.game.with_rules(self.rules).unwrap_or(self.game)
    }

    /// Whether finals choose the champion of a complete run; else it is the best of the last generation.
    pub fn has_finals(&self) -> bool {
        self.finalist_games > 0
    }

    /// How long a run goes on if no time is given; its bytes do not depend on it.
    pub fn usual_time(&self) -> Option<Duration> {
        crate::optimise::preset(&self.preset).and_then(|(_, preset)| preset.time)
    }

    /// The text of the chromosome that comes nearest to these weights, to begin from; `None` if they
    /// weigh nothing that evolves.
    ///
    /// ```
    /// use ayo::run::Draft;
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
    pub(crate) fn taken_over(&self) -> Vec<Entry> {
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
    pub(crate) fn lines(&self) -> String {
        let usual = Settings::of(self.method);
        let asks = |it: &&Entry| it.since != Since::Late || it.value != usual.value(it.name);
        let all = self.entries();
        let entries = all.iter().filter(|it| it.name != "generations").filter(asks);
        entries.map(|it| format!("{} = {}\n", it.name, it.value)).collect()
    }

    /// The value of a setting in TOML.
    pub(crate) fn value(&self, name: &str) -> String {
        let entries = self.entries().into_iter();
        entries.filter(|entry| entry.name == name).map(|entry| entry.value).collect()
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

    /// The entries that a run's bytes depend on.
    fn shaping(&self) -> impl Iterator<Item = Entry> {
        let only_names = ["preset", "parent", "generations"];
        self.entries().into_iter().filter(move |entry| !only_names.contains(&entry.name))
    }

    fn digested_lines(&self) -> String {
        let usual = Settings::of(self.method);
        let counts = |it: &Entry| it.since == Since::First || it.value != usual.value(it.name);
        let entries = self.shaping().filter(counts);
        entries.map(|it| format!("{} = {}\n", it.name, it.value)).collect()
    }

    fn digested_words(&self, names: &[&str]) -> String {
        let usual = Draft::preset(self.method.presets[0].name).expect("a preset").settings;
        let all: Vec<Entry> = self.shaping().collect();
        let word = |name: &&str| match *name {
            "game" => {
                let (word, terms) = self.game().terms();
                format!(" {word}={terms}")
            }
            name => {
                let entry = all.iter().find(|entry| entry.name == name).expect("a setting");
                format!(" {name}={}", entry.plain())
            }
        };
        let said = |it: &&Entry| !names.contains(&it.name) && it.name != "rules";
        let others = all.iter().filter(said).filter(|it| it.value != usual.value(it.name));
        let others = others.map(|it| format!(" {}={}", it.name, it.plain()));
        let name = [self.method.name.to_owned()];
        name.into_iter().chain(names.iter().map(word)).chain(others).collect()
    }
}

/// Sixteen hexadecimal digits for a text.
pub(crate) fn digits(text: &str) -> String {
    Sha256::digest(text)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
