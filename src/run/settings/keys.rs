//! The settings by name.

use std::fmt::Display;
use std::str::FromStr;

use super::Settings;
use mancala::search::MAX_DEPTH;

/// A setting by name.
#[derive(Debug)]
pub struct Key {
    /// Its name in files, in `--set` and in messages.
    pub name: &'static str,
    /// What it means, in a line.
    pub meaning: &'static str,
    /// Its value in TOML.
    pub get: fn(&Settings) -> String,
    pub(crate) set: fn(&mut Settings, &str) -> Result<(), String>,
}

impl Key {
    /// Whether the bytes of a run depend on it.
    pub(crate) fn shapes_the_run(&self) -> bool {
        !["preset", "parent", "generations"].contains(&self.name)
    }

    /// Whether runs were begun before it was there. They go on as the presets stand that they began from,
    /// and a run that does without it leaves the bytes that they left.
    pub(crate) fn is_late(&self) -> bool {
        LATE.contains(&self.name)
    }

    /// Whether it was there from the first version on.
    pub(crate) fn is_original(&self) -> bool {
        ORIGINAL.contains(&self.name)
    }
}

const ORIGINAL: [&str; 12] = [
    "seed",
    "population",
    "fitness_set",
    "elite",
    "crossover_rate",
    "mutation_rate",
    "encoding",
    "features",
    "signs",
    "rules",
    "depth",
    "pairing_memory",
];

const LATE: [&str; 4] = ["game", "fitness", "tables_positions", "tables_depth"];

