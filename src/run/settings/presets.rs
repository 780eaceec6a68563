//! The presets: points in one space of settings.

use std::mem::discriminant;

use super::{
    Beginnings, Crossover, Fixed, Founders, Merit, Mutation, Scale, Selection, Settings, Share,
};
use mancala::eval::{FeatureSet, Signs};
use mancala::game::AnyGame;
use mancala::game::ayo::Rules;

/// The names of the presets.
pub const PRESETS: [&str; 7] = [
    "standard",
    "overnight",
    "quick",
    "daoud2004",
    "davis-kendall2002",
    "kalah-standard",
    "kalah-extended",
];

/// The preset of a run for which none is named, nor a game.
pub const DEFAULT_PRESET: &str = PRESETS[0];

/// The preset of a run of a game for which none is named: the first of the kind of game.
///
/// ```
/// use ayo::run::preset_of_game;
/// assert_eq!(preset_of_game(&"kalah:seeds=3".parse().unwrap()), "kalah-standard");
/// ```
pub fn preset_of_game(game: &AnyGame) -> &'static str {
    let is_of_game =
        |name: &&&str| preset(name).is_some_and(|it| discriminant(&it.game) == discriminant(game));
    PRESETS.iter().find(is_of_game).unwrap_or(&DEFAULT_PRESET)
}

/// The settings of that preset.
pub(crate) fn usual(game: &AnyGame) -> Settings {
    preset(preset_of_game(game)).expect("a preset")
}

/// The settings of a preset, seed 1.
pub(crate) fn preset(name: &str) -> Option<Settings> {
    let settings = match name {
        "standard" => standard(),
        "overnight" => overnight(),
        "quick" => quick(),
        "daoud2004" => daoud2004(),
        "davis-kendall2002" => davis_kendall2002(),
        "kalah-standard" => kalah_standard(),
        "kalah-extended" => kalah_extended(),
        _ => return None,
    };
    Some(Settings { preset: name.into(), ..settings })
}

/// The trainer to use: openings anew in each generation and the same for all, opponents of the
/// generation and of the past, signed weights of fixed length, recombination of all that are selected.
fn standard() -> Settings {
    Settings {
        generations: 800,
        population: 40,
        fitness_set: Share::Count(0),
        hall_of_fame: 2,
        sparring: 6,
        sparring_step: 0.25,
        openings: Beginnings::Random { count: 4, plies: 5..=12 },
        elite: Share::Count(0),
        selection: Selection::Truncation(Share::Percent(25)),
        crossover: Crossover::Pool,
        inertia: 0.6,
        mutation: Mutation::Gaussian,
        mutation_rate: 1.0,
        step: 0.3,
        step_floor: 0.025,
        step_half: 50,
        encoding: "integer:13".parse().expect("an encoding"),
        scale: Scale::Length(2000),
        signs: Signs::Literal,
        measure_every: 200,
        measure_openings: 100,
        finalist_games: 40_000,
        ..daoud2004()
    }
}

/// As `standard`, for a night, which its generations outlast.
fn overnight() -> Settings {
    Settings {
        generations: 1_000_000,
        step_half: 4000,
        step_floor: 0.02,
        measure_every: 2000,
        measure_openings: 300,
        finalist_games: 200_000,
        ..standard()
    }
}

/// As `standard`, for a first look.
fn quick() -> Settings {
    Settings {
        generations: 60,
        depth: 3,
        step_half: 8,
        measure_every: 20,
        measure_openings: 30,
        finalist_games: 4000,
        ..standard()
    }
}

/// The algorithm of Daoud, Kharma, Haidar and Popoola, "Ayo, the Awari Player" (CEC 2004).
fn daoud2004() -> Settings {
    Settings {
        preset: String::new(),
        parent: String::new(),
        seed: 1,
        generations: 100,
        population: 50,
        founders: Founders::default(),
        fitness: Merit::Tournament,
        tables_positions: 200,
        tables_depth: 3,
        fitness_set: Share::Percent(20),
        hall_of_fame: 0,
        sparring: 0,
        sparring_step: 0.15,
        openings: Beginnings::Start,
        rounds: 1,
        elite: Share::Percent(10),
        selection: Selection::Proportional,
        crossover: Crossover::OnePoint,
        crossover_rate: 0.5,
        inertia: 0.0,
        mutation: Mutation::Flip,
        mutation_rate: 0.001,
        step: 0.1,
        step_floor: 0.1,
        step_half: 1,
        restart_below: 0.0,
        encoding: "binary:4".parse().expect("an encoding"),
        scale: Scale::Free,
        features: FeatureSet::daoud2004(),
        fix: Fixed::default(),
        signs: Signs::Signed,
        game: AnyGame::default(),
        rules: Rules::AYO,
        depth: 5,
        pairing_memory: 100,
        measure_every: 0,
        measure_openings: 100,
        finalist_games: 0,
    }
}

/// The evolution strategy of Davis and Kendall, "An investigation, using co-evolution, to evolve an
/// Awari player" (CEC 2002), as Daoud et al. and Akinyemi describe it: real weights of six features,
/// everybody plays everybody, 250 generations at depth 7. No source at hand gives the sizes: a
/// population of twenty whose better half survives and has one mutated child each, with steps of a
/// tenth of the range, are choices of ours.
fn davis_kendall2002() -> Settings {
    Settings {
        generations: 250,
        population: 20,
        fitness_set: Share::Percent(100),
        elite: Share::Percent(50),
        selection: Selection::Truncation(Share::Percent(50)),
        crossover_rate: 0.0,
        mutation: Mutation::Gaussian,
        mutation_rate: 1.0,
        step: 0.1,
        step_floor: 0.1,
        encoding: "integer:11".parse().expect("an encoding"),
        features: "davis-kendall".parse().expect("a set"),
        signs: Signs::Literal,
        depth: 7,
        ..daoud2004()
    }
}

/// The trainer of `standard` for the heuristics of the report on kalah, with real weights. The lead `h1`
/// is the stores' difference, whose weights evolve, so that its own is fixed.
fn kalah_standard() -> Settings {
    Settings {
        generations: 150,
        depth: 4,
        step_half: 20,
        openings: Beginnings::Random { count: 8, plies: 5..=12 },
        game: "kalah".parse().expect("a game"),
        features: "kansas".parse().expect("a set"),
        fix: "h1=0".parse().expect("a weight"),
        measure_every: 25,
        finalist_games: 20_000,
        ..standard()
    }
}

/// As `kalah-standard`, for all features of kalah but the lead. All seeds are in stores and pits, so that
/// their counts `h2` to `h6` and `k9` make up a constant, and one of the weights is fixed.
fn kalah_extended() -> Settings {
    Settings {
        features: "kalah".parse().expect("a set"),
        fix: "k9=0".parse().expect("a weight"),
        ..kalah_standard()
    }
}
