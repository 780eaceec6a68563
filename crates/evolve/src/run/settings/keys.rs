//! Settings of a run that do not depend on its optimiser.

use mancala::search::MAX_DEPTH;

use crate::optimise::{Key, MOST_GENERATIONS, keys};
use crate::run::settings::Settings;

pub(super) static KEYS: &[Key<Settings>] = keys! {
    // Setting this only changes the recorded name. The values of the preset are set when a draft is created.
    10 preset: text =
        "preset that the settings are based on";
    20 parent: text =
        "settings hash and generation of the run that this one was branched from";
    30 seed: whole(0..=i64::MAX as u64) [first] =
        "random seed";
    40 generations: whole(1..=MOST_GENERATIONS.into()) =
        "total number of generations (optimiser steps)";
    42 islands: whole(1..=1000) [taken_over late] =
        "number of populations that evolve separately and exchange champions";
    44 migrate: whole(1..=100_000) [late] =
        "generations between migrations, in which each island's champion enters the next island";
    46 topology: text [late] =
        "connections between islands: ring";
    290 features: text [taken_over first] =
        "features to weigh: the name of a set, or names separated by commas";
    295 layer: by(layer_name) [taken_over late] =
        "learned layer of the unit features, as the first digits of its hash; empty for none";
    310 signs: text [taken_over first] =
        "how weights are interpreted: signed or literal";
    320 game: text [late] =
        "game: ayo, or kalah with its rules";
    330 rules: text [first] =
        "rules of ayo";
    340 depth: whole(1..=MAX_DEPTH.into()) [first] =
        "search depth in plies";
    341 options.perspective: text [late] =
        "side that leaves are evaluated for: the one that has just moved (mover) or the root player (root)";
    342 options.quiescence: text [late] =
        "quiescence search: none (off) or at leaves with a possible capture (captures)";
    343 options.ties: text [late] =
        "choice among equally good moves: the lowest pit (lowest) or by a hash of the position (hash)";
    345 nodes: whole(0..=1_000_000_000) [late] =
        "node limit per move, used instead of depth; 0 for none";
    360 measure_every: whole(0..=1_000_000) =
        "generations between strength measurements; 0 for none";
    365 measure_early: text [late] =
        "generations measured before measure_every: the first (first), or also measure_every halved repeatedly \
         (halves)";
    370 measure_openings: whole(1..=1014) =
        "number of plies:4 openings per strength measurement during the run";
    375 measure_at: text [late] =
        "search limits for strength measurements: the depth of the run (depth), or also one more ply and a node limit \
         (budgets)";
    376 panel: number_or_text [late] =
        "version of the reference opponents; 2 adds graded opponents and gating matches";
    380 finalist_games: whole(0..=100_000_000) =
        "games between the last and past champions to select the run's champion; 0 for none";
};

fn layer_name(text: &str) -> Result<String, String> {
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    let is_name = text.is_empty() || text.len() == 8 && text.chars().all(is_digit);
    let why = "give features as learned:FILE, which includes the layer";
    is_name.then(|| text.into()).ok_or_else(|| why.into())
}
