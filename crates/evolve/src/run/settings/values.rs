//! What settings hold.

use crate::optimise::{Method, OptimiserSettings};
use mancala::eval::{FeatureSet, Signs};
use mancala::game::AnyGame;
use mancala::game::ayo::Rules;
use mancala::search::Options;

use crate::run::yardstick::{MeasuredAt, Panel};

/// Which generations are measured before the first multiple of `measure_every`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Early {
    /// The first generation.
    First,
    /// The generations at a half of `measure_every`, a quarter and so on, down to the first.
    Halves,
}

mancala::option_words!(Early, "first or halves", { First: "first", Halves: "halves" });

/// All that a run depends on. Only [`Draft::finish`](super::Draft::finish) makes one, so that nothing after it need check them.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The preset that the settings began from.
    pub preset: String,
    /// The run that this one branched off from, and where; empty for none.
    pub parent: String,
    /// Seed of all random streams.
    pub seed: u64,
    /// Steps of the optimiser in all.
    pub generations: u32,
    /// What is weighed.
    pub features: FeatureSet,
    /// The first digits of the hash of the layer that units among the features are of; empty for none, and where the
    /// run learns its layers.
    pub layer: String,
    /// How weights are read.
    pub signs: Signs,
    /// What is played; of ayo the rules stand beside it.
    pub game: AnyGame,
    /// The rules of ayo that games are played by.
    pub rules: Rules,
    /// Plies that every move is searched.
    pub depth: u32,
    /// Positions that a move may enter, in place of plies; 0 for plies.
    pub nodes: u64,
    /// How searches value leaves and choose among equals.
    pub options: Options,
    /// Generations from one measurement to the next; 0 for none.
    pub measure_every: u32,
    /// Which generations are measured before that.
    pub measure_early: Early,
    /// Openings of a measurement.
    pub measure_openings: u32,
    /// What champions are given to search in measurements.
    pub measure_at: MeasuredAt,
    /// The opponents outside the run that measurements are against.
    pub panel: Panel,
    /// Games in which the last and past champions compete to be the champion; 0 for none.
    pub finalist_games: u32,
    /// What searches.
    pub method: &'static Method,
    /// Its own settings.
    pub own: Box<dyn OptimiserSettings>,
}

impl Settings {
    /// Those of a method as long as nothing is set.
    pub(super) fn of(method: &'static Method) -> Settings {
        Settings {
            preset: String::new(),
            parent: String::new(),
            seed: 1,
            generations: 100,
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