/// Every setting, in the order in which files list them.
pub static KEYS: [Key; 38] = [
    Key {
        name: "preset",
        meaning: "the preset that the settings began from",
        get: |s| quoted(&s.preset),
        set: |_, _| unreachable!("Draft::set handles it"),
    },
    Key {
        name: "parent",
        meaning: "the run that this one branched off from: its settings and generation",
        get: |s| quoted(&s.parent),
        set: |s, v| parsed(v).map(|x| s.parent = x),
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
        name: "founders",
        meaning: "chromosomes that the first population begins from",
        get: |s| quoted(&s.founders),
        set: |s, v| parsed(v).map(|x| s.founders = x),
    },
    Key {
        name: "fitness",
        meaning: "what makes a member fit: tournament, tables or mix:P% of both",
        get: |s| quoted(s.fitness),
        set: |s, v| parsed(v).map(|x| s.fitness = x),
    },
    Key {
        name: "tables_positions",
        meaning: "positions in endgame tables that everybody is asked about, new ones each generation",
        get: |s| s.tables_positions.to_string(),
        set: |s, v| whole(v, 1..=100_000).map(|n| s.tables_positions = n as u32),
    },
    Key {
        name: "tables_depth",
        meaning: "plies that a member searches in such a position",
        get: |s| s.tables_depth.to_string(),
        set: |s, v| whole(v, 1..=MAX_DEPTH.into()).map(|n| s.tables_depth = n as u32),
    },
    Key {
        name: "fitness_set",
        meaning: "members drawn each generation as everybody's opponents, a count or a percentage",
        get: |s| in_toml(s.fitness_set),
        set: |s, v| parsed(v).map(|n| s.fitness_set = n),
    },
    Key {
        name: "hall_of_fame",
        meaning: "champions of the past drawn each generation as everybody's opponents",
        get: |s| s.hall_of_fame.to_string(),
        set: |s, v| whole(v, 0..=1000).map(|n| s.hall_of_fame = n as u32),
    },
    Key {
        name: "sparring",
        meaning: "mutants of past champions, made anew each generation as everybody's opponents",
        get: |s| s.sparring.to_string(),
        set: |s, v| whole(v, 0..=1000).map(|n| s.sparring = n as u32),
    },
    Key {
        name: "sparring_step",
        meaning: "length of the step that makes a sparring partner, as a share of the scale",
        get: |s| format!("{:?}", s.sparring_step),
        set: |s, v| share_of_scale(v).map(|p| s.sparring_step = p),
    },
    Key {
        name: "openings",
        meaning: "where games begin: start, or random:N,plies=LOW-HIGH anew in each generation",
        get: |s| quoted(&s.openings),
        set: |s, v| parsed(v).map(|x| s.openings = x),
    },
    Key {
        name: "rounds",
        meaning: "rounds of a generation; after each but the last the lower half plays no more",
        get: |s| s.rounds.to_string(),
        set: |s, v| whole(v, 1..=10).map(|n| s.rounds = n as u32),
    },
    Key {
        name: "elite",
        meaning: "members copied unchanged, a count or a percentage",
        get: |s| in_toml(s.elite),
        set: |s, v| parsed(v).map(|n| s.elite = n),
    },
    Key {
        name: "selection",
        meaning: "who is bred from: proportional, rank, tournament:K or truncation:P%",
        get: |s| quoted(s.selection),
        set: |s, v| parsed(v).map(|x| s.selection = x),
    },
    Key {
        name: "crossover",
        meaning: "how parents are combined: one-point, uniform, blend:ALPHA or pool",
        get: |s| quoted(s.crossover),
        set: |s, v| parsed(v).map(|x| s.crossover = x),
    },
    Key {
        name: "crossover_rate",
        meaning: "probability that a pair is crossed",
        get: |s| format!("{:?}", s.crossover_rate),
        set: |s, v| probability(v).map(|p| s.crossover_rate = p),
    },
    Key {
        name: "inertia",
        meaning: "share of the mean before that the mean of a pool keeps",
        get: |s| format!("{:?}", s.inertia),
        set: |s, v| probability(v).map(|p| s.inertia = p),
    },
    Key {
        name: "mutation",
        meaning: "how an offspring is changed: flip or gaussian",
        get: |s| quoted(s.mutation),
        set: |s, v| parsed(v).map(|x| s.mutation = x),
    },
    Key {
        name: "mutation_rate",
        meaning: "probability that a bit flips or a gene takes a step",
        get: |s| format!("{:?}", s.mutation_rate),
        set: |s, v| probability(v).map(|p| s.mutation_rate = p),
    },
    Key {
        name: "step",
        meaning: "length of a gaussian step at the beginning, as a share of the scale",
        get: |s| format!("{:?}", s.step),
        set: |s, v| share_of_scale(v).map(|p| s.step = p),
    },
    Key {
        name: "step_floor",
        meaning: "length that gaussian steps shrink to, as a share of the scale",
        get: |s| format!("{:?}", s.step_floor),
        set: |s, v| share_of_scale(v).map(|p| s.step_floor = p),
    },
    Key {
        name: "step_half",
        meaning: "generations in which what is above the floor shrinks to a half",
        get: |s| s.step_half.to_string(),
        set: |s, v| whole(v, 1..=1_000_000).map(|n| s.step_half = n as u32),
    },
    Key {
        name: "restart_below",
        meaning: "share of bits in which two members differ on average, below which all but the elite are renewed",
        get: |s| format!("{:?}", s.restart_below),
        set: |s, v| probability(v).map(|p| s.restart_below = p),
    },
    Key {
        name: "encoding",
        meaning: "how genes stand for weights",
        get: |s| quoted(s.encoding),
        set: |s, v| parsed(v).map(|e| s.encoding = e),
    },
    Key {
        name: "scale",
        meaning: "length that the weights are held to, or free",
        get: |s| in_toml(s.scale),
        set: |s, v| parsed(v).map(|x| s.scale = x),
    },
    Key {
        name: "features",
        meaning: "what is weighed: a set or names joined by commas",
        get: |s| quoted(&s.features),
        set: |s, v| parsed(v).map(|f| s.features = f),
    },
    Key {
        name: "fix",
        meaning: "weights that do not evolve, as genes hold them: a9=15",
        get: |s| quoted(&s.fix),
        set: |s, v| parsed(v).map(|x| s.fix = x),
    },
    Key {
        name: "signs",
        meaning: "how weights are read: signed or literal",
        get: |s| quoted(s.signs),
        set: |s, v| parsed(v).map(|signs| s.signs = signs),
    },
    Key {
        name: "game",
        meaning: "what is played: ayo, or kalah with its rules",
        get: |s| quoted(s.game),
        set: |s, v| parsed(v).map(|game| s.game = game),
    },
    Key {
        name: "rules",
        meaning: "the rules of ayo that games are played by",
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
    Key {
        name: "measure_every",
        meaning: "generations from one measurement of strength to the next; 0 for none",
        get: |s| s.measure_every.to_string(),
        set: |s, v| whole(v, 0..=1_000_000).map(|n| s.measure_every = n as u32),
    },
    Key {
        name: "measure_openings",
        meaning: "openings of plies:4 that a measurement during the run begins from",
        get: |s| s.measure_openings.to_string(),
        set: |s, v| whole(v, 1..=1014).map(|n| s.measure_openings = n as u32),
    },
    Key {
        name: "finalist_games",
        meaning: "games in which the last elite and past champions compete to be the champion; 0 for none",
        get: |s| s.finalist_games.to_string(),
        set: |s, v| whole(v, 0..=100_000_000).map(|n| s.finalist_games = n as u32),
    },
];

fn quoted(value: impl Display) -> String {
    toml::Value::String(value.to_string()).to_string()
}

/// Numbers as numbers, all else as text.
fn in_toml(value: impl Display) -> String {
    let text = value.to_string();
    if text.parse::<u64>().is_ok() { text } else { quoted(text) }
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

fn share_of_scale(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|p| (0.0..=10.0).contains(p));
    number.ok_or_else(|| "give a share of the scale from 0 to 10".into())
}

fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}
