//! Settings of a run that do not depend on its optimiser.

use mancala::search::MAX_DEPTH;

use crate::optimise::{Key, MOST_GENERATIONS, keys};
use crate::run::settings::Settings;

pub(super) static KEYS: &[Key<Settings>] = keys! {
    // Only the name: the values of the preset were set when the draft was created.
    10 preset: text =
        "the preset that the settings began from";
    20 parent: text =
        "the run that this one branched off from: its settings and generation";
    30 seed: whole(0..=i64::MAX as u64) [first] =
        "seed of all random streams";
    40 generations: whole(1..=MOST_GENERATIONS.into()) =
        "generations in all, a step of the optimiser each";
    290 features: text [taken_over first] =
        "what is weighed: a set or names joined by commas";
    295 layer: by(layer_name) [taken_over late] =
        "the learned layer that units among the features are of, by its first digits; empty for none";
    310 signs: text [taken_over first] =
        "how weights are read: signed or literal";
    320 game: text [late] =
        "what is played: ayo, or kalah with its rules";
    330 rules: text [first] =
        "the rules of ayo that games are played by";
    340 depth: whole(1..=MAX_DEPTH.into()) [first] =
        "plies that every move is searched";
    341 options.perspective: text [late] =
        "from whose view leaves are valued: of the side that moved last (mover) or at the root (root)";
    342 options.quiescence: text [late] =
        "which leaves are searched on: none (off) or those at which something can be captured (captures)";
    343 options.ties: text [late] =
        "which of the best moves is played: the lowest pit (lowest) or by a hash of the position (hash)";
    345 nodes: whole(0..=1_000_000_000) [late] =
        "positions that a move may enter, in place of plies; 0 for plies";
    360 measure_every: whole(0..=1_000_000) =
        "generations from one measurement of strength to the next; 0 for none";
    365 measure_early: text [late] =
        "which generations are measured before measure_every: the first (first), or those at its halves too (halves)";
    370 measure_openings: whole(1..=1014) =
        "openings of plies:4 that a measurement during the run begins from";
    375 measure_at: text [late] =
        "what champions are measured at: the depth of the run (depth), or a ply more and a number of \
         nodes too (budgets)";
    376 panel: number_or_text [late] =
        "version of the opponents outside the run: 2 has graded ones, and gates for champions";
    380 finalist_games: whole(0..=100_000_000) =
        "games in which the last and past champions compete to be the champion; 0 for none";
};

fn layer_name(text: &str) -> Result<String, String> {
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    let is_name = text.is_empty() || text.len() == 8 && text.chars().all(is_digit);
    let why = "give features as learned:FILE, which says which layer it is";
    is_name.then(|| text.into()).ok_or_else(|| why.into())
}
